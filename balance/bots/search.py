"""Search on the protocol alone: it serves every game, and sees only what its seat sees."""

from balance.bots.flat import flat
from balance.bots.halving import halve
from balance.bots.tree import tree

NO_SEARCH, FLAT, TREE, HALVING = range(4)


def think(state, rules, bots, bot, acts, count, lineup, rng, desk):
    """Return the one of the first `count` of `acts` that a search finds best, within the bot's playouts."""
    desk.lead_sum = 0.0
    desk.lead_count = 0
    if bot.mind.search == FLAT:
        return flat(state, rules, bots, bot, acts, count, lineup, rng, desk)
    if bot.mind.search == HALVING:
        return halve(state, rules, bots, bot, acts, count, lineup, rng, desk)
    return tree(state, rules, bots, bot, acts, count, lineup, rng, desk)
