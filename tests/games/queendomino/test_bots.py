"""Bots: each kind beats the one before it, and styles differ in what they do."""

from __future__ import annotations

import math

import numpy as np
import pytest

from balance import cell as cells
from balance import design, games
from balance import scenario as scenarios

STYLES = ("builder", "knight", "queen_hunter", "crowns")


def table(id, bots, count, extra=""):
    text = f'game = "{id}"\nplayers = 4\nseed = 3\n{extra}' + "".join(f"[bots.{bot}]\n" for bot in bots)
    scenario = scenarios.parse(text)
    cell = design.cells(scenario)[0]
    made = design.lineups(scenario, cell)
    numbers, blocks, lineup = made.of(np.arange(-(-count // made.block_games)))
    return cells.play(cell, games.get(id).fast(), numbers, blocks, lineup, 3).seats


def test_the_planner_beats_full_greedy():
    seats = table("kingdomino", ["planner", "full_greedy"], 3_000)
    shares = seats.share.reshape(-1, 2, 4)
    won = np.where(seats.bot.reshape(-1, 2, 4) == 0, shares, 0).sum(axis=2)
    lead = won.sum(axis=1) - 1.0  # of the two games of a block, half are to be won
    assert lead.mean() - 3 * lead.std() / math.sqrt(len(lead)) > 0


def test_every_planner_beats_greedy_placement_in_queendomino():
    seats = table("queendomino", [*STYLES, "greedy_placement"], 1_500)
    for style in range(len(STYLES)):
        own = seats.share[seats.bot == style]
        assert own.mean() - 3 * own.std() / math.sqrt(len(own)) > 0.15
    assert seats.share[seats.bot == len(STYLES)].mean() < 0.1


def test_styles_differ_in_what_they_do():
    seats = table("queendomino", STYLES, 800)
    mean = {
        column: [float(seats[column][seats.bot == style].mean()) for style in range(len(STYLES))]
        for column in ("buildings", "knights_sent", "hosts_queen", "crowns")
    }
    assert np.argmax(mean["buildings"]) == STYLES.index("builder")
    assert np.argmax(mean["knights_sent"]) == STYLES.index("knight")
    assert np.argmax(mean["hosts_queen"]) == STYLES.index("queen_hunter")
    assert np.argmax(mean["crowns"]) == STYLES.index("crowns")
    assert max(mean["hosts_queen"]) > 0.5


def test_a_bar_keeps_a_bot_from_a_building_and_a_gift_makes_it_free():
    game = games.get("queendomino")
    barred = {"planner": {"bar": ["statue", "church"]}, "builder": {"gift": ["statue"]}}
    cell = cells.prepare(game, 4, bots=barred)
    from balance import records

    lineup = records.make(game.lineup_type, 4 * 200)
    lineup.bot = np.arange(800) % 2
    seats = cells.play(cell, game.fast(), np.arange(200), np.arange(200), lineup, 3).seats
    assert seats.built_statue[seats.bot == 0].sum() == seats.built_church[seats.bot == 0].sum() == 0
    assert seats.built_statue[seats.bot == 1].mean() > 0.5


@pytest.mark.parametrize("rule", ["dragon", "queen"])
def test_bots_answer_house_rules(rule):
    seats = table("queendomino", STYLES, 200, f"[rules]\n{rule} = false\n")
    assert seats["burned_by" if rule == "dragon" else "hosts_queen"].sum() == 0
