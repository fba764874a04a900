"""What never changes, whatever is played: tried on 100,000 random games, after every act."""

from __future__ import annotations

import numpy as np
import pytest

from audits import tiny_epic_kingdoms as audits
from balance import cell as cells
from balance import compiler, games, link, records
from balance.games.tiny_epic_kingdoms import powers, state

LAWS = [name for name, value in vars(audits).items() if name.isupper() and isinstance(value, int)]
LAWS = [name for name in LAWS if not hasattr(state, name)]  # but for the terms that the audit imports


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


def played(audit, players, count, bots, rules, components=None):
    cell = cells.prepare(
        games.get("tiny-epic-kingdoms"),
        players,
        rules=rules,
        components=components,
        bots={name: {} for name in bots},
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


def random_nations(seed, count):
    """Nations whose levels have two effects each, drawn from the whole vocabulary; amounts are small."""
    draw = np.random.default_rng(seed)
    made = {}
    for number in range(count):
        names = draw.permutation([name for name in powers.EFFECTS if name != "mana_as_any"])[:10]
        levels = {}
        for level in range(1, 6):
            effects = []
            for name in names[2 * level - 2 : 2 * level]:
                effect = powers.EFFECTS[name]
                entry = {"effect": str(name)} | {
                    key: str(draw.choice(powers.MENUS[key])) for key in effect.keys
                }
                if entry.get("chosen") == "trade":
                    entry["perform"] = "build"
                elif "chosen" in entry:
                    entry["perform"] = "trade"
                if not effect.flag:
                    entry["amount"] = int(draw.integers(1, min(effect.high, 3) + 1))
                effects.append(entry)
            levels[str(level)] = {"effects": effects}
        made[f"folk_{number}"] = {"levels": levels}
    return made


@pytest.mark.parametrize("players", [2, 4])
def test_nothing_is_lost_or_made_by_nations_of_any_effects(audit, players):
    bots = ["random", "warlord", "diplomat", "settler"]
    own = {"nations": random_nations(seed=5, count=16)}
    broken = played(audit, players, 1_500, bots, {"side_choice": "dealt"}, own)
    assert broken == dict.fromkeys(LAWS, 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nothing_is_lost_or_made_with_exploration_tokens(audit, players):
    broken = played(audit, players, 3_000, ["random"], {"exploration": True})
    assert broken == dict.fromkeys(LAWS, 0)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, {"exploration": True, "lost_tokens": False, "war_overpay": False, "neutral_number": 3}),
        (3, {"exploration": True, "lost_kingdom": True, "home_tokens": 2, "fort_marches": False}),
        (4, {"lost_kingdom": True, "two_flags": "defender"}),
        (5, {"exploration": True, "home_tokens": 0, "blanks_out": 0, "start_meeples": 1}),
    ],
)
def test_nothing_is_lost_or_made_under_house_rules_of_the_modes(audit, players, rules):
    broken = played(audit, players, 600, ["random", "warlord", "diplomat", "settler"], rules)
    assert broken == dict.fromkeys(LAWS, 0)


@pytest.mark.validate
@pytest.mark.parametrize(
    ("players", "exploration"), [(2, False), (2, True), (3, True), (4, True), (5, True), (5, False)]
)
def test_nothing_is_lost_or_made_in_a_hundred_thousand_games_of_each_variant(audit, players, exploration):
    broken = played(audit, players, 100_000, ["random"], {"exploration": exploration})
    assert broken == dict.fromkeys(LAWS, 0)
