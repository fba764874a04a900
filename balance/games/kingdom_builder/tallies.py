"""What is remembered of a game of Kingdom Builder: the deal, gold by what paid it, the use of tiles."""

from balance.games.kingdom_builder.scoring import card_points, castle_points, score
from balance.games.kingdom_builder.state import (
    CARDS,
    CITIZENS,
    DISCOVERERS,
    FARMERS,
    FISHERMEN,
    HERMITS,
    KNIGHTS,
    LORDS,
    MERCHANTS,
    MINERS,
    QUADRANTS,
    TERRAINS,
    WORKERS,
)


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
