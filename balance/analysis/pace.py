"""How games go: their length, how they end, what happens in them, and which do not end."""

from __future__ import annotations

import polars as pl

from balance.analysis.declared import Declared
from balance.analysis.estimate import Value, estimate, intervals
from balance.analysis.points import floored, histogram, labels_of, values_of

LENGTHS = {"turns": "Turns", "decisions": "Decisions"}


def counted(known: Declared, column: str) -> pl.DataFrame:
    """Count the games of each cell by the whole number in `column`: `cell`, `column`, `games`."""
    return (
        known.dataset.games()
        .group_by("cell", column)
        .agg(games=pl.len().cast(pl.Int64))
        .sort("cell", column)
        .collect(engine="streaming")
    )


def length(known: Declared) -> pl.DataFrame:
    """Say how long games are. An unfinished game counts with the length at which it was stopped.

    Returns
    -------
    pl.DataFrame
        A row a cell and measure: `cell`, `label`, `measure` ("Turns", "Decisions"), `games`,
        `mean` with `low`, `high` (95 %), `least`, `median`, `p95` (the least number that 95 % of
        games do not exceed), `most`.
    """
    values = {name: Value.mean(pl.col(name)) for name in LENGTHS}
    means = intervals(estimate(known.dataset.games(), ["cell"], values))
    spreads = pl.concat([_spread(counted(known, name), name) for name in LENGTHS])
    return (
        means.join(spreads, on=["cell", "value"])
        .join(known.cells.select("cell", "label"), on="cell")
        .with_columns(measure=pl.col("value").replace_strict(LENGTHS))
        .sort("cell", "measure", descending=[False, True])
        .select("cell", "label", "measure", "games", "mean", "low", "high", "least", "median", "p95", "most")
    )


def _spread(counts: pl.DataFrame, name: str) -> pl.DataFrame:
    reached = pl.col("games").cum_sum() / pl.col("games").sum()
    number = pl.col(name).cast(pl.Int64)
    return (
        counts.sort(name)
        .group_by("cell", maintain_order=True)
        .agg(
            value=pl.lit(name),
            games=pl.col("games").sum(),
            least=number.min(),
            median=number.filter(reached >= 0.5).first(),
            p95=number.filter(reached >= 0.95).first(),
            most=number.max(),
        )
    )


def turns(known: Declared) -> pl.DataFrame:
    """Count games by their number of turns: `cell`, `label`, `first`, `last` (both included), `games`."""
    return histogram(known, counted(known, "turns"), "turns", ["games"])


def game_columns(known: Declared, *roles: str) -> pl.DataFrame:
    """Average the game's own game columns of these roles.

    Returns
    -------
    pl.DataFrame
        A row a cell and statistic: `cell`, `label`, `column` (a key as of `points.values_of`),
        `column_label`, `item`, `role`, `rows`, `mean`, `low`, `high` (95 %), `any` (part of games in which
        it is not 0; null unless a count).
    """
    columns = list(known.columns("game", *roles))
    values = values_of(columns)
    counts = [column["name"] for column in columns if column["role"] == "count"]
    if not values:
        return pl.DataFrame(schema=_GAME)
    some = {f"{name}>": Value.mean(pl.col(name) > 0) for name in counts}
    bounds = (0.0, 1.0) if set(roles) == {"category"} else None
    table = intervals(estimate(known.dataset.games(), ["cell"], values | some), bounds=bounds)
    any_ = table.filter(pl.col("value").is_in(list(some))).select(
        "cell", pl.col("value").str.strip_suffix(">"), any="mean"
    )
    return (
        table.join(labels_of(columns), left_on="value", right_on="column")
        .join(any_, on=["cell", "value"], how="left")
        .join(known.cells.select("cell", "label"), on="cell")
        .sort("cell", "column_order")
        .rename({"value": "column"})
        .with_columns(low=floored())
        .filter((pl.col("role") != "category") | (pl.col("mean") > 0))
        .select(*_GAME)
    )


_GAME = {
    "cell": pl.Int32,
    "label": pl.String,
    "column": pl.String,
    "column_label": pl.String,
    "item": pl.String,
    "role": pl.String,
    "rows": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "any": pl.Float64,
}


def unfinished(known: Declared) -> pl.DataFrame:
    """Say which part of the games was stopped at the decision limit; none is dropped.

    Returns
    -------
    pl.DataFrame
        A row a cell: `cell`, `label`, `games`, `unfinished` (games), `part`, `low`, `high` (95 %).
    """
    values: dict[str, Value] = {"part": Value.mean(~pl.col("finished"))}
    table = intervals(estimate(known.dataset.games(), ["cell"], values), bounds=(0.0, 1.0))
    return (
        table.join(known.cells.select("cell", "label", "games", "unfinished"), on="cell")
        .rename({"mean": "part"})
        .sort("cell")
        .select("cell", "label", "games", "unfinished", "part", "low", "high")
    )
