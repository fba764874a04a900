"""Published results of Kingdomino, reproduced: what proves the engine right.

M. Gedda, M. Lagerkvist, M. Butler, "Monte Carlo Methods for the Game Kingdomino", IEEE CIG 2018, raw data
of the authors' program: four players, 5 x 5, Middle Kingdom and Harmony counted. A published mean has
an error of its own, so ours must agree to within both: 3.3 standard errors of the difference, which a
right engine leaves once in a thousand figures.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from balance import cell as cells
from balance import games, records, replay

GAME = games.get("kingdomino")
RULES = {"middle_kingdom": 10, "harmony": 5}
WITHIN = 3.3
RANDOM = {"count": 4_000, "mean": 22.65, "sd": 8.13, "winner": 31.60, "margin": 6.83}
SEATS = [(633, 0.239, 22.39), (626, 0.249, 22.86), (632, 0.233, 23.07), (649, 0.225, 22.57)]
GREEDY = {"count": 1_000, "mean": 39.62, "sd": 9.26, "alone": 0.794, "drawn": 0.022}
BRANCHING = [2.5, 60.6, 52.3, 46.2, 41.0, 34.7, 28.4, 21.6, 15.2, 10.8, 7.4, 5.0, 1.4]


def played(bots, count, rules=RULES):
    """Games of one bot against three of the other, or of four of a kind; the first of `bots` walks round."""
    cell = cells.prepare(GAME, 4, rules=rules, bots={name: {} for name in bots})
    lineups = records.make(GAME.lineup_type, 4 * count)
    if len(bots) > 1:
        number, seat = np.divmod(np.arange(4 * count), 4)
        lineups.bot = seat != number % 4
    return cells.play(cell, GAME.fast(), np.arange(count), np.arange(count), lineups, 2018), lineups.bot == 0


def agrees(ours, our_error, published, their_error):
    assert abs(ours - published) <= WITHIN * math.hypot(our_error, their_error), (ours, published)


def random_play(count):
    batch, _ = played(["random"], count)
    scores = batch.seats.score.reshape(-1, 4).astype(float)
    # The four scores of a game depend on one another little; games are the unit of our error.
    error = scores.mean(axis=1).std() / math.sqrt(count)
    agrees(scores.mean(), error, RANDOM["mean"], RANDOM["sd"] / math.sqrt(RANDOM["count"]))
    spread = scores.std()
    agrees(spread, spread / math.sqrt(8 * count), RANDOM["sd"], RANDOM["sd"] / math.sqrt(2 * RANDOM["count"]))
    ranked = np.sort(scores, axis=1)
    best, lead = ranked[:, 3], ranked[:, 3] - ranked[:, 2]
    published_games = RANDOM["count"] / 4
    for values, published in ((best, RANDOM["winner"]), (lead, RANDOM["margin"])):
        sd = values.std()
        agrees(values.mean(), sd / math.sqrt(count), published, sd / math.sqrt(published_games))
    shares = batch.seats.share.reshape(-1, 4)
    for seat, (seen, share, mean) in enumerate(SEATS):
        own = shares[:, seat]
        agrees(own.mean(), own.std() / math.sqrt(count), share, math.sqrt(share * (1 - share) / seen))
        sd = scores[:, seat].std()
        agrees(scores[:, seat].mean(), sd / math.sqrt(count), mean, sd / math.sqrt(seen))
        assert abs(own.mean() - 0.25) <= WITHIN * own.std() / math.sqrt(count)  # choosing first is no help


def greedy_placement(count):
    batch, own = played(["greedy_placement", "random"], count)
    scores = batch.seats.score[own].astype(float)
    sd = scores.std()
    agrees(scores.mean(), sd / math.sqrt(count), GREEDY["mean"], GREEDY["sd"] / math.sqrt(GREEDY["count"]))
    agrees(sd, sd / math.sqrt(2 * count), GREEDY["sd"], GREEDY["sd"] / math.sqrt(2 * GREEDY["count"]))
    # The published program knows no tie-breaks: whoever has the most points has won or drawn.
    rivals = batch.seats.score.reshape(-1, 4).copy()
    mine = own.reshape(-1, 4)
    own_score = rivals[mine]
    rivals[mine] = -1
    best = rivals.max(axis=1)
    for ours, published in (((own_score > best), GREEDY["alone"]), ((own_score == best), GREEDY["drawn"])):
        part = ours.mean()
        error = math.sqrt(part * (1 - part) / count)
        agrees(part, error, published, math.sqrt(published * (1 - published) / GREEDY["count"]))


def branching(count):
    """Moves as the authors count them: a placement with a choice; a turned domino is another placement."""
    cell = cells.prepare(GAME, 4, rules=RULES, bots={"random": {}})
    moves = np.zeros((count, 13, 4))
    acts = np.zeros(GAME.legal_most, np.int32)
    fast = GAME.plain
    for game in range(count):
        table = replay.Table(cell, records.make(GAME.lineup_type, 4), 2018, game, game)
        for step in table.steps():
            before = step.before
            offered = fast.legal(before, cell.rules[0], acts)
            turn, seat = int(before.rounds), int(before.seat)
            if before.phase & 7 == 1:
                domino = cell.rules[0].dominoes[before.due[before.slot]]
                twice = 2 if domino.double and acts[0] < 1024 else 1
                moves[game, turn, seat] = offered * twice
                if turn == 12:
                    continue
            elif turn == 0:
                moves[game, 0, seat] = offered
            else:
                moves[game, turn, seat] *= offered
    return moves


def check_branching(count):
    moves = branching(count)
    errors = moves.mean(axis=2).std(axis=0) / math.sqrt(count)
    for turn, published in enumerate(BRANCHING):
        # Theirs is one seat of each of some 1,000 games, printed to one digit.
        theirs = math.hypot(moves[:, turn].std() / math.sqrt(1_000), 0.05 / math.sqrt(3))
        agrees(moves[:, turn].mean(), errors[turn], published, theirs)


def test_random_play_scores_as_published():
    random_play(20_000)


def test_greedy_placement_scores_as_published():
    greedy_placement(20_000)


def test_the_number_of_moves_is_as_published():
    check_branching(40)


@pytest.mark.validate
def test_published_results_in_200_000_games():
    random_play(200_000)
    greedy_placement(200_000)
    check_branching(400)


def test_each_published_bot_beats_the_one_before():
    for better, worse in (("greedy_placement", "random"), ("full_greedy", "greedy_placement")):
        batch, own = played([better, worse], 2_000)
        share = batch.seats.share[own]
        assert share.mean() - 4 * share.std() / math.sqrt(len(share)) > 0.25
