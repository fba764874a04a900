"""Coins in words."""

from balance.words import unknown


def say(state, act, cell):
    """Name `act`."""
    return ("heads", "tails")[act]


def tell(before, act, after, cell):
    """Say what came of `act`."""
    return [f"seat {after.winner + 1} wins"] if after.over else []


def show(state, cell):
    """Draw the position."""
    return f"seat {state.seat + 1} to put down a coin"


def lay(state, position, cell):
    """Lay out a position from a case's words."""
    for key, value in position.items():
        if key != "seat":
            raise unknown(key, ("seat",), "", "Coins")
        state.seat = value - 1


def read(state, path, cell):
    """Return the value of a field, by its path in words."""
    if path != "winner":
        raise unknown(path, ("winner",), "", "Coins")
    return int(state.winner) + 1
