"""Acts, stories and positions in words."""

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records, replay
from balance.errors import CaseError
from balance.games.tiny_epic_kingdoms import acts, words

GAME = games.get("tiny-epic-kingdoms")
CELL = cells.prepare(GAME, 3)
LIB = GAME.plain


def table(position=None, nations=("orcs", "halflings", "dwarves"), cell=CELL):
    """A laid table: three seats, at home in Plebejsko, Himbajsko and Galson."""
    lineup = records.make(GAME.lineup_type, 3)
    lineup.nation = [cell.levels("nation").index(name) for name in nations]
    lineup.territory = [cell.levels("territory").index(name) for name in ("plebejsko", "himbajsko", "galson")]
    opened = replay.Table(cell, lineup, 1, 0, 0)
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


# Acts


WAR = {
    "war": {"attacker": 1, "region": "2c"},
    "seats": {"1": {"meeples": ["1a", "2c"]}, "2": {"meeples": ["2c", "2a"]}},
}


@pytest.mark.parametrize("position", [None, {}, {"chosen": "quest"}, WAR])
def test_no_two_acts_of_a_position_share_their_words(position):
    state = table(position).state
    named = [text for act in range(acts.ACTS) if (text := words.say(state, act, CELL))]
    assert len(named) == len(set(named))
    assert not any("—" in text or text != text.strip() for text in named)


def test_regions_of_a_territory_that_two_seats_have_are_told_apart():
    opened = table({})
    opened.state.players[1].side = opened.state.players[0].side
    named = [text for act in range(acts.ACTS) if (text := words.say(opened.state, act, CELL))]
    assert len(named) == len(set(named))
    assert "settle in Plebejsko of seat 1 a (forest)" in named


def test_what_names_nothing_has_no_words():
    state = table({}).state
    assert words.say(state, acts.MOVE, CELL) == ""
    assert words.say(state, acts.SETTLE + 5, CELL) == ""
    assert words.say(state, acts.EXCHANGE + 4, CELL) == ""
    assert words.say(state, acts.SPREAD + 77, CELL) == ""


def test_the_set_up_in_words():
    opened = table()
    assert list(said(opened.state)) == ["keep the side Plebejsko", "turn the card to Anarchistán"]
    play(opened, "turn the card to Anarchistán", "keep the side Himbajsko", "keep the side Galson")
    assert len(said(opened.state)) == 28
    story = play(opened, "start with 2 mana, 1 ore and 3 food")
    assert story == ["has 2 mana, 1 ore, 3 food"]
    play(opened, "start with 6 ore", "start with 6 food")
    assert list(said(opened.state))[1] == "settle in Anarchistán b (ruins)"
    assert play(opened, "settle in Anarchistán b (ruins)") == [
        "2 meeples in play; lies down to search the ruins"
    ]


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ({"shields": ["build"]}, {"choose patrol", "choose trade"}),
        (
            {"chosen": "patrol"},
            {"do nothing", "patrol from Plebejsko a (forest) to Plebejsko b (mountain)"},
        ),
        (
            {"chosen": "quest", "seat": 2},
            {"collect", "quest from Himbajsko a (forest) to Galson b (mountain)"},
        ),
        ({"chosen": "build"}, {"do nothing", "build castle level 1"}),
        ({"chosen": "research", "seats": {"1": {"magic": 1}}}, {"research level 2"}),
        (
            {"chosen": "expand", "seats": {"1": {"meeples": ["1a", "1c"]}}},
            {"expand in Plebejsko c (plains)"},
        ),
        ({"chosen": "trade"}, {"trade 3 food for ore", "trade 1 ore for mana"}),
        ({"seats": {"1": {"owed": 1}}}, {"gain 1 mana", "gain 1 food"}),
        ({"seats": {"1": {"due": 1}}}, {"lose 1 ore"}),
        (WAR, {"set the die to the flag", "set the die to 5"}),
    ],
)
def test_decisions_in_words(position, expected):
    assert expected <= set(said(table(position).state))


def test_elves_may_pay_with_mana():
    elves = ("elves", "orcs", "dwarves")
    state = table({"chosen": "build", "seats": [{"magic": 3, "castle": 1, "ore": 1}]}, elves).state
    assert set(said(state)) == {
        "do nothing",
        "build castle level 2 with 1 mana for ore",
        "build castle level 2 with 2 mana for ore",
    }
    state = table({"chosen": "trade", "seats": [{"magic": 1}]}, elves).state
    assert "trade 1 ore and 3 food for mana" in said(state)


# Stories


def test_an_act_tells_its_price_and_what_it_brought():
    opened = table({"chosen": "build", "seats": {"3": {"magic": 3, "ore": 5, "castle": 3}, "1": {"ore": 9}}})
    assert play(opened, "build castle level 1") == [
        "pays 1 ore; the castle is worth 1 VP; has 2 mana, 8 ore, 3 food"
    ]
    assert play(opened, "collect") == ["gets 1 mana; has 3 mana, 1 ore, 3 food"]
    assert play(opened, "build castle level 4")[0] == (
        "pays 3 ore; the price is 4, by powers 1 less; the castle is worth 4 VP; has 2 mana, 2 ore, 3 food"
    )


def test_a_level_of_magic_is_told_in_its_own_words():
    opened = table({"chosen": "research"})
    assert play(opened, "research level 1") == [
        'pays 1 mana; learns "You win every tie in war, also as the attacker."; has 1 mana, 1 ore, 3 food'
    ]


def test_a_level_that_a_scenario_changed_is_not_told_in_old_words():
    effects = [{"effect": "vp", "amount": 1}]
    for level, story in (
        ({"effects": effects}, ["pays 1 mana; has 1 mana, 1 ore, 3 food"]),
        (
            {"effects": effects, "text": "A point."},
            ['pays 1 mana; learns "A point."; has 1 mana, 1 ore, 3 food'],
        ),
    ):
        cell = cells.prepare(GAME, 3, components={"nations": {"orcs": {"levels": {"1": level}}}})
        opened = table({"chosen": "research"}, cell=cell)
        assert play(opened, "research level 1", cell=cell) == story


def test_a_war_is_told_from_the_attack_to_the_retreat():
    """The rulebook's example (p. 7): 1 mana and 2 ore with a discount of 1 pay for the number 5."""
    opened = table(
        {
            "chosen": "quest",
            "seats": [
                {"mana": 1, "ore": 2, "food": 0, "magic": 2, "meeples": ["1a", "1a"]},
                {"mana": 1, "ore": 1, "food": 3, "magic": 1, "meeples": ["2a", "2c"]},
            ],
        }
    )
    assert play(opened, "quest from Plebejsko a (forest) to Himbajsko c (mountain)") == [
        "Seat 1 (Orcs) attacks Seat 2 (Halflings), in Himbajsko c (mountain)"
    ]
    assert set(said(opened.state)) == {f"set the die to {shown}" for shown in ("the flag", 1, 2, 3, 4, 5)}
    assert play(opened, "set the die to 5") == ["covered until Seat 2 (Halflings) has set the other die"]
    assert "covered" in words.show(opened.state, CELL)
    assert play(opened, "set the die to the flag") == [
        "both dice are shown: Seat 1 (Orcs) 5, Seat 2 (Halflings) the flag",
        "Seat 1 (Orcs) wins Himbajsko c (mountain)",
    ]
    assert play(opened, "pay 1 mana and 2 ore")[0] == (
        "for the number 5, by powers 1 less; has 0 mana, 0 ore, 0 food"
    )
    assert list(said(opened.state)) == [
        "retreat from Himbajsko c (mountain) to Himbajsko b (plains)",
        "retreat from Himbajsko c (mountain) to Himbajsko d (plains)",
        "remove the meeple in Himbajsko c (mountain)",
    ]
    assert play(opened, "retreat from Himbajsko c (mountain) to Himbajsko b (plains)") == [
        "pays 2 food; has 1 mana, 1 ore, 1 food"
    ]
    assert words.read(opened.state, "seats.2.meeples", CELL) == ["2a", "2b"]
    assert words.read(opened.state, "war", CELL) is False


def test_an_alliance_is_told_and_its_end():
    opened = table(WAR)
    told = play(opened, "set the die to the flag", "set the die to the flag")
    assert told[1] == "Seat 1 (Orcs) and Seat 2 (Halflings) form an alliance, in Himbajsko c (mountain)"
    assert words.read(opened.state, "seats.1.allies", CELL) == [2]
    told = play(opened, "patrol from Himbajsko c (mountain) to Himbajsko d (plains)")
    assert told == ["Seat 1 (Orcs) and Seat 2 (Halflings) are allies no more"]


def test_a_breach_is_told():
    seats = [{"meeples": ["2c", "2a"]}, {"meeples": ["2c", "2a"], "food": 0}]
    opened = table({"seats": seats, "war": {"attacker": 1, "region": "2c", "dice": [1]}})
    told = play(opened, "set the die to the flag")
    assert told[1:] == [
        "Seat 1 (Orcs) wins Himbajsko c (mountain)",
        (
            "the alliance is broken by Seat 1 (Orcs): the loser has to leave Himbajsko a (forest) "
            "and Himbajsko c (mountain)"
        ),
    ]
    play(opened, "pay 1 ore")
    assert words.read(opened.state, "war.leaving", CELL) == ["2a", "2c"]
    assert play(opened, "remove the meeple in Himbajsko a (forest)") == [
        "back to the supply, 1 meeple left in play"
    ]
    assert all(text.startswith("keep the last meeple, from Himbajsko c") for text in said(opened.state))


def test_the_final_round_and_the_end_are_told():
    position = {"active": 3, "seat": 2, "chosen": "trade", "shields": ["build", "quest", "expand"]}
    opened = table(position | {"seats": [{"castle": 6}]})
    told = play(opened, "collect")
    assert told[1] == "the final round begins: a castle has reached level 6"
    assert words.read(opened.state, "final", CELL) == ["castle"]
    play(opened, "choose patrol", "do nothing", "collect")
    assert play(opened, "collect")[1:] == ["all 5 shields lie on the action card: the game is over"]
    assert words.read(opened.state, "decision", CELL) == "none"
    assert "game over" in words.show(opened.state, CELL)


def test_shields_taken_off_are_told():
    shields = ["build", "quest", "expand", "patrol"]
    opened = table({"active": 3, "seat": 2, "chosen": "trade", "shields": shields})
    assert play(opened, "collect")[1:] == ["all shields are taken off the action card"]


def test_a_swapped_meeple_is_told():
    opened = table(
        {"chosen": "quest", "seats": [{"magic": 1}, {"meeples": ["2a", "2c"]}]},
        ("lizardfolk", "orcs", "elves"),
    )
    told = play(opened, "swap the meeple in Plebejsko a (forest) with the one in Himbajsko c (mountain)")
    assert told == [
        "Seat 1 (Lizardfolk) attacks Seat 2 (Orcs), in Plebejsko a (forest)",
        "Seat 2 (Orcs) has a meeple moved from Himbajsko c (mountain) to Plebejsko a (forest)",
    ]


def test_what_both_choose_after_a_war_is_told():
    opened = table(WAR | {"seats": [{"meeples": ["1a", "2c"]}, {"meeples": ["2c", "2a"], "magic": 3}]})
    told = play(opened, "set the die to the flag", "set the die to the flag")
    assert told[2:] == [
        "Seat 1 (Orcs) may choose 1 resource",
        "Seat 2 (Halflings) may choose 1 resource",
    ]
    assert play(opened, "gain 1 ore") == ["has 2 mana, 2 ore, 3 food"]


# Positions


def test_an_empty_position_is_the_beginners_start():
    state = table({}).state
    assert words.show(state, CELL).splitlines() == [
        "turn 1; Seat 1 (Orcs) is active; shields on no action; seat 1 has to choose an action",
        "Seat 1 (Orcs): 2 mana, 1 ore, 3 food; castle 0, magic 0; meeples: Plebejsko a (forest) x2",
        "Seat 2 (Halflings): 2 mana, 1 ore, 3 food; castle 0, magic 0; meeples: Himbajsko a (forest) x2",
        "Seat 3 (Dwarves): 2 mana, 1 ore, 3 food; castle 0, magic 0; meeples: Galson a (plains) x2",
        (
            "territory of seat 1, Plebejsko: a forest, b mountain, c plains, d forest and e plains (inner); "
            "borders a-b, b-c, d-a, e-a, e-b, e-c, e-d; a river between c and d"
        ),
        (
            "territory of seat 2, Himbajsko: a forest, b plains, c mountain, d plains and e forest; "
            "borders a-b, b-c, c-d, d-e, e-a, b-e; water at a and b"
        ),
        (
            "territory of seat 3, Galson: a plains, b mountain, c forest, d capital (inner) and e mountain; "
            "borders a-b, b-c, a-d, c-d, d-e, e-a; water at b and c; crags at e"
        ),
    ]


def test_what_is_laid_can_be_read():
    parohan = cells.prepare(GAME, 3)
    lineup = records.make(GAME.lineup_type, 3)
    lineup.nation = [0, 1, 2]
    lineup.territory = [
        parohan.levels("territory").index(name) for name in ("parohan", "galson", "plebejsko")
    ]
    opened = replay.Table(parohan, lineup, 1, 0, 0)
    seats = {
        "1": {"mana": 9, "ore": 0, "food": 4, "castle": 2, "magic": 3, "meeples": ["1c", "1c*", "2d"]},
        "3": {"meeples": ["2d"], "castle": 6},
    }
    position = {"active": 2, "seat": 3, "turn": 8, "chosen": "build", "shields": ["trade"], "final": "castle"}
    words.lay(opened.state, position | {"seats": seats}, parohan)

    def read(path):
        return words.read(opened.state, path, parohan)

    for seat, said_of in seats.items():
        for word, value in said_of.items():
            assert read(f"seats.{seat}.{word}") == value
    assert [read(word) for word in ("active", "chosen", "shields", "final")] == [
        2,
        "build",
        ["build", "trade"],
        ["castle"],
    ]
    assert int(opened.state.turn) == 7
    assert int(opened.state.seat) == 2
    assert read("decision") == "perform"
    assert read("seats.1.allies") == [3]
    assert read("seats.2.nation") == "humans"
    assert read("seats.2.territory") == "galson"
    assert "Parohan c (ruins) x2*" in words.show(opened.state, parohan)


def test_a_war_can_be_laid_at_each_of_its_stages():
    for dice, decision, seat in (
        ([], "set the die", 0),
        (["flag"], "set the die", 1),
        ([3, 2], "pay for the number", 0),
    ):
        state = table(WAR | {"war": WAR["war"] | {"from": "1a", "dice": dice}}).state
        assert words.read(state, "decision", CELL) == decision
        assert int(state.seat) == seat
        assert words.read(state, "war.attacker", CELL) == 1
        assert words.read(state, "war.defender", CELL) == 2
        assert words.read(state, "war.region", CELL) == "2c"
        assert words.read(state, "war.from", CELL) == "1a"
    assert words.read(state, "war.dice", CELL) == [3, 2]
    assert "war: Seat 1 (Orcs) against Seat 2 (Halflings), in Himbajsko c (mountain); dice: 3, 2" in (
        words.show(state, CELL)
    )


def test_a_covered_die_is_not_drawn():
    five, nine = (table(WAR | {"war": WAR["war"] | {"dice": [number]}}).state for number in (3, 4))
    assert words.show(five, CELL) == words.show(nine, CELL)
    with pytest.raises(CaseError, match="has no 'dice'"):
        words.read(five, "war.dice", CELL)


@pytest.mark.parametrize(
    ("position", "line"),
    [
        ({"activ": 1}, "activ: Tiny Epic Kingdoms has no 'activ'; did you mean 'active'?"),
        ({"active": 4}, "active: 4 will not do; give a whole number from 1 to 3"),
        ({"seat": 2}, "seat: seat 2 has nothing to decide; say what is 'chosen', or who is 'active'"),
        ({"chosen": "biuld"}, "chosen: Tiny Epic Kingdoms has no 'biuld'; did you mean 'build'?"),
        ({"shields": "build"}, 'shields: \'build\' is no list; write ["build", "trade"]'),
        (
            {"shields": ["patrol", "quest", "build", "research", "expand"], "chosen": "trade"},
            "shields: there are 5 shields; name fewer actions",
        ),
        ({"final": "all"}, "final: Tiny Epic Kingdoms has no 'all'; known: castle, magic, meeples"),
        ({"seats": {"4": {}}}, "seats.4: 4 will not do; give a whole number from 1 to 3"),
        ({"seats": {"x": {}}}, "seats.x: 'x' is no seat; give 1 to 3"),
        ({"seats": [3]}, "seats.1: 3 is no table; write { mana = 2 }"),
        ({"seats": [{"man": 1}]}, "seats.1.man: Tiny Epic Kingdoms has no 'man'; did you mean 'mana'?"),
        ({"seats": [{"ore": 10}]}, "seats.1.ore: 10 will not do; give a whole number from 0 to 9"),
        ({"seats": [{"castle": "3"}]}, "seats.1.castle: '3' will not do; give a whole number from 0 to 6"),
        (
            {"seats": [{"meeples": []}]},
            'seats.1.meeples: [] will not do; list 1 to 7, as ["1a", "1a", "2c*"]',
        ),
        (
            {"seats": [{"meeples": ["1f"]}]},
            "seats.1.meeples.0: Tiny Epic Kingdoms has no '1f'; known: 1a, 1b, 1c, 1d, 1e",
        ),
        (
            {"seats": [{"meeples": ["a1"]}]},
            "seats.1.meeples.0: 'a1' is no region; write the seat whose home it is and the letter: \"2c\"",
        ),
        (
            {"seats": [{"meeples": ["1a*"]}]},
            "seats.1.meeples.0: 1a* is no ruins; take the star away: the meeple stands",
        ),
        (
            {"seats": [{"meeples": ["1a", "1a", "1a"]}]},
            "seats.1.meeples.2: 1a has two meeples already; put it elsewhere",
        ),
        ({"war": 1}, 'war: 1 is no table; write { attacker = 1, region = "2c" }'),
        ({"war": {"attacker": 1}}, "war: 'region' is missing; write { attacker = 1, region = \"2c\" }"),
        (
            {"war": {"atacker": 1}},
            "war.atacker: Tiny Epic Kingdoms has no 'atacker'; did you mean 'attacker'?",
        ),
        (
            {"war": {"attacker": 1, "region": "1a"}},
            "war.region: the attacker and another seat must have a meeple there; see 'meeples'",
        ),
        (WAR | {"war": WAR["war"] | {"dice": 5}}, 'war.dice: 5 will not do; list up to two, as [5, "flag"]'),
        (
            WAR | {"war": WAR["war"] | {"dice": [12]}},
            "war.dice.0: 12 will not do; give a whole number from 1 to 11",
        ),
    ],
)
def test_a_position_that_cannot_be_is_named(position, line):
    with pytest.raises(CaseError) as caught:
        table(position)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("shield", "expect: Tiny Epic Kingdoms has no 'shield'; did you mean 'shields'?"),
        ("seats.1", "expect: 'seats.1' is no path; write seats.1.mana"),
        ("seats.4.mana", "expect: 'seats.4.mana' is no path; write seats.1.mana"),
        ("seats.1.manna", "expect, seats.1.manna: Tiny Epic Kingdoms has no 'manna'; did you mean 'mana'?"),
    ],
)
def test_an_unknown_path_is_named(path, line):
    with pytest.raises(CaseError) as caught:
        words.read(table({}).state, path, CELL)
    assert str(caught.value) == line
