"""The random streams: known answers, independence of events, and shape of what is drawn."""

from __future__ import annotations

import itertools

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from balance import dice
from balance.records import make

# Counter, key and answer of philox4x32 with 10 rounds, from kat_vectors of Random123 1.14 (Salmon et al.).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def stream(seed=1, number=2, purpose=3):
    made = make(dice.STREAM)[0]
    dice.start(made, seed, number, purpose)
    return made


def draws(made, count=8, n=1 << 32):
    return [int(dice.below(made, n)) for _ in range(count)]


@pytest.mark.parametrize("refill", [dice.refill, numba.njit(dice.refill)], ids=["plain", "compiled"])
@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_philox_gives_the_published_words(refill, counter, key, answer):
    made = make(dice.STREAM)[0]
    made.counter[:] = counter
    made.key[:] = key
    refill(made)
    assert tuple(int(word) for word in made.block) == answer


def test_a_stream_depends_on_seed_number_and_purpose_and_on_nothing_else():
    named = list(itertools.product((0, 1, 2**32, 2**64 - 1), (0, 1, 2**32, 2**48 - 1), (0, 1, 2**16 - 1)))
    drawn = {tuple(draws(stream(*name))) for name in named}
    assert len(drawn) == len(named)
    assert draws(stream(5, 6, 7)) == draws(stream(5, 6, 7))


@given(st.integers(0, 2**32 - 1), st.integers(0, 20))
def test_an_event_is_the_same_whatever_was_drawn_before(event, before):
    fresh, used = stream(), stream()
    draws(used, before)
    dice.at(fresh, event)
    dice.at(used, event)
    assert draws(fresh) == draws(used)


def test_events_differ_from_one_another():
    made = stream()
    seen = set()
    for event in range(1000):
        dice.at(made, event)
        seen.add(tuple(draws(made, 2)))
    assert len(seen) == 1000


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31 - 1))
def test_draws_stay_in_range(seed, n):
    made = stream(seed)
    assert all(0 <= value < n for value in draws(made, 20, n))
    assert all(0.0 <= dice.unit(made) < 1.0 for _ in range(20))


def test_a_die_is_fair():
    made = stream(seed=11)
    counts = np.bincount(draws(made, 6000, 6), minlength=6)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_every_order_of_a_shuffle_is_as_likely():
    made = stream(seed=12)
    orders = dict.fromkeys(itertools.permutations(range(4)), 0)
    for _ in range(4800):
        pieces = np.arange(5)
        dice.shuffle(made, pieces, 4)
        assert pieces[4] == 4
        orders[tuple(int(piece) for piece in pieces[:4])] += 1
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4
