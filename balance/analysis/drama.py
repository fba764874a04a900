"""How exciting games are: margins, lead changes, comebacks, and how early the winner is known."""

from __future__ import annotations

import numpy as np
import polars as pl

from balance.analysis.declared import Declared
from balance.analysis.estimate import Value, estimate, intervals
from balance.analysis.per_game import games_of

LOOKED = 20_000  # games a cell that are gone through turn by turn, at most
CLOSE = 0.05  # a margin of at most this part of the winner's score is close

MEASURES = {
    "margin": ("Margin of the best over the second, in points", "number"),
    "close": ("Close games: the margin is at most a twentieth of the best score", "part"),
    "shared": ("Shared wins", "part"),
    "changes": ("Changes of the lead in a game", "number"),
    "behind": ("The winner is behind at half time", "part"),
    "last": ("The winner is last at half time", "part"),
    "known": ("Part of the game after which the winner stays ahead", "part"),
}

SCHEMA = {
    "cell": pl.Int32,
    "label": pl.String,
    "measure": pl.String,
    "kind": pl.String,
    "rows": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}


def drama(known: Declared) -> pl.DataFrame:
    """Average over the finished games of each cell what makes them exciting.

    Returns
    -------
    pl.DataFrame
        A row a cell and measure: `cell`, `label`, `measure`, `kind` ("number", "part"), `rows` (games),
        `mean`, `low`, `high` (95 %). What needs the score turn by turn is there only where turns were
        recorded, and looks at the first 20,000 games.
    """
    tables = []
    for cell in known.cells["cell"]:
        tables.append(_mean(_ends(known, cell), ("margin", "close", "shared")))
        by_turn = _by_turn(known, cell)
        if by_turn is not None:
            tables.append(_mean(by_turn, ("changes", "behind", "last", "known")))
    table = pl.concat([part for part in tables if not part.is_empty()] or [_mean(None, ())])
    order = {measure: place for place, measure in enumerate(MEASURES)}
    kinds = {name: kind for name, (_, kind) in MEASURES.items()}
    words = {name: label for name, (label, _) in MEASURES.items()}
    return (
        table.join(known.cells.select("cell", "label"), on="cell")
        .with_columns(
            kind=pl.col("value").replace_strict(kinds, return_dtype=pl.String),
            measure=pl.col("value").replace_strict(words, return_dtype=pl.String),
            place=pl.col("value").replace_strict(order, return_dtype=pl.Int64),
            low=pl.col("low").clip(lower_bound=0.0),
        )
        .sort("cell", "place")
        .select(*SCHEMA)
    )


def _mean(rows: pl.DataFrame | None, names: tuple[str, ...]) -> pl.DataFrame:
    if rows is None or rows.is_empty():
        schema = {"cell": pl.Int32, "value": pl.String, "blocks": pl.Int64, "rows": pl.Int64}
        return pl.DataFrame(schema=schema | dict.fromkeys(("mean", "error", "low", "high"), pl.Float64))
    return intervals(estimate(rows.lazy(), ["cell"], {name: Value.mean(pl.col(name)) for name in names}))


def _ends(known: Declared, cell: int) -> pl.DataFrame:
    games = games_of(known, cell)
    margin, best = games.margin(), games.by_side().max(axis=1)
    return games.table.select(
        pl.lit(cell, pl.Int32).alias("cell"),
        "block",
        "finished",
        margin=pl.Series(margin),
        close=pl.Series(margin <= CLOSE * np.maximum(best, 0)),
        shared=pl.Series(games.shared()),
    ).filter("finished")


def _by_turn(known: Declared, cell: int) -> pl.DataFrame | None:
    """Go through the first games turn by turn; nothing if no turns were recorded."""
    if not all("turns" in part.get("files", ()) for part in known.manifest["parts"]):
        return None
    first = (pl.col("cell") == cell) & (pl.col("game") < LOOKED)
    won = known.dataset.seats().filter(first & (pl.col("share") > 0)).select("game", "seat", won=pl.lit(True))
    rows = known.dataset.turns().filter(first).join(won, on=["game", "seat"], how="left")
    score, best = pl.col("score"), pl.col("best")
    turns = (
        rows.with_columns(won=pl.col("won").fill_null(False))
        .group_by("game", "block", "turn")
        .agg(
            best=score.max(),
            worst=score.min(),
            leaders=(score == score.max()).sum(),
            leader=pl.col("seat").sort_by("score", descending=True).first(),
            winner=score.filter("won").max(),
        )
        .filter(pl.col("winner").is_not_null())
        .sort("game", "turn")
        .collect(engine="streaming")
    )
    if turns.is_empty():
        return None
    alone = turns.filter(pl.col("leaders") == 1)
    changes = alone.group_by("game").agg(changes=(pl.col("leader") != pl.col("leader").shift(1)).sum())
    half = pl.col("turn") == (pl.col("turn").max() + 1) // 2
    ahead = pl.col("winner") == best
    at_half = (ahead, (pl.col("winner") == pl.col("worst")) & (pl.col("worst") < best))
    return (
        turns.group_by("game", "block", maintain_order=True)
        .agg(
            behind=(~at_half[0]).filter(half).any(),
            last=at_half[1].filter(half).any(),
            known=pl.col("turn").filter(~ahead).max().fill_null(0) / pl.col("turn").max(),
        )
        .join(changes, on="game", how="left")
        .with_columns(changes=pl.col("changes").fill_null(0), cell=pl.lit(cell, pl.Int32))
    )
