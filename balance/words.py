"""What a game's `words` module must offer, so that people can read its games and write its cases.

A game's words answer each function below by one of the same name. They run in the plain lane only
and may use all of Python. Seats are 0-based in `state` and 1-based in every word. `cell` holds the
rules record (`cell.rules[0]`), the components by kind and key, and the number of players.

After them come a few helpers that the words of several games share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError, GameError, nearest
from balance.games import Factor

OUTCOME = " — "  # stands between an act and what came of it, in a line of a replay


def say(state: np.record, act: int, cell: Cell) -> str:
    """Name `act` as `state.seat` would play it here: "build the castle to level 3 for 3 ore".

    A rule case plays an act by these words, so no two acts of one position may share them, and
    they may not contain ` — `. `act` is any number below `game.acts`, legal here or not: an
    illegal act that can be named must be (a case says that it is illegal); return "" for a number
    that names nothing in this position. Words may depend on what the position shows, such as the
    price, but not on what is hidden from the seat.
    """
    raise NotImplementedError


def tell(before: np.record, act: int, after: np.record, cell: Cell) -> list[str]:
    """Say what came of `act`: what was paid, moved, won and lost, and whatever followed by itself.

    The act's own words precede the first line, so they need not be repeated. Together with them
    the lines must let a reader follow the game with the rulebook in hand. `[]` if nothing is left
    to say. `before` and `after` are the states around the act; neither may be changed.
    """
    raise NotImplementedError


def show(state: np.record, cell: Cell) -> str:
    """Draw the position, in one line or several, for a reader of a failed case."""
    raise NotImplementedError


def lay(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay out `position`, a case's table of human words, on `state`, in place.

    `state` arrives as `setup` left it, with the line-up that the case names (its nations, say), and
    chance drawn from seed 0. What the position does not name keeps a default that suits it: the
    middle of a game rather than decisions of the set-up, if the game has such. An empty position
    lays that default.

    Raises
    ------
    CaseError
        For a word that the game does not know (see `unknown`) or a position that cannot be.
    """
    raise NotImplementedError


def read(state: np.record, path: str, cell: Cell) -> Any:
    """Return what stands at `path`, dotted, in the words that `lay` uses: a number, text, bool or list.

    The paths that every game has (`balance.cases.COMMON` and the columns of its dataset) never
    come here. Raises CaseError for an unknown path.
    """
    raise NotImplementedError


# Two more that may be left out


def fix(dice: list[Any], cell: Cell) -> list[Any]:
    """Turn the `dice` of a case into the numbers that `dice.below` and `dice.unit` shall give, in order.

    Without it a case writes those numbers themselves, from 0.
    """
    raise NotImplementedError


def heading(state: np.record, cell: Cell) -> str:
    """Name the part of the game that `state` is in; a replay groups its lines below it.

    Without it that is "Turn 1" and so on, by `state.turn`.
    """
    raise NotImplementedError


REQUIRED = ("say", "tell", "show", "lay", "read")


def check(cell: Cell) -> None:
    """Raise GameError if the words of the cell's game lack a function."""
    for name in REQUIRED:
        if not callable(getattr(cell.game.words, name, None)):
            raise GameError(
                f"has no function '{name}'", where=cell.game.words.__name__, remedy="see balance/words.py"
            )


def actor(cell: Cell, lineup: np.recarray, seat: int) -> str:
    """Name the seat and the level of its primary factor: "Seat 2 (Orcs)"; without one, "Seat 2"."""
    for factor in cell.game.factors:
        if factor.primary:
            return f"Seat {seat + 1} ({level(cell, lineup, seat, factor)})"
    return f"Seat {seat + 1}"


def level(cell: Cell, lineup: np.recarray, seat: int, factor: Factor) -> str:
    """Name the level of `factor` that the line-up gives `seat`: "Orcs"."""
    entries = cell.components[factor.components]
    key = list(entries)[int(lineup[seat][factor.name])]
    return str(entries[key].get("name", titled(key)))


def titled(key: str) -> str:
    """Return a component's key as a name: "dark_elves" is "Dark Elves"."""
    return key.replace("_", " ").title()


def listed(parts: Iterable[str], empty: str = "nothing") -> str:
    """Join words as one says them: "1 mana, 2 ore and 1 food"."""
    parts = list(parts)
    if not parts:
        return empty
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def counted(number: int, one: str, many: str = "") -> str:
    """Return "1 meeple", "2 meeples"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def unknown(word: Any, known: Iterable[str], where: str, title: str) -> CaseError:
    """Return the error for a word that the game called `title` does not know at `where`."""
    return CaseError(f"{title} has no '{word}'", where=where, remedy=nearest(str(word), known))
