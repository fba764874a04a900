"""A dataset as the analysis reads it: cells that bear on the question, and whole units of evidence.

Blocks that share a layout share its luck. Where a run has layouts, a layout with all its blocks is
therefore the unit: results are to hold for maps like these, not for these maps alone. Cells that
were played only to be held against another (a blanked part) stand apart from the tables of shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from balance.dataset import Dataset


@dataclass(frozen=True)
class Reading:
    """A dataset of which only `cells` are read, those of `by_layout` with a layout in place of a block."""

    run: Dataset
    cells: tuple[int, ...]
    by_layout: tuple[int, ...]

    @property
    def path(self) -> Path | str:
        return self.run.path

    @property
    def manifest(self) -> Mapping[str, Any]:
        return self.run.manifest

    @property
    def complete(self) -> bool:
        return self.run.complete

    @property
    def untreated(self) -> Reading:
        """The games of a contrast in which no seat is treated."""
        return Reading(self.run.untreated, self.cells, self.by_layout)

    @property
    def whole(self) -> Reading:
        """All games of these cells, treated or not."""
        return Reading(self.run.whole, self.cells, self.by_layout)

    @property
    def unit(self) -> str:
        """The word for the unit of evidence: "layout" if all cells have several, else "block"."""
        return "layout" if self.by_layout and set(self.by_layout) == set(self.cells) else "block"

    def games(self) -> pl.LazyFrame:
        """Return a row a game."""
        return self._in_units(self.run.games())

    def seats(self) -> pl.LazyFrame:
        """Return a row a seat a game."""
        return self._in_units(self.run.seats())

    def blocks(self) -> pl.LazyFrame:
        """Return a row a seat a game, with the true number of its block."""
        return self._in_play(self.run.seats())

    def turns(self) -> pl.LazyFrame:
        """Return a row a seat a turn."""
        return self._in_play(self.run.turns())

    def _in_play(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        every = tuple(cell["index"] for cell in self.manifest["cells"])
        return rows if self.cells == every else rows.filter(pl.col("cell").is_in(self.cells))

    def _in_units(self, rows: pl.LazyFrame) -> pl.LazyFrame:
        rows = self._in_play(rows)
        if not self.by_layout:
            return rows
        layout = pl.col("layout").to_physical().cast(pl.Int64)
        here = pl.col("cell").is_in(self.by_layout)
        return rows.with_columns(block=pl.when(here).then(layout).otherwise("block"))


def reading(dataset: Dataset | Reading, everything: bool = False) -> Reading:
    """Return `dataset` without the cells that only serve others (unless `everything`), in whole units."""
    run = dataset.run if isinstance(dataset, Reading) else dataset
    told = run.manifest["cells"]
    cells = tuple(cell["index"] for cell in told if everything or not cell.get("blank"))
    return Reading(run, cells, _laid(run, cells))


def _laid(run: Dataset, cells: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells with several layouts: with a single one, its blocks are what there is."""
    if not run.manifest.get("layouts") or not run.manifest["parts"]:
        return ()
    found = (
        run.games()
        .group_by("cell")
        .agg(layouts=pl.col("layout").drop_nulls().n_unique())
        .filter(pl.col("layouts") > 1)
        .collect(engine="streaming")
    )
    return tuple(cell for cell in sorted(found["cell"].to_list()) if cell in cells)
