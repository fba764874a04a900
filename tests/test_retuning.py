"""House rules with bots that adapt: what a rule does at once, and what it does once players answer it."""

from __future__ import annotations

import json

import polars as pl
import pytest

from balance import cli, comparing, retuning, runner, scenario
from balance.analysis.compare import LESS, MORE, SAME
from balance.analysis.estimate import UNKNOWN
from balance.errors import ScenarioError

# Whoever holds at 20 gives the game away where a turn of 8 wins it; a bot that was tuned for it holds.
SHORT = """
game = "pig"
title = "A short game"
players = 2
seed = 3
games = 1200
primary = "clan"
[bots.holder]
weights = { hold = 20 }
[rules]
goal = 60
[[variant]]
name = "red is ahead"
rules = { goal = 60 }
[variant.clans.red]
start = 12
"""


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    return runner.sweep(scenario.parse(SHORT), tmp_path_factory.mktemp("fixed") / "run")


@pytest.fixture(scope="module")
def adapted(fixed, tmp_path_factory):
    asked = retuning.retuned(fixed, generations=4, games=120)
    return runner.sweep(asked, tmp_path_factory.mktemp("adapted") / "run")


def test_each_rule_set_has_a_bot_of_its_own_on_the_same_deals(fixed, adapted):
    cells = adapted.manifest["cells"]
    assert [cell["bots"] for cell in cells] == [["adapted"], ["adapted"]]
    assert adapted.manifest["seed"] == fixed.manifest["seed"]
    assert adapted.manifest["games"] == fixed.manifest["games"]
    (variant,) = adapted.manifest["scenario"]["variants"]
    assert variant["name"] == "red is ahead"
    assert "hold" in variant["bots"]["adapted"]["weights"]
    assert variant["clans"] == {"red": {"start": 12}}


def test_what_changes_stands_in_two_columns(fixed, adapted):
    found, again = comparing.compare([fixed]), comparing.compare([adapted])
    table = retuning.columns(found, again)
    red = table.row(by_predicate=pl.col("level") == "red", named=True)
    assert red["fixed"] > 0.03
    assert red["adapted"] > 0.03
    assert red["says"] == retuning.HOLDS
    assert "holds with both: Red" in retuning.sentences(table)[0]


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        (MORE, MORE, retuning.HOLDS),
        (SAME, SAME, retuning.HOLDS),
        (MORE, SAME, retuning.DEPENDS),
        (MORE, LESS, retuning.DEPENDS),
        (MORE, UNKNOWN, retuning.OPEN),
    ],
)
def test_where_they_disagree_it_depends_on_the_bots(one, other, says):
    assert retuning._says(one, other) == says


def test_the_command_tunes_once(fixed, tmp_path, capsys):
    words = ["compare", str(fixed.path), "--retune", str(tmp_path / "again"), "--generations", "2"]
    page = tmp_path / "page.html"
    assert cli.main([*words, "--out", str(page)]) == 0
    said = capsys.readouterr()
    assert "tuning for “red is ahead”" in said.err
    assert "Adapted bots" in said.out
    assert "With bots that adapt" in page.read_text(encoding="utf-8")
    assert cli.main([*words, "--json"]) == 0
    said = capsys.readouterr()
    assert "tuning" not in said.err
    assert json.loads(said.out)[-1]["retuned"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SHORT.partition("[[variant]]")[0], "holds one rule set"),
        (SHORT.replace('primary = "clan"', 'primary = "bot"'), "compares bots"),
    ],
)
def test_what_cannot_be_retuned_is_refused(tmp_path, text, said):
    run = runner.sweep(scenario.parse(text), tmp_path / "run", games=80)
    with pytest.raises(ScenarioError) as caught:
        retuning.retuned(run)
    assert said in str(caught.value)
