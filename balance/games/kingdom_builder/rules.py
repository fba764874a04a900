"""The course of Kingdom Builder in the order of its rulebook: set-up (p. 3), turn (p. 4-5), end (p. 5-6).

`laying_out` draws the map and the cards, `choices` says what a player may do, `locations` who takes and
loses tiles (p. 4 and 7), `tallies` what is remembered of a game.
"""

from balance.dice import at, shuffle
from balance.games.kingdom_builder.acts import BUILD, DRAW, PLAY, PUT, USE, hex_used, is_use, kind_used
from balance.games.kingdom_builder.board import lift, place
from balance.games.kingdom_builder.choices import any_spot
from balance.games.kingdom_builder.laying_out import DECK, draw_cards, draw_locations, draw_sections, lay_out
from balance.games.kingdom_builder.locations import lose_tiles, take_tiles
from balance.games.kingdom_builder.state import (
    AFTER,
    BEFORE,
    BUILDING,
    NO_CARD,
    PLAY_CARD,
    PUT_DOWN,
    TERRAINS,
)

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
    while state.card != NO_CARD and not any_spot(state, state.card):
        state.removed[state.card] += 1
        state.card = draw_terrain(state, rng)
    if state.card == NO_CARD:
        state.to_build = 0


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
    if state.to_build > 0 and not any_spot(state, state.card):
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
