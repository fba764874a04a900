"""The Lost Kingdom of the game for two (rulebook p. 12): a territory held by neutral meeples."""

from balance.dice import at, below
from balance.games.tiny_epic_kingdoms.board import bit, regions_of, size
from balance.games.tiny_epic_kingdoms.exploration import explore
from balance.games.tiny_epic_kingdoms.powers import GAIN_AFTER_WIN, power
from balance.games.tiny_epic_kingdoms.spoils import gain_on_removal
from balance.games.tiny_epic_kingdoms.state import AGAINST_NEUTRAL, FLAG, NEUTRAL, NO_WAR, PLACES, SIDES
from balance.games.tiny_epic_kingdoms.war import affords_price, discount_over, note_fort, pay

DRAW_LOST_KINGDOM = 8192  # the event of the deal; those below belong to the seats


# Set-up


def draw_lost_kingdom(state, rules, stream):
    """Draw the side of one more territory card, not one of the players', unless the map settles it."""
    state.lost_side = -1
    if not rules.lost_kingdom:
        return
    beside = rules.sides[state.players[0].side].lost_beside
    if beside >= 0:
        state.lost_side = beside
        return
    there = 0
    for side in range(SIDES):
        there += may_be_lost(state, rules, side)
    at(stream, DRAW_LOST_KINGDOM)
    drawn = below(stream, max(1, there))
    for side in range(SIDES):
        if may_be_lost(state, rules, side):
            if drawn == 0:
                state.lost_side = side
            drawn -= 1


def may_be_lost(state, rules, side):
    """Say whether a side can be the Lost Kingdom: it may be, and is not of a card that a player has."""
    if not rules.sides[side].may_be_lost:
        return False
    for seat in range(state.seats):
        if rules.sides[state.players[seat].side].card == rules.sides[side].card:
            return False
    return True


def settle_neutrals(state):
    """Each region of the Lost Kingdom has a neutral meeple; it is the last of the territories."""
    state.lost = regions_of(state.seats)
    state.neutral = state.lost & state.land


# War against a neutral meeple


def neutral_number(state, rules):
    """Return the war number that defeats a neutral meeple: as many as there are in play."""
    return rules.neutral_number if rules.neutral_number > 0 else size(state.neutral)


def beatable(state, rules, seat, origin, goals):
    """Return `goals` without those whose neutral meeple `seat` lacks the means to defeat."""
    guarded = goals & state.neutral
    if guarded == 0:
        return goals
    number = neutral_number(state, rules)
    for region in range(PLACES):
        if guarded & bit(region):
            price = number - discount_over(state, rules, seat, region, origin, True)
            if not affords_price(state, rules, seat, price, rules.war_mana):
                goals &= ~bit(region)
    return goals


def attack_neutral(state, rules, seat, region, origin):
    """Moving to a neutral meeple begins a war; the number is set, and has only to be paid."""
    war = state.war
    war.attacker = seat
    war.defender = NEUTRAL
    war.region = region
    war.origin = origin
    war.attacker_number = neutral_number(state, rules)
    war.defender_number = FLAG
    war.winner = seat
    war.loser = NEUTRAL
    war.stage = AGAINST_NEUTRAL
    note_fort(state, rules)


def defeat_neutral(state, rules, act):
    """Pay, and keep the neutral meeple, which leaves the board."""
    pay(state, act)
    war = state.war
    player = state.players[war.attacker]
    state.neutral &= ~bit(war.region)
    player.neutrals += 1
    if player.first_neutral == 0:
        player.first_neutral = state.turn + 1
    player.owed += power(state, rules, war.attacker, GAIN_AFTER_WIN)
    gain_on_removal(state, rules, war.attacker)
    war.stage = NO_WAR
    if state.covered & bit(war.region):
        explore(state, rules, war.attacker, war.region)
