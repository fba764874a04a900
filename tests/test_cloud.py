"""Datasets in object storage: a local S3 server, and fsspec's memory."""

import sys

import pytest

import balance
from balance import cli, dataset, runner, scenario, store
from balance.errors import DatasetError
from test_runner import TEXT, contents

fsspec = pytest.importorskip("fsspec", reason="needs the extra 'cloud'")

GAMES = 5000


@pytest.fixture(scope="module")
def asked():
    return scenario.parse(TEXT)


@pytest.fixture(scope="module")
def undisturbed(asked, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    runner.sweep(asked, out, games=GAMES)
    return contents(out)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Parts that are fetched go to a cache of this test's own; compiled games stay where they are."""
    balance.game("pig").fast()
    root = tmp_path / "cache"
    monkeypatch.setattr("balance.link.cache_root", lambda: root)
    return root


@pytest.fixture
def memory():
    from fsspec.implementations.memory import MemoryFileSystem

    files = MemoryFileSystem()
    yield files
    files.store.clear()
    files.pseudo_dirs[:] = [""]


def kept(files, root):
    found = {path.split(root + "/", 1)[1]: files.cat_file(path) for path in files.find(root)}
    return {name: data for name, data in found.items() if name not in (store.LOCK, "log.json")}


def test_memory_holds_the_same_bytes_as_a_folder(asked, undisturbed, memory):
    runner.sweep(asked, "memory://shelf/run", games=3000)
    found = runner.sweep(asked, "memory://shelf/run", games=GAMES)
    assert kept(memory, "/shelf/run") == undisturbed
    assert found.complete
    assert balance.open("memory://shelf/run").seats().collect().height == 30_000
    assert not memory.exists("/shelf/run/.lock")


def test_a_part_that_was_altered_or_is_missing_is_named(asked, memory, own_cache):
    runner.sweep(asked, "memory://shelf/run", games=100)
    part = balance.open("memory://shelf/run").manifest["parts"][0]["files"]["seats"]["path"]
    whole = memory.cat_file(f"/shelf/run/{part}")
    memory.pipe_file(f"/shelf/run/{part}", whole[:-1] + b"!")
    with pytest.raises(DatasetError, match=rf"memory://shelf/run/{part}: was changed since it was written"):
        balance.open("memory://shelf/run").seats()
    memory.pipe_file(f"/shelf/run/{part}", whole[:-1])
    for attempt in (balance.open, lambda place: runner.sweep(asked, place, games=100)):
        with pytest.raises(
            DatasetError, match=rf"memory://shelf/run/{part}: was changed since it was written"
        ):
            attempt("memory://shelf/run")
    memory.rm_file(f"/shelf/run/{part}")
    with pytest.raises(DatasetError, match="is missing; sweep again to remake it"):
        balance.open("memory://shelf/run")
    runner.sweep(asked, "memory://shelf/run", games=100)
    assert memory.cat_file(f"/shelf/run/{part}") == whole


def test_a_second_sweep_is_kept_out_and_a_lock_left_behind_is_taken_over(asked, memory, monkeypatch):
    monkeypatch.setattr(store, "LEASE", 1.0)
    refusals = []

    def watch(done, wanted, cells):
        if not refusals:
            with pytest.raises(DatasetError, match="another sweep is writing there") as caught:
                runner.sweep(asked, "memory://shelf/run", games=100)
            refusals.append(caught)

    runner.sweep(asked, "memory://shelf/run", games=100, watch=watch)
    assert refusals
    memory.pipe_file("/shelf/run/.lock", b"someone 7")
    runner.sweep(asked, "memory://shelf/run", games=200)
    assert not memory.exists("/shelf/run/.lock")


def test_other_files_are_left_alone(asked, memory):
    memory.pipe_file("/shelf/run/letter.txt", b"dear")
    with pytest.raises(DatasetError, match=r"holds other files \('letter.txt'\)"):
        runner.sweep(asked, "memory://shelf/run", games=100)


def test_an_address_that_will_not_do_is_one_line(asked, pig_file, capsys):
    for address, line in (
        ("nosuch://x/y", "cannot be opened (Protocol not known: nosuch)"),
        ("memory://nothing", "holds no dataset"),
    ):
        assert cli.main(["summary", address]) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"balance: {address}: {line}"), err
        assert err.count("\n") == 1


def test_storage_that_fails_is_one_line(asked, memory, monkeypatch):
    def refuse(*words, **more):
        raise RuntimeError("no credentials")

    monkeypatch.setattr(type(memory), "pipe_file", refuse)
    with pytest.raises(DatasetError, match=r"cannot be written \(RuntimeError: no cred"):
        runner.sweep(asked, "memory://shelf/run", games=100)


def test_without_the_extra_the_remedy_is_named(asked, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(
        DatasetError, match=r"needs the extra 'cloud'; pip install 'boardgame-balance\[cloud\]'"
    ):
        dataset.open("s3://bucket/run")


# --- an S3 server of this machine


@pytest.fixture(scope="module")
def bucket():
    pytest.importorskip("s3fs", reason="needs the extra 'cloud'")
    server = pytest.importorskip("moto.server", reason="needs the extra 'test'")
    monkeypatch = pytest.MonkeyPatch()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    started = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    import s3fs

    files = s3fs.S3FileSystem(skip_instance_cache=True)
    files.mkdir("games")
    yield files
    started.stop()
    monkeypatch.undo()


def test_s3_holds_the_same_bytes_as_a_folder(asked, undisturbed, bucket, capsys, tmp_path):
    address = "s3://games/sweeps/run"
    runner.sweep(asked, address, games=3000)
    runner.sweep(asked, address, games=GAMES)
    assert kept(bucket, "games/sweeps/run") == undisturbed
    for words in (("summary", address), ("verify", address), ("replay", address, "3")):
        assert cli.main([*words]) == 0
    out, err = capsys.readouterr()
    assert "Win share by" in out
    assert err == ""
    page = tmp_path / "page.html"
    assert cli.main(["report", address, "--out", str(page)]) == 0
    assert page.is_file()


def test_a_bucket_that_is_not_there_is_one_line(asked, bucket, pig_file, capsys):
    assert cli.main(["sweep", str(pig_file), "--out", "s3://nobody/run"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("balance: s3://nobody/run: cannot be written"), err
    assert err.count("\n") == 1
