"""Every act of the game as an integer: a code for the kind, and what it is done with."""

from balance.games.stone_age.state import FACES, GOODS, ONE_USE, PLACES, RESOURCES

NUMBERS = 11  # 0 to 10 figures
DIGITS = 11  # 0 to 10 of a resource in one payment
PAYMENTS = DIGITS * DIGITS * DIGITS * DIGITS
HANDFULS = GOODS * (GOODS + 1)  # one good and perhaps another: first * (GOODS + 1) + second
UNITS = 64
TILE_TOOLS = 3
MASKS = 1 << (TILE_TOOLS + ONE_USE)

PUT = 0  # + place * NUMBERS + figures
RESOLVE_AT = PUT + PLACES * NUMBERS  # + place: roll there, or visit the trader
TAKE = RESOLVE_AT + PLACES  # + place: pay as is usual
TRADE_AND_TAKE = TAKE + PLACES  # + place: with a trade, as is usual
PAY_OTHERWISE = TRADE_AND_TAKE + PLACES  # + place: say how
OPEN_CHOICE = PAY_OTHERWISE + PLACES  # take the resources of choice that a card keeps
DONE = OPEN_CHOICE + 1  # take the figures back from the cards and buildings left
TOOLS = DONE + 1  # + mask: the three tiles, then the one-use tools
JEWELS = TOOLS + MASKS  # + how many units of a hunt are jewellery
PAYMENT = JEWELS + UNITS  # + wood, brick, stone, gold as digits
PAY_JEWELS = PAYMENT + PAYMENTS  # + jewellery
SWAP = PAY_JEWELS + DIGITS  # + given * HANDFULS + got
EXTRA = SWAP + HANDFULS * HANDFULS
EXTRA_BY_TRADE = EXTRA + 1
NO_EXTRA = EXTRA_BY_TRADE + 1
PICK = NO_EXTRA + 1  # + face, from 0
GAIN = PICK + FACES  # + resource
FEED_ALL = GAIN + RESOURCES  # with resources, as is usual
FEED_OTHERWISE = FEED_ALL + 1
STARVE = FEED_OTHERWISE + 1
ACTS = STARVE + 1

LEGAL_MOST = 512  # more than can be legal at once: 329 payments of 1 to 7, 75 trades


def handful(first, second):
    """Code one good (second = GOODS) or two."""
    return first * (GOODS + 1) + second


def in_hand(code, good):
    """Count a good in a coded handful."""
    count = 0
    if code // (GOODS + 1) == good:
        count += 1
    if code % (GOODS + 1) == good:
        count += 1
    return count
