"""Layouts: maps that stay for many deals, so that what a map does can be told from luck.

With a new map in every game nobody can say whether a nation owes its win to the map or to chance.
A scenario may therefore give a factor that keeps its seats (a territory, say) a number of layouts:

    [field]
    territories = { drawn = 50, seed = 1 }    # 50 maps made by the game's own generator
    territories = { dealt = 20, seed = 1 }    # 20 maps put together of the components there are

A layout gives a level to each place at the table. Each is played in as many blocks as any other, in
random order, and its levels move on by a seat each time, so that no seat keeps the best of them.
Layout n follows from (seed, n) alone, whatever the number of layouts and players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from balance import dice, records
from balance.cell import GENERATED, Cell
from balance.errors import ScenarioError, nearest
from balance.games import Factor, Game, drawn_key

DRAWN, DEALT = "drawn", "dealt"
KINDS = (DRAWN, DEALT)
MOST = 1000
PURPOSE = 3072  # random streams from here on deal layouts; the design's own lie below
WORST_FIRST = ("generated", "reconstructed", "own", "unknown", "public", "ruling", "seed")


@dataclass(frozen=True)
class Layouts:
    """The layouts of a factor in a cell.

    Attributes
    ----------
    factor
        The factor's name.
    keys
        What each layout is called in the dataset: "drawn_1", "dealt_3".
    levels
        For each layout a level for each place, as positions among the factor's components.
    certainties
        For each layout the least certain of its levels.
    """

    factor: str
    keys: tuple[str, ...]
    levels: tuple[tuple[int, ...], ...]
    certainties: tuple[str, ...]

    def described(self) -> list[dict[str, str]]:
        """Return key, name and certainty of each layout."""
        return [
            {"key": key, "name": key.replace("_", " ").capitalize(), "certainty": certainty}
            for key, certainty in zip(self.keys, self.certainties, strict=True)
        ]


def is_asked(wanted: Any) -> TypeGuard[Mapping[str, Any]]:
    """Say whether a value under `[field]` asks for layouts."""
    return isinstance(wanted, Mapping)


def drawn(game: Game, field: Mapping[str, Any], players: int) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the components that the layouts of `field` draw: kind -> key -> entry.

    Raises
    ------
    ScenarioError
        If the field asks for layouts of a factor that has none, or by a wrong key.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for factor in game.factors:
        wanted = field.get(factor.components)
        if not is_asked(wanted):
            continue
        asked = _asked(factor, wanted)
        if factor.draw is not None:
            found[factor.components] = {
                drawn_key(number, place): factor.draw.entry(asked.seed, number, place, players, asked.options)
                for kind, number in asked.layouts()
                if kind == DRAWN
                for place in range(1, factor.draw.places(players) + 1)
            }
    return found


def of(cell: Cell, factor: Factor, wanted: Any) -> Layouts:
    """Lay out what `wanted` asks of `factor` in `cell`, whose components hold what was drawn.

    Raises
    ------
    ScenarioError
        If too few levels can be in play together.
    """
    asked = _asked(factor, wanted)
    keys = cell.levels(factor.name)
    place_of = {key: place for place, key in enumerate(keys)}
    entries = cell.components[factor.components]
    made = {
        number: [drawn_key(number, place) for place in range(1, cell.players + 1)]
        for kind, number in asked.layouts()
        if kind == DRAWN
    }
    there = [key for key in keys if str(entries[key].get("certainty")) != GENERATED]
    groups = factor.exclusive(there, entries)
    levels, names, certainties = [], [], []
    for kind, number in asked.layouts():
        chosen = made[number] if kind == DRAWN else _deal(groups, cell.players, asked.seed, number, factor)
        levels.append(tuple(place_of[key] for key in chosen))
        names.append(f"{kind}_{number}")
        certainties.append(_worst([str(entries[key].get("certainty", "")) for key in chosen]))
    return Layouts(factor.name, tuple(names), tuple(levels), tuple(certainties))


def _worst(certainties: Sequence[str]) -> str:
    return min(certainties, key=lambda word: WORST_FIRST.index(word) if word in WORST_FIRST else 99)


def _deal(groups: Sequence[Sequence[str]], players: int, seed: int, number: int, factor: Factor) -> list[str]:
    """Return a level for each place, of different groups; the first places are the same for fewer players."""
    if len(groups) < players:
        raise ScenarioError(
            f"{players} players need as many {factor.components}, "
            f"and only {len(groups)} can be in play together",
            where=f"field.{factor.components}.{DEALT}",
            remedy="define more, or let them be drawn",
        )
    stream = records.make(dice.STREAM)[0]
    dice.start(stream, seed, number, PURPOSE)
    order = list(range(len(groups)))
    dice.shuffle(stream, order, len(order))
    chosen = []
    for place in range(players):
        dice.at(stream, place + 1)
        group = groups[order[place]]
        chosen.append(group[int(dice.below(stream, len(group)))])
    return chosen


# --- what is asked for --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """What a scenario says of layouts, checked."""

    drawn: int
    dealt: int
    seed: int
    only: tuple[str, ...]
    options: Mapping[str, float]

    def layouts(self) -> list[tuple[str, int]]:
        """List the layouts in play, as kind and number."""
        every = [(DRAWN, number) for number in range(1, self.drawn + 1)]
        every += [(DEALT, number) for number in range(1, self.dealt + 1)]
        return [one for one in every if not self.only or f"{one[0]}_{one[1]}" in self.only]


def _asked(factor: Factor, wanted: Mapping[str, Any]) -> _Asked:
    """Check a table of `[field]` that asks for layouts of `factor`."""
    where = f"field.{factor.components}"
    if factor.primary:
        raise ScenarioError(
            f"{factor.components} change seats within a block, so they cannot be laid out",
            where=where,
            remedy='give "all" or a list of names',
        )
    options = factor.draw.options if factor.draw is not None else {}
    known = [*(KINDS if factor.draw is not None else (DEALT,)), "seed", "only", *options]
    for key in wanted:
        if key not in known:
            raise ScenarioError("unknown key", where=f"{where}.{key}", remedy=nearest(key, known))
    counts = {kind: _whole(wanted.get(kind, 0), f"{where}.{kind}", MOST) for kind in KINDS}
    if sum(counts.values()) == 0:
        raise ScenarioError(
            "asks for no layout", where=where, remedy=f"write {{ {known[0]} = 50, seed = 1 }}"
        )
    asked = _Asked(
        counts[DRAWN],
        counts[DEALT],
        _whole(wanted.get("seed", 1), f"{where}.seed", 2**63 - 1),
        _only(wanted.get("only", []), f"{where}.only"),
        {name: _part(wanted.get(name, default), f"{where}.{name}") for name, default in options.items()},
    )
    every = [f"{kind}_{number}" for kind in KINDS for number in range(1, counts[kind] + 1)]
    for key in asked.only:
        if key not in every:
            raise ScenarioError(
                f"there is no layout '{key}'", where=f"{where}.only", remedy=nearest(key, every)
            )
    return asked


def _whole(value: Any, where: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ScenarioError(f"{value!r} will not do", where=where, remedy=f"give a whole number, 0 to {most}")
    return value


def _part(value: Any, where: str) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise ScenarioError(f"{value!r} will not do", where=where, remedy="give a part, 0 to 1")
    return float(value)


def _only(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(key, str) for key in value):
        raise ScenarioError(f"{value!r} will not do", where=where, remedy='give a list such as ["drawn_12"]')
    return tuple(value)
