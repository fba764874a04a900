"""What never changes, whatever is played: tried on 100,000 random games, after every act."""

from __future__ import annotations

import numpy as np
import pytest

from audits import tiny_epic_kingdoms as audits
from balance import cell as cells
from balance import compiler, games, link, records

LAWS = [name for name in vars(audits) if name.isupper() and isinstance(getattr(audits, name), int)]
LAWS = [name for name in LAWS if name not in ("AGAINST_NEUTRAL", "CASTLE_LEVELS", "MAGIC_LEVELS", "MEEPLES")]


@pytest.fixture(scope="module")
def audit():
    """The audit, compiled with the game it plays."""
    import numba

    game = games.get("tiny-epic-kingdoms")

    def compile(function, entry):
        whole = function.__name__ == "audit"
        return numba.njit(nogil=True, boundscheck=True, error_model="numpy", **compiler.options(whole))(
            function
        )

    return link.link([*game.modules, audits], compile).audit


def seats_at(cell, count, bots):
    """Line-ups that mix nations, sides of different cards and bots."""
    game, seats = cell.game, cell.players
    lineups = records.make(game.lineup_type, count * seats)
    number, seat = np.divmod(np.arange(count * seats), seats)
    lineups.bot = (number // 7 + seat) % bots
    lineups.nation = (number * 5 // 3 + seat) % len(cell.levels("nation"))
    lineups.territory = ((number + seat) % 8) * 2 + number // 8 % 2
    return lineups


def played(audit, players, count, bots, rules):
    cell = cells.prepare(
        games.get("tiny-epic-kingdoms"), players, rules=rules, bots={name: {} for name in bots}
    )
    found, acts = np.zeros(len(LAWS), np.int64), np.zeros(1, np.int64)
    desk = records.make(cell.game.desk_type)
    audit(
        found,
        acts,
        seats_at(cell, count, len(bots)),
        cell.rules,
        cell.bots,
        desk,
        np.uint64(8),
        count,
        players,
        20_000,
    )
    assert acts[0] > 50 * count
    return dict(zip(LAWS, found.tolist(), strict=True))


@pytest.mark.parametrize(("players", "count"), [(2, 10_000), (3, 30_000), (4, 50_000), (5, 20_000)])
def test_nothing_is_lost_or_made_in_random_games(audit, players, count):
    broken = played(audit, players, count, ["random"], {})
    assert broken == dict.fromkeys(LAWS, 0)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"war_overpay": False, "war_lowest": 0},
        {"two_flags": "defender", "ties": "attacker", "retreat_joins_own": False},
        {"cap": 5, "start_goods": 9, "search_gain": "meeple", "ruins_score": "standing", "shields": 3},
        {"start_goods": 27, "cap": 2, "castle_cost": [1, 1, 1, 2, 2, 2], "trigger_castle": 4},
        {"start_goods_by_seat": [-9, 2, 9, 9, 0], "start_food_by_seat": [0, 0, 0, 9, 0]},
        {"start_vp_by_seat": [-2, 0, 1, 3, 0], "start_ore_by_seat": [9, 0, 1, 2, 0]},
        {"start_meeples": 1, "side_choice": "dealt", "home_choice": "drawn", "goods_choice": "beginner"},
    ],
)
def test_nothing_is_lost_or_made_under_house_rules(audit, rules):
    bots = ["random", "warlord", "diplomat", "settler"]
    broken = played(audit, 4, 1_000, bots, rules)
    assert broken == dict.fromkeys(LAWS, 0)
