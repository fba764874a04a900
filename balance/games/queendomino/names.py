"""Names of cells, dominoes, buildings and seats, as a reader meets them.

Columns are letters and rows are numbers, from the top; the castle lies at g7, the middle of all the
ground that a kingdom may ever cover.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.cell import Cell
from balance.games.queendomino.content import LETTERS
from balance.games.queendomino.state import CASTLE, CELLS, DECK, KINGDOMINO, SPOTS, WIDTH
from balance.words import titled

COLUMNS = "abcdefghijklm"
ROWS = 13


def cell_name(cell: int) -> str:
    """Return a cell's name, "g8"; "" for one outside the ground."""
    row, column = divmod(int(cell), WIDTH)
    if not (1 <= row <= ROWS and 1 <= column <= len(COLUMNS)):
        return ""
    return f"{COLUMNS[column - 1]}{row}"


def cell_number(name: str) -> int:
    """Return the cell of a name; 0 if it is none."""
    column, row = name[:1], name[1:]
    if not column or column not in COLUMNS or not row.isdecimal() or not 1 <= int(row) <= ROWS:
        return 0
    return int(row) * WIDTH + COLUMNS.index(column) + 1


def half_text(domino: np.record, side: int) -> str:
    """Return half a domino as the data write it: "W1"."""
    return f"{LETTERS[domino['terrain'][side]]}{domino['crowns'][side]}"


def domino_text(number: int, cell: Cell) -> str:
    """Return a domino as "12 (W1 G0)", with its box where two are in play."""
    domino = cell.rules[0]["dominoes"][number]
    return f"{domino_key(number, cell)} ({half_text(domino, 0)} {half_text(domino, 1)})"


def domino_key(number: int, cell: Cell) -> str:
    """Return the number on a domino's back; "Q12", "K12" where two boxes are in play."""
    printed = str(cell.rules[0]["dominoes"][number]["number"])
    if cell.rules[0].first_deck == cell.rules[0].second_deck:
        return printed
    return f"{'K' if number // DECK == KINGDOMINO else 'Q'}{printed}"


def building_keys(cell: Cell) -> list[str]:
    """Return the kinds of building in play, in order."""
    return list(cell.components.get("buildings", {}))


def building_name(kind: int, cell: Cell) -> str:
    """Return a building's name."""
    key = building_keys(cell)[int(kind)]
    return str(cell.components["buildings"][key].get("name", titled(key)))


def board_text(state: np.record, cell: Cell) -> str:
    """Return what stands on the builders' board, from the dear end: "5 Statue, 4 -, ..."."""
    return ", ".join(
        f"{cell.rules[0].costs[spot]} {building_name(kind - 1, cell) if kind else '-'}"
        for spot, kind in zip(range(SPOTS), state.board, strict=True)
    )


def host_text(kingdom: int, state: np.record) -> str:
    """Return whose kingdom it is: "seat 2", in pairs "seats 2 and 5"."""
    seats = [str(seat + 1) for seat in range(state.seats) if state.homes[seat] == kingdom]
    return f"seat{'s' if len(seats) > 1 else ''} {' and '.join(seats)}"


def grid_rows(kingdom: np.record) -> Iterator[str]:
    """Draw a kingdom, a row a line, in the tokens of `position`: "W1", "C.", ".."."""
    for row in range(int(kingdom.top), int(kingdom.bottom) + 1):
        yield " ".join(
            square_text(kingdom, row * WIDTH + column)
            for column in range(int(kingdom.left), int(kingdom.right) + 1)
        )


def square_text(kingdom: np.record, cell: int) -> str:
    """Return one square's token."""
    if cell == CASTLE:
        return "C."
    square = int(kingdom.square_at[cell])
    return f"{LETTERS[kingdom.ground[square]]}{kingdom.printed[square]}" if square else ".."


def cells_of(bits: np.ndarray) -> list[int]:
    """Return the cells of a set, in order."""
    return [cell for cell in range(CELLS) if int(bits[cell // 64]) >> cell % 64 & 1]
