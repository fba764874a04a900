"""What never changes, whatever is played or laid: after every act of random games, and on all maps."""

from __future__ import annotations

import numpy as np
import pytest

from audits import kingdom_builder as audits
from balance import cell as cells
from balance import compiler, games, link, records

LAWS = (
    *("SETTLEMENTS_LOST", "TWO_ON_A_HEX", "NOT_BUILDABLE", "FREE_HEXES_WRONG", "NEIGHBOURS_WRONG"),
    *("GROUPS_WRONG", "QUADRANTS_WRONG", "TILES_LOST", "TILE_WITHOUT_SETTLEMENT", "TERRAIN_CARDS_LOST"),
    *("SCORE_IS_NOT_ITS_SOURCES", "SUPPLY_GREW", "NOTHING_TO_DO", "UNFINISHED"),
)
MAP_LAWS = ("TOUCHES_TWO", "SPECIAL_ON_BORDER", "BESIDE_WRONG", "NUMBERS_WRONG")


@pytest.fixture(scope="module")
def lib():
    """The audits, compiled with the game they play."""
    import numba

    game = games.get("kingdom-builder")

    def compile(function, entry):
        whole = function.__name__ in ("audit", "audit_maps")
        return numba.njit(nogil=True, boundscheck=True, error_model="numpy", **compiler.options(whole))(
            function
        )

    return link.link([*game.modules, audits], compile)


def played(lib, players, count, bots, rules):
    cell = cells.prepare(games.get("kingdom-builder"), players, rules=rules, bots={name: {} for name in bots})
    found, acts = np.zeros(len(LAWS), np.int64), np.zeros(1, np.int64)
    lineups = records.make(cell.game.lineup_type, count * players)
    lineups.bot = np.add(*np.divmod(np.arange(count * players), players)) % len(bots)
    desk = records.make(cell.game.desk_type)
    lib.audit(
        found, acts, lineups, cell.rules, cell.bots, desk, np.uint64(8), count, players, cell.game.limit
    )
    assert acts[0] > 50 * count
    return dict(zip(LAWS, found.tolist(), strict=True))


@pytest.mark.parametrize(("players", "count"), [(2, 10_000), (3, 5_000), (4, 3_000), (5, 2_000)])
def test_nothing_is_lost_or_made_in_random_games(lib, players, count):
    assert played(lib, players, count, ["random"], {}) == dict.fromkeys(LAWS, 0)


@pytest.mark.validate
@pytest.mark.parametrize(("players", "count"), [(2, 50_000), (3, 25_000), (4, 15_000), (5, 10_000)])
def test_nothing_is_lost_or_made_in_very_many_random_games(lib, players, count):
    assert played(lib, players, count, ["random"], {}) == dict.fromkeys(LAWS, 0)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"terrain_hand": 2, "extra_builds": "reserve", "moves_take_tiles": False},
        {"locations": "drawn", "castle_tokens": 2, "cards_in_play": 10, "lords_zero": False},
        {"builds": 9, "terrain_cards": 1, "terrain_hand": 2, "adjacency": False},
        {"settlements": 50, "terrain_cards": 1, "first_hand": 3, "tiles": 5},
        {"settlements": 12, "builds": 1, "cards_in_play": 0, "tiles": 0},
    ],
)
def test_nothing_is_lost_or_made_under_house_rules(lib, rules):
    bots = ["random", "greedy"]
    assert played(lib, 5, 600, bots, rules) == dict.fromkeys(LAWS, 0)


def test_all_maps_keep_what_the_rules_rely_on(lib):
    cell = cells.prepare(games.get("kingdom-builder"), 2)
    found = np.zeros(len(MAP_LAWS), np.int64)
    assert lib.audit_maps(found, cell.rules, records.make(cell.game.desk_type)) == 26_880
    assert dict(zip(MAP_LAWS, found.tolist(), strict=True)) == dict.fromkeys(MAP_LAWS, 0)
