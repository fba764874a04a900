"""Tables for other programs: what is written reads back the same, and what the docs say of it is so."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import polars as pl
import pytest

import balance
import synthetic
from balance import cli, comparing, exporting
from balance.errors import BalanceError, DatasetError

DATA = (Path(__file__).parent.parent / "docs" / "data.md").read_text(encoding="utf-8")
NATIONS = dict(synthetic.NATIONS) | {"orcs": ("=1+1", "seed")}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    cells = [synthetic.frames(31, seed=n, cell=n, nations=NATIONS) for n in (0, 1)]
    folder = tmp_path_factory.mktemp("data") / "my"
    return synthetic.write(folder, *cells, nations=NATIONS, labels={1: 'a, "quoted" label'})


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_rows_and_tables_read_back_the_same(dataset, tmp_path, format):
    balance.export(dataset, format, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    read = pl.read_csv if format == "csv" else pl.read_parquet
    for name, rows in (("games", dataset.games()), ("seats", dataset.seats())):
        found = read(tmp_path / "out" / f"{name}.{format}")
        assert set(found["label"]) == {"base", 'a, "quoted" label'}
        rows = rows.collect()
        assert found.columns == ["cell", "label", *rows.columns[1:]]
        for column in ("game", "block", "share" if name == "seats" else "turns"):
            assert found[column].to_list() == pytest.approx(rows[column].to_list())
    made = balance.summary(dataset)
    assert {path.stem for path in (tmp_path / "out" / "summary").iterdir()} == set(made)
    table = read(tmp_path / "out" / "summary" / f"win_share_by_nation.{format}")
    assert table["share"].to_list() == pytest.approx(made["win_share_by_nation"]["share"].to_list())
    assert table["name"].to_list() == made["win_share_by_nation"]["name"].to_list()


def test_a_workbook_has_a_sheet_a_table_and_no_formula(dataset, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(exporting, "SHEET", 1_000)
    balance.export(dataset, "xlsx", tmp_path / "my.xlsx", told.append)
    with zipfile.ZipFile(tmp_path / "my.xlsx") as book:
        sheets = {n: book.read(n).decode() for n in book.namelist() if n.startswith("xl/worksheets/sheet")}
        words = book.read("xl/sharedStrings.xml").decode()
        names = re.findall(r'<sheet name="([^"]*)"', book.read("xl/workbook.xml").decode())
    assert {"win_share_by_nation", "length", "games"} <= set(names)
    assert "seats" not in names
    assert told == ["seats has 2,976 rows, more than a sheet holds; export it as csv or parquet"]
    assert "=1+1" in words
    assert not any("<f>" in sheet for sheet in sheets.values())


def test_turns_come_along_where_there_are_any(tmp_path):
    from balance import runner, scenario

    text = 'game = "pig"\nplayers = 2\ngames = 40\nturns = true\n[bots.holder]\n'
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    balance.export(run, "parquet", tmp_path / "out")
    assert len(pl.read_parquet(tmp_path / "out" / "turns.parquet")) == len(run.turns().collect())


def test_bad_words_get_one_line(dataset, tmp_path):
    with pytest.raises(BalanceError, match="there is no format 'ods'; give csv or parquet or xlsx"):
        balance.export(dataset, "ods", tmp_path / "x")
    with pytest.raises(BalanceError, match="is there already"):
        balance.export(dataset, "csv", tmp_path)
    with pytest.raises(DatasetError, match="no such folder"):
        balance.export(dataset, "csv", tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_the_command_exports(dataset, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["export", str(dataset.path), "--format", "csv", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"Wrote {out}\n"
    assert (out / "games.csv").is_file()


# --- the documents ------------------------------------------------------------------------------


def test_every_column_of_the_summary_is_described(dataset):
    for name, table in balance.summary(dataset).items():
        for column in table.columns:
            assert f"`{column}`" in DATA, (name, column)
    for column in comparing.compare([dataset])[0].table.columns:
        assert f"`{column}`" in DATA, column


BLOCKS = re.findall(r"^```(python|sql)\n(.*?)^```", DATA, re.MULTILINE | re.DOTALL)


def test_the_cookbook_runs_in_polars(dataset, tmp_path, monkeypatch):
    monkeypatch.chdir(dataset.path.parent)
    said = {"dataset": dataset}
    for kind, code in BLOCKS:
        if kind == "python" and "turns()" not in code:
            exec(code.replace("out/my", "my"), said)
    assert len(said["grid"]) == len(NATIONS)
    assert len(said["longest"]) == 5
    ours = balance.summary(dataset)["win_share_by_nation"].sort("cell", "level")
    theirs = said["blocks"].sort("cell", "nation")
    assert theirs["mean"].to_list() == pytest.approx(ours["share"].to_list())
    assert theirs["error"].to_list() == pytest.approx(ours["error"].to_list())
    changed = comparing.compare([dataset])[0].table.filter(family="nation", metric="Win share").sort("level")
    assert said["change"].sort("nation")["difference"].to_list() == pytest.approx(
        changed["difference"].to_list()
    )


def test_the_cookbook_runs_in_polars_on_turns(tmp_path, monkeypatch):
    from balance import runner, scenario

    text = 'game = "pig"\nplayers = 2\ngames = 40\nturns = true\n[bots.holder]\n'
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    said = {"dataset": run, "pl": pl}
    exec(next(code for kind, code in BLOCKS if kind == "python" and "turns()" in code), said)
    assert said["ahead"].item() <= 0


def test_the_cookbook_runs_in_duckdb(dataset, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(dataset.path.parent)
    found = [duckdb.sql(code.replace("out/my", "my")).fetchall() for kind, code in BLOCKS if kind == "sql"]
    assert len(found) == 3
    ours = balance.summary(dataset)["win_share_by_nation"].sort("cell", "level")
    theirs = sorted(found[0])
    assert [row[2] for row in theirs] == pytest.approx(ours["share"].to_list())
    assert [row[3] for row in theirs] == pytest.approx(ours["error"].to_list())
