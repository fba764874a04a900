"""How coins are put down."""

from balance.bots.uniform import uniform
from balance.protocol import score


def choose(state, rules, bot, acts, count, rng, desk):
    """Any coin."""
    return uniform(acts, count, rng)


def value(state, rules, bot, seat):
    """To win is all."""
    return 1.0 * score(state, rules, seat)


def barred(state, rules, bot, act):
    """Nothing is."""
    return False
