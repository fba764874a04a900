"""A nation of one's own: written in ten lines, measured in one command, wrong in one clear line."""

import math
import re
from pathlib import Path

import pytest

import balance
import golden
from balance import analysis, design, games, plan, scenario
from balance import cell as cells
from balance.errors import ScenarioError
from balance.games.tiny_epic_kingdoms import idle, powers

GAME = games.get("tiny-epic-kingdoms")
ROOT = Path(__file__).parents[3]
OWN = ROOT / "scenarios" / "tiny_epic_kingdoms" / "own_nation.toml"
PAGE = golden.PAGE.read_text(encoding="utf-8")


# The page of documentation


def test_the_page_lists_every_effect_as_the_code_has_it():
    assert golden.documented(PAGE) == PAGE, "run python tests/golden.py"
    assert PAGE.count('| `{ effect = "') == len(powers.EFFECTS)


def test_the_nation_of_the_scenario_takes_ten_lines_and_is_the_pages():
    text = OWN.read_text(encoding="utf-8")
    nation = text[text.index("[nations.tinkers]") :]
    lines = [line.split("#")[0].strip() for line in nation.splitlines()]
    written = [line for line in lines if line]
    assert len(written) <= 10
    for line in written:
        assert line in PAGE


MISTAKES = [
    ('effect = "research_discount"', 'effect = "war_discont"'),
    ("[nations.tinkers.levels.5]", "[nations.tinkers.levels.6]"),
    ("", "[nations.tinkers]\nlevels = { 1 = NONE, 2 = NONE, 3 = NONE, 4 = NONE }"),
    ('"vp_highest_castle", amount = 3', '"vp_highest_castle", amount = "3"'),
    ('"vp_highest_castle", amount = 3', '"vp_highest_castle", amount = 12'),
    ('"vp_highest_castle", amount = 3', '"vp_highest_castle", amout = 3'),
    ('effects = [{ effect = "vp_highest_castle", amount = 3 }]', "effects = 3"),
    ('like = "dwarves"', 'like = "dwarves"\ncolour = "red"'),
    ('like = "dwarves"', 'like = "dwarfs"'),
    ('like = "dwarves"', 'like = "tinkers"'),
]


def _mistaken(right, wrong):
    """The scenario with a mistake in place of what is right, or in place of the whole nation."""
    text = OWN.read_text(encoding="utf-8")
    if not right:
        return text[: text.index("[nations.tinkers]")] + wrong.replace("NONE", "{ effects = [] }")
    assert right in text
    return text.replace(right, wrong)


def _refused(text):
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(text, where="my.toml")
    return str(caught.value)


@pytest.mark.parametrize(("right", "wrong"), MISTAKES)
def test_a_mistake_of_a_newcomer_is_one_line_with_file_key_and_remedy(right, wrong):
    text = _mistaken(right, wrong)
    line = _refused(text)
    assert "\n" not in line
    assert re.match(r"my\.toml: nations\.tinkers[a-z0-9.]*: .+; .+", line), line


def test_the_lines_on_the_page_are_those_that_come():
    said = re.findall(r"\| `(nations\.tinkers.*?)` \|$", PAGE, re.MULTILINE)
    assert len(said) == 9
    heard = []
    for right, wrong in MISTAKES:
        changed = _mistaken(right, wrong)
        heard.append(_refused(changed).removeprefix("my.toml: "))
    assert set(said) <= set(heard)


def test_two_nations_like_each_other_are_one_line():
    text = OWN.read_text(encoding="utf-8") + '\n[nations.a]\nlike = "b"\n[nations.b]\nlike = "a"\n'
    line = _refused(text).removeprefix("my.toml: ")
    assert line in PAGE


def test_own_nations_stand_beside_the_others_and_may_build_on_one_another():
    text = OWN.read_text(encoding="utf-8")
    text += '\n[nations.late]\nlike = "tinkers"\nlevels.1.effects = [{ effect = "vp", amount = 1 }]\n'
    cell = design.cells(scenario.parse(text))[0]
    nation = cell.rules[0].nations[cell.levels("nation").index("late")]
    assert nation.upto[5, powers.RESEARCH_DISCOUNT] == 1
    assert nation.upto[5, powers.VP] == 1
    assert nation.upto[5, powers.RIVAL_BUILD_TAX] == 0


def test_a_castle_track_of_ones_own_scores_and_costs_as_it_says():
    track = {"castle_vp": [0, 1, 3, 5, 8, 12], "castle_cost": [1, 1, 2, 3, 5, 8]}
    rules = cells.prepare(GAME, 3, rules=track).rules[0]
    assert rules.castle_vp.tolist() == track["castle_vp"]
    assert rules.castle_cost.tolist() == track["castle_cost"]


# What can do nothing


def _noted(text, players=4):
    (cell,) = plan.plan(scenario.parse(f'game = "tiny-epic-kingdoms"\nplayers = {players}\n{text}'))["cells"]
    return cell["notes"]


def test_in_the_game_of_the_rulebook_nothing_is_dead():
    assert _noted("") == []


def test_levels_that_wait_for_an_alliance_are_dead_where_none_is_made():
    (line,) = _noted('rules.two_flags = "defender"')
    assert line == "Halflings: levels 2, 3, 4 and 5 can do nothing here, since two flags make no alliance."


def test_with_two_players_there_are_no_alliances():
    assert any(line.startswith("Halflings: levels 2, 3, 4 and 5") for line in _noted("", players=2))


def test_only_nations_in_play_are_spoken_of():
    assert (
        _noted('rules.two_flags = "defender"\nfield.nations = ["orcs", "elves", "humans", "dwarves"]') == []
    )


def test_a_level_is_dead_as_a_whole_or_in_part():
    dry = 'rules.side_choice = "dealt"\nfield.territories = ["plebejsko", "tutenstan", "parohan"]'
    assert _noted(dry, players=3) == [
        "Merfolk: level 4 can do nothing here, since no territory in play has water."
    ]
    part = """
    [nations.merfolk.levels.4]
    effects = [{ effect = "vp", amount = 1 }, { effect = "occupy_water" }]
    """
    assert _noted(f"{dry}\n{part}", players=3) == [
        "Merfolk: level 4 can do only a part of what it says here, since no territory in play has water."
    ]


def test_a_terrain_that_is_nowhere_is_named():
    cell = cells.prepare(GAME, 3, rules={"side_choice": "dealt"})
    effect = {"effect": "collect_in", "terrain": "capital", "resource": "ore", "amount": 1}
    assert idle.missing(cell.rules[0], {"forest"}, effect) == "no territory in play has a capital"
    assert idle.missing(cell.rules[0], {"capital"}, effect) == ""


def test_every_need_of_an_effect_is_known_and_can_be_missing():
    free = {"two_flags": "defender", "ruins_score": "all", "retreat_food": 0, "war_mana": 0, "war_food": 5}
    bare, usual = (cells.prepare(GAME, 3, rules=rules).rules[0] for rules in (free, {}))
    needs = {need for effect in powers.EFFECTS.values() for need in effect.needs}
    assert needs == set(idle.NEEDS)
    for need, missing in idle.NEEDS.items():
        assert missing(bare, set(), {"amount": 1}), need
        assert not missing(usual, {"near water", "water", "ruins"}, {"amount": 1}), need


# A planted imbalance


PLANTED = """
game = "tiny-epic-kingdoms"
players = 4
field.nations = ["humans", "gifted", "orcs", "halflings", "lizardfolk", "elves"]
rules.side_choice = "dealt"
[bots.balanced]
[nations.gifted]
like = "humans"
levels.1.effects = [
    { effect = "perform_instead", chosen = "research", perform = "trade" },
    { effect = "vp", amount = 3 },
]
"""


def _planted(tmp_path, name, seed, count):
    asked = scenario.change(scenario.parse(PLANTED), seed=seed)
    dataset = balance.sweep(asked, tmp_path / name, games=count)
    table = analysis.tables(analysis.declared(dataset))[f"{analysis.WIN}nation"]
    return {row["level"]: row for row in table.to_dicts()}


def _is_found_at_the_right_size(tmp_path, count):
    """Three VP more are found in some games, and their size holds in twenty times as many others.

    The planted nation's interval covers the share counted there. The other shares, which are no part of
    the claim, agree within the uncertainty of both counts.
    """
    measured = _planted(tmp_path, "some", 1, count)
    counted = _planted(tmp_path, "many", 2, 20 * count)
    gifted, humans = measured["gifted"], measured["humans"]
    assert gifted["low_all"] > gifted["band_high"]  # too strong
    assert gifted["low_all"] > humans["high_all"]
    assert gifted["low"] <= counted["gifted"]["share"] <= gifted["high"]
    for level, row in measured.items():
        some, many = ((one["high_all"] - one["low_all"]) / 2 for one in (row, counted[level]))
        assert abs(row["share"] - counted[level]["share"]) <= math.hypot(some, many), level
        assert many < some / 3


def test_three_points_more_are_found_at_the_right_size(tmp_path):
    _is_found_at_the_right_size(tmp_path, 600)


@pytest.mark.validate
def test_three_points_more_are_found_at_the_right_size_in_many_games(tmp_path):
    _is_found_at_the_right_size(tmp_path, 6_000)
