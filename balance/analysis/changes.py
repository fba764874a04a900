"""What a change of rules does, in sentences: what gets better, what worse, and what else moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.compare import EXACT, LESS, MORE, SAME, Comparison
from balance.analysis.declared import BOT, MARKS
from balance.analysis.estimate import TOO_FEW
from balance.analysis.wording import bare, listed, many, measured, number, percent, several

Row = Mapping[str, Any]


def told(found: Comparison, brief: bool = False) -> list[str]:
    """Say in plain sentences what changes from the base to the other rule set; `brief`, in one or two."""
    name = f"“{found.other.label}” against “{found.base.label}”"
    rows = found.table.to_dicts()
    if all(row["verdict"] == EXACT for row in rows):
        return [f"{name}: nothing changes; all {several(found.blocks, 'block')} end exactly alike."]
    if all(row["verdict"] in (TOO_FEW, EXACT) for row in rows):
        return [f"{name}: too few blocks to say anything."]
    primary = found.base.known.primary
    shares = [row for row in rows if row["family"] == primary.name and row["metric"] == "Win share"]
    if brief:
        moved = [
            f"{row['name']}{MARKS.get(row['certainty'], '')} {_signed(row)}" for row in shares if _real(row)
        ]
        gains = listed(moved) if moved else f"no {primary.label.lower()} is shown to gain or to lose by it"
        judged = _judgement(found, shares) if primary.name != BOT else []
        return [" ".join([f"{name}: {gains}.", *judged])]
    lines = [f"{name}: {_how(found, shares)}"]
    if found.base.known.anytime or found.other.known.anytime:
        lines.append(
            "These intervals are for finished sweeps, and one of these is not: wait before you decide."
        )
    lines += [_moved(row, found) for row in shares if _real(row)]
    if not any(_real(row) for row in shares):
        lines.append(f"No {primary.label.lower()} is shown to gain or to lose by it.")
    lines += _judgement(found, shares) if primary.name != BOT else []
    others = [row for row in rows if row["family"] == "" and _real(row)]
    if others:
        lines.append(f"Games change in this: {'; '.join(_whole(row) for row in others)}.")
    seats = [row for row in rows if row["family"] == "seat" != primary.name and row["metric"] == "Win share"]
    moved = [f"{row['name']} {_signed(row)}" for row in seats if _real(row)]
    if moved:
        lines.append(f"Seats move too: {listed(moved)}.")
    return lines


def together(found: Sequence[Comparison], levels: Sequence[str] = ()) -> list[str]:
    """Say in a sentence for each rule set what it changes at each number of players, if they are many.

    Of the primary family's `levels` alone, if any are named.
    """
    groups: dict[str, list[Comparison]] = {}
    for one in found:
        if one.paired:
            groups.setdefault(one.other.row["rules"], []).append(one)
    lines = []
    for rules, group in groups.items():
        primary = group[0].base.known.primary
        counts = [f"{one.base.row['players']}" for one in group]
        each: dict[str, list[str]] = {}
        for one in group:
            for row in one.table.to_dicts():
                asked = not levels or row["level"] in levels
                if row["family"] == primary.name and row["metric"] == "Win share" and asked:
                    name = row["name"] + MARKS.get(row["certainty"], "")
                    change = _signed(row).removesuffix(" points") if _real(row) else "±?"
                    each.setdefault(name, []).append(change)
        parts = [f"{name} {listed(own)}" for name, own in each.items() if set(own) != {"±?"}]
        said = "; ".join(parts) if parts else f"no {primary.label.lower()} is shown to gain or to lose by it"
        many = f" with {listed(counts)} players" if len(counts) > 1 else ""
        lines.append(f"“{rules}” against “{group[0].base.row['rules']}”, points{many}: {said}.")
    return lines


def _how(found: Comparison, shares: Iterable[Row]) -> str:
    if not found.paired:
        return (
            f"unpaired ({found.why}), so what is compared is the index, the win share times the number of "
            "sides: 1 is fair."
        )
    saved = sorted(row["saved"] for row in shares if row["saved"] is not None)
    factor = f" Pairing was worth {number(saved[len(saved) // 2])} times the blocks." if saved else ""
    return f"the same {several(found.blocks, 'block')} under both.{factor}"


def _real(row: Row) -> bool:
    """Say whether the interval of a difference leaves out nothing changed."""
    return row["low"] is not None and (row["low"] > 0 or row["high"] < 0)


def _moved(row: Row, found: Comparison) -> str:
    name = row["name"] + MARKS.get(row["certainty"], "")
    gains = row["difference"] > 0
    verb = ("gain" if gains else "lose") + ("" if row["name"].endswith("s") else "s")
    size, low, high = sorted_size(row)
    if row["kind"] == "index":
        return (
            f"{name} {verb} {size:.2f} of the index ({low:.2f} to {high:.2f}), from {row['before']:.2f} to "
            f"{row['after']:.2f}{_matters(row)}."
        )
    return (
        f"{name} {verb} {bare(size)} points ({bare(low)} to {bare(high)}), from {percent(row['before'])} to "
        f"{percent(row['after'])}{_matters(row)}."
    )


def sorted_size(row: Row) -> tuple[float, float, float]:
    """Return the size of a difference and of its interval's ends, the smaller first."""
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    return abs(row["difference"]), low, high


def _matters(row: Row) -> str:
    if row["verdict"] in (MORE, LESS):
        return ", which matters"
    return ", which is less than matters" if row["verdict"] == SAME else ", perhaps less than matters"


def _signed(row: Row) -> str:
    scale = "" if row["kind"] == "index" else " points"
    value = row["difference"] if row["kind"] == "index" else 100 * row["difference"]
    return f"{'+' if value > 0 else '−'}{abs(value):.{2 if row['kind'] == 'index' else 1}f}{scale}"


def _judgement(found: Comparison, shares: Iterable[Row]) -> list[str]:
    """Say who comes nearer to a fair share, and who moves away from it."""
    fair = 1.0 if not found.paired else found.base.row["fair"]
    nearer: list[str] = []
    farther: list[str] = []
    for row in shares:
        if _real(row):
            closer = abs(row["after"] - fair) < abs(row["before"] - fair)
            (nearer if closer else farther).append(row["name"] + MARKS.get(row["certainty"], ""))
    parts = []
    if nearer:
        parts.append(f"Better: {listed(nearer)} {_come(nearer)} nearer to a fair share.")
    if farther:
        parts.append(f"Worse: {listed(farther)} {_move(farther)} away from it.")
    return [" ".join(parts)] if parts else []


def _come(names: list[str]) -> str:
    return "come" if many(names) else "comes"


def _move(names: list[str]) -> str:
    return "move" if many(names) else "moves"


def _whole(row: Row) -> str:
    if row["kind"] == "part":
        return (
            f"{row['metric'].lower()} {percent(row['before'])} to {percent(row['after'])} "
            f"({_points(row)}){_matters(row)}"
        )
    size, low, high = sorted_size(row)
    shown, interval = measured(size, low, high)
    more = "more" if row["difference"] > 0 else "less"
    return (
        f"{row['metric'].lower()} {number(row['before'])} to {number(row['after'])}, {shown} {more} "
        f"({interval}){_matters(row)}"
    )


def _points(row: Row) -> str:
    size, low, high = sorted_size(row)
    return f"{bare(size)} points, {bare(low)} to {bare(high)}"


def frame(found: Comparison) -> pl.DataFrame:
    """Return the table of a comparison with the names of both rule sets, for other programs."""
    return found.table.with_columns(
        base=pl.lit(found.base.label), other=pl.lit(found.other.label), paired=pl.lit(found.paired)
    )
