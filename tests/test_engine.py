"""The engine plays Pig, of which enough is known exactly to catch it if it is wrong."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from balance import cell, records

HOLD_AT = {"kind": "holder", "weights": {"hold": 20}}


def prepared(pig, bots=None, players=2, **rules):
    return cell.prepare(pig, players, rules=rules, bots=bots or {"holder": HOLD_AT})


def seated(made, games):
    """Line-ups: bots and clans in seat order, moved on by one seat from game to game."""
    lineups = records.make(made.game.lineup_type, games * made.players)
    place = np.arange(len(lineups)) + np.arange(len(lineups)) // made.players
    lineups.bot = place % len(made.bots)
    lineups.clan = place % 4
    return lineups


def played(made, games, lib=None, first=0, **more):
    numbers = np.arange(first, first + games)
    lineups = seated(made, first + games)[first * made.players :]
    return cell.play(made, lib or made.game.fast(), numbers, numbers // 2, lineups, seed=7, **more)


def as_bytes(batch):
    return [rows.tobytes() for rows in (batch.games, batch.seats, batch.turns)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_plain_and_compiled_agree_to_the_byte(pig, players):
    made = prepared(pig, pig.bots, players)
    plain = played(made, 20, pig.plain, turns=400)
    assert as_bytes(plain) == as_bytes(played(made, 20, turns=400))
    assert len(plain.turns) == plain.games.turns.sum() * players


def test_splitting_a_batch_changes_nothing(pig):
    made = prepared(pig, pig.bots, 3)
    whole = played(made, 100, turns=400)
    parts = [played(made, 37, turns=400), played(made, 63, first=37, turns=400)]
    for rows, first, second in zip(as_bytes(whole), *map(as_bytes, parts), strict=True):
        assert rows == first + second


def test_another_bot_or_rule_does_not_shift_the_dice(pig):
    """The first seat's throws, one a turn, stay what they were, whoever sits opposite and for any bonus."""
    one, bold = ({"kind": "holder", "weights": {"hold": hold}} for hold in (1, 25))

    def throws(opposite, bonus):
        made = prepared(pig, {"one": one, "opposite": opposite}, goal=500, bonus=bonus)
        lineups = records.make(pig.lineup_type, 2)
        lineups.bot = [0, 1]
        turns = cell.play(made, pig.fast(), [3], [3], lineups, seed=7, turns=2000).turns
        return np.diff(turns.score[turns.seat == 0], prepend=0)[::2]

    usual = throws(one, 0)
    for opposite, bonus in ((bold, 0), (one, 50), (bold, 50)):
        other = throws(opposite, bonus)
        shared = min(len(usual), len(other))
        assert shared > 20
        assert (usual[:shared] == other[:shared]).all()


def test_a_game_that_reaches_its_limit_is_a_row_marked_unfinished(pig):
    made = prepared(pig)
    batch = played(made, 5, limit=10)
    assert batch.games.finished.tolist() == [0] * 5
    assert batch.seats.share.tolist() == [0.0] * 10
    assert played(made, 5).games.finished.tolist() == [1] * 5


def test_restricted_play_bars_an_act_but_never_all(pig):
    barred = prepared(pig, {"greedy": {"kind": "random", "bar": ["hold"]}}, goal=20)
    batch = played(barred, 200)
    banked = batch.seats.points_banked.reshape(-1, 2)
    assert (np.sort(banked)[:, 0] == 0).all()
    assert (np.sort(banked)[:, 1] >= 20).all()


@functools.cache
def ends_of_turn(wanted):
    """Exact chances of what a turn banks, holding at `wanted` pips or more: points -> probability."""
    pots = {0: 1.0}
    ends: dict[int, float] = {}
    while pots:
        rolled: dict[int, float] = {}
        for pot, chance in pots.items():
            ends[0] = ends.get(0, 0.0) + chance / 6
            for face in range(2, 7):
                into = ends if pot + face >= wanted else rolled
                into[pot + face] = into.get(pot + face, 0.0) + chance / 6
        pots = rolled
    return ends


@functools.cache
def first_seat_wins(mine=0, theirs=0):
    """Exact chance that the seat to move wins when both hold at 20 or when they have won."""
    # A turn of either seat that scores nothing leads back here, so both seats' equations are solved at once.
    here, zero = _gains(mine, theirs)
    there, other_zero = _gains(theirs, mine)
    return (here + zero * (1 - there - other_zero)) / (1 - zero * other_zero)


def _gains(mine, theirs):
    """Return (chance to win here by a turn that scores, chance of a turn that scores nothing)."""
    turn = ends_of_turn(min(20, 100 - mine))
    won = sum(
        chance * (1.0 if mine + points >= 100 else 1 - first_seat_wins(theirs, mine + points))
        for points, chance in turn.items()
        if points
    )
    return won, turn[0]


def test_hold_at_20_scores_nothing_as_often_as_computed_exactly(pig):
    """Neller and Presser (2004), table 1: 0.6245 of the turns that hold at 20 end with a one."""
    exact = ends_of_turn(20)[0]
    assert exact == pytest.approx(0.6245, abs=5e-5)
    assert sum(ends_of_turn(20).values()) == pytest.approx(1)
    turns = played(prepared(pig, goal=1000), 200, turns=2000).turns
    scores = turns.score.reshape(-1, 2)
    games = turns.game.reshape(-1, 2)[:, 0]
    mover = (turns.turn.reshape(-1, 2)[:, 0] - 1) % 2
    own = scores[np.arange(len(scores)), mover]
    before = np.concatenate([[0, 0], own[:-2]])
    same_game = np.concatenate([[False, False], games[2:] == games[:-2]])
    counted = same_game & (before <= 980)
    missed = (own == before)[counted]
    assert len(missed) > 30_000
    assert abs(missed.mean() - exact) < 4 * np.sqrt(exact * (1 - exact) / len(missed))


def test_the_first_seat_wins_as_often_as_computed_exactly(pig):
    exact = first_seat_wins()
    assert exact == pytest.approx(0.5347, abs=5e-5)
    blocks = 100_000
    made = prepared(pig)
    deals = np.arange(blocks)
    share = cell.play(made, pig.fast(), deals, deals, seated(made, blocks), seed=7).seats.share
    low, high = proportion_confint(share[::2].sum(), blocks, alpha=1e-4, method="wilson")
    assert low < exact < high
    assert high - low < 0.02
