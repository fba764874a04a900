"""A change that was found is played again on fresh seeds: what holds is confirmed, what was luck is not."""

from __future__ import annotations

import json

import polars as pl
import pytest

from balance import analysis, cli, confirm, design, runner, scenario
from balance.errors import DatasetError, ScenarioError

HEAD_START = """
game = "pig"
title = "A head start"
players = 2
seed = 7
games = 6000
[bots.holder]
[vary]
"clans.red.start" = [30, 12, 3]
"""


def swept(tmp_path_factory, text, name):
    return runner.sweep(scenario.parse(text), tmp_path_factory.mktemp(name) / "run")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return swept(tmp_path_factory, HEAD_START, "found")


@pytest.fixture(scope="module")
def confirmed(found, tmp_path_factory):
    picks, _ = confirm.pick(found)
    return runner.sweep(confirm.fresh(found, picks), tmp_path_factory.mktemp("confirmed") / "run")


def test_the_smallest_change_that_will_do_is_picked(found):
    picks, said = confirm.pick(found)
    assert said == "The smallest change that brings Red into the band is clans.red.start = 3."
    assert [(one.cell, one.choice, one.sure) for one in picks] == [(2, "clans.red.start = 3", True)]


def test_it_is_played_on_deals_of_its_own_beside_the_rules_as_they_are(found, confirmed):
    first, second = (cell["changed"] for cell in confirmed.manifest["cells"])
    assert first == {"clans.red": {"start": 30}}
    assert second == {"clans.red": {"start": 3}}
    assert confirmed.manifest["seed"] != found.manifest["seed"]
    assert confirmed.manifest["games"] == found.manifest["games"]
    assert confirmed.manifest["scenario"]["confirms"]["run"] == found.manifest["run"]
    both = [one.seats().filter(pl.col("cell") == 0).select("game", "seat", "score").collect()
            for one in (found, confirmed)]  # fmt: skip
    assert not both[0].equals(both[1])


def test_the_report_says_first_whether_it_holds_and_what_else_moves(confirmed):
    lines = analysis.findings(confirmed)
    assert lines[0].startswith("Confirmed on fresh seeds: clans.red.start = 3 brings Red (")
    assert not any(line.startswith("The smallest") for line in lines)
    known = analysis.declared(confirmed)
    tables = analysis.tables(known)
    assert analysis.advice(known, tables) == (
        "Make the change: it held on deals it was not chosen on. Then test with people."
    )
    changed = [line for line in lines if line.startswith("clans.red.start = 3, by clan")]
    assert changed == ["clans.red.start = 3, by clan: all balanced."]


def test_a_change_that_was_luck_is_not_confirmed(found, tmp_path):
    """Twelve points ahead are too many: had they been picked, fresh deals would say so."""
    pick = confirm.Pick(1, "clans.red.start = 12", sure=True)
    played = runner.sweep(confirm.fresh(found, [pick]), tmp_path / "run")
    line = analysis.findings(played)[0]
    assert line.startswith("Not confirmed on fresh seeds: clans.red.start = 12 leaves Red (")
    known = analysis.declared(played)
    assert analysis.advice(known, analysis.tables(known)).startswith("Do not make the change")


def test_few_games_settle_nothing(found, tmp_path):
    picks, _ = confirm.pick(found)
    played = runner.sweep(confirm.fresh(found, picks, games=40), tmp_path / "run")
    assert analysis.findings(played)[0] == (
        "Not settled on fresh seeds: too few games were played with clans.red.start = 3."
    )


def test_one_level_may_be_asked_for(found):
    _, said = confirm.pick(found, "green")
    assert "brings Green into the band" in said


def test_several_numbers_of_players_are_confirmed_together(tmp_path):
    text = HEAD_START.replace("players = 2", "players = [2, 3]").replace("6000", "8000")
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    picks, said = confirm.pick(run)
    assert said.startswith(
        "With 2 players the smallest change that brings Red into the band is clans.red.start = 3"
    )
    assert len({one.choice for one in picks}) == len(picks)
    fresh = confirm.fresh(run, picks, games=1000)
    assert [(cell.players, cell.name) for cell in design.cells(fresh)] == [
        (players, name) for players in (2, 3) for name in ("", *(one.choice for one in picks))
    ]


def test_a_variant_with_a_varied_rule_is_laid_over_the_rules_as_they_are(tmp_path):
    text = """
game = "pig"
players = 2
games = 80
[bots.holder]
[rules]
goal = 60
[[variant]]
name = "green too"
clans.green.start = 9
[vary]
"rules.bonus.2" = [0, 5]
"""
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    assert [cell["label"] for cell in run.manifest["cells"]][3] == "green too, bonus.2 = 5"
    fresh = confirm.fresh(run, [confirm.Pick(3, "green too, bonus.2 = 5", sure=False)])
    base, changed = design.cells(fresh)
    assert base.changed["rules.goal"] == 60
    assert "clans.green" not in base.changed
    assert (int(changed.rules[0].goal), int(changed.rules[0].bonus)) == (60, 5)
    assert changed.components["clans"]["green"]["start"] == 9


@pytest.mark.parametrize(
    ("vary", "level", "said"),
    [
        ("", None, "varies nothing, so there is no change to confirm"),
        ('[vary]\n"clans.red.start" = [9, 0]', "rde", "clan 'rde' is not among its levels"),
    ],
)
def test_what_cannot_be_confirmed_is_refused(tmp_path, vary, level, said):
    text = f'game = "pig"\nplayers = 2\ngames = 80\n[bots.holder]\n{vary}'
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    with pytest.raises(DatasetError) as caught:
        confirm.pick(run, level)
    assert said in str(caught.value)


def test_a_change_of_the_field_is_refused(tmp_path):
    vary = '[vary]\n"field.clans" = ["all", ["red", "blue"]]'
    text = f'game = "pig"\nplayers = 2\ngames = 80\n[bots.holder]\n{vary}'
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    with pytest.raises(ScenarioError, match="field of play is no variant"):
        confirm.fresh(run, [confirm.Pick(1, "x", sure=False)])


def test_the_command(found, tmp_path, capsys):
    out = tmp_path / "again"
    assert cli.main(["confirm", str(found.path), "--out", str(out), "--games", "800"]) == 0
    assert "The smallest change that brings Red" in capsys.readouterr().err
    before = json.loads((out / "manifest.json").read_text())
    assert cli.main(["confirm", str(found.path), "--out", str(out), "--games", "800"]) == 0  # goes on
    assert json.loads((out / "manifest.json").read_text()) == before
    capsys.readouterr()
    assert cli.main(["report", str(out), "--out", str(tmp_path / "again.html")]) == 0
    assert "on fresh seeds" in (tmp_path / "again.html").read_text(encoding="utf-8")


def test_where_no_change_is_needed_nothing_is_played(tmp_path, capsys):
    text = HEAD_START.replace("[30, 12, 3]", "[0, 5]")
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    assert cli.main(["confirm", str(run.path), "--out", str(tmp_path / "out")]) == 1
    assert "No change is needed: Red is in the band." in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_aim_is_among_the_levels():
    text = 'game = "pig"\nplayers = 2\naim = ["rde"]\n[bots.holder]'
    with pytest.raises(ScenarioError, match="aim"):
        scenario.parse(text)
    assert scenario.parse(text.replace("rde", "red")).aim == ["red"]
