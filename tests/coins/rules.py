"""Coins: both put down heads or tails, unseen; then it is drawn who wins."""

from balance.dice import at, below

HEADS, TAILS = range(2)


def setup(state, rules, lineup, rng):
    """Nothing lies on the table."""
    state.winner = -1


def legal(state, rules, acts):
    """Heads or tails."""
    acts[0], acts[1] = HEADS, TAILS
    return 2


def apply(state, rules, act, rng):
    """Put down a coin; the second turns both over."""
    state.coins[state.seat] = act
    state.phase += 1
    if state.seat == 0:
        state.seat = 1
        return
    at(rng.chance[0], 0)
    chance = rules.chances[2 * state.coins[0] + state.coins[1]]
    state.winner = 0 if below(rng.chance[0], 100) < chance else 1
    state.turn, state.over = 1, 1


def sealed(state):
    """Both choices are."""
    return True


def redeal(state, rules, seat, rng):
    """The second does not see the first's coin."""
    if seat == 1 and state.seat == 1:
        state.coins[0] = below(rng, 2)


def score(state, rules, seat):
    """A point to the winner."""
    return 1 if state.over and state.winner == seat else 0


def tally(state, rules, row, seat_rows):
    """The winner is first."""
    for seat in range(2):
        seat_rows[seat].score = seat_rows[seat].points = score(state, rules, seat)
        seat_rows[seat].rank = 2 - seat_rows[seat].score
        seat_rows[seat].heads = state.coins[seat] == HEADS
