"""How Pig is played by the bots."""

from balance.bots.greedy import one_ply
from balance.bots.uniform import uniform
from pig.rules import HOLD, ROLL

RANDOM, GREEDY, HOLDER = range(3)


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == HOLDER:
        return holder(state, rules, bot)
    if bot.kind == GREEDY:
        return one_ply(state, rules, bot, acts, count, desk)
    return uniform(acts, count, rng)


def holder(state, rules, bot):
    """Hold once the pot has `hold` pips or wins the game."""
    if state.pot >= bot.hold or state.banked[state.seat] + state.pot >= rules.goal:
        return HOLD
    return ROLL


def value(state, rules, bot, seat):
    """A banked pip counts one, a pip at risk less the nearer the pot is to `hold`."""
    worth = 1.0 * state.banked[seat]
    if state.seat == seat:
        worth += state.pot * (bot.hold - state.pot) / bot.hold
    return worth


def barred(state, rules, bot, act):
    """The only bar there is: do not hold, unless it wins."""
    return act == HOLD and state.banked[state.seat] + state.pot < rules.goal
