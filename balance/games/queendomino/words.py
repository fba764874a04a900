"""Kingdomino and Queendomino in words: the acts and what came of them; positions stand in `positions`."""

from __future__ import annotations

import numpy as np

from balance.cell import Cell
from balance.games.queendomino.kingdom import first_cell, second_cell
from balance.games.queendomino.names import (
    board_text,
    building_name,
    cell_name,
    domino_key,
    domino_text,
    half_text,
    host_text,
)
from balance.games.queendomino.positions import lay, read, show
from balance.games.queendomino.state import (
    CHOICES,
    DISCARD,
    FIRES,
    LEVIES,
    NO_BUILDING,
    NO_DRAGON,
    PURCHASES,
    SITES,
)
from balance.words import counted, listed

__all__ = ["heading", "lay", "read", "say", "show", "tell"]


def heading(state: np.record, cell: Cell) -> str:
    """Name the round; in a dynasty, the game as well."""
    game = f"Game {state.part + 1}, " if cell.rules[0].dynasty > 1 else ""
    return f"{game}Round {state.rounds}" if state.rounds else f"{game}First choice"


def say(state: np.record, act: int, cell: Cell) -> str:
    """Name `act` as `state.seat` would play it here; "" for a number that names nothing here."""
    if act < DISCARD:
        return _placement(state, act, cell)
    if act < CHOICES:
        return "discard the domino"
    if act < LEVIES:
        place = act - CHOICES
        in_line = place < cell.rules[0].line and state.claims[0] >= 0
        return f"choose {domino_text(state.line[place], cell)}" if in_line else ""
    if not cell.rules[0].town:
        return ""
    if act < NO_BUILDING:
        return _levy(state, act - LEVIES)
    if act == NO_BUILDING:
        return "build nothing"
    if act < SITES:
        return _purchase(state, act - PURCHASES, cell)
    if act < NO_DRAGON:
        name = cell_name(act - SITES)
        return name and f"put it on {name}"
    if act == NO_DRAGON:
        return "leave the dragon alone"
    kind = state.board[act - FIRES]
    return (
        f"have the dragon burn the {building_name(kind - 1, cell)} on spot {act - FIRES + 1}" if kind else ""
    )


def _placement(state: np.record, act: int, cell: Cell) -> str:
    one, two = cell_name(first_cell(act)), cell_name(second_cell(act))
    if not one or not two or not state.rounds:
        return ""
    domino = cell.rules[0]["dominoes"][state.due[state.slot]]
    return f"place {half_text(domino, 0)} on {one} and {half_text(domino, 1)} on {two}"


def _levy(state: np.record, halves: int) -> str:
    kingdom = state.kingdoms[state.homes[state.seat]]
    names = [cell_name(kingdom.first), cell_name(kingdom.second)]
    if not kingdom.first and halves:
        return ""
    return (
        "send no knight",
        f"send a knight to {names[0]}",
        f"send a knight to {names[1]}",
        f"send knights to {names[0]} and {names[1]}",
    )[halves]


def _purchase(state: np.record, spot: int, cell: Cell) -> str:
    kind = state.board[spot]
    if not kind:
        return ""
    cost = int(cell.game.plain.price(state, cell.rules[0], state.homes[state.seat], spot))
    return f"buy the {building_name(kind - 1, cell)} on spot {spot + 1} for {counted(cost, 'coin')}"


def tell(before: np.record, act: int, after: np.record, cell: Cell) -> list[str]:
    """Say what came of `act`: points and coins, the queen, and what the end of a round brings."""
    lines = [_own(before, act, after, cell)]
    if after.queen != before.queen:
        lines.append(f"the queen moves to {host_text(int(after.queen) - 1, after)}")
    if after.part != before.part:
        lines.append("the game is over, and the next begins")
    if after.turn != before.turn or after.part != before.part:
        lines += _new_round(before, after, cell)
    return [line for line in lines if line]


def _own(before: np.record, act: int, after: np.record, cell: Cell) -> str:
    """Say what changed in the kingdom of the seat that acted."""
    home = before.homes[before.seat]
    was, now = before.kingdoms[home], after.kingdoms[home]
    if after.part != before.part:
        return ""
    parts = []
    if now.land_points != was.land_points:
        parts.append(f"territories {now.land_points} ({now.land_points - was.land_points:+})")
    if now.coins != was.coins:
        parts.append(f"coins {now.coins} ({now.coins - was.coins:+})")
    if now.knights > was.knights:
        parts.append(f"takes {counted(int(now.knights - was.knights), 'knight')}")
    if now.towers > was.towers:
        parts.append(f"has {counted(int(now.towers), 'tower')}")
    if PURCHASES <= act < SITES and after.phase == before.phase + 1:
        parts.append("has several towns to put it in")
    return listed(parts, "")


def _new_round(before: np.record, after: np.record, cell: Cell) -> list[str]:
    lines = []
    left = [place for place in range(cell.rules[0].line) if _unclaimed(before, after, place)]
    if left:
        names = [domino_key(before.line[place], cell) for place in left]
        lines.append(f"out of the game: {listed(names)}")
    if after.claims[0] >= 0:
        dominoes = [domino_text(number, cell) for number in after.line[: cell.rules[0].line]]
        lines.append(f"new line: {', '.join(dominoes)}")
    else:
        lines.append("last round")
    if cell.rules[0].town:
        lines.append(f"builders' board: {board_text(after, cell)}")
    return lines


def _unclaimed(before: np.record, after: np.record, place: int) -> bool:
    return bool(
        after.part == before.part and after.owners[place] == 0 and after.due[place] == before.line[place]
    )
