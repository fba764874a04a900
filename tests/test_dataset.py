"""Datasets: flat tables with words in them, a manifest that says what they are and where from."""

import dataclasses
import json

import numpy as np
import polars as pl
import pytest

from balance import cell as cells
from balance import dataset, description, design, games, records, runner, scenario
from balance.cell import Batch
from balance.errors import DatasetError
from balance.games import Column
from balance.records import Rule
from balance.rows import Schema

TEXT = """
game = "pig"
players = 2
[bots.holder]
[bots.random]
[rules]
goal = 15
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return runner.sweep(scenario.parse(TEXT), tmp_path_factory.mktemp("found") / "run", games=400)


def test_tables_have_the_agreed_columns(found):
    assert found.games().collect_schema() == {
        "cell": pl.Int32,
        "game": pl.Int64,
        "block": pl.Int64,
        "players": pl.Int32,
        "turns": pl.Int32,
        "decisions": pl.Int32,
        "finished": pl.Boolean,
        "rolls": pl.Int32,
    }
    schema = found.seats().collect_schema()
    head = ["cell", "game", "block", "seat", "side", "bot", "share", "score", "rank", "clan"]
    assert schema.names() == [*head, "points_start", "points_banked", "busts", "holds"]
    assert schema["bot"] == pl.Enum(["holder", "random"])
    assert schema["clan"] == pl.Enum(["red", "green", "blue", "gold"])


def test_rows_are_those_that_the_kernel_played(found, pig):
    asked = scenario.parse(TEXT)
    cell = design.cells(asked)[0]
    numbers, blocks, lineup = design.lineups(asked, cell).of(np.arange(3))
    batch = cells.play(cell, pig.fast(), numbers, blocks, lineup, asked.seed)
    kept = found.seats().filter(pl.col("game") < len(numbers)).collect()
    assert kept["score"].to_list() == batch.seats.score.tolist()
    assert kept["share"].to_list() == batch.seats.share.tolist()
    assert kept["seat"].to_list() == [1, 2] * len(numbers)
    assert kept["bot"].to_list() == [cell.bot_names[bot] for bot in batch.seats.bot]
    assert kept["clan"].to_list() == [cell.levels("clan")[clan] for clan in batch.seats.clan]


def test_roles_decide_what_a_column_becomes():
    game = dataclasses.replace(
        games.get("pig"),
        seat_columns=(
            Column("end", "category", "End", labels=("goal", "limit")),
            Column("ahead", "flag", "Ahead"),
            Column("first", "time", "First roll"),
        ),
        factors=(),
        prepare=None,
    )
    cell = cells.prepare(game, 2, bots={"a": {"kind": "random"}, "b": {"kind": "random"}})
    seats = records.make(game.seat_row, 4)
    seats.end, seats.ahead, seats.first = [0, 1, -1, 5], [0, 1, 1, 0], [3, -1, 0, 2]
    seats.bot = [1, 0, 1, 0]
    batch = Batch(records.make(game.game_row, 2), seats, records.make(game.turn_row, 0))
    frame = Schema.of([cell]).tables(cell, [batch, batch])["seats"]
    assert len(frame) == 8
    assert frame["end"].to_list()[:4] == ["goal", "limit", None, None]
    assert frame["ahead"].to_list()[:4] == [False, True, True, False]
    assert frame["first"].to_list()[:4] == [3, -1, 0, 2]
    assert frame["bot"].to_list()[:4] == ["b", "a", "b", "a"]


def test_a_category_of_components_has_their_keys_over_all_cells():
    game = dataclasses.replace(
        games.get("pig"), game_columns=(Column("land", "category", "Land", ("none",), components="clans"),)
    )
    own = [
        cells.prepare(game, 2, components={"clans": {key: {"start": 1}}}, index=index)
        for index, key in enumerate(("blond", "grey"))
    ]
    schema = Schema.of(own)
    assert schema.labels["land"] == ("none", *game.components["clans"], "blond", "grey")
    own_clan = len(game.components["clans"]) + 1
    for cell, key in zip(own, ("blond", "grey"), strict=True):
        rows = records.make(game.game_row, 3)
        rows.land = [0, own_clan, -1]
        batch = Batch(rows, records.make(game.seat_row, 0), records.make(game.turn_row, 0))
        assert schema.tables(cell, [batch])["games"]["land"].to_list() == ["none", key, None]


def test_cells_with_other_bots_and_levels_share_one_schema(tmp_path):
    text = """
game = "pig"
[bots.holder]
[rules]
goal = 10
[[variant]]
name = "mixed"
bots.random = {}
[[variant]]
name = "own clan"
clans.own = { start = 2 }
"""
    found = runner.sweep(scenario.parse(text), tmp_path / "run", games=40)
    seats = found.seats().collect()
    assert seats.schema["bot"] == pl.Enum(["holder", "random"])
    used = dict(seats.group_by("cell").agg(pl.col("clan").unique().cast(pl.String)).iter_rows())
    assert "own" in used[2]
    assert "own" not in used[0]
    assert set(seats.filter(pl.col("cell") == 1)["bot"].unique()) == {"holder", "random"}


def test_the_manifest_says_what_was_run(found):
    manifest = json.loads((found.path / "manifest.json").read_text())
    assert manifest == found.manifest
    assert manifest["schema"] == 2
    assert manifest["scenario_text"] == TEXT
    assert manifest["cells"] == [
        {
            "index": 0,
            "label": "base",
            "name": "",
            "tier": "",
            "players": 2,
            "bots": ["holder", "random"],
            "changed": {"rules.goal": 15},
            "notes": [],
            "block_games": 4,
            "blank": None,
            "choice": {},
            "size": 0.0,
        }
    ]
    assert manifest["bots"]["holder"] == {"kind": "holder", "weights": {"hold": 20.0}, "bar": [], "gift": []}
    assert manifest["primary"] == "clan"
    assert [level["key"] for level in manifest["factors"][0]["levels"]] == ["red", "green", "blue", "gold"]
    assert manifest["columns"]["game"] == [{"name": "rolls", "role": "count", "label": "Rolls", "labels": []}]
    part = manifest["parts"][0]
    assert (part["first_game"], part["games"], part["seats_rows"], part["turns_rows"]) == (0, 400, 800, 0)
    assert part["files"]["games"]["sha256"] == dataset.digest_file(
        found.path / part["files"]["games"]["path"]
    )


def test_the_run_is_the_same_for_more_games_and_another_for_all_that_shapes_rows():
    def run(*settings):
        asked = scenario.parse(TEXT, settings=settings)
        prepared = design.cells(asked)
        return description.describe(asked, prepared, design.designs(asked, prepared))["run"]

    base = run()
    assert run("games=77") == run("title=Other") == run("precision=0.1") == base
    others = ["seed=2", "rules.goal=16", "players=3", "turns=true", "bots.holder.weights.hold=3"]
    others += ["clans.red.start=1", "field.clans=['red','blue']", "field.bots=['holder']"]
    assert len({base, *map(run, others)}) == len(others) + 1


def test_provenance_lists_what_is_in_play_and_not_certain(pig):
    game = dataclasses.replace(
        pig,
        rules=(*pig.rules, Rule("mercy", 3, source="a forum", note="points of mercy", certainty="ruling")),
        components={
            "clans": {
                "red": {"name": "The Reds", "certainty": "public", "source": "a page", "note": "often seen"},
                "green": {"levels": [{"vp": 1}, {"vp": 2, "certainty": "reconstructed"}]},
                "blue": {"certainty": "seed"},
            }
        },
    )
    cell = cells.prepare(
        game,
        2,
        rules={"goal": 9},
        components={"clans": {"own": {"start": 1}}},
        bots={"x": {"kind": "random"}},
    )
    levels = {"clan": (0, 1, 3)}
    made = design.Design(cell, design.Field(levels), 1)
    found = {line["what"]: line for line in description.provenance([cell], [made])}
    assert set(found) == {"clans.red", "clans.green.levels.2", "clans.own", "rules.goal", "rules.mercy"}
    assert found["clans.red"] == {
        "what": "clans.red",
        "name": "The Reds",
        "certainty": "public",
        "source": "a page",
        "note": "often seen",
    }
    assert found["clans.green.levels.2"]["certainty"] == "reconstructed"
    assert found["clans.own"]["certainty"] == found["rules.goal"]["certainty"] == "own"
    assert found["clans.own"]["source"] == found["rules.goal"]["source"] == "scenario"
    assert found["rules.mercy"]["source"] == "a forum"


def test_what_a_scenario_changes_is_its_own_in_the_manifest(pig):
    levels = {str(number): {"certainty": "seed", "source": "a book", "vp": number} for number in (1, 2)}
    red = {"name": "Reds", "certainty": "seed", "source": "a book", "note": "as printed", "levels": levels}
    game = dataclasses.replace(pig, components={"clans": {"red": red, "blue": {}}})
    own = {
        "mine": {"like": "red", "levels": {"1": {"vp": 9}}},
        "told": {"like": "red", "certainty": "public", "source": "a friend"},
    }

    def listed(*several):
        prepared = [cells.prepare(game, 2, components={"clans": one}) for one in several]
        made = [
            design.Design(c, design.Field({"clan": tuple(range(len(c.levels("clan"))))}), 1) for c in prepared
        ]
        lines = description.provenance(prepared, made)
        return {(line["what"], line["certainty"], line["source"], line["note"]) for line in lines}

    found = listed(own)
    assert ("clans.mine", "own", "scenario", "") in found
    assert ("clans.mine.levels.1", "own", "scenario", "") in found
    assert ("clans.mine.levels.2", "seed", "a book", "") in found
    assert ("clans.red", "seed", "a book", "as printed") in found
    assert ("clans.told", "public", "a friend", "") in found
    both = listed({}, {"red": {"levels": {"2": {"vp": 0}}}})  # the second cell changes what the first has
    for certainty, source in (("seed", "a book"), ("own", "scenario")):
        assert ("clans.red.levels.2", certainty, source, "") in both


def test_a_dataset_is_one_short_line(found):
    assert repr(found) == f"<Dataset {found.path}: 400 games of pig>"


def test_pandas_gets_the_same_table(found):
    frame = found.to_pandas()
    assert len(frame) == 800
    assert frame["share"].sum() == pytest.approx(400)
    assert len(found.to_pandas("games")) == 400


def test_what_is_no_dataset_is_refused(tmp_path, found):
    with pytest.raises(DatasetError, match="holds no dataset; give the folder of a sweep"):
        dataset.open(tmp_path)
    with pytest.raises(DatasetError, match="holds no dataset"):
        dataset.open(tmp_path / "none")
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(DatasetError, match="is no manifest"):
        dataset.open(tmp_path)
    (tmp_path / "manifest.json").write_text('{"schema": 99}')
    with pytest.raises(DatasetError, match="has schema 99, and this version reads schema 2"):
        dataset.open(tmp_path)
    with pytest.raises(DatasetError, match="holds no turns; set turns = true"):
        found.turns()
