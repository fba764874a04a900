"""The fast rules against slow and obvious ones: neighbours, gold, where settlements may go."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import dice, games, records, replay
from balance.games.kingdom_builder.acts import PUT, USE
from balance.games.kingdom_builder.content import LETTERS, jumps, neighbours
from balance.games.kingdom_builder.state import BUILDING, SIDE
from games.kingdom_builder import naive

GAME = games.get("kingdom-builder")
ROWS = [entry["rows"] for entry in GAME.components["quadrants"].values()]
CARDS = list(GAME.components["cards"])


def table(seed, players=2, bots=("random",), rules=None):
    """A game opened in the plain lane."""
    cell = cells.prepare(GAME, players, rules=rules, bots={name: {} for name in bots})
    lineup = records.make(GAME.lineup_type, players)
    lineup.bot = np.arange(players) % len(bots)
    return replay.Table(cell, lineup, seed, seed, seed)


def played(seed, acts, **how):
    """The same after so many acts."""
    opened = table(seed, **how)
    for _ in range(acts):
        if opened.state.over:
            break
        step(opened)
    return opened


def step(opened):
    lib, cell, desk = opened.lib, opened.cell, opened.desk
    act = lib.decide(opened.state, cell.rules[0], cell.bots, opened.lineup, desk.rng, desk)
    lib.apply(opened.state, cell.rules[0], act, desk.rng)


def laid(state):
    return naive.board((ROWS[section // 2], section % 2) for section in state.section)


def own(state, seat):
    houses = state.players[seat].houses
    return {(r, c) for r in range(SIDE) for c in range(SIDE) if houses[r] >> c & 1}


def test_neighbours_are_the_hexes_that_touch():
    for spot, found in enumerate(neighbours()):
        here = divmod(spot, SIDE)
        assert sorted(divmod(int(o), SIDE) for o in found if o >= 0) == sorted(naive.neighbours(here))
        for direction, other in enumerate(found):
            if other >= 0:
                assert neighbours()[other][direction ^ 1] == spot


def test_a_jump_is_two_steps_in_one_direction():
    step_, jump = neighbours(), jumps()
    for spot in range(SIDE * SIDE):
        for direction in range(6):
            first = step_[spot][direction]
            # Beside the border the hex between may be missing where the goal is not.
            if first >= 0:
                assert jump[spot][direction] == step_[first][direction]


def test_letters_stand_for_kinds():
    assert list(LETTERS) == list("GLFCDWMXK")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("acts", [25, 70, 400])
def test_gold_is_what_the_rulebook_says(seed, acts):
    opened = played(seed, acts, players=2 + seed % 4, rules={"cards_in_play": 10})
    state, rules = opened.state, opened.cell.rules[0]
    hexes = laid(state)
    settled = [own(state, seat) for seat in range(state.seats)]
    for seat in range(state.seats):
        for number, card in enumerate(CARDS):
            paid = opened.lib.card_points(state, rules, number, seat)
            assert paid == naive.gold(card, seat, settled, hexes), card
        assert opened.lib.castle_points(state, rules, seat) == naive.gold("castle", seat, settled, hexes)


@pytest.mark.parametrize("seed", range(3))
def test_builds_are_next_to_own_settlements_where_that_is_possible(seed):
    opened = table(seed, players=3)
    acts = np.zeros(GAME.legal_most, np.int32)
    while not opened.state.over:
        state, rules = opened.state, opened.cell.rules[0]
        count = opened.lib.legal(state, rules, acts)
        if state.phase <= BUILDING and state.card >= 0:
            hexes = laid(state)
            taken = set().union(*(own(state, seat) for seat in range(state.seats)))
            free = {spot for spot, letter in hexes.items() if letter == "GLFCD"[state.card]} - taken
            mine = own(state, state.seat)
            close = {spot for spot in free if any(other in mine for other in naive.neighbours(spot))}
            offered = {divmod(int(act), SIDE) for act in acts[:count] if act < USE}
            assert offered == (close or free)
        step(opened)


@pytest.mark.parametrize("seed", range(40, 46))
def test_groups_stay_right_when_settlements_move(seed):
    opened = table(seed)
    moved = 0
    while not opened.state.over:
        moved += opened.state.phase == 4
        step(opened)
        state = opened.state
        for seat in range(state.seats):
            sizes = sorted(int(n) for n in state.players[seat].group_size if n)
            assert sizes == sorted(map(len, naive.groups(own(state, seat))))
    assert moved > 0


def test_a_redealt_hand_comes_from_what_the_seat_cannot_see():
    opened = played(5, 60, players=4, rules={"terrain_hand": 2})
    before = opened.state.copy()
    seen = set()
    for number in range(30):
        state = before.copy().view(np.recarray)
        stream = records.make(np.dtype(opened.desk.rng.seats[0].dtype))[0]
        dice.start(stream, 1, number, 77)
        opened.lib.redeal(state, opened.cell.rules[0], 1, stream)
        assert list(state["players"]["hand"][1]) == list(before["players"]["hand"][1])
        assert state["players"]["hand"][:4].sum(1).tolist() == before["players"]["hand"][:4].sum(1).tolist()
        seen.add(state["players"]["hand"][0].tobytes())
    assert len(seen) > 3


def test_act_codes_do_not_meet():
    assert GAME.acts > PUT > USE > 0
