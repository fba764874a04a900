"""Budgets in milliseconds: turned into playouts once, by a measurement when a sweep begins.

What a bot may think is recorded as playouts, so that a run can be replayed and verified on any machine; a
sweep that goes on keeps the playouts it began with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from balance import arena, design
from balance import cell as cells_
from balance.scenario import Scenario
from balance.thinking import KEYS

TRIED = 64  # playouts a decision in the measurement, at first
LEAST, ROUNDS = 0.1, 3  # seconds of a measurement; of so many the quickest counts
MOST = next(int(key.high) for key in KEYS if key.name == "playouts")

Bots = Mapping[str, Mapping[str, Any]]


def timed(asked: Scenario) -> bool:
    """Say whether a bot of the scenario has milliseconds in the place of playouts."""
    searches = [spec.get("search", {}) for spec in asked.bots.values()]
    return any("milliseconds" in search and "playouts" not in search for search in searches)


def settle(
    asked: Scenario, before: Mapping[str, Any] | None = None, tell: Callable[[str], None] = lambda line: None
) -> Scenario:
    """Return `asked` with playouts for every bot that has but milliseconds.

    Parameters
    ----------
    before
        The manifest of a sweep that goes on: what it recorded is kept.
    """
    kept = (before or {}).get("scenario", {}).get("bots", {})
    bots = {name: _settled(asked, name, spec, kept.get(name, {}), tell) for name, spec in asked.bots.items()}
    return asked if bots == asked.bots else asked.model_copy(update={"bots": bots})


def _settled(
    asked: Scenario, name: str, spec: Mapping[str, Any], kept: Mapping[str, Any], tell: Callable[[str], None]
) -> dict[str, Any]:
    search = spec.get("search", {})
    if "milliseconds" not in search or "playouts" in search:
        return dict(spec)
    was = kept.get("search", {})
    if {key: value for key, value in was.items() if key != "playouts"} == dict(search):
        return {**spec, "search": dict(was)}
    playouts = _measured(asked, name, spec)
    tell(f"“{name}” has {search['milliseconds']:g} ms a move: {playouts:,} playouts on this machine")
    return {**spec, "search": {**search, "playouts": playouts}}


def _measured(asked: Scenario, name: str, spec: Mapping[str, Any]) -> int:
    """Return how many playouts the bot has time for: with it in every seat of whole games, on one core."""
    made = next(cell for cell in design.cells(asked) if name in cell.bot_names)
    at = arena.of_cell(asked, made)
    playouts, spent = TRIED, 0.0
    others = {other: own for other, own in asked.bots.items() if other != name}
    full = cells_.resolve_bot(made.game, name, spec)
    while True:
        search = {**full["search"], "playouts": playouts}
        seated = at.seated({name: {**full, "search": search}, **others})
        runs = [_timed(at, seated) for _ in range(ROUNDS)]
        spent, decisions = min(runs)
        if spent > LEAST or playouts * 4 > MOST:
            break
        playouts *= 4
    each = spent / max(1, decisions) / playouts
    return int(np.clip(round(full["search"]["milliseconds"] / 1000 / each), 1, MOST))


def _timed(at: arena.Table, seated: cells_.Cell) -> tuple[float, int]:
    """Play one game; return seconds, and decisions."""
    laid = arena.first(arena.line_up(at, np.arange(1)), 1)
    started = time.process_time()
    batch = arena.play(at, seated, laid, np.zeros(laid.own.shape, np.int32), 1, 1)
    return time.process_time() - started, int(batch.games.decisions.sum())
