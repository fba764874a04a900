"""Pig in words."""

from balance.words import unknown

FIELDS = ("seat", "pot", "banked", "rolls")


def say(state, act, cell):
    """Name `act`."""
    return ("roll", "hold")[act]


def tell(before, act, after, cell):
    """Say what came of `act`."""
    seat = before.seat
    if act == 1:
        won = " and wins" if after.over else ""
        return [f"banks {before.pot} and has {after.banked[seat]}{won}"]
    if after.busts[seat] > before.busts[seat]:
        return [f"rolls a {cell.rules[0].bust} and loses {before.pot}"]
    return [f"rolls a {after.pot - before.pot}; the pot holds {after.pot}"]


def show(state, cell):
    """Draw the position."""
    banked = ", ".join(str(points) for points in state.banked[: state.seats])
    return f"seat {state.seat + 1} to play, pot {state.pot}, banked {banked}"


def lay(state, position, cell):
    """Lay out a position from a case's words."""
    for key, value in position.items():
        if key not in FIELDS:
            raise unknown(key, FIELDS, "", "Pig")
        if key == "seat":
            state.seat = value - 1
        elif key == "banked":
            state.banked[: len(value)] = value
        else:
            state[key] = value


def read(state, path, cell):
    """Return the value of a field, by its path in words."""
    if path not in FIELDS:
        raise unknown(path, FIELDS, "", "Pig")
    if path == "banked":
        return [int(v) for v in state.banked[: state.seats]]
    return int(state[path])


def fix(dice, cell):
    """A case names faces; draws count from 0."""
    return [face - 1 for face in dice]
