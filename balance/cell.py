"""A cell: one rule set and field of bots at one player count, ready to be played.

This is where words become records: rules by name, components by key, bots by style. Everything
is validated here, before any kernel runs.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance import contrast, records, thinking
from balance.contrast import Treatment
from balance.errors import ScenarioError, nearest
from balance.games import Game, Part

WEIGHT_MOST = 1e300  # in size; beyond it sums of weights leave the range of floats
BOT_KEYS = ("kind", "like", "weights", "bar", "gift", "search", "slip")
GENERATED = "generated"  # the certainty of a component that a game's generator made
OWN = {"certainty": "own", "source": "scenario"}  # marks a component that a scenario made or changed


@dataclass(frozen=True)
class Blank:
    """What a cell lacks that another cell has: part `part` of component `key` of `kind`."""

    kind: str
    key: str
    part: Part
    base: int  # the index of the cell that has it


@dataclass(frozen=True)
class Cell:
    """A prepared rule set and its bots.

    Attributes
    ----------
    rules
        One rules record, component tables included, in an array of length 1.
    components
        Kind -> key -> entry, own content included; a line-up names entries by position.
    bots, bot_names
        The bot records and their names, in the scenario's order.
    treatments, hands
        What a contrast does to a seat, and the bots as line-ups number them: see `contrast.hands`;
        after them those that play in searching bots' minds only, `cast`.
    changed
        What differs from the rulebook: dotted key -> value as the scenario gives it.
    blank
        The part that it lacks, which another cell has.
    name
        What its rule set is called, whatever the number of players ("" for the scenario's own).
    tier
        The tier of bots that plays in it ("" in a run without tiers).
    choice, size
        What was chosen of `[vary]` (key -> value) and `[[variant]]` (`variant` -> name), and how far
        that is from the scenario's own rules (see `design.size_of`).
    """

    game: Game
    players: int
    rules: np.recarray
    components: Mapping[str, Mapping[str, Mapping[str, Any]]]
    bots: np.recarray
    bot_names: tuple[str, ...]
    changed: Mapping[str, Any]
    index: int = 0
    label: str = "base"
    treatments: tuple[Treatment, ...] = ()
    blank: Blank | None = None
    choice: Mapping[str, Any] = field(default_factory=dict)
    size: float = 0.0
    cast: np.recarray | None = None
    name: str = ""
    tier: str = ""
    thinkers: Mapping[int, str] = field(default_factory=dict)  # place in the hands -> bot, for playouts

    @functools.cached_property
    def hands(self) -> np.recarray:
        hands = contrast.hands(self.bots, self.treatments)
        return hands if self.cast is None else np.concatenate([hands, self.cast]).view(np.recarray)

    def levels(self, factor: str) -> list[str]:
        """Return the keys that the numbers of `factor` in a line-up stand for, in order."""
        for known in self.game.factors:
            if known.name == factor:
                return list(self.components[known.components])
        raise ScenarioError(
            f"there is no factor '{factor}'", remedy=nearest(factor, [f.name for f in self.game.factors])
        )


@dataclass(frozen=True)
class Batch:
    """Result rows of some games: one a game, one a seat a game, one a seat a turn (or none)."""

    games: np.recarray
    seats: np.recarray
    turns: np.recarray


def prepare(
    game: Game,
    players: int,
    *,
    rules: Mapping[str, Any] | None = None,
    components: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    bots: Mapping[str, Mapping[str, Any]] | None = None,
    treatments: Sequence[Treatment] = (),
    drawn: Mapping[str, Mapping[str, Mapping[str, Any]]] | None = None,
    blank: Blank | None = None,
    index: int = 0,
    label: str = "base",
) -> Cell:
    """Validate one rule set and field of bots and turn them into records.

    Parameters
    ----------
    rules
        House rules by name; the rulebook's where left out.
    components
        Own or changed components: kind -> key -> entry (`like = "KEY"` inherits).
    bots
        Bots by name: `kind`, `like`, `weights`, `bar`, `gift`; the random bot if left out.
    treatments
        What a contrast bars one seat from, or gives it.
    drawn
        Components made by the game's generator, beside the others: kind -> key -> entry.
    blank
        A part to take away from what all this makes.

    Raises
    ------
    ScenarioError
        Names the key and the remedy.
    """
    if players not in game.counts:
        raise ScenarioError(
            f"{game.title} has no game for {players}", where="players", remedy=f"give {span(game)}"
        )
    rules, bots = dict(rules or {}), dict(bots or {"random": {"kind": "random"}})
    _refuse_counts(game, rules)
    record = records.make(game.rules_type)
    records.fill_rules(record[0], game.rules, rules, players)
    merged = merge(game, components or {})
    for kind, entries in (drawn or {}).items():
        for key, entry in entries.items():
            if key in merged[kind]:
                raise ScenarioError(
                    "a drawn one has this name", where=f"{kind}.{key}", remedy="choose another name"
                )
            merged[kind][key] = dict(entry)
    if blank is not None:
        merged[blank.kind][blank.key] = overlay(merged[blank.kind][blank.key], blank.part.change)
    if game.prepare is not None:
        game.prepare(record[0], merged, players)
    changed = {
        f"rules.{name}": value for name, value in rules.items() if _bears_on(game, name, value, players)
    }
    for kind, entries in (components or {}).items():
        changed |= {f"{kind}.{key}": entry for key, entry in entries.items()}
    if blank is not None:
        path = f"{blank.kind}.{blank.key}"
        changed[path] = overlay(changed.get(path, {}), blank.part.change)
    made, cast, thinkers = bot_records(game, bots, len(treatments))
    return Cell(
        game,
        players,
        record,
        merged,
        made,
        tuple(bots),
        changed,
        index,
        label,
        tuple(treatments),
        blank=blank,
        cast=cast,
        thinkers=thinkers,
    )


def span(game: Game) -> str:
    """Write the player counts of a game: "3 to 5", "6 or 8"."""
    low, high = game.players
    return " or ".join(map(str, game.counts)) if game.skips else f"{low} to {high}"


def _refuse_counts(game: Game, rules: Mapping[str, Any]) -> None:
    """Refuse a rule by player count that names a count for which there is no game."""
    low, high = game.players
    for name, value in rules.items():
        for key in _counts(game, name, value):
            if str(key).isdecimal() and not (len(str(key)) < 3 and low <= int(key) <= high):
                raise ScenarioError(
                    f"{game.title} has no game for that many",
                    where=f"rules.{name}.{str(key)[:9]}",
                    remedy=f"give {low} to {high}",
                )


def _bears_on(game: Game, name: str, value: Any, players: int) -> bool:
    """Say whether a rule's value is one for so many players, and not for other counts alone."""
    counts = _counts(game, name, value)
    by_count = isinstance(value, Mapping) and len(counts) == len(value)
    return not by_count or any(int(key) == players for key in counts)


def _counts(game: Game, name: str, value: Any) -> list[str]:
    """Return the keys of a rule's table that are player counts; others are places in a list of numbers."""
    if not isinstance(value, Mapping):
        return []
    listed = any(rule.name == name and isinstance(rule.sample(), tuple) for rule in game.rules)
    return [key for key, one in value.items() if not listed or isinstance(one, (str, list, tuple, Mapping))]


def merge(
    game: Game, own: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Lay own components over the game's; `like` starts from another entry of the same kind.

    That entry may be the scenario's own, wherever it stands in the file.
    """
    merged: dict[str, dict[str, dict[str, Any]]] = {
        kind: {key: dict(entry) for key, entry in entries.items()}
        for kind, entries in game.components.items()
    }
    for kind, entries in own.items():
        if kind not in merged:
            raise ScenarioError(
                f"{game.title} has no components '{kind}'", where=kind, remedy=nearest(kind, merged)
            )
        order = _likes_first(kind, entries, game.components[kind])
        for key in entries:
            merged[kind].setdefault(key, {})  # keeps its place: the order is what a line-up counts in
        for key, entry in order:
            where = f"{kind}.{key}"
            if not isinstance(entry, Mapping):
                raise ScenarioError(f"{entry!r} is not a table", where=where, remedy=f"write [{where}]")
            base: Mapping[str, Any] = merged[kind].get(key, {})
            if "like" in entry:
                if not isinstance(entry["like"], str) or entry["like"] not in merged[kind]:
                    raise ScenarioError(
                        f"there is no '{entry['like']}'",
                        where=f"{where}.like",
                        remedy=nearest(str(entry["like"]), [known for known in merged[kind] if known != key]),
                    )
                base = merged[kind][entry["like"]] | {"name": key.replace("_", " ").title()}
            change: Mapping[str, Any] = {k: v for k, v in entry.items() if k != "like"}
            if game.spell_out is not None:
                change = game.spell_out(kind, base, change, where)
            merged[kind][key] = overlay(_owned(base), change)
    return merged


def _likes_first(kind: str, entries: Mapping[str, Any], games: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return own entries so that each comes after the one that it is like.

    Raises
    ------
    ScenarioError
        If an entry is like itself, by way of others or not; but one of the game's may start from itself.
    """
    order: dict[str, Any] = {}

    def add(key: str, above: tuple[str, ...]) -> None:
        entry = entries[key]
        like = entry.get("like") if isinstance(entry, Mapping) else None
        if like == key and key in games:
            like = None
        above = (*above, key)
        if isinstance(like, str) and like in entries and like not in order:
            if like in above:
                raise ScenarioError(
                    f"is like itself ({' is like '.join([*above[above.index(like) :], like])})",
                    where=f"{kind}.{key}.like",
                    remedy="have one of them start from another",
                )
            add(like, above)
        order.setdefault(key, entry)

    for key in entries:
        add(key, ())
    return list(order.items())


def leaves(entry: Mapping[str, Any], head: str = "") -> dict[str, Any]:
    """Return what stands at the ends of tables within tables, by dotted key."""
    found: dict[str, Any] = {}
    for key, value in entry.items():
        inner = isinstance(value, Mapping) and value
        found |= leaves(value, f"{head}{key}.") if inner else {f"{head}{key}": value}
    return found


def overlay(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with the keys of `over` laid over it, tables within tables.

    A table in which something changes no longer is what its source says: it becomes the scenario's
    own, unless the scenario itself gives a certainty or a source.
    """
    result = dict(base)
    if any(not isinstance(value, Mapping) for value in over.values()) and "certainty" in base:
        result = _owned(base)
    for key, value in over.items():
        inner = result.get(key)
        if isinstance(value, Mapping) and isinstance(inner, Mapping):
            result[key] = overlay(inner, value)
        else:
            result[key] = value
    return result


def _owned(base: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` as the scenario's own: what its source noted of it holds no longer."""
    return {key: value for key, value in base.items() if key != "note"} | OWN


def bot_records(
    game: Game, bots: Mapping[str, Mapping[str, Any]], treatments: int = 0
) -> tuple[np.recarray, np.recarray, dict[int, str]]:
    """Turn named bots into records; also those that play in searching bots' minds only.

    The latter stand after all `hands` of so many treatments. Last, who stands where.

    Raises
    ------
    ScenarioError
        If a kind, style, weight, bar, gift or search is unknown, or a number will not do.
    """
    full = {name: resolve_bot(game, name, spec) for name, spec in bots.items()}
    places = {name: place for place, name in enumerate(full)}
    cast: dict[str, dict[str, Any]] = {}
    for name, spec in full.items():
        for role in thinking.NAMES if spec["search"]["kind"] != "none" else ():
            policy = spec["search"][role]
            if policy not in places and policy not in game.all_bots:
                raise ScenarioError(
                    f"there is no bot '{policy}'",
                    where=f"bots.{name}.search.{role}",
                    remedy=nearest(policy, [*full, *game.all_bots]),
                )
            if policy not in places:
                places[policy] = len(full) * (1 + treatments) + len(cast)
                cast[policy] = resolve_bot(game, policy, {"like": policy})
    named = {place: name for name, place in places.items()}
    return _records(game, full, places), _records(game, cast, places), named


def _records(game: Game, bots: Mapping[str, Mapping[str, Any]], places: Mapping[str, int]) -> np.recarray:
    """Write resolved bots into records; `places` says where in the hands a bot stands."""
    array = records.make(game.bot_type, len(bots))
    for target, (name, spec) in zip(array, bots.items(), strict=True):
        target["kind"] = game.kinds.index(spec["kind"])
        known = {weight.name: weight.default for weight in game.weights}
        for weight, value in (known | spec["weights"]).items():
            target[weight] = value
        target["bars"] = contrast.flags(game, contrast.BAR, spec["bar"], f"bots.{name}")
        target["gifts"] = contrast.flags(game, contrast.GIFT, spec["gift"], f"bots.{name}")
        target["slip"] = spec["slip"]
        search, mind = spec["search"], target["mind"]
        mind["search"] = thinking.KINDS.index(search["kind"])
        for key in thinking.KEYS:
            mind[key.name] = search[key.name]
        for role in thinking.NAMES:
            mind[role] = places.get(search[role], 0)
    return array


def resolve_bot(game: Game, name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bot in full: `kind`, `weights`, `bar`, `gift`, `slip`, `search`, styles and tiers looked up.

    A bot whose name is a style of the game starts from that style; `like` names another.
    """
    where = f"bots.{name}"
    if not isinstance(spec, Mapping):
        raise ScenarioError(f"{spec!r} is not a table", where=where, remedy=f"write [{where}]")
    for key in spec:
        if key not in BOT_KEYS:
            raise ScenarioError(f"a bot has no '{key}'", where=where, remedy=nearest(key, BOT_KEYS))
    for key, kind_of, form in (
        ("like", str, 'a name, like = "..."'),
        ("kind", str, 'a name, kind = "..."'),
        ("weights", Mapping, "a table, weights = { name = 1.0 }"),
        ("bar", (list, tuple), 'a list, bar = ["..."]'),
        ("gift", (list, tuple), 'a list, gift = ["..."]'),
    ):
        if key in spec and not isinstance(spec[key], kind_of):
            raise ScenarioError(f"{spec[key]!r} will not do", where=f"{where}.{key}", remedy=f"give {form}")
    known_bots = game.all_bots
    like = spec.get("like", name if name in known_bots and "kind" not in spec else None)
    if like is not None and like not in known_bots:
        raise ScenarioError(
            f"there is no bot '{like}'", where=f"{where}.like", remedy=nearest(like, known_bots)
        )
    base: Mapping[str, Any] = known_bots[like] if like is not None else {}
    kind = spec.get("kind", base.get("kind"))
    if kind is None:
        raise ScenarioError(
            "says neither 'kind' nor 'like'", where=where, remedy=f"styles: {', '.join(game.bots)}"
        )
    if kind not in game.kinds:
        raise ScenarioError(
            f"there is no kind '{kind}'", where=f"{where}.kind", remedy=nearest(kind, game.kinds)
        )
    weights = dict(base.get("weights", {})) | dict(spec.get("weights", {}))
    known = [weight.name for weight in game.weights]
    for weight, value in weights.items():
        if weight not in known:
            raise ScenarioError(
                f"there is no weight '{weight}'", where=f"{where}.weights", remedy=nearest(weight, known)
            )
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not -WEIGHT_MOST <= value <= WEIGHT_MOST:
            raise ScenarioError(
                f"{value!r} is no number", where=f"{where}.weights.{weight}", remedy="give a finite number"
            )
    lists = {name: list(spec.get(name, base.get(name, []))) for name in contrast.KINDS}
    slip = spec.get("slip", base.get("slip", 0.0))
    if not isinstance(slip, (int, float)) or isinstance(slip, bool) or not 0 <= slip <= 1:
        raise ScenarioError(
            f"{slip!r} is no chance", where=f"{where}.slip", remedy="give a number from 0 to 1"
        )
    search = dict(base.get("search", {"kind": "none"}))
    if "search" in spec:
        own = spec["search"]
        inherits = isinstance(own, Mapping) and search["kind"] != "none"
        search = search | dict(own) if inherits else own
    search = thinking.read(search, f"{where}.search")
    return {"kind": kind, "weights": weights, **lists, "slip": float(slip), "search": search}


def play(
    cell: Cell,
    lib: types.SimpleNamespace,
    numbers: Sequence[int] | np.ndarray,
    blocks: Sequence[int] | np.ndarray,
    lineups: np.recarray,
    seed: int,
    turns: int = 0,
    limit: int = 0,
    watched: records.Watched | None = None,
) -> Batch:
    """Play the games `numbers` of `blocks` with `lineups`, `cell.players` rows a game.

    Parameters
    ----------
    lib
        The game's functions, `game.plain` or `game.fast()`.
    turns
        Room for so many turns a game in the turn rows; 0 for none.
    limit
        Most acts a game; the game's own limit if 0.
    watched
        Parts whose chances and uses are counted, in place.
    """
    game, seats, make = cell.game, cell.players, records.make
    games = make(game.game_row, len(numbers))
    games.game, games.block, games.seats = numbers, blocks, seats
    seat_rows = make(game.seat_row, len(numbers) * seats)
    seat_rows.side = np.tile(game.sides(seats), len(numbers))
    for factor in game.factors:
        seat_rows[factor.name] = lineups[factor.name]
    turn_rows = make(game.turn_row, len(numbers) * seats * turns)
    used = lib.batch(
        games,
        seat_rows,
        turn_rows,
        lineups,
        cell.rules,
        cell.hands,
        make(game.desk_type),
        np.uint64(seed),
        len(game.streams),
        limit or game.limit,
        *(watched or records.Watched.nothing(cell.rules)),
    )
    return Batch(games, seat_rows, turn_rows[:used].view(np.recarray))
