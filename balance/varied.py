"""Parts of the report for studies that vary something: layouts, blanked parts, remedies, players.

They lay tables of the analysis out like those of `balance.document`; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import polars as pl

from balance import analysis, drawings
from balance.analysis import remedy, tiers
from balance.analysis.declared import Family
from balance.analysis.wording import number, percent, span
from balance.document import (
    DRAWN_CELLS,
    Entry,
    Lines,
    Part,
    Row,
    Study,
    Table,
    _count,
    _level,
    _limits,
    _mean,
    _part,
    _retitled,
    _table,
    _text,
)


def layouts(study: Study, family: Family) -> Iterator[Part]:
    """How shares differ from layout to layout."""
    table = study.tables["layouts"]
    if table.is_empty():
        return
    limits = _limits(table, "low", "high", "share", "usual_low", "usual_high", "fair")
    for label, part in study.cells("layouts"):
        yield _retitled(drawings.layouts(part, family.label, limits), label)
    makers: dict[str, Callable[[Row], Entry]] = {
        family.label: _level,
        "Win share, 95 %": _part("share", "low", "high"),
        "SD over layouts, points": lambda row: Entry(
            drawings.bare(row["sd"]), span(row["sd_low"], row["sd_high"]), row["sd"]
        ),
        "19 of 20 layouts": lambda row: Entry(span(row["usual_low"], row["usual_high"]), order=row["sd"]),
        "Explained by the layout": _part("explained", "explained_low", "explained_high"),
        "Layouts": _count("layouts"),
        "Blocks of each": _mean("blocks"),
    }
    yield _table(study, table, "Win shares over layouts", makers)


def worth(study: Study, family: Family) -> Iterator[Part]:
    """What each blanked part is worth."""
    table = study.tables["worth"]
    if table.is_empty():
        return
    bases = table.unique("base", keep="first", maintain_order=True).select("base", "label")
    for base, label in bases.head(DRAWN_CELLS).iter_rows():
        title = "Points of win share by part" + (f": {label}" if len(bases) > 1 else "")
        yield drawings.worth(table.filter(pl.col("base") == base), title)
    makers: dict[str, Callable[[Row], Entry]] = {
        family.label: _level,
        "Part": lambda row: Entry(row["part"], row["note"]),
        "Worth, points": lambda row: Entry(
            drawings.signed(row["effect"]), _signed_span(row["low_all"], row["high_all"]), row["effect"]
        ),
        "Told": _text("verdict"),
        "Share without": _part("without"),
        "Score": _mean("points", "points_low", "points_high"),
        "Games that end otherwise": _part("changed"),
        "Games": _count("rows"),
    }
    yield _table(study, table, "What each part is worth", makers)


def _signed_span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{drawings.signed(low)} to {drawings.signed(high)}"


def candidates(study: Study, family: Family) -> Iterator[Part]:
    """Each candidate for a change, and the smallest that will do."""
    table = study.tables["candidates"]
    if table.is_empty():
        return
    if lines := analysis.remedies(study.known, table):
        yield Lines(lines)
    limits = _limits(table, "low", "high", "share", "band_low", "band_high")
    players = table["players"].unique(maintain_order=True).to_list()
    for count in players:
        own = table.filter(pl.col("players") == count)
        label = f": {count} players" if len(players) > 1 else ""
        if own["cell"].n_unique() <= drawings.CANDIDATES:
            yield _retitled(drawings.candidates(own, family.label, limits), label)
    found = remedy.smallest(table).with_columns(
        name=pl.col("name").fill_null(f"Every {family.label.lower()}")
    )
    makers: dict[str, Callable[[Row], Entry]] = {
        "To bring in": _text("name"),
        "Players": _count("players"),
        "Smallest surely in the band": lambda row: Entry(row["sure"] or "none", order=row["sure_size"]),
        "Smallest not ruled out": lambda row: Entry(row["perhaps"] or "none", order=row["perhaps_size"]),
    }
    yield _table(study, found, "The smallest change", makers)
    yield _candidate_table(study, family, table)


def _candidate_table(study: Study, family: Family, table: pl.DataFrame) -> Table:
    """Lay out a row for each candidate and a column for each level."""
    entries = {(row["cell"], row["level"]): row for row in table.iter_rows(named=True)}

    def column(level: str) -> Callable[[Row], Entry]:
        def make(row: Row) -> Entry:
            own = entries[row["cell"], level]
            return Entry(
                percent(own["share"]), f"{span(own['low'], own['high'])} {own['state'] or ''}", own["share"]
            )

        return make

    levels = table.unique("level", keep="first", maintain_order=True)
    makers: dict[str, Callable[[Row], Entry]] = {
        "Candidate": _text("choice"),
        "Players": _count("players"),
        "Size of the change": lambda row: Entry(number(row["size"]), order=row["size"]),
    }
    makers |= {name: column(level) for level, name in levels.select("level", "name").iter_rows()}
    cells = table.unique("cell", keep="first", maintain_order=True).drop("label", "certainty")
    return _table(study, cells, f"Win share by candidate and {family.label.lower()}", makers)


def by_players(study: Study, family: Family) -> Iterator[Part]:
    """The index of each level, a column for each number of players."""
    table = study.tables["by_players"].filter(pl.col("family") == family.name)
    if table.is_empty():
        return
    entries: Mapping[tuple[str, str, int], Row] = {
        (row["label"], row["level"], row["players"]): row for row in table.iter_rows(named=True)
    }

    def column(players: int) -> Callable[[Row], Entry]:
        def make(row: Row) -> Entry:
            own = entries.get((row["where"], row["level"], players))
            if own is None:
                return Entry("–")
            low, high = own["low"], own["high"]
            small = "" if low is None else f"{low:.2f} to {high:.2f}, {own['verdict']}"
            return Entry(f"{own['index']:.2f}", small, own["index"])

        return make

    order = list(family.levels)
    rows = (
        table.unique(["label", "level"], keep="first", maintain_order=True)
        .with_columns(order=pl.col("level").replace_strict(order, range(len(order)), default=len(order)))
        .sort("label", "order")
    )
    rows = rows.rename({"label": "where"})
    makers: dict[str, Callable[[Row], Entry]] = {family.label: _level}
    if rows["where"].n_unique() > 1:
        makers["Cell"] = _text("where")
    makers |= {f"{players} players": column(players) for players in sorted(table["players"].unique())}
    yield _table(study, rows, f"Index (share x players) by {family.label.lower()}", makers)


def firsts(study: Study, family: Family) -> Iterator[Part]:
    """Who is the first to achieve what has a turn."""
    table = study.tables["firsts"]
    for column in table["column"].unique(maintain_order=True):
        own = table.filter(pl.col("column") == column)
        makers: dict[str, Callable[[Row], Entry]] = {
            family.label: _level,
            "First in": _part("first", "low", "high"),
            "If all were alike": _part("par"),
            "Wins then": _part("won"),
            "Games": _count("rows"),
        }
        yield _table(study, own, own["column_label"][0], makers, folded=True)


def by_tier(study: Study, family: Family) -> Iterator[Part]:
    """Each level's share and verdict in each tier, and where verdicts flip."""
    table = study.tables["by_tier"]
    if table.is_empty():
        return
    flipped = study.tables["flips"]
    yield Lines(tiers.sentences(study.known, table, flipped))
    for (rules, players), rows in tiers.groups(table):
        yield _tier_table(study, family, rows, f"By tier: {rules}, {players} players")
    if len(flipped):
        makers: dict[str, Callable[[Row], Entry]] = {
            family.label: _level,
            "Players": _count("players"),
            "From": lambda row: Entry(f"{row['one']}: {row['before']}"),
            "To": lambda row: Entry(f"{row['other']}: {row['after']}"),
            "Difference, points": lambda row: Entry(
                drawings.signed(row["difference"]), _signed_span(row["low"], row["high"]), row["difference"]
            ),
            "Outcome": lambda row: Entry(_moved(row)),
        }
        yield _table(study, flipped, "Where verdicts differ", makers)


def _moved(row: Row) -> str:
    return "a flip" if row["flip"] else "moves" if row["moves"] else "not shown to differ"


def _tier_table(study: Study, family: Family, rows: pl.DataFrame, caption: str) -> Table:
    entries = {(row["level"], row["tier"]): row for row in rows.iter_rows(named=True)}

    def column(tier: str) -> Callable[[Row], Entry]:
        def make(row: Row) -> Entry:
            own = entries.get((row["level"], tier))
            if own is None:
                return Entry("–")
            return Entry(
                percent(own["share"]), f"{span(own['low'], own['high'])} {own['verdict']}", own["share"]
            )

        return make

    makers: dict[str, Callable[[Row], Entry]] = {family.label: _level}
    makers |= {tier: column(tier) for tier in tiers.columns(rows)}
    levels = rows.unique("level", keep="first", maintain_order=True)
    return _table(study, levels, caption, makers)


def best_styles(study: Study, family: Family) -> Iterator[Part]:
    """Each level in the hands of all styles, and of the one that suits it best."""
    table = study.tables["best_styles"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        family.label: _level,
        "All styles, 95 %": _part("average", "average_low", "average_high"),
        "Its best style": _text("bot"),
        "With it, 95 %": _part("best", "best_low", "best_high"),
    }
    yield _table(study, table, "The style that suits it best", makers)


SHOW: dict[str, Callable[[Study, Family], Iterator[Part]]] = {
    "firsts": firsts,
    "layouts": layouts,
    "worth": worth,
    "candidates": candidates,
    "by_tier": by_tier,
    "best_styles": best_styles,
    "by_players": by_players,
}
