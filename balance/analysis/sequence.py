"""Confidence sequences: intervals that hold at every look at once, however often one looks.

A t interval holds at one number of blocks that was fixed beforehand. Whoever looks while games are
still being played, or plays until something shows, needs an interval that is right at all looks
together. The one here assumes nothing but that a block's total lies between none and all of its
rows: no normal distribution, and no equal chances from block to block.

References
----------
S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, "Time-uniform, nonparametric, nonasymptotic
confidence sequences", Annals of Statistics 49 (2021), 1055-1080: the empirical-Bernstein sequence
of theorem 4, with the gamma-exponential mixture of proposition 9 as its boundary.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import special

from balance.analysis.estimate import CONFIDENCE, FEW, Value

TUNED = 500  # blocks at which the sequence is about narrowest; it holds at every other number too
STEPS = 60  # bisections: far below the digits shown


def boundary(variance: np.ndarray, alpha: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Return what a sum of centred numbers from 0 to 1 stays under at all times, but for chance `alpha`.

    Parameters
    ----------
    variance
        Sum of squares about a mean foreseen from the past, so far.
    alpha
        The chance of ever crossing, on this side.
    rho
        The variance about which the boundary is tuned; any positive number is valid.

    Returns
    -------
    np.ndarray
        The gamma-exponential mixture boundary with scale 1 (see the references above).
    """
    wanted = -np.log(alpha)
    low = np.zeros(np.broadcast_shapes(np.shape(variance), np.shape(alpha), np.shape(rho)))
    high = 2.0 * np.sqrt((variance + rho) * (wanted + 1.0)) + 2.0 * wanted + 2.0
    while (short := _log_mixture(high, variance, rho) < wanted).any():
        high = np.where(short, 2.0 * high, high)
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        under = _log_mixture(middle, variance, rho) < wanted
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    return high


def _log_mixture(total: np.ndarray, variance: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Return the logarithm of the mixture of exponential supermartingales, 0 at its start."""
    shape = variance + rho
    reach = total + shape
    start = rho * np.log(rho) - special.gammaln(rho) - np.log(special.gammainc(rho, rho))
    now = special.gammaln(shape) + np.log(special.gammainc(shape, reach)) - shape * np.log(reach)
    return start + now + total + variance


def tuned(fair: np.ndarray, rows: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return the `rho` that makes the boundary about narrowest after `TUNED` blocks.

    `fair` is the fair share, `rows` the rows of a block, which are taken to be independent; that
    they are not costs width, never validity.
    """
    variance = TUNED * fair * (1.0 - fair) / rows
    size = 2.0 * np.log(1.0 / np.minimum(2.0 * alpha, 0.5))
    return np.maximum(variance / (size + np.log1p(size)), 0.05)


def half_width(blocks: float, fair: float, rows: float, alpha: float) -> float:
    """Foretell half the width of a sequence after `blocks` blocks of `rows` independent rows each."""
    variance = np.asarray(blocks * fair * (1.0 - fair) / rows)
    side = np.asarray(alpha / 2.0)
    rho = tuned(np.asarray(fair), np.asarray(rows), side)
    return float(boundary(variance, side, rho)) / blocks


def sequences(
    rows: pl.LazyFrame, by: Sequence[str], value: Value, family: Sequence[str], fair: pl.DataFrame
) -> pl.DataFrame:
    """Return intervals for the mean of `value` that hold at all looks, and for all levels at once.

    Parameters
    ----------
    rows
        One row a seat, with `block`; values from 0 to 1.
    by
        Columns that define a group, the cell among them.
    family
        Columns that name the family; its error is split evenly over its groups (Bonferroni).
    fair
        `cell` and `fair`: the first guess at a mean, before any block is seen.

    Returns
    -------
    pl.DataFrame
        `by`, `low`, `high` (for the group alone), `low_all`, `high_all` (for the whole family); null
        under 30 blocks.
    """
    totals = (
        rows.group_by([*by, "block"])
        .agg(y=value.of.cast(pl.Float64), w=value.per.cast(pl.Float64))
        .filter(pl.col("w") > 0)
        .sort([*by, "block"])
        .collect(engine="streaming")
        .join(fair.select("cell", "fair"), on="cell")
    )
    y, w = pl.col("y"), pl.col("w")
    before_y, before_w = y.cum_sum().over(by) - y, w.cum_sum().over(by) - w
    guess = (pl.col("fair") * w + before_y) / (w + before_w)
    found = (
        totals.with_columns(rest=y - guess * w)
        .group_by(by, maintain_order=True)
        .agg(
            blocks=pl.len(),
            fair=pl.col("fair").first(),
            total=w.sum(),
            most=w.max(),
            mean=y.sum() / w.sum(),
            squares=(pl.col("rest") ** 2).sum(),
        )
        .with_columns(size=pl.len().over(family), variance=pl.col("squares") / pl.col("most") ** 2)
    )
    return bounds(found).select(*by, "low", "high", "low_all", "high_all")


def bounds(table: pl.DataFrame) -> pl.DataFrame:
    """Add `low`, `high`, `low_all` and `high_all` to a table of sums.

    `table` has `blocks`, `fair`, `total` (rows), `most` (rows of the largest block), `mean`,
    `variance` (in squares of the largest block) and `size` (groups of the family).
    """
    error = np.full(len(table), 1.0 - CONFIDENCE)
    for alpha, low, high in (
        (error, "low", "high"),
        (error / table["size"].to_numpy(), "low_all", "high_all"),
    ):
        rows = table["total"].to_numpy() / table["blocks"].to_numpy()
        rho = tuned(table["fair"].to_numpy(), rows, alpha / 2.0)
        edge = boundary(table["variance"].to_numpy(), alpha / 2.0, rho)
        half = pl.Series(edge) * table["most"] / table["total"]
        enough = pl.col("blocks") >= FEW
        table = table.with_columns(half=half).with_columns(
            pl.when(enough).then((pl.col("mean") - pl.col("half")).clip(0.0, 1.0)).alias(low),
            pl.when(enough).then((pl.col("mean") + pl.col("half")).clip(0.0, 1.0)).alias(high),
        )
    return table.drop("half")
