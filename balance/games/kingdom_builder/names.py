"""What things are called in words: hexes, terrains, locations, sections, cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError
from balance.games.kingdom_builder.locations import special_hex
from balance.games.kingdom_builder.state import (
    HEXES,
    NO_CARD,
    QUADRANTS,
    SIDE,
    SPECIALS,
)
from balance.words import titled, unknown

TITLE = "Kingdom Builder"
HEX_NAMES = tuple(f"{chr(ord('A') + row)}{column + 1}" for row in range(SIDE) for column in range(SIDE))
NUMBERS = {name: number for number, name in enumerate(HEX_NAMES)}
TERRAIN_NAMES = ("grass", "flower field", "forest", "canyon", "desert")
TERRAIN_KEYS = ("grass", "flower", "forest", "canyon", "desert")
SPECIAL_NAMES = ("location", "castle")
LETTER_NAMES = dict(zip("GLFCDWMXK", (*TERRAIN_NAMES, "water", "mountain", *SPECIAL_NAMES), strict=True))


def hex_name(state: np.record, spot: int, cell: Cell) -> str:
    """Name a hex by its row's letter, its column, and what it shows: "D7 (canyon)", "D8 (Oracle)"."""
    shown = LETTER_NAMES[letter(state, spot, cell)]
    if shown in SPECIAL_NAMES:
        number = special_number(state, spot, cell)
        castle = int(state.castles) >> number & 1
        shown = "castle" if castle else entry_name(cell, "locations", state.location[number // SPECIALS])
    return f"{HEX_NAMES[spot]} ({shown})"


def letter(state: np.record, spot: int, cell: Cell) -> str:
    """Return the letter by which its section shows a hex."""
    row, column = divmod(spot, SIDE)
    section, turned = divmod(int(state.section[row // 10 * 2 + column // 10]), 2)
    rows = list(cell.components["quadrants"].values())[section]["rows"]
    return rows[9 - row % 10][9 - column % 10] if turned else rows[row % 10][column % 10]


def special_number(state: np.record, spot: int, cell: Cell) -> int:
    """Return the number of the location or castle on a hex; -1 if there is none."""
    for quadrant in range(QUADRANTS):
        for special in range(cell.rules[0].sections[state.section[quadrant]].specials):
            number = SPECIALS * quadrant + special
            if special_hex(state, cell.rules[0], number) == spot:
                return number
    return -1


def entry_key(cell: Cell, kind: str, number: int) -> str:
    """Return the key of a component by its number."""
    return list(cell.components[kind])[int(number)]


def entry_name(cell: Cell, kind: str, number: int) -> str:
    """Return the name of a component by its number."""
    key = entry_key(cell, kind, number)
    return str(cell.components[kind][key].get("name", titled(key)))


def section_words(state: np.record, quadrant: int, cell: Cell) -> str:
    """Say which section lies in a quadrant, and whether it is turned: "oracle turned"."""
    section, turned = divmod(int(state.section[quadrant]), 2)
    return entry_key(cell, "quadrants", section) + (" turned" if turned else "")


def terrain_key(card: int) -> str:
    """Return the key of a terrain card; "none" without one."""
    return "none" if card == NO_CARD else TERRAIN_KEYS[card]


def numbered(counts: Sequence[int], names: Sequence[str]) -> list[str]:
    """Return each name as often as it is counted."""
    return [name for name, count in zip(names, counts, strict=False) for _ in range(int(count))]


def hexes_in(rows: Sequence[int]) -> list[int]:
    """Return the hexes of a set, in order."""
    return [spot for spot in range(HEXES) if int(rows[spot // SIDE]) >> (spot % SIDE) & 1]


# Words that name them


def hex_number(name: Any, where: str) -> int:
    """Return the hex that "D7" names."""
    found = str(name).strip().upper()
    if found not in NUMBERS:
        remedy = "write the letter of the row, A to T, and the column, 1 to 20: D7"
        raise CaseError(f"{name!r} is no hex", where=where, remedy=remedy)
    return NUMBERS[found]


def terrain_number(name: Any, where: str) -> int:
    """Return the terrain card that a key names."""
    if name not in TERRAIN_KEYS:
        raise unknown(name, TERRAIN_KEYS, where, TITLE)
    return TERRAIN_KEYS.index(name)


def entry_number(name: Any, kind: str, where: str, cell: Cell) -> int:
    """Return the number of the component that a key names."""
    keys = list(cell.components[kind])
    if name not in keys:
        raise unknown(name, keys, where, TITLE)
    return keys.index(name)


def section_number(words: Any, where: str, cell: Cell) -> int:
    """Return the oriented section that "oracle" or "oracle turned" names."""
    found = re.fullmatch(r"(\S+)( turned)?", str(words))
    if found is None:
        raise CaseError(f"{words!r} is no section", where=where, remedy='write "oracle" or "oracle turned"')
    return 2 * entry_number(found[1], "quadrants", where, cell) + bool(found[2])
