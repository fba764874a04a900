"""Layouts: what a scenario asks for, how they come round, and how a dataset and a replay name them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from balance import design, plan, replay, runner, scenario
from balance.errors import ScenarioError

HEAD = 'game = "tiny-epic-kingdoms"\ngames = 120\n[rules]\nside_choice = "dealt"\n[bots.random]\n'
SIX = ["dwarves", "humans", "orcs", "halflings", "lizardfolk", "elves"]


def asked(territories, players=4, more=""):
    text = f"players = {players}\n{HEAD}[field]\nnations = {SIX}\nterritories = {territories}\n{more}"
    return scenario.parse(text)


def made(territories, players=4):
    found = asked(territories, players)
    cell = design.cells(found)[0]
    return cell, design.lineups(found, cell)


def seated(territories, blocks, players=4):
    """The keys of the territories of some blocks, by block and seat, and their layouts."""
    cell, one = made(territories, players)
    _, block, lineup = one.of(np.arange(blocks))
    keys = np.array(cell.levels("territory"))[lineup.territory.reshape(-1, players)]
    first = np.flatnonzero(np.r_[True, np.diff(block) > 0])
    for start in first:  # all games of a block are played on one map
        assert (keys[start : start + one.block_games] == keys[start]).all()
    return keys[first], np.array(one.layouts.keys)[one.layout_of(np.arange(blocks))]


def test_every_layout_comes_once_a_round_and_moves_on_by_a_seat():
    keys, layouts = seated("{ drawn = 6, seed = 3 }", 24)
    for start in range(0, 24, 6):
        assert sorted(layouts[start : start + 6]) == [f"drawn_{n}" for n in range(1, 7)]
    assert list(layouts[:6]) != list(layouts[6:12]) or list(layouts[:6]) != list(layouts[12:18])
    for n in range(1, 7):
        mine = keys[layouts == f"drawn_{n}"]
        assert all(sorted(row) == [f"drawn_{n}_{place}" for place in range(1, 5)] for row in mine)
        for place in range(1, 5):  # after as many rounds as seats, each side has been in each seat
            assert sorted(np.argwhere(mine == f"drawn_{n}_{place}")[:, 1]) == [0, 1, 2, 3]


def test_a_layout_is_the_same_whatever_the_number_of_layouts_and_players():
    few = asked("{ drawn = 2, seed = 9 }", 3)
    many = asked("{ drawn = 30, seed = 9 }", 5)
    other = asked("{ drawn = 2, seed = 8 }", 3)
    sides = [design.cells(one)[0].components["territories"] for one in (few, many, other)]
    assert sides[0]["drawn_2_3"]["regions"] == sides[1]["drawn_2_3"]["regions"]
    assert sides[0]["drawn_2_3"]["adjacent"] == sides[1]["drawn_2_3"]["adjacent"]
    assert sides[0]["drawn_2_3"]["regions"] != sides[2]["drawn_2_3"]["regions"]
    dealt = [seated("{ dealt = 8, seed = 9 }", 8, players) for players in (3, 4)]
    maps = [dict(zip(layouts, map(set, keys), strict=True)) for keys, layouts in dealt]
    assert all(maps[0][key] < maps[1][key] for key in maps[0])


def test_dealt_layouts_take_one_side_of_a_card_and_say_how_sure_it_is():
    cell, one = made("{ dealt = 40 }")
    sides = cell.components["territories"]
    for levels in one.layouts.levels:
        cards = [sides[list(sides)[level]]["card"] for level in levels]
        assert len(set(cards)) == 4
    assert set(one.layouts.certainties) == {"reconstructed"}
    assert set(made("{ drawn = 3 }")[1].layouts.certainties) == {"generated"}
    assert len(set(one.layouts.levels)) > 35


def test_only_some_layouts_can_be_played():
    cell, one = made('{ drawn = 20, dealt = 3, seed = 4, only = ["drawn_17", "dealt_2"] }')
    assert one.layouts.keys == ("drawn_17", "dealt_2")
    assert "drawn_16_1" not in cell.components["territories"]
    whole = design.cells(asked("{ drawn = 20, seed = 4 }"))[0]
    key = "drawn_17_2"
    assert cell.components["territories"][key] == whole.components["territories"][key]


@pytest.mark.parametrize(
    ("territories", "said"),
    [
        ("{ drawn = 0 }", "field.territories: asks for no layout; write { drawn = 50, seed = 1 }"),
        ("{ drwn = 5 }", "field.territories.drwn: unknown key; did you mean 'drawn'?"),
        ("{ drawn = 1.5 }", "field.territories.drawn: 1.5 will not do; give a whole number, 0 to 1000"),
        ("{ drawn = 5, ruins = 2 }", "field.territories.ruins: 2 will not do; give a part, 0 to 1"),
        ("{ drawn = 5, only = 3 }", 'field.territories.only: 3 will not do; give a list such as'),
        ('{ drawn = 5, only = ["drawn_6"] }', "there is no layout 'drawn_6'; did you mean 'drawn_5'?"),
        ("{ drawn = 200 }", "sides are too many"),
        ('"drawn"', "field.territories: 'drawn' will not do; give \"all\" or a list of names"),
    ],
)  # fmt: skip
def test_a_wrong_wish_is_one_clear_line(territories, said):
    with pytest.raises(ScenarioError) as caught:
        asked(territories)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_factor_that_rotates_has_no_layouts():
    with pytest.raises(ScenarioError, match=r"field\.nations: nations change seats within a block"):
        scenario.parse(f"players = 4\n{HEAD}[field]\nnations = {{ dealt = 3 }}")


def test_an_own_territory_may_not_be_called_like_a_drawn_one():
    with pytest.raises(ScenarioError, match=r"territories\.drawn_1_1: a drawn one has this name"):
        asked("{ drawn = 1 }", more='[territories.drawn_1_1]\nlike = "galson"')


def test_check_says_how_many_blocks_each_layout_has():
    cell = plan.plan(asked("{ drawn = 7 }"))["cells"][0]
    assert cell["layouts"] == {"factor": "territory", "count": 7, "blocks": [2, 3]}
    assert {row["family"] for row in cell["needed"]} == {"Nation", "Seat"}
    assert plan.plan(asked('"all"'))["cells"][0]["layouts"] is None


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    vary = '[vary]\n"field.territories" = [{ drawn = 3, dealt = 2, seed = 5 }, "all"]'
    found = scenario.parse(f"players = 3\n{HEAD}{vary}")
    return found, runner.sweep(found, folder / "run")


def test_games_and_seats_name_the_layout_of_their_block(swept):
    found, dataset = swept
    one = design.lineups(found, design.cells(found)[0])
    for table in (dataset.games(), dataset.seats()):
        rows = table.collect()
        mine = rows.filter(pl.col("cell") == 0)
        wanted = np.array(one.layouts.keys)[one.layout_of(mine["block"].to_numpy())]
        assert mine["layout"].cast(pl.String).to_list() == list(wanted)
        assert rows.filter(pl.col("cell") == 1)["layout"].is_null().all()
    told = dataset.manifest["layouts"]
    assert told["factor"] == "territory"
    assert told["levels"][0] == {"key": "drawn_1", "name": "Drawn 1", "certainty": "generated"}
    assert told["levels"][-1] == {"key": "dealt_2", "name": "Dealt 2", "certainty": "reconstructed"}
    made = [entry for entry in dataset.manifest["provenance"] if entry["certainty"] == "generated"]
    assert [(entry["what"], entry["name"]) for entry in made] == [
        ("territories.drawn", "9 drawn territories")
    ]
    assert "seed 5" in made[0]["source"]
    assert not any("drawn" in key for cell in dataset.manifest["cells"] for key in cell["changed"])


def test_a_replay_names_the_layout_and_draws_its_map(swept):
    _, dataset = swept
    rows = dataset.games().filter(pl.col("cell") == 0).collect()
    row = rows.filter(pl.col("layout").cast(pl.String) == "drawn_2").row(0, named=True)
    lines = list(replay.from_dataset(dataset, row["game"]))
    assert lines[0].endswith("layout drawn_2")
    drawn = dataset.manifest["scenario"]["field"]
    cell = design.cells(scenario.again(dataset.manifest["scenario"]))[0]
    assert drawn["territories"] == "all"  # what stands under [vary] comes in its place
    maps = [line for line in lines if line.startswith("  territory of seat")]
    assert len(maps) == 3
    for line in maps:
        name = line.split(", ", 1)[1].split(":")[0]
        key = "drawn_" + name.removeprefix("Drawn ").replace(".", "_")
        assert cell.components["territories"][key]["name"] == name
    assert "The dataset has other scores" not in "\n".join(lines)


def test_more_games_change_no_earlier_ones(swept, tmp_path):
    found, dataset = swept
    longer = runner.sweep(found, tmp_path / "longer", games=240)
    few, many = (one.seats().sort("cell", "game", "seat").collect() for one in (dataset, longer))
    most = few["game"].max() + 1
    assert many.filter(pl.col("game") < most).equals(few)


def test_the_game_for_two_has_the_lost_kingdom_of_its_layout(tmp_path):
    text = (
        "players = 2\n" + HEAD.replace("games = 120", "games = 18") + "[field]\nterritories = { drawn = 4 }"
    )
    dataset = runner.sweep(scenario.parse(text), tmp_path / "two")
    rows = dataset.games().select(pl.col("layout", "lost_kingdom").cast(pl.String)).collect()
    assert len(rows) >= 18
    assert (rows["layout"] + "_3").equals(rows["lost_kingdom"])
    lines = list(replay.from_dataset(dataset, 3))
    assert any("Lost Kingdom" in line and "borders" in line for line in lines)
