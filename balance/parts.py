"""Parts: some blocks of a cell, the unit of work and of files, and how one is played.

The bounds of parts depend on nothing but the cells' blocks and how much their bots search: not on how
many games are wanted, nor on who plays them. They lie at the same numbers of games in every cell, give or
take one block.
"""

from __future__ import annotations

import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from balance import cell as cells_
from balance import dataset
from balance.cell import Batch, Cell
from balance.design import Design
from balance.rows import Schema, encoded
from balance.scenario import Scenario

if TYPE_CHECKING:
    import polars as pl

PART = 2_000  # games of the first parts; a power cut costs at most one a core
GROWTH = 10  # a later part has this fraction of the games before it, ...
MOST = 20_000  # ... and at most so many, which is what bounds memory
CHUNK = 250  # games of the first call of the kernel
TELL = 0.25  # seconds of work that a call may take: how often progress is told
TURNS = 32  # room for so many turns a game at first


@dataclass(frozen=True)
class Part:
    """Some blocks of a cell."""

    cell: int
    index: int
    first_block: int
    blocks: int
    block_games: int

    @property
    def first_game(self) -> int:
        return self.first_block * self.block_games

    @property
    def games(self) -> int:
        return self.blocks * self.block_games

    @property
    def name(self) -> str:
        """The file's name: a part that grows gets another, so that no file ever changes."""
        return f"part-{self.cell:03d}-{self.index:05d}-{self.games}"


def least(designs: Sequence[Design]) -> int:
    """Return the games of the first parts: the fewer, the more the bots of any cell search."""
    bots = [mind for one in designs for mind in one.cell.bots["mind"]]
    playouts = max((int(mind["playouts"]) for mind in bots if mind["search"]), default=1)
    return max(1, PART // playouts)


def bounds(least: int = PART) -> Iterator[int]:
    """Yield the games at which parts end, in order, without end: all multiples of `least`."""
    end = 0
    while True:
        end += min(MOST, max(least, end // GROWTH // least * least))
        yield end


def bound(games: float, least: int = PART) -> int:
    """Return the first end of a part at or after `games`."""
    return next(end for end in bounds(least) if end >= games)


def parts(designs: Sequence[Design], games: int) -> Iterator[Part]:
    """Yield the parts of at least `games` games a cell, in whole blocks, the cells interleaved."""
    first = 0
    for index, end in enumerate(bounds(least(designs))):
        for cell, one in enumerate(designs):
            start, stop = (-(-min(edge, games) // one.block_games) for edge in (first, end))
            if stop > start:
                yield Part(cell, index, start, stop - start, one.block_games)
        if end >= games:
            return
        first = end


@dataclass(frozen=True)
class Played:
    """A part that was played: its tables as the bytes of Parquet files, and how many rows each has."""

    part: Part
    files: Mapping[str, bytes]
    rows: Mapping[str, int]
    means: Mapping[str, np.ndarray] = field(default_factory=dict)  # see `block_means`
    worker: str = ""

    def entry(self) -> dict[str, object]:
        """Return what the manifest says of it, apart from the files."""
        return {
            "cell": self.part.cell,
            "index": self.part.index,
            "first_game": self.part.first_game,
            "games": self.part.games,
            "seats_rows": self.rows["seats"],
            "turns_rows": self.rows.get("turns", 0),
        }


@dataclass
class Player:
    """Plays parts of a scenario; may be asked from several threads."""

    scenario: Scenario
    cells: Sequence[Cell]
    designs: Sequence[Design]
    family: str  # whose shares are followed while the sweep goes on

    def __post_init__(self) -> None:
        self.schema = Schema.of(self.cells, self.designs)
        self.tables = dataset.TABLES if self.scenario.turns else dataset.TABLES[:2]

    def play(
        self,
        lib: types.SimpleNamespace,
        part: Part,
        stop: Callable[[], bool] = lambda: False,
        tell: Callable[[int], None] = lambda games: None,
    ) -> Played | None:
        """Play one part; nothing if `stop` says so meanwhile. `tell` hears of games as they are played."""
        batches = list(self.batches(lib, part, stop, tell))
        if sum(len(batch.games) for batch in batches) < part.games:
            return None
        tables = self.schema.tables(self.cells[part.cell], batches, self.designs[part.cell])
        kept = {name: tables[name] for name in self.tables}
        return Played(
            part,
            {name: encoded(frame) for name, frame in kept.items()},
            {name: len(frame) for name, frame in kept.items()},
            block_means(tables["seats"], self.family),
        )

    def batches(
        self,
        lib: types.SimpleNamespace,
        part: Part,
        stop: Callable[[], bool] = lambda: False,
        tell: Callable[[int], None] = lambda games: None,
    ) -> Iterator[Batch]:
        """Play the games of `part`, so many at a time as take a moment."""
        step, room = max(1, CHUNK // part.block_games), TURNS
        first, end = part.first_block, part.first_block + part.blocks
        while first < end and not stop():
            blocks = np.arange(first, min(first + step, end))
            started = time.thread_time()
            batch, room = self._blocks(lib, part.cell, blocks, room)
            if time.thread_time() - started < TELL / 2:
                step *= 2
            yield batch
            tell(len(batch.games))
            first = int(blocks[-1]) + 1

    def _blocks(
        self, lib: types.SimpleNamespace, cell: int, blocks: np.ndarray, room: int
    ) -> tuple[Batch, int]:
        """Play some blocks; with turns, again with more room until every turn has its row."""
        one = self.cells[cell]
        numbers, block_of_game, lineup = self.designs[cell].of(blocks)
        while True:
            turns = room if self.scenario.turns else 0
            batch = cells_.play(one, lib, numbers, block_of_game, lineup, self.scenario.seed, turns)
            full = len(batch.turns) + one.players > turns * len(numbers) * one.players
            if not turns or not full:
                return batch, room
            room *= 2


def block_means(seats: pl.DataFrame, family: str) -> dict[str, np.ndarray]:
    """Return for each level of `family` how many blocks it is in, and the sums of its block means
    and of their squares: what a running interval needs.
    """
    import polars as pl

    found = (
        seats.lazy()
        .group_by(family, "block")
        .agg(share=pl.col("share").mean())
        .group_by(family)
        .agg(pl.len(), pl.col("share").sum(), squares=pl.col("share").pow(2).sum())
        .collect()
    )
    return {str(level): np.array(numbers) for level, *numbers in found.iter_rows()}
