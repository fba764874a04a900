"""The command as people use it: what it prints, what it writes, and what it says when they err."""

from __future__ import annotations

import io
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

import balance
from balance import cli, games, progress, terminal

COMMANDS = (
    "games",
    "new",
    "rules",
    "check",
    "sweep",
    "summary",
    "report",
    "compare",
    "export",
    "replay",
    "verify",
    "cases",
    "bench",
)


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command on 80 columns; return its exit status, standard output and standard error."""
    monkeypatch.setenv("COLUMNS", "80")

    def command(*words):
        status = cli.main([str(word) for word in words])
        out, err = capsys.readouterr()
        return status, out, err

    return command


@pytest.fixture
def swept(run, pig_file, tmp_path):
    """A dataset of Pig."""
    out = tmp_path / "out"
    assert run("sweep", pig_file, "--out", out)[0] == 0
    return out


def process(*words, **more):
    return subprocess.Popen([sys.executable, "-m", "balance", *map(str, words)], text=True, **more)


# --- help


def test_help_is_there_in_half_a_second_and_imports_nothing_heavy():
    started = time.monotonic()
    child = process("--help", stdout=subprocess.PIPE)
    assert "Usage: balance" in child.communicate()[0]
    spent = time.monotonic() - started
    check = "import sys, balance.cli; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    heavy = {"numba", "numpy", "polars", "pandas", "pydantic", "matplotlib", "scipy", "joblib", "rich"}
    assert not heavy & set(loaded.split())
    assert spent < 5  # half a second on an idle machine; this one may be busy


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"Example: balance {command}" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_version_is_the_packages(run):
    assert run("--version") == (0, f"balance {balance.__version__}\n", "")


def test_the_package_is_light_and_its_names_are_there():
    check = "import sys, balance; print(*sys.modules); print(balance.load.__module__)"
    out = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout
    modules, home = out.splitlines()
    assert "numpy" not in modules.split()
    assert home == "balance.scenario"
    assert all(getattr(balance, name) is not None for name in balance.__all__)
    with pytest.raises(AttributeError, match="no attribute 'simulate'"):
        _ = balance.simulate


# --- what is there


def test_games_lists_every_game(run):
    status, out, _ = run("games")
    assert status == 0
    assert "pig" in out
    assert "2-4" in out
    (pig,) = [game for game in json.loads(run("games", "--json")[1]) if game["id"] == "pig"]
    assert pig["players"] == [2, 4]
    assert pig["bots"] == ["random", "greedy", "holder"]


def test_rules_lists_each_with_default_range_source_and_purpose(run, pig):
    _, out, _ = run("rules", "pig")
    assert "goal = 100" in out
    assert "Scarne, p. 255" in out
    assert "points that end the game" in out
    assert "a whole number from 1 to 1000" in out
    assert max(map(len, out.splitlines())) <= 80
    found = json.loads(run("rules", "pig", "--json")[1])
    told = found["rules"]
    assert found["weights"][0]["name"] == "hold"
    assert list(found["bars"]) == ["hold"]
    assert found["vocabulary"] == {}
    assert [rule["name"] for rule in told] == [rule.name for rule in pig.rules]
    assert told[3]["default"] == {"others": 0, "4": 0}


def test_rules_lists_the_words_for_own_content(run):
    _, out, _ = run("rules", "tiny-epic-kingdoms")
    assert max(map(len, out.splitlines())) <= 80
    vocabulary = json.loads(run("rules", "tiny-epic-kingdoms", "--json")[1])["vocabulary"]
    for word in itertools.chain.from_iterable(vocabulary.values()):
        assert f"\n{word['name']}\n" in out
        assert " ".join(word["example"].split()) in " ".join(out.split())


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), ("low", '"low"'), (True, "true"), ((1, 2), "[1, 2]"), (0.5, "0.5")],
)
def test_a_rules_value_is_shown_as_toml(value, text):
    assert terminal.shown(value) == text


# --- from a question to an answer


@pytest.mark.parametrize("id", sorted(games.known()))
def test_a_new_scenario_passes_the_check_as_it_is(run, id, tmp_path):
    path = tmp_path / "deep" / "my.toml"
    status, out, _ = run("new", id, "--out", path)
    assert status == 0
    assert f"balance check {path}" in out
    status, out, err = run("check", path)
    assert status == 0
    assert all(line.startswith("Compiling ") for line in err.splitlines())
    assert "is in order" in " ".join(out.split())


def test_every_commented_rule_of_a_new_scenario_may_be_taken_as_it_is(run, tmp_path, pig):
    path = tmp_path / "my.toml"
    run("new", "pig", "--out", path)
    lines = path.read_text(encoding="utf-8").splitlines()
    names = tuple(f"# {rule.name} = " for rule in pig.rules)
    path.write_text("\n".join(line[2:] if line.startswith(names) else line for line in lines))
    assert set(balance.load(path).rules) == {rule.name for rule in pig.rules}


def test_new_takes_another_scenario_as_a_model(run, pig_file, tmp_path):
    out = tmp_path / "my.toml"
    assert run("new", "pig", "--like", pig_file, "--out", out)[0] == 0
    assert out.read_text(encoding="utf-8") == pig_file.read_text(encoding="utf-8")
    status, _, err = run("new", "pig", "--like", pig_file, "--out", out)
    assert status == 2
    assert err == f"balance: {out}: is there already; name a new file\n"


def test_check_prints_cells_balance_and_games_needed(run, pig_file, tmp_path):
    original = tmp_path / "original.toml"
    original.write_text(pig_file.read_text(encoding="utf-8"), encoding="utf-8")
    pig_file.write_text(original.read_text(encoding="utf-8") + '\n[vary]\n"rules.goal" = [50, 100]\n')
    status, out, _ = run("check", pig_file)
    assert status == 0
    assert "goal = 50" in out
    assert "Games in which they meet" in out
    assert "12,505" in out  # both seats of a game at once, within one point: 2.2365² / 4 / 0.01²
    assert "all levels at once" in " ".join(out.split())
    assert "goal = 30" in run("check", original, "--set", "rules.goal=30")[1]
    plan = json.loads(run("check", pig_file, "--json")[1])
    assert [cell["changed"] for cell in plan["cells"]] == [{"rules.goal": 50}, {"rules.goal": 100}]
    for spread in plan["balance"]:
        for row in spread["counts"]:
            assert row["high"] - row["low"] <= row["block"]


def test_check_says_what_the_game_has_to_say_of_a_cell(run, tmp_path):
    path = tmp_path / "safe.toml"
    path.write_text('game = "pig"\nplayers = 2\n[vary]\n"rules.bust" = [1, 0]\n', encoding="utf-8")
    status, out, _ = run("check", path)
    assert status == 0
    assert "- No face of the die loses: none shows 0. (bust = 0)" in out
    plan = json.loads(run("check", path, "--json")[1])
    assert [cell["notes"] for cell in plan["cells"]] == [[], ["No face of the die loses: none shows 0."]]


def test_sweep_summary_report_and_replay(run, pig_file, swept, tmp_path):
    assert (swept / "manifest.json").is_file()
    status, out, err = run("sweep", pig_file, "--out", swept)
    assert (status, err) == (0, "")
    assert f"balance summary {swept}\n" in out

    told = json.loads(run("sweep", pig_file, "--out", swept, "--json")[1])
    assert told["complete"]
    assert told["cells"] == [{"index": 0, "label": "base", "games": 64}]

    status, out, _ = run("summary", swept)
    assert status == 0
    assert "Win share by seat" in out
    assert max(map(len, out.splitlines())) <= 80
    summary = json.loads(run("summary", swept, "--json")[1])
    assert {row["name"] for row in summary["tables"]["win_share_by_bot"]} == {"cautious", "daring"}

    page = tmp_path / "page.html"
    assert run("report", swept, "--out", page)[0] == 0
    assert "How long to roll?" in page.read_text(encoding="utf-8")

    status, story, _ = run("replay", swept, 3)
    assert status == 0
    assert story == run("replay", pig_file, "--game", 3)[1]
    scores = balance.open(swept).seats().collect().filter(game=3).sort("seat")["score"]
    for seat, score in enumerate(scores, start=1):
        assert any(
            line.startswith(f"  Seat {seat} ") and f" {score} points" in line for line in story.splitlines()
        )


def test_replay_keeps_to_the_settings_of_the_sweep(run, pig_file, tmp_path):
    out = tmp_path / "short"
    assert run("sweep", pig_file, "--out", out, "--set", "rules.goal=30", "--seed", 9)[0] == 0
    story = run("replay", out, 0)[1]
    score = balance.open(out).seats().collect().filter(game=0)["score"].max()
    assert f" {score} points" in story
    assert score < 60
    assert "seed 9" in story


def test_settings_choose_games_seed_jobs_and_rules(run, pig_file, tmp_path):
    rows = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        words = ("--games", 40, "--seed", 3, "--jobs", jobs, "--set", "rules.goal=30")
        assert run("sweep", pig_file, "--out", out, *words)[0] == 0
        rows.append(balance.open(out).seats().collect())
    assert rows[0].equals(rows[1])
    assert len(rows[0]) == 80
    assert balance.open(out).manifest["seed"] == 3


def test_cases_print_what_fails_and_say_no(run, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        '[[case]]\nname = "holds"\nsource = "me"\ngame = "pig"\nplayers = 2\ndice = [4]\n'
        'play = ["roll"]\nexpect = { pot = 4 }\n'
    )
    assert run("cases", path)[:2] == (0, "1 of 1 cases hold\n")
    path.write_text(path.read_text().replace("pot = 4", "pot = 6"))
    status, out, _ = run("cases", path)
    assert status == 1
    assert "FAILED" in out
    assert "0 of 1 cases hold" in out
    assert not json.loads(run("cases", path, "--json")[1])[0]["passed"]


def test_what_fails_in_a_case_is_folded_on_a_terminal(capsys, monkeypatch):
    from balance.cases import Result

    monkeypatch.setenv("COLUMNS", "80")
    result = Result("a name", Path("cases.toml"), "p. 3", False, "expected " + "a long story " * 20)
    for screen, widest in ((True, 80), (False, 265)):
        monkeypatch.setattr("sys.stdout.isatty", lambda screen=screen: screen)
        assert terminal.cases([result], False) == 1
        assert screen == (max(map(len, capsys.readouterr().out.splitlines())) <= widest)


@pytest.mark.parametrize(
    ("typed", "found", "command"),
    [
        ("bin/balance", None, "bin/balance"),
        ("bin/balance", "/usr/bin/balance", "balance"),
        ("balance/__main__.py", None, f"{os.path.relpath(sys.executable)} -m balance"),
        ("bin/pytest", None, "balance"),
    ],
)
def test_the_command_is_told_as_it_can_be_typed(typed, found, command, monkeypatch):
    path = Path(typed)
    monkeypatch.setattr("sys.argv", [str(path)])
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr(Path, "exists", lambda self: True)
    assert terminal.called() == command


def test_bench_measures_each_bot_on_one_core_and_on_all(run, monkeypatch):
    from balance import bench

    monkeypatch.setattr(
        bench.run, "__kwdefaults__", {**bench.run.__kwdefaults__, "seconds": 0.01, "rounds": 1}
    )
    rows = json.loads(run("bench", "pig", "--players", 3, "--json")[1])
    cores = {1, os.cpu_count()}
    measured, playouts = rows[:-2], rows[-2:]
    assert {(row["bot"], row["jobs"]) for row in measured} == {
        (bot, jobs) for bot in ("random", "greedy", "holder") for jobs in cores
    }
    assert [row["bot"] for row in playouts] == ["playouts by random", "playouts by greedy"]
    assert all(row["games_per_second"] > 0 and row["decisions_per_second"] is None for row in playouts)
    for row in measured:
        assert set(row) == {
            "game",
            "players",
            "bot",
            "jobs",
            "games_per_second",
            "decisions_per_second",
        }
        assert (row["game"], row["players"]) == ("pig", 3)
        assert 0 < row["games_per_second"] < row["decisions_per_second"]
    assert "Games/s" in run("bench", "pig")[1]


@pytest.mark.parametrize("screen", [True, False], ids=["terminal", "pipe"])
def test_progress_tells_speed_and_time_left(screen, monkeypatch):
    out = io.StringIO()
    clock = iter(range(0, 1000, 20))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    told = []
    with progress.Progress(Console(file=out, force_terminal=screen, width=80)) as shown:
        shown.tell("Compiling")
        for done in (100, 100, 2_100, 4_100, 6_100):
            shown.watch(done, 10_000, 2)
            if screen:
                told.append(shown.bar.tasks[0].description)
    assert "Compiling" in out.getvalue()
    told = told or out.getvalue().splitlines()[1:]
    assert told[1:3] == ["100 of 10,000 games", "2,100 of 10,000 games"]
    assert told[3] == "4,100 of 10,000 games, 100 games/s, 0:59 left"


def test_progress_is_silent_where_nothing_is_left_to_play():
    out = io.StringIO()
    with progress.Progress(Console(file=out, force_terminal=True, width=80)) as shown:
        shown.watch(500, 500, 1)
    assert out.getvalue() == ""


# --- errors are one line, with what, where and a remedy, and status 2


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("rules", "pigg"), "balance: there is no game 'pigg'; did you mean 'pig'?"),
        (("new", "pig", "--like", "nothing", "--out", "x.toml"), "balance: --like: there is no scenario"),
        (("check", "nowhere.toml"), "balance: nowhere.toml: cannot be read"),
        (("summary", "nowhere"), "balance: nowhere: holds no dataset; give the folder of a sweep"),
        (
            ("report", "nowhere", "--out", "x.txt"),
            "balance: x.txt: a report cannot be a '.txt' file; end the name in .html or .pdf",
        ),
        (("replay", "nowhere"), "balance: nowhere: which game?; give DIR NUMBER or SCENARIO --game N"),
        (("replay", "nowhere", "3"), "balance: nowhere: cannot be read"),
        (("cases", "nowhere.toml"), "balance: nowhere.toml: "),
        (
            ("bench", "pig", "--players", "7"),
            "balance: bench pig: players: Pig has no game for 7; give 2 to 4",
        ),
        (
            ("sweeep", "x.toml"),
            "balance: No such command 'sweeep'. Did you mean 'sweep'?; see balance --help",
        ),
        (("sweep", "x.toml"), "balance: Missing option '--out'; see balance sweep --help"),
        (("games", "--jsn"), "balance: No such option: --jsn"),
        (("sweep", "x.toml", "--out", "y", "--games", "many"), "balance: Invalid value for '--games'"),
        (("sweep", "x.toml", "--out", "y", "--games", "0"), "balance: Invalid value for '--games'"),
    ],
)
def test_wrong_words_get_one_line_and_status_2(run, words, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert status == 2
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ("games = 64", "gmaes = 64", "gmaes: unknown key; did you mean 'games'?"),
        ("players = 2", "players = 9", "players: Pig has no game for 9; give 2 to 4"),
        ("hold = 10", "hlod = 10", "there is no weight 'hlod'; did you mean 'hold'?"),
        ("players = 2", "players =", "not TOML"),
        ("seed = 7", 'seed = 7\nfield = { clans = ["red", "gren"] }', "did you mean 'green'?"),
        ("seed = 7", "seed = 7\nrules = { goal = -1 }", "rules.goal: -1 is out of range; give 1 to 1000"),
        ('like = "holder"', 'like = "hodler"', "there is no bot 'hodler'; did you mean 'holder'?"),
    ],
)
@pytest.mark.parametrize("command", ["check", "sweep"])
def test_a_wrong_scenario_gets_one_line_and_nothing_is_written(
    run, pig_file, tmp_path, command, before, after, line
):
    text = pig_file.read_text(encoding="utf-8")
    assert before in text
    pig_file.write_text(text.replace(before, after, 1), encoding="utf-8")
    more = ("--out", tmp_path / "out") if command == "sweep" else ()
    status, out, err = run(command, pig_file, *more)
    assert status == 2
    assert out == ""
    assert err.startswith(f"balance: {pig_file}: ")
    assert line in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["pig.toml"]


def test_games_and_precision_exclude_each_other(run, pig_file, tmp_path):
    status, _, err = run("sweep", pig_file, "--out", tmp_path / "out", "--games", 10, "--precision", 0.1)
    assert status == 2
    assert err == "balance: --games and --precision exclude each other; give one of them\n"


def test_another_run_in_the_folder_is_refused(run, pig_file, swept):
    status, _, err = run("sweep", pig_file, "--out", swept, "--seed", 8)
    assert status == 2
    assert "holds another run (its seed is 7); choose another folder" in err


def test_bare_balance_shows_the_help(run):
    status, out, _ = run()
    assert status == 2
    assert "Usage: balance" in out


# --- when it is stopped


def test_what_to_do_next_can_be_pasted_whatever_the_folder_is_called(pig_file, tmp_path, capsys):
    out = tmp_path / "two words; 日本"
    assert cli.main(["sweep", str(pig_file), "--out", str(out), "--games", "60"]) == 0
    lines = capsys.readouterr().out.split("Next:\n")[1].splitlines()
    assert [shlex.split(line)[2] for line in lines] == [str(out)] * 2
    assert shlex.split(lines[1])[3:] == ["--out", f"{out}.html"]


def test_a_stopped_sweep_says_how_to_go_on(pig_file, tmp_path):
    words = ("sweep", pig_file, "--out", tmp_path / "out", "--games", 100_000_000)
    child = process(*words, stderr=subprocess.PIPE)
    manifest = tmp_path / "out" / "manifest.json"
    deadline = time.monotonic() + 120
    while not (manifest.is_file() and '"first_game"' in manifest.read_text(encoding="utf-8")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    err = child.communicate(timeout=60)[1]
    assert child.returncode == 130
    assert "run the same command to go on" in err
    assert "Traceback" not in err


def test_a_closed_pipe_is_no_error(pig_file):
    child = process("replay", pig_file, "--game", 0, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()
    assert child.stderr.read() == ""
    child.stderr.close()
    child.wait()
