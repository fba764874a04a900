"""Many numbers at once: what stands out is chosen on one half and told from the other, or is screening.

The largest of many is too large. So the best and the worst of a family are chosen on every other
block and told from the rest. Everything that is not the run's question is screening: its p values are
adjusted for their number, and what stands out is worth a run of its own, not a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from balance.analysis.declared import BOT, SEAT, Declared, Family
from balance.analysis.estimate import FEW, sidak
from balance.analysis.shares import by_level
from balance.analysis.wording import listed

RATE = 0.05  # part of what is worth a run that may be false


def chosen(known: Declared, family: Family) -> pl.DataFrame:
    """Choose the best and the worst level on the even blocks, and tell their share from the odd ones.

    Returns
    -------
    pl.DataFrame
        Two rows a cell: `cell`, `label`, `which` ("strongest", "weakest"), `level`, `name`, `certainty`,
        `chosen` (its share on the blocks it was chosen by), `share`, `low`, `high` (95 %, on the other
        blocks), `beside` (names of those that cannot be told from it on the other blocks, all at once).
    """
    rows = (
        by_level(known, family)
        .group_by("cell", "level", "block")
        .agg(y=pl.col("share").sum(), w=pl.len().cast(pl.Float64))
        .collect(engine="streaming")
        .sort("cell", "level", "block")
    )
    found = []
    for cell in known.cells["cell"]:
        table = rows.filter(pl.col("cell") == cell)
        halves = [table.filter(pl.col("block") % 2 == half) for half in (0, 1)]
        first, second = (_rests(half) for half in halves)
        shared = [level for level in first if level in second]
        if len(shared) < 2 or min(second[level][2] for level in shared) < FEW:
            continue
        for which, sign in (("strongest", 1.0), ("weakest", -1.0)):
            level = max(shared, key=lambda one: sign * first[one][0])
            mean, rest, blocks = second[level]
            half_width = special.stdtrit(blocks - 1, 0.975) * _error(rest, blocks)
            beside = [
                other for other in shared if other != level and _alike(second, level, other, len(shared))
            ]
            names = [family.levels.get(other, (other, ""))[0] for other in beside]
            found.append(
                (
                    cell,
                    which,
                    level,
                    first[level][0],
                    mean,
                    max(mean - half_width, 0.0),
                    min(mean + half_width, 1.0),
                    listed(names) if names else "",
                )
            )
    schema = {"cell": pl.Int32, "which": pl.String, "level": pl.String, "chosen": pl.Float64}
    schema |= dict.fromkeys(("share", "low", "high"), pl.Float64) | {"beside": pl.String}
    table = family.named(pl.DataFrame(found, schema=schema, orient="row"))
    return (
        table.join(known.cells.select("cell", "label"), on="cell")
        .sort("cell", "which")
        .select(
            "cell", "label", "which", "level", "name", "certainty", "chosen", "share", "low", "high", "beside"
        )
    )


Rests = dict[str, tuple[float, np.ndarray, int]]


def _rests(table: pl.DataFrame) -> Rests:
    """Return for each level its share, its blocks' parts of the error (one a block of all), its blocks."""
    blocks = table["block"].unique().sort()
    place = dict(zip(blocks.to_list(), range(len(blocks)), strict=True))
    found: Rests = {}
    for (level,), part in table.partition_by("level", as_dict=True).items():
        y, w = part["y"].to_numpy(), part["w"].to_numpy()
        mean = float(y.sum() / w.sum())
        rest = np.zeros(len(blocks))
        rest[[place[block] for block in part["block"]]] = (y - mean * w) / w.sum()
        found[str(level)] = (mean, rest, len(part))
    return found


def _error(rest: np.ndarray, blocks: int) -> float:
    return float(np.sqrt((rest**2).sum() * blocks / (blocks - 1)))


def _alike(found: Rests, one: str, other: str, levels: int) -> bool:
    """Say whether two levels cannot be told apart, all others at once."""
    blocks = min(found[one][2], found[other][2])
    error = _error(found[one][1] - found[other][1], blocks)
    width = special.stdtrit(blocks - 1, 1.0 - float(sidak(levels - 1)) / 2.0) * error
    return abs(found[one][0] - found[other][0]) <= width


def adjusted(p: np.ndarray) -> np.ndarray:
    """Adjust p values so that of those under a rate, at most that part is false (Benjamini and Hochberg).

    Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995), 289-300.
    """
    count = len(p)
    order = np.argsort(p)[::-1]
    raised = np.minimum.accumulate(p[order] * count / np.arange(count, 0, -1))
    result = np.empty(count)
    result[order] = np.minimum(raised, 1.0)
    return result


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust p values so that any under 0.05 is false in at most one of twenty studies (S. Holm, 1979)."""
    count = len(p)
    order = np.argsort(p)
    raised = np.maximum.accumulate(p[order] * np.arange(count, 0, -1))
    result = np.empty(count)
    result[order] = np.minimum(raised, 1.0)
    return result


def screened(known: Declared, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Gather all that was not asked for, with raw and adjusted p values of "no other than par".

    Returns
    -------
    pl.DataFrame
        The smallest p first: `cell`, `label`, `what`, `name`, `certainty`, `share`, `fair` (par: the
        fair share; the bot's or the seat's own mean; the level's own mean over its opponents),
        `low`, `high` (95 %), `p`, `rate` (Benjamini-Hochberg over the whole table), `holm`.
    """
    parts = []
    for family in known.families:
        if family is not known.primary and family.name not in (SEAT, BOT):
            parts.append(_lines(tables[f"win_share_by_{family.name}"], family.label, pl.col("name")))
    both = pl.concat_str("name", "other_name", separator=" | ")
    if known.primary.name != BOT and tables["by_bot"]["other"].n_unique() > 1:
        parts.append(_lines(tables["by_bot"], f"{known.primary.label} | bot", both))
    if known.primary.name != SEAT:
        parts.append(_lines(tables["by_seat"], f"{known.primary.label} | seat", both))
    own = tables["matrix"].with_columns(fair=pl.col("share").mean().over("cell", "level"))
    parts.append(_lines(own, f"{known.primary.label} | opponent", both))
    table = pl.concat(parts)
    p = table["p"].to_numpy()
    table = table.with_columns(rate=pl.Series(adjusted(p)), holm=pl.Series(holm(p)))
    return table.sort(pl.col("p").round_sig_figs(9), "cell", "what", "name")


def _lines(table: pl.DataFrame, what: str, name: pl.Expr) -> pl.DataFrame:
    table = table.filter(pl.col("blocks") >= FEW)
    away = (table["share"] - table["fair"]).abs().to_numpy()
    error, blocks = table["error"].to_numpy(), table["blocks"].to_numpy().astype(float)
    scattered = 2.0 * special.stdtr(np.maximum(blocks - 1.0, 1.0), -away / np.where(error > 0, error, 1.0))
    agreed = np.where(away > 1e-12, 2.0 * 0.5**blocks, 1.0)  # all blocks fell the same way
    p = np.where(error > 0, scattered, agreed)
    return table.with_columns(name=name, what=pl.lit(what), p=pl.Series(p, dtype=pl.Float64)).select(
        "cell", "label", "what", "name", "certainty", "share", "fair", "low", "high", "p"
    )


def line(row: Mapping[str, Any]) -> str:
    """Name what a row of `screened` is about."""
    return f"{row['what']}: {row['name']}"
