"""How a bot searches, as a scenario says it: `search = { kind = "tree", playouts = 500 }` in its table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from balance.errors import ScenarioError, nearest

KINDS = ("none", "flat", "tree", "halving")  # in the order of `balance.bots.search`


@dataclass(frozen=True)
class Key:
    """A key of a bot's `search`, with its range; `whole` takes no fraction."""

    name: str
    default: float
    low: float
    high: float
    note: str
    whole: bool = False


KEYS = (
    Key("playouts", 500, 1, 1_000_000, "games played on in mind for each decision", whole=True),
    Key(
        "depth", 0, 0, 10_000, "decisions after which a playout is judged by the weights; 0: at the end", True
    ),
    Key("explore", 0.5, 0, 100, "tree: how much an act that was tried little is worth trying"),
    Key("bias", 0.3, 0, 100, "tree: how far the weights' view of an act counts until playouts outweigh it"),
    Key("width", 1.5, 0, 1000, "tree: a node lets in 1 + width x root of its visits acts; 0: all at once"),
    Key("margin", 0.2, 0, 1, "part of a playout's worth that is the lead in points; the rest is the win"),
    Key("spread", 10.0, 0.001, 1e6, "lead in points that counts as three quarters of a win"),
    Key("proof", 1.0, 0, 100, "halving: standard errors by which an act must beat the bot's own choice"),
)
NAMES = {
    "policy": "the bot that plays the searching seat in a playout, by its own weights and without a search",
    "rivals": "the bot that plays the others in a playout; the policy where left out",
}
TIME = Key(
    "milliseconds",
    0,
    0.001,
    3_600_000,
    "time for each decision; a sweep turns it into playouts once, as it begins",
)
ALL = ("kind", *(key.name for key in KEYS), TIME.name, *NAMES)


def read(spec: Any, where: str) -> dict[str, Any]:
    """Return the full `search` of a bot: its kind, all its numbers, and the names of its policies.

    Raises
    ------
    ScenarioError
        Names the key and the remedy.
    """
    if not isinstance(spec, Mapping):
        form = 'search = { kind = "tree", playouts = 500 }'
        raise ScenarioError(f"{spec!r} will not do", where=where, remedy=f"give a table, {form}")
    for key in spec:
        if key not in ALL:
            raise ScenarioError(f"a search has no '{key}'", where=f"{where}.{key}", remedy=nearest(key, ALL))
    kind = spec.get("kind", "tree")
    if kind not in KINDS:
        raise ScenarioError(
            f"there is no search {kind!r}", where=f"{where}.kind", remedy=nearest(str(kind), KINDS)
        )
    policy = spec.get("policy", "random")
    full: dict[str, Any] = {"kind": kind, "policy": policy, "rivals": spec.get("rivals", policy)}
    for name in NAMES:
        if not isinstance(full[name], str):
            raise ScenarioError(
                f"{full[name]!r} will not do", where=f"{where}.{name}", remedy="give the name of a bot"
            )
    for key in KEYS:
        full[key.name] = _number(spec.get(key.name, key.default), key, f"{where}.{key.name}")
    if TIME.name in spec:
        full[TIME.name] = _number(spec[TIME.name], TIME, f"{where}.{TIME.name}")
    return full


def told(mind: Any, bots: Mapping[int, str]) -> dict[str, Any]:
    """Return the search in a bot's record as a scenario says it, under "search"; empty if there is none."""
    kind = KINDS[int(mind["search"])]
    if kind == "none":
        return {}
    numbers = {key.name: (int if key.whole else float)(mind[key.name]) for key in KEYS}
    return {"search": {"kind": kind, **numbers, **{name: bots[int(mind[name])] for name in NAMES}}}


def _number(value: Any, key: Key, where: str) -> float | int:
    plain = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not plain or (key.whole and value != int(value)):
        raise ScenarioError(
            f"{value!r} will not do", where=where, remedy=f"give a {'whole ' if key.whole else ''}number"
        )
    if not key.low <= value <= key.high:
        raise ScenarioError(f"{value} is out of range", where=where, remedy=f"give {key.low} to {key.high}")
    return int(value) if key.whole else float(value)
