"""The end of the game: scores, ranks, and what is remembered of it."""

from balance.games.queendomino.builders import (
    complete,
    reward,
)
from balance.games.queendomino.kingdom import centred
from balance.games.queendomino.state import TERRAINS


def score(state, rules, seat):
    """Return the points of a seat's kingdom, and those of the dynasty's games before."""
    home = state.homes[seat]
    return state.kingdoms[home].past_points + reward(state, rules, home)


def ahead(state, rules, one, other):
    """Say whether seat `one` is placed before `other`: by points, largest territory, most crowns."""
    mine, theirs = state.kingdoms[state.homes[one]], state.kingdoms[state.homes[other]]
    points, rival = score(state, rules, one), score(state, rules, other)
    if points != rival:
        return points > rival
    if rules.tie_breaks > 0 and mine.largest != theirs.largest:
        return mine.largest > theirs.largest
    if rules.tie_breaks > 1 and mine.crown_count != theirs.crown_count:
        return mine.crown_count > theirs.crown_count
    return False


def place_seats(state, rules, seat_rows):
    """Write each seat's score and rank; partners share a kingdom and so a rank."""
    for seat in range(state.seats):
        seat_rows[seat].score = score(state, rules, seat)
        rank = 1
        for other in range(rules.kingdoms):
            if other != state.homes[seat] and ahead(state, rules, other, state.homes[seat]):
                rank += 1
        seat_rows[seat].rank = rank


def remember_land(state, rules, seat_rows):
    """Write where the points of each kingdom's land come from, and what it looks like."""
    for seat in range(state.seats):
        seat_row, kingdom = seat_rows[seat], state.kingdoms[state.homes[seat]]
        seat_row.points_wheat = land_points(kingdom, 0)
        seat_row.points_forest = land_points(kingdom, 1)
        seat_row.points_lake = land_points(kingdom, 2)
        seat_row.points_grassland = land_points(kingdom, 3)
        seat_row.points_swamp = land_points(kingdom, 4)
        seat_row.points_mine = land_points(kingdom, 5)
        seat_row.points_middle = rules.middle_kingdom if centred(kingdom, rules) else 0
        seat_row.points_harmony = rules.harmony if complete(kingdom, rules) else 0
        seat_row.points_past = kingdom.past_points
        seat_row.largest = kingdom.largest
        seat_row.crowns = kingdom.crown_count
        seat_row.territories = territory_count(kingdom)
        seat_row.discards = kingdom.discards
        seat_row.squares = kingdom.placed


def land_points(kingdom, terrain):
    """Return the points of the territories of one terrain: squares times crowns, each by itself."""
    points = 0
    for square in range(1, kingdom.placed + 1):
        if kingdom.ground[square] == terrain and kingdom.territory[square] == square:
            points += kingdom.squares[square] * kingdom.crowns[square]
    return points


def territory_count(kingdom):
    """Return how many territories there are, of all terrains."""
    count = 0
    for terrain in range(TERRAINS):
        count += kingdom.territories[terrain]
    return count
