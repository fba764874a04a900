"""A dataset by the contract, with outcomes whose truth is planted. Blocks are really blocks:
all line-ups of a block share its luck, so its rows are far from independent.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import polars as pl

from balance import manifest as sealing
from balance.manifest import SCHEMA

NATIONS = {
    "orcs": ("Orcs", "seed"),
    "humans": ("Humans", "seed"),
    "dwarves": ("Dwarves", "seed"),
    "halflings": ("Halflings", "seed"),
    "lizardfolk": ("Lizardfolk", "seed"),
    "elves": ("Elves", "public"),
}
LANDS = {"coast": ("Coast", "reconstructed"), "hills": ("Hills", "reconstructed")}
ENDS = ("meeples", "castle", "magic")
SOURCES = ("meeples", "castle", "magic", "capital")


def lineups(levels: int, players: int) -> np.ndarray:
    """Return a block's line-ups, each level equally often in each seat: (games, players)."""
    first = np.arange(levels)
    return np.array(
        [[(f + step * k) % levels for k in range(players)] for step in _steps(levels) for f in first]
    )


def _steps(levels: int) -> list[int]:
    return [step for step in range(1, levels) if np.gcd(step, levels) == 1] or [1]


def frames(
    blocks: int,
    *,
    seed: int = 1,
    players: int = 4,
    strength: dict[str, float] | None = None,
    nations: dict[str, tuple[str, str]] | None = None,
    seat_edge: float = 0.0,
    ties: float = 0.0,
    luck: float = 1.0,
    unfinished: float = 0.0,
    cell: int = 0,
    bots: tuple[str, ...] = ("builder", "warlord"),
    first_block: int = 0,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make the games and seats tables of one cell; `strength` is added to a nation's log odds."""
    rng = np.random.default_rng(seed)
    nations = NATIONS if nations is None else nations
    keys = np.array(list(nations))
    block_lineups = lineups(len(keys), players)
    size = len(block_lineups)
    games = blocks * size
    block = np.repeat(np.arange(blocks), size)
    nation = np.tile(block_lineups, (blocks, 1))
    edge = np.array([(strength or {}).get(key, 0.0) for key in keys])
    # The block's luck favours seats alike in all its line-ups: what makes its rows depend.
    odds = edge[nation] + luck * rng.gumbel(size=(games, players))
    odds += np.repeat(rng.normal(0.0, 0.5, (blocks, players)), size, axis=0)
    odds[:, 0] += seat_edge
    order = np.argsort(np.argsort(-odds, axis=1), axis=1) + 1
    tied = rng.random(games) < ties
    rank = np.where(tied[:, None] & (order == 2), 1, order)
    finished = rng.random(games) >= unfinished
    winners = (rank == 1).sum(axis=1, keepdims=True)
    share = np.where((rank == 1) & finished[:, None], 1.0 / winners, 0.0)
    points = rng.poisson(3.0, (games, players, len(SOURCES))) + (rank == 1)[:, :, None]
    score = points.sum(axis=2)
    wars = rng.poisson(1.3, (games, players))
    head = {"cell": np.full(games, cell, np.int32), "game": np.arange(games), "block": block + first_block}
    game_table = pl.DataFrame(
        head
        | {
            "players": np.full(games, players, np.int32),
            "turns": (rng.poisson(18, games) + 6).astype(np.int32),
            "decisions": (rng.poisson(180, games) + 60).astype(np.int32),
            "finished": finished,
            "end_trigger": pl.Series(np.array(ENDS)[rng.integers(0, 3, games)], dtype=pl.Enum(ENDS)),
            "wars": wars.sum(axis=1).astype(np.int32),
            "alliances": rng.poisson(0.4, games).astype(np.int32),
        }
    )
    seat = np.tile(np.arange(1, players + 1), games)
    each = {name: np.repeat(column, players) for name, column in head.items()}
    seat_table = pl.DataFrame(
        each
        | {
            "seat": seat.astype(np.int32),
            "side": seat.astype(np.int32),
            "bot": pl.Series(
                np.array(bots)[(seat + np.repeat(block, players)) % len(bots)], dtype=pl.Enum(bots)
            ),
            "share": share.ravel(),
            "score": score.ravel().astype(np.int32),
            "rank": rank.ravel().astype(np.int32),
            "nation": keys[nation.ravel()],
            "territory": np.array(list(LANDS))[(seat + np.repeat(block // 2, players)) % len(LANDS)],
            **{f"points_{name}": points[:, :, i].ravel().astype(np.int32) for i, name in enumerate(SOURCES)},
            "seat_wars": wars.ravel().astype(np.int32),
            "first_castle": np.where(wars.ravel() % 3 == 0, -1, 2 + wars.ravel()).astype(np.int32),
            "food_left": rng.integers(0, 9, games * players).astype(np.int32),
        }
    )
    return game_table, seat_table


def manifest(
    tables,
    *,
    nations=None,
    complete=True,
    bots=("builder", "warlord"),
    changed=None,
    labels=None,
    games=None,
    layouts=None,
    more=None,
):
    """Write the manifest of cells whose (games, seats) are `tables`, without its parts."""
    nations = NATIONS if nations is None else nations
    levels = [{"key": key, "name": name, "certainty": sure} for key, (name, sure) in nations.items()]
    lands = [{"key": key, "name": name, "certainty": sure} for key, (name, sure) in LANDS.items()]
    players = int(tables[0][0]["players"][0])
    count = games or max(len(one) for one, _ in tables) * (1 if complete else 2)
    return {
        "schema": SCHEMA,
        "game": "tiny-epic-kingdoms",
        "title": "The six sourced nations at four players",
        "question": "Which nation of Tiny Epic Kingdoms is too strong at four players?",
        "scenario": {
            "game": "tiny-epic-kingdoms",
            "players": [players],
            "seed": 7,
            "bots": {bot: {} for bot in bots},
            "rules": {"castle_vp": "low"},
            "vary": {},
            "variants": [],
            "components": {},
        },
        "scenario_text": f'game = "tiny-epic-kingdoms"\nplayers = {players}\nseed = 7\ngames = {count}\n',
        "primary": "nation",
        "layouts": layouts,
        "seed": 7,
        "games": count,
        "players": [players],
        "precision": None,
        "signature": "game:tiny-epic-kingdoms|version:1|bots:builder+warlord|seed:7|games:1x5000|code:77aa",
        "run": "0" * 16,
        "versions": {"balance": "0.1.0", "numba": "0.61", "numpy": "2.0", "polars": "1.20", "python": "3.11"},
        "cells": [
            {
                "index": index,
                "label": (labels or {}).get(index, "base" if index == 0 else f"cell {index}"),
                "players": players,
                "bots": list(bots),
                "changed": (changed or {}).get(index, {}),
                **(more or {}).get(index, {}),
                "block_games": len(games_.filter(games_["block"] == games_["block"][0])),
            }
            for index, (games_, _) in enumerate(tables)
        ],
        "factors": [
            {"name": "territory", "label": "Territory", "primary": False, "unique": False, "levels": lands},
            {"name": "nation", "label": "Nation", "primary": True, "unique": True, "levels": levels},
        ],
        "columns": {
            "game": [
                {"name": "end_trigger", "role": "category", "label": "End trigger", "labels": list(ENDS)},
                {"name": "wars", "role": "count", "label": "Wars", "labels": []},
                {"name": "alliances", "role": "count", "label": "Alliances", "labels": []},
            ],
            "seat": [
                *(
                    {"name": f"points_{name}", "role": "source", "label": name.capitalize(), "labels": []}
                    for name in SOURCES
                ),
                {"name": "seat_wars", "role": "count", "label": "Wars fought", "labels": []},
                {"name": "first_castle", "role": "time", "label": "First castle level", "labels": []},
                {"name": "food_left", "role": "stock", "label": "Food left", "labels": []},
            ],
        },
        "provenance": [
            {
                "what": "nations.elves",
                "name": "Elves",
                "certainty": "public",
                "source": "2013 print-and-play prototype",
                "note": "the printed card may differ",
            },
            {
                "what": "territories.coast",
                "name": "Coast",
                "certainty": "reconstructed",
                "source": "laid out by hand",
                "note": "",
            },
            {
                "what": "rules.castle_vp",
                "name": "castle_vp",
                "certainty": "reconstructed",
                "source": "",
                "note": "points by castle level",
            },
        ],
    }


def write(folder: Path, *tables: tuple[pl.DataFrame, pl.DataFrame], parts: int = 1, **manifest_options):
    """Write cells of (games, seats) as a dataset in `folder` and open it."""
    from balance import dataset

    told = manifest(tables, **manifest_options)
    told["parts"] = []
    for cell, (games, seats) in enumerate(tables):
        for index, first in enumerate(range(0, len(games), max(1, -(-len(games) // parts)))):
            count = min(-(-len(games) // parts), len(games) - first)
            players = len(seats) // len(games)
            cut = {
                "games": games[first : first + count],
                "seats": seats[first * players : (first + count) * players],
            }
            files = {}
            for name, table in cut.items():
                path = folder / name / f"part-{cell:03}-{index:05}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                table.write_parquet(path)
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                files[name] = {
                    "path": str(path.relative_to(folder)),
                    "sha256": digest,
                    "bytes": path.stat().st_size,
                }
            told["parts"].append(
                {
                    "cell": cell,
                    "index": index,
                    "first_game": first,
                    "games": count,
                    "seats_rows": count * players,
                    "turns_rows": 0,
                    "files": files,
                }
            )
    folder.mkdir(parents=True, exist_ok=True)
    told = json.loads(json.dumps(told, sort_keys=True))  # as it will be read
    told["digest"] = sealing.digest(told)
    (folder / "manifest.json").write_text(json.dumps(told, indent=1, sort_keys=True), encoding="utf-8")
    return dataset.open(folder)
