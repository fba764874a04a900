"""Scenarios: what loads, and how each mistake is refused in one line."""

import pytest

from balance import description, design, manifest, scenario, store
from balance.errors import ScenarioError

FULL = """
game = "pig"
title = "Nerve"
question = "Who should hold?"
players = [2, 3]
seed = 9
games = 100
turns = true

[bots.holder]
[bots.brave]
like = "holder"
weights = { hold = 25 }
bar = ["hold"]

[field]
clans = ["red", "own", "blue"]
bots = ["brave"]

[rules]
sides = 8

[vary]
"rules.goal" = [20, 30]

[[variant]]
name = "no bust"
rules = { bust = 0 }

[clans.own]
like = "red"
start = 3
"""


def refused(text, **settings):
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(text, where="f.toml", **settings)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_a_full_scenario_is_read_as_written():
    read = scenario.parse(FULL)
    assert (read.game, read.players, read.seed, read.games) == ("pig", (2, 3), 9, 100)
    assert read.turns
    assert read.components == {"clans": {"own": {"like": "red", "start": 3}}}
    assert read.variants[0].rules == {"bust": 0}
    assert read.text == FULL


def test_cells_are_all_combinations_with_the_rules_as_written_first():
    cells = design.cells(scenario.parse(FULL))
    assert [cell.label for cell in cells] == [
        "2 players, goal = 20",
        "2 players, goal = 30",
        "2 players, no bust, goal = 20",
        "2 players, no bust, goal = 30",
        "3 players, goal = 20",
        "3 players, goal = 30",
        "3 players, no bust, goal = 20",
        "3 players, no bust, goal = 30",
    ]
    assert [cell.index for cell in cells] == list(range(8))
    assert [int(cell.rules[0].bust) for cell in cells[:4]] == [1, 1, 0, 0]
    assert all(int(cell.rules[0].sides) == 8 for cell in cells)
    assert cells[0].bot_names == ("brave",)
    assert cells[0].changed["rules.goal"] == 20


def test_a_scenario_is_frozen():
    with pytest.raises(ValueError, match="frozen"):
        scenario.parse('game = "pig"').seed = 3


def test_without_bots_the_first_style_that_is_not_random_plays():
    assert design.cells(scenario.parse('game = "pig"'))[0].bot_names == ("greedy",)


def test_a_style_in_the_field_needs_no_table():
    cell = design.cells(scenario.parse('game = "pig"\nfield.bots = ["holder", "random"]'))[0]
    assert cell.bot_names == ("holder", "random")


def test_settings_are_laid_over_the_file():
    read = scenario.parse(
        FULL,
        settings=[
            "rules.sides=10",
            "games=7",
            "field.clans=['red','blue','gold']",
            "title=Two words",
            "vary.rules.goal=[5]",
        ],
    )
    assert read.rules["sides"] == 10
    assert read.games == 7
    assert read.field["clans"] == ["red", "blue", "gold"]
    assert read.title == "Two words"
    assert read.vary == {"rules.goal": [5]}


def test_vary_reaches_rules_components_bots_field_and_players():
    text = """
game = "pig"
[bots.holder]
[vary]
players = [2, 4]
clans.red.start = [0, 5]
bots.holder.weights.hold = [15, 20]
field.clans = [["red", "green", "blue", "gold"], "all"]
[clans.fifth]
"""
    cells = design.cells(scenario.parse(text))
    assert len(cells) == 16
    assert sorted({cell.players for cell in cells}) == [2, 4]
    assert sorted({int(cell.rules[0].clans[0].start) for cell in cells}) == [0, 5]
    assert sorted({float(cell.bots[0].hold) for cell in cells}) == [15, 20]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("game = 'pig'\nplayer = 3", "f.toml: player: unknown key; did you mean 'players'?"),
        ("game = 'pig'\n[field]\nclan = 'all'", "f.toml: field.clan: unknown key; did you mean 'clans'?"),
        (
            "game = 'pig'\n[bots.holder]\nweight = {}",
            "f.toml: bots.holder.weight: unknown key; did you mean 'weights'?",
        ),
        ("game = 'pigs'", "f.toml: game: there is no game 'pigs'; did you mean 'pig'?"),
        ("game = 'pig'\nplayers = 9", "f.toml: players: Pig has no game for 9; give 2 to 4"),
        ("game = 'pig'\nplayers = [2, 2]", "f.toml: players: names a player count twice; name each once"),
        (
            "game = 'pig'\n[rules]\ngaol = 9",
            "f.toml: rules.gaol: there is no rule 'gaol'; did you mean 'goal'?",
        ),
        ("game = 'pig'\n[rules]\nbust = -1", "f.toml: rules.bust: -1 is out of range; give 0 to 100"),
        (
            "game = 'pig'\n[vary]\nrules.goal = [9, 0]",
            "f.toml: vary.rules.goal: 0 is out of range; give 1 to 1000",
        ),
        (
            "game = 'pig'\n[vary]\nrules.gaol = [9]",
            "f.toml: vary.rules.gaol: there is no 'gaol' in rules; did you mean 'goal'?",
        ),
        (
            "game = 'pig'\n[[variant]]\nname = 'x'\nrules = { sides = 1 }",
            "f.toml: variant.x.rules.sides: 1 is out of range; give 2 to 100",
        ),
        (
            "game = 'pig'\n[[variant]]\nrules = {}",
            'f.toml: variant.1: has no name; write name = "..." under [[variant]]',
        ),
        (
            "game = 'pig'\nfield.clans = ['gren', 'red']",
            "f.toml: field.clans: there is no 'gren'; did you mean 'green'?",
        ),
        (
            "game = 'pig'\nfield.clans = ['red', 'red']",
            "f.toml: field.clans: names 'red' twice; name each once",
        ),
        (
            "game = 'pig'\nfield.clans = []",
            'f.toml: field.clans: nothing is in play; name at least one, or "all"',
        ),
        (
            "game = 'pig'\n[clans.own]\nlike = 'rod'",
            "f.toml: clans.own.like: there is no 'rod'; did you mean 'red'?",
        ),
        (
            "game = 'pig'\n[clans.own]\nlike = 'own'",
            "f.toml: clans.own.like: is like itself (own is like own); have one of them start from another",
        ),
        (
            "game = 'pig'\n[clans.a]\nlike = 'b'\n[clans.b]\nlike = 'c'\n[clans.c]\nlike = 'b'",
            (
                "f.toml: clans.c.like: is like itself (b is like c is like b); "
                "have one of them start from another"
            ),
        ),
        (
            "game = 'pig'\n[clans.red]\nlike = 'mine'\n[clans.mine]\nlike = 'red'",
            (
                "f.toml: clans.mine.like: is like itself (red is like mine is like red); "
                "have one of them start from another"
            ),
        ),
        (
            "game = 'pig'\n[rules]\ngoal = 5\n[vary]\nrules.goal = [1]",
            "f.toml: vary.rules.goal: stands under [rules] too; take one of them out",
        ),
        ("game = 'pig'\nseed = -1", "f.toml: seed: -1 will not do; give 0 or more"),
        ("game = 'pig'\ngames = 0", "f.toml: games: 0 will not do; give 1 or more"),
        ("game = 'pig'\ngames = 1.5", "f.toml: games: 1.5 will not do; give a whole number"),
        ("game = 'pig'\nprecision = 0.5", "f.toml: precision: 0.5 will not do; give less than 0.5"),
        (
            "game = 'pig'\nprecision.clan = 0.7",
            "f.toml: precision.clan: 0.7 will not do; give less than 0.5",
        ),
        (
            "game = 'pig'\nprecision.clam = 0.1",
            "f.toml: precision.clam: there is no family 'clam'; did you mean 'clan'?",
        ),
        ("game = 'pig'\nprimary = 'x'", "f.toml: primary: there is no family 'x'; known: bot, clan, seat"),
        (
            "game = 'pig'\nband = 0",
            (
                "f.toml: band: no interval fits into a band of 0, so nothing could ever be called balanced; "
                "give a part of the fair share, such as 0.1"
            ),
        ),
        (
            "game = 'pig'\nuntil = 'verdicts'\nprecision = 0.1",
            "f.toml: until: 'until' and 'precision' exclude each other; take one of them out",
        ),
        ("game = 'pig'\nturns = 1", "f.toml: turns: 1 will not do; give true or false"),
        ("game = 'pig'\nfield.repeat = 1", "f.toml: field.repeat: 1 will not do; give true or false"),
    ],
)
def test_a_mistake_names_file_key_and_remedy(text, line):
    assert refused(text) == line


def test_a_component_may_be_like_an_own_one_wherever_that_stands():
    text = """
    game = "pig"
    [clans.late]
    like = "early"
    [clans.early]
    like = "red"
    start = 3
    [clans.red]
    like = "red"
    start = 1
    """
    (cell,) = design.cells(scenario.parse(text))
    assert list(cell.components["clans"]) == ["red", "green", "blue", "gold", "late", "early"]
    starts = {key: entry["start"] for key, entry in cell.components["clans"].items()}
    assert starts == {"red": 1, "green": 0, "blue": 0, "gold": 0, "late": 3, "early": 3}


def test_too_few_levels_for_the_seats_are_refused_unless_they_may_repeat():
    text = "game = 'pig'\nplayers = 3\nfield.clans = ['red', 'blue']"
    assert "f.toml: field.clans: 3 players need as many clans, and only 2" in refused(text)
    assert scenario.parse(text + "\nfield.repeat = true").players == (3,)


@pytest.mark.parametrize("text", ["game = 'pig'\nplayers 3", "game = 'pig'\n\nx"])
def test_what_is_not_toml_is_refused_with_its_line(text):
    line = refused(text)
    assert line.startswith("f.toml: not TOML:")
    assert f"at line {len(text.splitlines())}" in line


@pytest.mark.parametrize("setting", ["rules", "=3", "rules..goal=3", "rules.goal=[1", "game.x=3"])
def test_a_setting_that_cannot_be_read_is_refused(setting):
    assert refused("game = 'pig'", settings=[setting]).startswith("f.toml: --set")


def test_a_file_that_is_missing_or_binary_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="cannot be read"):
        scenario.load(tmp_path / "none.toml")
    (tmp_path / "bin.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ScenarioError, match="is not text"):
        scenario.load(tmp_path / "bin.toml")


def test_changed_numbers_are_checked_anew():
    read = scenario.parse("game = 'pig'", where="f.toml")
    assert scenario.change(read, games=5, seed=3).games == 5
    with pytest.raises(ScenarioError, match=r"f\.toml: seed: -3 will not do"):
        scenario.change(read, seed=-3)


def test_a_scenario_from_a_manifest_has_the_same_cells():

    def described(read):
        cells = design.cells(read)
        return description.describe(read, cells, design.designs(read, cells))

    read = scenario.parse(FULL, settings=["field.repeat=true"])
    first = described(read)
    again = described(scenario.again(first["scenario"]))
    assert again["run"] == first["run"]
    assert again["cells"] == first["cells"]


def test_a_manifest_keeps_the_order_of_the_scenario(tmp_path):

    text = """
    game = "pig"
    [bots.zoe]
    like = "holder"
    [bots.adam]
    like = "holder"
    [vary]
    "rules.sides" = [6, 8]
    "rules.goal" = [50, 100]
    """
    read = scenario.parse(text)
    cells = design.cells(read)
    place = store.at(tmp_path)
    manifest.write(place, description.describe(read, cells, design.designs(read, cells)))
    kept = manifest.read(place)
    again = design.cells(scenario.again(kept["scenario"]))
    assert [cell.bot_names for cell in again] == [("zoe", "adam")] * 4
    assert [cell.label for cell in again] == [cell.label for cell in cells]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[rules]\ngoal = nan", "rules.goal"),
        ("[rules]\ngoal = inf", "rules.goal"),
        ('[rules]\ngoal = { "²" = 5 }', "rules.goal"),
        ('[bots.a]\nlike = ["x"]', "bots.a.like"),
        ("[bots.a]\nkind = 1", "bots.a.kind"),
        ('[bots.holder]\nbar = "hold"', "bots.holder.bar"),
        ("[bots.holder]\nweights = 3", "bots.holder.weights"),
        (f"[bots.holder]\nweights = {{ hold = 1{'0' * 320} }}", "bots.holder.weights.hold"),
        ("[field]\nbots = [[1]]", "field.bots"),
        ('[clans.x]\nlike = ["red"]', "clans.x.like"),
        ('[bots.holder]\n[vary]\n"bots.holder" = [3]', "bots.holder"),
    ],
)
def test_a_value_of_the_wrong_type_is_one_clear_line(text, where):
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(f'game = "pig"\nplayers = 2\n{text}\n', where="my.toml")
    assert where in str(caught.value)
    assert "\n" not in str(caught.value)


DEEP = "[" * 5000 + "]" * 5000
DOTTED = ".".join("a" * 3000)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"game = {DEEP}", "f.toml: has tables or lists nested more than 24 deep; write it flatter"),
        (f"game = 'pig'\n[bots.{DOTTED}]\nx = 1", "f.toml: has tables or lists nested more than 24 deep"),
        (f"game = 'pig'\n[bots.holder]\nweights = {DEEP}", "f.toml: has tables or lists nested more than"),
        ("game = 'pig'\nseed = " + "9" * 5000, "f.toml: not TOML: Exceeds the limit (4300 digits)"),
        ("game = 'pig'\ngames = 'many'", "f.toml: games: 'many' will not do; give a whole number"),
        ("game = 'pig'\ngames = 0", "f.toml: games: 0 will not do; give 1 or more"),
        ("game = 'pig'\ntitle = 5", "f.toml: title: 5 will not do; give text, in quotes"),
        ("game = 'pig'\nturns = 1", "f.toml: turns: 1 will not do; give true or false"),
        ("game = 'pig'\nrules = []", "f.toml: rules: [] will not do; give a table"),
        ("game = 'pig'\nplayers = []", "f.toml: players: () will not do; give at least 1"),
        (
            "game = 'pig'\n[vary]\nrules.goal = 3",
            "f.toml: vary.rules.goal: 3 will not do; give a list, in [ ]",
        ),
        (
            "game = 'pig'\n[[variant]]\nname = 5",
            "f.toml: variant.5.name: 5 will not do; give text, in quotes",
        ),
        (
            "game = 'pig'\n[rules]\ngoal = { 9 = 5 }",
            "f.toml: rules.goal.9: Pig has no game for that many; give",
        ),
        (
            "game = 'pig'\n[rules]\ngoal = { %s = 5 }" % ("9" * 5000),
            "f.toml: rules.goal.999999999: Pig has no game for that many; give 2 to 4",
        ),
        (
            "game = 'pig'\n[vary]\nrules.goal = [5, 6, 5]",
            "f.toml: vary.rules.goal: names 5 twice; name each once",
        ),
        (
            "game = 'pig'\n[[variant]]\nname = 'a'\n[[variant]]\nname = 'b'",
            "f.toml: variant.b: 'b' is the same as 'a'; take one of them out: it would be played twice",
        ),
        (
            "game = 'pig'\nvariant = [{ name = 'a', rules.goal = 5 }, { name = 'b', rules.goal = { 2 = 5 }}]",
            "f.toml: variant.b.rules: 'b' is the same as 'a'; take one of them out",
        ),
        (
            "game = 'pig'\n[vary]\nfield.clans = ['all', ['red', 'green', 'blue', 'gold']]",
            "f.toml: vary.field.clans: 'field.clans = [red, green, blue, gold]' is the same as",
        ),
    ],
)
def test_what_is_absurd_or_said_twice_is_refused_in_our_own_words(text, line):
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(text, where="f.toml")
    assert str(caught.value).startswith(line), str(caught.value)


def test_a_mark_before_the_text_is_no_matter(tmp_path):
    path = tmp_path / "f.toml"
    path.write_text("game = 'pig'\n", encoding="utf-8-sig")
    assert scenario.load(path).game == "pig"
    path.write_text("game = 'pig'\n", encoding="utf-16")
    with pytest.raises(ScenarioError, match=r"is not text in UTF-8; save it as UTF-8"):
        scenario.load(path)


def test_a_rule_for_some_player_counts_changes_only_those():
    text = "game = 'pig'\nplayers = [2, 3]\n[[variant]]\nname = 'a'\nrules = { goal = { 3 = 5 } }"
    cells = design.cells(scenario.parse(text))
    assert [dict(cell.changed) for cell in cells] == [{}, {}, {}, {"rules.goal": {"3": 5}}]


def test_a_billion_games_are_planned_without_counting_them_all():
    from balance import plan

    found = plan.plan(scenario.parse("game = 'pig'\ngames = 9_000_000_000"))
    assert found["cells"][0]["games"] == 9_000_000_000
    assert found["balance"][0]["games"] == 4 * design.COUNTED
