"""How much a layout matters: the spread of true shares is found at the right size, or found to be none."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import synthetic
from balance import analysis
from balance.analysis import layouts
from balance.analysis.layouts import components, totals

STUDIES = 1500


def studies(rng, spread, *, count=STUDIES, layout_count=40, blocks=8, noise=0.2, unequal=False, draw=None):
    """Block means of many studies, each a "cell": a layout's true share plus the luck of its blocks."""
    truth = 0.25 + spread * (draw or rng.standard_normal)((count, layout_count, 1))
    means = truth + noise * rng.standard_normal((count, layout_count, blocks))
    cell, layout, block = np.indices(means.shape).reshape(3, -1)
    rows = pl.DataFrame(
        {"cell": cell, "level": "orcs", "layout": layout, "block": block, "share": means.ravel()}
    )
    if unequal:  # the last blocks of half the layouts are not played yet
        rows = rows.filter((pl.col("layout") % 2 == 0) | (pl.col("block") < blocks - 3))
    return components(totals(rows.lazy()).collect())


def covered(table, name, truth):
    return ((table[f"{name}_low"] <= truth) & (truth <= table[f"{name}_high"])).mean()


@pytest.mark.parametrize("unequal", [False, True])
@pytest.mark.parametrize("spread", [0.02, 0.05, 0.15])
def test_the_spread_is_covered_as_often_as_promised(spread, unequal):
    found = studies(np.random.default_rng(round(1000 * spread)), spread, unequal=unequal)
    assert 0.935 < covered(found, "sd", spread) < 0.985
    explained = spread**2 / (spread**2 + 0.2**2)
    assert 0.935 < covered(found, "explained", explained) < 0.985
    if spread > 0.02:  # under that the luck of blocks hides it, and estimates cannot go below nought
        assert np.sqrt((found["sd"] ** 2).mean()) == pytest.approx(spread, rel=0.12)


def test_chance_alone_is_taken_off():
    found = studies(np.random.default_rng(3), 0.05)
    naive = np.sqrt(0.05**2 + 0.2**2 / 8)  # what the means of layouts scatter by
    assert found["sd"].median() == pytest.approx(0.05, rel=0.1)
    assert naive > 1.7 * 0.05


def test_where_all_layouts_are_alike_the_interval_reaches_nought():
    found = studies(np.random.default_rng(4), 0.0)
    assert 0.965 < (found["sd_low"] == 0).mean() < 0.985  # errs on this side in one of forty
    assert (found["explained_low"] == 0).mean() == (found["sd_low"] == 0).mean()
    assert found["sd_high"].mean() < 0.06


def test_other_shapes_than_the_normal_do_little_harm():
    rng = np.random.default_rng(5)
    flat = studies(rng, 0.05, draw=lambda shape: rng.uniform(-np.sqrt(3), np.sqrt(3), shape))
    two = studies(rng, 0.05, draw=lambda shape: rng.choice([-1.0, 1.0], shape))
    assert min(covered(flat, "sd", 0.05), covered(two, "sd", 0.05)) > 0.95
    long = studies(rng, 0.05, draw=lambda shape: rng.exponential(1.0, shape) - 1.0)
    assert covered(long, "sd", 0.05) > 0.8  # a few extreme maps are missed more often than promised


def test_by_hand():
    rows = pl.DataFrame(
        {
            "cell": 0,
            "level": "orcs",
            "layout": [0, 0, 1, 1, 2, 2, 3, 3, 4, 4],
            "block": range(10),
            "share": [0.1, 0.3, 0.2, 0.4, 0.3, 0.5, 0.4, 0.6, 0.5, 0.7],
        }
    )
    sums = totals(rows.lazy()).collect().row(0, named=True)
    assert sums["within"] == pytest.approx(0.02)
    assert sums["between"] == pytest.approx(np.var([0.2, 0.3, 0.4, 0.5, 0.6], ddof=1))
    assert (sums["blocks"], sums["freedom"], sums["mean"]) == (2.0, 5.0, pytest.approx(0.4))
    found = components(totals(rows.lazy()).collect()).row(0, named=True)
    assert found["sd"] == pytest.approx(np.sqrt(0.025 - 0.01))
    assert found["explained"] == pytest.approx(0.015 / 0.035)


def test_nothing_is_told_of_few_layouts_or_single_blocks():
    rng = np.random.default_rng(6)
    few = studies(rng, 0.1, count=1, layout_count=4)
    single = studies(rng, 0.1, count=1, blocks=1)
    assert few["sd"].is_null().all()
    assert single["sd_high"].is_null().all()


# --- in a dataset -------------------------------------------------------------------------------


def laid_out(folder, spread, count=40, each=6, seed=2):
    """A dataset in which the orcs' odds depend on the layout, with a standard deviation of `spread`."""
    rng = np.random.default_rng(seed)
    games, seats = [], []
    for layout in range(count):
        strength = {"orcs": spread * rng.standard_normal()}
        one, two = synthetic.frames(each, seed=1000 + layout, strength=strength, first_block=layout * each)
        key = pl.lit(f"drawn_{layout + 1}")
        games.append(one.with_columns(game=pl.col("game") + len(one) * layout, layout=key))
        seats.append(two.with_columns(game=pl.col("game") + len(one) * layout, layout=key))
    keys = [f"drawn_{n + 1}" for n in range(count)]
    tables = tuple(pl.concat(t).with_columns(pl.col("layout").cast(pl.Enum(keys))) for t in (games, seats))
    laid = {
        "factor": "territory",
        "levels": [{"key": key, "name": key, "certainty": "generated"} for key in keys],
    }
    return synthetic.write(folder, tables, layouts=laid)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    return analysis.declared(laid_out(tmp_path_factory.mktemp("laid"), 0.8))


def test_only_the_level_that_depends_on_the_layout_is_said_to(known):
    found = {row["level"]: row for row in layouts.over_layouts(known, known.primary).iter_rows(named=True)}
    orcs, humans = found["orcs"], found["humans"]
    assert orcs["sd_low"] > 0.05
    assert orcs["layouts"] == 40
    assert orcs["blocks"] == pytest.approx(6)
    assert orcs["usual_low"] < orcs["low"] < orcs["share"] < orcs["high"] < orcs["usual_high"]
    assert humans["sd"] < 0.4 * orcs["sd"]


def test_intervals_are_those_of_whole_layouts(known):
    row = analysis.tables(known)["win_share_by_nation"].filter(pl.col("level") == "orcs").row(0, named=True)
    over = layouts.over_layouts(known, known.primary).filter(pl.col("level") == "orcs").row(0, named=True)
    assert known.unit == "layout"
    assert row["blocks"] == 40
    assert (row["low"], row["high"]) == (pytest.approx(over["low"]), pytest.approx(over["high"]))
    by_block = (
        known.dataset.blocks()
        .filter(pl.col("nation") == "orcs")
        .group_by("block")
        .agg(pl.col("share").mean())
    )
    naive = by_block.collect()["share"].std() / np.sqrt(240)
    assert (row["high"] - row["low"]) / (2 * 2.02) > 1.4 * naive  # counting blocks would claim too much


def test_the_factor_that_is_laid_out_is_no_family(known):
    assert {family.name for family in known.families} == {"nation", "seat", "bot"}


def test_one_layout_is_read_by_its_blocks(tmp_path):
    known = analysis.declared(laid_out(tmp_path, 0.5, count=1, each=50))
    assert known.unit == "block"
    assert layouts.over_layouts(known, known.primary).is_empty()
    assert analysis.tables(known)["win_share_by_nation"]["blocks"].to_list() == [50] * 6
