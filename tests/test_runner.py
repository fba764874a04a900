"""Sweeps: the same bytes however they are cut up, stopped or spread over threads."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from balance import cli, dataset, design, log, manifest, parts, runner, scenario, store, verify
from balance.errors import DatasetError, ScenarioError

TEXT = """
game = "pig"
players = 3
seed = 7
turns = true
[bots.holder]
[bots.random]
[rules]
goal = 20
[[variant]]
name = "longer"
rules = { goal = 30 }
"""


@pytest.fixture(scope="module")
def asked():
    return scenario.parse(TEXT)


@pytest.fixture(scope="module")
def undisturbed(asked, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    runner.sweep(asked, out, games=5000, jobs=1)
    return out


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (store.LOCK, log.LOG)
    }


def test_a_sweep_plays_whole_blocks_of_every_cell(asked, undisturbed):
    found = dataset.open(undisturbed)
    assert found.complete
    counts = found.games().group_by("cell").len().sort("cell").collect()
    assert counts.rows() == [(0, 5000), (1, 5000)]
    blocks = found.games().group_by("cell", "block").len().collect()["len"]
    assert blocks.unique().to_list() == [4]
    assert found.seats().select(pl.len()).collect().item() == 30_000


def test_two_jobs_write_the_same_bytes_as_one(asked, undisturbed, tmp_path):
    runner.sweep(asked, tmp_path / "run", games=5000, jobs=2)
    assert contents(tmp_path / "run") == contents(undisturbed)


def test_adding_games_plays_only_new_ones_and_ends_with_the_same_bytes(asked, undisturbed, tmp_path):
    out = tmp_path / "run"
    runner.sweep(asked, out, games=3000)
    before = {path: path.stat().st_mtime_ns for path in (out / "games").iterdir()}
    heard = []
    runner.sweep(asked, out, games=5000, watch=lambda *numbers: heard.append(numbers))
    assert heard[0] == (4000, 10_000, 2)
    assert heard[-1] == (10_000, 10_000, 2)
    assert sum(path.exists() and path.stat().st_mtime_ns == old for path, old in before.items()) == 2
    assert contents(out) == contents(undisturbed)


def test_the_same_command_again_plays_nothing(asked, undisturbed):
    before = contents(undisturbed)
    heard = []
    runner.sweep(asked, undisturbed, games=5000, watch=lambda *numbers: heard.append(numbers))
    assert heard == [(10_000, 10_000, 2)]
    assert contents(undisturbed) == before


PROGRAM = f"""
import sys
from balance import runner, scenario
runner.SAVE = 0
asked = scenario.parse('''{TEXT}''')
runner.sweep(asked, sys.argv[1], games=5000, jobs=2, watch=lambda *_: print(flush=True))
"""


def killed(out, moment, pause=0.0):
    """Kill a sweep `pause` seconds after `moment` tidings of progress; say whether it was still at it."""
    command = [sys.executable, "-c", PROGRAM, str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        for _ in range(moment):
            if not child.stdout.readline():
                break
        time.sleep(pause)
        child.kill()
    return child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("moment", [1, 8, 14])
def test_a_killed_sweep_goes_on_to_the_same_bytes(asked, undisturbed, tmp_path, moment):
    out = tmp_path / "run"
    assert killed(out, moment)
    runner.sweep(asked, out, games=5000)
    assert contents(out) == contents(undisturbed)
    first, second = json.loads((out / log.LOG).read_text())
    assert (first["end"], second["end"]) == ("", "done")


@pytest.mark.validate
def test_a_sweep_killed_thirty_times_at_random_ends_with_the_same_bytes(asked, undisturbed, tmp_path):
    chance = random.Random(1)
    out, kills = tmp_path / "0", 0
    while kills < 30:
        done = not killed(out, chance.randrange(1, 16), chance.uniform(0, 0.1))
        kills += not done
        if done or chance.random() < 0.3:  # killed again and again, or left to finish
            runner.sweep(asked, out, games=5000)
            assert contents(out) == contents(undisturbed)
            out = tmp_path / str(kills)
    runner.sweep(asked, out, games=5000)
    assert contents(out) == contents(undisturbed)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_a_valid_dataset_and_says_how_to_go_on(asked, undisturbed, tmp_path, jobs):
    out = tmp_path / "run"
    fired = []

    def watch(done, wanted, cells):
        if done >= 4500 and not fired:
            fired.append(done)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(
        DatasetError, match=r"stopped after .* of 10,000 games; run the same command to go on"
    ):
        runner.sweep(asked, out, games=5000, jobs=jobs, watch=watch)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    found = dataset.open(out)
    assert not found.complete
    assert found.games().select(pl.len()).collect().item() >= 2000
    runner.sweep(asked, out, games=5000)
    assert contents(out) == contents(undisturbed)


def test_a_missing_part_is_played_again(asked, undisturbed, tmp_path):
    out = tmp_path / "run"
    runner.sweep(asked, out, games=5000)
    next((out / "seats").iterdir()).unlink()
    with pytest.raises(DatasetError, match="is missing; sweep again to remake it"):
        dataset.open(out)
    runner.sweep(asked, out, games=5000)
    assert contents(out) == contents(undisturbed)


def test_a_changed_part_is_named(asked, tmp_path):
    out = tmp_path / "run"
    runner.sweep(asked, out, games=100)
    part = next((out / "games").iterdir())
    part.write_bytes(part.read_bytes()[:-1] + b"!")
    with pytest.raises(DatasetError, match=rf"{part.name}: was changed .* delete it"):
        runner.sweep(asked, out, games=100)


def test_precision_looks_at_fixed_numbers_and_stops(tmp_path):
    asked = scenario.parse(TEXT)
    designs = design.designs(asked, design.cells(asked))
    some = [next_ for next_, _ in zip(runner.looks(designs, None), range(5), strict=False)]
    assert some == [2000, 4000, 6000, 10_000, 16_000]
    assert list(runner.looks(designs, 5000)) == [2000, 4000, 5000]
    assert list(runner.looks(designs, 500)) == [500]
    found = runner.sweep(asked, tmp_path / "one", precision=0.006, jobs=2)
    said = found.manifest["precision"]
    assert said["settled"]
    assert said["wanted"] == {"clan": 0.006}
    assert said["widest"]["clan"] <= 0.006
    assert found.complete
    assert found.manifest["games"] in (6000, 10_000, 16_000)
    runner.sweep(asked, tmp_path / "two", precision=0.006, jobs=1)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_widest_interval_is_student_s_over_block_means_for_all_levels_at_once(undisturbed):
    from scipy import stats

    from balance.analysis import looks

    found = dataset.open(undisturbed)
    means = (
        found.seats()
        .filter(pl.col("game") < 2000)
        .group_by("cell", "block", "clan")
        .agg(pl.col("share").mean())
        .collect()
    )
    widths = []
    levels = means["clan"].n_unique()
    for _, group in means.group_by("cell", "clan"):
        low, high = stats.t.interval(
            0.95 ** (1 / levels), len(group) - 1, group["share"].mean(), stats.sem(group["share"])
        )
        widths.append((high - low) / 2)
    assert looks.widest(found, 2000, ["clan"])["clan"] == pytest.approx(max(widths))


def test_precision_names_its_families(tmp_path):
    asked = scenario.parse(TEXT + "\n", settings=["precision.seat=0.008", "precision.clan=0.2"])
    found = runner.sweep(asked, tmp_path / "run")
    said = found.manifest["precision"]
    assert said["widest"]["seat"] <= 0.008
    assert said["wanted"] == {"clan": 0.2, "seat": 0.008}


def test_a_sweep_until_verdicts_stops_once_they_stand(tmp_path):
    asked = scenario.change(scenario.parse(TEXT), games=None, until="verdicts")
    found = runner.sweep(asked, tmp_path / "one", jobs=2)
    said = found.manifest["precision"]
    assert said == {"until": "verdicts", "open": 0, "settled": True}
    assert found.complete
    assert found.manifest["games"] < runner.MOST
    runner.sweep(asked, tmp_path / "two", jobs=1)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_games_cap_the_wait_for_verdicts(asked, tmp_path):
    found = runner.sweep(asked, tmp_path / "run", until="verdicts", games=600)
    assert found.manifest["games"] == 600
    assert found.manifest["precision"]["settled"]


def test_games_cap_a_precision(asked, tmp_path):
    found = runner.sweep(asked, tmp_path / "run", precision=0.0001, games=600)
    assert found.manifest["games"] == 600
    assert found.complete


def test_a_dataset_does_not_shrink(asked, tmp_path):
    held = runner.sweep(asked, tmp_path / "run", games=300)
    before = contents(tmp_path / "run")
    again = runner.sweep(asked, tmp_path / "run", games=200)
    assert again.manifest["games"] == held.manifest["games"] == 300
    assert contents(tmp_path / "run") == before


def test_a_dataset_that_holds_more_than_is_asked_for_says_so(asked, tmp_path):
    runner.sweep(asked, tmp_path / "run", games=300)
    told = []
    runner.sweep(asked, tmp_path / "run", games=200, tell=told.append)
    assert told[-1] == (
        f"{tmp_path / 'run'} already holds 300 games a cell, and 200 are asked for: nothing was to be played"
    )


def test_parts_end_where_they_end_however_many_games_are_wanted():
    asked = scenario.parse(TEXT + "clans = { one = {}, two = {}, three = {} }\n")
    designs = design.designs(asked, design.cells(asked))
    assert {one.block_games for one in designs} == {4, 7}
    many = list(parts.parts(designs, 1_000_000))
    for games in (1, 1999, 2000, 2001, 30_000, 123_456):
        few = list(parts.parts(designs, games))
        for cell, one in enumerate(designs):
            mine = [part for part in few if part.cell == cell]
            assert sum(part.games for part in mine) == -(-games // one.block_games) * one.block_games
            assert mine[:-1] == [part for part in many if part.cell == cell][: len(mine) - 1]
    indices = [part.index for part in many]
    assert indices == sorted(indices)  # so that cells finish evenly
    assert max(part.games for part in many) < parts.MOST + 7
    assert sum(1 for _ in parts.parts(designs[:1], 10**9)) < 60_000


def test_looks_lie_where_parts_end(asked):
    designs = design.designs(asked, design.cells(asked))
    ends = {end for _, end in zip(range(200), parts.bounds(), strict=False)}
    assert set(list(runner.looks(designs, 10**6))[:-1]) <= ends


def test_cells_with_other_blocks_play_no_more_when_swept_again(tmp_path):
    more = '[[variant]]\nname = "more"\nclans = { one = {}, two = {}, three = {} }\n'
    asked = scenario.parse(f'game = "pig"\nseed = 7\n[bots.holder]\n{more}')
    first = runner.sweep(asked, tmp_path / "run", games=50)
    assert len({first.played(cell) for cell in range(2)}) > 1
    before = contents(tmp_path / "run")
    for games in (50, 20):
        again = runner.sweep(asked, tmp_path / "run", games=games)
        assert (again.manifest["games"], contents(tmp_path / "run")) == (50, before)


def test_another_run_in_the_folder_is_refused(asked, tmp_path):
    out = tmp_path / "run"
    runner.sweep(asked, out, games=100)
    before = contents(out)
    for other, why in [
        (scenario.parse(TEXT, settings=["seed=8"]), "its seed is 7"),
        (scenario.parse(TEXT, settings=["rules.sides=8"]), "it differs in rules"),
        (scenario.parse(TEXT, settings=["turns=false"]), "it differs in turns"),
    ]:
        with pytest.raises(DatasetError, match=f"holds another run \\({why}\\); choose another folder"):
            runner.sweep(other, out, games=100)
    runner.sweep(scenario.parse(TEXT, settings=["title=Another"]), tmp_path / "other", games=100)
    assert contents(out) == before


def test_a_folder_with_other_files_is_left_alone(asked, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(DatasetError, match=r"holds other files \('letter.txt'\); choose another folder"):
        runner.sweep(asked, tmp_path, games=100)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_file_in_place_of_the_folder_is_refused(asked, tmp_path):
    (tmp_path / "run").write_text("")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for out, said in (
        (tmp_path / "run", "is no folder; choose another folder"),
        (tmp_path / "run" / "below", "Not a directory"),
        (tmp_path / "dangling", "is no folder"),
        (tmp_path / ("x" * 300), "File name too long"),
        (tmp_path / "a\0b", "may not be called so"),
    ):
        with pytest.raises(DatasetError, match=said) as caught:
            runner.sweep(asked, out, games=100)
        assert "\n" not in str(caught.value)
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_of_any_name_is_fine_and_a_link_to_a_folder_is_followed(asked, tmp_path):
    for name in (
        "žluťoučký kůň 🎲",
        " leading and trailing ",
        "-x",
        "a'b\"c",
        "x" * 200,
        "%s{}",
        "two\nlines",
    ):
        found = runner.sweep(asked, tmp_path / name, games=20)
        assert dataset.open(tmp_path / name).manifest == found.manifest
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    runner.sweep(asked, tmp_path / "link", games=20)
    assert dataset.open(tmp_path / "target").complete


@pytest.mark.parametrize("name", ["games", "seats", "turns", "manifest.json", ".lock", "log.json"])
def test_a_link_out_of_the_folder_is_not_followed(asked, tmp_path, name):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "part-000-00000-9").write_text("dear")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).symlink_to(outside)
    with pytest.raises(DatasetError, match=f"'{name}' in it is a link to elsewhere; choose another folder"):
        runner.sweep(asked, tmp_path / "run", games=20)
    assert [path.name for path in outside.iterdir()] == ["part-000-00000-9"]
    assert os.listdir(tmp_path / "run") == [name]


def test_a_folder_that_may_not_be_written_is_refused(asked, tmp_path, monkeypatch):
    tmp_path.chmod(0o500)
    if os.geteuid() == 0:  # root may write anywhere: play someone who may not
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(DatasetError, match="may not be written to"):
        runner.sweep(asked, tmp_path / "run", games=100)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 20 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no `mount`, so no small disk can be made")
    if done.returncode:
        pytest.skip(f"may not mount a small disk: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_says_what_to_do_keeps_what_is_whole_and_goes_on_once_there_is_room(
    asked, undisturbed, small_disk
):
    whole = sum(path.stat().st_size for path in undisturbed.rglob("part-*"))
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (20 * 2**20 - 2**16 - whole // 2))
    out = small_disk / "run"
    with pytest.raises(DatasetError) as caught:
        runner.sweep(asked, out, games=5000)
    assert re.fullmatch(
        rf"{out}: the disk is full; [1-9],\d+ of 10,000 games are kept; "
        r"free about \d+ MB, then run the same command to go on",
        str(caught.value),
    )
    found = verify.verify(out)
    assert (found.faults, found.notes) == ((), ())
    assert 2000 <= found.games < 10_000
    assert os.statvfs(small_disk).f_bavail * 4096 < whole
    filler.unlink()
    runner.sweep(asked, out, games=5000)
    assert contents(out) == contents(undisturbed)


def test_a_disk_without_any_room_is_one_line(asked, small_disk, pig_file, capsys):
    (small_disk / "run").mkdir()
    with (small_disk / "filler").open("wb") as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 2**20)
            file.flush()
    assert cli.main(["sweep", str(pig_file), "--out", str(small_disk / "run")]) == 2
    err = capsys.readouterr().err
    assert "No space left on device" in err or "the disk is full" in err
    assert err.count("\n") == 1


def test_memory_does_not_grow_with_the_number_of_games(tmp_path):
    program = (
        "import resource, sys\n"
        "from balance import runner, scenario\n"
        f"asked = scenario.parse('''{TEXT}''', settings=['rules.goal=10', 'turns=false'])\n"
        "runner.sweep(asked, sys.argv[1], games=int(sys.argv[2]), jobs=2)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-c", program, str(tmp_path / games), games],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for games in ("50000", "500000")
    ]
    assert peaks[1] < 1.25 * peaks[0]


def test_a_second_sweep_into_a_folder_is_kept_out(asked, tmp_path):
    out = tmp_path / "run"
    refusals = []

    def watch(done, wanted, cells):
        if not refusals:
            with pytest.raises(DatasetError, match="another sweep is writing there") as caught:
                runner.sweep(asked, out, games=100)
            refusals.append(caught)

    runner.sweep(asked, out, games=100, watch=watch)
    assert refusals


def test_a_bad_number_is_refused_before_anything_is_written(asked, tmp_path):
    for bad in ({"games": 0}, {"precision": 0.7}, {"seed": -1}):
        with pytest.raises(ScenarioError):
            runner.sweep(asked, tmp_path / "run", **bad)
    assert not (tmp_path / "run").exists()


def test_turns_are_kept_in_full_however_little_room_there_is_at_first(
    asked, undisturbed, tmp_path, monkeypatch
):
    found = dataset.open(undisturbed)
    lengths = found.turns().group_by("cell", "game").agg(turns=pl.col("turn").max(), rows=pl.len()).collect()
    games = found.games().select("cell", "game", played=pl.col("turns")).collect()
    joined = lengths.join(games, on=["cell", "game"])
    assert len(joined) == 10_000
    assert (joined["turns"] == joined["played"]).all()
    assert (joined["rows"] == joined["played"] * 3).all()
    monkeypatch.setattr(parts, "TURNS", 1)
    runner.sweep(asked, tmp_path / "run", games=5000)
    assert contents(tmp_path / "run") == contents(undisturbed)


def test_the_manifest_names_nothing_of_this_machine(undisturbed):
    text = (undisturbed / manifest.MANIFEST).read_text()
    assert str(undisturbed.parent) not in text
    assert json.loads(text)["signature"].startswith("game:pig|version:1|players:3|")


def test_a_sweep_killed_before_its_manifest_goes_on(asked, tmp_path):
    whole = runner.sweep(asked, tmp_path / "whole", games=100)
    for table in ("games", "seats"):
        (tmp_path / "killed" / table).mkdir(parents=True)
    assert runner.sweep(asked, tmp_path / "killed", games=100).manifest == whole.manifest


def test_a_finished_part_is_named_though_the_next_takes_long(tmp_path, monkeypatch):
    """A quick cell beside a slow one: what is written of the quick one is not lost by a kill."""
    import threading

    monkeypatch.setattr(runner, "SAVE", 0.05)
    rules = "[rules]\ngoal = 20\n[vary]\nrules.sides = [6, 8]"
    text = f'game = "pig"\nplayers = 2\ngames = 2000\n[bots.holder]\n{rules}'
    real, first = parts.Player.play, threading.Event()
    named = []

    def slow(self, lib, part, *rest):
        if part.cell == 0:
            return real(self, lib, part, *rest)
        for _ in range(200):
            found = json.loads((tmp_path / "run" / "manifest.json").read_text())["parts"]
            if found:
                named.append(found[0]["cell"])
                break
            first.wait(0.05)
        return real(self, lib, part, *rest)

    monkeypatch.setattr(parts.Player, "play", slow)
    runner.sweep(scenario.parse(text), tmp_path / "run", jobs=2)
    assert named == [0]


def test_parts_of_bots_that_search_are_small():
    bots = '[bots.holder]\n[bots.s]\nlike = "holder"\nsearch = {{ playouts = {} }}'
    text = f'game = "pig"\nplayers = 2\ngames = 400\n{bots}'
    for playouts, least in ((1, 2000), (100, 20), (5000, 1)):
        found = scenario.parse(text.format(playouts))
        assert parts.least(design.designs(found, design.cells(found))) == least
