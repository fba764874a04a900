"""Cards, buildings and markets: what comes with the game is sound, own content is taken, mistakes are named."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from balance import cell as cells
from balance import games
from balance.errors import ScenarioError
from balance.games.stone_age import content, state

GAME = games.get("stone-age")
CARDS, TILES = GAME.components["cards"], GAME.components["buildings"]


def of(kind, entries):
    return [entry for entry in entries.values() if entry["set"] == kind]


def test_there_are_36_and_9_cards_28_and_9_buildings_and_6_new_huts():
    assert Counter(card["set"] for card in CARDS.values()) == {"base": 36, "expansion": 9}
    assert Counter(tile["set"] for tile in TILES.values()) == {"base": 28, "expansion": 9, "new_huts": 6}


def test_all_entries_have_source_and_certainty():
    for kind in ("cards", "buildings", "markets"):
        for entry in GAME.components[kind].values():
            assert entry["source"]
            assert entry["certainty"] in ("public", "reconstructed")
    for entries in (CARDS, TILES):
        for entry in entries.values():
            assert (entry["certainty"] == "public") == (entry["set"] == "base")


def test_the_base_cards_have_the_public_totals():
    base = of("base", CARDS)
    green = [card for card in base if "people" not in card]
    assert Counter(card["bottom"] for card in green) == dict.fromkeys(content.SYMBOL_NAMES[:8], 2)
    people = Counter()
    for card in base:
        people[card["bottom"]] += card.get("people", 0)
    assert {name: people[name] for name in content.PEOPLE_NAMES} == {
        "farmer": 7,
        "toolmaker": 8,
        "builder": 9,
        "shaman": 7,
        "trader": 0,
    }
    tops = Counter(card["top"]["effect"] for card in base)
    assert tops == {
        "market": 10,
        "food": 7,
        "resource": 5,
        "roll": 3,
        "points": 3,
        "one_use_tool": 3,
        "agriculture": 2,
        "tool": 1,
        "card": 1,
        "choice_kept": 1,
    }


def test_the_expansion_keeps_the_totals_of_the_rules():
    green = [card for card in CARDS.values() if "people" not in card]
    sand = [card for card in CARDS.values() if "people" in card]
    assert (len(green), len(sand)) == (18, 27)
    traders = [card["people"] for card in sand if card["bottom"] == "trader"]
    assert (len(traders), sum(traders)) == (5, 7)
    tops = Counter(card["top"]["effect"] for card in of("expansion", CARDS))
    assert (tops["style_market"], tops["trade"]) == (4, 2)


def test_the_fixed_buildings_are_worth_their_cost_222_points_in_all():
    worth = dict(zip(content.RESOURCE_NAMES, (3, 4, 5, 6), strict=True))
    fixed = [tile for tile in of("base", TILES) if "cost" in tile]
    assert len(fixed) == 17
    for tile in fixed:
        assert tile["points"] == sum(worth[name] * number for name, number in tile["cost"].items())
    assert sum(tile["points"] for tile in fixed) == 222


def test_a_variant_plays_with_its_own_cards_and_buildings():
    for rules, cards, tiles in (({}, 36, 28), ({"expansion": True}, 45, 37), ({"new_huts": True}, 36, 34)):
        record = cells.prepare(GAME, 4, rules=rules).rules[0]
        assert (int(record.cards["in_play"].sum()), int(record.tiles["in_play"].sum())) == (cards, tiles)


def test_own_cards_and_buildings_are_taken():
    own = {
        "cards": {"feast": {"like": "pottery_food_7", "top": {"effect": "food", "amount": 9}}},
        "buildings": {"palace": {"set": "base", "cost": {"gold": 4}, "points": 30}},
    }
    rules = cells.prepare(GAME, 4, components=own).rules[0]
    assert (rules.cards_all, rules.tiles_all) == (46, 44)
    assert (rules.cards[45].gives, rules.cards[45].amount) == (state.GAIN_FOOD, 9)
    assert list(rules.tiles[43].cost) == [0, 0, 0, 4, 0]


def test_every_card_and_building_has_a_bar_of_its_own_or_of_its_kind():
    rules = cells.prepare(GAME, 4).rules[0]
    bars = rules.cards["bar"][: rules.cards_all]
    assert (bars >= 0).all()
    assert len(np.unique(bars)) == 43
    assert (rules.tiles["bar"][: rules.tiles_all] >= 0).all()
    named = {content.BAR_NAMES[bar] for bar in rules.tiles["bar"][: rules.tiles_all]}
    assert named == set(list(content.OTHER_BARS)[10:])


def mistake(players=4, rules=None, **components):
    """The line that tells what is wrong."""
    with pytest.raises(ScenarioError) as caught:
        cells.prepare(GAME, players, rules=rules, components=components)
    line = str(caught.value)
    assert "\n" not in line
    return line


@pytest.mark.parametrize(
    ("components", "where", "said"),
    [
        ({"cards": {"x": {"set": "base", "bottom": "potery"}}}, "cards.x.bottom", "pottery"),
        ({"cards": {"x": {"like": "art_tool", "tops": 3}}}, "cards.x.tops", "top"),
        ({"cards": {"x": {"like": "art_tool", "people": 2}}}, "cards.x.people", "green"),
        ({"cards": {"x": {"like": "art_tool", "top": {"effect": "fod"}}}}, "cards.x.top.effect", "food"),
        ({"cards": {"x": {"like": "art_tool", "top": "food"}}}, "cards.x.top", "effect"),
        (
            {"cards": {"x": {"like": "art_tool", "top": {"effect": "food", "amount": 99}}}},
            "cards.x.top.amount",
            "1 to 20",
        ),
        ({"buildings": {"x": {"set": "base", "cost": {"gold": -1}}}}, "buildings.x.cost.gold", "0 to 7"),
        ({"buildings": {"x": {"set": "base", "any": [3]}}}, "buildings.x.any", "[1, 7]"),
        ({"buildings": {"x": {"like": "open_a", "cost": {"gold": 1}}}}, "buildings.x", "several ways"),
        ({"buildings": {"x": {"set": "bass"}}}, "buildings.x.set", "base"),
        ({"markets": {"market": {"faces": []}}}, "markets.market.faces", "six"),
        ({"markets": {"bazaar": {"like": "market"}}}, "markets.bazaar", "market"),
    ],
)
def test_mistakes_name_key_and_remedy(components, where, said):
    line = mistake(**components)
    assert where in line
    assert said in line


def test_too_few_and_too_many_are_refused():
    assert "2 to 4" in mistake(5, {"expansion": False})
    assert "stack_height" in mistake(4, {"stack_height": 12})
    more = {f"p{n}": {"like": "private_wood_a"} for n in range(3)}
    assert "private" in mistake(4, {"expansion": True}, buildings=more)
    assert "room" in mistake(4, cards={f"c{n}": {"like": "art_tool"} for n in range(20)})


def test_the_vocabulary_can_be_pasted():
    import tomllib

    for word in content.vocabulary():
        entry = tomllib.loads(f"x = {word.example}")["x"]
        of = content.EFFECTS[word.name].of
        if "cards" in of:
            cells.prepare(GAME, 4, components={"cards": {"own": {"like": "art_tool", "top": entry}}})
        else:
            tile = {"set": "base", "cost": {"wood": 1}, "effect": entry}
            cells.prepare(GAME, 4, components={"buildings": {"own": tile}})
