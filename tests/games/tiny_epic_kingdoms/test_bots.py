"""The bots read the rules, keep to their bars, mix their war numbers, and beat chance."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records
from balance.games.tiny_epic_kingdoms import acts, bots
from balance.games.tiny_epic_kingdoms.state import (
    ATTACKER_BIDS,
    BID_WAR,
    BUILD,
    EXPAND,
    PERFORM,
    RESEARCH,
)

GAME = games.get("tiny-epic-kingdoms")
STYLES = ["balanced", "builder", "scholar", "settler", "warlord", "diplomat"]


class Position:
    """A table in the plain lane, laid out field by field, at which one bot decides."""

    def __init__(self, players=4, bot=None, **rules):
        rules = {"goods_choice": "beginner", "home_choice": "drawn", "side_choice": "dealt"} | rules
        self.cell = cells.prepare(GAME, players, rules=rules, bots={"me": bot or {"like": "balanced"}})
        self.lib, self.desk = GAME.plain, records.make(GAME.desk_type)[0]
        self.state = self.desk.state
        self.state.seats = players
        self.lineup = records.make(GAME.lineup_type, players)
        self.lineup.nation, self.lineup.territory = range(players), range(0, 2 * players, 2)
        self.lib.open_table(
            self.state,
            self.rules,
            self.cell.bots,
            self.lineup,
            self.desk.rng,
            self.desk,
            1,
            np.uint64(3),
            0,
            0,
        )

    @property
    def rules(self):
        return self.cell.rules[0]

    def decide(self):
        return int(
            self.lib.decide(self.state, self.rules, self.cell.bots, self.lineup, self.desk.rng, self.desk)
        )

    def ask(self, action):
        """Have seat 1 asked to perform `action`."""
        self.state.chosen, self.state.phase, self.state.seat = action, PERFORM, 0
        self.state.shields = 1 << action


@pytest.mark.parametrize(("track", "wanted"), [([0, 0, 0, 0, 0, 0], RESEARCH), ([1, 6, 7, 8, 9, 10], BUILD)])
def test_the_castle_track_decides_between_building_and_research(track, wanted):
    table = Position(castle_vp=track)
    player = table.state.players[0]
    player.goods[:], player.magic, player.castle = (2, 2, 0), 1, 1
    table.state.shields = 0b111111 & ~(1 << BUILD | 1 << RESEARCH)
    assert table.decide() == acts.CHOOSE + wanted


@pytest.mark.parametrize(("points", "wanted"), [(1, True), (0, False)])
def test_a_meeple_that_scores_nothing_is_not_worth_its_food(points, wanted):
    table = Position(meeple_vp=points)
    home = int(table.state.players[0].here).bit_length() - 1
    table.lib.depart(table.state, 0, home)
    table.lib.arrive(table.state, 0, 1 if home == 0 else 0)
    table.state.players[0].goods[:] = (0, 0, 3)
    table.ask(EXPAND)
    table.state.active = 1
    assert (acts.GROW <= table.decide() < acts.EXCHANGE) == wanted


def test_a_discount_of_the_nation_changes_what_is_affordable_and_is_taken():
    for levels, built in ((0, False), (3, True)):
        table = Position()
        player = table.state.players[0]  # the Dwarves: at level 3 Build costs 1 less
        player.magic, player.castle, player.goods[:] = levels, 2, (0, 2, 0)
        table.ask(BUILD)
        assert (table.decide() == acts.RAISE_CASTLE) == built


@pytest.mark.parametrize(
    ("bar", "column"),
    [("war", "attacks"), ("castle", "castle"), ("magic", "magic")],
)
def test_what_is_barred_is_never_done(bar, column):
    spec = {"kind": "random", "bar": [bar]}
    free = _played({"random": {}}, 300)
    barred = _played({"random": spec}, 300)
    assert free.seats[column].sum() > 0
    assert barred.seats[column].sum() == 0


def test_a_barred_power_is_not_there():
    free = _played({"balanced": {}}, 300)
    barred = _played({"balanced": {"like": "balanced", "bar": ["power5"]}}, 300)
    assert free.seats.points_nation.sum() > 0
    assert barred.seats.points_nation.sum() == 0
    assert (barred.seats.magic == 5).any()


def _played(bots_by_name, count):
    cell = cells.prepare(GAME, 4, rules={"side_choice": "dealt"}, bots=bots_by_name)
    lineups = records.make(GAME.lineup_type, 4 * count)
    number, seat = np.divmod(np.arange(4 * count), 4)
    lineups.bot = (number + seat) % len(bots_by_name)
    lineups.nation, lineups.territory = (number + seat) % 6, (number + 2 * seat) % 16
    return cells.play(cell, GAME.fast(), np.arange(count), np.arange(count), lineups, 11)


def war_numbers(goods, rival_goods, bot, times=400):
    """What a bot shows as the attacker when both sides have these goods, in many games."""
    table = Position(bot=bot)
    state = table.state
    state.players[0].goods[:], state.players[1].goods[:] = goods, rival_goods
    state.war.stage, state.war.attacker, state.war.defender = ATTACKER_BIDS, 0, 1
    state.phase, state.seat = BID_WAR, 0
    shown = []
    for turn in range(times):
        state.turn = turn
        shown.append(acts.number_shown(table.decide()))
    return np.array(shown)


def test_war_numbers_are_drawn_from_a_mixture_that_depends_on_both_sides_means():
    bot = {"like": "warlord"}
    even = war_numbers((4, 2, 0), (4, 2, 0), bot)
    weak = war_numbers((1, 0, 0), (4, 2, 0), bot)
    strong = war_numbers((4, 2, 0), (1, 0, 0), bot)
    assert len(set(even.tolist())) > 5
    assert weak.max() <= 2
    assert (weak == -1).mean() > (even == -1).mean() + 0.2  # the weaker side often stays out
    assert strong.max() <= 3  # more than the rival can show plus one would be wasted
    assert even.mean() > strong.mean()


def test_a_diplomat_shows_the_flag_far_more_often_than_a_warlord():
    goods = (4, 2, 0)
    peaceful = (war_numbers(goods, goods, {"like": "diplomat"}) == -1).mean()
    warlike = (war_numbers(goods, goods, {"like": "warlord"}) == -1).mean()
    assert peaceful > warlike + 0.4


def test_the_defender_does_not_see_the_attackers_number():
    shown = []
    for number in (1, 4, 9):
        table = Position(bot={"like": "warlord"})
        state = table.state
        state.players[0].goods[:], state.players[1].goods[:] = (5, 2, 0), (4, 3, 0)
        state.war.attacker, state.war.defender, state.war.stage = 0, 1, ATTACKER_BIDS + 1
        state.war.attacker_number = number
        state.phase, state.seat = BID_WAR, 1
        shown.append(table.decide())
    assert len(set(shown)) == 1


@pytest.mark.parametrize("style", STYLES)
def test_every_style_beats_three_random_players(style):
    result = _played({style: {}, "random": {}, "r2": {"like": "random"}, "r3": {"like": "random"}}, 400)
    share = result.seats.share[result.seats.bot == 0].mean()
    assert share > 0.9


def test_styles_differ_in_what_they_do():
    result = _played({style: {} for style in STYLES}, 1200)
    means = {
        column: [result.seats[column][result.seats.bot == i].mean() for i in range(len(STYLES))]
        for column in ("attacks", "castle", "magic", "meeples")
    }
    of = {style: i for i, style in enumerate(STYLES)}
    assert means["castle"][of["builder"]] > means["castle"][of["scholar"]]
    assert means["magic"][of["scholar"]] > means["magic"][of["builder"]]
    assert means["meeples"][of["settler"]] > means["meeples"][of["builder"]]
    assert max(means["attacks"]) == means["attacks"][of["warlord"]]


def test_the_weights_of_every_style_are_known_and_each_is_used():
    names = {weight.name for weight in bots.WEIGHTS}
    for spec in GAME.bots.values():
        assert set(spec.get("weights", {})) <= names


def test_in_the_last_turn_nothing_is_saved():
    goods = (4, 2, 0)
    table = Position(bot={"like": "diplomat"})
    state = table.state
    state.players[0].goods[:] = state.players[1].goods[:] = goods
    state.war.stage, state.war.attacker, state.war.defender = ATTACKER_BIDS, 0, 1
    state.final, state.shields = 1, 0b11111
    shown = []
    for turn in range(200):
        state.turn, state.phase, state.seat, state.war.stage = turn, BID_WAR, 0, ATTACKER_BIDS
        shown.append(acts.number_shown(table.decide()))
    assert np.mean(np.array(shown) == -1) < 0.2  # a diplomat shows the flag far more often before
    assert np.mean(shown) > 5
