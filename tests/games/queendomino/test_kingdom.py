"""Placements and gains, against a slow and obvious reckoning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance import cell as cells
from balance import games, records
from balance.games.queendomino import bots, builders, kingdom, state

CELL = cells.prepare(games.get("queendomino"), 4)
RULES = CELL.rules[0]


def grown(seed, steps, grid):
    """A kingdom that random dominoes made, and the dominoes in play."""
    rng = np.random.default_rng(seed)
    rules = records.make(CELL.game.rules_type)
    rules[0] = RULES
    rules[0].grid = grid
    one = records.make(state.KINGDOM)[0]
    kingdom.found(one, rules[0])
    acts = np.zeros(state.LEGAL_MOST, np.int32)
    for _ in range(steps):
        domino = rules[0].dominoes[48 + rng.integers(48)]
        count = kingdom.placements(one, domino, acts)
        if count:
            kingdom.lay_domino(one, rules[0], domino, int(acts[rng.integers(count)]))
    return one, rules[0], rules[0].dominoes[48 + rng.integers(48)]


def squares(one):
    return {
        (cell // 16, cell % 16): int(one.ground[one.square_at[cell]])
        for cell in range(256)
        if one.square_at[cell]
    }


def fits(one, rules, domino):
    """All placements by the rulebook's words, each as the set of its two (cell, half) pairs."""
    land = squares(one)
    taken = set(land) | {(7, 7)}
    found = set()
    for row in range(1, 14):
        for column in range(1, 14):
            for other in ((row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)):
                cells_ = ((row, column), other)
                if any(cell in taken for cell in cells_):
                    continue
                every = taken | set(cells_)
                if any(max(c[k] for c in every) - min(c[k] for c in every) >= rules.grid for k in (0, 1)):
                    continue
                if any(
                    near == (7, 7) or land.get(near) == domino.terrain[half]
                    for half, cell in enumerate(cells_)
                    for near in neighbours(cell)
                ):
                    halves = [(int(domino.terrain[h]), int(domino.crowns[h])) for h in (0, 1)]
                    found.add(frozenset(zip(cells_, halves, strict=True)))
    return found


def neighbours(cell):
    row, column = cell
    return ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 24), grid=st.sampled_from([3, 5, 7]))
def test_placements_are_those_of_the_rulebook(seed, steps, grid):
    one, rules, domino = grown(seed, steps, grid)
    acts = np.zeros(state.LEGAL_MOST, np.int32)
    count = kingdom.placements(one, domino, acts)
    offered = set()
    for act in acts[:count].tolist():
        ends = kingdom.first_cell(act), kingdom.second_cell(act)
        halves = [(int(domino.terrain[h]), int(domino.crowns[h])) for h in (0, 1)]
        offered.add(frozenset(((end // 16, end % 16), half) for end, half in zip(ends, halves, strict=True)))
    assert len(offered) == count
    assert offered == fits(one, rules, domino)


@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), steps=st.integers(1, 24), grid=st.sampled_from([5, 7]))
def test_a_gain_is_what_placing_the_domino_brings(seed, steps, grid):
    one, rules, domino = grown(seed, steps, grid)
    rules.middle_kingdom, rules.harmony = 10, 5
    acts = np.zeros(state.LEGAL_MOST, np.int32)
    for act in acts[: kingdom.placements(one, domino, acts)].tolist():
        then = records.make(state.KINGDOM)[0]
        before = records.make(state.KINGDOM, 1)
        before[0] = one
        then = before[0]
        promised = bots.growth(one, rules, domino, act)
        was = one.land_points + builders.castle_points(one, rules)
        kingdom.lay_domino(then, rules, domino, act)
        assert then.land_points + builders.castle_points(then, rules) - was == promised


@given(st.integers(0, 61))
def test_the_lowest_bit_is_found(bit):
    word = (np.int64(1) << np.int64(bit)) | (np.int64(1) << np.int64(61))
    assert kingdom.lowest(word) == bit


@pytest.mark.parametrize(
    ("rows", "hole"),
    [
        (["W0 W0 W0", "W0 C. W0", "W0 W0 W0"], False),
        (["W0 W0 W0 .. W0", ".. W0 C. W0 W0"], False),
        ([".. W0 W0 W0 W0", "W0 W0 C. W0 W0"], False),
        (["W0 W0 W0 W0 W0", "W0 .. W0 W0 W0", "W0 W0 C. W0 W0"], True),
        (["W0 W0 W0 W0 W0", "W0 W0 .. W0 W0", "W0 W0 C. W0 W0"], False),  # the castle shuts nothing in
    ],
)
def test_a_hole_is_one_square_shut_in_by_squares_and_the_edge(rows, hole):
    from balance.games.queendomino import positions

    one = records.make(state.KINGDOM)[0]
    kingdom.found(one, RULES)
    positions._lay_grid(one, rows, CELL, "test")
    assert bots.has_hole(bots.window(one, RULES), 2) == hole
