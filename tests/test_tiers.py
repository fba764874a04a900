"""Findings at several skills: what holds in all tiers, what flips, what rests on one."""

from __future__ import annotations

import polars as pl
import pytest

import synthetic
from balance import analysis, cli, design, games, report, runner, scenario
from balance.analysis import tiers
from balance.errors import ScenarioError

GAME = 'game = "tiny-epic-kingdoms"\nplayers = 4\ngames = 13\n'


def known(tmp_path, *strengths, blocks=400):
    """A run of as many tiers as there are `strengths`: nation -> log odds."""
    names = ["casual", "skilled", "expert"][: len(strengths)]
    tables = [synthetic.frames(blocks, seed=3, cell=cell, strength=own) for cell, own in enumerate(strengths)]
    more = {
        cell: {"name": "", "tier": tier, "label": tier, "choice": {}, "size": 0.0}
        for cell, tier in enumerate(names)
    }
    return analysis.declared(synthetic.write(tmp_path / "run", *tables, more=more))


def test_a_verdict_that_holds_whoever_plays(tmp_path):
    run = known(tmp_path, {"orcs": 0.8}, {"orcs": 0.8})
    made = analysis.tables(run)
    lines = tiers.sentences(run, made["by_tier"], made["flips"])
    assert next(line for line in lines if line.startswith("Orcs")).startswith(
        "Orcs: too strong in all two tiers"
    )
    assert made["flips"].filter(pl.col("flip")).is_empty()
    assert analysis.advice(run, made).startswith("Change Orcs")


def test_a_flip_needs_a_difference_that_leaves_out_nothing(tmp_path):
    run = known(tmp_path, {"orcs": 0.8}, {"orcs": -0.8})
    made = analysis.tables(run)
    flip = made["flips"].row(by_predicate=pl.col("level") == "orcs", named=True)
    assert (flip["before"], flip["after"], flip["flip"]) == ("too strong", "too weak", True)
    assert flip["high"] < 0
    line = next(x for x in analysis.told(run, made) if x.startswith("Orcs"))
    assert "The verdict flips from casual to skilled: −" in line
    assert "it hangs on skill" in analysis.advice(run, made)


def test_not_yet_known_is_no_flip(tmp_path):
    run = known(tmp_path, {"orcs": 0.8}, {"orcs": 0.1}, blocks=60)
    made = analysis.tables(run)
    verdicts = dict(made["by_tier"].filter(pl.col("level") == "orcs").select("tier", "verdict").iter_rows())
    assert verdicts == {"casual": "too strong", "skilled": "not yet known"}
    assert made["flips"].filter(pl.col("level") == "orcs").is_empty()
    line = next(x for x in analysis.told(run, made) if x.startswith("Orcs"))
    assert "this rests on one tier" in line


def test_the_report_has_a_column_a_tier(tmp_path):
    run = known(tmp_path, {"orcs": 0.8}, {"orcs": -0.8}, {})
    page = tmp_path / "r.html"
    report.write(run.dataset.run, page)
    text = page.read_text(encoding="utf-8")
    assert "At several skills" in text
    assert "Where verdicts contradict one another" in text


def test_best_styles_are_chosen_on_other_blocks(tmp_path):
    run = known(tmp_path, {"orcs": 0.3})
    table = tiers.best_styles(run)
    assert set(table["bot"]) <= {"builder", "warlord"}
    assert len(table) == 6
    odd = run.dataset.seats().filter((pl.col("block") % 2 == 1) & (pl.col("nation") == "orcs"))
    row = table.row(by_predicate=pl.col("level") == "orcs", named=True)
    mean = (
        odd.filter(pl.col("bot").cast(pl.String) == row["bot"])
        .select(pl.col("share").mean())
        .collect()
        .item()
    )
    assert row["best"] == pytest.approx(mean, abs=0.005)
    assert row["best_low"] < row["best"] < row["best_high"]


def test_each_tier_plays_the_same_deals_in_every_seat():
    asked = scenario.parse(GAME + 'tiers = ["novice", "skilled"]')
    cells = design.cells(asked)
    assert [(cell.tier, cell.label, cell.bot_names) for cell in cells] == [
        ("novice", "novice", ("novice",)),
        ("skilled", "skilled", ("skilled",)),
    ]
    assert cells[0].bots["slip"][0] > 0 == cells[1].bots["slip"][0]


def test_tiers_and_variants_stand_side_by_side(tmp_path):
    text = GAME + 'tiers = ["novice", "casual"]\n[[variant]]\nname = "dear"\nrules = { cap = 8 }\n'
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    assert [(cell["tier"], cell["name"]) for cell in run.manifest["cells"]] == [
        ("novice", ""), ("novice", "dear"), ("casual", ""), ("casual", "dear")
    ]  # fmt: skip
    from balance import comparing

    pairs = [(one.base.label, one.other.label) for one in comparing.compare([run])]
    assert pairs == [("novice", "novice, dear"), ("casual", "casual, dear")]
    assert cli.main(["summary", str(run.path)]) == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('tiers = ["expret"]', "there is no tier 'expret'; did you mean 'expert'"),
        ('tiers = ["novice", "novice"]', "names 'novice' twice"),
        ('tiers = ["novice"]\n[field]\nbots = ["balanced"]', "one bot plays in every seat"),
        ('tiers = ["novice"]\n[bots.balanced]', "is no tier, so it would not play"),
    ],
)
def test_bad_tiers_are_refused(more, said):
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(GAME + more)
    assert said in str(caught.value)


def test_a_game_without_tiers_says_so():
    with pytest.raises(ScenarioError, match="has none"):
        scenario.parse('game = "pig"\nplayers = 2\ntiers = ["novice"]')


@pytest.mark.parametrize("id", [id for id, game in games.known().items() if game.tiers])
def test_every_game_has_four_tiers_and_the_tuned_bot(id):
    game = games.get(id)
    assert list(game.tiers) == ["novice", "casual", "skilled", "expert"]
    assert "tuned" in game.bots
    assert game.tiers["expert"]["search"]["kind"] != "none"
