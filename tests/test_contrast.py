"""Randomised contrasts: one seat is barred from a thing or given it, all else stays as it was."""

import itertools

import numpy as np
import polars as pl
import pytest

import balance
from balance import cell as cells
from balance import contrast, dataset, design, document, games, plan, replay, report, runner
from balance import scenario as scenarios
from balance.analysis import contrast as analysis
from balance.analysis import declared, findings, summary, tables
from balance.errors import GameError, ScenarioError

TEXT = """
game = "pig"
players = 3
seed = 4
games = 900
[bots.steady]
like = "holder"
[rules]
goal = 100
[contrast]
bar = "all"
gift = ["lead"]
"""


@pytest.fixture(scope="module")
def scenario():
    return scenarios.parse(TEXT)


@pytest.fixture(scope="module")
def run(scenario, tmp_path_factory):
    return runner.sweep(scenario, tmp_path_factory.mktemp("contrast") / "run")


def made(scenario):
    cell = design.cells(scenario)[0]
    return cell, design.lineups(scenario, cell)


def test_a_block_is_one_line_up_untreated_and_once_for_each_treatment(scenario):
    cell, design_ = made(scenario)
    assert [one.key for one in cell.treatments] == ["bar hold", "gift lead"]
    assert design_.block_games == 3
    numbers, _, lineup = design_.of(np.arange(24))
    assert numbers.tolist() == list(range(72))
    lineup = lineup.reshape(24, 3, 3)
    assert (lineup["clan"] == lineup["clan"][:, :1]).all()
    treated = lineup["bot"] // len(cell.bots)
    assert (treated[:, 0] == 0).all()
    assert ((treated[:, 1:] > 0).sum(axis=2) == 1).all()
    assert (treated[:, 1:].max(axis=2) == [1, 2]).all()
    # Over 24 blocks each seat is drawn 8 times for each treatment, and what rotates goes round.
    assert (np.array([(treated[:, t] == t).sum(axis=0) for t in (1, 2)]) == 8).all()
    turned = [set(lineup["clan"][first : first + 4, 0, 0]) for first in range(0, 24, 4)]
    assert all(len(seen) == 4 for seen in turned)


def test_who_is_drawn_follows_from_seed_and_block_alone(scenario):
    _, design_ = made(scenario)
    at_once = design_.treated(np.arange(30))
    assert (np.concatenate([design_.treated(np.array([b])) for b in range(30)]) == at_once).all()
    other = made(scenarios.change(scenario, seed=5))[1].treated(np.arange(30))
    assert (other != at_once).any()


def test_a_hand_is_its_bot_with_one_bar_or_gift_more(scenario):
    cell, _ = made(scenario)
    assert [(int(hand.bars), int(hand.gifts)) for hand in cell.hands] == [(0, 0), (1, 0), (0, 1)]
    assert (cell.hands["hold"] == cell.bots["hold"][0]).all()


def test_games_of_a_block_are_the_same_until_the_treatment_matters():
    """Where a bar forbids what the bot never does, the treated game is the untreated one."""
    text = TEXT.replace('like = "holder"', 'like = "holder"\nweights = { hold = 1000 }').replace(
        'gift = ["lead"]', ""
    )
    cell, design_ = made(scenarios.parse(text.replace('like = "holder"', 'kind = "random"')))
    numbers, blocks, lineup = design_.of(np.arange(20))
    lineup["bot"] %= len(cell.bots)  # nobody is treated after all; the bots' chance alone could differ
    batch = cells.play(cell, cell.game.fast(), numbers, blocks, lineup, 4)
    scores = batch.seats.score.reshape(20, 2, 3)
    assert (scores[:, 0] == scores[:, 1]).all()
    lineup["echo"] = 0
    batch = cells.play(cell, cell.game.fast(), numbers, blocks, lineup, 4)
    scores = batch.seats.score.reshape(20, 2, 3)
    assert (scores[:, 0] != scores[:, 1]).any()
    cell, design_ = made(scenarios.parse(text))
    batch = cells.play(cell, cell.game.fast(), *design_.of(np.arange(20)), 4)
    scores = batch.seats.score.reshape(20, 2, 3)
    assert (scores[:, 0] == scores[:, 1]).all()


def test_the_dataset_says_who_was_treated(run, scenario):
    seats, rows = run.seats().collect(), run.games().collect()
    assert seats["bot"].unique().to_list() == ["steady"]
    assert rows["contrast"].to_list() == [None, "bar hold", "gift lead"] * 300
    assert seats.group_by("contrast").agg(pl.col("treated").sum()).sort("contrast").rows() == [
        (None, 0),
        ("bar hold", 300),
        ("gift lead", 300),
    ]
    per_game = seats.group_by("game", maintain_order=True).agg(pl.col("treated").sum())
    assert per_game["treated"].to_list() == [0, 1, 1] * 300
    given = seats.filter(pl.col("treated") & (pl.col("contrast") == "gift lead"))
    assert given["points_start"].unique().to_list() == [10]
    assert run.untreated.games().collect()["game"].to_list() == list(range(0, 900, 3))
    assert run.untreated.seats().collect()["treated"].sum() == 0
    assert [one["column"] for one in run.manifest["contrast"]] == ["holds", ""]


def test_a_gift_of_points_is_worth_something_and_so_is_the_leave_to_hold(run):
    table = analysis.worth(declared(run))
    assert set(table["treatment"]) == {"bar hold", "gift lead"}
    for row in table.iter_rows(named=True):
        assert row["blocks"] == 300
        assert row["share_low_all"] > 0, row
        assert (
            row["share_low_all"] < row["share_low"] < row["share"] < row["share_high"] < row["share_high_all"]
        )
        assert row["share"] == pytest.approx(row["share_used"] * row["changed"])
    held = table.row(by_predicate=pl.col("treatment") == "bar hold", named=True)
    assert held["taken"] > 0.9  # nearly everyone holds once in a game
    assert table.row(by_predicate=pl.col("treatment") == "gift lead", named=True)["taken"] is None


def test_worth_is_the_difference_of_the_treated_seat_over_blocks(run):
    seats = run.seats().sort("game", "seat").collect()
    share = seats["share"].to_numpy().reshape(300, 3, 3)
    treated = seats["treated"].to_numpy().reshape(300, 3, 3)
    expected = {}
    for number, key in ((1, "bar hold"), (2, "gift lead")):
        own = treated[:, number]
        gain = (share[:, 0] - share[:, number])[own] * (1 if number == 1 else -1)
        expected[key] = gain.mean(), gain.std(ddof=1) / np.sqrt(300)
    for row in analysis.worth(declared(run)).iter_rows(named=True):
        mean, error = expected[row["treatment"]]
        assert row["share"] == pytest.approx(mean)
        assert (row["share_high"] - row["share_low"]) / 2 == pytest.approx(1.968 * error, rel=2e-3)


def test_the_interval_holds_the_truth_as_often_as_it_says(tmp_path):
    """A lead of ten is worth what many games say; 95 % intervals of small runs leave it out seldom."""
    truth = sweep(tmp_path, 0, 12_000)["share"][0]
    missed = 0
    for seed in range(1, 41):
        row = sweep(tmp_path, seed, 120).row(0, named=True)
        missed += not row["share_low"] <= truth <= row["share_high"]
    assert missed <= 6  # 40 intervals miss 2 on average, more than 6 once in 200 runs


def sweep(folder, seed, games_):
    text = TEXT.replace('bar = "all"', "").replace("seed = 4", f"seed = {seed + 50}")
    run = runner.sweep(scenarios.parse(text), folder / str(seed), games=games_)
    return analysis.worth(declared(run))


def test_other_tables_leave_treated_games_out(run):
    known = declared(run)
    assert known.cells["games"][0] == 900
    found = tables(known)
    assert found["win_share_by_seat"]["rows"].sum() == 900  # 300 games of three seats
    assert found["length"]["games"].unique().to_list() == [300]


def test_report_summary_and_findings_tell_it(run, tmp_path):
    lines = findings(run)
    assert lines[0].startswith("The most is gained by ")
    assert "Hold" in lines[0]
    assert next(iter(summary(run))) == "contrast"
    page = document.document(run)
    assert page.sections[0].title == "What each thing is worth"
    out = tmp_path / "report.html"
    report.write(run, out)
    assert "What it is worth" in out.read_text(encoding="utf-8")


def test_page_one_answers_the_contrast_and_not_the_seats(run):
    page = document.document(run)
    assert page.drawing.title == "What it is worth"
    assert len([line for line in page.findings if "eat 1" in line]) <= 1  # the seats, in one line
    table = tables(declared(run))["contrast"]
    extremes = {
        word: table.filter(pl.col("verdict") == word)["name"] for word in (analysis.ABOVE, analysis.BELOW)
    }
    assert len(extremes[analysis.ABOVE])
    assert len(extremes[analysis.BELOW])
    weaken, strengthen = page.advice.split(";")[0].split(" and strengthen ")
    assert weaken == f"Weaken {extremes[analysis.ABOVE][0]}"
    assert strengthen == extremes[analysis.BELOW][0]


def test_advice_on_a_contrast_keeps_what_it_cannot_tell_apart(run):
    known = declared(run)
    table = tables(known)["contrast"]
    alike = table.with_columns(verdict=pl.lit(analysis.LIKE))
    few = table.with_columns(verdict=pl.lit(analysis.TOO_FEW))
    assert analysis.recommendation(known, alike).startswith("Keep: none can be told from the average")
    assert analysis.recommendation(known, few).startswith("Nothing can be decided yet")


def test_without_a_contrast_nothing_of_it_is_said(tmp_path):
    run = runner.sweep(scenarios.parse(TEXT.partition("[contrast]")[0]), tmp_path / "run", games=120)
    assert "contrast" not in run.seats().collect().columns
    assert "contrast" not in summary(run)
    assert "contrast" not in [section.id for section in document.document(run).sections]


def test_a_replay_plays_the_game_of_the_sweep_and_names_who_is_treated(run, scenario):
    told = list(replay.from_dataset(run, 4))
    assert sum("barred from hold" in line for line in told) == 1
    assert not any("The dataset has other scores" in line for line in told)
    assert any("given lead" in line for line in replay.from_scenario(scenario, 5))


def test_a_sweep_resumes_and_its_scenario_reads_back(run, scenario):
    again = scenarios.again(run.manifest["scenario"])
    assert again.contrast == scenario.contrast
    assert dataset.open(run.path).manifest["contrast"][0]["kind"] == "bar"
    assert plan.plan(scenario)["cells"][0]["block_games"] == 3


def test_precision_is_that_of_the_worth(scenario, tmp_path):
    run = runner.sweep(scenario, tmp_path / "run", precision=0.08)
    widest = run.manifest["precision"]["widest"][run.manifest["primary"]]
    assert widest <= 0.08
    table = analysis.worth(declared(run))
    half = table.select((pl.col("share_high_all") - pl.col("share_low_all")) / 2).max().item()
    assert half == pytest.approx(widest, rel=0.05)


@pytest.mark.parametrize(
    ("written", "where"),
    [
        ('bar = ["holt"]', "contrast.bar"),
        ("bar = 3", "contrast.bar"),
        ('bar = ["hold", "hold"]', "contrast.bar"),
        ('ban = "all"', "contrast.ban"),
        ('gift = ["gold"]', "contrast.gift"),
        ("", "contrast"),
        ("bar = []", "contrast"),
    ],
)
def test_a_contrast_of_nothing_known_is_refused(written, where):
    with pytest.raises(ScenarioError) as raised:
        scenarios.parse(TEXT.partition("[contrast]")[0] + "[contrast]\n" + written)
    assert where in raised.value.where
    assert raised.value.remedy


def test_a_game_may_not_declare_more_than_there_is_room_for():
    import dataclasses

    pig = games.get("pig")
    with pytest.raises(GameError):
        dataclasses.replace(pig, bars=tuple((f"b{i}", "") for i in range(63)))


def test_a_bot_may_be_given_a_gift_of_its_own(tmp_path):
    text = TEXT.partition("[contrast]")[0] + '[bots.spoilt]\nlike = "holder"\ngift = ["lead"]\n'
    run = runner.sweep(scenarios.parse(text), tmp_path / "run", games=60)
    starts = run.seats().group_by("bot").agg(pl.col("points_start").mean()).sort("bot").collect()
    assert dict(starts.rows()) == {"steady": 0, "spoilt": 10}
    assert run.manifest["bots"]["spoilt"]["gift"] == ["lead"]


def test_flags_count_a_name_once():
    assert contrast.flags(games.get("pig"), "bar", ["hold", "hold"], "bots.x") == 1
    assert balance.parse(TEXT).contrast
    assert list(itertools.islice(contrast.KINDS, 2)) == ["bar", "gift"]
