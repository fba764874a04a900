"""Randomised contrasts: what is it worth to have a thing, found by taking it from one seat, or giving it.

A block of a contrast is one deal, played first with nobody restricted and then once for each
**treatment**: one seat, drawn at random, is barred from one thing (`bar`) or given it (`gift`).
All games of the block share the deal and the bots' chance, so the treated game differs from the
first by what the treatment changed and by nothing else. `balance.analysis.contrast` reads it.

Who has a thing by choice says little of its worth: strong positions buy much. Drawing lots does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance.errors import ScenarioError, nearest

if TYPE_CHECKING:
    from balance.games import Game

BAR, GIFT = KINDS = ("bar", "gift")


@dataclass(frozen=True)
class Treatment:
    """One thing that a seat is barred from or given, by its place among the game's `bars` or `gifts`."""

    kind: str
    name: str
    place: int

    @property
    def key(self) -> str:
        """The treatment as a level of the dataset: "bar statue"."""
        return f"{self.kind} {self.name}"

    @property
    def words(self) -> str:
        """What is done to the seat: "barred from statue"."""
        return f"{'barred from' if self.kind == BAR else 'given'} {self.name.replace('_', ' ')}"


def known(game: Game, kind: str) -> dict[str, str]:
    """Return what a seat may be barred from, or given: name -> what it means."""
    return dict(game.bars if kind == BAR else game.gifts)


def named(game: Game, table: Mapping[str, Any]) -> tuple[Treatment, ...]:
    """Return the treatments that a scenario's `[contrast]` asks for.

    Raises
    ------
    ScenarioError
        For what the game does not know; names key and remedy.
    """
    found: list[Treatment] = []
    for kind, wanted in table.items():
        where = f"contrast.{kind}"
        if kind not in KINDS:
            raise ScenarioError("unknown key", where=where, remedy=nearest(kind, KINDS))
        names = list(known(game, kind))
        chosen = names if wanted == "all" else wanted
        if not isinstance(chosen, (list, tuple)) or not all(isinstance(name, str) for name in chosen):
            raise ScenarioError(
                f"{wanted!r} will not do", where=where, remedy='give "all" or a list of names'
            )
        if not names:
            raise ScenarioError(
                f"{game.title} has nothing for '{kind}'", where=where, remedy=f"see balance rules {game.id}"
            )
        for name in chosen:
            if name not in names:
                raise ScenarioError(
                    f"there is no '{name}' to {kind}", where=where, remedy=nearest(name, names)
                )
        if len(set(chosen)) < len(chosen):
            raise ScenarioError("names one twice", where=where, remedy="name each once")
        found += [Treatment(kind, name, names.index(name)) for name in chosen]
    return tuple(found)


def hands(bots: np.recarray, treatments: Sequence[Treatment]) -> np.recarray:
    """Return the bots, then a copy of all of them for each treatment, which bars or gives one thing more.

    The bot `b` under treatment number `t` (from 1; 0 is none) stands at `b + t * len(bots)`.
    """
    made = np.concatenate([bots] * (1 + len(treatments))).view(np.recarray)
    for number, treatment in enumerate(treatments, start=1):
        field = "bars" if treatment.kind == BAR else "gifts"
        made[number * len(bots) : (number + 1) * len(bots)][field] |= np.int64(1) << treatment.place
    return made


def flags(game: Game, kind: str, names: Sequence[str], where: str) -> int:
    """Return `names` of bars or gifts as the bits of a record.

    Raises
    ------
    ScenarioError
        For a name that the game does not know.
    """
    places = list(known(game, kind))
    for name in names:
        if name not in places:
            what = f"nothing called '{name}' can be {'barred' if kind == BAR else 'given'}"
            raise ScenarioError(what, where=f"{where}.{kind}", remedy=nearest(str(name), places))
    return sum(1 << places.index(name) for name in set(names))


def described(
    game: Game, treatments: Sequence[Treatment], components: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> list[dict[str, str]]:
    """Say in a manifest what the treatments are.

    A treatment that shares its name with a component takes that one's name and certainty. `column`
    is the seat column that counts the thing in use, if the game declares one (`Column.of`).
    """
    lines = []
    for treatment in treatments:
        entry = next((found[treatment.name] for found in components.values() if treatment.name in found), {})
        column = next((column.name for column in game.seat_columns if column.of == treatment.name), "")
        lines.append(
            {
                "key": treatment.key,
                "kind": treatment.kind,
                "name": str(entry.get("name", treatment.name.replace("_", " ").capitalize())),
                "label": known(game, treatment.kind)[treatment.name],
                "certainty": str(entry.get("certainty", "")),
                "column": column,
            }
        )
    return lines
