"""Win shares: by level, by level and bot, and of each level against each other."""

from __future__ import annotations

import polars as pl

from balance.analysis.declared import BOT, SEAT, Declared, Family
from balance.analysis.estimate import (
    PLACES,
    UNKNOWN,
    UNUSED,
    VERDICTS,
    Value,
    estimate,
    intervals,
    judge,
    more_games,
    wilson,
)
from balance.analysis.powers import idle
from balance.analysis.sequence import sequences

MATRIX_MOST = 48  # levels beyond which no matrix is drawn up: nobody could read it
_PACK = 15  # levels counted in one 64-bit number, four bits each (a game has at most 8 seats)

SHARE, SCORE = pl.col("share"), pl.col("score").cast(pl.Float64)


def win_share(known: Declared, family: Family) -> pl.DataFrame:
    """Estimate how often each level of `family` wins, with its verdict.

    Returns
    -------
    pl.DataFrame
        A row a cell and level, the strongest first (seats and bots in their own order): `cell`,
        `label`, `level`, `name`, `certainty`, `blocks`, `rows` (seats played), `error` (of the
        share), `share` (0 to 1; a k-way tie counts 1/k, an unfinished game nothing) with `low`,
        `high` (95 %) and `low_all`,
        `high_all` (95 % for the whole family), `fair`, `band_low`, `band_high`, `verdict`,
        `more_low`, `more_high` (games), `outright` and `shared` (parts of its games that it won
        alone, and together with others) with `outright_low` and so on (95 %), `score` with
        `score_low`, `score_high`, and `score_sd` (spread over its seats; null under two). If
        `known.anytime`, the intervals of `share` hold at every look at once.
    """
    values = {
        "share": Value.mean(SHARE),
        "outright": Value.mean(SHARE >= 1),
        "shared": Value.mean((SHARE > 0) & (SHARE < 1)),
        "score": Value.mean(SCORE),
        "square": Value.mean(SCORE**2),
    }
    rows = by_level(known, family)
    found = estimate(rows, ["cell", "level"], values)
    part = dict(found.partition_by("value", as_dict=True, include_key=False))
    shares = part[("share",)]
    if known.anytime:
        always = sequences(rows, ["cell", "level"], values["share"], ["cell"], known.cells)
        shares = shares.join(always, on=["cell", "level"])
    else:
        shares = intervals(shares, ["cell"], (0.0, 1.0))
    shares = shares.join(known.cells.select("cell", "label", "fair", "games", "stalled"), on="cell")
    words = PLACES if family.name == BOT else VERDICTS
    shares = judge(shares, ["cell"], words, known.band)
    if family is known.primary:
        shares = _silenced(shares, idle(known))
    shares = more_games(shares).rename({"mean": "share"})
    square = part[("square",)].select("cell", "level", square="mean")
    shares = shares.join(square, on=["cell", "level"])
    for name in ("outright", "shared"):
        shares = shares.join(_parts(part[(name,)], name), on=["cell", "level"])
    scores = intervals(part[("score",)]).select(
        "cell", "level", pl.col("mean").alias("score"), score_low="low", score_high="high"
    )
    variance = pl.col("square") - pl.col("score") ** 2
    spread = (variance.clip(lower_bound=0) * pl.col("rows") / (pl.col("rows") - 1)).sqrt()
    shares = shares.join(scores, on=["cell", "level"]).with_columns(
        score_sd=pl.when(pl.col("rows") > 1).then(spread)
    )
    order = ["order"] if family.name in ("seat", BOT) else ["share", "order"]
    return (
        family.named(shares)
        .sort("cell", *order, descending=[False, *(name == "share" for name in order)])
        .select(
            *("cell", "label", "level", "name", "certainty", "blocks", "rows", "error"),
            *("share", "low", "high"),
            *("low_all", "high_all", "fair", "band_low", "band_high", "verdict", "more_low", "more_high"),
            *("outright", "outright_low", "outright_high", "shared", "shared_low", "shared_high"),
            *("score", "score_low", "score_high", "score_sd"),
        )
    )


def _silenced(shares: pl.DataFrame, unused: pl.DataFrame) -> pl.DataFrame:
    """Take back the verdict on levels with a power that bots do not use: it was not measured."""
    if unused.is_empty():
        return shares
    silent = shares.join(unused.with_columns(unused=True), on=["cell", "level"], how="left")
    spoken = pl.col("unused") & pl.col("verdict").is_in([*VERDICTS, *PLACES, UNKNOWN])
    verdict = pl.when(spoken).then(pl.lit(UNUSED)).otherwise("verdict")
    return silent.with_columns(verdict=verdict).drop("unused")


def _parts(found: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return `name`, `name_low` and `name_high`: Wilson's interval where each row is a block of its own."""
    found = intervals(found, bounds=(0.0, 1.0))
    alone = (pl.col("rows") == pl.col("blocks")) & pl.col("low").is_not_null()
    pairs = [wilson(mean * rows, rows) for mean, rows in found.select("mean", "rows").iter_rows()]
    return found.with_columns(
        low=pl.when(alone).then(pl.Series([low for low, _ in pairs], dtype=pl.Float64)).otherwise("low"),
        high=pl.when(alone).then(pl.Series([high for _, high in pairs], dtype=pl.Float64)).otherwise("high"),
    ).select(
        *("cell", "level", pl.col("mean").alias(name)),
        *(pl.col("low").alias(f"{name}_low"), pl.col("high").alias(f"{name}_high")),
    )


def by_level(known: Declared, family: Family) -> pl.LazyFrame:
    """Return the seats table with the level of `family` as the text column `level`."""
    return known.dataset.seats().with_columns(level=pl.col(family.name).cast(pl.String))


def by_bot(known: Declared, family: Family) -> pl.DataFrame:
    """Estimate the win share of each level in the hands of each bot: screening, no verdicts.

    Returns
    -------
    pl.DataFrame
        A row a cell, level and bot: `cell`, `label`, `level`, `name`, `certainty`, `other` and
        `other_name` (the bot), `blocks`, `rows`, `error`, `share`, `low`, `high`, `low_all`, `high_all`,
        `fair` (here the bot's own mean over the levels), `differs` (whether the interval of the
        whole table leaves it out).
    """
    return _crossed(known, family, known.family(BOT))


def by_seat(known: Declared, family: Family) -> pl.DataFrame:
    """Estimate the win share of each level in each seat, as `by_bot` does for bots."""
    return _crossed(known, family, known.family(SEAT))


def _crossed(known: Declared, family: Family, others: Family) -> pl.DataFrame:
    rows = by_level(known, family).with_columns(other=pl.col(others.name).cast(pl.String))
    found = estimate(rows, ["cell", "level", "other"], {"share": Value.mean(SHARE)})
    return _grid(known, family, others, found, pl.col("share").mean().over("cell", "other"))


def matrix(known: Declared, family: Family) -> pl.DataFrame:
    """Estimate the win share of each level in the games where another level is an opponent.

    The share is of the whole game, so the fair share stays 1 / sides at any number of players.
    Screening: many cells, so intervals are simultaneous over the table, and no verdicts are given.

    Returns
    -------
    pl.DataFrame
        As `by_bot`, with `other` the opponent's level; empty beyond 48 levels.
    """
    levels = list(family.levels)
    if len(levels) > MATRIX_MOST:
        levels = []
    rows = _with_opponents(known, family, levels)
    values = {level: Value.mean(SHARE, _met(number)) for number, level in enumerate(levels)}
    found = estimate(rows, ["cell", "level"], values) if values else pl.DataFrame(schema=_FOUND)
    return _grid(known, family, family, found.rename({"value": "other"}))


def without(known: Declared, family: Family, outside: pl.DataFrame) -> pl.DataFrame:
    """Estimate the win shares of the others in games without a level that is out of the band.

    One monster makes all others look weak; without it they may be balanced among themselves.

    Parameters
    ----------
    outside
        `cell` and `level` of those that are out of the band.

    Returns
    -------
    pl.DataFrame
        A row a cell, absent level and other level: `cell`, `label`, `absent`, `absent_name`, `level`,
        `name`, `certainty`, `blocks`, `rows`, `share`, `low`, `high`, `low_all`, `high_all` (all others
        at once), `fair`, `differs`; empty where every level is in every game, or beyond 48 levels.
    """
    levels = list(family.levels)
    absent = [level for level in levels if level in set(outside["level"])]
    empty = pl.DataFrame(schema=_FOUND)
    if 2 < len(levels) <= MATRIX_MOST and absent:
        rows = _with_opponents(known, family, levels)
        own = pl.col("level")
        values = {
            level: Value.mean(SHARE, ~_met(number) & (own != level))
            for number, level in enumerate(levels)
            if level in absent
        }
        empty = estimate(rows, ["cell", "level"], values)
    found = empty.rename({"value": "absent"}).join(
        outside.select("cell", absent="level"), on=["cell", "absent"], how="semi"
    )
    table = intervals(found, ["cell", "absent"], (0.0, 1.0)).rename({"mean": "share"})
    names = family.named(table.select(level=pl.col("absent").unique()))
    fair = pl.col("fair")
    return (
        family.named(table)
        .join(names.select(absent="level", absent_name="name", absent_order="order"), on="absent")
        .join(known.cells.select("cell", "label", "fair"), on="cell")
        .with_columns(differs=(pl.col("low_all") > fair) | (pl.col("high_all") < fair))
        .sort("cell", "absent_order", "order")
        .select(
            *("cell", "label", "absent", "absent_name", "level", "name", "certainty", "blocks", "rows"),
            *("share", "low", "high", "low_all", "high_all", "fair", "differs"),
        )
    )


_FOUND = {
    "cell": pl.Int32,
    "level": pl.String,
    "value": pl.String,
    "blocks": pl.Int64,
    "rows": pl.Int64,
    "mean": pl.Float64,
    "error": pl.Float64,
}


def _with_opponents(known: Declared, family: Family, levels: list[str]) -> pl.LazyFrame:
    """Add to each seat how many opponents have each level, packed four bits a level into numbers."""
    alone = (known.cells["sides"] == known.cells["players"]).all()
    rows = by_level(known, family).select("cell", "game", "block", "side", "share", "level")
    for word in range(0, len(levels), _PACK):
        here = levels[word : word + _PACK]
        packed = pl.col("level").replace_strict(
            here, [16**place for place in range(len(here))], default=0, return_dtype=pl.UInt64
        )
        own = packed if alone else packed.sum().over("cell", "game", "side")
        opponents = packed.sum().over("cell", "game") - own
        rows = rows.with_columns(opponents.alias(f"opponents{word // _PACK}"))
    return rows


def _met(number: int) -> pl.Expr:
    packed = pl.col(f"opponents{number // _PACK}")
    return packed // 16 ** (number % _PACK) % 16 > 0


def _grid(
    known: Declared, family: Family, others: Family, found: pl.DataFrame, par: pl.Expr | None = None
) -> pl.DataFrame:
    """Turn estimates by `level` and `other` into a table for a heat matrix.

    Cells are held against the fair share, or against `par`, an expression of the table.
    """
    columns = found.select(level=pl.col("other").unique().sort())
    names = others.named(columns).select(other="level", other_name="name", other_order="order")
    table = intervals(found, ["cell"], (0.0, 1.0)).rename({"mean": "share"})
    return (
        family.named(table)
        .join(known.cells.select("cell", "label", "fair"), on="cell")
        .with_columns(fair=pl.col("fair") if par is None else par)
        .join(names, on="other")
        .sort("cell", "order", "other_order")
        .with_columns(differs=(pl.col("low_all") > pl.col("fair")) | (pl.col("high_all") < pl.col("fair")))
        .select(
            *("cell", "label", "level", "name", "certainty", "other", "other_name", "blocks", "rows"),
            *("error", "share", "low", "high", "low_all", "high_all", "fair", "differs", "other_order"),
        )
    )
