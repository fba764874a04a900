"""A replay is the game that the sweep played, told in words that can be played again."""

import json

import numpy as np
import polars as pl
import pytest

import golden
from balance import cases, cell, games, records, replay, runner, scenario, words
from balance.errors import DatasetError, GameError, ScenarioError

SEED, BLOCK = 11, 4


@pytest.fixture
def table(pig):
    """A cell of three bots at Pig, and the line-ups of three games."""
    ready = cell.prepare(pig, 3, rules={"goal": 30}, bots={"holder": {}, "greedy": {}, "random": {}})
    lineups = records.make(pig.lineup_type, 9)
    lineups.bot = [0, 1, 2, 1, 2, 0, 2, 0, 1]
    lineups.clan = [0, 1, 2] * 3
    return ready, lineups


def test_a_replay_is_the_game_of_the_compiled_batch(pig, table):
    ready, lineups = table
    numbers = np.arange(12, 15)
    batch = cell.play(ready, pig.fast(), numbers, [BLOCK] * 3, lineups, SEED)
    for i, number in enumerate(numbers):
        game = replay.Table(ready, lineups[3 * i : 3 * i + 3], SEED, BLOCK, int(number))
        acts = len(list(game.steps()))
        row, seat_rows = game.result()
        for name in pig.game_row.names:
            assert row[name] == batch.games[i][name], name
        for name in pig.seat_row.names:
            assert np.array_equal(seat_rows[name], batch.seats[3 * i : 3 * i + 3][name]), name
        assert acts >= row.decisions > 0


def test_a_replay_of_the_flagship_is_the_game_of_the_batch():
    game = games.get("tiny-epic-kingdoms")
    ready = cell.prepare(game, 4, bots={"balanced": {}, "random": {}}, rules={"trigger_castle": 2})
    lineup = records.make(game.lineup_type, 4)
    lineup.bot, lineup.nation, lineup.territory = [0, 1, 1, 1], [5, 0, 3, 2], [0, 2, 4, 6]
    batch = cell.play(ready, game.fast(), [9], [3], lineup, SEED)
    table = replay.Table(ready, lineup, SEED, 3, 9)
    assert sum(1 for _ in table.steps()) > batch.games[0].decisions
    row, seat_rows = table.result()
    assert row.tolist() == batch.games[0].tolist()
    assert seat_rows.tolist() == batch.seats.tolist()


def test_asking_for_reasons_changes_no_game(table):
    ready, lineups = table
    plain = list(replay.tell(ready, lineups[:3], SEED, BLOCK, 12))
    weighed = list(replay.tell(ready, lineups[:3], SEED, BLOCK, 12, reasons=True))
    assert [line for line in weighed if "weighed:" not in line] == plain
    assert len(weighed) > len(plain)


def test_reasons_put_the_chosen_act_first(table):
    ready, lineups = table
    game = replay.Table(ready, lineups[:3], SEED, BLOCK, 12)
    for step in game.steps():
        if step.valued:
            assert step.before.seat == 1
            assert max(step.valued, key=lambda pair: pair[1])[0] == step.act


def test_each_line_names_actor_act_and_what_came_of_it(table):
    ready, lineups = table
    lines = list(replay.tell(ready, lineups[:3], SEED, BLOCK, 12))
    assert lines[0] == "Pig, base: game 12 of block 4, seed 11"
    assert lines[1] == "  Seat 1 (Red): bot 'holder'"
    turns = [line for line in lines if line.startswith("Turn ")]
    assert turns == [f"Turn {n}" for n in range(1, len(turns) + 1)]
    acts = [line for line in lines if words.OUTCOME in line]
    assert len(acts) > len(turns)
    assert all(line.startswith("  Seat ") for line in acts)
    assert lines[-4].startswith("Ended after ")
    assert sum("wins" in line for line in lines[-3:]) == 1


def test_a_game_cut_short_says_so(table):
    ready, lineups = table
    lines = list(replay.tell(ready, lineups[:3], SEED, BLOCK, 12, limit=3))
    assert any(line.startswith("Not finished after ") for line in lines)


def test_every_act_told_can_be_played_in_a_case(table, tmp_path):
    ready, lineups = table
    game = replay.Table(ready, lineups[:3], SEED, BLOCK, 12)
    faces = []
    for step in game.steps():
        lost = step.after.busts[step.before.seat] > step.before.busts[step.before.seat]
        if step.act == 0:
            faces.append(1 if lost else int(step.after.pot - step.before.pot))
    told = [
        line.strip() for line in replay.tell(ready, lineups[:3], SEED, BLOCK, 12) if words.OUTCOME in line
    ]
    path = tmp_path / "told.toml"
    path.write_text(
        f"""
        game = "pig"
        players = 3
        rules.goal = 30
        [[case]]
        name = "A whole game"
        source = "a replay"
        dice = {faces}
        play = {told}
        expect = {{ over = true, banked = {[int(v) for v in game.state.banked[:3]]} }}
        """,
        encoding="utf-8",
    )
    (result,) = cases.run([path])
    assert result.passed, result.message


def test_a_whole_game_of_the_flagship_can_be_pasted_into_a_case(tmp_path):
    told = golden.text("tiny_epic_kingdoms").splitlines()
    start, end = told.index("Set-up"), next(i for i, line in enumerate(told) if line.startswith("Ended"))
    play = [line.strip() for line in told[start:end] if line.startswith("  Seat ")]
    scores = [int(line.split(": ")[1].split(" ")[0]) for line in told[end + 1 :]]
    path = tmp_path / "told.toml"
    path.write_text(
        f"""
        game = "tiny-epic-kingdoms"
        players = 3
        lineup.nation = ["dwarves", "orcs", "halflings"]
        lineup.territory = ["anarchistan", "vrtichvostan", "parohan"]
        [[case]]
        name = "A whole game"
        source = "a replay"
        play = {json.dumps(play, ensure_ascii=False)}
        expect = {{ over = true, score = {scores} }}
        """,
        encoding="utf-8",
    )
    (result,) = cases.run([path])
    assert result.passed, result.message


def test_words_that_lack_a_function_are_refused(table, monkeypatch):
    ready, lineups = table
    monkeypatch.delattr(ready.game.words, "tell")
    with pytest.raises(GameError, match=r"pig\.words: has no function 'tell'"):
        replay.tell(ready, lineups[:3], SEED, BLOCK, 12)


@pytest.fixture
def swept(pig_file, tmp_path):
    """A scenario and its dataset of 64 games."""
    asked = scenario.load(pig_file)
    return asked, runner.sweep(asked, tmp_path / "out", jobs=1)


def test_a_game_of_a_dataset_and_of_its_scenario_are_told_alike(swept):
    asked, kept = swept
    told = list(replay.from_dataset(kept, 37))
    assert told == list(replay.from_scenario(asked, 37))
    scores = kept.seats().filter(pl.col("game") == 37).sort("seat").collect()["score"].to_list()
    assert [int(line.split(": ")[1].split(" ")[0]) for line in told[-2:]] == scores


def test_a_dataset_of_other_code_is_noticed(swept, monkeypatch):
    asked, kept = swept
    other = asked.model_copy(update={"seed": 8})
    monkeypatch.setattr(scenario, "again", lambda resolved: other)
    assert "The dataset has other scores" in list(replay.from_dataset(kept, 3))[-1]


def test_a_game_or_cell_that_is_not_there(swept):
    asked, kept = swept
    with pytest.raises(DatasetError, match="cell 0 holds no game 64; give 0 to 63"):
        replay.from_dataset(kept, 64)
    with pytest.raises(DatasetError, match="holds no cell 1; give 0 to 0"):
        replay.from_dataset(kept, 0, cell=1)
    with pytest.raises(ScenarioError, match="there is no game -1"):
        replay.from_scenario(asked, -1)
    with pytest.raises(ScenarioError, match="there is no cell 2; give 0 to 0"):
        replay.from_scenario(asked, 0, cell=2)


@pytest.mark.parametrize("name", golden.TRANSCRIPTS)
def test_golden_transcript(name):
    """Changed on purpose? `make golden` writes it anew; read the difference."""
    assert golden.text(name) == (golden.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
