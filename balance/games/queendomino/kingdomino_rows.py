"""What is remembered of a game of Kingdomino."""

from balance.games.queendomino.scoring import place_seats, remember_land


def tally(state, rules, row, seat_rows):
    """Rank the seats and write the rows."""
    place_seats(state, rules, seat_rows)
    remember_land(state, rules, seat_rows)
