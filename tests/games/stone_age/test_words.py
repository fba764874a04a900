"""Acts, stories and positions in words."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records, replay
from balance.errors import CaseError
from balance.games.stone_age import acts, words

GAME = games.get("stone-age")
CELL = cells.prepare(GAME, 3, rules={"expansion": True, "new_huts": True})
LIB = GAME.plain


def table(position=None, cell=CELL):
    opened = replay.Table(cell, records.make(GAME.lineup_type, cell.players), 1, 0, 0)
    if position is not None:
        words.lay(opened.state, position, cell)
    return opened


def said(state, cell=CELL):
    """What is legal, in words, with the numbers of the acts."""
    offered = np.zeros(acts.LEGAL_MOST, np.int32)
    count = LIB.legal(state, cell.rules[0], offered)
    return {words.say(state, int(act), cell): int(act) for act in offered[:count]}


def play(opened, *texts, cell=CELL):
    """Play acts by their words; return what is told of the last."""
    for text in texts:
        before = replay.copied(opened.state, cell)
        act = said(opened.state, cell)[text]
        LIB.apply(opened.state, cell.rules[0], act, opened.desk.rng)
    return words.tell(before, act, opened.state, cell)


RESOLVING = {"phase": "resolving"}
PURCHASE = RESOLVING | {"seats": [{"wood": 9, "trade": 5, "at": {"card_2": 1, "hunt": 1}}, {}, {}]}


@pytest.mark.parametrize(
    "position",
    [
        None,
        {},
        PURCHASE,
        RESOLVING | {"seats": [{"at": {"hunt": 5}}, {}, {}]},
        {"phase": "feeding", "seats": [{"food": 2, "wood": 4, "gold": 1}, {}, {}]},
    ],
)
def test_no_two_acts_of_a_position_share_their_words(position):
    state = table(position).state
    named = [text for act in range(acts.ACTS) if (text := words.say(state, act, CELL))]
    assert len(named) == len(set(named))
    assert not any("—" in text or text != text.strip() for text in named)


def test_no_two_trades_and_payments_share_their_words():
    for place in ("card_2", "building_1"):
        seat = {"wood": 9, "brick": 2, "trade": 10, "jewellery": 3, "at": {place: 1, "hunt": 1}}
        opened = table(RESOLVING | {"buildings": ["open_a"], "seats": [seat, {}, {}]})
        play(opened, f"pay otherwise for {place.replace('_', ' ')}")
        named = [text for act in range(acts.ACTS) if (text := words.say(opened.state, act, CELL))]
        assert len(named) == len(set(named))
        assert len(said(opened.state)) > 6


def test_what_is_not_in_the_base_game_has_no_words_there():
    base = cells.prepare(GAME, 3)
    state = table({}, base).state
    named = {words.say(state, act, base) for act in range(acts.RESOLVE_AT)}
    assert "put 1 figure on card 4" in named
    assert not any("trader" in text or "card 5" in text or "private" in text for text in named)
    assert "put 1 figure on building 4" not in named


def test_a_story_names_card_price_and_gain():
    position = PURCHASE | {"cards": ["art_tool", "pottery_food_7"]}
    opened = table(position)
    assert play(opened, "take card 2") == [
        "Pottery with 7 food; pays 2 wood; gets 7 food; has Pottery with 7 food"
    ]


def test_a_story_names_the_usual_trade():
    opened = table(PURCHASE | {"cards": ["art_tool", "pottery_food_7"]})
    first = play(opened, "take card 2 with a trade")[0]
    assert first.startswith("Pottery with 7 food; trades 1 jewellery for 1 wood; pays 1 wood and 1 jewellery")


def test_a_story_tells_the_end_of_the_round():
    position = {"seats": [{"at": {"hunt": 4}}, {"food": 2, "at": {"hunt": 5}}, {"at": {"hunt": 5}}]}
    opened = table(position)
    play(opened, "put 1 figure in the forest", "resolve the forest")
    for _ in range(2):
        play(opened, "resolve the hunting grounds")
        told = play(opened, next(text for text in said(opened.state) if text.endswith("jewellery")))
    opened.state.roll.pips, opened.state.players[2].food = 2, 9
    play(opened, "resolve the hunting grounds")
    told = play(opened, next(iter(said(opened.state))))
    assert any(line.startswith("fed; left: Seat 1") for line in told)
    assert any(line.startswith("cards: 1: ") for line in told)


@pytest.mark.parametrize(
    ("position", "said_of_it"),
    [
        ({"sets": []}, "seats"),
        ({"seats": [{"wod": 1}]}, "wood"),
        ({"seats": {"4": {}}}, "1 to 3"),
        ({"seats": [{"figures": 11}]}, "0 to 10"),
        ({"seats": [{"at": {"forrest": 1}}]}, "forest"),
        ({"seats": [{"at": {"forest": 6}}]}, "1 to 5"),
        ({"cards": ["art_tol"]}, "art_tool"),
        ({"buildings": ["open_x"]}, "open_"),
        ({"phase": "placin"}, "placing"),
        ({"seats": [{"private": ["open_a"]}]}, "no private place"),
    ],
)
def test_what_a_position_cannot_be_is_named(position, said_of_it):
    with pytest.raises(CaseError) as caught:
        table(position)
    assert said_of_it in str(caught.value)


def test_a_position_reads_as_it_was_laid():
    seat = {"food": 3, "wood": 2, "tools": 5, "used": [2], "one_use": [3], "cards": ["art_tool"]}
    seat |= {"secret": ["time_field"], "private": ["private_wood_a"], "trade": 4, "at": {"private_1": 2}}
    state = table({"round": 4, "seats": [seat, {}, {}], "stacks": [7, 3, 1]}).state
    for word, value in seat.items():
        if word == "cards":
            value = ["time_field", "art_tool"]
        if word == "at":
            continue
        assert words.read(state, f"seats.1.{word}", CELL) == value
    assert words.read(state, "seats.1.at.private_1", CELL) == 2
    assert words.read(state, "stacks", CELL) == [7, 3, 1]
    assert words.read(state, "round", CELL) == 4
    with pytest.raises(CaseError):
        words.read(state, "seats.1.wod", CELL)
    drawn = words.show(state, CELL)
    assert "2 private place 1" in drawn
    assert "one-use tools 3" in drawn


def test_dice_are_faces():
    assert words.fix([1, 6], CELL) == [0, 5]
    with pytest.raises(CaseError):
        words.fix([7], CELL)
