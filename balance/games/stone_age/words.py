"""Stone Age in words: the acts; what comes of them is told in `story`, the table in `positions`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError
from balance.games.stone_age import acts
from balance.games.stone_age.acts import DIGITS, HANDFULS, MASKS, NUMBERS, TILE_TOOLS
from balance.games.stone_age.names import PLACE_NAMES, RESOURCE_NAMES, goods, in_hand
from balance.games.stone_age.payment import in_order
from balance.games.stone_age.positions import lay, read, show
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    CARD_PLACES,
    OWN,
    PAY,
    RIVER,
    SPLIT_HUNT,
    TRADER,
    WOOD,
)
from balance.games.stone_age.story import tell
from balance.words import counted, listed

__all__ = ["fix", "heading", "lay", "read", "say", "show", "tell"]

Words = Callable[[np.record, int, Cell], str]


def heading(state: np.record, cell: Cell) -> str:
    """Name the round."""
    return f"Round {state.turn + 1}"


def fix(dice: list[Any], cell: Cell) -> list[Any]:
    """Turn faces of dice, from 1, into the numbers that the rules draw."""
    for face in dice:
        if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= 6:
            raise CaseError(f"{face!r} is no face of a die", remedy="give 1 to 6")
    return [face - 1 for face in dice]


def say(state: np.record, act: int, cell: Cell) -> str:
    """Name `act` as `state.seat` would play it here; "" for a number that names nothing here."""
    kind = bisect_right(_STARTS, act) - 1
    start, words_of = _KINDS[kind]
    return words_of(state, act - start, cell)


def _there(place: int, state: np.record, cell: Cell) -> bool:
    """Say whether the game has such a place."""
    if place == TRADER or place == CARD + CARD_PLACES - 1 or place >= OWN:
        return bool(cell.rules[0].expansion)
    return not BUILDING + state.seats <= place < OWN


def _put(state: np.record, index: int, cell: Cell) -> str:
    place, figures = divmod(index, NUMBERS)
    if figures == 0 or not _there(place, state, cell):
        return ""
    preposition = "in" if place <= RIVER or place in (6, 7) else "on" if CARD <= place < OWN else "at"
    return f"put {counted(figures, 'figure')} {preposition} {PLACE_NAMES[place]}"


def _resolve(state: np.record, place: int, cell: Cell) -> str:
    grounds = place <= RIVER or place == TRADER or place >= OWN
    return f"resolve {PLACE_NAMES[place]}" if grounds and _there(place, state, cell) else ""


def _purchase(card: str, building: str) -> Words:
    """Return the words of paying for a card or a building."""

    def words_of(state: np.record, place: int, cell: Cell) -> str:
        if not CARD <= place < OWN or not _there(place, state, cell):
            return ""
        return (card if place < BUILDING else building).format(PLACE_NAMES[place])

    return words_of


def _tools(state: np.record, mask: int, cell: Cell) -> str:
    if mask == 0:
        return "use no tools"
    names = [
        f"tool {index + 1}" if index < TILE_TOOLS else f"one-use tool {index + 1 - TILE_TOOLS}"
        for index in range(MASKS.bit_length() - 1)
        if mask >> index & 1
    ]
    return f"use {listed(names)}"


def _split(state: np.record, jewels: int, cell: Cell) -> str:
    food = int(state.roll.units) - jewels
    if state.phase != SPLIT_HUNT or food < 0:
        return ""
    return (
        f"take {listed(part for part in (food and f'{food} food', jewels and f'{jewels} jewellery') if part)}"
    )


def _payment(state: np.record, code: int, cell: Cell) -> str:
    numbers = [code // DIGITS ** (3 - resource) % DIGITS for resource in range(4)]
    return f"pay {goods(numbers)}" if code else "pay the price"


def _swap(state: np.record, code: int, cell: Cell) -> str:
    given, got = divmod(code, HANDFULS)
    if state.phase != PAY or not in_order(given) or not in_order(got):
        return ""
    gained = in_hand(got)
    named = goods(gained)
    if CARD <= state.bill.place < CARD + CARD_PLACES - 1:
        if gained[WOOD] != sum(gained):
            return ""
        named = counted(sum(gained), "resource of choice", "resources of choice")
    return f"trade {goods(in_hand(given))} for {named}"


def _fixed(*texts: str) -> Words:
    """Return the words of acts that read the same everywhere."""
    return lambda state, index, cell: texts[index]


def _jewels(state: np.record, jewels: int, cell: Cell) -> str:
    return f"pay {jewels} jewellery" if jewels else ""


_KINDS: tuple[tuple[int, Words], ...] = (
    (acts.PUT, _put),
    (acts.RESOLVE_AT, _resolve),
    (acts.TAKE, _purchase("take {}", "build {}")),
    (acts.TRADE_AND_TAKE, _purchase("take {} with a trade", "build {} with a trade")),
    (acts.PAY_OTHERWISE, _purchase("pay otherwise for {}", "pay otherwise for {}")),
    (acts.OPEN_CHOICE, _fixed("take the resources of choice")),
    (acts.DONE, _fixed("take back the figures left")),
    (acts.TOOLS, _tools),
    (acts.JEWELS, _split),
    (acts.PAYMENT, _payment),
    (acts.PAY_JEWELS, _jewels),
    (acts.SWAP, _swap),
    (acts.EXTRA, _fixed("buy the extra card")),
    (acts.EXTRA_BY_TRADE, _fixed("buy the extra card with a trade")),
    (acts.NO_EXTRA, _fixed("buy no extra card")),
    (acts.PICK, lambda state, face, cell: f"pick the {face + 1}"),
    (acts.GAIN, _fixed(*(f"gain 1 {resource}" for resource in RESOURCE_NAMES))),
    (acts.FEED_ALL, _fixed("feed the tribe with resources")),
    (acts.FEED_OTHERWISE, _fixed("feed the tribe with resources of choice")),
    (acts.STARVE, _fixed("let the tribe go hungry")),
)
_STARTS = [start for start, _ in _KINDS]
