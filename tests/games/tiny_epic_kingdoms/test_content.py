"""Nations and territories: what comes with the game is sound, own content is taken, mistakes are named."""

import time
import tomllib

import numpy as np
import pytest

from balance import cell as cells
from balance import games
from balance.errors import ScenarioError
from balance.games.tiny_epic_kingdoms import content, powers, state, vocabulary

GAME = games.get("tiny-epic-kingdoms")
NATIONS, SIDES = GAME.components["nations"], GAME.components["territories"]
FOLK = """
[nations.tinkers]
like = "dwarves"

[nations.tinkers.levels.2]
text = "Research costs 1 mana less."
effects = [{ effect = "research_discount", amount = 1 }]

[nations.tinkers.levels.5]
text = "Three points for nothing."
effects = [{ effect = "vp", amount = 3 }]
"""


def prepared(text=""):
    """The rules record with the content of a scenario's TOML."""
    return cells.prepare(GAME, 3, components=tomllib.loads(text)).rules[0]


def own(level="3", **effect):
    """A nation like the Orcs with one effect at one level."""
    return {"nations": {"folk": {"like": "orcs", "levels": {level: {"effects": [effect]}}}}}


def mistake(components):
    """The line that tells what is wrong with own content."""
    with pytest.raises(ScenarioError) as caught:
        cells.prepare(GAME, 3, components=components)
    line = str(caught.value)
    assert "\n" not in line
    return line


SOURCED = ["dwarves", "humans", "orcs", "halflings", "lizardfolk", "elves"]
RECONSTRUCTED = ["dark_elves", "goblins", "merfolk", "centaurs", "shapeshifters", "undead", "valkyries"]


def test_the_thirteen_nations_are_there_each_level_with_source_and_certainty():
    assert list(NATIONS) == SOURCED + RECONSTRUCTED
    for key, nation in NATIONS.items():
        assert list(nation["levels"]) == ["1", "2", "3", "4", "5"]
        for level in nation["levels"].values():
            assert level["effects"]
            assert level["text"]
            assert level["source"]
            assert level["certainty"] in (
                ("seed", "public") if key in SOURCED else ("public", "reconstructed")
            )


def test_no_nation_is_surer_than_its_levels():
    order = ["seed", "public", "reconstructed"]
    for nation in NATIONS.values():
        least = max(order.index(level["certainty"]) for level in nation["levels"].values())
        assert nation["certainty"] == order[least]


def test_only_one_level_of_a_reconstructed_nation_is_public():
    public = [
        (key, number)
        for key in RECONSTRUCTED
        for number, level in NATIONS[key]["levels"].items()
        if level["certainty"] == "public"
    ]
    assert public == [("goblins", "1")]


def test_every_level_of_magic_adds_to_those_below():
    rules = prepared()
    for nation in rules.nations[: len(NATIONS)]:
        assert not nation.upto[0].any()
        for magic in range(state.MAGIC_LEVELS):
            assert (nation.upto[magic + 1] == nation.level[: magic + 1].sum(axis=0)).all()


@pytest.mark.parametrize(
    ("nation", "level", "slot", "amount"),
    [
        ("dwarves", 2, powers.GAIN_ON_ENTERING + state.MOUNTAIN * state.RESOURCES + state.ORE, 1),
        ("dwarves", 4, powers.INSTEAD + state.TRADE * state.ACTIONS + state.BUILD, 1),
        ("humans", 1, powers.INSTEAD + state.RESEARCH * state.ACTIONS + state.TRADE, 1),
        ("humans", 4, powers.COLLECT_NEAR_WATER + state.FOOD, 1),
        ("humans", 5, powers.FULL_STOCK, 4),
        ("orcs", 1, powers.WINS_TIES, 1),
        ("halflings", 1, powers.FLAG_REFUSED_LOSS, 2),
        ("lizardfolk", 2, powers.GAIN_ON_ENTERING + state.PLAINS * state.RESOURCES + state.FOOD, 1),
        ("lizardfolk", 3, powers.INSTEAD + state.QUEST * state.ACTIONS + state.PATROL, 1),
        ("elves", 4, powers.RIVAL_MANA_LOSS, 1),
    ],
)
def test_effects_stand_in_the_slot_that_the_rules_read(nation, level, slot, amount):
    rules = prepared()
    row = rules.nations[list(NATIONS).index(nation)].level[level - 1]
    assert row[slot] == amount


def test_every_effect_of_the_vocabulary_can_be_written():
    for name, effect in powers.EFFECTS.items():
        entry = {"effect": name} | {key: powers.MENUS[key][-1] for key in effect.keys}
        if effect.keys == ("chosen", "perform"):
            entry["perform"] = "build"
        if not effect.flag:
            entry["amount"] = effect.high
        levels = {number: {"effects": []} for number in "1245"} | {"3": {"effects": [entry]}}
        table = content.nation_powers({"levels": levels}, "nations.folk")
        assert (table[:, powers.SCORES] > 0).tolist() == [False, False, name.startswith("vp"), False, False]
        table = table[:, : powers.SCORES]
        touched = effect.span if effect.extra is None else 2
        assert np.count_nonzero(table) == np.count_nonzero(table[2]) == touched, name


def test_every_effect_has_slots_of_its_own():
    taken = []
    for name, effect in powers.EFFECTS.items():
        if name == "mana_as_any":
            continue  # all of `mana_pays` at once
        room = int(np.prod([len(powers.MENUS[key]) for key in effect.keys])) if effect.keys else 1
        taken += range(effect.slot, effect.slot + room)
        if effect.extra is not None:
            assert powers.FULL_STOCK <= effect.extra[1] < powers.LIMITS
            taken.append(effect.extra[1])
    assert sorted(taken) == list(range(powers.SCORES))
    prices = powers.EFFECTS["mana_pays"], powers.EFFECTS["mana_as_any"]
    assert prices[0].slot == prices[1].slot
    assert prices[1].span == len(powers.MENUS["price"])


def test_the_derived_slots_say_of_each_level_whether_its_group_is_filled():
    for name, effect in powers.EFFECTS.items():
        entry = {"effect": name} | {key: powers.MENUS[key][0] for key in effect.keys}
        if effect.keys == ("chosen", "perform"):
            entry["perform"] = "build"
        if not effect.flag:
            entry["amount"] = 1
        table = content.nation_powers({"levels": [{"effects": [entry]}, *[{"effects": []}] * 4]}, "nations.x")
        moves = name.startswith(("patrol_", "quest_")) and name != "patrol_two"
        assert table[0, powers.WAYS] == (moves or name in ("occupy_water", "ruins_do_not_bind")), name
        assert table[0, powers.YIELDS] == name.startswith("collect"), name
        assert table[0, powers.SCORES] == name.startswith("vp"), name
        assert table[0, powers.FINDS] == (name == "gain_on_entering"), name
        assert table[0, powers.CHOICES] == (name == "perform_instead"), name
        assert not table[1:].any()


def test_a_level_may_copy_wherever_it_stands_but_once():
    copy = {"effect": "copy_level", "whose": "rival"}
    levels = [{"effects": [copy]}] * 5
    table = content.nation_powers({"levels": levels}, "nations.folk")
    assert table[:, powers.COPY_LEVEL + state.RIVAL].tolist() == [1] * 5
    twice = [{"effects": [copy, copy]}, *levels[1:]]
    assert mistake({"nations": {"folk": {"levels": twice}}}) == (
        "nations.folk.levels.1.effects.1: level 1 has this effect already; keep one of the two"
    )


def test_a_nation_in_ten_lines():
    assert len(FOLK.strip().splitlines()) <= 10
    row = prepared(FOLK).nations[len(NATIONS)]
    assert row.level[0, powers.RIVAL_BUILD_TAX] == 1
    assert row.level[1, powers.RESEARCH_DISCOUNT] == 1
    assert not row.level[1, powers.GAIN_ON_ENTERING :].any()
    assert row.upto[5, powers.VP] == 3
    assert row.upto[5, powers.VP_HIGHEST_CASTLE] == 0


def test_levels_may_be_a_list_in_order_or_by_number():
    some = [{"effects": [{"effect": "vp", "amount": amount}]} for amount in (1, 2, 3, 1, 2)]
    ordered = content.nation_powers({"levels": some}, "nations.folk")
    turned = [level | {"level": number} for number, level in reversed(list(enumerate(some, 1)))]
    numbered = content.nation_powers({"levels": turned}, "nations.folk")
    assert (ordered == numbered).all()
    assert ordered[:, powers.VP].tolist() == [1, 2, 3, 1, 2]


def test_the_same_effect_at_two_levels_adds_up():
    row = prepared(
        '[nations.folk]\nlike = "orcs"\nlevels.5.effects = [{ effect = "war_discount", amount = 2 }]'
    ).nations[len(NATIONS)]
    assert row.upto[:, powers.WAR_DISCOUNT].tolist() == [0, 0, 1, 1, 1, 3]


def test_an_amount_of_nothing_is_allowed():
    """So that a sweep can lower a power step by step until nothing is left of it."""
    rules = cells.prepare(GAME, 3, components=own(effect="vp", amount=0)).rules[0]
    assert not rules.nations[len(NATIONS)].level[2].any()


@pytest.mark.parametrize(
    ("components", "line"),
    [
        (
            own(effect="war_discont", amount=1),
            (
                "nations.folk.levels.3.effects.0.effect: there is no effect 'war_discont'; "
                "did you mean 'war_discount'?"
            ),
        ),
        (
            own("6", effect="vp", amount=1),
            "nations.folk.levels.6: there is no level 6; magic has levels 1 to 5",
        ),
        (
            own(effect="vp", amount="3"),
            (
                "nations.folk.levels.3.effects.0.amount: '3' is no whole number; "
                "give a whole number from -9 to 9"
            ),
        ),
        (
            own(effect="vp", amount=1.5),
            (
                "nations.folk.levels.3.effects.0.amount: 1.5 is no whole number; "
                "give a whole number from -9 to 9"
            ),
        ),
        (
            own(effect="build_discount", amount=-1),
            "nations.folk.levels.3.effects.0.amount: -1 is out of range; give a whole number from 0 to 9",
        ),
        (
            own(effect="vp"),
            "nations.folk.levels.3.effects.0: 'amount' is missing; give a whole number from -9 to 9",
        ),
        (
            own(effect="wins_ties"),
            "nations.folk.levels.3.effects.0: level 1 has this effect already; keep one of the two",
        ),
        (
            own(effect="patrol_anywhere", amount=1),
            "nations.folk.levels.3.effects.0.amount: 'patrol_anywhere' takes no 'amount'; leave it out",
        ),
        (
            own(effect="vp", amount=1, terain="forest"),
            "nations.folk.levels.3.effects.0.terain: 'vp' takes no 'terain'; known: amount, effect",
        ),
        (
            own(effect="collect_in", terrain="forrest", resource="ore", amount=1),
            "nations.folk.levels.3.effects.0.terrain: there is no terrain 'forrest'; did you mean 'forest'?",
        ),
        (
            own(effect="collect_in", terrain="forest", resource="gold", amount=1),
            "nations.folk.levels.3.effects.0.resource: there is no resource 'gold'; known: food, mana, ore",
        ),
        (
            own(effect="collect_in", terrain="forest", amount=1),
            "nations.folk.levels.3.effects.0: 'collect_in' needs a 'resource'; resources: mana, ore, food",
        ),
        (
            own(effect="perform_instead", chosen="trade", perform="trade"),
            "nations.folk.levels.3.effects.0.perform: 'trade' may be performed anyway; name another action",
        ),
        (
            own(effect="war_discount", amount=9),
            (
                "nations.folk.levels.3.effects.0.amount: with level 2 it makes 10; "
                "all levels together may make 0 to 9"
            ),
        ),
        (
            own(amount=1),
            'nations.folk.levels.3.effects.0: does not name its effect; write { effect = "vp", amount = 1 }',
        ),
        (
            {"nations": {"folk": {"like": "orcs", "levels": {"3": {"efects": []}}}}},
            "nations.folk.levels.3.efects: there is no key 'efects'; did you mean 'effects'?",
        ),
        (
            {"nations": {"folk": {"like": "orcs", "colour": "red"}}},
            (
                "nations.folk.colour: there is no key 'colour'; "
                "known: certainty, levels, name, name_cs, note, source, theme"
            ),
        ),
        (
            {"nations": {"folk": {"like": "orcs", "levels": 3}}},
            (
                "nations.folk.levels: 3 will not do; "
                "write a table for each, [nations.folk.levels.1] to [nations.folk.levels.5]"
            ),
        ),
        (
            {"nations": {"folk": {"like": "orcs", "levels": {"3": 5}}}},
            "nations.folk.levels.3: 5 will not do; give a table",
        ),
        (
            {"nations": {"folk": {"levels": [{"effects": []}] * 4}}},
            (
                "nations.folk.levels: level 5 is missing; "
                'write it, with effects = [] if it does nothing, or start by like = "..."'
            ),
        ),
        (
            {"nations": {"folk": {"levels": [{"effects": []}, {"level": 1, "effects": []}]}}},
            "nations.folk.levels.1: level 1 is there twice; keep one of the two",
        ),
        (
            {"nations": {"folk": {"name": "Folk"}}},
            "nations.folk: 'levels' is missing; write it, or start by like = \"...\"",
        ),
        (
            {"nations": {"folk": {"like": "orcs", "name": ""}}},
            "nations.folk.name: '' will not do; give a name",
        ),
        (
            {"nations": {f"folk_{number}": {"like": "orcs"} for number in range(30)}},
            "nations: 43 nations are too many; 32 have room",
        ),
    ],
)
def test_a_mistake_in_a_nation_is_one_line_with_the_remedy(components, line):
    assert mistake(components) == line


def test_one_extra_number_holds_for_a_nation():
    two = {
        "levels": [
            {"effects": [{"effect": "vp_per_full_stock", "amount": 1, "at_least": 3}]},
            *[{"effects": []}] * 3,
            {"effects": [{"effect": "vp_per_full_stock", "amount": 1, "at_least": 4}]},
        ]
    }
    assert mistake({"nations": {"folk": two}}).startswith(
        "nations.folk.levels.5.effects.0.at_least: level 1 has an effect with another 'at_least' already"
    )


# Territories


def test_sixteen_sides_of_eight_cards():
    assert len(SIDES) == 16
    rules = prepared()
    for index in range(16):
        other = int(rules.sides[index].other)
        assert other != index
        assert rules.sides[other].other == index
        assert rules.sides[other].card == rules.sides[index].card


def test_the_sides_keep_to_what_is_known_of_them():
    ruins = {}
    for side in SIDES.values():
        terrain = [region["terrain"] for region in side["regions"].values()]
        assert len(terrain) == 5
        assert {"forest", "mountain"} <= set(terrain)
        assert side["certainty"] == "reconstructed"
        ruins.setdefault(side["card"], []).append("ruins" in terrain)
    assert all(sorted(pair) == [False, True] for pair in ruins.values())


def test_a_side_in_the_table():
    """Plebejsko: a forest, b mountain, c plains, d forest, e plains inside; a river between c and d."""
    side = prepared().sides[list(SIDES).index("plebejsko")]
    assert side.regions == 5
    assert side.terrain[:5].tolist() == [0, 1, 2, 0, 2]
    assert [f"{mask:05b}" for mask in side.across[:5]] == ["00000", "00000", "01000", "00100", "00000"]
    assert side.edge.tolist() == [1, 1, 1, 1, 0, 0]
    assert side.wet.tolist() == [0, 0, 1, 1, 0, 0]
    assert [f"{mask:05b}" for mask in side.near[:5]] == ["11010", "10101", "10010", "10001", "01111"]


def test_the_water_that_a_side_touches_is_a_region_for_those_who_may_enter_it():
    """Vrtichvostán: its b, c and d touch water, which is region w; d is beside c, b is not beside d."""
    side = prepared().sides[list(SIDES).index("vrtichvostan")]
    assert side.regions == 6
    assert (side.terrain[5], side.edge[5]) == (state.WATER, 0)
    assert side.wet.tolist() == [0, 1, 1, 1, 0, 1]
    assert f"{side.near[5]:06b}" == "001110"
    assert [f"{mask:06b}" for mask in side.across] == [
        "000000",
        "001100",
        "001010",
        "000110",
        "000000",
        "000000",
    ]


def test_adjacency_goes_both_ways_and_rivers_part():
    rules = prepared()
    for index, side in enumerate(SIDES.values()):
        ids = list(side["regions"])
        near = rules.sides[index].near
        for one in range(len(ids)):
            for other in range(len(ids)):
                assert near[one] >> other & 1 == near[other] >> one & 1
        for one, other in side.get("river_between", []):
            assert not near[ids.index(one)] >> ids.index(other) & 1


def test_two_sides_of_one_card_clash():
    assert content.clash("plebejsko", "anarchistan", SIDES)
    assert not content.clash("plebejsko", "plebejsko", SIDES)
    assert not content.clash("plebejsko", "galson", SIDES)
    free = {"one": {}, "two": {}}
    assert not content.clash("one", "two", free)


ISLAND = """
[territories.island]
adjacent = [["shore", "hill"], ["shore", "bay"]]
[territories.island.regions]
shore = { terrain = "plains" }
hill = { terrain = "mountain", edge = false }
bay = { terrain = "water" }
"""


def test_an_own_side_has_a_card_of_its_own():
    rules = prepared(ISLAND)
    side = rules.sides[len(SIDES)]
    assert side.other == len(SIDES)
    assert side.card not in rules.sides["card"][: len(SIDES)]
    assert side.wet.tolist()[:3] == [1, 0, 1]
    assert side.edge.tolist()[:3] == [1, 0, 1]


def side(**changes):
    return {"territories": {"isle": {"like": "plebejsko", "card": 9} | changes}}


@pytest.mark.parametrize(
    ("components", "line"),
    [
        (
            side(card=3),
            "territories.isle.card: card 3 has two sides already, himbajsko and parohan; give another number",
        ),
        (
            {"territories": {"isle": {"like": "plebejsko"}}},
            (
                "territories.isle.card: card 1 has two sides already, plebejsko and anarchistan; "
                "give another number"
            ),
        ),
        (
            {"territories": side()["territories"] | {"reef": {"like": "galson", "card": 9}}},
            (
                "territories.reef.side: card 9 has a side A already, isle; "
                "give the other side, or a card of its own"
            ),
        ),
        (
            side(regions={"a": {"terrain": "forrest"}}),
            "territories.isle.regions.a.terrain: 'forrest' will not do; did you mean 'forest'?",
        ),
        (
            side(regions={"a": {"edge": 1}}),
            "territories.isle.regions.a.edge: 1 will not do; give true or false",
        ),
        (
            side(adjacent=[["a", "z"]]),
            "territories.isle.adjacent.0: there is no region 'z'; known: a, b, c, d, e",
        ),
        (
            side(adjacent=[["a", "b"], ["b", "c"]]),
            "territories.isle.adjacent: no Patrol leads from a to d and e; add the pairs that touch",
        ),
        (side(adjacent=[["a"]]), "territories.isle.adjacent.0: ['a'] will not do; give two regions"),
        (
            side(adjacent=[["a", "a"]]),
            "territories.isle.adjacent.0: 'a' is paired with itself; name two regions",
        ),
        (
            side(river_between=[["a", "b"]]),
            "territories.isle.river_between.0: a and b are also in 'adjacent'; a river parts them: keep one",
        ),
        (
            side(water_touches=["q"]),
            "territories.isle.water_touches.0: there is no region 'q'; known: a, b, c, d, e",
        ),
        (
            side(crags_touch=["q"]),
            "territories.isle.crags_touch.0: there is no region 'q'; known: a, b, c, d, e",
        ),
        (
            side(regions={"f": {"terrain": "plains"}, "g": {"terrain": "plains"}}),
            "territories.isle.regions: has 7 regions; give 2 to 6",
        ),
        (side(card=0), "territories.isle.card: 0 will not do; give 1 or more"),
        (side(card="nine"), "territories.isle.card: 'nine' will not do; give a whole number"),
        (side(side="C"), "territories.isle.side: 'C' will not do; known: A, B"),
        (
            {"territories": {"sea": {"regions": {id: {"terrain": "water"} for id in "ab"}, "adjacent": []}}},
            "territories.sea.regions: is all water; give it a region of land",
        ),
        (
            {"territories": {f"isle_{n}": {"like": "galson", "card": 100 + n} for n in range(497)}},
            "territories: 513 sides are too many; 512 have room",
        ),
    ],
)
def test_a_mistake_in_a_territory_is_one_line_with_the_remedy(components, line):
    assert mistake(components) == line


def test_content_is_quick():
    prepared()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        prepared()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.02


def test_every_example_of_the_vocabulary_can_be_pasted_into_a_level():
    words = GAME.vocabulary[vocabulary.TITLE]
    assert [word.name for word in words] == list(powers.EFFECTS)
    for word in words:
        entry = tomllib.loads(f"effect = {word.example}")["effect"]
        assert entry["effect"] == word.name
        levels = {number: {"effects": []} for number in "1245"} | {"3": {"effects": [entry]}}
        assert content.nation_powers({"levels": levels}, "nations.folk").any()


def test_what_a_scenario_changes_is_its_own_and_no_longer_what_its_source_says():
    level = {"effects": [{"effect": "vp", "amount": 2}]}
    own = {"mine": {"like": "orcs", "levels": {"5": level}}}
    made = cells.merge(GAME, {"nations": own})["nations"]
    assert (made["mine"]["certainty"], made["orcs"]["certainty"]) == ("own", "seed")
    assert (made["mine"]["levels"]["5"]["certainty"], made["mine"]["levels"]["4"]["certainty"]) == (
        "own",
        "seed",
    )
    assert made["mine"]["levels"]["5"]["source"] == "scenario"
    assert made["orcs"]["levels"]["5"]["certainty"] == "seed"


def test_a_card_of_an_absurd_number_and_a_die_that_goes_down_are_refused():
    side = next(iter(SIDES))
    with pytest.raises(ScenarioError, match=r"territories.x.card: 9{30} will not do; give 9999 or less"):
        cells.prepare(GAME, 3, components={"territories": {"x": {"like": side, "card": int("9" * 30)}}})
    with pytest.raises(ScenarioError, match=r"rules.war_lowest: 9 is above war_highest, which is 3; let"):
        cells.prepare(GAME, 3, rules={"war_lowest": 9, "war_highest": 3})
