"""Who gets there first: by hand, with ties shared and games left out in which nobody does."""

from __future__ import annotations

import polars as pl
import pytest

import synthetic
from balance import analysis
from balance.analysis import firsts


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    games, seats = synthetic.frames(40, players=3)
    turn = pl.when(pl.col("nation") == "orcs").then(3).otherwise(pl.col("seat") + 3)
    none = pl.col("game") % 5 == 0
    seats = seats.with_columns(first_castle=pl.when(none).then(-1).otherwise(turn).cast(pl.Int32))
    return analysis.declared(synthetic.write(tmp_path_factory.mktemp("firsts"), (games, seats)))


def test_by_hand(known):
    table = firsts.firsts(known, known.primary)
    assert table["column"].unique().to_list() == ["first_castle"]
    orcs = table.filter(pl.col("level") == "orcs").row(0, named=True)
    assert orcs["first"] == 1.0
    assert orcs["par"] == pytest.approx(1 / 3)
    seats = known.dataset.seats().collect().filter(pl.col("first_castle") != -1)
    mine = seats.filter(pl.col("nation") == "orcs")
    assert orcs["rows"] == len(mine)
    assert orcs["won"] == pytest.approx(mine["share"].mean())
    without = seats.filter((pl.col("nation") == "orcs").any().over("game").not_())
    humans = without.filter((pl.col("nation") == "humans") & (pl.col("seat") == 1))
    told = table.filter(pl.col("level") == "humans").row(0, named=True)
    assert told["first"] == pytest.approx(len(humans) / len(seats.filter(pl.col("nation") == "humans")))


def test_those_that_are_first_in_one_turn_share_it(tmp_path):
    games, seats = synthetic.frames(3, players=3)
    seats = seats.with_columns(first_castle=pl.lit(4, pl.Int32))
    known = analysis.declared(synthetic.write(tmp_path, (games, seats)))
    assert firsts.firsts(known, known.primary)["first"].to_list() == pytest.approx([1 / 3] * 6)


def test_where_nobody_gets_there_nothing_is_told(tmp_path):
    games, seats = synthetic.frames(3, players=3)
    seats = seats.with_columns(first_castle=pl.lit(-1, pl.Int32))
    known = analysis.declared(synthetic.write(tmp_path, (games, seats)))
    assert firsts.firsts(known, known.primary).is_empty()
