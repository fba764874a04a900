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
DEAL, PLAY = "Deal, dice and who meets whom", "The bots' own chance, in replayed deals"


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
        factors leave (told apart by replayed deals, where a control played some: what differs when
        the same deal is played again, and the rest), and the SD of all scores and shares. It holds
        for this roster of levels only.
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
        again = _replayed(known, cell)
        if again:
            apart = {name: left[name] - again[name] for name in left}
            rows.append((cell, label, DEAL, None, *_deviations(apart)))
            rows.append((cell, label, PLAY, None, *_deviations(again)))
        else:
            rows.append((cell, label, REST, None, *_deviations(left)))
        rows.append((cell, label, ALL, None, *(float(np.sqrt(total[cell])) for total in totals.values())))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _deviations(variances: Mapping[str, float]) -> list[float]:
    return [float(np.sqrt(max(variances[name], 0.0))) for name in ("points", "share")]


def _replayed(known: Declared, cell: int) -> dict[str, float]:
    """Return the variances between replays of one deal, of the control at this number of players."""
    players = known.cells.row(by_predicate=pl.col("cell") == cell, named=True)["players"]
    for one in known.manifest.get("controls", {}).get("results", []):
        if (one["control"], one["players"]) == ("replays", players) and "share" in one:
            return {name: one[name] for name in ("points", "share")}
    return {}


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
