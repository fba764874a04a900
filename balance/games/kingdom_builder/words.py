"""Kingdom Builder in words: the acts; what comes of them is told in `story`, the table in `positions`."""

from __future__ import annotations

import numpy as np

from balance.cell import Cell
from balance.games.kingdom_builder.acts import BUILD, DRAW, PLAY, PUT, USE, hex_used, kind_used
from balance.games.kingdom_builder.names import TERRAIN_NAMES, entry_name, hex_name
from balance.games.kingdom_builder.positions import lay, read, show
from balance.games.kingdom_builder.story import tell

__all__ = ["heading", "lay", "read", "say", "show", "tell"]


def heading(state: np.record, cell: Cell) -> str:
    """Name the part of the game."""
    return f"Round {state.turn + 1}"


def say(state: np.record, act: int, cell: Cell) -> str:
    """Name `act` as `state.seat` would play it here; "" for a number that names nothing here."""
    if act < USE:
        return f"build on {hex_name(state, act - BUILD, cell)}"
    if act < PUT:
        kind, spot = kind_used(act), hex_name(state, hex_used(act), cell)
        if kind >= cell.rules[0].kind_count:
            return ""
        name = entry_name(cell, "locations", kind)
        if cell.rules[0].kinds[kind].moves:
            return f"take up the settlement on {spot} with the {name}"
        return f"build on {spot} with the {name}"
    if act < PLAY:
        return f"set it down on {hex_name(state, act - PUT, cell)}"
    if act < DRAW:
        return f"play {TERRAIN_NAMES[act - PLAY]}"
    return "draw a new terrain card" if act == DRAW else "end the turn"
