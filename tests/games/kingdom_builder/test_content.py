"""Own content and house rules: what will do is played, what will not is told in one line."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records, replay
from balance.errors import ScenarioError
from balance.games.kingdom_builder.content import LETTERS

GAME = games.get("kingdom-builder")
ROWS = GAME.components["quadrants"]["oracle"]["rows"]
TOTALS = {"G": 124, "L": 113, "F": 115, "C": 115, "D": 116, "W": 136, "M": 57, "K": 10, "X": 14}


def prepared(rules=None, **components):
    return cells.prepare(GAME, 2, rules=rules, components=components)


def opened(block, rules=None, **components):
    cell = prepared(rules, **components)
    return replay.Table(cell, records.make(GAME.lineup_type, 2), 3, block, block).state


def test_the_sections_have_the_hexes_of_the_box():
    letters = "".join("".join(entry["rows"]) for entry in GAME.components["quadrants"].values())
    assert {letter: letters.count(letter) for letter in LETTERS} == TOTALS
    kinds = [entry["location"] for entry in GAME.components["quadrants"].values()]
    assert kinds == list(GAME.components["locations"])


@pytest.mark.parametrize(
    ("components", "where", "told"),
    [
        ({"quadrants": {"a": {"rows": ROWS}}}, "quadrants.a", "'location' is missing"),
        ({"quadrants": {"a": {"like": "oracle", "rows": ROWS[:9]}}}, "quadrants.a.rows", "10 rows"),
        ({"quadrants": {"a": {"like": "oracle", "rows": ["GG"] * 10}}}, "quadrants.a.rows.0", "ten letters"),
        ({"quadrants": {"a": {"like": "oracle", "rows": ["GGGGGGGGGZ"] * 10}}}, "rows.0", "GLFCDWMXK"),
        ({"quadrants": {"a": {"like": "oracle", "rows": ["X" * 10] * 10}}}, "a.rows", "6 have room"),
        ({"quadrants": {"a": {"like": "oracle", "location": "mill"}}}, "a.location", "no location 'mill'"),
        ({"quadrants": {"a": {"like": "oracle", "row": ROWS}}}, "a.row", "'rows'"),
        ({"quadrants": {f"a{n}": {"like": "oracle"} for n in range(9)}}, "quadrants", "16 have room"),
        ({"locations": {"mill": {"use": "build", "on": "jump"}}}, "mill.on", "move"),
        ({"locations": {"mill": {"use": "grind", "on": "card"}}}, "mill.use", "'build' or 'move'"),
        ({"locations": {"mill": {"use": "build", "on": "hill"}}}, "mill.on", "'card'"),
        ({"locations": {f"m{n}": {"like": "farm"} for n in range(5)}}, "locations", "12 have room"),
        ({"cards": {"lords": {"gold": -1}}}, "cards.lords.gold", "greater than or equal to 0"),
        ({"cards": {"citizens": {"per": 0}}}, "cards.citizens.per", "greater than or equal to 1"),
        ({"cards": {"bakers": {"gold": 1}}}, "cards.bakers", "change one of"),
        ({"card": {}}, "card", "cards"),
    ],
)
def test_content_that_will_not_do_is_told(components, where, told):
    with pytest.raises(ScenarioError) as found:
        prepared(**components)
    assert where in str(found.value)
    assert told in str(found.value)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({f"card_{card}": "in" for card in ("lords", "miners", "knights", "hermits")}, "a game has 3"),
        ({f"card_{card}": "out" for card in list(GAME.components["cards"])[:8]}, "only 2 cards"),
        ({"top_left": "barn", "bottom_right": "barn"}, "lies at the top left already"),
        ({"top_left": "bran"}, "barn"),
        ({"top_left_lies": "sideways"}, "upright"),
        ({"terrain_hand": 4}, "1 to 3"),
        ({"settlements": 51}, "1 to 50"),
    ],
)
def test_rules_that_contradict_one_another_are_told(rules, told):
    with pytest.raises(ScenarioError) as found:
        prepared(rules)
    assert told in str(found.value)


def test_the_map_can_be_named():
    rules = {
        "top_left": "tavern",
        "top_right": "paddock",
        "bottom_left": "oasis",
        "bottom_right": "farm",
        **{
            f"{corner}_lies": "upright" for corner in ("top_left", "top_right", "bottom_left", "bottom_right")
        },
    }
    for block in range(5):
        assert list(opened(block, rules).section) == [8, 14, 4, 2]


def test_what_is_not_named_is_drawn_as_without_naming():
    """Naming one corner leaves the others as they fell, as long as the named section is not among them."""
    for block in range(40):
        free = opened(block).section
        named = opened(block, {"top_left": "harbor"}).section
        assert named[0] // 2 == 6
        assert len({int(section) // 2 for section in named}) == 4
        assert list(named % 2) == list(free % 2)


def test_every_section_comes_everywhere_either_way_up():
    seen = np.zeros((4, 16), int)
    for block in range(600):
        seen[np.arange(4), opened(block).section] += 1
    assert seen.min() > 15  # 37.5 expected
    assert (seen.sum(axis=1) == 600).all()


def test_cards_are_drawn_put_in_play_or_left_out():
    seen = np.zeros(10, int)
    for block in range(300):
        state = opened(block, {"card_lords": "out", "card_hermits": "in"})
        held = [card for card in range(10) if state.in_play >> card & 1]
        assert len(held) == 3
        seen[held] += 1
    assert seen[8] == 0
    assert seen[6] == 300
    assert np.delete(seen, [6, 8]).min() > 45  # 75 expected


def test_the_deal_of_cards_does_not_depend_on_the_map():
    for block in range(10):
        assert opened(block).in_play == opened(block, {"top_left": "barn"}).in_play


def test_locations_can_be_drawn():
    kinds = {tuple(opened(block, {"locations": "drawn"}).location.tolist()) for block in range(40)}
    assert all(len(set(one)) == 4 for one in kinds)
    assert len(kinds) > 30


def test_castle_tokens_make_castles_of_locations():
    for block in range(20):
        without, state = opened(block), opened(block, {"castle_tokens": 2})
        more = int(state.castles) & ~int(without.castles)
        assert more.bit_count() == 2
        quadrants = [number // 6 for number in range(24) if more >> number & 1]
        assert len(set(quadrants)) == 2
        assert all(state.tiles[number] == 0 for number in range(24) if more >> number & 1)
        assert all(without.tiles[number] == 2 for number in range(24) if more >> number & 1)


def test_an_own_section_with_an_own_location_is_played():
    cell = prepared(
        {"builds": 3},
        quadrants={"meadow": {"rows": ["G" * 10] * 4 + ["GGGGXGGGGG"] + ["G" * 10] * 5, "location": "mill"}},
        locations={"mill": {"use": "build", "on": "forest", "name": "Mill"}},
    )
    assert cell.rules[0].section_count == 9
    found = 0
    for block in range(30):
        table = replay.Table(cell, records.make(GAME.lineup_type, 2), 3, block, block)
        found += 16 in table.state.section // 2 * 2
    assert found > 5


def test_a_hand_of_two_is_dealt():
    state = opened(0, {"terrain_hand": 2})
    held = [int(player.hand.sum()) for player in state.players[:2]]
    assert held[1] == 2
    assert held[0] == (2 if state.phase == 0 else 1)
