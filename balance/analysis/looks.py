"""Looks at a sweep in progress: is it known well enough, do the verdicts stand?

A look sees the first games of each cell and nothing else, whatever else lies in the folder, so that
a sweep that was stopped and taken up again stops where it would have stopped anyway.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from balance.analysis import contrast
from balance.analysis.declared import declared
from balance.analysis.estimate import TOO_FEW, UNKNOWN
from balance.analysis.shares import win_share
from balance.dataset import Dataset


@dataclass(frozen=True)
class Prefix(Dataset):
    """The first `count` games of each cell, rounded up to whole blocks, as a dataset."""

    count: int = 0

    @property
    def complete(self) -> bool:
        """A prefix is a look at an unfinished run."""
        return False

    def _scan(self, table: str) -> pl.LazyFrame:
        within = pl.lit(False)
        for cell in self.manifest["cells"]:
            most = cell["block_games"] * -(-self.count // cell["block_games"])
            within = within | ((pl.col("cell") == cell["index"]) & (pl.col("game") < most))
        return super()._scan(table).filter(within)


def _prefix(run: Dataset, games: int) -> Prefix:
    return Prefix(run.path, run.manifest, trusted=run.trusted, count=games)


def widest(run: Dataset, games: int, families: Iterable[str]) -> Mapping[str, float]:
    """Return for each family the widest half-width of its simultaneous 95 % intervals, over all cells.

    These are the intervals of `estimate.intervals`, for a fixed number of blocks: stopping once they
    are narrow enough hardly biases them, since the width says little of where the mean lies. Rounded,
    so that no order of summation shows. Of a contrast, the primary family is what it compares.
    """
    known = declared(_prefix(run, games), anytime=False)
    widths = {}
    for name in families:
        if run.manifest["contrast"] and name == known.primary.name:
            table = contrast.worth(known)
            half = (table["share_high_all"] - table["share_low_all"]) / 2
        else:
            table = win_share(known, known.family(name))
            half = (table["high_all"] - table["low_all"]) / 2
        widths[name] = math.inf if half.null_count() else round(float(half.max()), 9)  # type: ignore[arg-type]
    return widths


def unsettled(run: Dataset, games: int) -> int:
    """Count the levels of the primary family, over all cells, that have no verdict yet.

    Verdicts are read off confidence sequences, which hold at all looks at once.
    """
    known = declared(_prefix(run, games), anytime=True)
    verdicts = win_share(known, known.primary)["verdict"]
    return int(verdicts.is_in([UNKNOWN, TOO_FEW]).sum())
