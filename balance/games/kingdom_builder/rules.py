"""Kingdom Builder in the order of its rulebook: set-up (p. 3), turn (p. 4-5), tiles (p. 7), end (p. 5-6)."""

import numpy as np

from balance.dice import at, below, shuffle
from balance.games.kingdom_builder.acts import (
    BUILD,
    DRAW,
    END,
    PLAY,
    PUT,
    USE,
    hex_used,
    is_use,
    kind_used,
)
from balance.games.kingdom_builder.board import (
    bit_in,
    edge_of,
    first_bit,
    kind_of,
    lay_sections,
    lift,
    place,
    touches,
)
from balance.games.kingdom_builder.house_rules import DRAWN, IN_PLAY, TURNED
from balance.games.kingdom_builder.scoring import card_points, castle_points, score
from balance.games.kingdom_builder.state import (
    AFTER,
    BEFORE,
    BUILDABLE,
    BUILDING,
    CARD,
    CARDS,
    CITIZENS,
    DIRECTIONS,
    DISCOVERERS,
    EDGE,
    FARMERS,
    FISHERMEN,
    HERMITS,
    HEXES,
    JUMP,
    KNIGHTS,
    LINE,
    LORDS,
    MERCHANTS,
    MINERS,
    NO_CARD,
    PLAY_CARD,
    PUT_DOWN,
    QUADRANTS,
    SIDE,
    SPECIALS,
    TERRAINS,
    WORKERS,
)

MAP, CARDS_DRAWN, DECK = range(3)  # streams of chance
RUN = 3  # settlements in a straight line that the tavern continues


# Set-up (p. 3)


def setup(state, rules, lineup, rng):
    """Lay the map, draw the cards, deal terrain cards; the first seat begins."""
    draw_sections(state, rules, rng)
    lay_out(state, rules)
    draw_locations(state, rules, rng)
    draw_cards(state, rules, rng)
    for seat in range(state.seats):
        state.players[seat].supply = rules.settlements
    for terrain in range(TERRAINS):
        state.discards[terrain] = rules.terrain_cards
    deal_terrain(state, rules, rng)
    begin_turn(state, rules, rng)


def draw_sections(state, rules, rng):
    """Draw four sections and which way up they lie, as far as the rules leave it open."""
    pile = state.deck  # not yet in use
    at(rng.chance[MAP], 0)
    for section in range(rules.section_count):
        pile[section] = section
    shuffle(rng.chance[MAP], pile, rules.section_count)
    at(rng.chance[MAP], 1)
    following = 0
    for quadrant in range(QUADRANTS):
        turned = below(rng.chance[MAP], 2)
        if way_of(rules, quadrant) != DRAWN:
            turned = 1 if way_of(rules, quadrant) == TURNED else 0
        section = section_of(rules, quadrant)
        if section < 0:
            while is_named(rules, pile[following]):
                following += 1
            section = pile[following]
            following += 1
        state.section[quadrant] = 2 * section + turned


def section_of(rules, quadrant):
    """Return the section that the rules lay there; -1 if it is drawn."""
    if quadrant == 0:
        return rules.top_left
    if quadrant == 1:
        return rules.top_right
    return rules.bottom_left if quadrant == 2 else rules.bottom_right


def way_of(rules, quadrant):
    """Return which way up the rules lay it."""
    if quadrant == 0:
        return rules.top_left_lies
    if quadrant == 1:
        return rules.top_right_lies
    return rules.bottom_left_lies if quadrant == 2 else rules.bottom_right_lies


def is_named(rules, section):
    """Say whether the rules lay this section somewhere."""
    for quadrant in range(QUADRANTS):
        if section_of(rules, quadrant) == section:
            return True
    return False


def lay_out(state, rules):
    """Lay the sections drawn: their terrain, their locations and castles."""
    lay_sections(state, rules)
    for quadrant in range(QUADRANTS):
        section = rules.sections[state.section[quadrant]]
        state.location[quadrant] = section.location
        state.castles |= section.castles << (SPECIALS * quadrant)


def draw_locations(state, rules, rng):
    """Draw the locations and castle tokens of the newer edition, if the rules ask for them; lay the tiles."""
    pile = state.deck
    if rules.locations:
        at(rng.chance[MAP], 2)
        for kind in range(rules.kind_count):
            pile[kind] = kind
        shuffle(rng.chance[MAP], pile, rules.kind_count)
        for quadrant in range(QUADRANTS):
            state.location[quadrant] = pile[quadrant % rules.kind_count]
    at(rng.chance[MAP], 3)
    for quadrant in range(QUADRANTS):
        pile[quadrant] = quadrant
    shuffle(rng.chance[MAP], pile, QUADRANTS)
    for token in range(rules.castle_tokens):
        lay_castle(state, rules, pile[token], rng)
    for quadrant in range(QUADRANTS):
        for special in range(rules.sections[state.section[quadrant]].specials):
            number = SPECIALS * quadrant + special
            if state.castles >> number & 1 == 0:
                state.tiles[number] = rules.tiles


def lay_castle(state, rules, quadrant, rng):
    """Lay a castle token on one location of a quadrant: it is a castle now."""
    specials = rules.sections[state.section[quadrant]].specials
    found = 0
    for special in range(specials):
        found += state.castles >> (SPECIALS * quadrant + special) & 1 == 0
    if found == 0:
        return
    chosen = below(rng.chance[MAP], found)
    for special in range(specials):
        number = SPECIALS * quadrant + special
        if state.castles >> number & 1 == 0:
            if chosen == 0:
                state.castles |= 1 << number
                return
            chosen -= 1


def draw_cards(state, rules, rng):
    """Draw the Kingdom Builder cards, as far as the rules leave it open."""
    pile = state.deck
    at(rng.chance[CARDS_DRAWN], 0)
    for card in range(CARDS):
        pile[card] = card
    shuffle(rng.chance[CARDS_DRAWN], pile, CARDS)
    count = 0
    for card in range(CARDS):
        if card_rule(rules, card) == IN_PLAY:
            state.in_play |= 1 << card
            count += 1
    for i in range(CARDS):
        if count < rules.cards_in_play and card_rule(rules, pile[i]) == DRAWN:
            state.in_play |= 1 << pile[i]
            count += 1


def card_rule(rules, card):
    """Return whether the rules draw a card, put it in play or leave it out."""
    if card == FISHERMEN:
        return rules.card_fishermen
    if card == MINERS:
        return rules.card_miners
    if card == WORKERS:
        return rules.card_workers
    if card == MERCHANTS:
        return rules.card_merchants
    if card == DISCOVERERS:
        return rules.card_discoverers
    if card == KNIGHTS:
        return rules.card_knights
    if card == HERMITS:
        return rules.card_hermits
    if card == CITIZENS:
        return rules.card_citizens
    return rules.card_lords if card == LORDS else rules.card_farmers


def deal_terrain(state, rules, rng):
    """Shuffle the terrain cards and deal each player the first hand."""
    for seat in range(state.seats):
        for _ in range(max(rules.first_hand, rules.terrain_hand)):
            terrain = draw_terrain(state, rng)
            if terrain != NO_CARD:
                state.players[seat].hand[terrain] += 1


# Terrain cards (p. 3-5)


def draw_terrain(state, rng):
    """Draw a terrain card; an empty pile is made of the discards, shuffled. NO_CARD if there are none."""
    if state.deck_size == 0:
        for terrain in range(TERRAINS):
            for _ in range(state.discards[terrain]):
                state.deck[state.deck_size] = terrain
                state.deck_size += 1
            state.discards[terrain] = 0
        at(rng.chance[DECK], state.shuffles)
        state.shuffles += 1
        shuffle(rng.chance[DECK], state.deck, state.deck_size)
    if state.deck_size == 0:
        return NO_CARD
    state.deck_size -= 1
    return state.deck[state.deck_size]


def hand_size(player):
    """Count the terrain cards held."""
    count = 0
    for terrain in range(TERRAINS):
        count += player.hand[terrain]
    return count


def refill(state, rules, seat, rng):
    """Draw terrain cards up to a full hand."""
    player = state.players[seat]
    for _ in range(rules.terrain_hand - hand_size(player)):
        terrain = draw_terrain(state, rng)
        if terrain == NO_CARD:
            return
        player.hand[terrain] += 1


def replace_dead_card(state, rules, rng):
    """A card whose terrain has no free hex leaves the game, and the next one is played at once (p. 5)."""
    while state.card != NO_CARD and not has_free(state, state.card):
        state.removed[state.card] += 1
        state.card = draw_terrain(state, rng)
    if state.card == NO_CARD:
        state.to_build = 0


def has_free(state, kind):
    """Say whether there is a free hex of a terrain, or of water."""
    return any_spot(state, kind)


# The turn (p. 4)


def begin_turn(state, rules, rng):
    """The player plays a terrain card: the only one, or one of several kinds."""
    player = state.players[state.seat]
    if hand_size(player) == 0:
        refill(state, rules, state.seat, rng)
    kinds, last = 0, NO_CARD
    for terrain in range(TERRAINS):
        if player.hand[terrain]:
            kinds += 1
            last = terrain
    state.card = NO_CARD
    if kinds > 1:
        state.phase = PLAY_CARD
        return
    play_card(state, rules, last)


def play_card(state, rules, terrain):
    """Show the card; up to three settlements are to be built on its terrain."""
    player = state.players[state.seat]
    state.card = terrain
    if terrain == NO_CARD:
        state.to_build = 0
        state.phase = AFTER
        return
    player.hand[terrain] -= 1
    state.to_build = min(rules.builds, player.supply)
    state.phase = BEFORE


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


# What is done (p. 4)


def apply(state, rules, act, rng):
    """Play `act`, as far as the next decision or the end of the game."""
    if act < USE:
        build_mandatory(state, rules, act - BUILD, rng)
    elif is_use(act):
        use_tile(state, rules, kind_used(act), hex_used(act))
    elif act < PLAY:
        put_down(state, rules, act - PUT)
    elif act < DRAW:
        play_card(state, rules, act - PLAY)
    elif act == DRAW:
        replace_dead_card(state, rules, rng)
        state.phase = BUILDING if state.to_build else AFTER
    else:
        end_turn(state, rules, rng)


def build_mandatory(state, rules, spot, rng):
    """Build one of the three; if the terrain is full before the last, a new card is drawn at once (p. 5)."""
    build(state, rules, spot)
    state.to_build -= 1
    if state.to_build > 0 and not has_free(state, state.card):
        replace_dead_card(state, rules, rng)
    state.phase = BUILDING if state.to_build > 0 else AFTER


def build(state, rules, spot):
    """Build a settlement from the supply; the round in which a supply runs out is the last (p. 5)."""
    player = state.players[state.seat]
    player.supply -= 1
    if player.supply == 0:
        state.final = 1
    place(state, rules, state.seat, spot)
    take_tiles(state, rules, spot)


def use_tile(state, rules, kind, spot):
    """Use a tile: an extra settlement, or one taken up to be moved."""
    player = state.players[state.seat]
    player.ready[kind] -= 1
    player.used[kind] += 1
    player.uses[kind] += 1
    if rules.kinds[kind].moves == 0:
        player.extra_builds += 1
        build(state, rules, spot)
        if state.phase == BEFORE:
            state.to_build = min(state.to_build, player.supply)
            if state.to_build == 0:
                state.phase = AFTER
        return
    player.moves += 1
    lift(state, rules, state.seat, spot)
    state.lifted = kind
    state.origin = spot
    state.back_to = state.phase
    state.phase = PUT_DOWN


def put_down(state, rules, spot):
    """Set the settlement down; tiles are gained and lost by where it stands now."""
    place(state, rules, state.seat, spot)
    state.phase = state.back_to
    if rules.moves_take_tiles:
        take_tiles(state, rules, spot)
    lose_tiles(state, rules, state.origin)


# Locations (p. 4 and 7)


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


# The end of the turn and of the game (p. 4-5)


def end_turn(state, rules, rng):
    """Discard the card, draw a new one, turn the tiles back; the last seat ends the last round."""
    player = state.players[state.seat]
    if state.card != NO_CARD:
        state.discards[state.card] += 1
    refill(state, rules, state.seat, rng)
    for kind in range(rules.kind_count):
        player.ready[kind] += player.used[kind] + player.fresh[kind]
        player.used[kind] = 0
        player.fresh[kind] = 0
    if state.seat < state.seats - 1:
        state.seat += 1
    else:
        state.turn += 1
        if state.final:
            state.over = 1
            return
        state.seat = 0
    begin_turn(state, rules, rng)


# What others do not see, and what is remembered


def redeal(state, rules, seat, rng):
    """The pile and the hands of the others are gathered, shuffled together and dealt anew."""
    gathered = state.deck_size
    for other in range(state.seats):
        if other != seat:
            for terrain in range(TERRAINS):
                for _ in range(state.players[other].hand[terrain]):
                    state.deck[gathered] = terrain
                    gathered += 1
    sort(state.deck, gathered)
    shuffle(rng, state.deck, gathered)
    for other in range(state.seats):
        if other != seat:
            player = state.players[other]
            held = hand_size(player)
            for terrain in range(TERRAINS):
                player.hand[terrain] = 0
            for _ in range(held):
                gathered -= 1
                player.hand[state.deck[gathered]] += 1


def sort(cards, count):
    """Bring the first `count` terrain cards into the order of their terrains."""
    for card in range(1, count):
        terrain = cards[card]
        before = card - 1
        while before >= 0 and cards[before] > terrain:
            cards[before + 1] = cards[before]
            before -= 1
        cards[before + 1] = terrain


def triple_of(state):
    """Number the three cards in play among all threes of ten, in order; 120 if there aren't three."""
    number = 0
    for first in range(CARDS):
        for second in range(first + 1, CARDS):
            for third in range(second + 1, CARDS):
                if state.in_play == 1 << first | 1 << second | 1 << third:
                    return number
                number += 1
    return number


def has_section(state, section):
    """Say whether a section is part of the board."""
    for quadrant in range(QUADRANTS):
        if state.section[quadrant] // 2 == section:
            return 1
    return 0


def tally(state, rules, row, seat_rows):
    """Gold by card and what became of the tiles; most gold wins, and equals share."""
    tally_deal(state, row)
    row.shuffles = state.shuffles - 1
    for terrain in range(TERRAINS):
        row.dead_cards += state.removed[terrain]
    for seat in range(state.seats):
        seat_rows[seat].score = score(state, rules, seat)
    for seat in range(state.seats):
        rank = 1
        for other in range(state.seats):
            if seat_rows[other].score > seat_rows[seat].score:
                rank += 1
        seat_rows[seat].rank = rank
        tally_gold(state, rules, seat, seat_rows[seat])
        tally_tiles(state.players[seat], seat_rows[seat])


def tally_deal(state, row):
    """Which cards and sections the deal put in play."""
    row.triple = triple_of(state)
    row.fishermen = state.in_play >> FISHERMEN & 1
    row.miners = state.in_play >> MINERS & 1
    row.workers = state.in_play >> WORKERS & 1
    row.merchants = state.in_play >> MERCHANTS & 1
    row.discoverers = state.in_play >> DISCOVERERS & 1
    row.knights = state.in_play >> KNIGHTS & 1
    row.hermits = state.in_play >> HERMITS & 1
    row.citizens = state.in_play >> CITIZENS & 1
    row.lords = state.in_play >> LORDS & 1
    row.farmers = state.in_play >> FARMERS & 1
    row.section_oracle = has_section(state, 0)
    row.section_farm = has_section(state, 1)
    row.section_oasis = has_section(state, 2)
    row.section_tower = has_section(state, 3)
    row.section_tavern = has_section(state, 4)
    row.section_barn = has_section(state, 5)
    row.section_harbor = has_section(state, 6)
    row.section_paddock = has_section(state, 7)


def tally_gold(state, rules, seat, row):
    """Gold by what paid it."""
    row.points_castle = castle_points(state, rules, seat)
    row.points_fishermen = card_points(state, rules, FISHERMEN, seat)
    row.points_miners = card_points(state, rules, MINERS, seat)
    row.points_workers = card_points(state, rules, WORKERS, seat)
    row.points_merchants = card_points(state, rules, MERCHANTS, seat)
    row.points_discoverers = card_points(state, rules, DISCOVERERS, seat)
    row.points_knights = card_points(state, rules, KNIGHTS, seat)
    row.points_hermits = card_points(state, rules, HERMITS, seat)
    row.points_citizens = card_points(state, rules, CITIZENS, seat)
    row.points_lords = card_points(state, rules, LORDS, seat)
    row.points_farmers = card_points(state, rules, FARMERS, seat)


def tally_tiles(player, row):
    """What was built, moved, taken and used."""
    row.supply = player.supply
    row.extra_builds = player.extra_builds
    row.moves = player.moves
    row.tiles_taken = player.tiles_taken
    row.tiles_lost = player.tiles_lost
    row.first_tile = player.first_tile if player.first_tile else -1
    row.uses_oracle = player.uses[0]
    row.uses_farm = player.uses[1]
    row.uses_oasis = player.uses[2]
    row.uses_tower = player.uses[3]
    row.uses_tavern = player.uses[4]
    row.uses_barn = player.uses[5]
    row.uses_harbor = player.uses[6]
    row.uses_paddock = player.uses[7]
