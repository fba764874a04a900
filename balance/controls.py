"""Controls: games whose answer is known beforehand, played so that a sweep's numbers can be trusted.

In the *mirror match* every seat plays the same nation with the same bot, and the bots bear names that
mean nothing. Whatever these names win more or less of has leaked in by the way games are dealt, played
or counted. That the first seat wins more often is no leak: each name sits in each seat equally often.
In another control one of the scenario's bots meets the random bot, and must beat it. In the third the
sweep's own bots are watched: which parts of their nations open them acts, and whether they take one.
Last, some deals are played again and again with the same line-up: what still differs is the bots' own chance.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import cell as cells_
from balance import design, layouts, records
from balance.cell import Blank
from balance.design import Design, Field
from balance.errors import ScenarioError
from balance.rows import Schema

if TYPE_CHECKING:
    import polars as pl

    from balance.cell import Cell
    from balance.design import Plan
    from balance.scenario import Scenario

MOST = 200  # blocks of a control, at most
FEWEST = 30  # under so many blocks a control tells nothing, and is not played
WATCHED = 2_000  # games in which parts are watched, about
DEALS, REPLAYS = 100, 8  # deals that are played again, and how often each
PART = 0.1  # games of a control, as a part of those of the cell, at most
OTHER = 1_000_003  # added to the seed: a control shares no deal with the sweep
RANDOM = "at random"
NAMES = ("Amber", "Basil", "Coral", "Dune", "Ember", "Fern", "Gale", "Haze")  # they mean nothing


def play(
    scenario: Scenario, cells: Sequence[Cell], lib: types.SimpleNamespace, games: int
) -> list[dict[str, Any]]:
    """Play the controls of a sweep of `games` games a cell: for the first cell of each player count.

    Returns
    -------
    list of dict
        For each control: `control` ("mirror", "random"), `players`, `bot`, `blocks`, `games`, and what
        `analysis.control.mirror` or `analysis.control.beats` says of it; or `control`, `players` and
        `why` it was not played.
    """
    from balance.analysis import control

    found = []
    plans = design.plans(scenario)
    firsts = {cell.players: cell for cell in reversed(cells)}
    for players, cell in sorted(firsts.items()):
        plan = plans[cell.index]
        name, bot = _chosen(cell, plan)
        for what, bots, judge in (
            ("mirror", dict.fromkeys(NAMES[:players], bot), control.mirror),
            ("random", {name: bot, RANDOM: {"kind": "random"}}, control.beats),
        ):
            said: dict[str, Any] = {"control": what, "players": players, "bot": name}
            try:
                if what == "random" and bot["kind"] == "random":
                    raise ScenarioError("all bots play at random")
                made, lineups = _cell(cell, plan, bots, scenario.seed, alike=what == "mirror")
                blocks = min(MOST, int(games * PART) // lineups.block_games)
                if blocks < FEWEST:
                    raise ScenarioError("the sweep is too small for it")
                seats = _played(made, lineups, lib, scenario.seed + OTHER, blocks)
            except ScenarioError as error:
                found.append(said | {"why": error.what})
                continue
            said |= {"blocks": blocks, "games": blocks * lineups.block_games}
            found.append(said | judge(seats, name))
        found += _watched(scenario, cell, plan, lib, games)
        found.append(_replayed(scenario, cell, plan, lib, games))
    return found


def _watched(
    scenario: Scenario, cell: Cell, plan: Plan, lib: types.SimpleNamespace, games: int
) -> Iterator[dict[str, Any]]:
    """Play some of the sweep's line-ups on other deals, and count chances and uses of what has parts."""
    for factor in cell.game.factors:
        field = design.fields(cell, plan)
        kind, keys = factor.components, cell.levels(factor.name)
        parts = [
            (level, part)
            for level in field.levels[factor.name]
            for part in cell.game.parts(kind, cell.components[kind][keys[level]])
        ]
        if not parts:
            continue
        lineups = Design(cell, field, (scenario.seed + OTHER) % 2**63)
        blocks = min(WATCHED // lineups.block_games + 1, int(games * PART) // lineups.block_games)
        said: dict[str, Any] = {"control": "parts", "players": cell.players, "factor": factor.name}
        if blocks < FEWEST:
            yield said | {"why": "the sweep is too small for it"}
            continue
        numbers, block, seated = lineups.of(np.arange(blocks))
        owned = np.zeros((len(keys), 2), np.int32)
        for level in field.levels[factor.name]:
            mine = [place for place, (owner, _) in enumerate(parts) if owner == level]
            owned[level] = (mine[0], mine[-1] + 1) if mine else (0, 0)
        lacking = [
            _prepared(
                cell, plan, design.in_play(cell.game, plan), Blank(kind, keys[level], part, cell.index)
            ).rules
            for level, part in parts
        ]
        counts = np.zeros((len(parts), records.COUNTS), np.int64)
        watched = records.Watched(
            owned[seated[factor.name]], np.concatenate(lacking).view(np.recarray), counts
        )
        cells_.play(cell, lib, numbers, block, seated, (scenario.seed + OTHER) % 2**63, watched=watched)
        yield said | {
            "blocks": blocks,
            "games": blocks * lineups.block_games,
            "parts": [
                {
                    "level": keys[level],
                    "part": part.name,
                    "note": part.note,
                    "seats": int((seated[factor.name] == level).sum()),
                    "reached": int(counts[place, 2]),
                    "used": int(counts[place, 4]),
                    "chances": int(counts[place, 0]),
                    "uses": int(counts[place, 1]),
                }
                for place, (level, part) in enumerate(parts)
            ],
        }


def _chosen(cell: Cell, plan: Plan) -> tuple[str, Mapping[str, Any]]:
    """Return the first bot in play that does not play at random, in full, or else the first."""
    bots = {
        name: cells_.resolve_bot(cell.game, name, spec)
        for name, spec in design.in_play(cell.game, plan).items()
    }
    thinking = [name for name, bot in bots.items() if bot["kind"] != "random"]
    name = (thinking or list(bots))[0]
    return name, bots[name]


def _cell(
    cell: Cell, plan: Plan, bots: Mapping[str, Mapping[str, Any]], seed: int, alike: bool
) -> tuple[Cell, Design]:
    """Prepare a control's cell and its line-ups; `alike` gives all seats the same of the primary factor."""
    made = _prepared(cell, plan, bots)
    field = design.fields(cell, plan)
    if alike:
        levels = {
            factor.name: field.levels[factor.name][:1] if factor.primary else field.levels[factor.name]
            for factor in cell.game.factors
        }
        field = Field(levels, repeat=True, layouts=field.layouts)
    return made, Design(made, field, (seed + OTHER) % 2**63)


def _replayed(
    scenario: Scenario, cell: Cell, plan: Plan, lib: types.SimpleNamespace, games: int
) -> dict[str, Any]:
    """Play deals again and again, each with one of its line-ups: only the bots' own chance differs."""
    from balance.analysis import control

    said: dict[str, Any] = {"control": "replays", "players": cell.players}
    deals = min(DEALS, int(games * PART) // REPLAYS)
    if deals < FEWEST:
        return said | {"why": "the sweep is too small for it"}
    lineups = Design(cell, design.fields(cell, plan), (scenario.seed + OTHER) % 2**63)
    seats = cell.players
    _, block, seated = lineups.of(np.arange(deals))
    first = np.arange(deals) * lineups.block_games
    again = np.repeat(first, REPLAYS)
    rows = (again[:, None] * seats + np.arange(seats)).ravel()
    batch = cells_.play(
        cell, lib, np.arange(len(again)), block[again], seated[rows], (scenario.seed + OTHER) % 2**63
    )
    return said | {"deals": deals, "replays": REPLAYS} | control.replays(batch.seats, REPLAYS, seats)


def _prepared(
    cell: Cell, plan: Plan, bots: Mapping[str, Mapping[str, Any]], blank: Blank | None = None
) -> Cell:
    """Prepare a cell with the rules and components of `cell`, other bots, and a part of it taken away."""
    return cells_.prepare(
        cell.game,
        cell.players,
        rules=plan.rules,
        components=plan.components,
        bots=bots,
        drawn=layouts.drawn(cell.game, plan.field, cell.players),
        blank=blank,
        label="control",
    )


def _played(made: Cell, lineups: Design, lib: types.SimpleNamespace, seed: int, blocks: int) -> pl.DataFrame:
    numbers, block, seated = lineups.of(np.arange(blocks))
    batch = cells_.play(made, lib, numbers, block, seated, seed % 2**63)
    return Schema.of([made]).tables(made, [batch])["seats"]
