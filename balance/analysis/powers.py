"""Which powers bots reach and use: what they do not use has not been measured.

A game may declare for a power two columns of a seat with one label: role "chances" (how often it could
have been used) and role "uses". What a component consists of, a nation's levels, is watched in any
game by a control (`balance.controls`): a chance is a decision in which the part opens an act, a use
is such an act. What works by itself has neither, and needs no watching. Such a part is judged by games,
since a power that is open at every move and decides the game once is used: of the games in which it had
a chance, those in which it was used.
"""

from __future__ import annotations

import polars as pl
from scipy.special import bdtr

from balance.analysis.declared import Declared, Family

IDLE = 0.05  # a power used in a smaller part of its chances is not used
RARE = 0.05
ENOUGH = 100  # chances (or games) under which nothing is said of a power

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
        them with a chance), `chances`, `uses`, `part` (uses of chances; of what is watched, of games),
        `used` (false if it is shown to be used in under 5 % of them); empty where there is nothing of the
        kind.
    """
    family = known.primary
    found = [*_declared(known, family), *_watched(known, family)]
    if not found:
        return pl.DataFrame(schema=SCHEMA)
    table = pl.concat(found).filter(pl.col("chances") > 0)
    table = table.with_columns(
        part=pl.col("took") / pl.col("had"), used=~_shown_idle(table["took"], table["had"])
    )
    return (
        family.named(table)
        .join(known.cells.select("cell", "label"), on="cell")
        .sort("cell", "order", "place")
        .select(*SCHEMA)
    )


def _shown_idle(uses: pl.Series, chances: pl.Series) -> pl.Series:
    """Say whether so few uses would be rare (5 %) if the power were used in as many chances as it takes."""
    rare = [bdtr(used, had, IDLE) < RARE for used, had in zip(uses, chances, strict=True)]
    return pl.Series(rare, dtype=pl.Boolean) & (chances >= ENOUGH)


_COUNTED = {
    "cell": pl.Int32,
    "level": pl.String,
    "rows": pl.Int64,
    "power": pl.String,
    "place": pl.Int32,
    "reached": pl.Float64,
    "chances": pl.Int64,
    "uses": pl.Int64,
    "had": pl.Int64,
    "took": pl.Int64,
}


def _watched(known: Declared, family: Family) -> list[pl.DataFrame]:
    """Return what the control counted of parts, for every cell with as many players."""
    rows = []
    for one in known.manifest.get("controls", {}).get("results", []):
        if one["control"] != "parts" or one["factor"] != family.name:
            continue
        cells = known.cells.filter(pl.col("players") == one["players"])["cell"]
        for cell in cells:
            for place, part in enumerate(one.get("parts", [])):
                reached = part["reached"] / part["seats"] if part["seats"] else 0.0
                counted = (reached, part["chances"], part["uses"], part["reached"], part["used"])
                rows.append((cell, part["level"], part["seats"], part["part"], place, *counted))
    return [pl.DataFrame(rows, schema=_COUNTED, orient="row")] if rows else []


def _declared(known: Declared, family: Family) -> list[pl.DataFrame]:
    """Return the sums of the columns that a game declares."""
    pairs = _pairs(known)
    if not pairs:
        return []
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
    return [
        wide.select(
            *("cell", "level", "rows", pl.lit(label).alias("power"), pl.lit(number).alias("place")),
            reached=pl.col(f"r{number}") / pl.col("rows"),
            chances=pl.col(f"c{number}"),
            uses=pl.col(f"u{number}"),
            had=pl.col(f"c{number}"),
            took=pl.col(f"u{number}"),
        )
        for number, label in enumerate(pairs)
    ]


def idle(known: Declared) -> pl.DataFrame:
    """Return `cell` and `level` of the primary family that have a power which bots do not use."""
    return powers(known).filter(~pl.col("used")).select("cell", "level").unique()


def _pairs(known: Declared) -> dict[str, tuple[str, str]]:
    chances = {column["label"]: column["name"] for column in known.columns("seat", "chances")}
    uses = {column["label"]: column["name"] for column in known.columns("seat", "uses")}
    return {label: (chances[label], uses[label]) for label in chances if label in uses}
