"""What a scenario would run, before it runs: its cells, how evenly they are spread, games needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from balance import design, games
from balance.analysis import planning
from balance.scenario import GAMES

if TYPE_CHECKING:
    from balance.cell import Cell
    from balance.design import Design
    from balance.scenario import Scenario


def plan(scenario: Scenario) -> dict[str, Any]:
    """Return what `balance check` prints.

    Returns
    -------
    dict
        `scenario`, `game`, `title`, `question`, `seed`, `games` (a cell), `precision`; `cells` with
        `index`, `label`, `players`, `bots`, `changed`, `block_games`, `games` (in whole blocks) and
        `needed` (see `analysis.planning.needed`); `balance`, a table (see `Design.counts`) for each
        design that differs from those before, with the `cells` it holds for.
    """
    wanted = scenario.games or GAMES
    cells: list[dict[str, Any]] = []
    spreads: list[dict[str, Any]] = []
    for cell in design.cells(scenario):
        made = design.lineups(scenario, cell)
        blocks = -(-wanted // made.block_games)
        cells.append(
            {
                "index": cell.index,
                "label": cell.label,
                "players": cell.players,
                "bots": list(cell.bot_names),
                "changed": dict(cell.changed),
                "block_games": made.block_games,
                "games": blocks * made.block_games,
                "needed": planning.needed(_families(cell, made), cell.players).to_dicts(),
            }
        )
        counts = made.counts(wanted).to_dicts()
        for spread in spreads:
            if spread["counts"] == counts:
                spread["cells"].append(cell.label)
                break
        else:
            spreads.append({"cells": [cell.label], "counts": counts})
    return {
        "scenario": scenario.where,
        "game": games.get(scenario.game).title,
        "title": scenario.title,
        "question": scenario.question,
        "seed": scenario.seed,
        "games": wanted,
        "precision": scenario.precision,
        "cells": cells,
        "balance": spreads,
    }


def _families(cell: Cell, made: Design) -> dict[str, int]:
    """Return what is compared within a cell, and how many levels it has in play."""
    factors = {factor.label: len(made.levels[factor.name]) for factor in cell.game.factors}
    families = {**factors, "Bot": len(made.levels["bot"]), "Seat": cell.players}
    if cell.treatments:
        return {}
    return {name: levels for name, levels in families.items() if levels > 1}
