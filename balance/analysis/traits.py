"""What the deal changes: games with a trait of the deal against those without it, and the extremes of many.

A game declares which of its columns the deal settles before anything is played (`Column.deal`): cards or
boards in play. The deal is drawn by lot, so that games with and without a trait differ by it, and by what is
in play in its stead. A trait is the same in all games of a block; the blocks with it and those without know
nothing of one another, and their difference gets an interval by Welch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from balance.analysis import contrast
from balance.analysis.declared import Declared
from balance.analysis.estimate import CONFIDENCE, FEW, Value, estimate, intervals, sidak
from balance.analysis.wording import measured, several, span

MEASURES = {  # what is compared: its heading, and whether it is a part of one
    "score": ("Score", False),
    "spread": ("Spread", False),
    "margin": ("Margin", False),
    "turns": ("Turns", False),
    "first": ("First seat wins", True),
    "last": ("Last seat wins", True),
}
ENDS = 3  # levels told at each end
LEAST = 10  # blocks of the choosing half under which a level is not ranked
HIGHEST, LOWEST = "highest", "lowest"

Row = Mapping[str, Any]


def traits(known: Declared) -> list[Row]:
    """Return the declared game columns that the deal settles and that are there or not."""
    return [column for column in _dealt(known) if column["role"] == "flag"]


def combinations(known: Declared) -> list[Row]:
    """Return the declared game columns that name what was dealt together, one text of many."""
    return [column for column in _dealt(known) if column["role"] == "category"]


def _dealt(known: Declared) -> Iterator[Row]:
    return (column for column in known.manifest["columns"]["game"] if column.get("deal"))


def blocks(known: Declared) -> pl.DataFrame:
    """Sum what is compared over the games of each block.

    Returns
    -------
    pl.DataFrame
        A row a block: `cell`, `block`, `games`, the sums of each of MEASURES, of `points <trait>` (mean
        over the seats) and `apart <trait>` (their standard deviation between seats) for each trait that
        pays, and the declared columns of the deal.
    """
    paid = {column["name"]: _sum(column["pays"]) for column in traits(known) if column.get("pays")}
    score = pl.col("score").cast(pl.Float64)
    games = (
        known.dataset.seats()
        .group_by("cell", "block", "game", "side")
        .agg(
            score=score.max(),
            share=pl.col("share").max(),
            **{f"points {name}": points.mean() for name, points in paid.items()},
        )
        .group_by("cell", "block", "game")
        .agg(
            score=pl.col("score").mean(),
            spread=pl.col("score").std(),
            margin=pl.col("score").max() - pl.col("score").sort(descending=True).slice(1, 1).first(),
            first=pl.col("share").filter(pl.col("side") == 1).sum(),
            last=pl.col("share").filter(pl.col("side") == pl.col("side").max()).sum(),
            **{f"points {name}": pl.col(f"points {name}").mean() for name in paid},
            **{f"apart {name}": pl.col(f"points {name}").std() for name in paid},
        )
    )
    names = [column["name"] for column in _dealt(known)]
    numbers = [*MEASURES, *(f"{what} {name}" for name in paid for what in ("points", "apart"))]
    return (
        games.join(known.dataset.games().select("cell", "game", "turns", *names), on=["cell", "game"])
        .group_by("cell", "block")
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            pl.col(numbers).cast(pl.Float64).sum(),
            pl.col(names).first(),
        )
        .collect(engine="streaming")
        .sort("cell", "block")
    )


def _sum(columns: Sequence[str]) -> pl.Expr:
    return pl.sum_horizontal(pl.col(name).cast(pl.Float64) for name in columns)


# --- with and without ---------------------------------------------------------------------------


def effects(known: Declared, made: pl.DataFrame) -> pl.DataFrame:
    """Compare the games with each trait with those without it.

    Parameters
    ----------
    made
        As `blocks` gives it.

    Returns
    -------
    pl.DataFrame
        A row a cell, trait and measure: `cell`, `label`, `deal` (what kind of trait), `trait`, `name`,
        `measure`, `heading`, `as_part` (whether it is a part of one), `blocks_with`, `blocks_without`,
        `with`, `without` (means), `effect` (their difference) with `low`, `high` (95 %) and `low_all`,
        `high_all` (95 % for all traits of the kind at once). No interval under 30 blocks on a side.
    """
    columns = traits(known)
    values = {name: _mean(name) for name in MEASURES}
    found = [_with_and_without(made, column, values, ["cell"]) for column in columns]
    if not found:
        return pl.DataFrame(schema=_EFFECTS)
    headings = pl.DataFrame(
        [(name, heading, part) for name, (heading, part) in MEASURES.items()],
        schema={"measure": pl.String, "heading": pl.String, "as_part": pl.Boolean},
        orient="row",
    )
    table = pl.concat(found).join(headings, on="measure", maintain_order="left")
    table = table.join(known.cells.select("cell", "label", "sides"), on="cell", maintain_order="left")
    # With two sides what the first one wins the last one loses.
    table = table.filter((pl.col("measure") != "last") | (pl.col("sides") > 2))
    return _welch(table, ["cell", "deal", "measure"]).sort("cell", maintain_order=True).select(*_EFFECTS)


def _mean(name: str) -> Value:
    return Value(pl.col(name).sum(), pl.col("games").sum())


def _with_and_without(
    made: pl.DataFrame, column: Row, values: Mapping[str, Value], by: Sequence[str]
) -> pl.DataFrame:
    """Estimate the means with and without one trait, and their difference with its error."""
    found = estimate(made.with_columns(present=pl.col(column["name"])).lazy(), [*by, "present"], values)
    sides = {}
    for present, word in ((True, "with"), (False, "without")):
        sides[word] = found.filter(pl.col("present") == present).select(
            *by,
            measure="value",
            **{f"blocks_{word}": pl.col("blocks"), word: pl.col("mean"), f"error_{word}": pl.col("error")},
        )
    return (
        sides["with"]
        .join(sides["without"], on=[*by, "measure"], maintain_order="left")
        .with_columns(
            deal=pl.lit(column["deal"]),
            trait=pl.lit(column["name"]),
            name=pl.lit(column["label"]),
            effect=pl.col("with") - pl.col("without"),
        )
    )


def _welch(table: pl.DataFrame, family: Sequence[str]) -> pl.DataFrame:
    """Add the intervals of a difference of two independent means, of one trait and of all in its family.

    B. L. Welch, "The generalization of 'Student's' problem when several different population variances
    are involved", Biometrika 34 (1947), 28-35.
    """
    table = table.with_columns(size=pl.len().over(family))
    parts = [table[f"error_{side}"].fill_null(0.0).to_numpy() ** 2 for side in ("with", "without")]
    counts = [table[f"blocks_{side}"].to_numpy().astype(float) for side in ("with", "without")]
    variance = parts[0] + parts[1]
    spare = sum(part**2 / np.maximum(count - 1, 1) for part, count in zip(parts, counts, strict=True))
    freedom = np.where(spare > 0, variance**2 / np.where(spare > 0, spare, 1.0), 1.0)
    enough = np.minimum(*counts) >= FEW
    effect = table["effect"].to_numpy()
    for alpha, ending in (
        (np.full(len(table), 1 - CONFIDENCE), ""),
        (sidak(table["size"].to_numpy()), "_all"),
    ):
        half = special.stdtrit(freedom, 1 - alpha / 2) * np.sqrt(variance)
        low, high = np.where(enough, effect - half, np.nan), np.where(enough, effect + half, np.nan)
        table = table.with_columns(
            pl.Series(f"low{ending}", low).fill_nan(None), pl.Series(f"high{ending}", high).fill_nan(None)
        )
    return table


_EFFECTS = {
    "cell": pl.Int32,
    "label": pl.String,
    "deal": pl.String,
    "trait": pl.String,
    "name": pl.String,
    "measure": pl.String,
    "heading": pl.String,
    "as_part": pl.Boolean,
    "blocks_with": pl.Int64,
    "blocks_without": pl.Int64,
    "with": pl.Float64,
    "without": pl.Float64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_all": pl.Float64,
    "high_all": pl.Float64,
}


def paid(known: Declared, made: pl.DataFrame) -> pl.DataFrame:
    """Say what each trait that pays brings to a seat in the games that have it.

    Returns
    -------
    pl.DataFrame
        A row a cell and trait: `cell`, `label`, `deal`, `trait`, `name`, `blocks`, `points` (mean over the
        seats) and `apart` (standard deviation between the seats of a game, mean over the games), each
        with `_low` and `_high` (95 %), and `of_score` (the part of the mean score in these games).
    """
    rows = []
    for column in traits(known):
        name = column["name"]
        if not column.get("pays"):
            continue
        values = {"points": _mean(f"points {name}"), "apart": _mean(f"apart {name}"), "score": _mean("score")}
        found = intervals(estimate(made.filter(pl.col(name)).lazy(), ["cell"], values))
        table = found.filter(pl.col("value") == "points").select(
            "cell", "blocks", points="mean", points_low="low", points_high="high"
        )
        apart = found.filter(pl.col("value") == "apart").select(
            "cell", apart="mean", apart_low="low", apart_high="high"
        )
        score = found.filter(pl.col("value") == "score").select("cell", score="mean")
        rows.append(
            table.join(apart, on="cell")
            .join(score, on="cell")
            .with_columns(
                deal=pl.lit(column["deal"]),
                trait=pl.lit(name),
                name=pl.lit(column["label"]),
                of_score=pl.when(pl.col("score") != 0).then(pl.col("points") / pl.col("score")),
            )
        )
    if not rows:
        return pl.DataFrame(schema=_PAID)
    return (
        pl.concat(rows)
        .join(known.cells.select("cell", "label"), on="cell", maintain_order="left")
        .sort("cell", maintain_order=True)
        .select(*_PAID)
    )


_PAID = {
    "cell": pl.Int32,
    "label": pl.String,
    "deal": pl.String,
    "trait": pl.String,
    "name": pl.String,
    "blocks": pl.Int64,
    "points": pl.Float64,
    "points_low": pl.Float64,
    "points_high": pl.Float64,
    "apart": pl.Float64,
    "apart_low": pl.Float64,
    "apart_high": pl.Float64,
    "of_score": pl.Float64,
}


# --- what a thing is worth, by what was dealt ------------------------------------------------------


def worth_by_deal(known: Declared, made: pl.DataFrame) -> pl.DataFrame:
    """Say what each thing of a contrast is worth in games with a trait of the deal, and in those without.

    Screening: a row for each thing and trait, so that some stand out by luck; the intervals `_all` hold
    for the whole table at once.

    Returns
    -------
    pl.DataFrame
        A row a cell, treatment and trait: `cell`, `label`, `treatment`, `of` (the thing's name), `deal`,
        `trait`, `name`, `blocks_with`, `blocks_without`, `with`, `without` (win share gained by having the
        thing, 0 to 1), `effect` (their difference) with `low`, `high`, `low_all`, `high_all`; empty
        where nothing is contrasted or no trait is declared.
    """
    treatments = known.manifest.get("contrast") or []
    columns = traits(known)
    if not treatments or not columns:
        return pl.DataFrame(schema=_WORTH)
    names = [column["name"] for column in columns]
    rows = (
        contrast.differences(known).collect().join(made.select("cell", "block", *names), on=["cell", "block"])
    )
    values = {"share": Value.mean(pl.col("share"))}
    found = [_with_and_without(rows, column, values, ["cell", "contrast"]) for column in columns]
    things = pl.DataFrame({"contrast": [t["key"] for t in treatments], "of": [t["name"] for t in treatments]})
    table = (
        pl.concat(found)
        .join(things, on="contrast", maintain_order="left")
        .join(known.cells.select("cell", "label"), on="cell", maintain_order="left")
        .rename({"contrast": "treatment"})
    )
    return _welch(table, ["cell"]).sort("cell", "treatment", maintain_order=True).select(*_WORTH)


_WORTH = {
    "cell": pl.Int32,
    "label": pl.String,
    "treatment": pl.String,
    "of": pl.String,
    "deal": pl.String,
    "trait": pl.String,
    "name": pl.String,
    "blocks_with": pl.Int64,
    "blocks_without": pl.Int64,
    "with": pl.Float64,
    "without": pl.Float64,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_all": pl.Float64,
    "high_all": pl.Float64,
}


# --- extremes -----------------------------------------------------------------------------------


def chosen_half() -> pl.Expr:
    """Say of each block whether extremes are chosen on it: on every other one, as in `screening`."""
    return pl.col("block") % 2 == 0


def extremes(known: Declared, made: pl.DataFrame) -> pl.DataFrame:
    """Find the highest and lowest of many combinations, and say how they do in games that had no part in it.

    The highest of a hundred means is high by luck, too. So the combinations are ranked on one half of the
    blocks, and what is told of them comes from the other half alone.

    Returns
    -------
    pl.DataFrame
        A row a cell, combination column, measure and extreme: `cell`, `label`, `deal`, `column`,
        `heading` (of the measure), `measure`, `as_part`, `end` ("highest", "lowest"), `place` (1 to 3),
        `level`, `ranked` (its mean in the choosing half), `blocks`, `mean` with `low`, `high` (95 %) and
        `low_all`, `high_all` (95 % for the extremes of the measure at once), and `overall` (the mean of
        all games of the reporting half). Empty where too few combinations have ten blocks to choose by.
    """
    found = [
        table
        for column in combinations(known)
        for measure in MEASURES
        for table in _extremes_of(known, made, column, measure)
    ]
    return pl.concat(found).select(*_EXTREMES) if found else pl.DataFrame(schema=_EXTREMES)


def _extremes_of(known: Declared, made: pl.DataFrame, column: Row, measure: str) -> Iterator[pl.DataFrame]:
    heading, part = MEASURES[measure]
    rows = made.with_columns(level=pl.col(column["name"]).cast(pl.String), choosing=chosen_half())
    values = {measure: _mean(measure)}
    ranking = estimate(rows.filter(pl.col("choosing")).lazy(), ["cell", "level"], values)
    told = estimate(rows.filter(~pl.col("choosing")).lazy(), ["cell", "level"], values)
    overall = estimate(rows.filter(~pl.col("choosing")).lazy(), ["cell"], values)
    for cell, label, sides in known.cells.select("cell", "label", "sides").iter_rows():
        if measure == "last" and sides <= 2:
            continue
        known_levels = told.filter(pl.col("cell") == cell)["level"].implode()
        ranked = ranking.filter(
            (pl.col("cell") == cell) & (pl.col("blocks") >= LEAST) & pl.col("level").is_in(known_levels)
        ).sort("mean", "level", descending=[True, False])
        if len(ranked) <= 2 * ENDS:
            continue
        ends = pl.concat(
            [
                ranked.head(ENDS).with_columns(end=pl.lit(HIGHEST), place=pl.int_range(1, ENDS + 1)),
                ranked.tail(ENDS).reverse().with_columns(end=pl.lit(LOWEST), place=pl.int_range(1, ENDS + 1)),
            ]
        ).select("cell", "level", "end", "place", ranked="mean")
        table = ends.join(told, on=["cell", "level"], maintain_order="left")
        yield intervals(table, ["cell"], (0.0, 1.0) if part else None).with_columns(
            label=pl.lit(label),
            deal=pl.lit(column["deal"]),
            column=pl.lit(column["name"]),
            measure=pl.lit(measure),
            heading=pl.lit(heading),
            as_part=pl.lit(part),
            overall=pl.lit(overall.filter(pl.col("cell") == cell)["mean"][0]),
        )


_EXTREMES = {
    "cell": pl.Int32,
    "label": pl.String,
    "deal": pl.String,
    "column": pl.String,
    "measure": pl.String,
    "heading": pl.String,
    "as_part": pl.Boolean,
    "end": pl.String,
    "place": pl.Int64,
    "level": pl.String,
    "ranked": pl.Float64,
    "blocks": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_all": pl.Float64,
    "high_all": pl.Float64,
    "overall": pl.Float64,
}


# --- in words -----------------------------------------------------------------------------------


def sentences(known: Declared, table: pl.DataFrame) -> list[str]:
    """Say which traits change scores most, and which favour or hinder the first seat."""
    lines = []
    for rows in table.partition_by("cell", "deal", maintain_order=True):
        where = f"{rows['label'][0]}: " if len(known.cells) > 1 else ""
        kind = rows["deal"][0].lower()
        if rows["low_all"].null_count() == len(rows):
            few = several(
                int(rows.select(pl.min_horizontal("blocks_with", "blocks_without").max()).item()), "block"
            )
            lines.append(f"{where}Too few games to compare by {kind}: {few} at most on one side.")
            continue
        lines.append(f"{where}By {kind}: {_of_scores(rows)}; {_of_first(rows)}.")
    return lines


def _of_scores(rows: pl.DataFrame) -> str:
    rows = rows.filter((pl.col("measure") == "score") & pl.col("low_all").is_not_null())
    if rows.is_empty():
        return "nothing is told of scores"
    rows = rows.sort("effect")
    worst, best = rows.row(0, named=True), rows.row(-1, named=True)
    return f"scores are highest with {_changed(best)} and lowest with {_changed(worst)}"


def _of_first(rows: pl.DataFrame) -> str:
    rows = rows.filter((pl.col("measure") == "first") & pl.col("low_all").is_not_null())
    told = rows.filter((pl.col("low_all") > 0) | (pl.col("high_all") < 0))
    if told.is_empty():
        return "none is known to change what the first seat wins"
    names = [_changed(row) for row in told.sort("effect", descending=True).iter_rows(named=True)]
    return f"the first seat's win share changes with {', '.join(names)}"


def _changed(row: Row) -> str:
    if row["as_part"]:
        return f"{row['name']} ({100 * row['effect']:+.1f}: {span(row['low_all'], row['high_all'])})"
    mean, between = measured(row["effect"], row["low_all"], row["high_all"])
    return f"{row['name']} ({'+' if row['effect'] > 0 else ''}{mean}: {between})"
