"""Records refuse what would differ between the lanes; a rule reads its value from TOML or says why not."""

from __future__ import annotations

import numpy as np
import pytest

from balance import records
from balance.errors import GameError, ScenarioError, nearest
from balance.records import PerPlayers, Rule, fill_rules, make, record

COST = Rule("cost", 3, 0, 9)
TRACK = Rule("track", "even", 0, 9, choices={"even": (1, 2, 3), "steep": (1, 3, 9)})
START = Rule("start", PerPlayers(2, {4: 1}), 0, 9)
SPREAD = Rule("spread", "drawn", choices={"drawn": 0, "chosen": 1})
RATE = Rule("rate", 0.5, 0, 1)
OPEN = Rule("open", False)
RULES = (COST, TRACK, START, SPREAD, RATE, OPEN)


def filled(values, players=2):
    target = make(record(*(rule.column() for rule in RULES)))[0]
    fill_rules(target, RULES, values, players)
    return target


@pytest.mark.parametrize("name", ["round", "choose", "take", "size", "copy", "sum"])
def test_a_field_may_not_take_a_name_of_numpys(name):
    with pytest.raises(GameError, match=f"'{name}'.*choose another"):
        record((name, "i4"))


@pytest.mark.parametrize("kind", ["i1", "u2", "f4", "b1"])
def test_a_narrow_number_is_refused(kind):
    with pytest.raises(GameError, match="use i4, i8, u8 or f8"):
        record(("food", kind))


def test_records_nest_and_are_read_by_name():
    inner = record(("food", "i4", (3,)))
    state = make(record(("players", inner, (2,))))[0]
    state.players[1].food[2] += 5
    assert state.players["food"].sum() == 5


def test_defaults_are_the_rulebooks_by_player_count():
    two, four = filled({}), filled({}, players=4)
    assert (two.cost, two.start, four.start, two.spread, two.rate, two.open) == (3, 2, 1, 0, 0.5, 0)
    assert list(two.track) == [1, 2, 3]


def test_values_are_read_in_every_form():
    values = {"cost": 5, "track": "steep", "start": {"2": 7, "3": 8}, "spread": "chosen", "rate": 1}
    target = filled(values | {"open": True})
    assert (target.cost, target.start, target.spread, target.rate, target.open) == (5, 7, 1, 1.0, 1)
    assert list(target.track) == [1, 3, 9]
    assert list(filled({"track": [4, 5, 6]}).track) == [4, 5, 6]
    assert filled({"start": {"3": 8}}, players=4).start == 1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"csot": 3}, "rules.csot: there is no rule 'csot'; did you mean 'cost'?"),
        ({"cost": -1}, "rules.cost: -1 is out of range; give 0 to 9"),
        ({"cost": 2.5}, "rules.cost: 2.5 will not do; give a whole number from 0 to 9"),
        ({"cost": True}, "rules.cost: True will not do; give a whole number from 0 to 9"),
        ({"cost": "three"}, "rules.cost: 'three' is not a value of it; give a whole number from 0 to 9"),
        ({"track": "stepp"}, "rules.track: 'stepp' is not a value of it; did you mean 'steep'?"),
        ({"track": [1, 2]}, 'give "even" or "steep" or a list of 3 numbers from 0 to 9'),
        ({"track": [1, 2, 99]}, "rules.track: 99 is out of range; give 0 to 9"),
        ({"spread": 1}, "rules.spread: 1 is not a value of it; known: drawn, chosen"),
        ({"open": 1}, "rules.open: 1 will not do; give true or false"),
        ({"start": {"two": 1}}, "rules.start: 'two' is not a player count; write { 3 = ..., 4 = ... }"),
        ({"start": {"3": 77}}, "rules.start.3: 77 is out of range; give 0 to 9"),
    ],
)
def test_a_bad_value_is_named_with_its_remedy(values, message):
    with pytest.raises(ScenarioError) as caught:
        filled(values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_nearest_name_is_offered_or_all_of_them():
    assert nearest("nation", ["nations", "rules"]) == "did you mean 'nations'?"
    assert nearest("xyz", ["nations", "rules"]) == "known: nations, rules"
    assert nearest("xyz", []) == "nothing is known here"


def test_a_fingerprint_is_of_the_fields_and_not_of_what_lies_between_them():
    inner = np.dtype([("a", "i1"), ("b", "f8")], align=True)
    outer = np.dtype([("flag", "i1"), ("pair", inner, (2,)), ("last", "i1")], align=True)
    clean, dirty = np.zeros(1, outer), np.zeros(1, outer)
    dirty.view("u1")[:] = 255
    for name in outer.names:
        dirty[name] = 0
    dirty["pair"]["a"], dirty["pair"]["b"] = 0, 0
    assert clean.tobytes() != dirty.tobytes()
    assert records.fingerprint(clean) == records.fingerprint(dirty)
    dirty["pair"]["b"][0, 1] = 1
    assert records.fingerprint(clean) != records.fingerprint(dirty)
    renamed = np.zeros(1, [("flag", "i1"), ("pair", inner, (2,)), ("end", "i1")])
    assert records.fingerprint(clean) != records.fingerprint(renamed)
