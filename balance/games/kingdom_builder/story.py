"""What came of an act, in words: tiles taken and lost, terrain cards, the end of a turn and of the game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.cell import Cell
from balance.games.kingdom_builder.acts import DRAW, END
from balance.games.kingdom_builder.names import TERRAIN_NAMES, entry_name
from balance.games.kingdom_builder.state import CARDS, KINDS, NO_CARD, TERRAINS
from balance.words import counted, listed


def tell(before: np.record, act: int, after: np.record, cell: Cell) -> list[str]:
    """Say what came of `act`."""
    return [line for part in (_of_tiles, _of_cards, _of_turn) for line in part(before, act, after, cell)]


def _of_tiles(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """The tiles that the acting player took or lost, and the supply where it runs low."""
    old, new = before.players[before.seat], after.players[before.seat]
    if act < END:
        for kind in range(KINDS):
            name = entry_name(cell, "locations", kind) if kind < cell.rules[0].kind_count else ""
            if new.fresh[kind] > old.fresh[kind]:
                yield f"takes a tile of the {name}"
            if _held(new, kind) < _held(old, kind):
                yield f"loses the tile of the {name}"
    if new.supply < old.supply <= 4:
        yield f"{counted(int(new.supply), 'settlement')} left"
    if after.final and not before.final:
        yield "the supply has run out: this is the last round"


def _held(player: np.record, kind: int) -> int:
    return int(player.ready[kind] + player.used[kind] + player.fresh[kind])


def _of_cards(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """Terrain cards that left the game because their terrain is full, and the one played instead."""
    out = [int(after.removed[t]) - int(before.removed[t]) for t in range(TERRAINS)]
    for terrain in range(TERRAINS):
        if out[terrain]:
            yield (
                f"no free hex of {TERRAIN_NAMES[terrain]}: "
                f"{counted(out[terrain], 'card')} of it out of the game"
            )
    if any(out) or act == DRAW:
        yield "no terrain card is left" if after.card == NO_CARD else f"plays {TERRAIN_NAMES[after.card]}"
    if after.shuffles > before.shuffles:
        yield "the discards are shuffled into a new pile"


def _of_turn(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """The card drawn at the end of the turn, the card that the next player plays, or the gold at the end."""
    if act < END:
        return
    old, new = before.players[before.seat], after.players[before.seat]
    held = [int(n) - int(o) for o, n in zip(old.hand, new.hand, strict=True)]
    drawn = [TERRAIN_NAMES[t] for t in range(TERRAINS) for _ in range(held[t])]
    yield f"draws {listed(drawn)}"
    if after.over:
        yield from _gold(after, cell)
    elif after.card != NO_CARD:
        yield f"seat {after.seat + 1} plays {TERRAIN_NAMES[after.card]}"


def _gold(after: np.record, cell: Cell) -> Iterator[str]:
    lib, rules = cell.game.plain, cell.rules[0]
    for seat in range(after.seats):
        parts = [
            f"{entry_name(cell, 'cards', card)} {lib.card_points(after, rules, card, seat)}"
            for card in range(CARDS)
            if after.in_play >> card & 1
        ]
        parts.append(f"castles {lib.castle_points(after, rules, seat)}")
        yield f"seat {seat + 1} has {lib.score(after, rules, seat)} gold: {', '.join(parts)}"
