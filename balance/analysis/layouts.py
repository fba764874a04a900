"""How much the layout of a block matters: the spread of the true shares over layouts, noise taken off.

Each layout is played in several blocks. The means of layouts scatter more than those of blocks of
one layout do by chance; what is left over is the spread of the true shares. A one-way model with
random layouts: share of a block = mean + layout + deal.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import special

from balance.analysis.declared import Declared, Family
from balance.analysis.estimate import CONFIDENCE, intervals
from balance.analysis.findings import named
from balance.analysis.wording import bare, listed, span

LEAST = 5  # layouts under which no spread is told
USUAL = float(special.ndtri(0.5 + CONFIDENCE / 2.0))  # standard deviations that 19 of 20 layouts lie within


def over_layouts(known: Declared, family: Family) -> pl.DataFrame:
    """Say for each level of `family` how its true share differs from layout to layout.

    Returns
    -------
    pl.DataFrame
        A row a cell and level, in the order of the family: `cell`, `label`, `level`, `name`,
        `certainty`, `layouts`, `blocks` (of a layout, the mean), `share` with `low`, `high` (95 %,
        from how layouts scatter), `fair`, `sd` (of the true share over layouts, a part) with
        `sd_low`, `sd_high`, `explained` (the part of the scatter between deals that the layout
        explains) with `explained_low`, `explained_high`, `usual_low` and `usual_high` (shares that
        19 of 20 layouts lie between). Empty without layouts.
    """
    if not known.dataset.by_layout:
        return pl.DataFrame(schema=_COLUMNS)
    sums = block_sums(known, family)
    means = intervals(sums.select("cell", "level", pl.col("layouts").alias("blocks"), "mean", "error"))
    table = components(sums).join(means.select("cell", "level", "low", "high"), on=["cell", "level"])
    usual = USUAL * pl.col("sd")
    return (
        family.named(table)
        .join(known.cells.select("cell", "label", "fair"), on="cell")
        .rename({"mean": "share"})
        .with_columns(
            pl.col("low").clip(0.0, 1.0),
            pl.col("high").clip(0.0, 1.0),
            usual_low=(pl.col("share") - usual).clip(lower_bound=0.0),
            usual_high=(pl.col("share") + usual).clip(upper_bound=1.0),
        )
        .sort("cell", "order")
        .select(*_COLUMNS)
    )


_COLUMNS = {
    "cell": pl.Int32,
    "label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "layouts": pl.Int64,
    "blocks": pl.Float64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "fair": pl.Float64,
    "sd": pl.Float64,
    "sd_low": pl.Float64,
    "sd_high": pl.Float64,
    "explained": pl.Float64,
    "explained_low": pl.Float64,
    "explained_high": pl.Float64,
    "usual_low": pl.Float64,
    "usual_high": pl.Float64,
}


def block_sums(known: Declared, family: Family) -> pl.DataFrame:
    """Sum up the block means of each level by layout, in one pass over the seats.

    Returns
    -------
    pl.DataFrame
        `cell`, `level`, `layouts`, `blocks` (the harmonic mean over layouts), `within` (variance of
        blocks of one layout), `freedom` (its degrees), `between` (variance of the layouts' means),
        `mean` (of the layouts' means), `error`.
    """
    rows = known.dataset.blocks().filter(pl.col("cell").is_in(known.dataset.by_layout))
    of_block = (
        rows.with_columns(level=pl.col(family.name).cast(pl.String))
        .group_by("cell", "level", "layout", "block")
        .agg(pl.col("share").mean())
    )
    return totals(of_block).collect(engine="streaming")


def totals(of_block: pl.LazyFrame) -> pl.LazyFrame:
    """Sum up block means: `cell`, `level`, `layout`, `block`, `share`; see `block_sums`."""
    count, layouts = pl.col("count").cast(pl.Float64), pl.len().cast(pl.Float64)
    of_layout = of_block.group_by("cell", "level", "layout").agg(
        count=pl.len(), mean=pl.col("share").mean(), square=pl.col("share").var(ddof=1).fill_null(0.0)
    )
    return (
        of_layout.group_by("cell", "level")
        .agg(
            layouts=pl.len().cast(pl.Int64),
            blocks=layouts / (1.0 / count).sum(),
            freedom=(count - 1.0).sum(),
            within=((count - 1.0) * pl.col("square")).sum(),
            between=pl.col("mean").var(ddof=1),
            mean=pl.col("mean").mean(),
        )
        .with_columns(
            within=pl.when(pl.col("freedom") > 0).then(pl.col("within") / pl.col("freedom")),
            error=(pl.col("between") / pl.col("layouts")).sqrt(),
        )
        .sort("cell", "level")
    )


def components(sums: pl.DataFrame) -> pl.DataFrame:
    """Add `sd`, `explained` and their 95 % intervals to sums as of `block_sums`; drop what they came from.

    The variance over layouts is that of their means, less what chance alone brings; unequal numbers
    of blocks enter by their harmonic mean. The interval of the standard deviation begins at 0 where
    the layouts cannot be told from one another. Null under five layouts, or with a single block each.

    References
    ----------
    J. D. Thomas and R. A. Hultquist, "Interval estimation for the unbalanced case of the one-way
    random effects model", Annals of Statistics 6 (1978), 582-587; J. S. Williams, "A confidence
    interval for variance components", Biometrika 49 (1962), 278-281; R. K. Burdick and F. A.
    Graybill, *Confidence Intervals on Variance Components* (1992), chapter 3.
    """
    layouts = sums["layouts"].to_numpy().astype(float)
    blocks, freedom = sums["blocks"].to_numpy(), sums["freedom"].to_numpy()
    between = sums["between"].fill_null(0.0).to_numpy()
    within = sums["within"].fill_null(0.0).to_numpy()
    told = (layouts >= LEAST) & (freedom > 0)
    few = np.maximum(layouts - 1.0, 1.0)
    many = np.maximum(freedom, 1.0)
    chance = within / blocks  # what luck alone adds to the variance of the layouts' means
    variance = np.maximum(between - chance, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(chance > 0.0, between / chance, np.where(between > 0.0, np.inf, 1.0))
        whole = variance + within
        explained = np.where(whole > 0.0, variance / whole, 0.0)
    bounds = {}
    for name, tail in (("low", 0.5 + CONFIDENCE / 2.0), ("high", 0.5 - CONFIDENCE / 2.0)):
        quantile = special.fdtri(few, many, tail)
        spread = between * few / special.chdtri(few, 1.0 - tail)
        part = np.maximum(1.0 - quantile / ratio, 0.0)
        bounds[f"sd_{name}"] = np.sqrt(spread * part)
        theta = np.minimum(np.maximum(ratio / quantile - 1.0, 0.0) / blocks, 1e12)
        bounds[f"explained_{name}"] = theta / (1.0 + theta)
    columns = {"sd": np.sqrt(variance), "explained": explained} | bounds
    return sums.with_columns(
        **{name: pl.when(pl.Series(told)).then(pl.Series(values)) for name, values in columns.items()}
    ).drop("within", "freedom", "between")


def sentences(table: pl.DataFrame, family: Family) -> list[str]:
    """Say for each cell which levels win more on some layouts than on others, and by how much."""
    lines = []
    several = table["cell"].n_unique() > 1
    for _, rows in table.group_by("cell", maintain_order=True):
        first = rows.row(0, named=True)
        where = f"{first['label']}: from layout to layout" if several else "From layout to layout"
        told = rows.filter(pl.col("sd_low") > 0).sort("sd", descending=True)
        parts = [
            f"that of {named(row)} by {bare(row['sd'])} points ({span(row['sd_low'], row['sd_high'])})"
            for row in told.iter_rows(named=True)
        ]
        if parts:
            rest = len(rows) - len(parts)
            left = "" if not rest else "; for the others" if rest > 1 else "; for the other"
            more = f"{left} no difference can be told from luck" if rest else ""
            lines.append(f"{where} true shares differ (standard deviation): {listed(parts)}{more}.")
        elif rows["sd_low"].is_not_null().any():
            most = bare(rows["sd_high"].max())  # type: ignore[arg-type]
            lines.append(
                f"{where} no {family.label.lower()}'s true share can be told to differ: "
                f"by no more than {most} points (standard deviation)."
            )
    return lines
