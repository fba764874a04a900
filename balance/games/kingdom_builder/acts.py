"""Every act of the game as an integer: a code for the kind, and the hex it is done on."""

from balance.games.kingdom_builder.state import HEXES, KINDS, TERRAINS

BUILD = 0  # + hex: one settlement of the mandatory action
USE = BUILD + HEXES  # + kind of location * HEXES + hex: build there, or take up the settlement from there
PUT = USE + KINDS * HEXES  # + hex: set down the settlement taken up
PLAY = PUT + HEXES  # + terrain: of a hand with several kinds of card
DRAW = PLAY + TERRAINS  # begin the mandatory action by drawing anew: the card's terrain has no free hex
END = DRAW + 1
ACTS = END + 1

LEGAL_MOST = 2400  # no more can be legal at once: 12 kinds of location, 200 hexes each


def is_use(act):
    """Say whether the act uses a location's tile."""
    return act >= USE and act < PUT


def kind_used(act):
    """Return the kind of location whose tile a USE act uses."""
    return (act - USE) // HEXES


def hex_used(act):
    """Return the hex of a USE act."""
    return (act - USE) % HEXES
