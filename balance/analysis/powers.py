"""Which powers bots reach and use: what they do not use has not been measured.

A game declares for a power two columns of a seat with one label: role "chances" (how often it could
have been used) and role "uses".
"""

from __future__ import annotations

import polars as pl

from balance.analysis.declared import Declared

IDLE = 0.05  # a power used in a smaller part of its chances is not used
ENOUGH = 100  # chances under which nothing is said of a power

SCHEMA = {
    "cell": pl.Int32,
    "label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "power": pl.String,
    "rows": pl.Int64,
    "reached": pl.Float64,
    "chances": pl.Int64,
    "uses": pl.Int64,
    "part": pl.Float64,
    "used": pl.Boolean,
}


def powers(known: Declared) -> pl.DataFrame:
    """Count for each level of the primary family, and each power it ever had a chance to use.

    Returns
    -------
    pl.DataFrame
        `cell`, `label`, `level`, `name`, `certainty`, `power`, `rows` (seats played), `reached` (part of
        them with a chance), `chances`, `uses`, `part` (uses of chances), `used` (false if under 5 %);
        empty where the game declares no such columns.
    """
    pairs = _pairs(known)
    if not pairs:
        return pl.DataFrame(schema=SCHEMA)
    family = known.primary
    counted = []
    for number, (chances, uses) in enumerate(pairs.values()):
        counted += [
            (pl.col(chances) > 0).sum().alias(f"r{number}"),
            pl.col(chances).cast(pl.Int64).sum().alias(f"c{number}"),
            pl.col(uses).cast(pl.Int64).sum().alias(f"u{number}"),
        ]
    wide = (
        known.dataset.seats()
        .group_by("cell", level=pl.col(family.name).cast(pl.String))
        .agg(pl.len().cast(pl.Int64).alias("rows"), *counted)
        .collect(engine="streaming")
    )
    tables = [
        wide.select(
            *("cell", "level", "rows", pl.lit(label).alias("power"), pl.lit(number).alias("place")),
            reached=pl.col(f"r{number}") / pl.col("rows"),
            chances=pl.col(f"c{number}"),
            uses=pl.col(f"u{number}"),
        )
        for number, label in enumerate(pairs)
    ]
    found = pl.concat(tables).filter(pl.col("chances") > 0)
    found = found.with_columns(part=pl.col("uses") / pl.col("chances"))
    return (
        family.named(found)
        .join(known.cells.select("cell", "label"), on="cell")
        .with_columns(used=(pl.col("part") >= IDLE) | (pl.col("chances") < ENOUGH))
        .sort("cell", "order", "place")
        .select(*SCHEMA)
    )


def idle(known: Declared) -> pl.DataFrame:
    """Return `cell` and `level` of the primary family that have a power which bots do not use."""
    return powers(known).filter(~pl.col("used")).select("cell", "level").unique()


def _pairs(known: Declared) -> dict[str, tuple[str, str]]:
    chances = {column["label"]: column["name"] for column in known.columns("seat", "chances")}
    uses = {column["label"]: column["name"] for column in known.columns("seat", "uses")}
    return {label: (chances[label], uses[label]) for label in chances if label in uses}
