"""Findings at several skills: in how many tiers a verdict holds, and where it flips.

A run with tiers plays the same deals and line-ups once with the bots of each tier. A verdict may differ
between tiers because one of them has too few games; that is no flip. A flip is two verdicts that contradict
one another where the paired difference of the win shares, all levels at once, leaves out nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.compare import Arm, compare
from balance.analysis.declared import MARKS, Declared
from balance.analysis.estimate import PLACES, SILENT, UNKNOWN, VERDICTS, Value, estimate, intervals
from balance.analysis.shares import SHARE, by_level
from balance.analysis.wording import bare, listed, percent, several, signed, span

Row = Mapping[str, Any]

SCHEMA = {
    "cell": pl.Int32,
    "label": pl.String,
    "rules": pl.String,
    "players": pl.Int64,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "tier": pl.String,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "fair": pl.Float64,
    "verdict": pl.String,
}
FLIPS = {
    "cell": pl.Int32,
    "label": pl.String,
    "rules": pl.String,
    "players": pl.Int64,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "one": pl.String,
    "other": pl.String,
    "before": pl.String,
    "after": pl.String,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "moves": pl.Boolean,
    "flip": pl.Boolean,
}


def names(known: Declared) -> list[str]:
    """List the tiers of a run, the weakest first; none if it has no tiers."""
    return [tier for tier in known.cells["tier"].unique(maintain_order=True).to_list() if tier]


def by_tier(known: Declared, shares: pl.DataFrame) -> pl.DataFrame:
    """Lay the primary family's win shares out by tier.

    Returns
    -------
    pl.DataFrame
        A row a rule set, number of players, level and tier: `cell`, `label`, `rules`, `players`, `level`,
        `name`, `certainty`, `tier`, `share`, `low`, `high` (95 % for the whole family), `fair`,
        `verdict`. Empty for a run without tiers.
    """
    if not names(known):
        return pl.DataFrame(schema=SCHEMA)
    cells = known.cells.select("cell", "rules", "players", "tier")
    table = shares.drop("low", "high").rename({"low_all": "low", "high_all": "high"}).join(cells, on="cell")
    place = {cell: number for number, cell in enumerate(known.cells["cell"])}
    first = table.unique("level", keep="first", maintain_order=True)["level"].to_list()
    return (
        table.with_columns(
            at=pl.col("level").replace_strict(first, range(len(first)), return_dtype=pl.Int64),
            order=pl.col("cell").replace_strict(place, return_dtype=pl.Int64),
            start=pl.col("cell").min().over("rules", "players"),
        )
        .sort("start", "at", "order")
        .select(*SCHEMA)
    )


def flips(known: Declared, table: pl.DataFrame) -> pl.DataFrame:
    """Hold each two tiers against one another where their verdicts differ.

    Parameters
    ----------
    table
        Of `by_tier`.

    Returns
    -------
    pl.DataFrame
        A row a pair: `cell` and `label` (of the first), `rules`, `players`, `level`, `name`, `certainty`,
        `one` and `other` (tiers), `before` and `after` (their verdicts), `difference` of the shares with
        `low`, `high` (95 %, all levels at once), `moves` (whether that leaves out nothing), `flip` (whether
        the verdicts contradict one another, too: both are known).
    """
    rows = []
    arms = {cell: Arm(known, cell, label) for cell, label in known.cells.select("cell", "label").iter_rows()}
    for (rules, players), part in table.group_by("rules", "players", maintain_order=True):
        cells = part.unique("cell", keep="first", maintain_order=True).select("cell", "tier").rows()
        for (base, one), (other, next_) in itertools.combinations(cells, 2):
            both = [dict(part.filter(pl.col("cell") == cell).select("level", "verdict").iter_rows())
                    for cell in (base, other)]  # fmt: skip
            differ = [level for level, verdict in both[0].items() if both[1].get(level, verdict) != verdict]
            if not differ:
                continue
            found = compare(arms[base], arms[other]).table.filter(
                (pl.col("family") == known.primary.name)
                & (pl.col("metric") == "Win share")
                & pl.col("level").is_in(differ)
            )
            for row in found.iter_rows(named=True):
                apart = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
                who = (row["level"], row["name"], row["certainty"])
                verdicts = (both[0][row["level"]], both[1][row["level"]])
                told = (row["difference"], row["low"], row["high"], apart, apart and _contradict(*verdicts))
                rows.append((base, arms[base].label, rules, players, *who, one, next_, *verdicts, *told))
    return pl.DataFrame(rows, schema=FLIPS, orient="row")


def _contradict(one: str, other: str) -> bool:
    """Say whether two verdicts differ, and both are known."""
    open_ = (UNKNOWN, *SILENT)
    return one != other and one not in open_ and other not in open_


def sentences(known: Declared, table: pl.DataFrame, flipped: pl.DataFrame) -> list[str]:
    """Say of each level in how many tiers its verdict holds, where it flips, and what rests on one tier."""
    lines = []
    many = table.select("rules", "players").n_unique() > 1
    for (rules, players, level), rows in table.group_by("rules", "players", "level", maintain_order=True):
        mine = flipped.filter(
            (pl.col("rules") == rules) & (pl.col("players") == players) & (pl.col("level") == level)
        )
        where = f"{rules}, {players} players, " if many else ""
        first = rows.row(0, named=True)
        name = first["name"] + MARKS.get(first["certainty"], "")
        lines.append(f"{where}{name}: {_holds(rows)}{_flip(mine)}")
    return lines


def _holds(rows: pl.DataFrame) -> str:
    """Say which verdict holds in which tiers."""
    verdicts = rows["verdict"].unique(maintain_order=True).to_list()
    if len(verdicts) == 1:
        shares = listed([percent(share) for share in rows["share"]])
        return f"{verdicts[0]} in all {several(len(rows), 'tier')} ({shares})."
    order = [*VERDICTS, *PLACES, UNKNOWN, *SILENT]
    parts = []
    for verdict in sorted(verdicts, key=order.index):
        own = rows.filter(pl.col("verdict") == verdict)
        told = [f"{row['tier']} ({percent(row['share'])})" for row in own.iter_rows(named=True)]
        parts.append(f"{verdict} with {listed(told)}")
    known = [verdict for verdict in verdicts if verdict not in (UNKNOWN, *SILENT)]
    alone = len(known) == 1 and rows.filter(pl.col("verdict") == known[0]).height == 1
    return f"{'; '.join(parts)}{': this rests on one tier' if alone else ''}."


def _flip(rows: pl.DataFrame) -> str:
    """Say by how much the share moves from tier to tier, if it is shown to, and whether that is a flip."""
    moved = rows.filter(pl.col("moves"))
    if moved.is_empty():
        return " The tiers are not shown to differ." if len(rows) else ""
    order = pl.col("flip"), pl.col("difference").abs()
    row = moved.sort(*order).row(-1, named=True)
    low, high = (signed(100 * row[end], 1) for end in ("low", "high"))
    what = "The verdict flips" if row["flip"] else "Its share moves"
    by = signed(100 * row["difference"], 1)
    return f" {what} from {row['one']} to {row['other']}: {by} points ({low} to {high})."


def advice(known: Declared, table: pl.DataFrame, flipped: pl.DataFrame) -> str:
    """Say what to do where a run has tiers: change what is out of the band in all of them."""
    out = [*VERDICTS[:2], *PLACES[:2]]
    always, sometimes = [], []
    for (_, _, _), rows in table.group_by("rules", "players", "level", maintain_order=True):
        outside = rows["verdict"].is_in(out).sum()
        same = rows["verdict"].n_unique() == 1
        name = rows["name"][0] + MARKS.get(rows["certainty"][0], "")
        if outside and same:
            always.append(name)
        elif outside:
            sometimes.append(name)
    always, sometimes = list(dict.fromkeys(always)), list(dict.fromkeys(sometimes))
    said = []
    if always:
        said.append(f"Change {listed(always)}: out of the band whoever plays.")
    if sometimes:
        said.append(
            f"Decide for whom the game is made before you change {listed(sometimes)}: it hangs on skill."
        )
    if not said:
        return "Keep: no tier shows anything to be out of the band. Test with people."
    return " ".join([*said, "Then test with people."])


# --- styles ---------------------------------------------------------------------------------------

BEST = {
    "cell": pl.Int32,
    "label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "bot": pl.String,
    "average": pl.Float64,
    "average_low": pl.Float64,
    "average_high": pl.Float64,
    "best": pl.Float64,
    "best_low": pl.Float64,
    "best_high": pl.Float64,
    "fair": pl.Float64,
}


def best_styles(known: Declared) -> pl.DataFrame:
    """Find for each level of the primary family the style that suits it best.

    A mean over styles punishes specialists. The style is chosen on every other block and measured on the
    rest, so that it is not the luckiest; beside it stands the mean over all styles on the same rest.

    Returns
    -------
    pl.DataFrame
        `cell`, `label`, `level`, `name`, `certainty`, `bot`, `average` and `best` with their 95 % intervals,
        all levels at once, `fair`; empty where one bot plays, or the bots are what is compared.
    """
    family = known.primary
    if family.name == "bot" or len(known.family("bot").levels) < 2:
        return pl.DataFrame(schema=BEST)
    rows = by_level(known, family).with_columns(bot=pl.col("bot").cast(pl.String))
    chosen = (
        estimate(
            rows.filter(pl.col("block") % 2 == 0), ["cell", "level", "bot"], {"share": Value.mean(SHARE)}
        )
        .sort("mean", descending=True)
        .unique(["cell", "level"], keep="first", maintain_order=True)
        .select("cell", "level", "bot")
    )
    rest = rows.filter(pl.col("block") % 2 == 1)
    one = {"share": Value.mean(SHARE)}
    if chosen.is_empty():
        return pl.DataFrame(schema=BEST)
    average = intervals(estimate(rest, ["cell", "level"], one), ["cell"], (0.0, 1.0))
    best = intervals(
        estimate(rest.join(chosen.lazy(), on=["cell", "level", "bot"], how="semi"), ["cell", "level"], one),
        ["cell"],
        (0.0, 1.0),
    )

    def named(table: pl.DataFrame, name: str) -> pl.DataFrame:
        return table.select(
            "cell",
            "level",
            pl.col("mean").alias(name),
            pl.col("low_all").alias(f"{name}_low"),
            pl.col("high_all").alias(f"{name}_high"),
        )

    table = (
        named(average, "average")
        .join(named(best, "best"), on=["cell", "level"])
        .join(chosen, on=["cell", "level"])
    )
    return (
        family.named(table)
        .join(known.cells.select("cell", "label", "fair"), on="cell")
        .sort("cell", "order")
        .select(*BEST)
    )


def told(row: Row) -> str:
    """Write a share with its interval, for a table."""
    return f"{bare(row['share'])} ({span(row['low'], row['high'])})"


def columns(table: pl.DataFrame) -> Sequence[str]:
    """List the tiers in a table of `by_tier`, in its order."""
    return table["tier"].unique(maintain_order=True).to_list()


def groups(table: pl.DataFrame) -> Iterator[tuple[tuple[str, int], pl.DataFrame]]:
    """Yield the rows of each rule set and number of players."""
    for (rules, players), rows in table.group_by("rules", "players", maintain_order=True):
        yield (str(rules), int(players)), rows  # type: ignore[call-overload]
