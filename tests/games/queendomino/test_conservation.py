"""What never changes, whatever is played, looked over after every act."""

from __future__ import annotations

import numpy as np
import pytest

from audits import queendomino as audits
from balance import cell as cells
from balance import compiler, games, link, records

NAMES = [
    "DOMINOES_ASTRAY",
    "DECK_NOT_WHOLE",
    "SQUARES_ASTRAY",
    "TERRITORIES_WRONG",
    "POINTS_WRONG",
    "OFF_THE_GRID",
    "COINS_ASTRAY",
    "KNIGHTS_ASTRAY",
    "TOWERS_ASTRAY",
    "BUILDINGS_ASTRAY",
    "SITES_ASTRAY",
    "QUEEN_ASTRAY",
    "DRAGON_ASTRAY",
    "SCORE_FELL_APART",
    "NOTHING_TO_DO",
    "UNFINISHED",
]


@pytest.fixture(scope="module")
def audit():
    """The audit, compiled with the games it plays: once for Kingdomino, once for the others."""
    import numba

    def compile(function, entry):
        whole = function.__name__ == "audit"
        return numba.njit(nogil=True, boundscheck=True, error_model="numpy", **compiler.options(whole))(
            function
        )

    made = {}

    def of(game):
        key = game.modules[-1].__name__
        if key not in made:
            playing = ("bots", "planner", "kingdomino_bots", "queendomino_bots")
            rules = [module for module in game.modules if module.__name__.rpartition(".")[2] not in playing]
            made[key] = link.link([*rules, audits], compile).audit
        return made[key]

    return of


def played(audit, id, players, count, rules):
    game = games.get(id)
    cell = cells.prepare(game, players, rules=rules, bots={"random": {}})
    lineups = records.make(game.lineup_type, count * players)
    found, acts = np.zeros(len(NAMES), np.int64), np.zeros(1, np.int64)
    desk = records.make(game.desk_type)
    seed = np.uint64(8)
    audit(game)(found, acts, lineups, cell.rules, cell.bots, desk, seed, count, players, game.limit)
    assert acts[0] > 20 * count
    return dict(zip(NAMES, found.tolist(), strict=True))


TABLES = [
    *(("kingdomino", players, {}) for players in (2, 3, 4)),
    ("kingdomino", 2, {"grid": 7, "dominoes_used": 48, "middle_kingdom": 10, "harmony": 5}),
    ("kingdomino", 3, {"line": 4, "dominoes_used": 48, "dynasty": 3}),
    *(("queendomino", players, {}) for players in (2, 3, 4)),
    ("queendomino", 3, {"queen": False, "icons": "option_a", "knight_pieces": 6, "tower_pieces": 3}),
    ("queendomino", 4, {"dragon": False, "costs": [1, 1, 1, 0, 0, 0], "start_coins": 20, "icons": "minimal"}),
    *(("royal-wedding", players, {}) for players in (3, 4, 5, 6, 7, 8)),
    *(("royal-wedding-pairs", players, {}) for players in (6, 8)),
]
IDS = [f"{id}-{players}{'-house' if rules else ''}{n}" for n, (id, players, rules) in enumerate(TABLES)]


@pytest.mark.parametrize(("id", "players", "rules"), TABLES, ids=IDS)
def test_nothing_is_lost_or_made(audit, id, players, rules):
    assert played(audit, id, players, 500, rules) == dict.fromkeys(NAMES, 0)


@pytest.mark.validate
@pytest.mark.parametrize(("id", "players", "rules"), TABLES, ids=IDS)
def test_nothing_is_lost_or_made_in_100_000_games(audit, id, players, rules):
    assert played(audit, id, players, 100_000, rules) == dict.fromkeys(NAMES, 0)
