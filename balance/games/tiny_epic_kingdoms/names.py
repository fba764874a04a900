"""What things are called in words: seats, regions, goods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.games.tiny_epic_kingdoms.content import side_regions
from balance.games.tiny_epic_kingdoms.powers import ACTION_NAMES, RESOURCE_NAMES
from balance.games.tiny_epic_kingdoms.state import COPY_BITS, FLAG, MAGIC_LEVELS, PLACES, REGIONS
from balance.words import listed, titled

LOST_KINGDOM = "Lost Kingdom"


def who(state: np.record, seat: int, cell: Cell) -> str:
    """Name a seat and its nation: "Seat 2 (Orcs)"."""
    nations = cell.components["nations"]
    key = list(nations)[state.players[seat].nation]
    return f"Seat {seat + 1} ({nations[key].get('name', titled(key))})"


def territory(state: np.record, number: int, cell: Cell) -> tuple[str, Mapping[str, Any]]:
    """Return the key and the entry of the home of seat `number`, or, after the last, the Lost Kingdom."""
    if number == state["seats"]:
        return _territory(cell, int(state["lost_side"]))
    return _territory(cell, int(state["players"]["side"][number]))


def region_ids(state: np.record, number: int, cell: Cell) -> list[str]:
    """Return the letters of the regions of the territory that is the home of seat `number`."""
    _, entry = territory(state, number, cell)
    return list(side_regions(entry["regions"], entry.get("water_touches", ())))


def _territory(cell: Cell, side: int) -> tuple[str, Mapping[str, Any]]:
    sides = cell.components["territories"]
    key = list(sides)[side]
    return key, sides[key]


def place(state: np.record, region: int, cell: Cell) -> str:
    """Name a region: "Galson c (forest)", "Lost Kingdom c (forest)"; "" if there is none of that number."""
    home, letter = divmod(region, REGIONS)
    sides = state["players"]["side"][: state["seats"]].tolist()
    if home >= len(sides) + (state["lost_side"] >= 0):
        return ""
    key, entry = territory(state, home, cell)
    table = side_regions(entry["regions"], entry.get("water_touches", ()))
    if letter >= len(table):
        return ""
    id = list(table)[letter]
    terrain = table[id]["terrain"]
    if home == len(sides):
        return f"{LOST_KINGDOM} {id} ({terrain})"
    owner = f" of seat {home + 1}" if sides.count(sides[home]) > 1 else ""
    return f"{entry.get('name', titled(key))}{owner} {id} ({terrain})"


def token(kind: int, cell: Cell) -> str:
    """Name a kind of exploration token."""
    key = list(cell.components["tokens"])[kind]
    return str(cell.components["tokens"][key].get("name", titled(key)))


def token_in(state: np.record, region: int, cell: Cell) -> int:
    """Return the kind of token in a region, face down or up; -1 for none."""
    for kind in range(len(cell.components["tokens"])):
        if int(state.tokens[kind]) >> region & 1:
            return kind
    return -1


def resources(numbers: Sequence[int]) -> str:
    """Return "1 mana and 2 ore" for the numbers of mana, ore and food; what is 0 is left out."""
    named = zip(numbers, RESOURCE_NAMES, strict=True)
    return listed(f"{number} {name}" for number, name in named if number)


def stock(player: np.record) -> str:
    """Return what a player holds: "2 mana, 1 ore, 3 food"."""
    return ", ".join(f"{n} {name}" for n, name in zip(player.goods, RESOURCE_NAMES, strict=True))


def number_in_words(number: int) -> str:
    """Return what the war die shows."""
    return "the flag" if number == FLAG else str(number)


def regions(mask: int) -> list[int]:
    """Return the numbers of the regions in a set."""
    return [region for region in range(PLACES) if int(mask) >> region & 1]


def actions(mask: int) -> list[str]:
    """Return the names of the actions in a set."""
    return [name for action, name in enumerate(ACTION_NAMES) if int(mask) >> action & 1]


def copies(player: np.record, cell: Cell) -> dict[str, str]:
    """Return the levels that are copied, as level -> the nation whose they are."""
    keys = list(cell.components["nations"])
    levels = range(MAGIC_LEVELS)
    copied = {level: int(player.copies) >> level * COPY_BITS & (1 << COPY_BITS) - 1 for level in levels}
    return {str(level + 1): keys[nation - 1] for level, nation in copied.items() if nation}
