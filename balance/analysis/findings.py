"""The findings in plain sentences, for someone who has never met a statistician.

Verdicts and intervals are taken from the table that the figures draw, so that picture and word
cannot disagree. The intervals are the simultaneous ones, which the verdicts are read off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis import tiers
from balance.analysis.declared import AS_IT_IS, BOT, MARKS, Declared, Family
from balance.analysis.estimate import (
    ALONE,
    BALANCED,
    FEW,
    NONE_ENDED,
    PLACES,
    SILENT,
    STALLED,
    TOO_FEW,
    UNKNOWN,
    UNUSED,
    VERDICTS,
    WITHIN,
)
from balance.analysis.remedy import aim
from balance.analysis.wording import (
    NUMERALS,
    VERY_MANY,
    listed,
    percent,
    roughly,
    several,
    short,
    span,
    whole,
)

WORTH_SAYING = 0.001  # an unfinished part of games below this is left to its table
FEW_CELLS = 4  # cells up to which each is told on its own, whatever its number of levels
NAMED_CELLS = 3  # cells named one by one where a level's verdicts are gathered
MOST_NAMED = 4  # levels named one by one where a sentence gathers a whole family
GRAVE = 0.01  # one from here on is said before anything else

Row = Mapping[str, Any]


def sentences(
    known: Declared, shares: Mapping[str, pl.DataFrame], by_bot: pl.DataFrame | None = None
) -> list[str]:
    """Put the verdicts of `shares` (family -> its win-share table) into sentences, the gravest first.

    `by_bot` holds the primary family's shares in the hands of each bot.
    """
    lines = [*_look(known), *_unfinished(known, GRAVE, 1.1)]
    several_cells = len(known.cells) > 1
    if known.primary.name in shares:
        lines += _invented(known, shares[known.primary.name])
    gathered = [family for family in known.families if family.name in shares and _many(known, shares, family)]
    tiered = [known.primary] if tiers.names(known) and known.primary.name in shares else []
    for family in tiered:
        table = tiers.by_tier(known, shares[family.name])
        lines += tiers.sentences(known, table, tiers.flips(known, table))
    for family in gathered:
        if family in tiered:
            continue
        lines += _over_cells(known, shares[family.name], family)
    for cell in known.cells.iter_rows(named=True):
        for family in known.families:
            if family.name not in shares or family in gathered or family in tiered:
                continue
            table = shares[family.name].filter(pl.col("cell") == cell["cell"])
            whole_story = family is known.primary and not several_cells and not known.manifest.get("contrast")
            where = f"{cell['label']}, by" if several_cells else "By"
            lines += _each(table, family, cell) if whole_story else _together(table, family, where)
            if by_bot is not None and family is known.primary and family.name != BOT:
                hands = _hands(by_bot.filter(pl.col("cell") == cell["cell"]))
                lines += [f"{cell['label']}: {' '.join(hands)}"] if several_cells and hands else hands
    return [*lines, *_unfinished(known, WORTH_SAYING, GRAVE)]


def recommendation(known: Declared, table: pl.DataFrame, broken: bool) -> str:
    """Say what to do: `table` holds the primary family's win shares; `broken`, whether a control failed."""
    family = known.primary
    if broken:
        return "Do not rest anything on these numbers before the failed control is mended."
    if family.name == BOT:
        return "This compares bots: it says which plays better, and nothing has to change for it."
    verdicts = set(table["verdict"])
    what = family.label.lower()
    firsts = known.cells.unique("players", keep="first", maintain_order=True)["cell"].implode()
    outside = table.filter(pl.col("verdict").is_in(VERDICTS[:2]) & pl.col("cell").is_in(firsts))
    invented = any(entry["certainty"] == "reconstructed" for entry in known.manifest["provenance"])
    if len(outside):
        extreme = outside.with_columns(away=(pl.col("share") / pl.col("fair") - 1).abs()).sort("away")
        worst = extreme.row(-1, named=True)
        where = f" ({worst['label']})" if len(known.cells) > 1 else ""
        others = outside["level"].n_unique() - 1
        rest = what if others == 1 else several(others, what)
        more = f", then look at the other {rest} out of the band" if others else ""
        first = "Check first whether it hangs on the reconstructed data. " if invented else ""
        return (
            f"Change {named(worst)}{where}, the farthest out of the band{more}; one small change at a time, "
            f"each compared on the same deals. {first}Then test with people."
        )
    if verdicts <= {ALONE}:
        return f"Nothing to decide: no two of a {what} were compared."
    if verdicts <= set(SILENT):
        return "Nothing can be decided yet: see why there is no verdict."
    if UNKNOWN in verdicts:
        return f"Keep the rules for now, and play more games until each {what} has its verdict."
    if verdicts <= {BALANCED, ALONE}:
        return "Keep: among these bots all lie within the band. Test with people."
    return f"Keep what is balanced; a {what} without a verdict was not measured, so test it with people."


def _invented(known: Declared, table: pl.DataFrame) -> list[str]:
    """Where a run varies only what nobody knows: say which verdicts hold whatever it is, and which do not."""
    varied = known.manifest.get("varied", [])
    unknown = [one["key"].removeprefix("rules.") for one in varied if one["certainty"] == "reconstructed"]
    if not unknown or len(unknown) < len(varied) or known.manifest["scenario"]["variants"]:
        return []
    what = listed(unknown)
    lines = []
    for _, cells in known.cells.group_by("players", maintain_order=True):
        if len(cells) < 2:
            continue
        for rows in table.filter(pl.col("cell").is_in(cells["cell"].implode())).partition_by(
            "level", maintain_order=True
        ):
            lines.append(_whatever(rows, what, len(cells)))
    return lines


def _whatever(rows: pl.DataFrame, what: str, values: int) -> str:
    name, verdicts = named(rows.row(0, named=True)), rows["verdict"].unique(maintain_order=True).to_list()
    if len(verdicts) == 1:
        return f"{name}: {verdicts[0]}, under all {several(values, 'value')} of {what} (unknown)."
    parts = [
        f"{verdict} with {listed(rows.filter(pl.col('verdict') == verdict)['label'].to_list())}"
        for verdict in verdicts
    ]
    return f"{name}: depends on {what} (unknown): {'; '.join(parts)}."


def _many(known: Declared, shares: Mapping[str, pl.DataFrame], family: Family) -> bool:
    """Say whether a family is told by level: there are many cells, and fewer levels or some to aim at."""
    levels = shares[family.name].filter(pl.col("verdict") != ALONE)["level"].n_unique()
    aimed = family is known.primary and bool(aim(known, family))
    return len(known.cells) > FEW_CELLS and levels > 0 and (aimed or levels < len(known.cells))


def _over_cells(known: Declared, table: pl.DataFrame, family: Family) -> list[str]:
    """One sentence a level: in which cells it has which verdict."""
    order = (*_words(family), UNKNOWN, *SILENT)
    lines = []
    for rows in table.filter(pl.col("verdict") != ALONE).partition_by("level", maintain_order=True):
        parts = []
        for verdict in order:
            found = rows.filter(pl.col("verdict") == verdict)
            if len(found) == len(rows) > 1:
                parts.append(f"{verdict} in all {several(len(rows), 'cell')}")
            elif len(found) > NAMED_CELLS:
                parts.append(f"{verdict} in {several(len(found), 'cell').split()[0]} of {len(rows)} cells")
            elif len(found):
                cells = [f"{_place(row)} ({percent(row['share'])})" for row in found.iter_rows(named=True)]
                parts.append(f"{verdict} with {listed(cells)}")
        lines.append(f"{quoted(rows.row(0, named=True), family)}: {'; '.join(parts)}.")
    return lines


def _place(row: Row) -> str:
    return AS_IT_IS if row["label"] == "base" else row["label"]


def _look(known: Declared) -> list[str]:
    if known.dataset.complete:
        return []
    games, wanted = int(known.cells["games"].sum()), known.manifest["games"] * len(known.manifest["cells"])
    part = f"{whole(games)} of {whole(wanted)} games" if games < wanted else f"{whole(games)} games so far"
    if not known.anytime:
        why = "the intervals are those of a finished one, which whoever looks again and again will see err"
        return [f"This is a look at an unfinished sweep ({part}): {why}."]
    why = "the intervals are wider than those of a finished one, so that they hold however often you look"
    return [f"This is a look at an unfinished sweep ({part}): {why}."]


def _unfinished(known: Declared, least: float, below: float) -> list[str]:
    lines = []
    for cell in known.cells.iter_rows(named=True):
        part = cell["unfinished"] / cell["games"]
        if least <= part < below:
            label = f" of {cell['label']}" if len(known.cells) > 1 else ""
            lines.append(
                f"{percent(part)} of the games{label} were stopped at the decision limit and have no winner, "
                "so all win shares are that much too small."
            )
    return lines


def _each(table: pl.DataFrame, family: Family, cell: Row) -> list[str]:
    """One sentence a level: the too strong, the too weak, the balanced, then those not yet known."""
    order = (*_words(family), UNKNOWN, *SILENT)
    rows = sorted(table.iter_rows(named=True), key=lambda row: order.index(row["verdict"]))
    if not rows:
        return []
    if rows[0]["verdict"] == ALONE:
        name = family.label.lower()
        return [f"Only one {name} plays ({quoted(rows[0], family)}): there is nothing to compare by {name}."]
    if rows[0]["verdict"] in (NONE_ENDED, STALLED):
        return [f"No verdict on any {family.label.lower()}: {_WHY[rows[0]['verdict']]}."]
    if all(row["verdict"] == TOO_FEW for row in rows):
        blocks = several(max(row["blocks"] for row in rows), "block")
        few = f"{blocks} of games are too few for an interval, at least {FEW} are needed"
        return [f"No verdict on any {family.label.lower()}: {few}."]
    return [_sentence(row, family, cell) for row in rows]


_WHY = {
    NONE_ENDED: "no game came to its end",
    STALLED: "so many games did not come to their end that all shares are too small",
}


def _words(family: Family) -> tuple[str, str, str]:
    return PLACES if family.name == BOT else VERDICTS


def _sentence(row: Row, family: Family, cell: Row) -> str:
    name, share = quoted(row, family), percent(row["share"])
    if row["verdict"] == TOO_FEW:
        return (
            f"No verdict on {name}: {several(row['blocks'], 'block')} of games are too few for an interval."
        )
    interval = span(row["low_all"], row["high_all"])
    if row["verdict"] == UNUSED:
        return f"No verdict on {name} ({share}, {interval}): the bots do not use all of its powers."
    if row["verdict"] == UNKNOWN:
        return f"No verdict yet on {name}: {share} ({interval}){_leaning(row)}; {_outlook(row)}."
    players = NUMERALS[cell["players"]] if cell["players"] < len(NUMERALS) else str(cell["players"])
    games = f"{players}-player games"
    win, their = ("win", "their") if row["name"].endswith("s") else ("wins", "its")
    start = f"{name} {win} {share} of {their} {games} ({interval})"
    if row["verdict"] == BALANCED:
        return f"{start}: balanced{_side(row)}."
    if row["verdict"] == WITHIN:
        return f"{start}: within the band."
    return f"{start} where {short(row['fair'])} % would be fair: {row['verdict']}."


def _side(row: Row) -> str:
    if row["low_all"] > row["fair"]:
        return ", on the strong side"
    return ", on the weak side" if row["high_all"] < row["fair"] else ""


def _leaning(row: Row) -> str:
    if row["low_all"] > row["fair"]:
        return ", more than fair but perhaps by less than matters"
    if row["high_all"] < row["fair"]:
        return ", less than fair but perhaps by less than matters"
    return ""


def _outlook(row: Row) -> str:
    if row["more_low"] is None:
        return "more games would tell"
    more = roughly(row["more_low"], row["more_high"])
    if more == VERY_MANY:
        return f"it may take {more} more games"
    if not more:
        return "it lies so near the edge of the band that it may never settle"
    return f"{more} more games would settle it"


def hands(known: Declared, by_bot: pl.DataFrame) -> list[str]:
    """Say of each level, a line a cell, in whose hands it leaves its bot's average."""
    lines = []
    for cell, label in known.cells.select("cell", "label").iter_rows():
        said = _hands(by_bot.filter(pl.col("cell") == cell))
        lines += [f"{label}: {' '.join(said)}"] if said and len(known.cells) > 1 else said
    return lines


def _hands(table: pl.DataFrame) -> list[str]:
    """Say of each level in the hands of how many bots it does better, or worse, than their average."""
    bots = table["other"].n_unique()
    if bots < 2 or table["level"].n_unique() < 2:
        return []
    lines = []
    for rows in table.partition_by("level", maintain_order=True):
        told = rows.filter(pl.col("differs"))
        above = told.filter(pl.col("share") > pl.col("fair")).height
        parts = [
            f"{word} than the bot's own average in the hands of {_of_bots(count, bots)}"
            for word, count in (("better", above), ("worse", told.height - above))
            if count
        ]
        if parts:
            row = rows.row(0, named=True)
            lines.append(f"{named(row)} {'do' if row['name'].endswith('s') else 'does'} {listed(parts)}.")
    return lines


def _of_bots(count: int, bots: int) -> str:
    return (
        f"all {several(bots, 'bot')}"
        if count == bots
        else f"{several(count, 'bot').split()[0]} of {several(bots, 'bot')}"
    )


def _together(table: pl.DataFrame, family: Family, where: str) -> list[str]:
    """One sentence for a family that is not what the question is about."""
    rows = list(table.iter_rows(named=True))
    if not rows or rows[0]["verdict"] in (ALONE, NONE_ENDED, STALLED):
        return []
    said = []
    *outside, within = _words(family)
    for verdict in (*outside, within, UNKNOWN, *SILENT):
        found = [row for row in rows if row["verdict"] == verdict]
        if len(found) == len(rows):
            said.append(f"all {verdict}")
        elif len(found) > MOST_NAMED and verdict not in outside:
            said.append(f"{verdict}: {several(len(found), 'other')}")
        elif found:
            said.append(f"{verdict}: {listed([_with_share(row, family) for row in found])}")
    return [f"{where} {family.label.lower()}: {'; '.join(said)}."]


def _with_share(row: Row, family: Family) -> str:
    return f"{quoted(row, family)} ({percent(row['share'])})"


def named(row: Row) -> str:
    """Return a level's name with the mark of its certainty, as it stands beside a number."""
    return row["name"] + MARKS.get(row["certainty"], "")


def quoted(row: Row, family: Family) -> str:
    """Return the same, in quotes if it is a bot's: one may be named like a verdict."""
    return f'"{named(row)}"' if family.name == BOT else named(row)
