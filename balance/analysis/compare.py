"""Two rule sets side by side: differences block by block, where the same deals were played under both.

A block that both play begins with the same deal, seats and line-ups. What the deal does to both
cancels in the difference of its two means, so that differences are known better than either mean:
by how much is told, too, and may be less than one. Sums are of whole numbers, so a change that
changes nothing gives differences of exactly zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from scipy import special

from balance.analysis.declared import BOT, SEAT, Declared, Family
from balance.analysis.estimate import FEW, TOO_FEW, UNKNOWN, sidak
from balance.analysis.per_game import games_of
from balance.analysis.shares import by_level
from balance.dataset import Dataset
from balance.errors import DatasetError

WHOLE = math.lcm(*range(1, 9))  # a win in parts, so that shares sum exactly in any order
LOOKED = 50  # blocks whose line-ups are held against one another
PART_BAND = 0.05  # what matters of a part of all games

MORE, LESS, SAME, EXACT = "more", "less", "no difference that matters", "exactly the same"


@dataclass(frozen=True)
class Arm:
    """One rule set: a cell of a dataset, and what it is called among the others."""

    known: Declared
    cell: int
    label: str

    @property
    def row(self) -> dict:
        return self.known.cells.row(by_predicate=pl.col("cell") == self.cell, named=True)


@dataclass(frozen=True)
class Comparison:
    """What changes from `base` to `other`.

    Attributes
    ----------
    paired
        Whether the same blocks are held against one another; else `why` not.
    blocks
        Blocks that both have, if paired.
    table
        A row a metric and level: `family` ("" for what concerns whole games), `level`, `name`,
        `certainty`, `metric`, `kind` ("share", "index", "number", "part"), `before`, `after`,
        `difference`, `low`, `high` (95 %, all levels of a family and metric at once), `band` (what
        matters), `saved` (how many times as many blocks it would take unpaired; null if unpaired or
        both are without scatter), `blocks`, `verdict`.
    """

    base: Arm
    other: Arm
    paired: bool
    why: str
    blocks: int
    table: pl.DataFrame


def arms(datasets: Sequence[Dataset], band: float | None = None) -> list[Arm]:
    """List the cells of `datasets` that hold games, in order.

    Raises
    ------
    DatasetError
        If they are of different games, or fewer than two.
    """
    from balance.analysis.declared import declared

    found = []
    for dataset in datasets:
        known = declared(dataset, band)
        name = f"{Path(dataset.path).name}: " if len(datasets) > 1 else ""
        for cell, label in known.cells.select("cell", "label").iter_rows():
            found.append(Arm(known, cell, name + label if len(known.cells) > 1 or not name else name[:-2]))
        if known.manifest["game"] != found[0].known.manifest["game"]:
            raise DatasetError(
                f"is of {known.manifest['game']}, and {datasets[0].path} of "
                f"{found[0].known.manifest['game']}",
                where=str(dataset.path),
                remedy="compare rule sets of one game",
            )
    if len(found) < 2:
        raise DatasetError(
            "holds one rule set, so there is nothing to compare",
            where=str(datasets[0].path),
            remedy="add a [[variant]] to the scenario, or name another dataset",
        )
    return found


def comparisons(found: Sequence[Arm]) -> Iterator[Comparison]:
    """Hold each arm against the first with as many players; where it is that itself, against the first.

    Within a run, arms of other tiers are no rule sets to compare: `analysis.tiers` does that.
    """
    for place, other in enumerate(found[1:], start=1):
        row = other.row
        alike = [
            arm for arm in found[:place] if arm.row["tier"] == row["tier"] or arm.known is not other.known
        ]
        players = [arm for arm in alike if arm.row["players"] == row["players"]]
        if alike and (players or not row["tier"]):
            yield compare((players or alike)[0], other)


def compare(base: Arm, other: Arm) -> Comparison:
    """Say what changes from `base` to `other`.

    Raises
    ------
    DatasetError
        If they have no level in common by which they could be compared.
    """
    why = _apart(base, other)
    table = pl.concat([*_shares(base, other, not why), _whole(base, other, not why)])
    if table.filter(pl.col("family") == base.known.primary.name).is_empty():
        raise DatasetError(
            f"{base.label} and {other.label} have no {base.known.primary.label.lower()} in common",
            where=str(other.known.dataset.path),
            remedy="compare rule sets whose fields of play overlap",
        )
    blocks = 0 if why else int(table["blocks"].max())  # type: ignore[arg-type]
    return Comparison(base, other, not why, why, blocks, table)


def _apart(base: Arm, other: Arm) -> str:
    """Say why blocks cannot be paired; nothing if they can."""
    one, two = base.row, other.row
    if one["players"] != two["players"]:
        return f"{one['players']} players and {two['players']}"
    if base.known.manifest["seed"] != other.known.manifest["seed"]:
        return "their seeds differ"
    if not _lineups(base).equals(_lineups(other)):
        return "their line-ups differ"
    return ""


def _lineups(arm: Arm) -> pl.DataFrame:
    names = [family.name for family in arm.known.families if family.name not in (BOT, SEAT)]
    here = (pl.col("cell") == arm.cell) & (pl.col("block") < LOOKED)
    rows = arm.known.dataset.seats().filter(here).select("game", "seat", "block", "side", *names)
    table = rows.with_columns(pl.col(names).cast(pl.String)).collect().sort("game", "seat")
    return table.select(sorted(table.columns))


# --- metrics ------------------------------------------------------------------------------------


def _shares(base: Arm, other: Arm, paired: bool) -> Iterator[pl.DataFrame]:
    """Compare win shares by each family, and scores by the primary one."""
    theirs = {family.name for family in other.known.families}
    for family in base.known.families:
        if family.name not in theirs:
            continue
        share = (pl.col("share") * WHOLE).round().cast(pl.Int64).sum()
        totals = [_totals(arm, family, share) for arm in (base, other)]
        scale = [1.0, 1.0] if paired else [float(arm.row["sides"]) for arm in (base, other)]
        kind = "share" if paired else "index"
        band = base.known.band * (base.row["fair"] if paired else 1.0)
        units = [WHOLE / factor for factor in scale]
        yield _differences(totals, units, paired, family, "Win share", kind, band)
        if family is base.known.primary:
            score = pl.col("score").cast(pl.Int64).sum()
            totals = [_totals(arm, family, score) for arm in (base, other)]
            yield _differences(totals, [1.0, 1.0], paired, family, "Score", "number", None)


def _totals(arm: Arm, family: Family, of: pl.Expr) -> pl.DataFrame:
    rows = by_level(arm.known, family).filter(pl.col("cell") == arm.cell)
    return rows.group_by("level", "block").agg(y=of, w=pl.len().cast(pl.Int64)).collect(engine="streaming")


def _whole(base: Arm, other: Arm, paired: bool) -> pl.DataFrame:
    """Compare what concerns whole games: length, margin, shared wins, ends."""
    each = [_of_games(arm) for arm in (base, other)]
    nothing = Family("", "", {})
    tables = []
    for name, kind in METRICS.items():
        totals = [
            table.group_by("block").agg(y=pl.col(name).sum(), w=pl.len().cast(pl.Int64)) for table in each
        ]
        levelled = [total.with_columns(level=pl.lit("")) for total in totals]
        band = PART_BAND if kind == "part" else None
        units = [float(arm.row["players"]) if name == "Score of a seat" else 1.0 for arm in (base, other)]
        tables.append(_differences(levelled, units, paired, nothing, name, kind, band))
    return pl.concat(tables)


METRICS = {
    "Turns": "number",
    "Decisions": "number",
    "Score of a seat": "number",
    "Margin": "number",
    "Shared wins": "part",
    "Unfinished": "part",
}


def _of_games(arm: Arm) -> pl.DataFrame:
    games = games_of(arm.known, arm.cell)
    return games.table.select(
        "block",
        pl.col("turns").cast(pl.Int64).alias("Turns"),
        pl.col("decisions").cast(pl.Int64).alias("Decisions"),
        pl.Series("Score of a seat", games.score.sum(axis=1)),
        pl.Series("Margin", games.margin()),
        pl.Series("Shared wins", games.shared().astype(np.int64)),
        (~pl.col("finished")).cast(pl.Int64).alias("Unfinished"),
    )


# --- differences --------------------------------------------------------------------------------


def _differences(
    totals: Sequence[pl.DataFrame],
    units: Sequence[float],
    paired: bool,
    family: Family,
    metric: str,
    kind: str,
    band: float | None,
) -> pl.DataFrame:
    """Turn block totals of two arms (`level`, `block`, `y`, `w`) into a row a level.

    A mean is y over w; its error comes from the scatter of whole blocks, that of a difference from
    the scatter of the blocks' differences, linearised as in `estimate`. `units` is what one is
    worth in y. The band is a tenth (`Declared.band`) of the mean before where `band` is left out.
    """
    rows = []
    one, two = (dict(table.partition_by("level", as_dict=True)) for table in totals)
    for key in one.keys() & two.keys():
        found = _pair(one[key], two[key]) if paired else None
        if paired and found is None:
            continue
        first, second = found or (_arrays(one[key]), _arrays(two[key]))
        rows.append((str(key[0]), *_difference(first, second, units, paired)))
    table = pl.DataFrame(rows, schema=_RAW, orient="row")
    size = len(table)
    if not size:
        return pl.DataFrame(schema=SCHEMA)
    spread = special.stdtrit(
        np.maximum(table["blocks"].to_numpy() - 1.0, 1.0), 1.0 - float(sidak(size)) / 2.0
    )
    half = pl.Series(spread) * pl.col("error")
    enough = pl.col("blocks") >= FEW
    matters = pl.lit(band) if band is not None else _TENTH * pl.col("before").abs()
    low, high = pl.col("low"), pl.col("high")
    verdict = (
        pl.when((pl.col("difference") == 0) & (pl.col("error") == 0) & pl.col("saved").is_nan())
        .then(pl.lit(EXACT))
        .when(low.is_null())
        .then(pl.lit(TOO_FEW))
        .when(low > pl.col("band"))
        .then(pl.lit(MORE))
        .when(high < -pl.col("band"))
        .then(pl.lit(LESS))
        .when((low >= -pl.col("band")) & (high <= pl.col("band")))
        .then(pl.lit(SAME))
        .otherwise(pl.lit(UNKNOWN))
    )
    return (
        family.named(
            table.with_columns(
                low=pl.when(enough).then(pl.col("difference") - half),
                high=pl.when(enough).then(pl.col("difference") + half),
                band=matters,
                metric=pl.lit(metric),
                kind=pl.lit(kind),
                family=pl.lit(family.name),
            )
        )
        .with_columns(verdict=verdict)
        .with_columns(saved=pl.col("saved").fill_nan(None))
        .sort("order")
        .select(*SCHEMA)
    )


_TENTH = 0.1
_RAW = {
    "level": pl.String,
    "before": pl.Float64,
    "after": pl.Float64,
    "difference": pl.Float64,
    "error": pl.Float64,
    "saved": pl.Float64,
    "blocks": pl.Int64,
}
SCHEMA = {
    "family": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "metric": pl.String,
    "kind": pl.String,
    "before": pl.Float64,
    "after": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "band": pl.Float64,
    "saved": pl.Float64,
    "blocks": pl.Int64,
    "verdict": pl.String,
}

Totals = tuple[np.ndarray, np.ndarray]


def _arrays(table: pl.DataFrame) -> Totals:
    return table["y"].to_numpy().astype(float), table["w"].to_numpy().astype(float)


def _pair(one: pl.DataFrame, two: pl.DataFrame) -> tuple[Totals, Totals] | None:
    """Return the totals of the blocks that both have, in order; nothing if there are none."""
    both = one.join(two, on="block", suffix="_2").sort("block")
    if both.is_empty():
        return None
    second = both.select(y="y_2", w="w_2")
    return _arrays(both), _arrays(second)


def _difference(
    one: Totals, two: Totals, units: Sequence[float], paired: bool
) -> tuple[float, float, float, float, float | None, int]:
    """Return `before`, `after`, `difference`, `error`, `saved` (NaN where nothing scatters), `blocks`."""
    means, rests, errors = [], [], []
    for (y, w), unit in zip((one, two), units, strict=True):
        mean = y.sum() / w.sum() / unit
        rest = (y / unit - mean * w) * (len(y) / w.sum())
        means.append(float(mean))
        rests.append(rest)
        errors.append(_error(rest))
    apart = math.hypot(*errors)
    blocks = min(len(one[0]), len(two[0]))
    difference = means[1] - means[0]
    if not paired:
        return (*means, difference, apart, None, blocks)  # type: ignore[return-value]
    error = _error(rests[1] - rests[0])
    saved = (apart / error) ** 2 if error > 0 else math.nan
    return (*means, difference, error, saved, blocks)  # type: ignore[return-value]


def _error(rest: np.ndarray) -> float:
    count = len(rest)
    return math.sqrt(float((rest**2).sum()) / (count * (count - 1))) if count > 1 else 0.0
