"""The bots: each kind beats the simpler one, each style earns more from the cards it plays towards."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records

GAME = games.get("kingdom-builder")
STYLES = {
    "trader": ("merchants",),
    "ruler": ("lords",),
    "nomad": ("hermits", "discoverers"),
    "townsman": ("citizens", "knights"),
}


def played(names, players, count, rules=None, seed=6):
    """Games in which the bots go round the seats, a block of as many games as there are bots."""
    cell = cells.prepare(GAME, players, bots={name: {} for name in names}, rules=rules)
    lineups = records.make(GAME.lineup_type, count * players)
    game, seat = np.divmod(np.arange(count * players), players)
    lineups.bot = (game + seat) % len(names)
    batch = cells.play(cell, GAME.fast(), np.arange(count), np.arange(count) // len(names), lineups, seed)
    return batch.games, batch.seats.reshape(count, players)


def interval(values):
    """The mean of values that know nothing of one another, and three standard errors."""
    return values.mean(), 3 * values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize(
    ("better", "worse", "players", "count"),
    [
        ("greedy", "random", 2, 400),
        ("settler", "greedy", 2, 400),
        ("settler", "greedy", 4, 400),
        ("planner", "settler", 2, 1600),
    ],
)
def test_a_kind_beats_the_simpler_one(better, worse, players, count):
    _, seats = played([better, worse], players, count)
    won = np.where(seats["bot"] == 0, seats["share"], 0.0).sum(axis=1)
    mean, error = interval(won.reshape(-1, 2).mean(axis=1))
    assert mean - error > 0.5


@pytest.mark.parametrize("style", STYLES)
def test_a_style_earns_more_from_its_cards(style):
    rules = {"cards_in_play": 3} | {f"card_{card}": "in" for card in STYLES[style]}
    _, seats = played([style, "settler"], 4, 1600, rules)
    for card in STYLES[style]:
        points = seats[f"points_{card}"].astype(float)
        own = np.where(seats["bot"] == 0, points, 0.0).sum(axis=1)
        others = np.where(seats["bot"] == 1, points, 0.0).sum(axis=1)
        mean, error = interval(((own - others) / 2).reshape(-1, 2).mean(axis=1))
        assert mean - error > 0, card


def test_a_barred_location_is_never_used():
    cell = cells.prepare(GAME, 2, bots={"settler": {"bar": ["tavern", "barn"]}, "other": {"like": "settler"}})
    lineups = records.make(GAME.lineup_type, 400)
    lineups.bot = np.arange(400) % 2
    seats = cells.play(cell, GAME.fast(), np.arange(200), np.arange(200), lineups, 1).seats.reshape(200, 2)
    assert (seats["uses_tavern"][:, 0] + seats["uses_barn"][:, 0] == 0).all()
    assert seats["uses_tavern"][:, 1].sum() > 50
    assert seats["uses_barn"][:, 1].sum() > 50


def test_the_greedy_bot_goes_for_the_gold_that_is_paid():
    """With Discoverers alone its settlements stand on more lines than the random bot's."""
    rules = {f"card_{card}": "out" for card in GAME.components["cards"] if card != "discoverers"}
    rules |= {"cards_in_play": 1, "castle_gold": 0}
    lines = [played([bot], 2, 200, rules)[1]["points_discoverers"].mean() for bot in ("greedy", "random")]
    assert lines[0] > lines[1] + 1


def test_a_house_rule_is_answered():
    """Where castles pay much, more of them are touched."""
    rich = played(["settler"], 2, 200, {"castle_gold": 20})[1]["points_castle"].mean() / 20
    poor = played(["settler"], 2, 200, {"castle_gold": 1})[1]["points_castle"].mean()
    assert rich > poor + 0.5
