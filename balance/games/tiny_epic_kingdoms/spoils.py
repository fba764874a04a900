"""What powers bring a winner: goods of the loser, goods and meeples for those who fell."""

from balance.games.tiny_epic_kingdoms.acts import LET_LIE, RISE, TAKE
from balance.games.tiny_epic_kingdoms.board import bit, full, join
from balance.games.tiny_epic_kingdoms.powers import GAIN_ON_REMOVAL, RAISE_FALLEN, power
from balance.games.tiny_epic_kingdoms.state import (
    FOOD,
    MANA,
    MEEPLES,
    ORE,
    PLACES,
    RAISE_OR_NOT,
    RESOURCES,
    TAKE_FROM_LOSER,
)


def ask_to_take(state):
    """Ask the winner what to take from the loser, as long as the loser has anything."""
    goods = state.players[state.war.loser].goods
    if goods[MANA] + goods[ORE] + goods[FOOD] == 0:
        state.war.booty = 0
        return False
    state.seat, state.phase = state.war.winner, TAKE_FROM_LOSER
    return True


def legal_takings(state, acts):
    """Take one of a resource that the loser has."""
    count = 0
    for resource in range(RESOURCES):
        if state.players[state.war.loser].goods[resource] > 0:
            acts[count] = TAKE + resource
            count += 1
    return count


def take_from_loser(state, rules, act):
    """Take it; what passes the cap is lost."""
    resource = act - TAKE
    mine = state.players[state.war.winner].goods
    state.players[state.war.loser].goods[resource] -= 1
    mine[resource] = min(rules.cap, mine[resource] + 1)
    state.war.booty -= 1


def gain_on_removal(state, rules, seat):
    """A meeple removed in a war of `seat` can bring it resources."""
    goods = state.players[seat].goods
    for resource in range(RESOURCES):
        gained = power(state, rules, seat, GAIN_ON_REMOVAL + resource)
        goods[resource] = min(rules.cap, goods[resource] + gained)


def remember_fallen(state, rules, region):
    """A meeple removed in war can bring resources to either side, and let the winner add one of its own."""
    war = state.war
    gain_on_removal(state, rules, war.attacker)
    gain_on_removal(state, rules, war.defender)
    if power(state, rules, war.winner, RAISE_FALLEN) > 0:
        war.fallen |= bit(region)


def ask_to_raise_meeple(state, rules):
    """Ask the winner whether to add a meeple for a fallen one, if there is mana, meeple and room."""
    war = state.war
    winner = state.players[war.winner]
    war.fallen &= ~full(state)
    if winner.goods[MANA] < power(state, rules, war.winner, RAISE_FALLEN) or winner.meeples >= MEEPLES:
        war.fallen = 0
    state.seat, state.phase = war.winner, RAISE_OR_NOT
    return war.fallen != 0


def legal_risings(state, rules, acts):
    """Let the fallen lie, or add a meeple in the region by power."""
    acts[0] = LET_LIE
    if power(state, rules, state.war.winner, RAISE_FALLEN) == 0:
        return 1
    count = 1
    for region in range(PLACES):
        if state.war.fallen & bit(region):
            acts[count] = RISE + region
            count += 1
    return count


def raise_meeple(state, rules, act):
    """Pay for a meeple and add it, or don't."""
    war = state.war
    if act == LET_LIE:
        war.fallen = 0
        return
    state.players[war.winner].goods[MANA] -= power(state, rules, war.winner, RAISE_FALLEN)
    join(state, rules, war.winner, act - RISE)
    war.fallen &= ~bit(act - RISE)
