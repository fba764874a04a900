"""The engine's own dice bring what exact enumeration says."""

from __future__ import annotations

import itertools
import math

import numba
import numpy as np
import pytest

from balance import cell as cells
from balance import dice, games, records
from balance.games.stone_age.rules import throw

DIVISORS = (2, 3, 4, 5, 6)  # food, wood, brick, stone, gold
YIELDS = {  # dice -> mean units for each divisor, by enumeration of all throws
    1: (1.500000, 0.833333, 0.500000, 0.333333, 0.166667),
    2: (3.250000, 2.000000, 1.361111, 1.000000, 0.750000),
    3: (5.000000, 3.166667, 2.254630, 1.699074, 1.333333),
    4: (6.750000, 4.333333, 3.124228, 2.399691, 1.916667),
    5: (8.500000, 5.500000, 4.000000, 3.100051, 2.500000),
    6: (10.250000, 6.666667, 4.875043, 3.800004, 3.083333),
    7: (12.000000, 7.833333, 5.749986, 4.500000, 3.666667),
    8: (13.750000, 9.000000, 6.625002, 5.200000, 4.250000),
    9: (15.500000, 10.166667, 7.500000, 5.900000, 4.833333),
    10: (17.250000, 11.333333, 8.375000, 6.600000, 5.416667),
}
THROWS = 40_000


def sums(number):
    """The chance of each sum of so many dice, exactly."""
    chances = np.ones(1)
    for _ in range(number):
        chances = np.convolve(chances, [0, *[1 / 6] * 6])
    return chances


@pytest.fixture(scope="module")
def thrown():
    """Sums that the rules' own throw gave, by number of dice."""
    space = dict(vars(__import__("balance.games.stone_age.rules", fromlist=["throw"])))
    space |= {"below": numba.njit(_with(dice.below))}
    fast = numba.njit(type(throw)(throw.__code__, space, "throw"))
    stream = records.make(dice.STREAM)[0]
    dice.start(stream, 2026, 1, 2)
    return {number: np.array([fast(stream, number) for _ in range(THROWS)]) for number in YIELDS}


def _with(function):
    """The function with a compiled `refill`."""
    space = dict(vars(dice)) | {"refill": numba.njit(dice.refill)}
    return type(function)(function.__code__, space, function.__name__)


@pytest.mark.parametrize("number", YIELDS)
def test_the_table_is_exact(number):
    chances = sums(number)
    for divisor, mean in zip(DIVISORS, YIELDS[number], strict=True):
        exact = sum(chance * (pips // divisor) for pips, chance in enumerate(chances))
        assert exact == pytest.approx(mean, abs=5e-7)


@pytest.mark.parametrize("number", YIELDS)
def test_the_rules_throw_what_the_table_says(thrown, number):
    for divisor, mean in zip(DIVISORS, YIELDS[number], strict=True):
        units = thrown[number] // divisor
        assert abs(units.mean() - mean) < 4 * units.std() / math.sqrt(THROWS)


def test_five_dice_with_tools_of_six(thrown):
    for divisor, mean in zip(DIVISORS, (11.5, 7.5, 5.5, 4.3, 3.5), strict=True):
        units = (thrown[5] + 6) // divisor
        assert abs(units.mean() - mean) < 4 * units.std() / math.sqrt(THROWS) + 5e-5


def test_whole_rolls_through_the_rules_bring_what_the_table_says():
    game = games.get("stone-age")
    cell = cells.prepare(game, 2)
    lib, rules = game.plain, cell.rules[0]
    desk = records.make(game.desk_type)[0]
    got: dict[tuple[int, int], list[int]] = {}
    dice.start(desk.rng.chance[2], 7, 1, 2)
    for turn, place in itertools.product(range(600), range(5)):
        desk.state = desk.blank
        state = desk.state
        state.seats, state.turn, state.round_phase = 2, turn, 1
        state.roll.place = -1
        player = state.players[0]
        player.figures = 5
        player.at[place] = state.crowd[place] = 5
        lib.gather(state, rules, place, desk.rng)
        got.setdefault((5, place), []).append(int(player.food if place == 0 else player.goods[place - 1]))
    for (number, place), units in got.items():
        spread = np.std(units) / math.sqrt(len(units))
        assert abs(np.mean(units) - YIELDS[number][place]) < 4 * spread
