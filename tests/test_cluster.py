"""Sweeps on a Dask cluster: the same bytes as on one machine, whoever dies on the way."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from balance import cli, dataset, description, log, runner, scenario
from balance.errors import DatasetError, ScenarioError
from test_runner import contents

distributed = pytest.importorskip("distributed", reason="needs the extra 'cluster'")

TEXT = """
game = "pig"
players = 2
seed = 5
[bots.holder]
[bots.random]
[rules]
goal = 30
[vary]
"rules.sides" = [4, 6]
"""
GAMES = 20_000


@pytest.fixture(scope="module")
def asked():
    return scenario.parse(TEXT)


@pytest.fixture(scope="module")
def undisturbed(asked, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    runner.sweep(asked, out, games=GAMES)
    return contents(out)


@contextlib.contextmanager
def dask(tmp_path, workers=2):
    """A scheduler and workers as processes of their own; yields its address and the processes."""
    note = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def start(role, *words):
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--scheduler-file", str(note)]
        return subprocess.Popen([*command, "--no-dashboard", *words], cwd=tmp_path, **quiet)

    with contextlib.ExitStack() as stack:
        processes = []
        for number in range(1 + workers):
            words = ("--nthreads", "1", "--no-nanny") if number else ("--host", "127.0.0.1", "--port", "0")
            processes.append(start("worker" if number else "scheduler", *words))
            stack.callback(end, processes[-1])
            deadline = time.monotonic() + 60
            while not note.exists() or not note.read_text().endswith("}"):
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield json.loads(note.read_text())["address"], processes


def end(process):
    process.kill()
    process.wait()


def test_a_cluster_gives_the_same_bytes_as_one_machine(asked, undisturbed, tmp_path):
    out = tmp_path / "run"
    notes = []
    runner.sweep(asked, out, games=3000)  # and adds games to what one machine played
    found = runner.sweep(
        asked, out, games=GAMES, cluster="local:2", note=lambda cells, widest: notes.append((cells, widest))
    )
    assert found.complete
    assert contents(out) == undisturbed
    (_, session) = json.loads((out / log.LOG).read_text())
    assert session["cluster"] == "local:2"
    assert session["end"] == "done"
    assert sum(session["workers"].values()) == 18  # all but the first part of each cell
    assert notes[-1][0] == 2


def murder(asked, out, tmp_path, victim, after):
    """Kill process number `victim` (0 is the scheduler) once `after` games are played."""
    with dask(tmp_path) as (address, processes):
        fired = []

        def watch(done, wanted, cells):
            if done >= after and not fired:
                fired.append(done)
                processes[victim].send_signal(signal.SIGKILL)

        try:
            return runner.sweep(asked, out, games=GAMES, cluster=address, watch=watch)
        finally:
            assert fired


def test_a_worker_that_dies_loses_nothing(asked, undisturbed, tmp_path):
    assert murder(asked, tmp_path / "run", tmp_path, 1, after=4000).complete
    assert contents(tmp_path / "run") == undisturbed


def test_a_scheduler_that_dies_leaves_what_had_arrived(asked, undisturbed, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(DatasetError, match=r"the scheduler is gone.*run the same command to go on"):
        murder(asked, out, tmp_path, 0, after=4000)
    found = dataset.open(out)
    assert not found.complete
    assert sum(found.played(cell) for cell in range(2)) >= 4000
    runner.sweep(asked, out, games=GAMES)
    assert contents(out) == undisturbed


@pytest.mark.validate
@pytest.mark.parametrize("seed", range(6))
def test_deaths_at_random_moments_lose_nothing(asked, undisturbed, tmp_path, seed):
    chance = random.Random(seed)
    out = tmp_path / "run"
    for victim in chance.sample([0, 0, 1, 2], 3):
        with contextlib.suppress(DatasetError):
            murder(asked, out, tmp_path, victim, after=chance.randrange(1, 2 * GAMES))
        (tmp_path / "scheduler.json").unlink(missing_ok=True)
    runner.sweep(asked, out, games=GAMES)
    assert contents(out) == undisturbed


def test_a_worker_with_other_code_is_refused(asked, tmp_path, monkeypatch):
    versions = description.versions()
    monkeypatch.setattr(description, "versions", lambda: versions | {"polars": "0"})
    with dask(tmp_path, workers=1) as (address, _), pytest.raises(DatasetError, match="has other code or"):
        runner.sweep(asked, tmp_path / "run", games=100, cluster=address)


def test_ctrl_c_on_a_cluster_keeps_what_had_arrived(asked, undisturbed, tmp_path):
    out = tmp_path / "run"
    fired = []

    def watch(done, wanted, cells):
        if done >= 2000 and not fired:
            fired.append(done)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(DatasetError, match=r"stopped after .* of 40,000 games; run the same command"):
        runner.sweep(asked, out, games=GAMES, cluster="local:1", watch=watch)
    runner.sweep(asked, out, games=GAMES)
    assert contents(out) == undisturbed


@pytest.mark.parametrize("address", ["local:0", "local:many", "local:"])
def test_an_address_that_is_none_is_refused(asked, tmp_path, address):
    with pytest.raises(ScenarioError, match=f"--cluster: '{address}' is no cluster; write local:2"):
        runner.sweep(asked, tmp_path / "run", games=100, cluster=address)
    assert not (tmp_path / "run").exists()


def test_a_scheduler_that_does_not_answer_is_named(pig_file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("balance.cluster.ANSWER", 0.5)
    for address in ("tcp://127.0.0.1:9", "nonsense", "ftp://x"):
        words = ("sweep", pig_file, "--out", tmp_path / "out", "--cluster", address)
        assert cli.main([str(word) for word in words]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"balance: --cluster {address}: no scheduler answers"), err
        assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()
    assert os.listdir(tmp_path) == ["pig.toml"]
