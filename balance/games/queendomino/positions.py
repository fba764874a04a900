"""Positions in words: drawn for a reader, laid out from a case's table, and read for what it expects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError, ScenarioError
from balance.games.queendomino import kingdom as kingdoms
from balance.games.queendomino.builders import put_up
from balance.games.queendomino.content import half
from balance.games.queendomino.names import (
    board_text,
    building_keys,
    building_name,
    cell_name,
    cell_number,
    cells_of,
    domino_key,
    domino_text,
    grid_rows,
    host_text,
)
from balance.games.queendomino.state import CASTLE, DECK, LINE, SPOTS, TOWN, WIDTH
from balance.words import unknown

TITLE = "the table"
DECISIONS = ("choose", "place", "knights", "build", "site", "dragon")
WORDS = (
    *("seat", "decision", "round", "last", "due", "owners", "line", "claims", "deck", "board", "pile"),
    *("dragon", "queen", "pending", "seats", "game"),
)
OF_SEAT = (
    "grid",
    "buildings",
    "coins",
    "knights",
    "knights_sent",
    "towers",
    "placed",
    "discards",
    "past_points",
)
NUMBERS = {
    "coins": "coins",
    "knights": "knights",
    "knights_sent": "levied",
    "towers": "towers",
    "discards": "discards",
    "past_points": "past_points",
}
READ_SEATS = NUMBERS | {"land_points": "land_points", "largest": "largest", "crowns": "crown_count"}
READ = ("options", "decision", "queen", "dragon", "board", "line", "claims", "due", "owners", "part")
READ_NUMBERS = {"knights_in_box": "knights_left", "towers_in_box": "towers_left"}


# Drawn


def show(state: np.record, cell: Cell) -> str:
    """Draw the position: whose decision it is, the lines, the board, and each kingdom."""
    decision = "game over" if state.over else f"seat {state.seat + 1} has to {DECISIONS[state.phase & 7]}"
    lines = [f"round {state.turn}; {decision}"]
    size = cell.rules[0].line
    if state.turn:
        lines.append(f"being placed: {_line(state.due[:size], state.owners[:size], cell)}")
    if state.claims[0] >= 0:
        lines.append(f"to choose from: {_line(state.line[:size], state.claims[:size], cell)}")
    if cell.rules[0].town:
        dragon = f"dragon on spot {state.dragon}" if state.dragon else "dragon in its cave"
        queen = (
            f"queen with {host_text(int(state.queen) - 1, state)}" if state.queen else "no host for the queen"
        )
        lines.append(f"board: {board_text(state, cell)}; {dragon}; {queen}")
    for home in range(cell.rules[0].kingdoms):
        lines += _kingdom(state, home, cell)
    return "\n".join(lines)


def _line(dominoes: Iterable[int], owners: Iterable[int], cell: Cell) -> str:
    return ", ".join(
        domino_text(domino, cell) + (f" seat {owner}" if owner > 0 else "")
        for domino, owner in zip(dominoes, owners, strict=True)
    )


def _kingdom(state: np.record, home: int, cell: Cell) -> list[str]:
    kingdom = state.kingdoms[home]
    corner = cell_name(int(kingdom.top) * WIDTH + int(kingdom.left))
    parts = [f"territories {kingdom.land_points}"]
    if cell.rules[0].town:
        owned = [f"{name} {kingdom[field]}" for name, field in list(NUMBERS.items())[:4]]
        parts += [name.replace("_", " ") for name in owned]
        parts += [
            building_name(kind, cell) + (f" x{number}" if number > 1 else "")
            for kind, number in enumerate(kingdom.built)
            if number
        ]
    return [
        f"{host_text(home, state)}: {', '.join(parts)}; from {corner}",
        *(f"  {r}" for r in grid_rows(kingdom)),
    ]


# Laid out


def lay(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay out `position` on `state`, in place.

    What is not named: round 3, the first seat has to place the first domino of the line; castles
    stand alone; seats own the line's dominoes in order, and nobody has chosen from the next line.

    Raises
    ------
    CaseError
        For a word that is not known, or a position that cannot be.
    """
    for word in position:
        if word not in WORDS:
            raise unknown(word, WORDS, word, TITLE)
    seats = position.get("seats", {})
    for name in seats:
        if name not in {str(seat + 1) for seat in range(state.seats)}:
            raise unknown(name, [str(seat + 1) for seat in range(state.seats)], "seats", TITLE)
    _lay_lines(state, position, cell)
    for name, table in seats.items():
        _lay_kingdom(state, int(name) - 1, table, cell)
    if cell.rules[0].town:
        _lay_board(state, position, cell)
    _ask(state, position, cell)


def _lay_lines(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Put the named dominoes where they are drawn from, then deal the lines of this round."""
    rules, size = cell.rules[0], int(cell.rules[0].line)
    last = int(rules.dominoes_used) // size
    state.part = position.get("game", 1) - 1
    turn = int(last if position.get("last") else position.get("round", 3))
    if not 0 <= turn <= last:
        raise CaseError(f"there is no round {turn}", where="round", remedy=f"give 0 to {last}")
    state.turn = turn
    wanted = {turn - 1: position.get("due", []), turn: position.get("line", [])}
    ahead = list(position.get("deck", []))
    for step in range(0, len(ahead), size):
        wanted[turn + 1 + step // size] = ahead[step : step + size]
    decks = [int(rules.first_deck), int(rules.second_deck)]
    for deck in set(decks):
        _order_deck(state, deck, wanted, decks, size, cell)
    state.drawn[:] = 0
    state.lines = 0
    for line in range(turn + 1):
        state.due[:] = state.line
        if line < last:
            cell.game.plain.deal_line(state, rules)
    state.claims[:] = 0
    if turn == last:
        state.claims[:size] = -1
    _fill(state.claims, position.get("claims", []))
    owners = position.get("owners", list(range(1, state.seats * rules.kings + 1)))
    state.owners[:] = 0
    _fill(state.owners, [(owner - 1) % state.seats + 1 if owner else 0 for owner in owners])


def _fill(target: np.ndarray, values: list[int]) -> None:
    if len(values) > LINE:
        raise CaseError("too many of them", where="position", remedy=f"at most {LINE}")
    target[: len(values)] = values


def _order_deck(
    state: np.record, deck: int, wanted: Mapping[int, list[Any]], decks: list[int], size: int, cell: Cell
) -> None:
    """Order one deck so that each line comes out with the dominoes that the position names for it."""
    places: dict[int, int] = {}
    for line, names in wanted.items():
        if line >= 0 and decks[line % 2] == deck:
            first = (line // 2 if decks[0] != decks[1] else line) * size
            for place, name in enumerate(names):
                places[first + place] = _domino(name, deck, cell)
    rest = [number for number in range(DECK * deck, DECK * (deck + 1)) if number not in places.values()]
    if len(set(places.values())) < len(places):
        raise CaseError("names a domino twice", where="position", remedy="name each once")
    for place in range(DECK):
        state.deck[deck, place] = places[place] if place in places else rest.pop(0)


def _domino(name: Any, deck: int, cell: Cell) -> int:
    known = {domino_key(number, cell): number for number in range(DECK * deck, DECK * (deck + 1))}
    if str(name) not in known:
        raise unknown(name, known, "due", TITLE)
    return known[str(name)]


def _lay_kingdom(state: np.record, seat: int, table: Mapping[str, Any], cell: Cell) -> None:
    where = f"seats.{seat + 1}"
    for word in table:
        if word not in OF_SEAT:
            raise unknown(word, OF_SEAT, where, TITLE)
    kingdom = state.kingdoms[state.homes[seat]]
    _lay_grid(kingdom, table.get("grid", ["C."]), cell, where)
    if "knights" in table:
        state.knights_left += kingdom.knights - table["knights"]
    state.knights_left -= table.get("knights_sent", 0)
    state.towers_left -= table.get("towers", 0)
    for word, field in NUMBERS.items():
        if word in table:
            kingdom[field] = table[word]
    if "placed" in table:
        kingdom.first, kingdom.second = (_cell(name, where) for name in table["placed"])
    _lay_buildings(kingdom, table.get("buildings", {}), cell, where)


def _cell(name: Any, where: str) -> int:
    cell = cell_number(str(name))
    if not cell:
        raise CaseError(f"there is no cell '{name}'", where=where, remedy="name one such as g8")
    return cell


def _lay_grid(kingdom: np.record, grid: list[str], cell: Cell, where: str) -> None:
    """Lay the squares of a drawing; without a castle in it, it lies to the right of the castle."""
    squares = {
        (row, column): token for row, line in enumerate(grid) for column, token in enumerate(line.split())
    }
    castles = [place for place, token in squares.items() if token == "C."]
    row, column = castles[0] if castles else (0, -1)
    for (down, right), token in squares.items():
        if token in ("C.", ".."):
            continue
        try:
            terrain, crowns = half(token, where)
        except ScenarioError as error:
            raise CaseError(error.what, where=where, remedy=error.remedy) from None
        place = CASTLE + (down - row) * WIDTH + right - column
        if not cell_name(place):
            raise CaseError("lies off the ground", where=where, remedy="draw less")
        kingdoms.lay_square(kingdom, place, terrain, crowns)
        kingdom.top, kingdom.bottom = min(kingdom.top, place // WIDTH), max(kingdom.bottom, place // WIDTH)
        kingdom.left, kingdom.right = min(kingdom.left, place % WIDTH), max(kingdom.right, place % WIDTH)
    reach = max(kingdom.bottom - kingdom.top, kingdom.right - kingdom.left) + 1
    if reach > cell.rules[0].grid:
        raise CaseError(f"is {reach} wide", where=where, remedy=f"the grid allows {cell.rules[0].grid}")
    kingdoms.measure(kingdom, cell.rules[0])


def _lay_buildings(kingdom: np.record, table: Mapping[str, str], cell: Cell, where: str) -> None:
    """Put up buildings, cell by cell: what they give at once was given long ago."""
    keys = building_keys(cell)
    for name, key in table.items():
        place = _cell(name, where)
        if key not in keys:
            raise unknown(key, keys, where, TITLE)
        square = kingdom.square_at[place]
        if not square or kingdom.ground[square] != TOWN:
            raise CaseError(f"{name} is no town", where=where, remedy="build on a town square")
        put_up(kingdom, cell.rules[0], keys.index(key), place)


def _lay_board(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    keys = building_keys(cell)

    def kind(key: str) -> int:
        if key and key not in keys:
            raise unknown(key, keys, "board", TITLE)
        return keys.index(key) + 1 if key else 0

    if "board" in position:
        state.board[:] = [kind(key) for key in position["board"]]
    if "pile" in position:
        ahead = [kind(key) - 1 for key in position["pile"]]
        state.tiles = state.shown + len(ahead)
        state.pile[state.shown : state.tiles] = ahead
    state.dragon = position.get("dragon", 0)
    state.queen = state.homes[position["queen"] - 1] + 1 if position.get("queen") else 0
    if "pending" in position:
        state.pending = kind(position["pending"]) - 1


def _ask(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    decision = position.get("decision", "place")
    if decision not in DECISIONS:
        raise unknown(decision, DECISIONS, "decision", TITLE)
    seat = position.get("seat", 1)
    owned = [place for place in range(LINE) if state.owners[place] == seat]
    if not owned:
        raise CaseError(f"seat {seat} owns no domino", where="seat", remedy="name it among the owners")
    state.slot = owned[0]
    cell.game.plain.ask(state, DECISIONS.index(decision), seat - 1)


# Read


def read(state: np.record, path: str, cell: Cell) -> Any:
    """Return what stands at `path`."""
    if path in READ:
        return _READERS[path](state, cell)
    if path in READ_NUMBERS:
        return int(state[READ_NUMBERS[path]])
    if path in READ_SEATS:
        return [int(state.kingdoms[home][READ_SEATS[path]]) for home in state.homes[: state.seats]]
    parts = path.split(".")
    if len(parts) == 3 and parts[0] == "seats" and parts[1].isdecimal() and 1 <= int(parts[1]) <= state.seats:
        return _read_seat(state, state.kingdoms[state.homes[int(parts[1]) - 1]], parts[2], cell)
    raise unknown(path, [*READ, *READ_NUMBERS, *READ_SEATS, "seats.1.grid", "seats.1.sites"], "", TITLE)


def _read_seat(state: np.record, kingdom: np.record, word: str, cell: Cell) -> Any:
    if word == "grid":
        return list(grid_rows(kingdom))
    if word == "sites":
        return [cell_name(place) for place in cells_of(kingdom.sites)]
    if word == "corner":
        return cell_name(int(kingdom.top) * WIDTH + int(kingdom.left))
    if word in building_keys(cell):
        return int(kingdom.built[building_keys(cell).index(word)])
    raise unknown(word, ["grid", "sites", "corner", *building_keys(cell)], "seats", TITLE)


def _options(state: np.record, cell: Cell) -> int:
    acts = np.zeros(cell.game.legal_most, np.int32)
    return int(cell.game.plain.legal(state, cell.rules[0], acts))


def _numbers(dominoes: np.ndarray, cell: Cell) -> list[Any]:
    keys = [domino_key(number, cell) for number in dominoes[: cell.rules[0].line]]
    return [int(key) if key.isdecimal() else key for key in keys]


_READERS: dict[str, Any] = {
    "options": _options,
    "decision": lambda state, cell: DECISIONS[state.phase & 7],
    "queen": lambda state, cell: [s + 1 for s in range(state.seats) if state.homes[s] + 1 == state.queen],
    "dragon": lambda state, cell: int(state.dragon),
    "board": lambda state, cell: [
        building_keys(cell)[kind - 1] if kind else "" for kind in state.board[:SPOTS]
    ],
    "line": lambda state, cell: _numbers(state.line, cell) if state.claims[0] >= 0 else [],
    "claims": lambda state, cell: [int(seat) for seat in state.claims[: cell.rules[0].line]],
    "due": lambda state, cell: _numbers(state.due, cell),
    "owners": lambda state, cell: [int(seat) for seat in state.owners[: cell.rules[0].line]],
    "part": lambda state, cell: int(state.part) + 1,
}
