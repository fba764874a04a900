"""What things are called in words: places, cards, buildings, goods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from balance.cell import Cell
from balance.games.stone_age.content import GOOD_NAMES, PEOPLE_NAMES, RESOURCE_NAMES, SYMBOL_NAMES
from balance.games.stone_age.payment import top_tile
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    CARD_PLACES,
    GOODS,
    NONE,
    OWN,
    PLACES,
    PRIVATE,
    STACKS,
)
from balance.words import counted, listed, titled

GROUNDS = (
    "the hunting grounds",
    "the forest",
    "the clay pit",
    "the quarry",
    "the river",
    "the tool maker",
    "the hut",
    "the field",
    "the trader",
)
PLACE_NAMES = (
    *GROUNDS,
    *(f"card {number}" for number in range(1, CARD_PLACES + 1)),
    *(f"building {number}" for number in range(1, STACKS + 1)),
    *(f"private place {number}" for number in range(1, PRIVATE + 1)),
)
PLACE_KEYS = (  # in a position
    "hunt",
    "forest",
    "clay_pit",
    "quarry",
    "river",
    "tool_maker",
    "hut",
    "field",
    "trader",
    *(f"card_{number}" for number in range(1, CARD_PLACES + 1)),
    *(f"building_{number}" for number in range(1, STACKS + 1)),
    *(f"private_{number}" for number in range(1, PRIVATE + 1)),
)
assert len(PLACE_NAMES) == len(PLACE_KEYS) == PLACES

__all__ = ["GOOD_NAMES", "PEOPLE_NAMES", "PLACE_KEYS", "PLACE_NAMES", "RESOURCE_NAMES", "SYMBOL_NAMES"]


def who(seat: int) -> str:
    """Name a seat."""
    return f"Seat {seat + 1}"


def key_of(kind: str, number: int, cell: Cell) -> str:
    """Return the key of a card or building."""
    return list(cell.components[kind])[number]


def name_of(kind: str, number: int, cell: Cell) -> str:
    """Return the name of a card or building."""
    key = key_of(kind, number, cell)
    return str(cell.components[kind][key].get("name", titled(key)))


def at_place(state: np.record, place: int, cell: Cell) -> str:
    """Name what lies at the place of a card or building, or a private place; "" for other places."""
    if CARD <= place < BUILDING:
        card = int(state.display[place - CARD])
        return "no card" if card == NONE else name_of("cards", card, cell)
    if BUILDING <= place < OWN:
        stack = place - BUILDING
        if stack >= state.seats or state.height[stack] == 0:
            return "no building"
        return name_of("buildings", int(top_tile(state, cell.rules[0], stack)), cell)
    if place >= OWN:
        tile = int(state.players[state.seat].own[place - OWN])
        return name_of("buildings", tile - 1, cell) if tile else "none"
    return ""


def goods(numbers: Sequence[int]) -> str:
    """Return "1 wood and 2 jewellery" for the numbers of the goods; what is 0 is left out."""
    named = zip(numbers, GOOD_NAMES, strict=False)
    return listed(f"{number} {name}" for number, name in named if number)


def in_hand(code: int) -> list[int]:
    """Return the numbers of the goods in a coded handful."""
    numbers = [0] * (GOODS + 1)
    numbers[code // (GOODS + 1)] += 1
    numbers[code % (GOODS + 1)] += 1
    return numbers[:GOODS]


def stock(player: np.record) -> str:
    """Return what a player holds: "12 food, 2 wood"."""
    held = [counted(int(player.food), "food", "food")]
    held += [f"{int(n)} {name}" for n, name in zip(player.goods, GOOD_NAMES, strict=True) if n]
    return ", ".join(held)


def members(cards: int) -> Iterator[int]:
    """Yield the cards of a set."""
    return (card for card in range(int(cards).bit_length()) if int(cards) >> card & 1)


def tiles_of(player: np.record) -> list[int]:
    """Return the values of the three tool tiles."""
    return [(int(player.tools) + 2 - index) // 3 for index in range(3)]
