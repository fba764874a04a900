"""How the bots play."""

from balance.bots.uniform import uniform
from balance.games import Weight
from balance.games.kingdom_builder.scoring import score

KINDS = ("random", "greedy")
WEIGHTS = (Weight("castle", "gold of castles", 1.0),)


def choose(state, rules, bot, acts, count, rng, desk):
    return uniform(acts, count, rng)


def value(state, rules, bot, seat):
    return 1.0 * score(state, rules, seat)


def barred(state, rules, bot, act):
    return False
