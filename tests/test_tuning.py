"""Bots that are tuned, held against one another, and given time: on Pig, where the answer is known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from balance import arena, bot_files, cli, games, ladder, pacing, scenario, tuning
from balance.arena import Match
from balance.errors import ScenarioError
from balance.ladder import Pair

BAD = {"kind": "holder", "weights": {"hold": 4}}
GOOD = {"kind": "holder", "weights": {"hold": 20}}


@pytest.fixture(scope="module")
def tables(pig):
    return arena.tables(pig, [2, 3])


# --- one against others ---------------------------------------------------------------------------


def test_each_deal_is_fair_to_both_and_seats_are_shared_out(tables):
    laid = arena.line_up(tables[1], np.arange(6))
    assert len(laid.numbers) == 6 * tables[1].block_games
    assert (laid.own.sum(axis=1) == 1).all()
    assert laid.own.sum(axis=0).tolist() == [8, 8, 8]
    for block in range(6):
        rows = laid.rows.clan.reshape(-1, 3)[laid.blocks == block]
        own = rows[laid.own[laid.blocks == block]]
        assert sorted(own.tolist()) == [0, 1, 2, 3]  # the one plays each clan once a deal


def test_where_nothing_rotates_a_deal_is_played_in_each_seat():
    at = arena.tables(games.get("stone-age"), [3])[0]
    laid = arena.line_up(at, np.arange(4))
    assert len(np.unique(laid.numbers)) == len(laid.numbers) == 12
    assert np.argmax(laid.own, axis=1).tolist() == [0, 1, 2] * 4
    assert laid.blocks.tolist() == np.repeat(np.arange(4), 3).tolist()


def test_a_bot_among_its_like_wins_a_fair_share(tables):
    for at in tables:
        found = arena.duel(at, GOOD, GOOD, 400, 3)
        assert found.low < found.fair < found.high
        assert found.games == 1600
        assert not found.better
        assert not found.worse


def test_a_better_bot_is_told_from_a_worse_one(tables):
    assert arena.duel(tables[0], GOOD, BAD, 200, 3).better
    assert arena.duel(tables[0], BAD, GOOD, 200, 3).worse


def test_games_do_not_depend_on_the_number_of_cores(tables):
    assert arena.duel(tables[0], GOOD, BAD, 200, 3, 1) == arena.duel(tables[0], GOOD, BAD, 200, 3, 2)


def test_partners_win_together():
    at = arena.tables(games.get("royal-wedding-pairs"), [6])[0]
    laid = arena.line_up(at, np.arange(2))
    assert (laid.own.sum(axis=1) == 2).all()
    assert at.fair == 1 / 3


def test_a_look_too_many_claims_nothing(tables):
    """Of a hundred bots among their like, looked at again and again, few are called better or worse."""
    at = tables[0]
    found = [ladder.met(at, GOOD, GOOD, 1600, seed, 2) for seed in range(100)]
    assert sum(one.better or one.worse for one in found) <= 12  # 5 are expected


# --- tuning ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tuned(pig, tables):
    return tuning.tune(pig, tables, rivals={"bad": BAD}, generations=16, games=400, told=4000)


def test_tuning_finds_when_to_hold(tuned, tables):
    """Holding at 20 gives most points a turn, at 20 to 25 most wins (Neller and Presser, 2004)."""
    assert 14 <= tuned.bot["weights"]["hold"] <= 30
    for at in tables:
        assert tuned.against[at.players]["bad"].better
        assert arena.duel(at, tuned.bot, BAD, 300, 99).better


def test_tuning_repeats(pig, tables, tuned):
    again = tuning.tune(pig, tables, rivals={"bad": BAD}, generations=16, games=400, told=4000, jobs=1)
    assert again.bot == tuned.bot
    assert again.against == tuned.against


def test_styles_are_held_out_and_told_apart(pig):
    styles = {name: {"kind": "holder", "weights": {"hold": hold}} for name, hold in
              (("a", 5), ("b", 8), ("c", 11), ("d", 14))}  # fmt: skip
    found = tuning.tune(pig, arena.tables(pig, [2]), rivals=styles, generations=3, games=100, told=200)
    assert found.start == "d"
    assert found.held_out == ("b",)
    assert found.made["league"] == ["a", "c", "d"]
    assert set(found.against[2]) == set(styles)


def test_a_switch_is_left_alone():
    game = games.get("kingdomino")
    at = arena.tables(game, [2])[0]
    names = tuning.moved(game, at, {"kind": "planner", "weights": game.bots["planner"]["weights"]})
    assert "ahead" in names
    assert not {"tidy", "lapse"} & set(names)
    assert "knight" not in names  # there are none in Kingdomino


def test_a_bot_that_has_no_weights_cannot_be_tuned(pig):
    with pytest.raises(ScenarioError, match="has no bot with weights"):
        tuning.tune(pig, [], rivals={"random": {"kind": "random"}})
    with pytest.raises(ScenarioError, match="there is no bot 'hodler'"):
        tuning.tune(pig, [], start="hodler")


def test_the_file_is_a_bot_with_its_record(pig, tuned, tmp_path):
    path = tmp_path / "tuned.toml"
    bot_files.write(path, tuning.file(tuned))
    assert bot_files.read(path, pig)["weights"] == tuned.bot["weights"]
    text = path.read_text(encoding="utf-8")
    assert 'from = "bad"' in text
    assert "2 players, bad: " in text


# --- bot files in scenarios -------------------------------------------------------------------------

FILE = """
[made]
game = "pig"
[bots.tuned]
kind = "holder"
[bots.tuned.weights]
hold = 21
"""


def written(tmp_path, text=FILE, more=""):
    (tmp_path / "bots.toml").write_text(text, encoding="utf-8")
    path = tmp_path / "s.toml"
    path.write_text(
        f'game = "pig"\nplayers = 2\ngames = 40\n[bots.mine]\nfile = "bots.toml"\n{more}', encoding="utf-8"
    )
    return path


def test_a_scenario_takes_a_bot_from_a_file(tmp_path):
    asked = scenario.load(written(tmp_path))
    assert asked.bots["mine"] == {"kind": "holder", "weights": {"hold": 21}}
    over = scenario.load(written(tmp_path, more="weights = { hold = 9 }\nslip = 0.5"))
    assert over.bots["mine"] == {"kind": "holder", "weights": {"hold": 9}, "slip": 0.5}


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (FILE.replace("hold =", "hodl ="), "", "bots.toml: bots.tuned.weights: there is no weight 'hodl'"),
        (FILE.replace('"pig"', '"chess"'), "", "bots.toml: made.game: holds bots of chess"),
        (FILE.replace("[made]", "[amde]"), "", "a bot file has no 'amde'"),
        ("[made]\ngame = 'pig'\n", "", "bots.toml: holds no bot"),
        (FILE, 'take = "tuend"', "has no bot 'tuend'"),
        (FILE + "[bots.other]\nkind = 'holder'\n", "", "holds several bots"),
        (FILE, "slip = 2", "bots.mine.slip: 2 is no chance"),
        ("[bots", "", "bots.toml"),
    ],
)  # fmt: skip
def test_a_bad_bot_file_is_one_line(tmp_path, capsys, text, more, said):
    assert cli.main(["check", str(written(tmp_path, text, more))]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_file_that_is_not_there(tmp_path, capsys):
    path = written(tmp_path)
    (tmp_path / "bots.toml").unlink()
    assert cli.main(["check", str(path)]) == 2
    assert "bots.toml" in capsys.readouterr().err


# --- slips ------------------------------------------------------------------------------------------


def test_a_bot_that_slips_plays_between_random_and_itself(tables):
    at = tables[0]
    shares = [arena.duel(at, {**GOOD, "slip": slip}, GOOD, 300, 5).share for slip in (0.0, 0.3, 1.0)]
    assert shares[0] > shares[1] > shares[2]
    always = arena.duel(at, {**GOOD, "slip": 1.0}, {"kind": "random"}, 300, 5)
    assert always.low < 0.5 < always.high


# --- time -------------------------------------------------------------------------------------------


def timed(search):
    bot = f'[bots.s]\nlike = "holder"\nsearch = {search}\n'
    return scenario.parse(f'game = "pig"\nplayers = 2\ngames = 8\n{bot}[rules]\ngoal = 20')


def test_milliseconds_become_playouts_once(tmp_path, monkeypatch):
    asked = timed('{ kind = "flat", milliseconds = 0.5 }')
    said = []
    settled = pacing.settle(asked, tell=said.append)
    playouts = settled.bots["s"]["search"]["playouts"]
    assert playouts >= 1
    assert "0.5 ms a move" in said[0]
    kept = {
        "scenario": {
            "bots": {"s": {**settled.bots["s"], "search": {**settled.bots["s"]["search"], "playouts": 7}}}
        }
    }
    monkeypatch.setattr(pacing, "_measured", lambda *args: pytest.fail("measured again"))
    assert pacing.settle(asked, kept).bots["s"]["search"]["playouts"] == 7


def test_more_time_is_more_playouts():
    few, many = (pacing.settle(timed(f'{{ kind = "flat", milliseconds = {ms} }}')) for ms in (0.2, 20))
    assert many.bots["s"]["search"]["playouts"] > 5 * few.bots["s"]["search"]["playouts"]


def test_a_sweep_records_playouts_and_goes_on_with_them(tmp_path, monkeypatch):
    path = tmp_path / "s.toml"
    path.write_text(timed('{ kind = "flat", milliseconds = 0.2 }').text, encoding="utf-8")
    assert cli.main(["sweep", str(path), "--out", str(tmp_path / "d")]) == 0
    told = json.loads((tmp_path / "d" / "manifest.json").read_text())
    playouts = told["scenario"]["bots"]["s"]["search"]["playouts"]
    assert told["bots"]["s"]["search"]["playouts"] == playouts
    monkeypatch.setattr(pacing, "_measured", lambda *args: pytest.fail("measured again"))
    assert cli.main(["sweep", str(path), "--out", str(tmp_path / "d"), "--games", "16"]) == 0
    assert cli.main(["verify", str(tmp_path / "d"), "--all"]) == 0


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ('{ kind = "flat", playouts = 0 }', "0 is out of range; give 1 to"),
        ('{ kind = "flat", milliseconds = 0 }', "0 is out of range; give 0.001 to"),
        ('{ kind = "flat", milliseconds = "long" }', "'long' will not do; give a number"),
    ],
)
def test_a_budget_of_nothing_is_refused(search, said):
    with pytest.raises(ScenarioError) as caught:
        timed(search)
    assert said in str(caught.value)


# --- ladders ----------------------------------------------------------------------------------------


def pair(one, other, better):
    low, high = (0.6, 0.7) if better else (0.3, 0.4)
    return Pair(2, one, other, Match(0.5, low, high, 0.5, 100, 50))


def test_cycles_and_the_unbeaten_are_named():
    ring = [pair("a", "b", True), pair("b", "a", False), pair("b", "c", True), pair("c", "b", False),
            pair("c", "a", True), pair("a", "c", False)]  # fmt: skip
    assert ladder.cycles(ring) == [("a", "b", "c")]
    assert ladder.unbeaten(ring) == []
    line = [pair("a", "b", True), pair("b", "a", False)]
    assert ladder.cycles(line) == []
    assert ladder.unbeaten(line) == ["a"]


def test_a_game_without_tiers_has_no_ladder(capsys):
    assert cli.main(["ladder", "pig"]) == 2
    assert "Pig has no tiers" in capsys.readouterr().err


def test_styles_are_held_against_one_another(capsys):
    assert (
        cli.main(["ladder", "pig", "--styles", "holder", "--styles", "greedy", "--players", "2", "--json"])
        == 0
    )
    rows = json.loads(capsys.readouterr().out)
    assert [(row["one"], row["other"]) for row in rows] == [("holder", "greedy"), ("greedy", "holder")]
    assert rows[0]["low"] > rows[0]["fair"] > rows[1]["high"]
    assert cli.main(["ladder", "pig", "--styles", "holder", "--styles", "greedy", "--players", "2"]) == 0
    assert "holder does better than fair among every other style." in capsys.readouterr().out
    assert cli.main(["ladder", "pig", "--styles", "hodler"]) == 2
    assert "there is no bot 'hodler'; did you mean 'holder'" in capsys.readouterr().err


def test_the_command_tunes(tmp_path, capsys):
    out = tmp_path / "pig.toml"
    words = ["tune", "pig", "--out", str(out), "--players", "2", "--generations", "2", "--games", "60"]
    assert cli.main(words) == 0
    assert "Met in tuning" in capsys.readouterr().out
    assert bot_files.read(out, games.get("pig"))["kind"] == "holder"
    assert cli.main([*words[:2], "--out", str(tmp_path / "no" / "x.toml")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert cli.main([*words, "--players", "9"]) == 2
    assert "Pig has no game for 9" in capsys.readouterr().err
