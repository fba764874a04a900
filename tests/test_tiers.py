"""Findings at several skills: what holds in all tiers, what flips, what rests on one."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import polars as pl
import pytest

import balance
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
    assert not made["flips"].filter(pl.col("level") == "orcs")["flip"].any()
    line = next(x for x in analysis.told(run, made) if x.startswith("Orcs"))
    assert "this rests on one tier" in line


def test_the_report_has_a_column_a_tier(tmp_path):
    run = known(tmp_path, {"orcs": 0.8}, {"orcs": -0.8}, {})
    page = tmp_path / "r.html"
    report.write(run.dataset.run, page)
    text = page.read_text(encoding="utf-8")
    assert "At several skills" in text
    assert "Where verdicts differ" in text


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


MADE = ("kingdom-builder", "kingdomino", "queendomino", "stone-age", "tiny-epic-kingdoms")


@pytest.mark.validate
@pytest.mark.parametrize("id", MADE)
def test_the_tuned_bot_beats_every_style_at_every_table(id):
    """On seeds that it was neither tuned nor chosen on; in a hundred intervals some two or three err."""
    from balance import arena, cell

    game = games.get(id)
    tuned = cell.resolve_bot(game, "tuned", {"like": "tuned"})
    short = []
    for at in arena.tables(game):
        for style, spec in game.bots.items():
            if style == "tuned" or spec.get("kind") == "random":
                continue
            other = cell.resolve_bot(game, style, {"like": style})
            found = arena.duel(at, tuned, other, -(-8000 // at.block_games), 777)
            if not found.better:
                short.append((at.players, style, found))
            assert not found.worse
    assert len(short) <= 1, short


@pytest.mark.parametrize("id", MADE)
def test_the_lower_rungs_of_every_ladder_stand(id):
    from balance import arena, ladder

    game = games.get(id)
    at = arena.tables(game, [game.usual])[0]
    names = list(game.tiers)[:3]
    for lower, upper in itertools.pairwise(names):
        assert ladder.met(at, game.tiers[upper], game.tiers[lower], 2400, 31, 2).better, (lower, upper)


@pytest.mark.parametrize("id", MADE)
def test_the_record_of_a_tuned_bot_is_whole(id):
    import tomllib

    game = games.get(id)
    folder = "queendomino" if id == "kingdomino" else id.replace("-", "_")
    name = f"tuned_{id}.toml" if folder == "queendomino" else "tuned.toml"
    text = (Path(balance.__file__).parent / "games" / folder / "data" / name).read_text(encoding="utf-8")
    made = tomllib.loads(text)["made"]
    assert made["game"] == id
    assert made["games"] > 50_000
    assert set(made["held_out"]).isdisjoint(made["league"])
    assert {*made["held_out"], *made["league"]} <= set(game.bots)
    assert made["results"]


def test_the_ladder_command(capsys):
    words = ["ladder", "kingdomino", "--players", "2", "--games", "200", "--json"]
    assert cli.main(words) == 0
    rungs = json.loads(capsys.readouterr().out)
    assert [(rung["upper"], rung["lower"]) for rung in rungs] == [
        ("casual", "novice"), ("skilled", "casual"), ("expert", "skilled")
    ]  # fmt: skip
    for rung in rungs:
        assert rung["stands"]
        assert rung["low"] > rung["fair"] == 0.5
        assert rung["milliseconds"] > 0
    assert rungs[2]["milliseconds"] > 50 * rungs[1]["milliseconds"]
