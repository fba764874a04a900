"""Drawn territory sides: each could have been printed, as far as is known, and follows from its numbers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from balance import cell as cells
from balance import games
from balance.games.tiny_epic_kingdoms import entries
from balance.games.tiny_epic_kingdoms.maps import LETTERS, OPTIONS, described, draw, places

GAME = games.get("tiny-epic-kingdoms")
PARTS = some.fixed_dictionaries({name: some.floats(0, 1) for name in OPTIONS})


def terrains(side):
    return [region["terrain"] for region in side["regions"].values()]


def inner(side):
    return [letter for letter, region in side["regions"].items() if not region["edge"]]


def reached(side):
    """The regions that Patrols lead to from the first, by plain search."""
    near = {letter: set() for letter in LETTERS}
    for one, other in side["adjacent"]:
        near[one].add(other)
        near[other].add(one)
    found, ahead = {"a"}, ["a"]
    while ahead:
        for letter in near[ahead.pop()] - found:
            found.add(letter)
            ahead.append(letter)
    return found


@given(some.integers(0, 2**63 - 1), some.integers(1, 1000), some.integers(1, 5), PARTS)
def test_every_side_keeps_to_what_is_known(seed, layout, place, options):
    side = draw(seed, layout, place, 5, options)
    assert list(side["regions"]) == list("abcde")
    words = Counter(terrains(side))
    assert words["forest"] >= 1
    assert words["mountain"] >= 1
    assert words["capital"] <= 1
    assert words["ruins"] <= 1
    assert words["water"] == 0
    assert len(inner(side)) <= 1
    assert reached(side) == set(LETTERS)
    pairs = [frozenset(pair) for pair in side["adjacent"] + side["river_between"]]
    assert len(set(pairs)) == len(pairs)
    for letter in inner(side):
        assert letter not in side["water_touches"] + side["crags_touch"]
        assert sum(letter in pair for pair in side["adjacent"]) == 4


@given(some.integers(0, 2**63 - 1), some.integers(1, 1000), PARTS)
def test_every_side_passes_the_checks_of_content(seed, layout, options):
    sides = {f"drawn_{layout}_{place}": draw(seed, layout, place, 5, options) for place in range(1, 6)}
    for side in sides.values():
        assert entries.Side.model_validate(side).certainty == "generated"
    rules = cells.prepare(GAME, 3, drawn={"territories": sides}).rules[0]
    first = len(GAME.components["territories"])
    for record, side in zip(rules.sides[first:], sides.values(), strict=False):
        assert record.regions == 5 + bool(side["water_touches"])  # the water itself, if there is any
        assert record.edge[:5].sum() == 5 - len(inner(side))
        wet = set(side["water_touches"]).union(*side["river_between"])
        assert record.wet[:5].tolist() == [letter in wet for letter in LETTERS]


def test_the_lost_kingdom_belongs_to_the_layout():
    sides = {f"drawn_7_{place}": draw(1, 7, place, 2, OPTIONS) for place in range(1, places(2) + 1)}
    rules = cells.prepare(GAME, 2, drawn={"territories": sides}).rules[0]
    first = len(GAME.components["territories"])
    assert rules.sides["lost_beside"][: first + 3].tolist() == [-1] * first + [first + 2] * 2 + [-1]
    assert draw(1, 7, 3, 2, OPTIONS)["regions"] == draw(1, 7, 3, 4, OPTIONS)["regions"]
    assert places(5) == 5
    assert "lost_beside" not in draw(1, 7, 1, 5, OPTIONS)


def test_a_side_follows_from_its_numbers_alone():
    assert draw(1, 7, 2, 5, OPTIONS) == draw(1, 7, 2, 5, OPTIONS)
    kinds = {str(draw(seed, layout, place, 4, OPTIONS)["regions"]) for seed, layout, place in
             [(1, 7, 2), (2, 7, 2), (1, 8, 2), (1, 7, 3)]}  # fmt: skip
    assert len(kinds) == 4


def test_parts_are_met_over_many_sides():
    sides = [draw(3, layout, 1, 4, OPTIONS) for layout in range(1, 2001)]
    for word, option in (("ruins", "ruins"), ("capital", "capitals"), ("plains", "plains")):
        part = sum(word in terrains(side) for side in sides) / len(sides)
        assert part == pytest.approx(OPTIONS[option], abs=0.035), word
    assert sum(bool(inner(side)) for side in sides) / len(sides) == pytest.approx(OPTIONS["inner"], abs=0.035)
    without = [draw(3, layout, 1, 4, {**OPTIONS, "ruins": 0.0, "inner": 1.0}) for layout in range(1, 200)]
    assert not any("ruins" in terrains(side) for side in without)
    assert all(len(inner(side)) == 1 for side in without)


def test_sides_are_told_in_words():
    side = GAME.components["territories"]["plebejsko"]
    assert described("plebejsko", side) == (
        "Plebejsko: a forest, b mountain, c plains, d forest and e plains (inner); "
        "borders a-b, b-c, d-a, e-a, e-b, e-c, e-d; a river between c and d"
    )
    assert "water at b, c and d" in described("", GAME.components["territories"]["vrtichvostan"])
