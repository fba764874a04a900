"""What never changes in Stone Age, whatever is played: tried after every act of many games."""

from __future__ import annotations

import ast
import inspect

import numpy as np
import pytest

from audits import stone_age as audits
from balance import cell as cells
from balance import compiler, games, link, records

LAWS = [
    name.id
    for node in ast.parse(inspect.getsource(audits)).body
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
    for name in node.targets[0].elts
    if isinstance(name, ast.Name)
]
VARIANTS = {
    "base": {},
    "expansion": {"expansion": True},
    "base with New Huts": {"new_huts": True},
    "expansion with New Huts": {"expansion": True, "new_huts": True},
}


@pytest.fixture(scope="module")
def audit():
    """The audit, compiled with the game it plays."""
    import numba

    game = games.get("stone-age")

    def compile(function, entry):
        whole = function.__name__ == "audit"
        return numba.njit(nogil=True, boundscheck=True, error_model="numpy", **compiler.options(whole))(
            function
        )

    return link.link([*game.modules, audits], compile).audit


def played(audit, players, count, bots, rules):
    """Count what broke in `count` games of these bots, who change seats from game to game."""
    cell = cells.prepare(games.get("stone-age"), players, rules=rules, bots={name: {} for name in bots})
    lineups = records.make(cell.game.lineup_type, count * players)
    number, seat = np.divmod(np.arange(count * players), players)
    lineups.bot = (number // 7 + seat) % len(bots)
    found, acts = np.zeros(len(LAWS), np.int64), np.zeros(1, np.int64)
    desk = records.make(cell.game.desk_type)
    audit(found, acts, lineups, cell.rules, cell.bots, desk, np.uint64(8), count, players, 20_000)
    assert acts[0] > 100 * count
    return dict(zip(LAWS, found.tolist(), strict=True))


def holds(broken):
    assert broken == dict.fromkeys(LAWS, 0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_or_made_in_random_games(audit, players, variant):
    holds(played(audit, players, 400, ["random"], VARIANTS[variant]))


def test_nothing_is_lost_or_made_by_five(audit):
    holds(played(audit, 5, 400, ["random"], {"new_huts": True}))


@pytest.mark.validate
@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_is_lost_or_made_in_very_many_random_games(audit, variant):
    for players, count in ((2, 30_000), (3, 30_000), (4, 40_000)):
        holds(played(audit, players, count, ["random"], VARIANTS[variant]))


@pytest.mark.validate
def test_nothing_is_lost_or_made_in_very_many_games_of_five(audit):
    holds(played(audit, 5, 100_000, ["random"], {"new_huts": True}))


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"expansion": True, "new_huts": True},
        {"hunger": 0, "hunger_each": 5, "start_food": 0, "food_by_resources": False},
        {"expansion": True, "trade_levels": [0, 0, 0], "trades_a_round": 9, "start_jewellery": 20},
        {"stack_height": 3, "start_figures": 10, "gather_room": 3, "village_places": 1},
        {"card_price": [0, 0, 0, 0], "one_use_count": True, "raised_tool_fresh": True},
        {"expansion": True, "fifth_price": 0, "extra_price": 0, "advance_at_the_end": True},
        {"figure_food": 5, "marker": "stays", "idle_visits": False, "agriculture_most": 3, "tools_most": 4},
    ],
)
def test_nothing_is_lost_or_made_under_house_rules(audit, rules):
    holds(played(audit, 4, 150, ["random", "balanced", "starvation", "traders"], rules))
