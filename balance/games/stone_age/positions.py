"""Positions in words: drawn for a reader, laid out from a case's table, and read for what it expects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError
from balance.games.stone_age.names import (
    GOOD_NAMES,
    PEOPLE_NAMES,
    PLACE_KEYS,
    PLACE_NAMES,
    RESOURCE_NAMES,
    SYMBOL_NAMES,
    at_place,
    key_of,
    members,
    stock,
    tiles_of,
    who,
)
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    CARD_PLACES,
    FACES,
    NONE,
    ONE_USE,
    PLACES,
    PRIVATE,
    PRIVATE_PLACE,
)
from balance.words import listed, unknown

TITLE = "Stone Age"
DECISIONS = (  # by phase
    "place figures",
    "resolve",
    "use tools",
    "split the hunt",
    "pay",
    "buy the extra card",
    "pick a die",
    "choose a resource",
    "feed the tribe",
)
PHASES = ("placing", "resolving", "feeding")
WORDS = ("round", "phase", "seat", "cards", "deck", "deck_left", "buildings", "stacks", "seats")
NUMBERS = {  # word of a seat -> most
    "food": 999,
    **dict.fromkeys(GOOD_NAMES, 999),
    "figures": 10,
    "tools": 12,
    "agriculture": 20,
    "trade": 20,
    "choice": 20,
    "buildings": 60,
}
OF_SEAT = (
    *NUMBERS,
    "used",
    "one_use",
    "traded",
    "cards",
    "secret",
    "symbols",
    "people",
    "at",
    "private",
    "points",
)


# Drawn


def show(state: np.record, cell: Cell) -> str:
    """Draw the position: a line for the round, cards, buildings, and each seat."""
    turn = [f"round {state.turn + 1}", PHASES[state.round_phase]]
    turn.append("game over" if state.over else f"seat {state.seat + 1} has to {DECISIONS[state.phase]}")
    lines = ["; ".join(turn)]
    shown = [
        f"{p + 1}: {at_place(state, CARD + p, cell)}" for p in range(CARD_PLACES) if state.display[p] != NONE
    ]
    lines.append(f"cards: {'; '.join(shown) or 'none'}; {int(state.deck_left)} in the deck")
    built = [
        f"{s + 1}: {at_place(state, BUILDING + s, cell)} (of {int(state.height[s])})"
        for s in range(state.seats)
    ]
    lines.append(f"buildings: {'; '.join(built)}")
    lines.extend(_show_seat(state, seat, cell) for seat in range(state.seats))
    return "\n".join(lines)


def _show_seat(state: np.record, seat: int, cell: Cell) -> str:
    player = state.players[seat]
    parts = [stock(player), f"{int(player.figures)} figures"]
    placed = [f"{int(n)} {PLACE_NAMES[place]}" for place, n in enumerate(player["at"]) if n]
    if placed:
        parts.append(f"placed: {', '.join(placed)}")
    tools = [f"{v}{' (used)' if player.used >> i & 1 else ''}" for i, v in enumerate(tiles_of(player)) if v]
    parts.append(f"tools {' + '.join(tools) or 'none'}")
    if any(player.one_use):
        parts.append(f"one-use tools {listed(str(v) for v in player.one_use if v)}")
    parts.append(f"agriculture {int(player.agriculture)}")
    if cell.rules[0].expansion:
        parts.append(f"trade {int(player.trade)}")
    parts.append(f"{int(player.buildings)} buildings")
    green = [f"{int(n)} {name}" for n, name in zip(player.symbols, SYMBOL_NAMES, strict=True) if n]
    sand = [f"{int(n)} {name}s" for n, name in zip(player.people, PEOPLE_NAMES, strict=True) if n]
    parts += [", ".join(part) for part in (green, sand) if part]
    return f"{who(seat)}: {'; '.join(parts)}"


# Laid out


def lay(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay out `position` on `state`, in place.

    What is not named: the first round, the first seat to place; each seat as at the start, without
    cards; the first cards and buildings of the data that are free on display, the others in their
    order below; full stacks.

    Raises
    ------
    CaseError
        For a word that is not known, or a position that cannot be.
    """
    for word in position:
        if word not in WORDS:
            raise unknown(word, WORDS, word, TITLE)
    _clear(state)
    seats = _by_seat(position.get("seats", {}), state)
    for seat in range(state.seats):
        _lay_seat(state, seat, seats.get(seat, {}), cell)
    _lay_cards(state, position, cell)
    _lay_tiles(state, position, cell)
    _ask(state, position, cell)


def _clear(state: np.record) -> None:
    blank = np.zeros((), state.dtype)
    for name in state.dtype.names or ():
        if name != "seats":
            state[name] = blank[name]
    state.roll.place = state.bill.place = NONE


def _by_seat(seats: Any, state: np.record) -> dict[int, Mapping[str, Any]]:
    """Return what is said of each seat, given as a list in order or as a table by number."""
    numbered = enumerate(seats, 1) if isinstance(seats, list) else seats.items()
    found = {}
    for number, table in numbered:
        where = f"seats.{number}"
        if not str(number).isdigit():
            raise CaseError(f"'{number}' is no seat", where=where, remedy=f"give 1 to {state.seats}")
        if not isinstance(table, Mapping):
            raise CaseError(f"{table!r} is no table", where=where, remedy="write { wood = 2 }")
        for word in table:
            if word not in OF_SEAT:
                raise unknown(word, OF_SEAT, f"{where}.{word}", TITLE)
        found[whole(int(number), 1, int(state.seats), where) - 1] = table
    return found


def whole(value: Any, low: int, high: int, where: str) -> int:
    """Return a whole number of a position, or raise CaseError."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CaseError(
            f"{value!r} will not do", where=where, remedy=f"give a whole number from {low} to {high}"
        )
    return value


def _lay_seat(state: np.record, seat: int, table: Mapping[str, Any], cell: Cell) -> None:
    rules, player, where = cell.rules[0], state.players[seat], f"seats.{seat + 1}"
    usual = {"food": int(rules.start_food), "figures": int(rules.start_figures)}
    if rules.expansion:
        usual["jewellery"] = int(rules.start_jewellery)
    value = {
        word: whole(table.get(word, usual.get(word, 0)), 0, most, f"{where}.{word}")
        for word, most in NUMBERS.items()
    }
    player.goods = [value.pop(good) for good in GOOD_NAMES]
    for word, number in value.items():
        player[word] = number
    player.idle = player.figures
    for number in table.get("used", []):
        player.used |= 1 << (whole(number, 1, 3, f"{where}.used") - 1)
    for slot, worth in enumerate(table.get("one_use", [])[:ONE_USE]):
        player.one_use[slot] = whole(worth, 1, 6, f"{where}.one_use")
    player.trades = int(bool(table.get("traded", False)))
    player.points_buildings = whole(table.get("points", 0), -999, 999, f"{where}.points")
    for slot, key in enumerate(table.get("private", [])[:PRIVATE]):
        tile = _find("buildings", key, f"{where}.private", cell)
        if rules.tiles[tile].gives != PRIVATE_PLACE:
            raise CaseError(f"{key} is no private place", where=f"{where}.private")
        player.own[slot] = tile + 1
        player.ready |= 1 << slot
    _lay_hand(player, table, where, cell)
    _lay_figures(state, seat, table.get("at", {}), f"{where}.at")


def _lay_hand(player: np.record, table: Mapping[str, Any], where: str, cell: Cell) -> None:
    """Give a seat its cards; `symbols` and `people` stand for cards that need not be named."""
    lib, rules = cell.game.plain, cell.rules[0]
    for word in ("cards", "secret"):
        for key in table.get(word, []):
            card = _find("cards", key, f"{where}.{word}", cell)
            lib.add_card(rules, player, card)
            if word == "secret":
                player.secret |= 1 << card
    for word, names in (("symbols", SYMBOL_NAMES), ("people", PEOPLE_NAMES)):
        for name, number in table.get(word, {}).items():
            if name not in names:
                raise unknown(name, names, f"{where}.{word}.{name}", TITLE)
            player[word][names.index(name)] += whole(number, 0, 99, f"{where}.{word}.{name}")


def _lay_figures(state: np.record, seat: int, at: Any, where: str) -> None:
    if not isinstance(at, Mapping):
        raise CaseError(f"{at!r} is no table", where=where, remedy="write { forest = 3 }")
    player = state.players[seat]
    for name, number in at.items():
        if name not in PLACE_KEYS:
            raise unknown(name, PLACE_KEYS, f"{where}.{name}", TITLE)
        place = PLACE_KEYS.index(name)
        figures = whole(number, 1, int(player.idle), f"{where}.{name}")
        player.at[place] += figures
        player.idle -= figures
        state.crowd[place] += figures


def _find(kind: str, key: Any, where: str, cell: Cell) -> int:
    keys = list(cell.components[kind])
    if key not in keys:
        raise unknown(key, keys, where, TITLE)
    return keys.index(key)


def _lay_cards(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay the display and the deck: what is named first, then what is free, in the order of the data."""
    rules = cell.rules[0]
    held = 0
    for player in state.players[: state.seats]:
        held |= int(player.cards)
    shown = [_named(key, "cards", cell) for key in position.get("cards", [])]
    deck = [_find("cards", key, "deck", cell) for key in position.get("deck", [])]
    taken = set(members(held)) | set(deck) | {card for card in shown if card != NONE}
    free = [card for card in range(int(rules.cards_all)) if rules.cards[card].in_play and card not in taken]
    places = CARD_PLACES if rules.expansion else CARD_PLACES - 1
    state.display[:] = NONE
    for place in range(places):
        state.display[place] = shown[place] if place < len(shown) else free.pop(0)
    left = whole(
        position.get("deck_left", len(deck) + len(free)), len(deck), len(deck) + len(free), "deck_left"
    )
    rest = [*deck, *free][:left]
    state.deck_left = len(rest)
    state.deck[: len(rest)] = rest[::-1]


def _named(key: Any, where: str, cell: Cell) -> int:
    return NONE if key == "none" else _find("cards", key, where, cell)


def _lay_tiles(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay the stacks, the named buildings on top."""
    rules = cell.rules[0]
    tops = [_find("buildings", key, "buildings", cell) for key in position.get("buildings", [])]
    built = {int(tile) - 1 for player in state.players[: state.seats] for tile in player.own if tile}
    free = [
        tile
        for tile in range(int(rules.tiles_all))
        if rules.tiles[tile].in_play and tile not in tops and tile not in built
    ]
    height = int(rules.stack_height)
    heights = position.get("stacks", [height] * int(state.seats))
    index = 0
    for stack in range(state.seats):
        state.height[stack] = whole(heights[stack], 0, height, f"stacks.{stack}")
        for level in range(height):
            top = stack < len(tops) and level == state.height[stack] - 1
            state.tiles[index] = tops[stack] if top else (free.pop() if free else 0)
            index += 1
    state.tiles[index : index + len(free)] = free
    state.tiles_all = index + len(free)


def _ask(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Find out who decides what."""
    lib, rules = cell.game.plain, cell.rules[0]
    state.turn = whole(position.get("round", 1), 1, 999, "round") - 1
    phase = position.get("phase", PHASES[0])
    if phase not in PHASES:
        raise unknown(phase, PHASES, "phase", TITLE)
    first = int(lib.first_seat(state, rules))
    seat = whole(position.get("seat", first + 1), 1, int(state.seats), "seat") - 1
    state.seat = state.actor = seat
    if phase == "placing":
        return
    if phase == "feeding":
        lib.begin_feeding(state, rules)
    else:
        if seat == first:
            lib.begin_resolving(state, rules)
        else:
            state.round_phase, state.done = 1, (seat - first) % state.seats
            lib.visit_village(state, rules, seat)
    lib.go_on(state, rules)


# Read


def read(state: np.record, path: str, cell: Cell) -> Any:
    """Return what stands at `path`: a word of a position, or what follows from it.

    Beyond the words of `lay`: `decision`, `pips` of the last roll, `dice` of a market that are left;
    of a seat `idle` figures, `tiles` (values of the tool tiles), `points_...` by the dataset's columns.

    Raises
    ------
    CaseError
        For an unknown path.
    """
    first, *rest = path.split(".")
    if first == "seats" and rest:
        return _read_seat(state, rest, path, cell)
    known: dict[str, Any] = {
        "round": int(state.turn) + 1,
        "phase": PHASES[state.round_phase],
        "decision": "none" if state.over else DECISIONS[state.phase],
        "pips": int(state.roll.pips),
        "dice": [face + 1 for face in range(FACES) for _ in range(int(state.market[face]))],
        "cards": _shown(state, cell),
        "deck_left": int(state.deck_left),
        "deck": [key_of("cards", int(c), cell) for c in state.deck[: state.deck_left][::-1]],
        "buildings": [_top(state, stack, cell) for stack in range(state.seats)],
        "stacks": [int(height) for height in state.height[: state.seats]],
    }
    if path not in known:
        raise unknown(path, [*known, "seats.1.wood"], "expect", TITLE)
    return known[path]


def _shown(state: np.record, cell: Cell) -> list[str]:
    places = CARD_PLACES if cell.rules[0].expansion else CARD_PLACES - 1
    return ["none" if card == NONE else key_of("cards", int(card), cell) for card in state.display[:places]]


def _top(state: np.record, stack: int, cell: Cell) -> str:
    if state.height[stack] == 0:
        return "none"
    return key_of("buildings", int(cell.game.plain.top_tile(state, cell.rules[0], stack)), cell)


def _read_seat(state: np.record, rest: Sequence[str], path: str, cell: Cell) -> Any:
    number, *words = rest
    if not number.isdigit() or not 1 <= int(number) <= state.seats or not 1 <= len(words) <= 2:
        raise CaseError(f"'{path}' is no path", where="expect", remedy="write seats.1.wood")
    player = state.players[int(number) - 1]
    known: dict[str, Any] = {word: int(player[word]) for word in NUMBERS if word not in GOOD_NAMES}
    known |= {good: int(player.goods[index]) for index, good in enumerate(GOOD_NAMES)}
    known |= {
        "idle": int(player.idle),
        "tiles": tiles_of(player),
        "used": [index + 1 for index in range(3) if player.used >> index & 1],
        "one_use": [int(worth) for worth in player.one_use if worth],
        "traded": bool(player.trades),
        "points": int(player.points_buildings),
        "cards": [key_of("cards", card, cell) for card in members(player.cards)],
        "secret": [key_of("cards", card, cell) for card in members(player.secret)],
        "private": [key_of("buildings", int(tile) - 1, cell) for tile in player.own if tile],
        "income": {name: int(player.income[i]) for i, name in enumerate(RESOURCE_NAMES)},
        "symbols": dict(zip(SYMBOL_NAMES, player.symbols.tolist(), strict=True)),
        "people": dict(zip(PEOPLE_NAMES, player.people.tolist(), strict=True)),
        "at": {PLACE_KEYS[place]: int(player.at[place]) for place in range(PLACES)},
    }
    value: Any = known
    for word in words:
        if not isinstance(value, Mapping) or word not in value:
            raise unknown(word, known if value is known else value, f"expect, {path}", TITLE)
        value = value[word]
    return value
