"""Every rule case holds, and a case that is wrong says what is wrong with it."""

from pathlib import Path

import pytest

from balance import cases
from balance.errors import CaseError

HERE = Path(__file__).parent / "cases"
EVERY = [case for path in cases.find([HERE]) for case in cases.load(path)]
HEAD = 'game = "pig"\nplayers = 2\n'
BODY = '[[case]]\nname = "it"\nsource = "Scarne, p. 255"\n'


@pytest.fixture
def write(tmp_path):
    """Write a file of one case and return its path."""

    def write(body, head=HEAD, begin=BODY):
        path = tmp_path / "own.toml"
        path.write_text(f"{head}{begin}{body}\n", encoding="utf-8")
        return path

    return write


def run_one(path):
    """Run a file of one case."""
    (result,) = cases.run([path])
    return result


@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.file.parent.name}: {case.name}")
def test_case(case):
    """A rule case of the project holds."""
    result = cases.check(case)
    assert result.passed, f"{case.where} ({case.source})\n{result.message}"


def test_results_name_case_file_and_source(write):
    path = write('only = ["roll"]')
    assert cases.run([path]) == [cases.Result("it", path, "Scarne, p. 255", True, "")]


def test_folders_are_searched(write):
    path = write('only = ["roll"]')
    assert cases.find([path.parent]) == [path]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("dice = [4]\nplay = ['roll']\nexpect.pot = 5", "expected pot = 5, but it is 4"),
        (
            "dice = [4]\nplay = ['roll']\nexpect = { banked = [4, 0], pot = 4 }",
            "banked = [4, 0], but it is [0, 0]",
        ),
        ("play = ['hold']\nexpect.pot = 0", "'hold' is not legal; legal: 'roll'"),
        ("legal = ['hold']", "expected 'hold' to be legal, but legal are: 'roll'"),
        ("illegal = ['roll']", "expected 'roll' to be illegal, but it is legal"),
        ("only = ['hold']", "expected to be legal, but are not: 'hold'"),
        ("position.pot = 3\nonly = ['hold']", "expected nothing else to be legal, but there is: 'roll'"),
        (
            "play = ['Seat 2 (Green): roll']\nexpect.pot = 0",
            "seat 1 decides, not the seat of 'Seat 2 (Green): roll'",
        ),
        (
            "position = { pot = 9, banked = [99] }\nplay = ['hold', 'roll']\nexpect.pot = 0",
            "is over before 'roll'",
        ),
        ("expect.winner = 1", 'winner = 1, but it is "not known before the end"'),
        ("expect.over = 0", "expected over = 0, but it is false"),
        (
            "dice = [4, 5]\nplay = ['roll']\n[[case.step]]\nplay = ['roll']\nexpect.pot = 1",
            "step 1: expected pot = 1",
        ),
    ],
)
def test_failing_case_shows_what_was_expected_what_came_and_the_position(write, body, message):
    result = run_one(write(body))
    assert not result.passed
    assert message in result.message
    assert "The position:\n  seat " in result.message


def test_all_differences_of_a_step_are_told(write):
    result = run_one(write("expect = { pot = 1, seat = 2 }\nlegal = ['hold']"))
    assert len(result.message.splitlines()) == 5


def test_a_game_that_offers_an_act_twice_fails(write, pig, monkeypatch):
    def legal(state, rules, acts):
        acts[0] = acts[1] = 0
        return 2

    monkeypatch.setattr(pig.modules[0], "legal", legal)
    legal.__module__ = pig.modules[0].__name__
    assert "'roll' is offered 2 times" in run_one(write("legal = ['roll']")).message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("legl = ['roll']", "case 'it': unknown key 'legl'; did you mean 'legal'?"),
        ("[[case.step]]\nplays = ['roll']", "step 1: unknown key 'plays'; did you mean 'play'?"),
        ("position.pott = 1\nexpect.pot = 1", "position: Pig has no 'pott'; did you mean 'pot'?"),
        ("expect.bankd = [0, 0]", "expect: Pig has no 'bankd'; did you mean 'banked'?"),
        ("play = ['rol']\nexpect.pot = 1", "no act reads 'rol' here; did you mean 'roll'?"),
        ("illegal = ['fly away']", "no act reads 'fly away' here; legal: 'roll'"),
        ("rules.gaol = 5\nexpect.pot = 0", "rules.gaol: there is no rule 'gaol'; did you mean 'goal'?"),
        ("rules.goal = -5\nexpect.pot = 0", "rules.goal: -5 is out of range"),
        (
            "lineup.clan = ['read']\nexpect.pot = 0",
            "lineup.clan: there is no clan 'read'; did you mean 'red'?",
        ),
        ("lineup.clan = ['red', 'blue', 'gold']\nexpect.pot = 0", "3 are named for 2 seats"),
        (
            "position.clan = ['red']\nexpect.pot = 0",
            "position.clan: belongs to the line-up; write lineup.clan",
        ),
        ("lineup.klan = ['red']\nexpect.pot = 0", "lineup: unknown key 'klan'; did you mean 'clan'?"),
        ("position.pot = 'many'\nexpect.pot = 0", "position: a value will not do"),
        ("play = ['roll']\nexpect.pot = 1", "draws a number below 6, but no dice are left"),
        ("dice = [7]\nplay = ['roll']\nexpect.pot = 7", "the dice give 6, the game draws from 6"),
        ("dice = [2, 3]\nplay = ['roll']\nexpect.pot = 2", "dice are left over: 2"),
        ("play = ['roll']", "expects nothing"),
        ("play = 'roll'\nexpect.pot = 1", "play: 'roll' will not do; give a list, in [ ]"),
        ("players = 9\nexpect.pot = 0", "players: Pig has no game for 9; give 2 to 4"),
        ("game = 'pigs'\nexpect.pot = 0", "there is no game 'pigs'; did you mean 'pig'?"),
        ("expect.pot = 0\n" + BODY + "expect.pot = 0", "2 cases are called 'it'"),
    ],
)
def test_a_case_that_cannot_be_read_names_file_case_and_remedy(write, body, message):
    path = write(body)
    with pytest.raises(CaseError) as error:
        cases.run([path])
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("head", "begin", "message"),
    [
        (HEAD, "", "holds no case"),
        (HEAD, "[case]\n", "write [[case]]"),
        (HEAD, "[[case]", "not TOML"),
        ("", BODY + "expect.pot = 0", "says no game"),
        ('game = "pig"\n', BODY + "expect.pot = 0", "players is missing"),
        (HEAD, "[[case]]\nname = 'it'\nexpect.pot = 0", "source is missing"),
        (HEAD + "plyers = 3\n", BODY, "unknown key 'plyers'; did you mean 'players'?"),
    ],
)
def test_a_file_that_cannot_be_read(write, head, begin, message):
    with pytest.raises(CaseError) as error:
        cases.load(write("", head, begin))
    assert message in str(error.value)


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(CaseError, match="no such file or folder"):
        cases.run([tmp_path / "none.toml"])
    with pytest.raises(CaseError, match="no case file"):
        cases.run([tmp_path])


def test_a_case_without_position_plays_on_from_the_set_up(write):
    assert run_one(
        write("clans.red.start = 30\nexpect = { banked = [30, 0], points_start = [30, 0] }")
    ).passed


def test_what_the_file_says_holds_for_every_case(write):
    head = HEAD + "rules.goal = 10\nposition = { pot = 4, banked = [6, 0] }\n"
    assert run_one(write("play = ['hold']\nexpect.winner = 1", head)).passed
    assert run_one(write("position.pot = 3\nplay = ['hold']\nexpect.over = false", head)).passed


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("step = 5", "case 'x': step: 5 will not do; give a list, in [ ]"),
        ("step = [5]", "case 'x': step.0: 5 will not do; give a table"),
        ("position = 5", "case 'x': position: 5 will not do; give a table"),
        ("position.banked = 5", "case 'x', position: a value will not do"),
        ("position.pot = 99999999999999999999", "case 'x', position: a value will not do"),
        ("play = [5]", "case 'x': play.0: 5 will not do; give text, in quotes"),
        ("dice = ['x']", "case 'x': dice.0: 'x' will not do; give a whole number"),
        (
            "step = " + "[" * 5000 + "]" * 5000,
            "has tables or lists nested more than 24 deep; write it flatter",
        ),
        ("position." + ".".join("a" * 3000) + " = 1", "has tables or lists nested more than 24 deep"),
    ],
)
def test_values_of_the_wrong_kind_are_one_line(tmp_path, text, line):
    path = tmp_path / "c.toml"
    path.write_text(
        f'[[case]]\nname = "x"\nsource = "y"\ngame = "pig"\nplayers = 2\nexpect = {{ pot = 0 }}\n{text}\n'
    )
    with pytest.raises(CaseError) as caught:
        cases.run([path])
    assert str(caught.value).startswith(f"{path}: {line}"), str(caught.value)
    assert "\n" not in str(caught.value)
