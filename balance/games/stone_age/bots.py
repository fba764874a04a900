"""How the bots play."""

from balance.bots.greedy import one_ply
from balance.bots.uniform import uniform
from balance.games import Weight
from balance.games.stone_age.scoring import score

KINDS = ("random", "greedy")
WEIGHTS = (Weight("points", "x", 1.0),)
BARS = ()


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == 0:
        return uniform(acts, count, rng)
    return one_ply(state, rules, bot, acts, count, desk)


def value(state, rules, bot, seat):
    """Judge."""
    return bot.points * score(state, rules, seat)


def barred(state, rules, bot, act):
    """Bars."""
    return False
