"""What is remembered of a game of Queendomino."""

from balance.games.queendomino.builders import building_points, coin_points, on_board, queen_points
from balance.games.queendomino.scoring import land_points, place_seats, remember_land
from balance.games.queendomino.state import TOWN


def tally(state, rules, row, seat_rows):
    """Rank the seats and write the rows."""
    place_seats(state, rules, seat_rows)
    remember_land(state, rules, seat_rows)
    row.burned = burned(state, rules)
    row.tiles_left = tiles_left(state)
    for seat in range(state.seats):
        seat_row, home = seat_rows[seat], state.homes[seat]
        kingdom = state.kingdoms[home]
        seat_row.points_town = land_points(kingdom, TOWN)
        seat_row.points_buildings = building_points(kingdom, rules)
        seat_row.points_coins = coin_points(kingdom, rules)
        seat_row.points_queen = queen_points(state, rules, home)
        seat_row.coins = kingdom.coins
        seat_row.taxes = kingdom.taxes
        seat_row.spent = kingdom.spent
        seat_row.knights_sent = kingdom.levied
        seat_row.knights_left = kingdom.knights
        seat_row.towers = kingdom.towers
        seat_row.buildings = buildings(kingdom, rules)
        seat_row.burned_by = kingdom.burned
        seat_row.hosts_queen = 1 if state.queen == home + 1 else 0
        note_built(kingdom, seat_row)


def note_built(kingdom, seat_row):
    """Write how many of each printed kind of building stand."""
    seat_row.built_bakery = kingdom.built[0]
    seat_row.built_sawmill = kingdom.built[1]
    seat_row.built_fishmongers = kingdom.built[2]
    seat_row.built_weaving_shop = kingdom.built[3]
    seat_row.built_magic_school = kingdom.built[4]
    seat_row.built_foundry = kingdom.built[5]
    seat_row.built_church = kingdom.built[6]
    seat_row.built_safe_knight = kingdom.built[7]
    seat_row.built_safe_tower = kingdom.built[8]
    seat_row.built_small_tavern = kingdom.built[9]
    seat_row.built_big_tavern = kingdom.built[10]
    seat_row.built_guardtower = kingdom.built[11]
    seat_row.built_fortified_castle = kingdom.built[12]
    seat_row.built_travelling_castle = kingdom.built[13]
    seat_row.built_training_camp = kingdom.built[14]
    seat_row.built_statue = kingdom.built[15]
    seat_row.built_queens_tower = kingdom.built[16]


def buildings(kingdom, rules):
    """Return how many buildings stand."""
    count = 0
    for kind in range(rules.kind_count):
        count += kingdom.built[kind]
    return count


def burned(state, rules):
    """Return how many buildings the dragon burned."""
    count = 0
    for home in range(rules.kingdoms):
        count += state.kingdoms[home].burned
    return count


def tiles_left(state):
    """Return how many buildings were neither bought nor burned."""
    return state.tiles - state.shown + on_board(state)
