"""The bots of Stone Age beat chance, score as people do, differ, and keep to what they are barred from."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records
from balance.games.stone_age import bots

GAME = games.get("stone-age")
STYLES = [name for name in GAME.bots if name not in ("random", "tuned")]


def played(bots_by_name, count, players=4, rules=None):
    """Play `count` games, the bots going round the seats."""
    cell = cells.prepare(GAME, players, rules=rules, bots=bots_by_name)
    lineups = records.make(GAME.lineup_type, players * count)
    number, seat = np.divmod(np.arange(players * count), players)
    lineups.bot = (number + seat) % len(bots_by_name)
    return cells.play(cell, GAME.fast(), np.arange(count), np.arange(count), lineups, 11)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_beats_three_random_players_with_200_points_and_more(style):
    result = played({style: {}, "random": {}, "r2": {"like": "random"}, "r3": {"like": "random"}}, 200)
    own = result.seats[result.seats.bot == 0]
    assert own.share.mean() > 0.95
    assert own.score.mean() > 200


def test_four_equal_bots_score_as_a_table_of_people_would():
    result = played({"balanced": {}}, 400)
    assert 110 < result.seats.score.mean() < 200
    assert 10 < result.games.turns.mean() < 25


def test_styles_differ_in_what_they_do():
    result = played({style: {} for style in STYLES}, 1200, rules={"expansion": True})
    of = {style: result.seats[result.seats.bot == i] for i, style in enumerate(STYLES)}

    def most(column):
        return max(STYLES, key=lambda style: of[style][column].mean())

    assert most("trade_level") == most("trades_made") == "traders"
    assert most("hungry_rounds") == "starvation"
    assert of["starvation"].hungry_rounds.mean() > of["balanced"].hungry_rounds.mean() + 5
    assert most("cards_bought") == "civilization"
    assert of["huts"].buildings.mean() > of["civilization"].buildings.mean() + 0.5
    means = {style: (of[style].tools + of[style].agriculture).mean() for style in STYLES}
    assert max(means, key=means.get) == "tools_and_fields"


def test_the_weights_of_every_style_are_known():
    names = {weight.name for weight in bots.WEIGHTS}
    for spec in GAME.bots.values():
        assert set(spec.get("weights", {})) <= names


@pytest.mark.parametrize(
    ("bar", "column"),
    [
        ("hut", "hut_visits"),
        ("field", "points_farmers"),
        ("cards", "cards_bought"),
        ("buildings", "points_buildings"),
        ("trade", "trades_made"),
        ("green_cards", "points_green"),
    ],
)
def test_barred_is_barred(bar, column):
    rules = {"expansion": True}
    spec = {"like": "random", "bar": [bar, "extra_card"]}
    if bar == "field":
        spec["bar"] += ["sand_cards"]
    free = played({"random": {}}, 100, rules=rules)
    barred = played({"random": spec}, 100, rules=rules)
    drawn = barred.seats.cards_drawn == 0  # what is drawn from the deck nobody can refuse
    assert free.seats[column].sum() > 0
    assert barred.seats[column][drawn].sum() == 0


def test_a_barred_card_is_not_taken():
    spec = {"like": "random", "bar": ["builders_3_points", "music_points"]}
    free = played({"random": {}}, 300)
    barred = played({"random": spec}, 300)
    assert free.seats.points_cards.sum() > 0
    assert barred.seats.points_cards.sum() == 0


def test_hunger_is_reckoned_with_the_rules_not_with_the_rulebook():
    cheap = played({"starvation": {}}, 150, rules={"hunger": 0})
    dear = played({"starvation": {}}, 150, rules={"hunger": 50})
    assert cheap.seats.hungry_rounds.mean() > dear.seats.hungry_rounds.mean() + 1
