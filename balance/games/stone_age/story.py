"""What came of an act, in words: the lines that follow it in a replay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from balance.cell import Cell
from balance.games.stone_age import acts
from balance.games.stone_age.names import at_place, goods, in_hand, members, name_of, stock, tiles_of, who
from balance.games.stone_age.state import (
    BUILDING,
    CARD_PLACES,
    EXTRA_BILL,
    FACES,
    FOOD,
    NONE,
    PICK_DIE,
    PLACES,
    SPLIT_HUNT,
    TRADER,
    USE_TOOLS,
)
from balance.replay import copied
from balance.words import counted, listed


def tell(before: np.record, act: int, after: np.record, cell: Cell) -> list[str]:
    """Say what came of `act`: for the player, for the others, then what followed by itself."""
    lines = [
        "; ".join(part for part in _of_actor(before, act, after, cell) if part),
        *_of_others(before, after, cell),
        *_of_round(before, after, cell),
    ]
    return [line for line in lines if line]


def _of_actor(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """What the player did, paid and got."""
    seat = int(before.seat)
    if act < acts.RESOLVE_AT:
        yield at_place(before, act // acts.NUMBERS, cell)
    elif acts.TAKE <= act < acts.OPEN_CHOICE:
        yield at_place(before, (act - acts.TAKE) % PLACES, cell)
    elif before.phase == PICK_DIE:
        yield _face(cell, int(before.style), act - acts.PICK)
    yield _of_trade(before, act, cell)
    yield from _of_roll(before, act, after)
    yield from _changes(before, after, seat, cell)
    if after.picks > 0 and before.picks == 0:
        yield f"dice {_dice(after)}"


def _of_trade(before: np.record, act: int, cell: Cell) -> str:
    """The trade that is usual, where the act leaves it to that."""
    rules, state = cell.rules[0], copied(before, cell)
    if acts.TRADE_AND_TAKE <= act < acts.PAY_OTHERWISE:
        bill = cell.game.plain.bill_of(state, rules, act - acts.TRADE_AND_TAKE)
    elif act == acts.EXTRA_BY_TRADE:
        bill = EXTRA_BILL
    else:
        return ""
    code = cell.game.plain.usual_trade(state, rules, rules.tiles[bill], state.players[before.seat])
    given, got = divmod(int(code), acts.HANDFULS)
    return f"trades {goods(in_hand(given))} for {goods(in_hand(got))}"


def _of_roll(before: np.record, act: int, after: np.record) -> Iterator[str]:
    """The pips thrown, and the tools used."""
    thrown = acts.RESOLVE_AT <= act < acts.TAKE and act != acts.RESOLVE_AT + TRADER
    card = acts.TAKE <= act < acts.OPEN_CHOICE and _rolled(before, after)
    if thrown or card:
        yield f"rolls {int(after.roll.pips)}"
    if before.phase == USE_TOOLS and act > acts.TOOLS:
        roll = before.roll
        player = before.players[before.seat]
        added = 0
        for index in range(acts.TILE_TOOLS + 4):
            if (act - acts.TOOLS) >> index & 1:
                added += tiles_of(player)[index] if index < 3 else int(player.one_use[index - 3])
        yield f"{int(roll.pips)} and {added} by tools"
    if after.phase == SPLIT_HUNT and before.phase != SPLIT_HUNT:
        yield f"{counted(int(after.roll.units), 'unit')} of food or jewellery"


def _rolled(before: np.record, after: np.record) -> bool:
    names = ("place", "pips", "yields", "divisor")
    return any(before.roll[name] != after.roll[name] for name in names) and after.roll.yields != FOOD


def _face(cell: Cell, style: int, face: int) -> str:
    """Say what a face of a market's die stands for."""
    entry = cell.components["markets"]["style_market" if style else "market"]["faces"][face]
    parts = [str(entry["amount"])] if "amount" in entry else []
    return " ".join([*parts, str(entry.get("resource", entry["effect"])).replace("_", " ")])


def _dice(state: np.record) -> str:
    faces = [str(face + 1) for face in range(FACES) for _ in range(int(state.market[face]))]
    return listed(faces)


def _changes(before: np.record, after: np.record, seat: int, cell: Cell) -> Iterator[str]:
    """What a player paid and got, but for the feeding."""
    old, new = before.players[seat], after.players[seat]
    change = [int(n) - int(o) for o, n in zip(old.goods, new.goods, strict=True)]
    if min(change) < 0:
        yield f"pays {goods([max(0, -number) for number in change])}"
    if max(change) > 0:
        yield f"gets {goods([max(0, number) for number in change])}"
    if new.food != old.food and not _fed(before, after):
        yield f"{'gets' if new.food > old.food else 'pays'} {abs(int(new.food) - int(old.food))} food"
    if new.tools > old.tools:
        yield f"tools {' + '.join(str(value) for value in tiles_of(new) if value)}"
    for slot in range(len(new.one_use)):
        if new.one_use[slot] > 0 and old.one_use[slot] == 0:
            yield f"a one-use tool {int(new.one_use[slot])}"
    for word, label in (("figures", "figures"), ("agriculture", "agriculture"), ("trade", "trade level")):
        if new[word] > old[word]:
            yield f"{label} {int(new[word])}"
    for card in members(int(new.cards) & ~int(old.cards)):
        drawn = int(new.secret) >> card & 1
        yield f"{'draws' if drawn else 'has'} {name_of('cards', card, cell)}"
    if new.buildings > old.buildings:
        yield counted(int(new.buildings), "building")
    points = sum(int(new[word]) - int(old[word]) for word in ("points_buildings", "points_cards"))
    if points:
        yield counted(points, "point")
    if new.choice > old.choice:
        yield f"may take {counted(int(new.choice), 'resource')} of choice, now or later"


def _fed(before: np.record, after: np.record) -> bool:
    """Say whether tribes were fed by this act."""
    return bool(after.turn != before.turn or after.round_phase == 2 or before.round_phase == 2)


def _of_others(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """What became of the others, by what follows of itself."""
    for seat in range(before.seats):
        if seat != before.seat:
            changes = list(_changes(before, after, seat, cell))
            if changes:
                yield f"{who(seat)}: {'; '.join(changes)}"


def _of_round(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """Tribes that go hungry, the food left, the new round, the end."""
    for seat in range(before.seats):
        old, new = before.players[seat], after.players[seat]
        if new.hungry > old.hungry:
            lost = int(old.points_hunger) - int(new.points_hunger)
            yield f"{who(seat)} cannot feed its tribe, or will not: {counted(lost, 'point')} and all food lost"
    if after.turn == before.turn:
        return
    stocks = [f"{who(seat)} {stock(after.players[seat])}" for seat in range(after.seats)]
    yield f"fed; left: {'; '.join(stocks)}"
    if after.over:
        ends = {1: "too few cards for another round", 2: "a stack of buildings is empty"}
        yield f"the game ends: {ends[int(after.ended)]}"
        return
    shown = [
        f"{place + 1}: {name_of('cards', int(after.display[place]), cell)}"
        for place in range(CARD_PLACES)
        if after.display[place] != NONE
    ]
    built = [f"{s + 1}: {at_place(after, BUILDING + s, cell)}" for s in range(after.seats)]
    yield f"cards: {'; '.join(shown)}"
    yield f"buildings: {'; '.join(built)}"
