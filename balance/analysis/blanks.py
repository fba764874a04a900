"""What a part is worth: a level without it, held against the same games with it.

Both are played on the same deals, in the same line-ups, by bots with the same chance. The difference
is taken game by game for the one level that lacks the part, and its interval comes from how whole
blocks of differences scatter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis.declared import Declared, Family
from balance.analysis.estimate import Value, estimate, intervals
from balance.analysis.findings import named
from balance.analysis.reading import reading
from balance.analysis.wording import bare, listed

HELPS, HARMS, UNTOLD, DEAD, FEW_BLOCKS = "helps", "harms", "not told from nothing", "dead", "too few blocks"


def worth(known: Declared, family: Family) -> pl.DataFrame:
    """Say what each blanked part of the levels of `family` is worth.

    Returns
    -------
    pl.DataFrame
        A row a part, in the order of the cells: `cell` (that lacks it), `base` and `label` (of the
        cell that has it), `players`, `level`, `name`, `certainty`, `part`, `note` (what it does),
        `blocks`, `rows` (seats played), `share` (with the part), `without`, `effect` (their
        difference, in parts of one) with `low`, `high` (95 %) and `low_all`, `high_all` (95 % for
        all parts at once), `points` (what it adds to the score) with `points_low`, `points_high`,
        `changed` (part of the games that end otherwise without it) and `verdict`: "helps", "harms",
        "not told from nothing", "dead" (no game ends otherwise), "too few blocks".
    """
    blanked = _blanked(known, family)
    if blanked.is_empty():
        return pl.DataFrame(schema=_COLUMNS)
    found = estimate(_differences(known, family, blanked), ["cell"], _VALUES)
    part = dict(found.partition_by("value", as_dict=True, include_key=False))
    effect = intervals(part[("effect",)].with_columns(all=pl.lit(0)), ["all"], (-1.0, 1.0))
    points = intervals(part[("points",)])
    table = (
        effect.rename({"mean": "effect"})
        .join(
            points.select("cell", pl.col("mean").alias("points"), points_low="low", points_high="high"),
            on="cell",
        )
        .join(part[("with",)].select("cell", pl.col("mean").alias("share")), on="cell")
        .join(part[("changed",)].select("cell", pl.col("mean").alias("changed")), on="cell")
        .join(blanked, on="cell")
    )
    low, high = pl.col("low_all"), pl.col("high_all")
    verdict = (
        pl.when(pl.col("changed") == 0)
        .then(pl.lit(DEAD))
        .when(low.is_null())
        .then(pl.lit(FEW_BLOCKS))
        .when(low > 0)
        .then(pl.lit(HELPS))
        .when(high < 0)
        .then(pl.lit(HARMS))
        .otherwise(pl.lit(UNTOLD))
    )
    dead = pl.col("changed") == 0  # then there is no scatter, and nothing to be unsure of in these games
    exact = [pl.when(dead).then(0.0).otherwise(name).alias(name) for name in ("low", "high", *_ALL)]
    return (
        family.named(table)
        .with_columns(verdict=verdict, without=pl.col("share") - pl.col("effect"))
        .with_columns(exact)
        .sort("cell")
        .select(*_COLUMNS)
    )


_ALL = ("low_all", "high_all")
_VALUES = {
    "effect": Value.mean(pl.col("share") - pl.col("share_without")),
    "points": Value.mean((pl.col("score") - pl.col("score_without")).cast(pl.Float64)),
    "with": Value.mean(pl.col("share")),
    "changed": Value.mean(
        (pl.col("share") != pl.col("share_without")) | (pl.col("score") != pl.col("score_without"))
    ),
}
_COLUMNS = {
    "cell": pl.Int32,
    "base": pl.Int32,
    "label": pl.String,
    "players": pl.Int64,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "part": pl.String,
    "note": pl.String,
    "blocks": pl.Int64,
    "rows": pl.Int64,
    "share": pl.Float64,
    "without": pl.Float64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_all": pl.Float64,
    "high_all": pl.Float64,
    "points": pl.Float64,
    "points_low": pl.Float64,
    "points_high": pl.Float64,
    "changed": pl.Float64,
    "verdict": pl.String,
}


def _blanked(known: Declared, family: Family) -> pl.DataFrame:
    """List the cells that lack a part of a level of `family`, with that of the cell that has it."""
    cells: list[Mapping[str, Any]] = known.manifest["cells"]
    rows = [
        {
            "cell": cell["index"],
            "base": blank["base"],
            "label": cells[blank["base"]]["label"],
            "players": cell["players"],
            "level": blank["level"],
            "part": blank["part"],
            "note": blank["note"],
        }
        for cell in cells
        if (blank := cell.get("blank")) and blank["factor"] == family.name
    ]
    schema = {name: _COLUMNS[name] for name in ("cell", "base", "label", "players", "level", "part", "note")}
    return pl.DataFrame(rows, schema=schema)


def _differences(known: Declared, family: Family, blanked: pl.DataFrame) -> pl.LazyFrame:
    """Pair each seat that lacks a part with itself in the game that has it: `cell`, `block`, both results."""
    seats = reading(known.dataset, everything=True).seats()
    rows = seats.select(
        "cell", "game", "block", "seat", "share", "score", level=pl.col(family.name).cast(pl.String)
    )
    wanted = blanked.lazy().select("cell", "base", "level")
    without = rows.join(wanted, on=["cell", "level"]).select(
        "cell", "base", "game", "seat", share_without="share", score_without="score"
    )
    having = rows.join(wanted, left_on=["cell", "level"], right_on=["base", "level"]).select(
        cell="cell_right", game="game", block="block", seat="seat", share="share", score="score"
    )
    return having.join(without, on=["cell", "game", "seat"])


def sentences(table: pl.DataFrame, family: Family) -> list[str]:
    """Say in a sentence for each level what its parts are worth, those told from nothing first."""
    lines = []
    several_bases = table["base"].n_unique() > 1
    for _, rows in table.group_by("base", "level", maintain_order=True):
        first = rows.row(0, named=True)
        said = []
        for verdict, verb in ((HELPS, "is worth"), (HARMS, "harms by")):
            found = rows.filter(pl.col("verdict") == verdict).sort("effect", descending=verdict == HELPS)
            said += [f"{row['part']} {verb} {_points(row)}" for row in found.iter_rows(named=True)]
        for verdict, words in ((UNTOLD, "cannot be told from nothing"), (DEAD, "changes no game")):
            parts = rows.filter(pl.col("verdict") == verdict)["part"].to_list()
            if parts:
                said.append(
                    f"{listed(parts)} {words if len(parts) == 1 else words.replace('changes', 'change')}"
                )
        if said:
            where = f"{first['label']}: " if several_bases else ""
            lines.append(f"{where}{named(first)}: {'; '.join(said)}.")
    return lines


def _points(row: Mapping[str, Any]) -> str:
    """Write an effect in points, with the interval that holds for all parts at once."""
    size = abs(row["effect"])
    ends = sorted((abs(row["low_all"]), abs(row["high_all"])))
    points = f"{bare(size)} {'point' if bare(size) == '1.0' else 'points'}"
    return f"{points} ({bare(ends[0])} to {bare(ends[1])})"
