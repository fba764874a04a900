"""Rule sets side by side: differences that are planted are found, those that are not are exactly none."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from scipy import stats

import balance
import synthetic
from balance import cli, comparing, document, report, runner, scenario
from balance.analysis import changes
from balance.analysis import compare as comp
from balance.errors import DatasetError

PIG = """
game = "pig"
players = 3
seed = 7
games = 2000
[bots.holder]
[bots.random]
[rules]
goal = 30
[[variant]]
name = "nothing"
rules = { goal = 30 }
[[variant]]
name = "head start"
[variant.clans.red]
start = 6
"""


@pytest.fixture(scope="module")
def pig(tmp_path_factory):
    return runner.sweep(scenario.parse(PIG), tmp_path_factory.mktemp("pig") / "run")


@pytest.fixture(scope="module")
def found(pig):
    return {one.other.label: one for one in comparing.compare([pig])}


def row(one, level, metric="Win share"):
    here = (pl.col("level") == level) & (pl.col("metric") == metric)
    return one.table.row(by_predicate=here, named=True)


def test_a_change_that_changes_nothing_gives_exact_zeros(found):
    one = found["nothing"]
    assert one.paired
    assert (one.table["difference"] == 0.0).all()
    assert (one.table["low"] == 0.0).all()
    assert (one.table["high"] == 0.0).all()
    assert set(one.table["verdict"]) == {comp.EXACT}
    assert changes.told(one) == [
        f"“nothing” against “base”: nothing changes; all {one.blocks} blocks end exactly alike."
    ]


def test_a_planted_gain_is_found_and_said(found):
    one = found["head start"]
    red = row(one, "red")
    assert red["difference"] > 0.05
    assert red["low"] > red["band"]
    assert red["verdict"] == comp.MORE
    said = " ".join(changes.told(one))
    assert "red" in said.lower()
    assert "which matters" in said
    assert "Worse: Red moves away from it." in said or "move away from it" in said


def test_the_difference_and_its_interval_are_those_of_block_differences(pig, found):
    seats = pig.seats().collect()
    means = seats.filter(pl.col("clan") == "red").group_by("cell", "block").agg(pl.col("share").mean())
    base, other = (means.filter(pl.col("cell") == cell).sort("block")["share"].to_numpy() for cell in (0, 2))
    red = row(found["head start"], "red")
    assert red["difference"] == pytest.approx((other - base).mean())
    levels = len(found["head start"].table.filter(family="clan", metric="Win share"))
    low, high = stats.t.interval(
        0.95 ** (1 / levels), len(base) - 1, (other - base).mean(), stats.sem(other - base)
    )
    assert (red["low"], red["high"]) == (pytest.approx(low), pytest.approx(high))
    saved = (base.var(ddof=1) + other.var(ddof=1)) / (other - base).var(ddof=1)
    assert red["saved"] == pytest.approx(saved)


def test_the_factor_of_pairing_may_be_below_one(tmp_path):
    """Blocks that pull against one another: the same deals make a difference harder to see."""
    games, seats = synthetic.frames(200, seed=3)
    lucky = pl.when(pl.col("block") % 2 == 0).then(1.0).otherwise(0.0)
    first = pl.col("nation") == "orcs"
    shares = [
        seats.with_columns(share=pl.when(first).then(sign).otherwise((1 - sign) / 3))
        for sign in (lucky, 1 - lucky)
    ]
    tables = [
        (games.with_columns(cell=pl.lit(n, pl.Int32)), one.with_columns(cell=pl.lit(n, pl.Int32)))
        for n, one in enumerate(shares)
    ]
    one = comparing.compare([synthetic.write(tmp_path, *tables)])[0]
    assert row(one, "orcs")["saved"] == pytest.approx(0.5)


def test_other_player_counts_are_unpaired_and_told_by_index(tmp_path):
    text = PIG.replace("players = 3", "players = [2, 4]").split("[[variant]]")[0]
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    one = comparing.compare([run])[0]
    assert not one.paired
    assert one.why == "2 players and 4"
    shares = one.table.filter(pl.col("metric") == "Win share")
    assert set(shares["kind"]) == {"index"}
    assert shares.filter(family="clan")["before"].mean() == pytest.approx(1.0)
    assert shares.filter(family="clan")["after"].mean() == pytest.approx(1.0)
    assert shares["saved"].null_count() == len(shares)
    assert "unpaired (2 players and 4)" in changes.told(one)[0]


def test_two_datasets_of_one_seed_are_paired_and_of_two_are_not(tmp_path):
    base = PIG.split("[[variant]]")[0]
    runs = {
        name: runner.sweep(scenario.parse(base, settings=settings), tmp_path / name)
        for name, settings in (("a", []), ("b", ["rules.goal=40"]), ("c", ["seed=8"]))
    }
    one = comparing.compare([runs["a"], runs["b"]])[0]
    assert (one.paired, one.base.label, one.other.label) == (True, "a", "b")
    two = comparing.compare([runs["a"], runs["c"]])[0]
    assert (two.paired, two.why) == (False, "their seeds differ")


def test_line_ups_that_differ_are_not_paired(tmp_path):
    text = PIG.split("[[variant]]")[0]
    runs = [
        runner.sweep(scenario.parse(text, settings=[setting]), tmp_path / str(n))
        for n, setting in enumerate(('field.clans=["red","green","blue"]', 'field.clans="all"'))
    ]
    one = comparing.compare(runs)[0]
    assert (one.paired, one.why) == (False, "their line-ups differ")
    assert set(one.table.filter(family="clan")["level"]) == {"red", "green", "blue"}


def test_what_cannot_be_compared_is_refused_in_a_line(pig, tmp_path):
    alone = synthetic.write(tmp_path / "alone", synthetic.frames(31))
    with pytest.raises(DatasetError, match="holds one rule set"):
        comparing.compare([alone])
    with pytest.raises(DatasetError, match=r"is of pig, and .* of tiny-epic-kingdoms"):
        comparing.compare([alone, pig])
    text = PIG.split("[[variant]]")[0].replace("players = 3", "players = 2").replace("2000", "60")
    runs = [
        runner.sweep(scenario.parse(text, settings=[f"field.clans={field}"]), tmp_path / str(n))
        for n, field in enumerate(('["red","green"]', '["blue","gold"]'))
    ]
    with pytest.raises(DatasetError, match="have no clan in common"):
        comparing.compare(runs)


def test_too_few_blocks_say_so(tmp_path):
    text = PIG.replace("games = 2000", "games = 40")
    one = comparing.compare([runner.sweep(scenario.parse(text), tmp_path / "run")])[1]
    assert changes.told(one) == ["“head start” against “base”: too few blocks to say anything."]
    report.put(comparing.document([one]), tmp_path / "few.html")


def test_differences_cover_as_often_as_they_say():
    """Two hundred studies of two rule sets that share their deals."""
    rng = np.random.default_rng(5)
    held = []
    for _ in range(300):
        deal = rng.normal(0, 1, (60, 1))
        values = [np.clip(0.3 + 0.1 * (deal + rng.normal(0, 0.7, (60, 1))), 0, 1) for _ in range(2)]
        totals = [(value.ravel() * 4, np.full(60, 4.0)) for value in values]
        _, _, difference, error, _, blocks = comp._difference(*totals, [1.0, 1.0], True)
        held.append(abs(difference) <= stats.t.ppf(0.975, blocks - 1) * error)
    assert 0.92 <= np.mean(held) <= 0.98


def test_the_command_prints_writes_and_says_no(pig, tmp_path, capsys):
    path = str(pig.path)
    assert cli.main(["compare", path, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["other"] for one in told] == ["nothing", "head start"]
    assert told[0]["rows"][0]["difference"] == 0.0
    out = tmp_path / "c.html"
    assert cli.main(["compare", path, "--out", str(out)]) == 0
    assert "head start against base" in capsys.readouterr().out
    assert "What changes: head start against base" in out.read_text(encoding="utf-8")
    assert cli.main(["compare", path, "--out", str(tmp_path / "c.txt")]) == 2


def test_the_report_of_a_sweep_with_variants_compares_them(pig):
    page = document.document(pig)
    section = next(section for section in page.sections if section.id == "compare")
    assert any("nothing changes" in line for part in section.parts for line in getattr(part, "lines", ()))
    assert any("“head start” against “base”" in line for line in page.findings)


def test_a_figure_shows_the_differences(found):
    from balance import figures

    table = found["head start"].table.filter(family="clan", metric="Win share")
    drawing = figures.differences(table, "Clans")
    dots = [line.get_xdata()[0] for line in drawing.figure.axes[0].lines if len(line.get_xdata()) == 1]
    assert dots == pytest.approx([100 * value for value in table["difference"]])


def test_the_library_compares_as_the_command_does(pig):
    assert balance.compare([pig])[0].other.label == "nothing"
