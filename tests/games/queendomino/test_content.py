"""Data of the boxes, and clear errors for those of a scenario."""

from __future__ import annotations

from collections import Counter

import pytest

from balance import cell as cells
from balance import games
from balance.errors import ScenarioError
from balance.games.queendomino.content import LETTERS

# Squares by terrain and crowns, as the rulebooks' component tables count them.
KINGDOMINO = {"W": (21, 5), "F": (16, 6), "L": (12, 6), "G": (10, 2, 2), "S": (6, 2, 2), "M": (1, 1, 3, 1)}
QUEENDOMINO = {
    "W": (14, 5),
    "F": (11, 6),
    "L": (8, 6),
    "G": (8, 2, 2),
    "S": (4, 2, 2),
    "M": (1, 1, 3, 1),
    "T": (20,),
}


def prepared(id="queendomino", players=4, **changes):
    return cells.prepare(games.get(id), players, **changes)


@pytest.mark.parametrize(
    ("id", "first", "expected"), [("kingdomino", 0, KINGDOMINO), ("queendomino", 48, QUEENDOMINO)]
)
def test_the_deck_has_the_squares_of_the_component_table(id, first, expected):
    dominoes = prepared(id).rules[0].dominoes[first : first + 48]
    seen = Counter(
        (LETTERS[domino["terrain"][side]], int(domino["crowns"][side]))
        for domino in dominoes
        for side in (0, 1)
    )
    assert seen == {
        (letter, crowns): count for letter, counts in expected.items() for crowns, count in enumerate(counts)
    }
    assert sorted(int(domino["number"]) for domino in dominoes) == list(range(1, 49))


def test_there_are_32_tiles_of_17_kinds():
    rules = prepared().rules[0]
    assert (rules.tile_count, rules.kind_count) == (32, 17)


@pytest.mark.parametrize(
    ("icons", "knights", "towers"),
    [("option_b", 18, 14), ("option_a", 18, 15), ("option_a2", 18, 15), ("minimal", 11, 9)],
)
def test_completed_icons_fit_the_pieces_in_the_box(icons, knights, towers):
    rules = prepared(rules={"icons": icons}).rules[0]
    tiles = [rules.buildings[kind] for kind in rules.tiles[: rules.tile_count]]
    assert sum(int(tile["knights"]) for tile in tiles) == knights
    assert sum(int(tile["towers"]) for tile in tiles) == towers
    assert knights + 4 <= rules.knight_pieces
    assert towers <= rules.tower_pieces


def test_the_other_numbering_changes_numbers_alone():
    one, other = (prepared(rules={"domino_numbers": name}).rules[0] for name in ("inferred", "sheet"))
    assert (one.dominoes["terrain"] == other.dominoes["terrain"]).all()
    assert int((one.dominoes["number"] != other.dominoes["number"]).sum()) == 32


def test_an_own_building_is_read():
    own = {
        "buildings": {
            "academy": {"copies": 2, "points": 4, "per": "tower", "each": 1, "at_once": {"seen": [0, 1]}}
        }
    }
    rules = prepared(components=own).rules[0]
    assert (rules.tile_count, rules.kind_count) == (34, 18)
    assert (rules.buildings[17].points, rules.buildings[17].towers) == (4, 1)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"rules": {"line": 3}}, "rules.line"),
        ({"rules": {"dominoes_used": 47}}, "rules.dominoes_used"),
        ({"rules": {"dominoes_used": 96}}, "rules.dominoes_used"),
        ({"rules": {"grid": 6, "middle_kingdom": 10}}, "rules.grid"),
        ({"components": {"buildings": {"x": {"copies": 60}}}}, "buildings"),
        ({"components": {"buildings": {"x": {"copies": "two"}}}}, "buildings.x.copies"),
        ({"components": {"buildings": {"x": {"per": "hill"}}}}, "buildings.x.per"),
        ({"components": {"buildings": {"x": {"point": 3}}}}, "buildings.x.point"),
        ({"components": {"buildings": {"x": {"at_once": {"seen": [1]}}}}}, "buildings.x.at_once"),
        ({"components": {"buildings": {"x": {"at_once": 3}}}}, "buildings.x.at_once"),
        ({"components": {"decks": {"queendomino": {"dominoes": ["W0 W0"]}}}}, "decks.queendomino.dominoes"),
        (
            {"components": {"decks": {"queendomino": {"dominoes": ["X0 W0"] * 48}}}},
            "decks.queendomino.dominoes",
        ),
        ({"components": {"decks": {"queendomino": {"dominoes": ["W0"] * 48}}}}, "decks.queendomino.dominoes"),
    ],
)
def test_what_will_not_do_is_refused_by_its_key(changes, where):
    with pytest.raises(ScenarioError) as raised:
        prepared(**changes)
    assert raised.value.where == where
    assert raised.value.remedy


def test_pairs_need_an_even_number():
    with pytest.raises(ScenarioError) as raised:
        prepared("royal-wedding-pairs", 7)
    assert raised.value.remedy == "give 6 or 8"
