"""The bots of Kingdomino."""

from balance.bots.greedy import one_ply
from balance.bots.uniform import uniform
from balance.games.queendomino.bots import full_greedy, greedy_placement
from balance.games.queendomino.builders import reward
from balance.games.queendomino.planner import plan

RANDOM, GREEDY, GREEDY_PLACEMENT, FULL_GREEDY, PLANNER = range(5)
KINDS = ("random", "greedy", "greedy_placement", "full_greedy", "planner")


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == GREEDY_PLACEMENT:
        return greedy_placement(state, rules, bot, acts, count, rng, desk)
    if bot.kind == FULL_GREEDY:
        return full_greedy(state, rules, bot, acts, count, rng, desk)
    if bot.kind == PLANNER:
        return plan(state, rules, bot, acts, count, rng, desk)
    if bot.kind == GREEDY:
        return one_ply(state, rules, bot, acts, count, desk)
    return uniform(acts, count, rng)


def value(state, rules, bot, seat):
    """The points of the kingdom."""
    return 1.0 * reward(state, rules, state.homes[seat])
