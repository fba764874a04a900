"""Tiles of the locations in Kingdom Builder: who takes one, and who loses it (p. 4 and 7)."""

from balance.games.kingdom_builder.board import bit_in, touches
from balance.games.kingdom_builder.state import DIRECTIONS, QUADRANTS, SIDE, SPECIALS


def take_tiles(state, rules, spot):
    """Take a tile from a location next to the settlement, if one is left: one from each location, ever."""
    met = touches(state, rules, spot)
    if met == 0:
        return
    player = state.players[state.seat]
    for number in range(QUADRANTS * SPECIALS):
        if met >> number & 1 and state.tiles[number] and player.visited >> number & 1 == 0:
            state.tiles[number] -= 1
            player.visited |= 1 << number
            player.holds |= 1 << number
            player.fresh[state.location[number // SPECIALS]] += 1
            player.tiles_taken += 1
            if player.first_tile == 0:
                player.first_tile = state.turn + 1


def lose_tiles(state, rules, origin):
    """Give the tile of a location out of the game if no own settlement touches the location any more."""
    left = touches(state, rules, origin)
    player = state.players[state.seat]
    if left & player.holds == 0:
        return
    for number in range(QUADRANTS * SPECIALS):
        if left & player.holds & 1 << number and not stands_by(state, rules, player, number):
            player.holds &= ~(1 << number)
            player.tiles_lost += 1
            give_tile(player, state.location[number // SPECIALS])


def stands_by(state, rules, player, number):
    """Say whether an own settlement is next to a location or castle."""
    spot = special_hex(state, rules, number)
    for direction in range(DIRECTIONS):
        other = rules.next_to[spot][direction]
        if other >= 0 and bit_in(player.houses, other):
            return True
    return False


def special_hex(state, rules, number):
    """Return the hex of a location or castle."""
    quadrant = number // SPECIALS
    inner = rules.sections[state.section[quadrant]].special_at[number % SPECIALS]
    row = quadrant // 2 * 10 + inner // 10
    return row * SIDE + quadrant % 2 * 10 + inner % 10


def give_tile(player, kind):
    """Of several tiles of a kind, the one goes that is least missed: used, then just taken, then ready."""
    if player.used[kind]:
        player.used[kind] -= 1
    elif player.fresh[kind]:
        player.fresh[kind] -= 1
    else:
        player.ready[kind] -= 1
