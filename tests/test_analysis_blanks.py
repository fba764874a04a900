"""What a blanked part is worth: planted effects are found, none where there is none, dead ones as dead."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import synthetic
from balance import analysis
from balance.analysis import blanks

BLOCKS = 60


def without(tables, key, cell, change):
    """The tables of a cell without a part: `change(share, score)` of the seats with `key`."""
    games, seats = (table.with_columns(cell=pl.lit(cell, pl.Int32)) for table in tables)
    here = pl.col("nation") == key
    share, score = change(pl.col("share"), pl.col("score"))
    return games, seats.with_columns(
        share=pl.when(here).then(share).otherwise("share"),
        score=pl.when(here).then(score).otherwise("score").cast(pl.Int32),
    )


def blank(level, part, base=0):
    return {
        "blank": {
            "factor": "nation",
            "level": level,
            "part": part,
            "note": f"{part} of {level}",
            "base": base,
        }
    }


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    base = synthetic.frames(BLOCKS, strength={"orcs": 0.3})
    odd = pl.col("game") % 2 == 0
    tables = [
        base,
        without(base, "orcs", 1, lambda share, score: (pl.when(odd).then(0.0).otherwise(share), score - 2)),
        without(base, "orcs", 2, lambda share, score: (share, score)),
        without(base, "humans", 3, lambda share, score: (pl.min_horizontal(share + 0.25, 1.0), score)),
        without(base, "humans", 4, lambda share, score: (share, score + pl.col("game") % 2)),
    ]
    lacks = (("orcs", "level 1"), ("orcs", "level 2"), ("humans", "level 1"), ("humans", "level 5"))
    more = {cell: blank(*part) for cell, part in enumerate(lacks, start=1)}
    labels = {0: "base"} | {cell: f"cell {cell}" for cell in more}
    return synthetic.write(tmp_path_factory.mktemp("blanks"), *tables, more=more, labels=labels)


@pytest.fixture(scope="module")
def found(run):
    known = analysis.declared(run)
    return {row["cell"]: row for row in blanks.worth(known, known.primary).iter_rows(named=True)}


def test_the_effect_is_the_paired_difference_by_hand(run, found):
    seats = run.seats().collect()
    with_, without_ = (
        seats.filter((pl.col("cell") == cell) & (pl.col("nation") == "orcs")).sort("game", "seat")
        for cell in (0, 1)
    )
    difference = (with_["share"] - without_["share"]).to_numpy()
    blocks = with_["block"].to_numpy()
    means = np.array([difference[blocks == block].mean() for block in np.unique(blocks)])
    row = found[1]
    assert row["effect"] == pytest.approx(difference.mean())
    half = 2.001 * means.std(ddof=1) / np.sqrt(BLOCKS)
    assert (row["low"], row["high"]) == (
        pytest.approx(means.mean() - half, abs=1e-4),
        pytest.approx(means.mean() + half, abs=1e-4),
    )
    assert row["low_all"] < row["low"] < row["high"] < row["high_all"]
    assert (row["points"], row["points_low"], row["points_high"]) == (2.0, 2.0, 2.0)
    assert row["without"] == pytest.approx(without_["share"].mean())


def test_parts_that_help_harm_or_do_nothing_are_told_apart(found):
    assert {cell: row["verdict"] for cell, row in found.items()} == {
        1: blanks.HELPS,
        2: blanks.DEAD,
        3: blanks.HARMS,
        4: blanks.UNTOLD,
    }
    dead = found[2]
    assert (dead["effect"], dead["low_all"], dead["high_all"], dead["changed"]) == (0, 0, 0, 0)
    assert found[4]["changed"] == pytest.approx(0.5)
    assert found[1]["changed"] == 1
    assert (found[1]["label"], found[1]["part"], found[1]["note"]) == ("base", "level 1", "level 1 of orcs")


def test_the_other_tables_leave_these_cells_out(run):
    known = analysis.declared(run)
    tables = analysis.tables(known)
    assert known.cells["label"].to_list() == ["base"]
    for name in ("win_share_by_nation", "length", "counts", "scores", "matrix"):
        assert tables[name]["cell"].unique().to_list() == [0]
    assert len(tables["worth"]) == 4


def test_without_blanks_there_is_nothing_to_tell(tmp_path):
    known = analysis.declared(synthetic.write(tmp_path, synthetic.frames(2)))
    assert blanks.worth(known, known.primary).is_empty()


def test_intervals_cover_the_planted_effect():
    """Two hundred studies with and without a part that is worth 0.06, blocks with luck of their own."""
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(200):
        luck = rng.normal(0, 0.1, (40, 1))
        with_ = rng.random((40, 8)) < np.clip(0.30 + luck, 0, 1)
        without_ = np.where(rng.random((40, 8)) < 0.2, False, with_)  # takes a fifth of the wins: 0.06
        rows = pl.LazyFrame(
            {
                "cell": 1,
                "block": np.repeat(np.arange(40), 8),
                "share": with_.ravel().astype(float),
                "share_without": without_.ravel().astype(float),
                "score": 0,
                "score_without": 0,
            }
        )
        table = blanks.intervals(blanks.estimate(rows, ["cell"], {"effect": blanks._VALUES["effect"]}))
        hits += table["low"].item() <= 0.06 <= table["high"].item()
    assert 0.90 <= hits / 200 <= 0.99
