"""What stands out among many: chosen on one half, told from the other; p values adjusted for their number."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests

import synthetic
from balance import analysis
from balance.analysis import drama, luck, screening, shares
from test_analysis import _declared


@pytest.mark.parametrize(("method", "ours"), [("fdr_bh", screening.adjusted), ("holm", screening.holm)])
def test_adjusted_p_values_are_those_of_statsmodels(method, ours):
    p = np.random.default_rng(2).random(50) ** 3
    assert ours(p) == pytest.approx(multipletests(p, method=method)[1])
    assert len(ours(np.array([]))) == 0


def test_the_strongest_is_told_from_the_half_it_was_not_chosen_by():
    found, family = _declared(synthetic.frames(400, strength={"orcs": 0.6}), "nation")
    table = screening.chosen(found, family)
    strongest = table.row(by_predicate=pl.col("which") == "strongest", named=True)
    assert strongest["level"] == "orcs"
    assert strongest["beside"] == ""
    seats = found.dataset.seats().collect().filter(nation="orcs")
    assert strongest["chosen"] == pytest.approx(seats.filter(pl.col("block") % 2 == 0)["share"].mean())
    assert strongest["share"] == pytest.approx(seats.filter(pl.col("block") % 2 == 1)["share"].mean())
    assert strongest["low"] < strongest["share"] < strongest["high"]


def test_choosing_the_best_of_equals_is_not_fooled():
    """Among equals the chosen half is too high; the other half is not, and all are beside it."""
    chosen, told, beside = [], [], []
    for seed in range(40):
        found, family = _declared(synthetic.frames(80, seed=seed), "nation")
        row = screening.chosen(found, family).row(0, named=True)
        assert row["which"] == "strongest"
        chosen.append(row["chosen"])
        told.append(row["share"])
        beside.append(row["beside"].count(",") + row["beside"].count(" and ") + 1)
    assert np.mean(chosen) > 0.265
    assert np.mean(told) == pytest.approx(0.25, abs=0.008)
    assert np.mean(beside) > 4.5


def test_among_many_equals_nothing_is_worth_a_run():
    found, _ = _declared(synthetic.frames(150, seed=9), "nation")
    made = analysis.tables(found)
    table = made["screened"]
    assert len(table) > 50
    assert table["p"].is_sorted()
    assert (table["rate"] >= table["p"]).all()
    assert (table["holm"] >= table["rate"] - 1e-12).all()
    assert (table["rate"] < screening.RATE).sum() <= 1


def test_what_is_planted_stands_out():
    games, seats = synthetic.frames(300, seed=3)
    helped = (pl.col("nation") == "orcs") & (pl.col("seat") == 2)
    met = helped.any().over("game")
    share = pl.when(helped).then(1.0).when(met).then(0.0).otherwise("share")
    found, _ = _declared((games, seats.with_columns(share=share)), "nation")
    by_seat = analysis.tables(found)["screened"].filter(what="Nation | seat")
    assert by_seat["name"][0] == "Orcs | Seat 2"
    assert by_seat["rate"][0] < 1e-6


def test_without_the_strongest_the_others_are_told_from_their_own_games():
    found, family = _declared(synthetic.frames(200, strength={"orcs": 1.2}), "nation")
    outside = pl.DataFrame({"cell": [0], "level": ["orcs"]}, schema={"cell": pl.Int32, "level": pl.String})
    table = shares.without(found, family, outside)
    assert set(table["level"]) == set(synthetic.NATIONS) - {"orcs"}
    seats = found.dataset.seats().collect()
    absent = seats.filter(~(pl.col("nation") == "orcs").any().over("game"))
    for row in table.iter_rows(named=True):
        part = absent.filter(pl.col("nation") == row["level"])
        assert (row["share"], row["rows"]) == (pytest.approx(part["share"].mean()), len(part))
    assert (table["share"] * table["rows"]).sum() / table["rows"].sum() == pytest.approx(0.25)
    whole = shares.win_share(found, family).filter(pl.col("level") != "orcs")
    assert whole["share"].max() < 0.25  # with it in play all others look weak


def test_where_every_level_is_in_every_game_there_is_no_game_without():
    nations = {key: synthetic.NATIONS[key] for key in ("orcs", "elves", "humans", "dwarves")}
    found, family = _declared(synthetic.frames(40, nations=nations), "nation", nations=nations)
    outside = pl.DataFrame({"cell": [0], "level": ["orcs"]}, schema={"cell": pl.Int32, "level": pl.String})
    assert shares.without(found, family, outside).is_empty()


# --- drama and luck -------------------------------------------------------------------------------


class WithTurns:
    """One cell of three games whose course is laid out by hand."""

    complete = True
    path = "memory"
    # Scores of two seats, turn by turn. Seat 1 leads throughout; leads change twice; a comeback at the end.
    COURSE = (
        [(1, 0), (2, 1), (4, 2), (6, 3)],
        [(1, 0), (1, 3), (5, 3), (6, 4)],
        [(0, 1), (0, 2), (1, 2), (9, 2)],
    )

    def __init__(self):
        games, seats = synthetic.frames(1, players=2, nations={"a": ("A", ""), "b": ("B", "")})
        self.manifest = synthetic.manifest([(games, seats)])
        self.manifest["parts"] = [{"games": 3, "files": {"games": 0, "seats": 0, "turns": 0}}]
        rows = [
            {"cell": 0, "game": game, "block": game, "turn": turn, "seat": seat + 1, "score": scores[seat]}
            for game, course in enumerate(self.COURSE)
            for turn, scores in enumerate(course, start=1)
            for seat in (0, 1)
        ]
        self.rows = pl.DataFrame(rows, schema_overrides={"cell": pl.Int32})

    def turns(self):
        return self.rows.lazy()

    def seats(self):
        last = self.rows.filter(pl.col("turn") == 4)
        won = (pl.col("score") == pl.col("score").max().over("game")).cast(pl.Float64)
        return last.with_columns(share=won, rank=2 - won.cast(pl.Int32), side=pl.col("seat")).lazy()

    def games(self):
        games = self.rows.group_by("cell", "game", "block").agg(turns=pl.col("turn").max()).sort("game")
        return games.with_columns(decisions=pl.col("turns"), finished=pl.lit(True)).lazy()


def test_the_course_of_games_is_read_turn_by_turn():
    dataset = WithTurns()
    cells = pl.DataFrame({"cell": [0], "label": ["base"]}, schema={"cell": pl.Int32, "label": pl.String})
    known = analysis.Declared(dataset, (), cells)
    table = drama.drama(known)
    means = dict(zip(drama.MEASURES, table["mean"], strict=True))
    assert means["margin"] == pytest.approx((3 + 2 + 7) / 3)
    assert means["changes"] == pytest.approx((0 + 2 + 1) / 3)
    assert means["behind"] == pytest.approx(
        2 / 3
    )  # in the second and the third game, after two of four turns
    assert means["last"] == pytest.approx(2 / 3)
    assert means["known"] == pytest.approx((0 + 2 / 4 + 3 / 4) / 3)
    assert (means["close"], means["shared"]) == (0, 0)


def test_without_turns_margins_remain():
    found, _ = _declared(synthetic.frames(40, ties=0.2), "nation")
    table = drama.drama(found)
    assert len(table) == 3
    row = table.row(by_predicate=pl.col("measure") == "Shared wins", named=True)
    seats = found.dataset.seats().collect()
    assert row["mean"] == pytest.approx(
        (seats.group_by("game").agg(pl.col("share").max())["share"] < 1).mean()
    )


def test_what_scatters_is_laid_to_what_makes_it_scatter():
    games, seats = synthetic.frames(400, seed=2)
    bonus = pl.when(pl.col("nation") == "orcs").then(6).otherwise(0)
    found, _ = _declared((games, seats.with_columns(score=pl.col("score") + bonus)), "nation")
    table = luck.luck(found)
    points = dict(table.select("factor", "points").iter_rows())
    true = np.std([6, 0, 0, 0, 0, 0], ddof=1)
    assert points["Nation"] == pytest.approx(true, abs=0.15)
    assert points["Seat"] < 0.2
    parts = [points["Nation"] ** 2, points["Seat"] ** 2, points["Bot"] ** 2, points["Territory"] ** 2]
    assert points[luck.REST] ** 2 + sum(parts) == pytest.approx(points[luck.ALL] ** 2)
