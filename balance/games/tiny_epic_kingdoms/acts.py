"""Every act of the game as an integer: a code for the kind, and what it is done with."""

from balance.games.tiny_epic_kingdoms.state import ACTIONS, FLAG, PLACES, REGIONS, RESOURCES

GOODS = 10  # a player holds 0 to 9 of a resource
NUMBERS = 24  # war numbers that can be shown or, raised, be reached
PAIRS = PLACES * PLACES

PASS = 0
COLLECT = 1
TAKE_SIDE = 2  # + 0: the side dealt, 1: the other one
CHOOSE = TAKE_SIDE + 2  # + action
SPREAD = CHOOSE + ACTIONS  # + mana * GOODS + ore; the rest is food
SETTLE = SPREAD + GOODS * GOODS  # + region of the home territory
GAIN = SETTLE + REGIONS  # + resource
LOSE = GAIN + RESOURCES  # + resource
SHOW_FLAG = LOSE + RESOURCES
SHOW = SHOW_FLAG + 1  # + war number
STAND_FIRM = SHOW + NUMBERS  # leave the number as shown
RAISE = STAND_FIRM + 1
PAY = RAISE + 1  # + (mana * GOODS + ore) * GOODS + food
MOVE = PAY + GOODS * GOODS * GOODS  # + from * PLACES + to, by Patrol
JOURNEY = MOVE + PAIRS  # + from * PLACES + to, by Quest
SWAP = JOURNEY + PAIRS  # + own region * PLACES + the other's region
STAND_UP = SWAP + PAIRS  # + region
RAISE_CASTLE = STAND_UP + PLACES  # + mana paid in place of ore
LEARN = RAISE_CASTLE + GOODS
GROW = LEARN + 1  # + region * GOODS + mana paid in place of food
EXCHANGE = GROW + PLACES * GOODS  # + (given * RESOURCES + got) * GOODS + how many
EXCHANGE_BOTH = EXCHANGE + RESOURCES * RESOURCES * GOODS  # + ore * GOODS + food, into mana
RETREAT = EXCHANGE_BOTH + GOODS * GOODS  # + from * PLACES + to
REMOVE = RETREAT + PAIRS  # + region
KEEP = REMOVE + PLACES  # + from * PLACES + to: the last meeple, moved without a price
TAKE = KEEP + PAIRS  # + resource, from the loser of a war
LET_LIE = TAKE + RESOURCES  # do not raise a meeple for the fallen one
RISE = LET_LIE + 1  # + region
COVER = RISE + PLACES  # + region of the home territory, with an exploration token
SPARE = COVER + REGIONS  # let the loser's castle stand
BURN = SPARE + 1
RESCUE = BURN + 1  # + from * PLACES + to, a church
ACTS = RESCUE + PAIRS

LEGAL_MOST = 1024  # more than can be legal at once: 7 meeples, 24 regions to go or swap to


def number_shown(act):
    """Return the war number, or FLAG, that a bid shows."""
    return FLAG if act == SHOW_FLAG else act - SHOW
