"""The same levels at different numbers of players, made comparable: the win share times the players.

A fair share is 1 / sides, so shares of different tables cannot stand side by side. Their index can:
1 is fair at any number of players, 1.2 wins a fifth more often than that.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from balance.analysis.declared import Declared


def index(known: Declared, shares: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Turn win shares into indices, where a run has several numbers of players.

    Parameters
    ----------
    shares
        Family -> its table of `analysis.shares.win_share`.

    Returns
    -------
    pl.DataFrame
        A row a family, level and cell: `family`, `label` (what the cell is beside its number of
        players), `players`, `cell`, `level`, `name`, `certainty`, `index`, `low`, `high` (95 % for the
        whole family in a cell), `verdict`. Empty with a single number of players.
    """
    if known.cells["players"].n_unique() < 2:
        return pl.DataFrame(schema=_COLUMNS)
    players = known.cells.select("cell", "players")
    parts = [
        table.join(players, on="cell")
        .with_columns(
            family=pl.lit(family),
            label=pl.col("label").str.replace(r"^\d+ players(, )?", ""),
            index=pl.col("share") / pl.col("fair"),
            low=pl.col("low_all") / pl.col("fair"),
            high=pl.col("high_all") / pl.col("fair"),
        )
        .select(*_COLUMNS)
        for family, table in shares.items()
    ]
    return pl.concat(parts)


_COLUMNS = {
    "family": pl.String,
    "label": pl.String,
    "players": pl.Int64,
    "cell": pl.Int32,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "index": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "verdict": pl.String,
}
