"""Line-ups: balanced to within one block, at every prefix, and a function of (seed, game) alone."""

import dataclasses
import itertools
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance import cell as cells
from balance import dice, games
from balance.design import Design, Field, Rotation, draws, permutations
from balance.errors import ScenarioError
from balance.games import Factor


def same_card(one, other, lands):
    return lands[one]["card"] == lands[other]["card"]


def table(players, nations, bots=1, lands=0, faces=1, sides=None, seed=1, unique=True, repeat=False):
    """A design for Pig with nations that rotate, and lands of which `faces` share a card."""
    factors = [Factor("nation", "nations", "Nation", unique=unique, primary=True)]
    content = {"nations": {f"n{i}": {} for i in range(nations)}}
    if lands:
        factors.append(Factor("land", "lands", "Land", clash=same_card))
        content["lands"] = {f"l{i}": {"card": i // faces} for i in range(lands)}
    game = dataclasses.replace(
        games.get("pig"),
        factors=tuple(factors),
        components=content,
        prepare=None,
        sides=(lambda count: sides) if sides else (lambda count: list(range(count))),
    )
    cell = cells.prepare(game, players, bots={f"b{i}": {"kind": "holder"} for i in range(bots)})
    levels = {f.name: tuple(range(len(content[f.components]))) for f in factors}
    return Design(cell, Field(levels, repeat), seed)


def spreads(design, blocks):
    rows = design.counts(blocks * design.block_games).iter_rows(named=True)
    return {(row["what"], row["against"]): row for row in rows}


@given(
    players=st.integers(2, 4),
    nations=st.integers(4, 14),
    bots=st.integers(1, 5),
    cards=st.integers(4, 9),
    faces=st.integers(1, 3),
    seed=st.integers(0, 2**63 - 1),
    blocks=st.integers(1, 150),
)
def test_every_prefix_is_balanced_to_within_one_block(players, nations, bots, cards, faces, seed, blocks):
    design = table(players, nations, bots, cards * faces, faces, seed=seed)
    found = spreads(design, blocks)
    within = [("nation", "seat"), ("nation", "opponent's nation"), ("nation", "land"), ("land", "seat")]
    within += [("nation", "bot"), ("bot", "seat")] if bots > 1 else []
    for pair in within:
        assert found[pair]["spread"] <= found[pair]["block"], pair
    assert found["nation", "seat"]["spread"] == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_the_long_run_whatever_meets_meets_about_equally_often(players):
    design = table(players, 6, bots=3, lands=16, faces=2)
    for pair, row in spreads(design, 1200).items():
        assert row["spread"] <= 0.3 * row["high"], pair


def test_each_level_sits_once_in_each_seat_of_a_block_on_the_same_land_with_the_same_bots():
    design = table(4, 6, bots=2, lands=16, faces=2)
    _, _, lineup = design.of(np.arange(30))
    seats = lineup.reshape(30, 6, 4)
    for block in seats:
        for seat in range(4):
            assert sorted(block[:, seat]["nation"]) == list(range(6))
            assert len(set(block[:, seat]["land"])) == len(set(block[:, seat]["bot"])) == 1


@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), faces=st.integers(1, 3))
def test_no_two_seats_share_a_level_or_a_card(seed, players, faces):
    design = table(players, 5, lands=5 * faces, faces=faces, seed=seed)
    _, _, lineup = design.of(np.arange(40))
    for game in lineup.reshape(-1, players):
        assert len(set(game["nation"])) == players
        assert len(set(game["land"] // faces)) == players


def test_a_line_up_depends_on_seed_and_game_alone():
    first, later = table(3, 7, bots=2, lands=9), table(3, 7, bots=2, lands=9)
    _, _, at_once = first.of(np.arange(400))
    backwards = [later.of(np.array([block]))[2] for block in reversed(range(400))]
    assert np.array_equal(at_once, np.concatenate(backwards[::-1]))
    assert not np.array_equal(at_once, table(3, 7, bots=2, lands=9, seed=2).of(np.arange(400))[2])


def test_numbers_and_blocks_go_with_the_line_ups():
    numbers, blocks, lineup = table(2, 4).of(np.array([3, 5]))
    assert numbers.tolist() == [12, 13, 14, 15, 20, 21, 22, 23]
    assert blocks.tolist() == [3] * 4 + [5] * 4
    assert len(lineup) == 16


@pytest.mark.parametrize("sides", [[0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
def test_teams_are_balanced_as_opponents(sides):
    design = table(4, 7, bots=2, sides=sides)
    for blocks in (1, 5, 21, 100):
        row = spreads(design, blocks)["nation", "opponent's nation"]
        assert row["spread"] <= row["block"]
    mates = np.zeros((7, 7), dtype=int)
    _, _, lineup = design.of(np.arange(400))
    for game in lineup.reshape(-1, 4)["nation"]:
        for one, other in itertools.permutations(range(4), 2):
            mates[game[one], game[other]] += sides[one] == sides[other]
    met = mates[~np.eye(7, dtype=bool)]
    assert met.max() - met.min() <= 0.05 * met.max()


def test_without_levels_to_compare_the_bots_rotate():
    design = table(2, 1, bots=3, repeat=True)
    assert (design.rotates, design.block_games) == ("bot", 3)
    found = spreads(design, 10)
    assert found["bot", "seat"]["spread"] == found["bot", "opponent's bot"]["spread"] == 0


def test_a_mirror_match_with_one_bot_has_blocks_of_one_game():
    design = table(3, 1, repeat=True)
    assert design.block_games == 1
    assert design.counts(10).is_empty()


def test_levels_repeat_as_evenly_as_can_be_where_they_may():
    for design in (table(4, 2, repeat=True), table(4, 3, unique=False)):
        _, _, lineup = design.of(np.arange(50))
        levels = design.block_games
        for game in lineup.reshape(-1, 4)["nation"]:
            counts = np.bincount(game, minlength=levels)
            assert counts.max() - counts.min() <= 1


def test_repeat_leaves_alone_what_need_not_repeat():
    _, _, lineup = table(3, 2, lands=12, faces=2, repeat=True).of(np.arange(50))
    for game in lineup.reshape(-1, 3)["land"]:
        assert len(set(game // 2)) == 3


def test_too_few_levels_are_refused():
    with pytest.raises(ScenarioError, match="3 players need as many nations, and only 2"):
        table(3, 2)
    with pytest.raises(ScenarioError, match="3 players need as many lands, and only 2"):
        table(3, 4, lands=4, faces=2)


@pytest.mark.parametrize(("levels", "seats"), [(6, 2), (6, 3), (6, 4), (13, 4), (9, 5), (20, 8), (7, 8)])
def test_the_bases_of_a_cycle_form_a_difference_family(levels, seats):
    rotation = Rotation(levels, range(seats), seed=3, purpose=2048)
    bases = rotation.bases[rotation.order]
    counts = np.zeros(levels, dtype=int)
    for base in bases:
        for one, other in itertools.permutations(base, 2):
            counts[(one - other) % levels] += 1
    assert len(set(counts[1:])) == 1


def test_draws_are_those_of_the_dice():
    words = draws(12345, 2050, np.array([7, 2**40]), 6)
    stream = np.zeros(1, dice.STREAM).view(np.recarray)[0]
    for row, number in zip(words, (7, 2**40), strict=True):
        dice.start(stream, 12345, number, 2050)
        for start in (0, 4):
            dice.refill(stream)
            expected = stream.block[: len(row[start : start + 4])]
            assert row[start : start + 4].tolist() == expected.tolist()


def test_permutations_are_fair():
    orders = permutations(1, 2048, np.arange(6000), 3)
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6
    assert abs(counts - 1000).max() < 4 * np.sqrt(1000 * 5 / 6)


def test_five_thousand_games_are_laid_out_in_a_moment():
    start = time.perf_counter()
    design = table(4, 6, bots=6, lands=16, faces=2, seed=99)
    design.of(np.arange(5000 // 6))
    assert time.perf_counter() - start < 1.0
