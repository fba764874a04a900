"""Pig: roll as often as you dare, bank the turn's pips, lose them all on a one.

Rules after J. Scarne, *Scarne on Dice* (1945), p. 255; exact play for two in
T. Neller and C. Presser, "Optimal Play of the Dice Game Pig", UMAP Journal 25 (2004).
"""

from balance.dice import at, below

ROLL, HOLD = range(2)
DICE = 0
LEAD = 10


def setup(state, rules, lineup, rng):
    """Each seat starts with its clan's points, and a lead if it is given one."""
    for seat in range(state.seats):
        state.lead[seat] = LEAD if lineup[seat].gifts & 1 else 0
        state.banked[seat] = rules.clans[lineup[seat].clan].start + state.lead[seat]
    state.banked[1] += rules.bonus


def legal(state, rules, acts):
    """One may always roll, and hold what there is to bank."""
    acts[0] = ROLL
    acts[1] = HOLD
    return 2 if state.pot > 0 else 1


def apply(state, rules, act, rng):
    """Roll or hold, and pass the die on once the turn is over."""
    if act == ROLL:
        at(rng.chance[DICE], state.turn * 4096 + state.phase)
        state.phase += 1
        state.rolls += 1
        face = 1 + below(rng.chance[DICE], rules.sides)
        if face != rules.bust:
            state.pot += face
            return
        state.busts[state.seat] += 1
    else:
        state.banked[state.seat] += state.pot
        state.holds[state.seat] += 1
        if state.banked[state.seat] >= rules.goal:
            state.over = 1
    state.pot = 0
    state.phase = 0
    state.turn += 1
    if not state.over:
        state.seat = (state.seat + 1) % state.seats


def redeal(state, rules, seat, rng):
    """Nothing is hidden."""


def score(state, rules, seat):
    """What is banked counts."""
    return state.banked[seat]


def tally(state, rules, row, seat_rows):
    """The seat that reached the goal is first; the others rank by what they banked."""
    row.rolls = state.rolls
    for seat in range(state.seats):
        rank = 1
        for other in range(state.seats):
            if state.banked[other] > state.banked[seat]:
                rank += 1
        start = rules.clans[seat_rows[seat].clan].start + (rules.bonus if seat == 1 else 0) + state.lead[seat]
        seat_rows[seat].rank = rank
        seat_rows[seat].score = state.banked[seat]
        seat_rows[seat].points_start = start
        seat_rows[seat].points_banked = state.banked[seat] - start
        seat_rows[seat].busts = state.busts[seat]
        seat_rows[seat].holds = state.holds[seat]
