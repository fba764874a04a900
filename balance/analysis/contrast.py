"""What a thing is worth: the treated games of a randomised contrast against the same deal untreated.

The unit of evidence is the block. Its untreated game and each of its treated games share the deal
and the bots' chance, so their difference for the treated seat is what the treatment did; where it
never mattered, the games are the same and the difference is nothing, without noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis.declared import Declared
from balance.analysis.estimate import FEW, Value, estimate, intervals
from balance.analysis.findings import named
from balance.analysis.wording import bare, listed, percent, several, span

ABOVE, BELOW, LIKE = "above the average", "below the average", "like the average"
TOO_FEW = "too few blocks"

Row = Mapping[str, Any]

_PAIRED = ("share", "points", "share_used", "points_used", "from_mean")


def worth(known: Declared) -> pl.DataFrame:
    """Estimate what it is worth to have each thing that a contrast bars a seat from, or gives it.

    A difference is that of the untreated game less the barred one, or of the game with the gift less
    the untreated one, for the seat that was drawn: positive if the thing is good to have.

    Returns
    -------
    pl.DataFrame
        A row a cell and treatment, the most valuable first; empty if nothing is contrasted: `cell`,
        `label`, `treatment`, `kind` ("bar" or "gift"), `name`, `means`, `certainty`, `blocks`; with
        intervals `_low`, `_high` (95 %) and `_low_all`, `_high_all` (95 % for all treatments at once):
        `share` (of wins, 0 to 1) and `points` gained, `share_used` and `points_used` (the same per
        game that the treatment changed) and `from_mean` (`share` less its mean over all treatments of
        the block); `verdict` on that ("above the average", ...); `changed` (part of the games in
        which any score, or the number of decisions, came out otherwise); `taken` (part of the seats of
        untreated games that used the thing) and `share_taken` (how often those won), both null where
        the game counts no such use. Who uses a thing chose to: `share_taken` judges nothing.
    """
    treatments = known.manifest.get("contrast") or []
    if not treatments:
        return pl.DataFrame(schema=_SCHEMA)
    values = {
        "share": Value.mean(pl.col("share")),
        "points": Value.mean(pl.col("points")),
        "share_used": Value(pl.col("share").sum(), pl.col("changed").sum()),
        "points_used": Value(pl.col("points").sum(), pl.col("changed").sum()),
        "from_mean": Value.mean(pl.col("from_mean")),
        "changed": Value.mean(pl.col("changed")),
    }
    found = estimate(differences(known), ["cell", "contrast"], values)
    table = (
        found.filter(pl.col("value") == "share")
        .select("cell", "contrast", "blocks")
        .join(known.cells.select("cell", "label"), on="cell")
        .join(_named(treatments), on="contrast")
    )
    for value in _PAIRED:
        table = table.join(_measured(found, value), on=["cell", "contrast"], how="left")
    changed = found.filter(pl.col("value") == "changed").select("cell", "contrast", changed="mean")
    return (
        table.join(changed, on=["cell", "contrast"])
        .join(_taken(known, treatments), on=["cell", "contrast"], how="left")
        .with_columns(verdict=_verdict())
        .sort("cell", "share", "order", descending=[False, True, False])
        .rename({"contrast": "treatment"})
        .select(*_SCHEMA)
    )


def differences(known: Declared) -> pl.LazyFrame:
    """Return a row a block and treatment: what the treated seat gained by having the thing.

    Columns `cell`, `block`, `contrast`, `share`, `points`, `changed`, `from_mean`.
    """
    same = ["cell", "block", "seat"]
    columns = ["cell", "block", "game", "contrast", "seat", "treated", "share", "score"]
    seats = known.dataset.whole.seats().select(columns)
    decisions = known.dataset.whole.games().select("cell", "game", "decisions")
    seats = seats.join(decisions, on=["cell", "game"])
    plain = seats.filter(pl.col("contrast").is_null()).select(
        *same, plain_share="share", plain_score="score", plain_decisions="decisions"
    )
    sign = pl.when(pl.col("contrast").cast(pl.String).str.starts_with("bar ")).then(1.0).otherwise(-1.0)
    own = pl.col("treated").cast(pl.Int32)
    return (
        seats.filter(pl.col("contrast").is_not_null())
        .join(plain, on=same)
        .with_columns(contrast=pl.col("contrast").cast(pl.String))
        .group_by("cell", "block", "contrast")
        .agg(
            share=(sign * own * (pl.col("plain_share") - pl.col("share"))).sum(),
            points=(sign * own * (pl.col("plain_score") - pl.col("score"))).sum(),
            changed=(
                (pl.col("plain_score") != pl.col("score"))
                | (pl.col("plain_decisions") != pl.col("decisions"))
            )
            .any()
            .cast(pl.Float64),
        )
        .with_columns(from_mean=pl.col("share") - pl.col("share").mean().over("cell", "block"))
    )


def sentences(known: Declared, table: pl.DataFrame) -> list[str]:
    """Name the best and the worst to have, in plain words, with their intervals."""
    lines = []
    for rows in table.partition_by("cell", maintain_order=True):
        best, worst = rows.row(0, named=True), rows.row(-1, named=True)
        where = f"{best['label']}: " if len(known.cells) > 1 else ""
        if best["share_low_all"] is None:
            lines.append(
                f"{where}{several(best['blocks'], 'block')} are too few to say what a thing is worth, "
                f"at least {FEW} are needed."
            )
            continue
        told = f"{where}The most is gained by {_gain(best)}"
        lines.append(f"{told}; the least by {_gain(worst)}." if len(rows) > 1 else f"{told}.")
        above = [named(row) for row in rows.iter_rows(named=True) if row["verdict"] == ABOVE]
        below = [named(row) for row in rows.iter_rows(named=True) if row["verdict"] == BELOW]
        for names, word in ((above, "more"), (below, "less")):
            if names:
                lines.append(f"{where}Worth {word} than the average of them: {', '.join(names)}.")
    return lines


def recommendation(known: Declared, table: pl.DataFrame) -> str:
    """Say what to do about things that are worth more, or less, than the average of them."""
    above, below = (
        table.filter(pl.col("verdict") == verdict).sort("cell", "share", descending=[False, down])
        for verdict, down in ((ABOVE, True), (BELOW, False))
    )
    if (table["verdict"] == TOO_FEW).any():
        return "Nothing can be decided yet: play more games."
    if above.is_empty() and below.is_empty():
        return "Keep: none can be told from the average of them. More games would show smaller differences."
    steps = [
        f"{do} {listed(list(dict.fromkeys(named(row) for row in rows.iter_rows(named=True))))}"
        for do, rows in (("weaken", above), ("strengthen", below))
        if len(rows)
    ]
    said = " and ".join(steps)
    invented = any(entry["certainty"] == "reconstructed" for entry in known.manifest["provenance"])
    first = "Check first whether it hangs on the reconstructed data. " if invented else ""
    return (
        f"{said[0].upper()}{said[1:]}; one small change at a time, each compared on the same deals. "
        f"{first}Then test with people."
    )


def _gain(row: Row) -> str:
    return (
        f"{named(row)}, {100 * row['share']:+.1f} points of win share "
        f"({span(row['share_low_all'], row['share_high_all'])}; it changed {percent(row['changed'])} of the "
        f"games, by {bare(row['share_used'])} each)"
    )


def _named(treatments: list[Mapping[str, str]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "contrast": [one["key"] for one in treatments],
            "kind": [one["kind"] for one in treatments],
            "name": [one["name"] for one in treatments],
            "means": [one["label"] for one in treatments],
            "certainty": [one["certainty"] for one in treatments],
            "order": list(range(len(treatments))),
        }
    )


def _measured(found: pl.DataFrame, value: str) -> pl.DataFrame:
    """Return one value with its intervals, named after it."""
    part = intervals(found.filter(pl.col("value") == value), ["cell"])
    names = {"mean": value} | {end: f"{value}_{end}" for end in ("low", "high", "low_all", "high_all")}
    return part.select("cell", "contrast", *(pl.col(old).alias(new) for old, new in names.items()))


def _taken(known: Declared, treatments: list[Mapping[str, str]]) -> pl.DataFrame:
    """Say how often each thing is used where nobody is treated, and how often its users win."""
    counted = {one["key"]: one["column"] for one in treatments if one["column"]}
    if not counted:
        return pl.DataFrame(schema={name: _SCHEMA.get(name, pl.String) for name in _TAKEN})
    used = {f"used {key}": pl.col(column) > 0 for key, column in counted.items()}
    made = (
        known.dataset.seats()
        .group_by("cell")
        .agg(
            *(expression.mean().alias(f"part {key}") for key, expression in used.items()),
            *(
                pl.col("share").filter(expression).mean().alias(f"won {key}")
                for key, expression in used.items()
            ),
        )
        .collect()
    )
    return pl.concat(
        [
            made.select(
                "cell",
                pl.lit(key).alias("contrast"),
                pl.col(f"part used {key}").alias("taken"),
                pl.col(f"won used {key}").alias("share_taken"),
            )
            for key in counted
        ]
    )


def _verdict() -> pl.Expr:
    return (
        pl.when(pl.col("from_mean_low_all").is_null())
        .then(pl.lit(TOO_FEW))
        .when(pl.col("from_mean_low_all") > 0)
        .then(pl.lit(ABOVE))
        .when(pl.col("from_mean_high_all") < 0)
        .then(pl.lit(BELOW))
        .otherwise(pl.lit(LIKE))
    )


_TAKEN = ("cell", "contrast", "taken", "share_taken")
_TEXTS = ("label", "treatment", "kind", "name", "means", "certainty")
_ENDS = ("", "_low", "_high", "_low_all", "_high_all")
_SCHEMA = {
    "cell": pl.Int32,
    **dict.fromkeys(_TEXTS, pl.String),
    "blocks": pl.Int64,
    **dict.fromkeys((f"{value}{end}" for value in _PAIRED for end in _ENDS), pl.Float64),
    "verdict": pl.String,
    **dict.fromkeys(("changed", "taken", "share_taken"), pl.Float64),
}
