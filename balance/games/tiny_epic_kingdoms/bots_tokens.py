"""How the bots judge exploration tokens: those that lie open, and those that no one has seen.

A bot never guesses which token lies face down: in its mind (`veil`) turning one over brings the average of
all that are unseen, which everyone can reckon.
"""

from balance.games.tiny_epic_kingdoms.board import bit, size
from balance.games.tiny_epic_kingdoms.exploration import (
    city_points,
    crown_points,
    in_the_open,
    tokens_unseen,
)
from balance.games.tiny_epic_kingdoms.scoring import standing
from balance.games.tiny_epic_kingdoms.state import ATTACKER_PAYS, NO_WAR

RESOURCE = 0.3  # what a resource of choice is worth to a bot, early in the game


def tokens_worth(state, rules, bot, seat, ahead):
    """Judge the tokens that `seat` has: the crown, those it holds, and those it turned over in its mind."""
    player = state.players[seat]
    here = player.here
    if NO_WAR < state.war.stage < ATTACKER_PAYS and state.war.attacker == seat:
        here &= ~bit(state.war.region)  # not won yet
    worth = bot.points * (bot.tokens - 1.0) * crown_points(state, seat)
    if state.sites & player.here:
        worth -= bot.points * city_points(state, rules, standing(state, rules, seat))  # as the score has them
        for kind in range(rules.token_kinds):
            if rules.tokens[kind].stays:
                held = size(in_the_open(state, kind) & here)
                if held > 0:
                    worth += held * bot.tokens * site_worth(rules.tokens[kind], rules, bot, ahead)
    if player.mysteries > 0:
        worth += player.mysteries * mystery_worth(state, rules, bot, ahead)
    return worth


def site_worth(token, rules, bot, ahead):
    """Judge a token that lies open in a region held: its points count once they can be kept to the end."""
    worth = bot.points * token.vp * (1.0 - ahead * (1.0 - bot.hold))
    worth += ahead * (
        bot.arms * token.attack_discount / rules.war_highest + 0.05 * bot.income * RESOURCE * token.collect
    )
    if token.lower_castle > 0 or token.rescue > 0 or token.attack_discount > 0:
        worth += ahead * bot.sites
    return worth


def mystery_worth(state, rules, bot, ahead):
    """Judge a token that no one has seen: the average of those it may be, times `explore`."""
    total, worth = tokens_unseen(state, rules), 0.0
    if total == 0:
        return 0.0
    for kind in range(rules.token_kinds):
        if state.unseen[kind] > 0:
            worth += state.unseen[kind] * found_worth(rules.tokens[kind], rules, bot, ahead)
    return bot.explore * worth / total


def found_worth(token, rules, bot, ahead):
    """Judge a kind of token for whoever turns it over."""
    worth = bot.points * token.keep + ahead * RESOURCE * token.gain
    worth -= min(ahead * RESOURCE * token.rob, bot.points * rules.meeple_vp)
    return worth + site_worth(token, rules, bot, ahead)


def token_promise(state, rules, bot, region, ahead, mystery):
    """Guess what the token in `region`, a set of one, would bring; an unseen one is worth `mystery`."""
    if region & state.covered:
        return mystery
    worth = 0.0
    if region & state.sites == 0:
        return worth
    for kind in range(rules.token_kinds):
        if state.tokens[kind] & region:
            worth += bot.tokens * site_worth(rules.tokens[kind], rules, bot, ahead)
    return worth
