"""Means over blocks, their intervals, and the verdict read off an interval.

The unit of evidence is the block: one deal in all its balanced line-ups. Rows within a block
depend on one another (the shares of a game sum to one; line-ups of a block meet the same deal),
so every standard error here comes from how whole blocks scatter, never from counting rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import special

from balance.scenario import BAND

CONFIDENCE = 0.95
FEW = 30  # blocks under which no interval is given

TOO_STRONG, TOO_WEAK, BALANCED = "too strong", "too weak", "balanced"
ABOVE, BELOW, WITHIN = "above the band", "below the band", "within the band"
OUTSIDE = (TOO_STRONG, TOO_WEAK, ABOVE, BELOW)
UNKNOWN, TOO_FEW, ALONE = "not yet known", "too few blocks", "nothing to compare"
NONE_ENDED, STALLED, UNUSED = "no game finished", "too many unfinished", "powers not used"
SILENT = (TOO_FEW, ALONE, NONE_ENDED, STALLED, UNUSED)  # words that stand where there is no verdict
VERDICTS = (TOO_STRONG, TOO_WEAK, BALANCED)
PLACES = (ABOVE, BELOW, WITHIN)  # said of bots: one that wins more plays better, which unbalances nothing


@dataclass(frozen=True)
class Value:
    """What to average: the sum of `of` over the sum of `per`, both taken over rows."""

    of: pl.Expr
    per: pl.Expr

    @classmethod
    def mean(cls, of: pl.Expr, where: pl.Expr | None = None) -> Value:
        """The mean of `of` over all rows, or over those where `where` is true."""
        if where is None:
            return cls(of.sum(), pl.len())
        return cls(of.filter(where).sum(), where.sum())


def estimate(rows: pl.LazyFrame, by: Sequence[str], values: Mapping[str, Value]) -> pl.DataFrame:
    """Average each value over blocks, within each group of `by`, with its standard error.

    The mean over the blocks of the block means, each block weighing as many rows as it has of the
    group: the plain mean of block means where blocks are alike, as they are in a full sweep. Blocks
    in which a group does not occur say nothing of it and are not counted. The standard error
    is that of a ratio of block totals, from the scatter of whole blocks, with B / (B - 1) for B blocks.

    Parameters
    ----------
    rows
        One row a game or a seat, with `block`; read in one pass.
    by
        Columns that define a group, the cell among them.
    values
        Name -> what to average.

    Returns
    -------
    pl.DataFrame
        For each group and value: `by`, `value`, `blocks`, `rows`, `mean`, `error` (null under
        two blocks), sorted by `by`.

    References
    ----------
    W. G. Cochran, *Sampling Techniques*, 3rd ed. (1977), sections 6.3-6.4 and 9A.2.
    """
    names = list(values)
    totals = [values[name].of.cast(pl.Float64).alias(f"y{i}") for i, name in enumerate(names)]
    weights = [values[name].per.cast(pl.Float64).alias(f"w{i}") for i, name in enumerate(names)]
    sums = [part for i in range(len(names)) for part in _sums(i)]
    wide = (
        rows.group_by([*by, "block"])
        .agg(*totals, *weights)
        .group_by(by)
        .agg(*sums)
        .collect(engine="streaming")
    )
    long = pl.concat([_ratio(wide, by, name, i) for i, name in enumerate(names)])
    return long.sort(by, maintain_order=True)


def _sums(i: int) -> list[pl.Expr]:
    y, w = pl.col(f"y{i}"), pl.col(f"w{i}")
    return [
        (w > 0).sum().alias(f"blocks{i}"),
        y.sum().alias(f"sum_y{i}"),
        w.sum().alias(f"sum_w{i}"),
        (y * y).sum().alias(f"sum_yy{i}"),
        (y * w).sum().alias(f"sum_yw{i}"),
        (w * w).sum().alias(f"sum_ww{i}"),
    ]


def _ratio(wide: pl.DataFrame, by: Sequence[str], name: str, i: int) -> pl.DataFrame:
    blocks, mean = pl.col("blocks").cast(pl.Float64), pl.col("mean")
    scatter = pl.col("yy") - 2 * mean * pl.col("yw") + mean**2 * pl.col("ww")
    # Sums of squares cancel to about 1e-15 of themselves where all blocks agree.
    scatter = pl.when(scatter > 1e-12 * pl.col("yy")).then(scatter).otherwise(0.0)
    parts = {part: pl.col(f"sum_{part}{i}") for part in ("y", "w", "yy", "yw", "ww")}
    return (
        wide.filter(pl.col(f"sum_w{i}") > 0)
        .select(*by, pl.lit(name).alias("value"), pl.col(f"blocks{i}").alias("blocks"), **parts)
        .with_columns(mean=pl.col("y") / pl.col("w"))
        .with_columns(
            error=pl.when(pl.col("blocks") > 1).then(
                (blocks / (blocks - 1) * scatter).sqrt() / pl.col("w"),
            )
        )
        .select(
            *by,
            "value",
            pl.col("blocks").cast(pl.Int64),
            pl.col("w").cast(pl.Int64).alias("rows"),
            "mean",
            "error",
        )
    )


def sidak(family: np.ndarray | int) -> np.ndarray:
    """Return the error each of `family` intervals may make so that all hold at once with 95 %.

    Z. Sidak, "Rectangular confidence regions for the means of multivariate normal distributions",
    JASA 62 (1967), 626-633: safe for any correlation, such as that of shares that sum to one.
    """
    return 1.0 - CONFIDENCE ** (1.0 / np.maximum(family, 1))


def intervals(
    table: pl.DataFrame, family: Sequence[str] | None = None, bounds: tuple[float, float] | None = None
) -> pl.DataFrame:
    """Add `low` and `high`, and with a family `low_all` and `high_all`: 95 % t intervals over blocks.

    `low` to `high` holds the true mean in 95 of 100 studies. `low_all` to `high_all` is wider, so
    that in 95 of 100 studies *all* intervals of the family hold (Sidak). No interval is given
    under 30 blocks. With `bounds` (0 and 1 for a share), intervals stay inside them, and where all
    blocks agree to the digit the interval comes from the chance that a block unlike them was
    missed (Clopper and Pearson, Biometrika 26 (1934), 404-413), since there is no scatter to go by.

    Parameters
    ----------
    table
        As `estimate` gives it.
    family
        Columns that name the family; the rows that agree in them belong together.
    """
    table = _interval(table, np.full(len(table), 1.0 - CONFIDENCE), "low", "high", bounds)
    if family is None:
        return table
    table = table.with_columns(size=pl.len().over(family))
    return _interval(table, sidak(table["size"].to_numpy()), "low_all", "high_all", bounds).drop("size")


def _interval(
    table: pl.DataFrame, alpha: np.ndarray, low: str, high: str, bounds: tuple[float, float] | None
) -> pl.DataFrame:
    mean = table["mean"].to_numpy()
    blocks = table["blocks"].to_numpy().astype(float)
    error = table["error"].fill_null(0.0).to_numpy()
    half = special.stdtrit(np.maximum(blocks - 1.0, 1.0), 1.0 - alpha / 2.0) * error
    below, above = mean - half, mean + half
    if bounds is not None:
        least, most = bounds
        missed = 1.0 - (alpha / 2.0) ** (1.0 / blocks)
        below = np.where(error > 0.0, np.maximum(below, least), mean - missed * (mean - least))
        above = np.where(error > 0.0, np.minimum(above, most), mean + missed * (most - mean))
    enough = pl.col("blocks") >= FEW
    return table.with_columns(
        pl.when(enough).then(pl.Series(low, below)).alias(low),
        pl.when(enough).then(pl.Series(high, above)).alias(high),
    )


def judge(
    table: pl.DataFrame,
    family: Sequence[str],
    words: tuple[str, str, str] = VERDICTS,
    band: float = BAND,
) -> pl.DataFrame:
    """Add `band_low`, `band_high` and `verdict`, read off `low_all` to `high_all` and `fair`.

    The band is the fair share plus or minus `band` times itself. "balanced": the whole interval lies
    in the band. "too strong", "too weak": the whole interval lies above, below it. Else "not yet
    known". There is no verdict but "no game finished" and "too many unfinished" where `stalled` (the
    part of games without an end) shifts shares by more than half the band; "too few blocks" where
    there is no interval; "nothing to compare" in a family of one. `words` are those for above,
    below and within the band.
    """
    low, high = pl.col("low_all"), pl.col("high_all")
    stalled = pl.col("stalled") if "stalled" in table.columns else pl.lit(0.0)
    above, below, within = words
    verdict = (
        pl.when(pl.len().over(family) == 1)
        .then(pl.lit(ALONE))
        .when(stalled == 1)
        .then(pl.lit(NONE_ENDED))
        .when(stalled > band / 2)
        .then(pl.lit(STALLED))
        .when(low.is_null())
        .then(pl.lit(TOO_FEW))
        .when(low > pl.col("band_high"))
        .then(pl.lit(above))
        .when(high < pl.col("band_low"))
        .then(pl.lit(below))
        .when((low >= pl.col("band_low")) & (high <= pl.col("band_high")))
        .then(pl.lit(within))
        .otherwise(pl.lit(UNKNOWN))
    )
    return table.with_columns(
        band_low=pl.col("fair") * (1 - band), band_high=pl.col("fair") * (1 + band)
    ).with_columns(verdict=verdict)


def wilson(wins: float, games: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval of a part of independent games, such as games won alone.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22
    (1927), 209-212. Not for shared wins, nor for games of one block: those depend on one another.
    """
    z2 = special.ndtri(0.5 + confidence / 2.0) ** 2
    middle = (wins + z2 / 2.0) / (games + z2)
    half = np.sqrt(z2 * (wins * (games - wins) / games + z2 / 4.0)) / (games + z2)
    return float(max(middle - half, 0.0)), float(min(middle + half, 1.0))


def clopper_pearson(wins: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval that covers at least so often whatever the truth (Biometrika 26, 1934)."""
    tail = (1.0 - confidence) / 2.0
    low = special.betaincinv(wins, games - wins + 1, tail) if wins else 0.0
    high = special.betaincinv(wins + 1, games - wins, 1.0 - tail) if wins < games else 1.0
    return float(low), float(high)


def more_games(table: pl.DataFrame) -> pl.DataFrame:
    """Add `more_low` and `more_high`: roughly how many more games a cell needs for a verdict.

    An interval narrows with the root of the number of games, and a verdict needs it to be narrower
    than the way from the share to the nearest edge of the band. That way is known to about one
    standard error, hence the range. Null where a verdict stands or there is no interval; only
    `more_high` null where the share may lie on the edge itself or next to it (the range would span
    more than a factor of 25), so that it may never settle.
    Needs `games` (of the whole cell) in `table`.
    """
    edge = pl.min_horizontal(
        (pl.col("mean") - pl.col("band_low")).abs(), (pl.col("mean") - pl.col("band_high")).abs()
    )
    half = (pl.col("high_all") - pl.col("low_all")) / 2
    open_ = pl.col("verdict") == UNKNOWN
    far, near = edge + pl.col("error"), edge - pl.col("error")
    return table.with_columns(
        more_low=pl.when(open_).then(_more(pl.col("games"), half, far)),
        more_high=pl.when(open_ & (near > far / 5)).then(_more(pl.col("games"), half, near)),
    )


def _more(games: pl.Expr, half: pl.Expr, way: pl.Expr) -> pl.Expr:
    return (games * ((half / way) ** 2 - 1)).clip(lower_bound=0).ceil().cast(pl.Int64)
