"""Named records: the one shape in which rules, states, bots and results meet the kernels.

A house rule is declared once, as a `Rule`; from the list come the record's fields, the defaults,
the validation of TOML and `--set`, `balance rules`, and the report's "differs from the rulebook".
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from balance.dice import STREAM
from balance.errors import GameError, ScenarioError, nearest

SEATS = 8  # the most seats any game may have

HEADER = [("seats", "i4"), ("seat", "i4"), ("turn", "i4"), ("phase", "i4"), ("over", "i4")]
BITS = 62  # the most bars, and gifts, that a game may have
# The engine copies bars and gifts from the bot. The bots' chance is that of the game `echo` numbers before.
LINEUP = [("bot", "i4"), ("bars", "i8"), ("gifts", "i8"), ("echo", "i8")]
MIND = [
    ("search", "i4"),  # none, flat, tree, halving: `balance.bots.search`
    ("playouts", "i4"),
    ("depth", "i4"),
    ("policy", "i4"),  # who plays the searching seat in a playout: a place in the array of bots
    ("rivals", "i4"),  # and who plays the others
    ("explore", "f8"),
    ("bias", "f8"),
    ("width", "f8"),
    ("margin", "f8"),
    ("spread", "f8"),
    ("proof", "f8"),
]
BOT = [  # and a game's weights
    ("kind", "i4"),
    ("bars", "i8"),
    ("gifts", "i8"),
    ("slip", "f8"),  # the chance that it plays any legal act
    ("mind", np.dtype(MIND, align=True)),
]
GAME_ROW = [
    ("game", "i8"),
    ("block", "i8"),
    ("seats", "i4"),
    ("turns", "i4"),
    ("decisions", "i4"),
    ("finished", "i4"),
]
SEAT_ROW = [
    ("game", "i8"),
    ("block", "i8"),
    ("share", "f8"),
    ("seat", "i4"),
    ("side", "i4"),
    ("bot", "i4"),
    ("score", "i4"),
    ("rank", "i4"),
]
TURN_ROW = [("game", "i8"), ("block", "i8"), ("turn", "i4"), ("seat", "i4"), ("score", "i4")]

_OWNED = set(dir(np.recarray)) | set(dir(np.record))
_WIDE = {np.dtype(kind) for kind in ("i4", "i8", "u8", "f8")}


def record(*fields: tuple[Any, ...]) -> np.dtype:
    """Make a record type, refusing what would differ between plain Python and compiled code.

    Raises
    ------
    GameError
        If a field's name is one that NumPy's records own, or a number is narrower than it may be.
    """
    for name, kind, *_ in fields:
        if name in _OWNED:
            raise GameError(
                f"a record may not have a field '{name}'", remedy="NumPy owns that name; choose another"
            )
        base = np.dtype(kind).base
        if base.fields is None and base not in _WIDE:
            raise GameError(f"field '{name}' is {base}", remedy="use i4, i8, u8 or f8")
    return np.dtype([tuple(f) for f in fields], align=True)


def make(dtype: np.dtype, count: int = 1) -> np.recarray:
    """Return `count` zeroed records of `dtype` whose fields are attributes."""
    return np.zeros(count, dtype).view(np.recarray)


NODE = [
    ("act", "i4"),
    ("seat", "i4"),
    ("child", "i4"),
    ("sibling", "i4"),
    ("children", "i4"),
    ("visits", "i4"),
    ("open", "i4"),
    ("total", "f8"),
    ("regret", "f8"),
    ("weight", "f8"),
    ("chance", "f8"),
]
NODES = 16_384  # of a search tree; it stops growing there
DEPTH = 64  # of a search tree


def fingerprint(array: np.ndarray) -> str:
    """Digest records by the bytes of their fields, with names and types.

    What lies between the fields of an aligned record may be anything, so it is packed away first.
    """
    packed = array.astype(_packed(array.dtype))
    return hashlib.sha256(repr(packed.dtype.descr).encode() + packed.tobytes()).hexdigest()


def _packed(dtype: np.dtype) -> np.dtype:
    """Return a record type with nothing between its fields, in records within records too."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((_packed(base), shape))
    if dtype.names is None:
        return dtype
    return np.dtype([(name, _packed(dtype[name])) for name in dtype.names])


def desk_type(
    state: np.dtype, acts: int, legal_most: int, chances: int, game_row: np.dtype, seat_row: np.dtype
) -> np.dtype:
    """Make the workspace of one game: its state, what-if copies, acts, streams, counters, and for searches
    a tree, playouts and their ends."""
    rng = record(("chance", STREAM, (max(chances, 1),)), ("seats", STREAM, (SEATS,)))
    asked = record(("turn", "i4"), ("phase", "i4"), ("times", "i4"))
    return record(
        ("blank", state),
        ("state", state),
        ("copies", state, (4,)),
        ("rng", rng),
        ("dream", rng),
        ("asked", asked, (SEATS,)),
        ("decisions", "i4"),
        ("acts", "i4", (legal_most,)),
        ("replies", "i4", (legal_most,)),
        ("values", "f8", (legal_most,)),
        # what a search needs
        ("root", state),
        ("scene", state),
        ("fate", rng),
        ("luck", "i8"),
        ("thoughts", "i4", (legal_most,)),
        ("hopes", "f8", (legal_most,)),
        ("gains", "f8", (legal_most,)),
        ("found", "i4", (legal_most,)),
        ("slots", "i4", (acts,)),
        ("nodes", record(*NODE), (NODES,)),
        ("grown", "i4"),
        ("path", record(("node", "i4"), ("parent", "i4"), ("chance", "f8")), (DEPTH,)),
        ("chance", "f8"),
        ("end", game_row),
        ("ends", seat_row, (SEATS,)),
        ("worth", "f8", (SEATS,)),
        ("leads", "f8", (SEATS,)),
        ("lead_sum", "f8"),
        ("lead_count", "i8"),
    )


def _is_finite(value: float) -> bool:
    """Say whether a number is neither infinite, nor none, nor too large for a float."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


@dataclass(frozen=True)
class PerPlayers:
    """A value by player count: `others` where `by` names none."""

    others: Any
    by: Mapping[int, Any]

    def at(self, players: int) -> Any:
        return self.by.get(players, self.others)


@dataclass(frozen=True)
class Rule:
    """One number (or vector, switch, named choice) of the rules that a scenario may change.

    Attributes
    ----------
    name
        The field of the rules record and the key in TOML.
    default
        The rulebook's value: int, float, bool, a tuple of ints, a name in `choices`, or `PerPlayers`.
    low, high
        Bounds of each number, both included.
    source
        Rulebook page, or file and section.
    note
        What it does, in one line.
    choices
        Named values: all ints (then only the names are allowed) or all tuples of one length
        (then a plain list is allowed too).
    certainty
        "seed" (in the rule text), "public", "reconstructed" or "ruling".
    """

    name: str
    default: Any
    low: float = 0
    high: float = 99
    source: str = ""
    note: str = ""
    choices: Mapping[str, Any] = field(default_factory=dict)
    certainty: str = "seed"

    def sample(self) -> Any:
        """Return the default as numbers (with several player counts: the one for all others)."""
        value = self.default.others if isinstance(self.default, PerPlayers) else self.default
        return self.choices[value] if isinstance(value, str) else value

    def column(self) -> tuple[Any, ...]:
        """Return the rule's field in the rules record."""
        value = self.sample()
        if isinstance(value, tuple):
            return (self.name, "f8" if any(isinstance(v, float) for v in value) else "i4", (len(value),))
        return (self.name, "f8" if isinstance(value, float) else "i4")

    def read(self, value: Any, players: int, where: str) -> Any:
        """Turn `value`, as TOML gives it, into numbers for the record.

        A table gives values by player count, `{ 3 = ..., 4 = ... }`, or changes some of the numbers
        of a vector, each by its place from 1: `{ 6 = 10 }`.

        Raises
        ------
        ScenarioError
            If the value is not of the rule's kind or out of its range; names `where` and remedy.
        """
        if isinstance(value, Mapping):
            return self._read_by_players(value, players, where)
        if isinstance(value, str):
            if value not in self.choices:
                remedy = nearest(value, self.choices) if self.choices else f"give {self.kind()}"
                raise ScenarioError(f"'{value}' is not a value of it", where=where, remedy=remedy)
            return self.choices[value]
        sample = self.sample()
        if self.choices and not isinstance(sample, tuple):
            raise ScenarioError(
                f"{value!r} is not a value of it", where=where, remedy=f"known: {', '.join(self.choices)}"
            )
        if isinstance(sample, tuple):
            if not isinstance(value, (list, tuple)) or len(value) != len(sample):
                raise ScenarioError(f"{value!r} will not do", where=where, remedy=f"give {self.kind()}")
            return tuple(self._number(v, sample[0], where) for v in value)
        return self._number(value, sample, where)

    def _number(self, value: Any, sample: Any, where: str) -> Any:
        right = (
            isinstance(value, bool)
            if isinstance(sample, bool)
            else isinstance(value, (int, float)) and not isinstance(value, bool) and _is_finite(value)
        )
        if right and not isinstance(sample, (bool, float)) and int(value) != value:
            right = False
        if not right:
            raise ScenarioError(f"{value!r} will not do", where=where, remedy=f"give {self.kind()}")
        if not isinstance(sample, bool) and not self.low <= value <= self.high:
            raise ScenarioError(
                f"{value} is out of range", where=where, remedy=f"give {self.low} to {self.high}"
            )
        return value

    def _read_by_players(self, value: Mapping[str, Any], players: int, where: str) -> Any:
        chosen = self.at(players)
        places = {}
        for key, one in value.items():
            if not str(key).isdecimal():
                raise ScenarioError(
                    f"'{key}' is not a player count", where=where, remedy="write { 3 = ..., 4 = ... }"
                )
            if isinstance(chosen, tuple) and not isinstance(one, (str, list, tuple, Mapping)):
                places[int(key)] = self._number(one, chosen[0], f"{where}.{key}")
                continue
            numbers = self.read(one, players, f"{where}.{key}")
            if int(key) == players:
                chosen = numbers
        return self._with(chosen, places, where)

    def _with(self, numbers: Any, places: Mapping[int, Any], where: str) -> Any:
        """Return `numbers` with some changed, each by its place from 1."""
        for place in places:
            if not 1 <= place <= len(numbers):
                raise ScenarioError(
                    f"it has no number {place}", where=f"{where}.{place}", remedy=f"give 1 to {len(numbers)}"
                )
        if not places:
            return numbers
        return tuple(places.get(place, number) for place, number in enumerate(numbers, start=1))

    def at(self, players: int) -> Any:
        """Return the default for `players`, as numbers."""
        value = self.default.at(players) if isinstance(self.default, PerPlayers) else self.default
        return self.choices[value] if isinstance(value, str) else value

    def kind(self) -> str:
        """Say in words what values the rule takes."""
        sample = self.sample()
        if isinstance(sample, bool):
            return "true or false"
        names = " or ".join(f'"{name}"' for name in self.choices)
        if isinstance(sample, tuple):
            plain = f"a list of {len(sample)} numbers from {self.low} to {self.high}"
            return f"{names} or {plain}" if names else plain
        if names:
            return names
        whole = "a number" if isinstance(sample, float) else "a whole number"
        return f"{whole} from {self.low} to {self.high}"


def fill_rules(
    target: np.record, rules: Iterable[Rule], values: Mapping[str, Any], players: int, where: str = "rules"
) -> None:
    """Write each rule's default for `players`, or its value in `values`, into `target`, in place.

    Raises
    ------
    ScenarioError
        If `values` has an unknown rule (offers the nearest) or a value that will not do.
    """
    known = {rule.name: rule for rule in rules}
    for name in values:
        if name not in known:
            raise ScenarioError(
                f"there is no rule '{name}'", where=f"{where}.{name}", remedy=nearest(name, known)
            )
    for name, rule in known.items():
        if name in values:
            target[name] = rule.read(values[name], players, f"{where}.{name}")
        else:
            target[name] = rule.at(players)


COUNTS = 6  # numbers counted of a part that is watched


class Watched(NamedTuple):
    """Parts of components that are watched in play: who owns them, rules that lack them, counts.

    `owners` (rows, 2) gives for each row of the line-ups the first part that it owns and the one after
    its last; `without` a rules record for each part; `counts` (parts, COUNTS) its chances, its uses, the
    games in which it had a chance, in which it was used, and marks of the last ones: see
    `engine.note_parts`.
    """

    owners: np.ndarray
    without: np.recarray
    counts: np.ndarray

    @classmethod
    def nothing(cls, rules: np.recarray) -> Watched:
        """Watch no part of the game whose `rules` these are."""
        return cls(np.zeros((0, 2), np.int32), rules[:0].view(np.recarray), np.zeros((0, COUNTS), np.int64))
