"""How many games a wanted precision needs: the closed form, on numbers that are known."""

from __future__ import annotations

import pytest

from balance.analysis.planning import needed


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
