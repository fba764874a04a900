"""The lean way through Numba takes in all that the entry may reach."""

from __future__ import annotations

import numba

from balance import compiler

inner, entry = compiler.options(False), compiler.options(True)


@numba.njit(**inner)
def last(number):
    """Called in one branch only, so that a call which prunes the branch names it but does not refer to it."""
    total = 0
    for part in range(number):
        total += part * part
    return total


@numba.njit(**inner)
def branching(number, wanted):
    return last(number) if wanted > 0 else number


@numba.njit(**inner)
def farther(number, wanted):
    return branching(number, wanted)


@numba.njit(**inner)
def far(number, wanted):
    return farther(number, wanted)


@numba.njit(**inner)
def near(number):
    return branching(number, 0)


@numba.njit(**entry)
def whole(number, wanted):
    return near(number) + far(number, wanted)


def test_what_a_pruned_branch_calls_is_there_for_those_that_take_it():
    assert whole(4, 1) == 4 + 14
    assert whole(4, 0) == 8
