"""The one-ply bot: play each act on a redealt copy, keep the one whose outcome it values most."""

from balance.protocol import apply, redeal, value


def imagine(state, rules, seat, desk, depth):
    """Copy `state` to `desk.copies[depth]` and redeal there what `seat` cannot see; return the copy."""
    desk.copies[depth] = state
    redeal(desk.copies[depth], rules, seat, desk.dream.seats[seat])
    return desk.copies[depth]


def one_ply(state, rules, bot, acts, count, desk):
    """Return the act whose outcome `bot` values most for the seat to move; ties go to the first.

    All acts are tried on the same redealt position and the same imagined chance, so that they
    differ by the act alone. `desk.values` holds what each was worth. Uses copies 0 and 1.
    """
    imagine(state, rules, state.seat, desk, 0)
    return best_imagined(rules, bot, acts, count, desk)


def best_imagined(rules, bot, acts, count, desk):
    """Return the act whose outcome `bot` values most in the position imagined in `desk.copies[0]`."""
    seat = desk.copies[0].seat
    best = 0
    for i in range(count):
        desk.copies[1] = desk.copies[0]
        apply(desk.copies[1], rules, acts[i], desk.dream)
        desk.values[i] = value(desk.copies[1], rules, bot, seat)
        if desk.values[i] > desk.values[best]:
            best = i
    return acts[best]
