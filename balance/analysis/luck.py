"""Skill and luck: how much of the points that scatter goes back to nation, seat, bot, and to the deal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from balance.analysis.declared import Declared
from balance.analysis.shares import SCORE, SHARE

SCHEMA = {
    "cell": pl.Int32,
    "label": pl.String,
    "factor": pl.String,
    "levels": pl.Int64,
    "points": pl.Float64,
    "share": pl.Float64,
}
REST, ALL = "Deal, dice and play", "All together"


def luck(known: Declared, shares: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Say by how much the levels of each family truly differ, and what is left to the deal.

    Parameters
    ----------
    shares
        Family -> its table of `shares.win_share`.

    Returns
    -------
    pl.DataFrame
        A row a cell and factor: `cell`, `label`, `factor`, `levels`, `points` (SD of true mean scores
        over the levels, sampling noise taken off), `share` (the same of win shares); then what the
        factors leave, and the SD of all scores and shares. It holds for this roster of levels only.
    """
    rows = []
    totals = {name: _total(known, column) for name, column in (("points", SCORE), ("share", SHARE))}
    spread = {name: _spread(table) for name, table in shares.items()}
    for cell, label in known.cells.select("cell", "label").iter_rows():
        left = {name: total[cell] for name, total in totals.items()}
        for family in known.families:
            levels, points, share = spread[family.name].get(cell, (0, 0.0, 0.0))
            if levels > 1:
                rows.append((cell, label, family.label, levels, np.sqrt(points), np.sqrt(share)))
                left["points"] -= points
                left["share"] -= share
        rest = [float(np.sqrt(max(part, 0.0))) for part in left.values()]
        rows.append((cell, label, REST, None, *rest))
        rows.append((cell, label, ALL, None, *(float(np.sqrt(total[cell])) for total in totals.values())))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _total(known: Declared, column: pl.Expr) -> dict[int, float]:
    found = known.dataset.seats().group_by("cell").agg(v=column.var(ddof=0)).collect(engine="streaming")
    return dict(found.select("cell", pl.col("v").fill_null(0.0)).iter_rows())


def _spread(table: pl.DataFrame) -> dict[int, tuple[int, float, float]]:
    """Return for each cell the levels, and the variance of their true mean scores and shares."""
    result = {}
    for (cell,), part in table.partition_by("cell", as_dict=True).items():
        variances = []
        for value, doubt in (("score", "score_error"), ("share", "error")):
            mean, error = part[value].to_numpy(), part[doubt].fill_null(0.0).to_numpy()
            noise = float((error**2).mean())
            variances.append(max(float(mean.var(ddof=1)) - noise, 0.0) if len(mean) > 1 else 0.0)
        result[int(cell)] = (len(part), *variances)
    return result  # type: ignore[return-value]
