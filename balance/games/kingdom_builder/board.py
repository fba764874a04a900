"""Hexes and the settlements on them: what is free, what is next to what, and which groups there are."""

import numpy as np

from balance.games.kingdom_builder.state import (
    BUILDABLE,
    CASTLE,
    DIRECTIONS,
    FULL_ROW,
    GROUPS,
    LOCATION,
    MOUNTAIN,
    QUADRANTS,
    SECTION,
    SIDE,
    SPECIALS,
    TERRAINS,
    WATER,
)

LOOSE = -1  # in place of a group's number, while a group is put together anew

# The place of the one bit of a power of two below 2**36, by its remainder: 2 generates the residues of 37.
PLACE = np.array([next((bit for bit in range(36) if 2**bit % 37 == rest), 0) for rest in range(37)], np.int64)


def first_bit(row):
    """Return the place of the lowest bit of a row that is not empty."""
    return PLACE[(row & -row) % 37]


def size(row):
    """Count the bits of a number below 2**32."""
    bits = np.int64(row)
    bits = bits - ((bits >> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >> 2) & 0x33333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F
    return ((bits * 0x01010101) & 0xFFFFFFFF) >> 24


def edge_of(row):
    """Return the hexes of a row that lie on the border of the board."""
    return FULL_ROW if row == 0 or row == SIDE - 1 else 1 | 1 << (SIDE - 1)


def quadrant_of(spot):
    """Return the quadrant that a hex lies in."""
    return spot // SIDE // SECTION * 2 + spot % SIDE // SECTION


def local(spot):
    """Return the number of a hex within its section."""
    return spot // SIDE % SECTION * SECTION + spot % SECTION


def kind_of(state, rules, spot):
    """Return the kind of a hex: its terrain, water, mountain, location or castle."""
    return rules.sections[state.section[quadrant_of(spot)]].terrain[local(spot)]


def touches(state, rules, spot):
    """Return the locations and castles next to a hex, a bit each."""
    found = 0
    if bit_in(state.beside_special, spot):
        for direction in range(DIRECTIONS):
            other = rules.next_to[spot][direction]
            if other >= 0:
                quadrant = quadrant_of(other)
                special = rules.sections[state.section[quadrant]].special_on[local(other)]
                found |= special << (SPECIALS * quadrant)
    return found


def bit_in(rows, spot):
    """Say whether a hex belongs to a set."""
    return rows[spot // SIDE] >> (spot % SIDE) & 1 != 0


def beside(rows, row):
    """Return the hexes of `row` that are next to a hex of the set `rows`."""
    found = rows[row] << 1 | rows[row] >> 1
    if row > 0:
        found |= slanting(rows[row - 1], row)
    if row < SIDE - 1:
        found |= slanting(rows[row + 1], row)
    return found & FULL_ROW


def slanting(other, row):
    """Return the hexes of `row` that are next to the hexes `other` of the row above or below it."""
    return other | other >> 1 if row % 2 else other | other << 1


def lay_sections(state, rules):
    """Note what the four sections show: the hexes that are free, and those beside water and the like."""
    for quadrant in range(QUADRANTS):
        section = rules.sections[state.section[quadrant]]
        shift = SECTION * (quadrant % 2)
        for inner in range(SECTION):
            row = inner + SECTION * (quadrant // 2)
            for kind in range(TERRAINS):
                state.free[kind][row] |= section.rows[kind][inner] << shift
            state.free[WATER][row] |= section.rows[WATER][inner] << shift
            state.free[BUILDABLE][row] |= section.rows[BUILDABLE][inner] << shift
            state.water[row] |= section.rows[WATER][inner] << shift
            state.beside_mountain[row] |= section.rows[MOUNTAIN][inner] << shift
            special = section.rows[LOCATION][inner] | section.rows[CASTLE][inner]
            state.beside_special[row] |= special << shift
    for row in range(SIDE):
        state.beside_water[row] = beside(state.water, row)
    spread(state.beside_mountain)
    spread(state.beside_special)


def spread(rows):
    """Turn a set of hexes into the set of those next to them, in place."""
    above = 0
    for row in range(SIDE):
        here = rows[row]
        found = here << 1 | here >> 1
        if row > 0:
            found |= slanting(above, row)
        if row < SIDE - 1:
            found |= slanting(rows[row + 1], row)
        rows[row] = found & FULL_ROW
        above = here


# Settlements


def place(state, rules, seat, spot):
    """Put a settlement of `seat` on a free hex."""
    player = state.players[seat]
    row, column = spot // SIDE, spot % SIDE
    bit = 1 << column
    player.houses[row] |= bit
    player.near[row] |= (bit << 1 | bit >> 1) & FULL_ROW
    pair = (bit | bit << 1) & FULL_ROW if row % 2 else bit | bit >> 1  # in the rows above and below
    if row > 0:
        player.near[row - 1] |= pair
    if row < SIDE - 1:
        player.near[row + 1] |= pair
    kind = kind_of(state, rules, spot)
    state.free[kind][row] &= ~bit
    state.free[BUILDABLE][row] &= ~bit
    player.in_quadrant[quadrant_of(spot)] += 1
    join(state, rules, seat, spot)


def lift(state, rules, seat, spot):
    """Take a settlement of `seat` off the board; its hex is free again."""
    player = state.players[seat]
    row, column = spot // SIDE, spot % SIDE
    bit = 1 << column
    player.houses[row] &= ~bit
    for other in range(max(row - 1, 0), min(row + 2, SIDE)):
        player.near[other] = beside(player.houses, other)
    kind = kind_of(state, rules, spot)
    state.free[kind][row] |= bit
    if kind < TERRAINS:
        state.free[BUILDABLE][row] |= bit
    player.in_quadrant[quadrant_of(spot)] -= 1
    part(state, rules, seat, spot)


def join(state, rules, seat, spot):
    """Let a settlement join the groups of `seat` next to it, which become one, or be a group of its own."""
    player = state.players[seat]
    near, houses, groups = rules.next_to[spot], player.houses, state.group
    group = 0
    for direction in range(DIRECTIONS):
        other = near[direction]
        if other >= 0 and bit_in(houses, other) and groups[other] > 0:
            met = groups[other]
            if group == 0:
                group = met
            elif met != group:
                merge(state, player, group, met)
    if group == 0:
        group = unused_group(player)
    state.group[spot] = group
    player.group_size[group] += 1
    player.group_touches[group] |= touches(state, rules, spot)


def unused_group(player):
    """Return the lowest number that no group of the player has."""
    sizes = player.group_size
    for group in range(1, GROUPS):
        if sizes[group] == 0:
            return group
    return 0


def merge(state, player, group, other):
    """Make one group of two: the settlements of `other` go over to `group`."""
    for row in range(SIDE):
        houses = np.int64(player.houses[row])
        while houses != 0:
            spot = row * SIDE + first_bit(houses)
            houses &= houses - 1
            if state.group[spot] == other:
                state.group[spot] = group
    player.group_size[group] += player.group_size[other]
    player.group_touches[group] |= player.group_touches[other]
    player.group_size[other] = 0
    player.group_touches[other] = 0


def part(state, rules, seat, spot):
    """Take the settlement that stood on `spot` out of its group, which may fall into several."""
    player = state.players[seat]
    group = state.group[spot]
    state.group[spot] = 0
    if player.group_size[group] == 1:
        player.group_size[group] = 0
        player.group_touches[group] = 0
        return
    if touches(state, rules, spot) == 0 and own_neighbours(state, rules, seat, spot) == 1:
        player.group_size[group] -= 1
        return
    player.group_size[group] = 0
    player.group_touches[group] = 0
    for again in range(2):  # first all of the group are loose, then they join again one by one
        for row in range(SIDE):
            houses = np.int64(player.houses[row])
            while houses != 0:
                other = row * SIDE + first_bit(houses)
                houses &= houses - 1
                if again == 0 and state.group[other] == group:
                    state.group[other] = LOOSE
                elif again == 1 and state.group[other] == LOOSE:
                    join(state, rules, seat, other)


def own_neighbours(state, rules, seat, spot):
    """Count the settlements of `seat` next to a hex."""
    near, houses = rules.next_to[spot], state.players[seat].houses
    count = 0
    for direction in range(DIRECTIONS):
        other = near[direction]
        if other >= 0 and bit_in(houses, other):
            count += 1
    return count


def touched(player):
    """Return the locations and castles that the player's settlements touch, a bit each."""
    links = player.group_touches
    found = 0
    for group in range(1, GROUPS):
        found |= links[group]
    return found
