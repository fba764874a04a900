"""How many games a wanted precision needs: the closed form, on numbers that are known."""

from __future__ import annotations

import pytest

from balance.analysis.planning import foreseen, needed


@pytest.mark.parametrize(
    ("players", "width", "rows"), [(2, 0.02, 3_127), (2, 0.01, 12_505), (4, 0.01, 11_634), (5, 0.01, 10_558)]
)
def test_rows_for_a_half_width_at_the_fair_share_with_all_levels_at_once(players, width, rows):
    table = needed({"Seat": players}, players, (width,))
    assert table["rows"].to_list() == [rows]
    assert table["games"].to_list() == [rows]  # every seat is in every game


def test_levels_that_take_turns_need_more_games():
    table = needed({"Nation": 6, "Seat": 4}, 4, (0.02, 0.01))
    games = {(row["family"], row["half_width"]): row["games"] for row in table.to_dicts()}
    # Six levels at once ask for a wider interval than four: 2.6310 against 2.4909 standard errors.
    wider = (2.6310382846 / 2.4909151310) ** 2
    assert games["Nation", 0.01] == pytest.approx(games["Seat", 0.01] * wider * 6 / 4, abs=2)
    assert games["Seat", 0.01] == pytest.approx(4 * games["Seat", 0.02], abs=4)


def test_what_a_sweep_can_tell_before_it_runs():
    row = foreseen({"Seat": 4}, 4, 11_634, 1, 0.1).row(0, named=True)
    assert row["rows"] == 11_634
    assert row["fixed"] == pytest.approx(0.01, rel=1e-4)
    assert 1.4 < row["anytime"] / row["fixed"] < 1.8  # what looking costs
    error = row["fixed"] / 2.4909151310
    assert row["told"] == pytest.approx(row["fixed"] + 0.8416212 * error)
    assert row["outside"] == pytest.approx(row["told"] + 0.025)
    assert row["balanced"] > 0.99


def test_what_cannot_come_out_is_said_before_the_run():
    row = foreseen({"Nation": 13}, 4, 2_000, 13, 0.1).row(0, named=True)
    assert row["fixed"] > 0.025
    assert row["balanced"] == row["balanced_anytime"] == 0.0


def test_the_power_foretold_is_the_power_there_is():
    """With independent rows, 80 % of sweeps tell apart what is said to be detectable."""
    import numpy as np

    row = foreseen({"Seat": 2}, 2, 4_000, 1, 0.1).row(0, named=True)
    truth = 0.5 + row["outside"]
    shares = np.random.default_rng(3).binomial(4_000, truth, 4_000) / 4_000
    half = 2.2364766 * np.sqrt(shares * (1 - shares) / 4_000)
    assert (shares - half > 0.55).mean() == pytest.approx(0.8, abs=0.03)
