"""What a player may do in a turn of Kingdom Builder: play a card, build, use a tile (p. 4-5, 7)."""

import numpy as np

from balance.games.kingdom_builder.acts import BUILD, DRAW, END, PLAY, PUT, USE
from balance.games.kingdom_builder.board import bit_in, edge_of, first_bit, kind_of
from balance.games.kingdom_builder.state import (
    AFTER,
    BEFORE,
    BUILDABLE,
    BUILDING,
    CARD,
    DIRECTIONS,
    EDGE,
    HEXES,
    JUMP,
    LINE,
    NO_CARD,
    PLAY_CARD,
    PUT_DOWN,
    SIDE,
    TERRAINS,
)

RUN = 3  # settlements in a straight line that the tavern continues


def legal(state, rules, acts):
    """What the player may do, by the kind of decision."""
    if state.phase == PLAY_CARD:
        return legal_cards(state, acts)
    if state.phase == PUT_DOWN:
        kind = rules.kinds[state.lifted]
        return legal_spots(state, rules, kind.on, kind.adjacent, state.origin, PUT, acts, 0)
    count = 0
    if state.phase != AFTER:
        count = legal_builds(state, rules, acts)
    if state.phase != BUILDING:
        count = legal_uses(state, rules, acts, count)
    if state.phase == AFTER:
        acts[count] = END
        count += 1
    return count


def legal_cards(state, acts):
    """Any kind of card in hand may be played."""
    count = 0
    for terrain in range(TERRAINS):
        if state.players[state.seat].hand[terrain]:
            acts[count] = PLAY + terrain
            count += 1
    return count


def legal_builds(state, rules, acts):
    """Settlements of the mandatory action: on the card's terrain, next to an own one if possible (p. 5)."""
    count = legal_spots(state, rules, state.card, rules.adjacency, 0, BUILD, acts, 0)
    if count == 0:
        acts[0] = DRAW
        return 1
    return count


def legal_uses(state, rules, acts, count):
    """Each tile may be used once, before or after the mandatory action, never within it (p. 4)."""
    player = state.players[state.seat]
    for kind in range(rules.kind_count):
        if player.ready[kind]:
            used = rules.kinds[kind]
            start = USE + kind * HEXES
            if used.moves:
                count = legal_lifts(state, rules, used.on, start, acts, count)
            elif can_build_extra(state, rules):
                count = legal_spots(
                    state, rules, used.on, used.adjacent and rules.adjacency, 0, start, acts, count
                )
    return count


def can_build_extra(state, rules):
    """An extra settlement comes from the supply, too (p. 4)."""
    supply = state.players[state.seat].supply
    if rules.extra_builds and state.phase == BEFORE:
        return supply > state.to_build
    return supply > 0


# Where a settlement may go (p. 5 and 7)


def legal_spots(state, rules, on, adjacent, origin, start, acts, count):
    """Write `start` + hex for each hex where a settlement may go; return how many acts there are then."""
    if on == LINE:
        return legal_line_ends(state, rules, start, acts, count)
    if on == JUMP:
        return legal_jumps(state, rules, origin, start, acts, count)
    if on == CARD and state.card == NO_CARD:
        return count
    free, near = free_rows(state, on), state.players[state.seat].near
    adjacent = adjacent and is_beside_own(state, state.seat, on)
    for row in range(SIDE):
        found = open_in(free, near, on, adjacent, row)
        while found:
            acts[count] = start + row * SIDE + first_bit(found)
            found &= found - 1
            count += 1
    return count


def free_rows(state, on):
    """Return the free hexes of the kind wanted, a number for each row; of the border see `open_in`."""
    if on == CARD:
        return state.free[state.card]
    return state.free[BUILDABLE if on == EDGE else on]


def open_in(free, near, on, adjacent, row):
    """Return the hexes of a row where a settlement may go; `adjacent`: only next to own ones."""
    found = np.int64(free[row])
    if on == EDGE:
        found &= edge_of(row)
    if adjacent:
        found &= near[row]
    return found


def is_beside_own(state, seat, on):
    """Say whether a free hex of the kind is next to an own settlement."""
    free, near = free_rows(state, on), state.players[seat].near
    beside = np.int64(0)
    for row in range(SIDE):
        beside |= open_in(free, near, on, True, row)
    return beside != 0


def any_spot(state, on):
    """Say whether any hex is free of the kind wanted."""
    if on == CARD and state.card == NO_CARD:
        return False
    free = free_rows(state, on)
    found = np.int64(0)
    for row in range(SIDE):
        found |= open_in(free, free, on, False, row)
    return found != 0


def legal_line_ends(state, rules, start, acts, count):
    """Free hexes that continue a straight run of at least three own settlements, at either end (p. 7)."""
    player = state.players[state.seat]
    free, near = state.free[BUILDABLE], player.near
    for row in range(SIDE):
        found = open_in(free, near, LINE, True, row)
        while found:
            spot = row * SIDE + first_bit(found)
            found &= found - 1
            if ends_line(rules, player, spot):
                acts[count] = start + spot
                count += 1
    return count


def ends_line(rules, player, spot):
    """Say whether three own settlements lie in a straight line from `spot` on."""
    houses, next_to = player.houses, rules.next_to
    for direction in range(DIRECTIONS):
        other, run = spot, 0
        while run < RUN:
            other = next_to[other][direction]
            if other < 0 or not bit_in(houses, other):
                break
            run += 1
        if run == RUN:
            return True
    return False


def legal_jumps(state, rules, origin, start, acts, count):
    """Free buildable hexes exactly two away in a straight line, over anything (p. 7)."""
    for direction in range(DIRECTIONS):
        spot = rules.jumps[origin][direction]
        if spot >= 0 and bit_in(state.free[BUILDABLE], spot):
            acts[count] = start + spot
            count += 1
    return count


def legal_lifts(state, rules, on, start, acts, count):
    """Own settlements that can be moved: those for which there will be a hex to go to."""
    player = state.players[state.seat]
    anywhere = on != JUMP and on != LINE and any_spot(state, on)
    for row in range(SIDE):
        houses = np.int64(player.houses[row])
        while houses:
            spot = row * SIDE + first_bit(houses)
            houses &= houses - 1
            if anywhere or can_go(state, rules, on, spot):
                acts[count] = start + spot
                count += 1
    return count


def can_go(state, rules, on, spot):
    """Say whether the settlement on `spot` has a hex to go to, its own one among them once it is lifted."""
    if on == JUMP:
        for direction in range(DIRECTIONS):
            other = rules.jumps[spot][direction]
            if other >= 0 and bit_in(state.free[BUILDABLE], other):
                return True
        return False
    kind = kind_of(state, rules, spot)
    if on == CARD:
        return kind == state.card
    if on == EDGE:
        return kind < TERRAINS and edge_of(spot // SIDE) >> (spot % SIDE) & 1 != 0
    if on == BUILDABLE:
        return kind < TERRAINS
    return kind == on
