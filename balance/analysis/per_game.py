"""What is known of each game of a cell, as arrays: who won, by how much, at what length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from balance.analysis.declared import Declared


@dataclass(frozen=True)
class Games:
    """The games of one cell, in order.

    Attributes
    ----------
    table
        A row a game: `game`, `block`, `turns`, `decisions`, `finished`.
    score, share, rank
        Shape (games, seats).
    side
        The side of each seat, from 0, shape (seats,).
    """

    table: pl.DataFrame
    score: np.ndarray
    share: np.ndarray
    rank: np.ndarray
    side: np.ndarray

    def by_side(self) -> np.ndarray:
        """Return the score of each side, that of its best seat, shape (games, sides)."""
        sides = [self.score[:, self.side == side].max(axis=1) for side in np.unique(self.side)]
        return np.stack(sides, axis=1)

    def margin(self) -> np.ndarray:
        """Return by how many points the best side's score lies above the second best, shape (games,)."""
        sides = self.by_side()
        if sides.shape[1] < 2:
            return np.zeros(len(sides), dtype=np.int64)
        best = np.partition(sides, -2, axis=1)
        return best[:, -1] - best[:, -2]

    def shared(self) -> np.ndarray:
        """Say which games were won by several sides together, shape (games,)."""
        largest = self.share.max(axis=1)
        return (largest > 0) & (largest < 1)


def games_of(known: Declared, cell: int, blocks: int | None = None) -> Games:
    """Read the games of `cell`; of its first `blocks` blocks only, if given."""
    here = pl.col("cell") == cell
    if blocks is not None:
        here = here & (pl.col("block") < blocks)
    table = known.dataset.games().filter(here).select("game", "block", "turns", "decisions", "finished")
    seats = known.dataset.seats().filter(here).select("game", "seat", "side", "score", "share", "rank")
    games, rows = pl.collect_all([table, seats], engine="streaming")
    games, rows = games.sort("game"), rows.sort("game", "seat")
    shape = (len(games), -1)
    return Games(
        games,
        rows["score"].to_numpy().astype(np.int64).reshape(shape),
        rows["share"].to_numpy().reshape(shape),
        rows["rank"].to_numpy().reshape(shape),
        rows["side"].to_numpy().reshape(shape)[0] - 1,
    )
