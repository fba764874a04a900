"""Pig in words."""

from balance.errors import CaseError

FIELDS = ("seat", "pot", "banked", "turn")


def say(state, act, cell):
    """Name `act`."""
    return ("roll", "hold")[act]


def tell(before, act, after, cell):
    """Say what came of `act`."""
    seat = before.seat
    if act == 1:
        return [f"banks {before.pot} and has {after.banked[seat]}"]
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
            raise CaseError(f"Pig has no '{key}'", where="position", remedy=f"known: {', '.join(FIELDS)}")
        if key == "seat":
            state.seat = value - 1
        elif key == "banked":
            state.banked[: len(value)] = value
        else:
            state[key] = value


def read(state, path, cell):
    """Return the value of a field, by its path in words."""
    if path not in FIELDS:
        raise CaseError(f"Pig has no '{path}'", where="expect", remedy=f"known: {', '.join(FIELDS)}")
    if path == "seat":
        return int(state.seat) + 1
    if path == "banked":
        return [int(v) for v in state.banked[: state.seats]]
    return int(state[path])
