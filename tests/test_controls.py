"""Controls: a leak turns the mirror match red, a good seat does not; powers, endings, exit status."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import synthetic
from balance import analysis, cli, controls, report, runner, scenario
from balance.analysis import control
from balance.analysis import estimate as est

PIG = 'game = "pig"\nplayers = 3\nseed = 4\ngames = 4000\n[bots.holder]\n[rules]\ngoal = 30\n'


def mirror_rows(blocks, leak=0.0, seat_edge=0.0, seed=1):
    """Three names, each once in each seat in a block; `leak` favours the first name."""
    rng = np.random.default_rng(seed)
    names = np.array(["Amber", "Basil", "Coral"])
    lineups = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    name = np.tile(lineups, (blocks, 1))
    value = rng.gumbel(size=name.shape) + leak * (name == 0) + seat_edge * (np.arange(3) == 0)
    share = (value == value.max(axis=1, keepdims=True)).astype(float)
    block = np.repeat(np.arange(blocks), 9)
    return pl.DataFrame({"block": block, "bot": names[name.ravel()], "share": share.ravel()})


def test_a_planted_leak_turns_the_mirror_match_red():
    assert control.mirror(mirror_rows(200, leak=0.6), "x")["p"] < control.RED


def test_a_good_seat_is_no_leak():
    found = control.mirror(mirror_rows(200, seat_edge=2.0), "x")
    assert found["p"] > 0.01
    assert sum(found["shares"].values()) == pytest.approx(1.0, abs=1e-5)


def test_the_mirror_match_is_red_by_chance_once_in_a_thousand_times():
    ps = [control.mirror(mirror_rows(60, seat_edge=0.5, seed=seed), "x")["p"] for seed in range(400)]
    assert sum(p < 0.05 for p in ps) / 400 == pytest.approx(0.05, abs=0.03)
    assert sum(p < control.RED for p in ps) <= 3


def test_all_ties_are_no_leak_and_a_name_that_always_wins_is_one():
    rows = mirror_rows(50)
    assert control.mirror(rows.with_columns(share=pl.lit(1 / 3)), "x")["p"] == 1.0
    always = rows.with_columns(share=(pl.col("bot") == "Amber").cast(pl.Float64))
    assert control.mirror(always, "x")["p"] == 0.0


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    return runner.sweep(scenario.parse(PIG), tmp_path_factory.mktemp("pig") / "run")


def test_a_sweep_plays_its_controls_on_other_deals(swept):
    told = swept.manifest["controls"]
    assert told["games"] == swept.manifest["games"]
    mirror, random, _ = told["results"]
    assert (mirror["control"], mirror["bot"], mirror["players"]) == ("mirror", "holder", 3)
    assert mirror["p"] >= control.RED
    assert set(mirror["shares"]) == set(controls.NAMES[:3])
    assert random["share"] > random["fair"]
    assert random["p"] < control.RED
    table = analysis.summary(swept)["controls"]
    assert set(table["outcome"]) == {"passed"}


def test_a_leak_in_the_engine_would_be_seen(swept, monkeypatch):
    """Bots that are alike but for the place of their name, and a game that favours the first of them."""
    real = controls.cells_.play

    def leaky(cell, *args, **kwargs):
        batch = real(cell, *args, **kwargs)
        shares = batch.seats.share.reshape(-1, cell.players)
        first = batch.seats.bot.reshape(-1, cell.players) == 0
        stolen = np.random.default_rng(1).random(len(shares)) < 0.3
        shares[stolen] = first[stolen] / np.maximum(first[stolen].sum(axis=1, keepdims=True), 1)
        return batch

    monkeypatch.setattr(controls.cells_, "play", leaky)
    asked = scenario.parse(PIG)
    from balance import design

    cells = design.cells(asked)
    mirror = controls.play(asked, cells, cells[0].game.fast(), 4000)[0]
    assert mirror["p"] < control.RED


def test_small_sweeps_and_random_bots_have_no_such_controls(tmp_path):
    small = runner.sweep(scenario.parse(PIG), tmp_path / "small", games=60)
    assert {one["why"] for one in small.manifest["controls"]["results"]} == {"the sweep is too small for it"}
    text = PIG.replace("[bots.holder]", "[bots.random]")
    random = runner.sweep(scenario.parse(text), tmp_path / "random", games=1000)
    assert random.manifest["controls"]["results"][1]["why"] == "all bots play at random"
    assert set(analysis.summary(random)["controls"]["outcome"]) == {"passed", "not played"}


def broken(tmp_path):
    dataset = synthetic.write(tmp_path, synthetic.frames(40))
    dataset.manifest["controls"] = {
        "games": 480,
        "results": [
            {"control": "mirror", "players": 4, "bot": "builder", "blocks": 40, "games": 160}
            | {"p": 1e-6, "shares": {"Amber": 0.4, "Basil": 0.2, "Coral": 0.2, "Dune": 0.2}}
        ],
    }
    return dataset


def test_a_failed_control_stands_in_red_at_the_top_and_the_report_says_no(tmp_path, monkeypatch, capsys):
    import balance

    dataset = broken(tmp_path / "d")
    monkeypatch.setattr(balance, "open", lambda path: dataset)
    out = tmp_path / "r.html"
    assert cli.main(["report", "d", "--out", str(out)]) == 1
    assert "A control failed: Mirror match" in capsys.readouterr().err
    text = out.read_text(encoding="utf-8")
    assert text.index("A control failed") < text.index("Findings")
    assert "labels leak" in text
    assert "Do not rest anything on these numbers" in text


def test_games_that_do_not_end_fail_a_control(tmp_path):
    dataset = synthetic.write(tmp_path / "d", synthetic.frames(60, unfinished=0.2))
    alarms = report.write(dataset, tmp_path / "r.html")
    assert len(alarms) == 1
    assert "did not come to an end" in alarms[0]


# --- powers -------------------------------------------------------------------------------------


@pytest.fixture
def powered(tmp_path):
    games, seats = synthetic.frames(120, strength={"orcs": 0.4})
    rng = np.random.default_rng(1)
    orcs = (seats["nation"] == "orcs").to_numpy()
    elves = (seats["nation"] == "elves").to_numpy()
    chances = rng.poisson(2, len(seats))
    seats = seats.with_columns(
        pl.Series("rage_chances", np.where(orcs, chances, 0)),
        pl.Series("rage_uses", np.where(orcs, rng.binomial(chances, 0.02), 0)),
        pl.Series("song_chances", np.where(elves, chances, 0)),
        pl.Series("song_uses", np.where(elves, rng.binomial(chances, 0.7), 0)),
    )
    dataset = synthetic.write(tmp_path / "d", (games, seats))
    for name, label in (("rage", "Rage"), ("song", "Song")):
        for role in ("chances", "uses"):
            column = {"name": f"{name}_{role}", "role": role, "label": label, "labels": []}
            dataset.manifest["columns"]["seat"].append(column)
    return dataset


def test_a_power_that_bots_do_not_use_silences_its_nation(powered, tmp_path):
    known = analysis.declared(powered)
    made = analysis.tables(known)
    table = made["powers"]
    assert {(row["level"], row["power"]): row["used"] for row in table.iter_rows(named=True)} == {
        ("orcs", "Rage"): False,
        ("elves", "Song"): True,
    }
    orcs = table.row(by_predicate=pl.col("level") == "orcs", named=True)
    assert orcs["part"] < 0.05 < orcs["reached"] < 1
    verdicts = dict(made["win_share_by_nation"].select("level", "verdict").iter_rows())
    assert verdicts["orcs"] == est.UNUSED
    assert est.UNUSED not in {verdict for level, verdict in verdicts.items() if level != "orcs"}
    said = " ".join(analysis.told(known, made))
    assert "No verdict on Orcs" in said
    assert "the bots do not use all of its powers" in said
    assert report.write(powered, tmp_path / "r.html")


KINGDOMS = """
game = "tiny-epic-kingdoms"
players = 3
seed = 5
[field]
nations = ["dwarves", "orcs", "lizardfolk"]
[bots.balanced]
[bots.random]
[rules]
side_choice = "dealt"
"""


def watched(fast, games=4000):
    from balance import design

    asked = scenario.parse(KINGDOMS)
    (cell,) = design.cells(asked)
    lib = cell.game.fast() if fast else cell.game.plain
    (found,) = controls._watched(asked, cell, design.plans(asked)[0], lib, games)
    return {(one["level"], one["part"]): one for one in found["parts"]}


def test_a_chance_is_a_decision_in_which_a_part_opens_an_act():
    found = watched(fast=True)
    for one in found.values():
        assert 0 <= one["uses"] <= one["chances"]
        assert one["used"] <= one["reached"] <= min(one["seats"], one["chances"])
        assert one["used"] <= one["uses"]
    swap, ties, points = (
        found[key] for key in (("lizardfolk", "level 1"), ("orcs", "level 1"), ("orcs", "level 5"))
    )
    assert swap["chances"] > swap["uses"] > 0
    assert (ties["chances"], points["chances"]) == (0, 0)  # they work by themselves
    assert found["orcs", "level 4"]["chances"] > 0  # a question of its own: raise the number, or not
    cheaper = found["dwarves", "level 3"]  # who builds for 1 ore less could not always have paid the price
    assert 0 < cheaper["uses"] <= cheaper["chances"]


def test_plain_and_compiled_count_alike(monkeypatch):
    monkeypatch.setattr(controls, "FEWEST", 1)
    monkeypatch.setattr(controls, "WATCHED", 1)
    assert watched(fast=True, games=100) == watched(fast=False, games=100)


def test_watching_changes_no_game():
    from balance import design, records

    asked = scenario.parse(KINGDOMS)
    (cell,) = design.cells(asked)
    lineups = design.Design(cell, design.fields(cell, design.plans(asked)[0]), 1)
    numbers, block, seated = lineups.of(np.arange(10))
    owners = np.tile(np.array([0, 1], np.int32), (len(seated), 1))
    counts = np.zeros((1, records.COUNTS), np.int64)
    lib = cell.game.fast()
    seen = controls.cells_.play(
        cell, lib, numbers, block, seated, 3, watched=records.Watched(owners, cell.rules, counts)
    )
    alone = controls.cells_.play(cell, lib, numbers, block, seated, 3)
    assert seen.seats.tobytes() == alone.seats.tobytes()
    assert not counts.any()  # rules that lack nothing leave no chance


def test_what_is_shown_to_lie_idle_takes_the_verdict_back(tmp_path):
    dataset = synthetic.write(tmp_path / "d", synthetic.frames(120, strength={"orcs": 0.4}))
    told = {"control": "parts", "players": 4, "factor": "nation", "blocks": 30, "games": 180}
    part = {"note": "", "seats": 600, "reached": 500}
    dataset.manifest["controls"] = {
        "games": 480,
        "results": [told | {"parts": [
            part | {"level": "orcs", "part": "level 1", "chances": 1000, "uses": 20, "used": 10},
            part | {"level": "elves", "part": "level 2", "chances": 9000, "uses": 45, "used": 22},  # chance?
            part | {"level": "humans", "part": "level 3", "chances": 90, "uses": 0, "used": 0, "reached": 90},
        ]}],
    }  # fmt: skip
    known = analysis.declared(dataset)
    made = analysis.tables(known)
    assert dict(made["powers"].select("level", "used").iter_rows()) == {
        "orcs": False, "elves": True, "humans": True
    }  # fmt: skip
    verdicts = dict(made["win_share_by_nation"].select("level", "verdict").iter_rows())
    assert [level for level, verdict in verdicts.items() if verdict == est.UNUSED] == ["orcs"]
    (line,) = control.failed(made["controls"])
    assert "bots do not use Orcs, level 1" in line


# --- luck ---------------------------------------------------------------------------------------


def test_a_deal_played_again_ends_alike_but_for_the_bots_own_chance(tmp_path):
    """Pig's dice belong to the deal: to hold by rule gives the same game again, to flip coins does not."""
    steady = runner.sweep(scenario.parse(PIG), tmp_path / "steady")
    fickle = runner.sweep(scenario.parse(PIG.replace("[bots.holder]", "[bots.random]")), tmp_path / "fickle")
    told = [one.manifest["controls"]["results"][2] for one in (steady, fickle)]
    assert [one["control"] for one in told] == ["replays", "replays"]
    assert (told[0]["share"], told[0]["points"]) == (0.0, 0.0)
    assert 0.0 < told[1]["share"] < 2 / 9  # no more than that of a winner drawn by lot
    rows = []
    for run in (steady, fickle):
        known = analysis.declared(run)
        table = analysis.tables(known)["luck"]
        rows.append(dict(table.select("factor", "share").iter_rows()))
        parts = sum(value**2 for name, value in rows[-1].items() if name != "All together")
        assert parts == pytest.approx(rows[-1]["All together"] ** 2, abs=0.003)
    own = [row["The bots' own chance, in replayed deals"] for row in rows]
    assert own[0] == 0.0
    assert own[1] > 0.3
