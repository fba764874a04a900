"""Who gets there first: for each achievement that has a turn, which level reaches it before the others."""

from __future__ import annotations

import polars as pl

from balance.analysis.declared import Declared, Family
from balance.analysis.estimate import Value, estimate, intervals
from balance.analysis.points import NEVER
from balance.analysis.shares import SHARE, by_level


def firsts(known: Declared, family: Family) -> pl.DataFrame:
    """Say how often each level of `family` is the first to achieve something, and how often it wins then.

    Being first and winning go together where a strong position brings both: `won` is no proof that
    hurrying pays.

    Returns
    -------
    pl.DataFrame
        A row a cell, declared time and level: `cell`, `label`, `column`, `column_label`, `level`,
        `name`, `certainty`, `rows` (seats in games in which anyone got there), `first` (part of
        those in which it was the first; k that are first in one turn count 1/k each) with `low`,
        `high` (95 % for all levels at once), `par` (1 / players), `won` (win share of those games).
        Empty where the game declares no time.
    """
    columns = list(known.columns("seat", "time"))
    tables = [_of(known, family, column["name"], column["label"]) for column in columns]
    return pl.concat(tables) if tables else pl.DataFrame(schema=_COLUMNS)


_COLUMNS = {
    "cell": pl.Int32,
    "label": pl.String,
    "column": pl.String,
    "column_label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "rows": pl.Int64,
    "first": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "par": pl.Float64,
    "won": pl.Float64,
}


def _of(known: Declared, family: Family, column: str, label: str) -> pl.DataFrame:
    game = ["cell", "game"]
    reached = pl.when(pl.col(column) != NEVER).then(pl.col(column))
    rows = (
        by_level(known, family)
        .with_columns(reached=reached)
        .with_columns(earliest=pl.col("reached").min().over(game))
        .filter(pl.col("earliest").is_not_null())
        .with_columns(is_first=(pl.col("reached") == pl.col("earliest")).fill_null(False))
        .with_columns(part=pl.col("is_first") / pl.col("is_first").sum().over(game))
    )
    values = {"first": Value.mean(pl.col("part")), "won": Value.mean(SHARE, pl.col("is_first"))}
    found = estimate(rows, ["cell", "level"], values)
    part = dict(found.partition_by("value", as_dict=True, include_key=False))
    if ("first",) not in part:
        return pl.DataFrame(schema=_COLUMNS)
    table = intervals(part[("first",)], ["cell"], (0.0, 1.0)).drop("low", "high")
    won = part.get(("won",), part[("first",)].clear())
    return (
        family.named(table)
        .rename({"mean": "first", "low_all": "low", "high_all": "high"})
        .join(won.select("cell", "level", pl.col("mean").alias("won")), on=["cell", "level"], how="left")
        .join(known.cells.select("cell", "label", "players"), on="cell")
        .with_columns(par=1 / pl.col("players"), column=pl.lit(column), column_label=pl.lit(label))
        .sort("cell", "order")
        .select(*_COLUMNS)
    )
