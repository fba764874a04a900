"""Verification finds what was done to a dataset, and names it; readers refuse it in one line."""

import json
import shutil

import polars as pl
import pytest

from balance import cli, dataset, manifest, runner, scenario, store, verify
from balance.rows import encoded
from test_runner import TEXT

MANIFEST = manifest.MANIFEST


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A dataset of two cells with two parts each, and a file that is none of its own."""
    out = tmp_path_factory.mktemp("kept") / "run"
    runner.sweep(scenario.parse(TEXT), out, games=2400)
    return out


@pytest.fixture
def run(kept, tmp_path):
    return shutil.copytree(kept, tmp_path / "run")


def faults(run, **more):
    return [(fault.where, fault.what) for fault in verify.verify(run, **more).faults]


def part(run, table="seats", number=0):
    return run / dataset.open(run).manifest["parts"][number]["files"][table]["path"]


def edit(run, change, seal=False):
    """Edit the manifest by hand; with `seal`, as somebody who knows how it is sealed."""
    path = run / MANIFEST
    found = json.loads(path.read_text())
    change(found)
    path.write_text(json.dumps(found))
    if seal:
        manifest.write(store.at(run), found)


def reseal(run, path, data):
    """Put other bytes in a part's place and make the manifest agree."""
    path.write_bytes(data)

    def change(found):
        for entry in found["parts"]:
            for file in entry["files"].values():
                if run / file["path"] == path:
                    file |= {"bytes": len(data), "sha256": dataset.digest_file(path)}

    edit(run, change, seal=True)


def test_a_dataset_in_order_passes(kept, capsys):
    found = verify.verify(kept)
    assert found.faults == found.notes == ()
    assert (found.parts, found.games, found.complete) == (4, 4800, True)
    assert found.replayed >= verify.SAMPLE
    assert verify.verify(kept, games=2**62).replayed == 4800
    assert verify.verify(kept, games=0).replayed == 0
    assert cli.main(["verify", str(kept)]) == 0
    assert "is in order: 4,800 games in 4 parts" in " ".join(capsys.readouterr().out.split())
    assert cli.main(["verify", str(kept), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["faults"] == []


def test_each_fault_is_named_and_the_answer_is_no(run, capsys):
    flipped, gone, cut = part(run, "games", 0), part(run, "seats", 1), part(run, "turns", 2)
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 1
    flipped.write_bytes(data)
    gone.unlink()
    cut.write_bytes(cut.read_bytes()[:-100])
    assert cli.main(["verify", str(run)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert f"WRONG games/{flipped.name}: was altered: its checksum is another" in out
    assert f"WRONG seats/{gone.name}: is missing" in out
    assert f"WRONG turns/{cut.name}: is cut off" in out
    assert "is not in order: " in out
    assert "Delete a part that is wrong" in out
    assert "manifest" not in out


@pytest.mark.parametrize("forged", [False, True])
def test_a_row_changed_by_hand_is_named_down_to_its_column(run, forged):
    path = part(run, "seats", 2)
    frame = pl.read_parquet(path)
    row = frame.row(1100, named=True)
    score = pl.when(pl.int_range(pl.len()) == 1100).then(pl.col("score") + 1).otherwise("score")
    data = encoded(frame.with_columns(score=score.cast(pl.Int32)))
    if forged:
        reseal(run, path, data)
    else:
        path.write_bytes(data)
    found = faults(run, games=2**62)
    said = f"game {row['game']}, seat {row['seat']}: score is {row['score'] + 1}, and plays again to "
    said += str(row["score"])
    assert (f"seats/{path.name}", said) in found
    assert len(found) == (1 if forged else 2)
    assert forged or len(faults(run, games=10)) == 2  # all games of an altered part are played again


def test_rows_that_are_missing_or_of_other_columns_are_named(run):
    first, second = part(run, "seats", 0), part(run, "games", 1)
    reseal(run, first, encoded(pl.read_parquet(first).head(-3)))
    reseal(run, second, encoded(pl.read_parquet(second).rename({"rolls": "throws"})))
    assert faults(run, games=0) == [
        (f"seats/{first.name}", "has 5,997 rows, not 6,000"),
        (f"games/{second.name}", "its columns are not those agreed (rolls, throws)"),
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda m: m.update(title="Other"), "its 'title' was edited"),
        (lambda m: m.update(question="Why?"), "'question' was edited"),
        (lambda m: m.update(games=9_999), "was edited since it was written"),
        (lambda m: m.update(games="many"), "its 'games' was edited: 'many'"),
        (lambda m: m.update(seed=8), "its 'seed' was edited"),
        (lambda m: m.update(run="0" * 64), "its 'run' or its 'scenario' was edited"),
        (lambda m: m["scenario"]["rules"].update(goal=25), "its 'scenario' was edited"),
        (lambda m: m["scenario"].update(game="pog"), "its scenario can no longer be played"),
        (lambda m: m.update(scenario=5), "its scenario cannot be read"),
        (lambda m: m.pop("scenario"), "its scenario cannot be read"),
        (lambda m: m.pop("cells"), "its 'cells' was edited"),
        (lambda m: m.update(extra=1), "its 'extra' was edited"),
        (lambda m: m["parts"].pop(0), "a part before it is gone"),
        (lambda m: m["parts"][0].update(games=1999), "its games do not follow on"),
        (lambda m: m["parts"].insert(0, 5), "it is no part"),
        (lambda m: m["parts"][0]["files"]["games"].update(path="../../x"), "do not follow on"),
        (lambda m: m["parts"][0]["files"].update(games=None), "it is no part"),
        (lambda m: m.update(parts={}), "was edited or damaged"),
        (lambda m: m.update(schema=1), "has schema 1, and this version reads schema 2: its manifest has no"),
        (lambda m: m.update(schema=[1]), "has schema"),
        (lambda m: m.pop("digest"), "was edited since it was written"),
    ],
)
def test_an_edited_manifest_is_named_and_read_by_nobody(run, change, said, capsys):
    edit(run, change)
    found = faults(run)
    assert any(where.startswith(MANIFEST) and said in what for where, what in found), found
    assert cli.main(["verify", str(run)]) == 1
    assert "Put back the manifest as it was written" in " ".join(capsys.readouterr().out.split())
    for words in (("summary",), ("report", "--out", str(run / "x.html")), ("replay", "3")):
        command, *more = words
        assert cli.main([command, str(run), *more]) == 2
        out, err = capsys.readouterr()
        assert err.startswith(f"balance: {run}/{MANIFEST}: "), err
        assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.update(versions=5),
        lambda m: m.update(seed=8),
        lambda m: m["parts"][0].update(games="x"),
        lambda m: m["parts"].__setitem__(0, "x"),
        lambda m: m.update(signature="?"),
    ],
)
def test_an_edited_manifest_with_a_new_seal_is_found_too(run, change):
    edit(run, change, seal=True)
    assert any(where.startswith(MANIFEST) for where, _ in faults(run))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "{}", "[" * 100_000, "\x00", '{"schema": 2}'])
def test_a_manifest_that_is_none_is_one_line(run, text, capsys):
    (run / MANIFEST).write_text(text)
    assert faults(run)[0][0] == MANIFEST
    for words in (("summary",), ("replay", "3"), ("verify",)):
        command, *more = words
        assert cli.main([command, str(run), *more]) == (1 if command == "verify" else 2)
        assert "Traceback" not in capsys.readouterr().err


def test_readers_refuse_parts_that_are_altered_cut_off_or_gone(run, capsys):
    path = part(run, "seats", 0)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(flipped) // 3] ^= 4
    for data, said in (
        (bytes(flipped), f"balance: {path}: was changed since it was written; delete it and sweep again"),
        (whole[:-7], f"balance: {path}: was changed since it was written; delete it and sweep again"),
        (None, f"balance: {run}: seats/{path.name} is missing; sweep again to remake it"),
    ):
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data)
        for words in (("summary",), ("report", "--out", str(run / "x.html")), ("replay", "3")):
            command, *more = words
            assert cli.main([command, str(run), *more]) == 2
            err = capsys.readouterr().err
            assert err.startswith(said), err
            assert err.count("\n") == 1


def test_files_left_over_are_noted_and_no_fault(run):
    (run / "games" / ".part-000-00009-2000.tmp").write_bytes(b"torn")
    found = verify.verify(run)
    assert not found.faults
    assert "1 file not named in the manifest, such as games/.part-000-00009-2000.tmp" in found.notes[0]


def test_a_dataset_of_other_code_is_replayed_all_the_same(run):
    def change(found):
        found["run"] = "0" * 64
        found["versions"]["numba"] = "0.1"

    edit(run, change, seal=True)
    found = verify.verify(run)
    assert not found.faults
    assert "made by other versions of the libraries" in found.notes[0]
    assert found.replayed


def test_a_sweep_that_is_stopped_is_in_order_so_far(tmp_path, capsys):
    seen = []

    def watch(done, wanted, cells):
        if done >= 5000 and not seen:
            seen.append(verify.verify(tmp_path / "run"))
            seen.append(cli.main(["summary", str(tmp_path / "run")]))

    runner.SAVE, before = 0.0, runner.SAVE
    try:
        runner.sweep(scenario.parse(TEXT), tmp_path / "run", games=6000, jobs=1, watch=watch)
    finally:
        runner.SAVE = before
    verdict, status = seen
    assert not verdict.faults
    assert not verdict.complete
    assert verdict.games >= 2000
    assert status == 0
    assert "Win share by" in capsys.readouterr().out


def test_what_is_no_dataset_is_refused(tmp_path, capsys):
    assert cli.main(["verify", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"balance: {tmp_path}: holds no dataset; give the folder of a sweep\n"
