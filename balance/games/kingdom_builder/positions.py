"""Positions in words: drawn for a reader, laid out from a case's table, and read for what it expects.

A hex is named by the letter of its row, from A at the top, and its column, from 1 at the left: "D7".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError
from balance.games.kingdom_builder.board import bit_in, kind_of
from balance.games.kingdom_builder.locations import special_hex
from balance.games.kingdom_builder.names import (
    HEX_NAMES,
    TERRAIN_KEYS,
    TITLE,
    entry_key,
    entry_number,
    hex_number,
    hexes_in,
    letter,
    numbered,
    section_number,
    section_words,
    special_number,
    terrain_key,
    terrain_number,
)
from balance.games.kingdom_builder.state import (
    AFTER,
    BEFORE,
    BUILDING,
    CARDS,
    MOUNTAIN,
    NO_CARD,
    QUADRANTS,
    SIDE,
    SPECIALS,
)
from balance.words import unknown

DECISIONS = ("play a card", "before", "building", "after", "set down")  # by phase
FIRST_GAME = ("tavern", "paddock", "oasis", "farm")
WORDS = (
    *("sections", "locations", "castle_tokens", "tiles_left", "cards", "seat", "round", "final", "decision"),
    *("card", "to_build", "deck", "discards", "removed", "seats"),
)
OF_SEAT = ("settlements", "supply", "hand", "tiles", "used", "fresh", "visited")


# Drawn


def show(state: np.record, cell: Cell) -> str:
    """Draw the position: the turn, the map with a number for each settlement, a line for each seat."""
    cards = [entry_key(cell, "cards", card) for card in range(CARDS) if state.in_play >> card & 1]
    asked = "game over" if state.over else f"seat {state.seat + 1}: {DECISIONS[state.phase]}"
    turn = [f"round {state.turn + 1}", asked, f"card {terrain_key(state.card)}", f"{state.to_build} to build"]
    sections = [section_words(state, quadrant, cell) for quadrant in range(QUADRANTS)]
    lines = ["; ".join(turn), f"cards: {', '.join(cards)}", f"sections: {', '.join(sections)}"]
    lines.extend(_show_rows(state, cell))
    lines.extend(_show_seat(state, seat, cell) for seat in range(state.seats))
    return "\n".join(lines)


def _show_rows(state: np.record, cell: Cell) -> Iterator[str]:
    for row in range(SIDE):
        drawn = []
        for spot in range(row * SIDE, (row + 1) * SIDE):
            here = [str(s + 1) for s in range(state.seats) if bit_in(state.players[s].houses, spot)]
            drawn.append(here[0] if here else letter(state, spot, cell).lower())
        yield f"{HEX_NAMES[row * SIDE][0]} {' ' * (row % 2)}{' '.join(drawn)}"


def _show_seat(state: np.record, seat: int, cell: Cell) -> str:
    player = state.players[seat]
    kinds = list(cell.components["locations"])
    parts = [f"supply {player.supply}"]
    for word in ("ready", "used", "fresh"):
        held = numbered(player[word], kinds)
        if held:
            parts.append(f"{word} {', '.join(held)}")
    return f"seat {seat + 1}: {'; '.join(parts)}"


# Laid out


def lay(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay out `position` on `state`, in place.

    What is not named: the map of the first game, no settlements, no card in play; the first seat has shown
    Not named: the map of the first game, no settlements, no card in play; the first seat has shown
    A settlement next to a location holds its tile.

    Raises
    ------
    CaseError
        For a word that is not known, or a position that cannot be.
    """
    for word in position:
        if word not in WORDS:
            raise unknown(word, WORDS, word, TITLE)
    _clear(state)
    _lay_map(state, position, cell)
    for index, card in enumerate(_list(position, "cards")):
        state.in_play |= 1 << entry_number(card, "cards", f"cards.{index}", cell)
    state.seat = _whole(position.get("seat", 1), 1, int(state.seats), "seat") - 1
    state.turn = _whole(position.get("round", 1), 1, 10_000, "round") - 1
    state.final = bool(position.get("final", False))
    tables = _by_seat(position.get("seats", {}), state)
    for seat in range(state.seats):
        _lay_seat(state, seat, tables.get(seat, {}), cell)
    _lay_piles(state, position)
    _lay_turn(state, position, cell)


def _clear(state: np.record) -> None:
    """Take everything off the table but the seats."""
    blank = np.zeros((), state.dtype)
    for name in state.dtype.names or ():
        if name != "seats":
            state[name] = blank[name]


def _list(table: Mapping[str, Any], word: str, default: Any = (), where: str = "") -> list[Any]:
    found = table.get(word, list(default))
    if not isinstance(found, list):
        raise CaseError(
            f"{found!r} is no list", where=f"{where}{word}", remedy='write a list, ["...", "..."]'
        )
    return found


def _whole(value: Any, low: int, high: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        remedy = f"give a whole number from {low} to {high}"
        raise CaseError(f"{value!r} will not do", where=where, remedy=remedy)
    return value


def _lay_map(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    lib, rules = cell.game.plain, cell.rules[0]
    sections = _list(position, "sections", FIRST_GAME)
    if len(sections) != QUADRANTS:
        raise CaseError("there are four sections", where="sections", remedy="name them row by row")
    for quadrant, words in enumerate(sections):
        state.section[quadrant] = section_number(words, f"sections.{quadrant}", cell)
    lib.lay_out(state, rules)
    for quadrant, kind in enumerate(_list(position, "locations")[:QUADRANTS]):
        state.location[quadrant] = entry_number(kind, "locations", f"locations.{quadrant}", cell)
    for index, name in enumerate(_list(position, "castle_tokens")):
        state.castles |= 1 << _special(state, name, f"castle_tokens.{index}", cell)
    for number in _locations(state, cell):
        state.tiles[number] = rules.tiles
    for name, left in position.get("tiles_left", {}).items():
        where = f"tiles_left.{name}"
        state.tiles[_special(state, name, where, cell)] = _whole(left, 0, 9, where)


def _locations(state: np.record, cell: Cell) -> list[int]:
    """Return the numbers of the locations, those without a castle token."""
    return [
        SPECIALS * quadrant + special
        for quadrant in range(QUADRANTS)
        for special in range(cell.rules[0].sections[state.section[quadrant]].specials)
        if not state.castles >> (SPECIALS * quadrant + special) & 1
    ]


def _special(state: np.record, name: Any, where: str, cell: Cell) -> int:
    number = special_number(state, hex_number(name, where), cell)
    if number < 0 or state.castles >> number & 1:
        names = [HEX_NAMES[special_hex(state, cell.rules[0], n)] for n in _locations(state, cell)]
        raise CaseError(f"{name} is no location", where=where, remedy=f"locations: {', '.join(names)}")
    return number


def _by_seat(seats: Any, state: np.record) -> dict[int, Mapping[str, Any]]:
    """Return what is said of each seat, given as a list in order or as a table by number."""
    found = {}
    for number, table in enumerate(seats, 1) if isinstance(seats, list) else seats.items():
        where = f"seats.{number}"
        if not str(number).isdigit():
            raise CaseError(f"'{number}' is no seat", where=where, remedy=f"give 1 to {state.seats}")
        if not isinstance(table, Mapping):
            raise CaseError(f"{table!r} is no table", where=where, remedy='write { settlements = ["D7"] }')
        for word in table:
            if word not in OF_SEAT:
                raise unknown(word, OF_SEAT, f"{where}.{word}", TITLE)
        found[_whole(int(number), 1, int(state.seats), where) - 1] = table
    return found


def _lay_seat(state: np.record, seat: int, table: Mapping[str, Any], cell: Cell) -> None:
    lib, rules, player, where = cell.game.plain, cell.rules[0], state.players[seat], f"seats.{seat + 1}."
    spots = _list(table, "settlements", where=where)
    for index, name in enumerate(spots):
        below = f"{where}settlements.{index}"
        spot = hex_number(name, below)
        if kind_of(state, rules, spot) >= MOUNTAIN:
            raise CaseError(f"no settlement can stand on {name}", where=below, remedy="name another hex")
        if any(bit_in(other.houses, spot) for other in state.players[: state.seats]):
            raise CaseError(f"{name} has a settlement already", where=below, remedy="name another hex")
        lib.place(state, rules, seat, spot)
    left = max(int(rules.settlements) - len(spots), 0)
    player.supply = _whole(table.get("supply", left), 0, int(rules.settlements), f"{where}supply")
    _lay_tiles(state, seat, table, where, cell)
    for index, card in enumerate(_list(table, "hand", where=where)):
        player.hand[terrain_number(card, f"{where}hand.{index}")] += 1


def _lay_tiles(state: np.record, seat: int, table: Mapping[str, Any], where: str, cell: Cell) -> None:
    """Give the seat the tiles named, or else those of the locations that its settlements touch."""
    lib, rules, player = cell.game.plain, cell.rules[0], state.players[seat]
    for number in _locations(state, cell):
        if lib.stands_by(state, rules, player, number):
            player.visited |= 1 << number
            if state.tiles[number]:
                state.tiles[number] -= 1
                player.holds |= 1 << number
                player.ready[state.location[number // SPECIALS]] += 1
    for index, name in enumerate(_list(table, "visited", where=where)):
        player.visited |= 1 << _special(state, name, f"{where}visited.{index}", cell)
    if "tiles" in table:
        player.ready[:] = 0
    for word, field in (("tiles", "ready"), ("used", "used"), ("fresh", "fresh")):
        for index, kind in enumerate(_list(table, word, where=where)):
            player[field][entry_number(kind, "locations", f"{where}{word}.{index}", cell)] += 1


def _lay_piles(state: np.record, position: Mapping[str, Any]) -> None:
    deck = _list(position, "deck", TERRAIN_KEYS)
    if len(deck) > len(state.deck):
        remedy = f"name at most {len(state.deck)}"
        raise CaseError(f"{len(deck)} cards are too many", where="deck", remedy=remedy)
    state.deck_size = len(deck)
    for index, card in enumerate(deck):
        state.deck[len(deck) - 1 - index] = terrain_number(card, f"deck.{index}")
    for word in ("discards", "removed"):
        for index, card in enumerate(_list(position, word)):
            state[word][terrain_number(card, f"{word}.{index}")] += 1


def _lay_turn(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Say what is decided next: which card to play, or what to build, before, within or after the three."""
    lib, rules = cell.game.plain, cell.rules[0]
    for seat in range(state.seats):
        if seat != state.seat and lib.hand_size(state.players[seat]) == 0:
            state.players[seat].hand[0] = 1
    if "card" not in position and lib.hand_size(state.players[state.seat]):
        state.card = NO_CARD
        lib.begin_turn(state, rules, None)
        return
    state.card = terrain_number(position.get("card", TERRAIN_KEYS[0]), "card")
    most = min(int(rules.builds), int(state.players[state.seat].supply))
    state.to_build = _whole(position.get("to_build", most), 0, most, "to_build")
    usual = AFTER if state.to_build == 0 else BEFORE if state.to_build == most else BUILDING
    decision = position.get("decision", DECISIONS[usual])
    if decision not in DECISIONS[BEFORE : AFTER + 1]:
        raise unknown(decision, DECISIONS[BEFORE : AFTER + 1], "decision", TITLE)
    state.phase = DECISIONS.index(decision)


# Read


def read(state: np.record, path: str, cell: Cell) -> Any:
    """Return what stands at `path`: a word of a position.

    Raises
    ------
    CaseError
        For an unknown path.
    """
    first, *rest = path.split(".")
    if first == "seats" and len(rest) == 2:
        return _read_seat(state, rest, path, cell)
    if first == "tiles_left" and len(rest) == 1:
        return int(state.tiles[_special(state, rest[0], path, cell)])
    deck = [TERRAIN_KEYS[card] for card in state.deck[: state.deck_size][::-1]]
    cards = list(cell.components["cards"])
    plain = {
        "sections": [section_words(state, quadrant, cell) for quadrant in range(QUADRANTS)],
        "locations": [entry_key(cell, "locations", kind) for kind in state.location],
        "cards": [cards[card] for card in range(CARDS) if state.in_play >> card & 1],
        "round": int(state.turn) + 1,
        "final": bool(state.final),
        "decision": "none" if state.over else DECISIONS[state.phase],
        "card": terrain_key(state.card),
        "to_build": int(state.to_build),
        "deck": deck,
        "discards": numbered(state.discards, TERRAIN_KEYS),
        "removed": numbered(state.removed, TERRAIN_KEYS),
    }
    if path not in plain:
        raise unknown(path, [*plain, "tiles_left.D7", "seats.1.tiles"], "expect", TITLE)
    return plain[path]


def _read_seat(state: np.record, rest: list[str], path: str, cell: Cell) -> Any:
    number, word = rest
    if not number.isdigit() or not 1 <= int(number) <= state.seats:
        raise CaseError(f"'{number}' is no seat", where=path, remedy=f"give 1 to {state.seats}")
    player = state.players[int(number) - 1]
    kinds = list(cell.components["locations"])
    plain = {
        "settlements": [HEX_NAMES[spot] for spot in hexes_in(player.houses)],
        "supply": int(player.supply),
        "hand": numbered(player.hand, TERRAIN_KEYS),
        "tiles": numbered(player.ready, kinds),
        "used": numbered(player.used, kinds),
        "fresh": numbered(player.fresh, kinds),
        "visited": [
            HEX_NAMES[special_hex(state, cell.rules[0], n)]
            for n in range(QUADRANTS * SPECIALS)
            if player.visited >> n & 1
        ],
    }
    if word not in plain:
        raise unknown(word, plain, path, TITLE)
    return plain[word]
