"""Where bots meet: one bot against others at the same table, deal by deal, with honest intervals.

The unit of evidence is the block, as in a sweep. Where levels rotate (nations, say), a block is one deal
with each level once in each seat, and the bot sits in one seat of it; else the deal is played with the bot
in each seat in turn. Either way every deal is fair to both, and seats are shared out evenly.
"""

from __future__ import annotations

import dataclasses
import os
import types
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from balance import cell as cells_
from balance import design, scenario
from balance.cell import Cell
from balance.design import Design
from balance.errors import ScenarioError
from balance.games import Game

ERROR = 0.05  # chance that an interval errs
SLICE = 64  # games that a thread plays at once, at least
Bots = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Table:
    """One rule set at one number of players: the place where bots meet."""

    cell: Cell
    lineups: Design
    lib: types.SimpleNamespace

    @property
    def players(self) -> int:
        return self.cell.players

    @property
    def sides(self) -> list[int]:
        """The side of each seat: partners win together."""
        return list(self.cell.game.sides(self.players))

    @property
    def fair(self) -> float:
        """The share of a side that is as good as any other."""
        return 1.0 / (max(self.sides) + 1)

    @property
    def block_games(self) -> int:
        """Games of a block, see the module."""
        return self.lineups.block_games if self.lineups.block_games > 1 else max(self.sides) + 1

    def seated(self, bots: Bots) -> Cell:
        """Return the cell with these bots in place of its own."""
        made, cast, thinkers = cells_.bot_records(self.cell.game, bots)
        return dataclasses.replace(self.cell, bots=made, bot_names=tuple(bots), cast=cast, thinkers=thinkers)


@dataclass(frozen=True)
class Games:
    """Line-ups of some blocks, and where the one bot sits: shapes (games,), and `rows` a row a seat."""

    numbers: np.ndarray
    blocks: np.ndarray
    rows: np.recarray
    own: np.ndarray  # (games, seats): whether the one bot sits there


@dataclass(frozen=True)
class Match:
    """How one bot did against others: its win share with a 95 % interval from whole blocks."""

    share: float
    low: float
    high: float
    fair: float
    games: int
    blocks: int

    @property
    def better(self) -> bool:
        """Whether the interval lies above a fair share."""
        return self.low > self.fair

    @property
    def worse(self) -> bool:
        return self.high < self.fair


def table(game: Game, players: int, like: scenario.Scenario | None = None) -> Table:
    """Return the table of `game` for so many players: the rulebook's, or that of the scenario `like`.

    Raises
    ------
    ScenarioError
        If there is no such game.
    """
    if like is None:
        bot = next(iter(game.bots))
        text = f'game = "{game.id}"\nplayers = {players}\nseed = 1\n[bots.{bot}]\nlike = "{bot}"\n'
        like = scenario.parse(text, where=game.id)
    made = next(cell for cell in design.cells(like) if cell.players == players)
    return of_cell(like, made)


def of_cell(asked: scenario.Scenario, made: Cell) -> Table:
    """Return the table of one cell of a scenario, with a single bot so that bots do not rotate."""
    one = dataclasses.replace(
        made, bots=made.bots[:1].view(np.recarray), bot_names=made.bot_names[:1], cast=None, thinkers={}
    )
    plan = design.plans(asked)[made.index]
    return Table(one, Design(one, design.fields(one, plan), asked.seed), made.game.fast())


def tables(
    game: Game, players: Sequence[int] = (), tell: Callable[[str], None] = lambda line: None
) -> list[Table]:
    """Return the rulebook's tables of `game`, for each number of players that there is a game for.

    Raises
    ------
    ScenarioError
        If one of `players` has none.
    """
    game.fast(tell)
    return [table(game, count) for count in players or game.counts]


def of_scenario(
    game: Game, asked: scenario.Scenario, players: Sequence[int] = ()
) -> tuple[list[Table], dict[str, dict[str, Any]]]:
    """Return the tables of a scenario's own rules, a number of players each, and its bots in full.

    Raises
    ------
    ScenarioError
        If it is of another game, or has none of `players`.
    """
    if asked.game != game.id:
        raise ScenarioError(
            f"is of {asked.game}",
            where=asked.where,
            remedy=f"give one of {game.id}",
        )
    first: dict[int, Cell] = {}
    for cell in design.cells(asked):
        if not cell.choice or set(cell.choice) == {"players"} or cell.players not in first:
            first.setdefault(cell.players, cell)
    for count in players:
        if count not in first:
            raise ScenarioError(
                f"has no game for {count}", where=asked.where, remedy=f"give {', '.join(map(str, first))}"
            )
    bots = {name: cells_.resolve_bot(game, name, spec) for name, spec in asked.bots.items()}
    return [of_cell(asked, first[count]) for count in players or sorted(first)], bots


def line_up(at: Table, blocks: np.ndarray) -> Games:
    """Lay out `blocks` for one bot against others."""
    numbers, block, rows = at.lineups.of(blocks)
    sides = np.array(at.sides)
    places = int(sides.max()) + 1
    if at.lineups.block_games == 1:
        numbers, block = np.repeat(numbers, places), np.repeat(block, places)
        rows = rows.reshape(-1, at.players).repeat(places, axis=0).ravel().view(np.recarray)
        place = np.tile(np.arange(places), len(blocks))
        numbers = numbers * places + place
    else:
        place = block % places
    return Games(numbers, block, rows, sides[None, :] == place[:, None])


def play(
    at: Table, seated: Cell, games: Games, who: np.ndarray, seed: int, jobs: int | None = None
) -> cells_.Batch:
    """Play `games` with the bots `who` (games, seats), numbers among those `seated`."""
    rows = games.rows.copy()
    rows["bot"] = who.ravel()
    count, seats = len(games.numbers), at.players
    workers = jobs or os.cpu_count() or 1
    size = max(SLICE, -(-count // (4 * workers))) if count > SLICE else max(1, -(-count // workers))
    starts = range(0, count, size)

    def part(first: int) -> cells_.Batch:
        here = slice(first, first + size)
        own = rows[first * seats : (first + size) * seats].view(np.recarray)
        return cells_.play(seated, at.lib, games.numbers[here], games.blocks[here], own, seed)

    with ThreadPoolExecutor(workers) as pool:
        batches = list(pool.map(part, starts))
    return cells_.Batch(
        *(np.concatenate([getattr(one, name) for one in batches]).view(np.recarray)
          for name in ("games", "seats", "turns"))
    )  # fmt: skip


def duel(
    at: Table,
    one: Mapping[str, Any],
    others: Mapping[str, Any],
    blocks: int,
    seed: int,
    jobs: int | None = None,
    error: float = ERROR,
) -> Match:
    """Let the bot `one` meet the bot `others` in all other seats, on so many blocks of `seed`.

    The interval errs with the chance `error`.
    """
    games = line_up(at, np.arange(blocks))
    seated = at.seated({"one": one, "others": others})
    batch = play(at, seated, games, np.where(games.own, 0, 1), seed, jobs)
    return match(at, batch, games, error)


def match(at: Table, batch: cells_.Batch, games: Games, error: float = ERROR) -> Match:
    """Judge the one bot's share by blocks."""
    won = shares(batch, games)
    _, place = np.unique(games.blocks, return_inverse=True)
    means = np.bincount(place, won) / np.bincount(place)
    mean, blocks = float(means.mean()), len(means)
    half = 1.0
    if blocks > 1:
        half = float(special.stdtrit(blocks - 1, 1 - error / 2) * means.std(ddof=1) / np.sqrt(blocks))
    return Match(mean, max(0.0, mean - half), min(1.0, mean + half), at.fair, len(won), blocks)


def first(games: Games, count: int) -> Games:
    """Return the first `count` of `games`."""
    rows = games.rows[: count * games.own.shape[1]].view(np.recarray)
    return Games(games.numbers[:count], games.blocks[:count], rows, games.own[:count])


def shares(batch: cells_.Batch, games: Games) -> np.ndarray:
    """Return the win share of the one bot's side in each game, shape (games,)."""
    won = np.asarray(batch.seats.share).reshape(games.own.shape)
    return np.where(games.own, won, 0.0).sum(axis=1) / games.own.sum(axis=1)


def leads(batch: cells_.Batch, games: Games) -> np.ndarray:
    """Return by how many points the one bot's side is ahead of the best other, shape (games,)."""
    score = np.asarray(batch.seats.score, float).reshape(games.own.shape)
    own = np.where(games.own, score, -np.inf).max(axis=1)
    return own - np.where(games.own, -np.inf, score).max(axis=1)
