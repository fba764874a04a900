"""Points and what else a seat has to show: sources, counts, stocks, times, and the spread of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis.declared import Declared, Family
from balance.analysis.estimate import Value, estimate, intervals
from balance.analysis.shares import by_level

BINS = 40  # bars of a histogram, at most

NEVER = -1  # the turn of an achievement that did not come


def values_of(columns: list[Mapping[str, Any]]) -> dict[str, Value]:
    """Say what to average of each column, by its role; a key is `column`, `column=label` or `column@`.

    "source", "count", "stock", "flag": the mean over all rows. "category": the part of rows with
    each label. "time": the part of rows that got there (`column`), and the mean turn of those
    that did (`column@`).
    """
    values: dict[str, Value] = {}
    for column in columns:
        name, cell = column["name"], pl.col(column["name"])
        if column["role"] == "category":
            for label in column["labels"]:
                values[f"{name}={label}"] = Value.mean(cell.cast(pl.String) == label)
        elif column["role"] == "time":
            values[name] = Value.mean(cell != NEVER)
            values[f"{name}@"] = Value.mean(cell, cell != NEVER)
        else:
            values[name] = Value.mean(cell)
    return values


def sources(known: Declared, family: Family) -> pl.DataFrame:
    """Say where the points of each level come from: a mean for each source.

    Returns
    -------
    pl.DataFrame
        A row a cell, level and source: `cell`, `label`, `level`, `name`, `certainty`, `source`
        (column), `source_label`, `mean` (points a game) with `low`, `high` (95 %), and `part` (of
        the mean score). The means of a level's sources sum to its mean score.
    """
    table = seat_columns(known, family, "source").drop("role", "item")
    total = pl.col("mean").sum().over("cell", "level")
    return table.rename({"column": "source", "column_label": "source_label"}).with_columns(
        part=pl.when(total != 0).then(pl.col("mean") / total)
    )


def seat_columns(known: Declared, family: Family, *roles: str) -> pl.DataFrame:
    """Average the game's own seat columns of these roles for each level of `family`.

    Returns
    -------
    pl.DataFrame
        A row a cell, level and statistic: `cell`, `label`, `level`, `name`, `certainty`, `column`
        (a key as of `values_of`), `column_label`, `item`, `role`, `rows`, `mean`, `low`, `high`
        (95 %).
    """
    columns = list(known.columns("seat", *roles))
    values = values_of(columns)
    if not values:
        return pl.DataFrame(schema=_BY_LEVEL)
    table = intervals(estimate(by_level(known, family), ["cell", "level"], values))
    return (
        family.named(table)
        .join(labels_of(columns), left_on="value", right_on="column")
        .join(known.cells.select("cell", "label"), on="cell")
        .sort("cell", "order", "column_order")
        .rename({"value": "column"})
        .with_columns(low=floored())
        .select(*_BY_LEVEL)
    )


def floored() -> pl.Expr:
    """Keep `low` of what is counted from reaching below nothing."""
    counted = pl.col("role").is_in(["count", "stock", "category", "flag", "time"])
    return pl.when(counted).then(pl.col("low").clip(lower_bound=0.0)).otherwise(pl.col("low"))


_BY_LEVEL = {
    "cell": pl.Int32,
    "label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "column": pl.String,
    "column_label": pl.String,
    "item": pl.String,
    "role": pl.String,
    "rows": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def labels_of(columns: list[Mapping[str, Any]]) -> pl.DataFrame:
    """Return `column` (a key as of `values_of`), `column_label`, `item`, `role`, `column_order`.

    `item` says which statistic of a column it is: the label of a category, the part
    or the mean of a time; null where there is but one.
    """
    rows: list[tuple[str, str, str | None, str]] = []
    for column in columns:
        name, label, role = column["name"], column["label"], column["role"]
        if role == "category":
            rows += [(f"{name}={one}", label, one, role) for one in column["labels"]]
        elif role == "time":
            rows += [
                (name, label, "in part of the games", "flag"),
                (f"{name}@", label, "mean, where it came", role),
            ]
        else:
            rows.append((name, label, None, role))
    schema = dict.fromkeys(("column", "column_label", "item", "role"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(column_order=pl.int_range(pl.len()))


def scores(known: Declared) -> pl.DataFrame:
    """Count the scores of all seats, and of winners alone.

    Returns
    -------
    pl.DataFrame
        A row a cell and bin of a histogram: `cell`, `label`, `first`, `last` (scores, both
        included), `seats`, `winners` (seats with a win share above 0).
    """
    counted = (
        known.dataset.seats()
        .group_by("cell", "score")
        .agg(seats=pl.len().cast(pl.Int64), winners=(pl.col("share") > 0).sum().cast(pl.Int64))
    )
    return histogram(known, counted.collect(engine="streaming"), "score", ["seats", "winners"])


def histogram(known: Declared, counted: pl.DataFrame, column: str, counts: list[str]) -> pl.DataFrame:
    """Gather the whole numbers of `column` into at most 40 bins of one width for all cells."""
    least, most = int(counted[column].min()), int(counted[column].max())  # type: ignore[arg-type]
    width = max(1, -(-(most - least + 1) // BINS))
    first = (pl.col(column).cast(pl.Int64) - least) // width * width + least
    bins = pl.DataFrame({"first": range(least, most + 1, width)}, schema={"first": pl.Int64})
    return (
        known.cells.select("cell", "label")
        .join(bins, how="cross")
        .join(
            counted.group_by("cell", first.alias("first")).agg(pl.col(counts).sum()),
            on=["cell", "first"],
            how="left",
        )
        .with_columns(pl.col(counts).fill_null(0), last=pl.col("first") + width - 1)
        .select("cell", "label", "first", "last", *counts)
        .sort("cell", "first")
    )
