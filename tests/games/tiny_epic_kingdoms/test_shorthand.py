"""What a scenario may write short about a nation, and how `vary` and variants address content."""

from __future__ import annotations

import pytest

from balance import cell as cells
from balance import design, games, scenario
from balance.errors import ScenarioError
from balance.games.tiny_epic_kingdoms import powers, state
from balance.games.tiny_epic_kingdoms.shorthand import spell_out

GAME = games.get("tiny-epic-kingdoms")
NATIONS = GAME.components["nations"]
HEAD = 'game = "tiny-epic-kingdoms"\nplayers = 4\n[bots.balanced]\n'


def level(change, nation="humans", number=5):
    """What a nation's level adds to each power once `change` is laid over the nation."""
    prepared = cells.prepare(GAME, 4, components={"nations": {nation: change}})
    return prepared.rules[0].nations[list(NATIONS).index(nation)].level[number - 1]


def printed(nation="humans", number=5):
    return level({}, nation, number)


def refused(vary):
    """The one line that refuses a scenario's `[vary]`."""
    with pytest.raises(ScenarioError) as caught:
        scenario.parse(f"{HEAD}[vary]\n{vary}")
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_an_effect_that_the_level_lacks_is_added_beside_the_others():
    before, after = printed(), level({"5": {"vp": 3}})
    assert after[powers.VP] == 3
    changed = [slot for slot in range(powers.POWERS) if before[slot] != after[slot]]
    assert changed == [powers.VP]


def test_an_effect_that_the_level_has_changes_its_amount():
    after = level({"5": {"vp_per_full_stock": 2}})
    assert after[powers.VP_PER_FULL_STOCK] == 2
    assert after[powers.FULL_STOCK] == printed()[powers.FULL_STOCK] == 4
    assert level({"5": {"vp_per_full_stock": {"at_least": 6}}})[powers.FULL_STOCK] == 6


def test_keys_of_an_effect_stand_in_its_path_and_may_be_left_out_where_there_is_but_one():
    slot = powers.GAIN_ON_ENTERING + state.MOUNTAIN * state.RESOURCES + state.ORE
    assert printed("dwarves", 2)[slot] == 1
    assert level({"2": {"gain_on_entering": {"mountain": {"ore": 3}}}}, "dwarves", 2)[slot] == 3
    assert level({"2": {"gain_on_entering": 2}}, "dwarves", 2)[slot] == 2
    other = powers.GAIN_ON_ENTERING + state.RUINS * state.RESOURCES + state.MANA
    both = level({"2": {"gain_on_entering": {"ruins": {"mana": 1}}}}, "dwarves", 2)
    assert (both[slot], both[other]) == (1, 1)


def test_an_effect_without_an_amount_is_added_or_taken_away():
    assert printed("orcs", 1)[powers.WINS_TIES] == 1
    assert level({"1": {"wins_ties": False}}, "orcs", 1)[powers.WINS_TIES] == 0
    assert level({"1": {"wins_ties": True}}, "orcs", 1)[powers.WINS_TIES] == 1
    assert level({"1": {"wins_ties": True}}, "humans", 1)[powers.WINS_TIES] == 1


@pytest.mark.parametrize("blank", [{"2": []}, {"levels": {"2": {"effects": []}}}])
def test_a_level_can_be_blanked(blank):
    assert printed("orcs", 2).any()
    assert not level(blank, "orcs", 2).any()
    assert (level(blank, "orcs", 3) == printed("orcs", 3)).all()


def test_short_and_long_add_up():
    long = {"levels": {"5": {"effects": [{"effect": "vp", "amount": 1}]}}, "5": {"vp_home_free": 2}}
    after = level(long)
    assert (after[powers.VP], after[powers.VP_HOME_FREE]) == (1, 2)
    assert after[powers.VP_PER_FULL_STOCK] == 0
    assert level({"levels": {"5": {"vp": 4}}})[powers.VP] == 4


def test_what_changes_is_the_scenarios_own_and_the_rest_keeps_its_source():
    merged = cells.merge(GAME, {"nations": {"humans": {"5": {"vp": 1}}}})["nations"]["humans"]
    assert merged["levels"]["5"]["certainty"] == "own"
    assert merged["levels"]["4"] == NATIONS["humans"]["levels"]["4"]
    assert NATIONS["humans"]["levels"]["5"]["certainty"] != "own"  # the game's own entry stays as it is


def test_other_kinds_and_long_changes_pass_through():
    change = {"regions": {"a": {"terrain": "ruins"}}}
    assert spell_out("territories", {}, change, "territories.x") == change
    assert spell_out("nations", {}, {"theme": "war"}, "nations.x") == {"theme": "war"}


def test_vary_makes_a_cell_of_each_value_and_leaves_the_others_alone():
    found = scenario.parse(f"{HEAD}[vary]\nnations.humans.5.vp = [0, 3]\nnations.orcs.2 = [[]]")
    made = design.cells(found)
    humans, orcs = list(NATIONS).index("humans"), list(NATIONS).index("orcs")
    assert [cell.rules[0].nations[humans].level[4, powers.VP] for cell in made] == [0, 3]
    assert not any(cell.rules[0].nations[orcs].level[1].any() for cell in made)
    assert made[1].label == "nations.humans.5.vp = 3, nations.orcs.2 = []"


def test_a_variant_may_address_content_and_one_number_of_a_rule():
    text = (
        f'{HEAD}[rules]\nmagic_cost = [1, 2, 3, 4, 9]\n[[variant]]\nname = "v"\n'
        "nations.humans.5.vp = 2\nrules.castle_vp.6 = 10\nrules.magic_cost.1 = 0\n"
        "rules.start_vp_by_seat.4 = 1"
    )
    base, variant = design.cells(scenario.parse(text))
    rules = variant.rules[0]
    assert rules.castle_vp.tolist() == [1, 2, 3, 4, 6, 10]
    assert rules.magic_cost.tolist() == [0, 2, 3, 4, 9]
    assert base.rules[0].magic_cost.tolist() == [1, 2, 3, 4, 9]
    assert rules.start_vp_by_seat.tolist() == [0, 0, 0, 1, 0]
    assert rules.nations[list(NATIONS).index("humans")].level[4, powers.VP] == 2


def test_one_number_may_differ_by_player_count():
    text = f"{HEAD}[rules]\nstart_vp_by_seat = {{ 3 = {{ 3 = 1 }}, 4 = {{ 3 = 1, 4 = 2 }} }}".replace(
        "players = 4", "players = [3, 4, 5]"
    )
    found = [cell.rules[0].start_vp_by_seat.tolist() for cell in design.cells(scenario.parse(text))]
    assert found == [[0, 0, 1, 0, 0], [0, 0, 1, 2, 0], [0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("vary", "said"),
    [
        ("nations.humans.5.vpp = [1]", "nations.humans.5.vpp: there is no effect 'vpp'; did you mean 'vp'?"),
        ("nations.humans.7.vp = [1]", "nations.humans.7.vp: there is no level 7; magic has levels 1 to 5"),
        ("nations.humnas.5.vp = [1]", "nations.humnas.5.vp: there is no 'humnas' in nations; did you mean"),
        ('nations.humans.5.vp = ["a"]', "nations.humans.5.vp: 'a' is no whole number; give a whole"),
        ("nations.humans.5.vp = [99]", "nations.humans.5.vp: 99 is out of range; give -9 to 9"),
        ("nations.humans.5.vp.x = [9]", "nations.humans.5.vp.x: 'vp' takes no 'x'; known: amount"),
        ("nations.humans.5 = [3]", "nations.humans.5: 3 will not do; name an effect, 5.vp = 1"),
        ("nations.humans.5.vp = []", "nations.humans.5.vp: [] will not do; give a list of values"),
        ("nations.orcs.1.wins_ties = [1]", "nations.orcs.1.wins_ties: 'wins_ties' takes no number; give"),
        ("nations.dwarves.2.gain_on_entering.hill.ore = [1]", "there is no terrain 'hill'; known: capital"),
        ("nations.orcs.2.gain_on_entering.forest = [1]", "'gain_on_entering' needs a 'resource'"),
        ("nations = [3]", "nations: names nothing in it; write nations.dwarves = [...]"),
        ("rules.castle_vp.7 = [2]", "rules.castle_vp.7: it has no number 7; give 1 to 6"),
        ("rules.castle_vp.6 = [200]", "rules.castle_vp.6: 200 is out of range; give -9 to 30"),
        ("rules.castle_vp.six = [2]", "rules.castle_vp.six: 'six' is not a player count"),
    ],
)  # fmt: skip
def test_a_wrong_path_is_one_clear_line(vary, said):
    assert said in refused(vary)


def test_one_number_of_a_named_track_is_refused():
    text = f'{HEAD}[rules]\ncastle_vp = "low"\n[[variant]]\nname = "v"\nrules.castle_vp.6 = 9'
    with pytest.raises(ScenarioError, match=r"'low' stands under \[rules\].*give the whole list"):
        scenario.parse(text)
