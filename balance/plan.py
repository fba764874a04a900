"""What a scenario would run, before it runs: its cells, how evenly they are spread, games needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import cell as cells_
from balance import description, design, games
from balance.analysis import planning
from balance.runner import MOST
from balance.scenario import GAMES

if TYPE_CHECKING:
    from balance.cell import Cell
    from balance.design import Design
    from balance.scenario import Scenario


TRIAL = 0.2  # seconds that a cell is played to see how fast it is
TRIALS = 3.0  # seconds for all cells together; the others are taken to be as fast as the mean


def plan(scenario: Scenario, tell: Callable[[str], None] | None = None) -> dict[str, Any]:
    """Return what `balance check` prints; with `tell`, a few games are played to see how long it takes.

    Parameters
    ----------
    tell
        Hears a line when code is compiled for those games.

    Returns
    -------
    dict
        `scenario`, `game`, `title`, `question`, `seed`, `games` (a cell), `precision`, `until`, `band`;
        `cells` with `index`, `label`, `players`, `bots`, `changed`, `notes` (of the game), `block_games`,
        `games` (in whole blocks), `layouts` (none, or `factor`, `count`, and the fewest and most `blocks`
        of one), `blank` (whether it only lacks a part that another has), `needed` and `foreseen` (see
        `analysis.planning`); `balance`, a table (see `Design.counts`) of the first `games` for each
        design that differs from those before, with the `cells` it holds for; `seconds`, about how long
        the sweep takes on this machine with all its cores (null if not tried).
    """
    wanted = scenario.games or (MOST if scenario.until else GAMES)
    made_: list[tuple[Cell, Design]] = []
    cells: list[dict[str, Any]] = []
    spreads: list[dict[str, Any]] = []
    for cell in design.cells(scenario):
        made = design.lineups(scenario, cell)
        made_.append((cell, made))
        blocks = -(-wanted // made.block_games)
        families = _families(cell, made)
        sides = len(set(made.sides))
        cells.append(
            {
                "index": cell.index,
                "label": cell.label,
                "players": cell.players,
                "bots": list(cell.bot_names),
                "changed": dict(cell.changed),
                "notes": description.notes(cell, made),
                "block_games": made.block_games,
                "games": blocks * made.block_games,
                "layouts": _layouts(made, blocks),
                "blank": cell.blank is not None,
                "needed": planning.needed(families, sides).to_dicts(),
                "foreseen": planning.foreseen(
                    families, sides, blocks * made.block_games, made.block_games, scenario.band
                ).to_dicts(),
            }
        )
        counts = made.counts(wanted).to_dicts()
        for spread in spreads:
            if spread["counts"] == counts:
                spread["cells"].append(cell.label)
                break
        else:
            counted = min(blocks, design.COUNTED) * made.block_games
            spreads.append({"cells": [cell.label], "games": counted, "counts": counts})
    return {
        "scenario": scenario.where,
        "game": games.get(scenario.game).title,
        "title": scenario.title,
        "question": scenario.question,
        "seed": scenario.seed,
        "games": wanted,
        "precision": scenario.precision,
        "until": scenario.until,
        "band": scenario.band,
        "cells": cells,
        "balance": spreads,
        "seconds": None if tell is None else seconds(made_, [cell["games"] for cell in cells], tell),
    }


def seconds(made: list[tuple[Cell, Design]], wanted: list[int], tell: Callable[[str], None]) -> float | None:
    """Guess how long a sweep takes, from a few games of each cell; nothing if no game can be played."""
    lib = made[0][0].game.fast(tell)
    each: list[float] = []  # seconds a game
    started = time.perf_counter()
    for cell, lineups in made:
        if time.perf_counter() - started > TRIALS:
            break
        spent, played, blocks = 0.0, 0, 1
        while spent < TRIAL / 2:
            numbers, block, seated = lineups.of(np.arange(blocks))
            before = time.perf_counter()
            cells_.play(cell, lib, numbers, block, seated, seed=1)
            spent, played = time.perf_counter() - before, len(numbers)
            blocks *= 2
        each.append(spent / played)
    mean = sum(each) / len(each)
    per_game = [*each, *[mean] * (len(made) - len(each))]
    cores = os.cpu_count() or 1
    return sum(games * one for games, one in zip(wanted, per_game, strict=True)) / cores


def _layouts(made: Design, blocks: int) -> dict[str, Any] | None:
    """Return how many layouts there are, and how many blocks each gets."""
    if made.layouts is None:
        return None
    count = len(made.layouts.keys)
    return {"factor": made.layouts.factor, "count": count, "blocks": [blocks // count, -(-blocks // count)]}


def _families(cell: Cell, made: Design) -> dict[str, int]:
    """Return what is compared within a cell, and how many levels it has in play."""
    laid = made.layouts.factor if made.layouts else ""
    factors = {
        factor.label: len(made.levels[factor.name]) for factor in cell.game.factors if factor.name != laid
    }
    families = {**factors, "Bot": len(made.levels["bot"]), "Seat": cell.players}
    if cell.treatments:
        return {}
    return {name: levels for name, levels in families.items() if levels > 1}
