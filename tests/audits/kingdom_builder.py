"""Plays games and checks after every act what must never change; linked and compiled like the engine."""

from balance.engine import decide, open_table
from balance.games.kingdom_builder.board import (
    bit_in,
    kind_of,
    lay_sections,
    own_neighbours,
    quadrant_of,
    size,
    touches,
)
from balance.games.kingdom_builder.locations import stands_by
from balance.games.kingdom_builder.scoring import card_points, castle_points
from balance.games.kingdom_builder.state import (
    BUILDABLE,
    CARDS,
    DIRECTIONS,
    GROUPS,
    HEXES,
    KINDS,
    MOUNTAIN,
    PUT_DOWN,
    QUADRANTS,
    SIDE,
    SPECIALS,
    TERRAINS,
    WATER,
)
from balance.protocol import apply, score

(
    SETTLEMENTS_LOST,
    TWO_ON_A_HEX,
    NOT_BUILDABLE,
    FREE_HEXES_WRONG,
    NEIGHBOURS_WRONG,
    GROUPS_WRONG,
    QUADRANTS_WRONG,
    TILES_LOST,
    TILE_WITHOUT_SETTLEMENT,
    TERRAIN_CARDS_LOST,
    SCORE_IS_NOT_ITS_SOURCES,
    SUPPLY_GREW,
    NOTHING_TO_DO,
    UNFINISHED,
) = range(14)
STREAMS = 3
CLOSELY = 16  # one game of so many is looked at hex by hex


def audit(found, acts_played, lineups, rules, bots, desks, seed, games, seats, limit):
    """Play `games` games, game i being block i; count in `found` what broke, in `acts_played[0]` the acts."""
    desk = desks[0]
    for game in range(games):
        lineup = lineups[game * seats : (game + 1) * seats]
        desk.state = desk.blank
        state = desk.state
        state.seats = seats
        open_table(state, rules[0], bots, lineup, desk.rng, desk, STREAMS, seed, game, game)
        for _ in range(limit):
            if state.over:
                break
            act = decide(state, rules[0], bots, lineup, desk.rng, desk)
            if act < 0:
                found[NOTHING_TO_DO] += 1
                break
            seat, supply = state.seat, state.players[state.seat].supply
            apply(state, rules[0], act, desk.rng)
            acts_played[0] += 1
            found[SUPPLY_GREW] += state.players[seat].supply > supply
            check(state, rules[0], found)
            if game % CLOSELY == 0:
                check_hexes(state, rules[0], found)
                check_counts(state, rules[0], found)
        if not state.over:
            found[UNFINISHED] += 1
        check_gold(state, rules[0], found)


def check(state, rules, found):
    """Count settlements, tiles and cards."""
    for row in range(SIDE):
        taken = 0
        for seat in range(state.seats):
            found[TWO_ON_A_HEX] += taken & state.players[seat].houses[row] != 0
            taken |= state.players[seat].houses[row]
        found[FREE_HEXES_WRONG] += taken & (state.free[BUILDABLE][row] | state.free[WATER][row]) != 0
    for seat in range(state.seats):
        player = state.players[seat]
        lifted = state.phase == PUT_DOWN and state.seat == seat
        found[SETTLEMENTS_LOST] += standing(player) + lifted + player.supply != rules.settlements
    check_tiles(state, rules, found)
    check_cards(state, rules, found)


def standing(player):
    """Count the settlements on the board."""
    count = 0
    for row in range(SIDE):
        count += size(player.houses[row])
    return count


def check_counts(state, rules, found):
    """Compare what is counted by group and by quadrant with the settlements."""
    for seat in range(state.seats):
        player = state.players[seat]
        stood, in_groups, in_quadrants = standing(player), 0, 0
        for group in range(1, GROUPS):
            in_groups += player.group_size[group]
        for quadrant in range(QUADRANTS):
            in_quadrants += player.in_quadrant[quadrant]
        found[GROUPS_WRONG] += in_groups != stood
        found[QUADRANTS_WRONG] += in_quadrants != stood


def check_tiles(state, rules, found):
    """Each tile is on its location, held by one of its visitors, or out of the game."""
    for quadrant in range(QUADRANTS):
        for special in range(rules.sections[state.section[quadrant]].specials):
            number = SPECIALS * quadrant + special
            taken = 0
            for seat in range(state.seats):
                taken += state.players[seat].visited >> number & 1
            castle = state.castles >> number & 1 != 0
            found[TILES_LOST] += taken + state.tiles[number] != (0 if castle else rules.tiles)
    for seat in range(state.seats):
        player = state.players[seat]
        found[TILES_LOST] += player.holds & ~player.visited != 0
        held, owned = 0, size(player.holds)
        for kind in range(KINDS):
            found[TILES_LOST] += min(player.ready[kind], player.used[kind], player.fresh[kind]) < 0
            held += player.ready[kind] + player.used[kind] + player.fresh[kind]
        found[TILES_LOST] += held != owned
        if state.phase != PUT_DOWN or state.seat != seat:
            for number in range(QUADRANTS * SPECIALS):
                if player.holds >> number & 1 and not stands_by(state, rules, player, number):
                    found[TILE_WITHOUT_SETTLEMENT] += 1


def check_cards(state, rules, found):
    """Each terrain card is in the pile, in a hand, played, among the discards or out of the game."""
    for terrain in range(TERRAINS):
        count = state.discards[terrain] + state.removed[terrain]
        count += state.card == terrain and state.over == 0
        for place in range(state.deck_size):
            count += state.deck[place] == terrain
        for seat in range(state.seats):
            count += state.players[seat].hand[terrain]
        found[TERRAIN_CARDS_LOST] += count != rules.terrain_cards


def check_hexes(state, rules, found):
    """Compare every set of hexes with the hexes themselves."""
    for spot in range(HEXES):
        kind, owner = kind_of(state, rules, spot), -1
        for seat in range(state.seats):
            if bit_in(state.players[seat].houses, spot):
                owner = seat
            near = own_neighbours(state, rules, seat, spot) > 0
            found[NEIGHBOURS_WRONG] += bit_in(state.players[seat].near, spot) != near
        found[NOT_BUILDABLE] += owner >= 0 and kind >= MOUNTAIN
        for other in range(TERRAINS + 1):
            found[FREE_HEXES_WRONG] += bit_in(state.free[other], spot) != (owner < 0 and kind == other)
        found[FREE_HEXES_WRONG] += bit_in(state.free[BUILDABLE], spot) != (owner < 0 and kind < TERRAINS)
        found[GROUPS_WRONG] += (state.group[spot] > 0) != (owner >= 0)
        if owner >= 0:
            check_group(state, rules, found, owner, spot)


def check_group(state, rules, found, owner, spot):
    """Neighbours share a group, and the group knows what the settlement touches."""
    player = state.players[owner]
    group = state.group[spot]
    found[GROUPS_WRONG] += touches(state, rules, spot) & ~player.group_touches[group] != 0
    for direction in range(DIRECTIONS):
        other = rules.next_to[spot][direction]
        if other >= 0 and bit_in(player.houses, other):
            found[GROUPS_WRONG] += state.group[other] != group


def check_gold(state, rules, found):
    """The score is the sum of what pays."""
    for seat in range(state.seats):
        gold = castle_points(state, rules, seat)
        for card in range(CARDS):
            gold += card_points(state, rules, card, seat)
        found[SCORE_IS_NOT_ITS_SOURCES] += gold != score(state, rules, seat)


# All maps

TOUCHES_TWO, SPECIAL_ON_BORDER, BESIDE_WRONG, NUMBERS_WRONG = range(4)


def audit_maps(found, rules, desks):
    """Lay all boards of four different printed sections, each either way up; return how many there are."""
    desk = desks[0]
    sections = rules[0].section_count
    maps = 0
    for number in range((2 * sections) ** QUADRANTS):
        desk.state = desk.blank
        state = desk.state
        rest = number
        for quadrant in range(QUADRANTS):
            state.section[quadrant] = rest % (2 * sections)
            rest //= 2 * sections
        if all_differ(state):
            lay_sections(state, rules[0])
            check_map(state, rules[0], found)
            maps += 1
    return maps


def all_differ(state):
    """Say whether no section lies twice on the board."""
    for quadrant in range(QUADRANTS):
        for other in range(quadrant):
            if state.section[quadrant] // 2 == state.section[other] // 2:
                return False
    return True


def check_map(state, rules, found):
    """No hex touches two locations or castles, none lies on a border, and the sets of hexes are right."""
    buildable = 0
    for spot in range(HEXES):
        kind = kind_of(state, rules, spot)
        row, column = spot // SIDE % 10, spot % 10
        special = kind > MOUNTAIN
        found[SPECIAL_ON_BORDER] += special and (row % 9 == 0 or column % 9 == 0)
        found[TOUCHES_TWO] += size(touches(state, rules, spot)) > 1
        water, mountain, specials = False, False, False
        for direction in range(DIRECTIONS):
            other = rules.next_to[spot][direction]
            if other >= 0:
                near = kind_of(state, rules, other)
                water = water or near == WATER
                mountain = mountain or near == MOUNTAIN
                specials = specials or near > MOUNTAIN
        found[BESIDE_WRONG] += bit_in(state.beside_water, spot) != water
        found[BESIDE_WRONG] += bit_in(state.beside_mountain, spot) != mountain
        found[BESIDE_WRONG] += bit_in(state.beside_special, spot) != specials
        found[BESIDE_WRONG] += (touches(state, rules, spot) != 0) != specials
        buildable += kind < TERRAINS
        found[NUMBERS_WRONG] += quadrant_of(spot) != spot // 200 * 2 + spot % 20 // 10
    for row in range(SIDE):
        buildable -= size(state.free[BUILDABLE][row])
    found[NUMBERS_WRONG] += buildable != 0
