"""What the command prints: tables, progress and the words around them, good at 80 columns."""

from __future__ import annotations

import dataclasses
import json as json_module
import math
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from balance import thinking
from balance.cell import leaves
from balance.manifest import ELSEWHERE, MANIFEST
from balance.records import PerPlayers, Rule

if TYPE_CHECKING:
    import polars as pl

    from balance.analysis.compare import Comparison
    from balance.dataset import Dataset
    from balance.games import Game
    from balance.verify import Verdict

FEW_CHANGES = 4  # numbers of a component that are told one by one


def json(value: Any) -> None:
    """Print `value` as JSON."""
    print(json_module.dumps(value, indent=2, ensure_ascii=False, default=str))


def aside(line: str) -> None:
    """Say something that is no result: on standard error, so that results can be piped on."""
    print(line, file=sys.stderr, flush=True)


def say(line: str = "") -> None:
    """Print a line of plain words, folded to the terminal's width."""
    Console(highlight=False).print(escape(line))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", right: str = "") -> None:
    """Print a table; a column whose heading is in `right` (comma-separated) is set flush right."""
    made = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        header_style="bold",
    )
    flush = right.split(",")
    for column in columns:
        made.add_column(
            escape(column),
            justify="right" if column in flush else "left",
            no_wrap=column in flush,
            overflow="fold",
        )
    for row in rows:
        made.add_row(*(escape(text) for text in row))
    console = Console(highlight=False)
    if title:
        console.print(f"\n[bold]{escape(title)}[/bold]")
    console.print(made)


# Games and their rules


def game(one: Game) -> dict[str, Any]:
    """Describe a game for `balance games --json`."""
    return {
        "id": one.id,
        "title": one.title,
        "players": list(one.players),
        "variants": dict(one.variants),
        "bots": list(one.bots),
        "tiers": list(one.tiers),
    }


def _counts(one: Game) -> str:
    return ", ".join(map(str, one.counts)) if one.skips else "{}-{}".format(*one.players)


def games(found: Iterable[Game]) -> None:
    """Print the games there are."""
    table(
        ("Game", "Title", "Players", "Bots"),
        [(one.id, one.title, _counts(one), ", ".join(one.bots)) for one in found],
    )
    for one in found:
        for name, note in one.variants.items():
            say(f"{one.id}, variant {name}: {note}")
    tiers = dict.fromkeys(tier for one in found for tier in one.tiers)
    if tiers:
        say(f"Bots by skill: {', '.join(tiers)} (balance ladder GAME).")
    say("The house rules of one: balance rules GAME")


def rule(one: Rule) -> dict[str, Any]:
    """Describe a house rule for `balance rules --json`."""
    default = one.default
    if isinstance(default, PerPlayers):
        default = {"others": default.others, **{str(seats): value for seats, value in default.by.items()}}
    return {
        "name": one.name,
        "default": default,
        "low": one.low,
        "high": one.high,
        "choices": dict(one.choices),
        "source": one.source,
        "certainty": one.certainty,
        "note": one.note,
    }


def ruling(one: Game) -> dict[str, Any]:
    """Describe all that a scenario may change in a game, for `balance rules --json`."""
    return {
        "rules": [rule(known) for known in one.rules],
        "weights": [vars(weight) for weight in one.weights],
        "bars": dict(one.bars),
        "gifts": dict(one.gifts),
        "vocabulary": {title: [vars(word) for word in words] for title, words in one.vocabulary.items()},
    }


def rules(one: Game) -> None:
    """Print the house rules of a game, each as one would write it in a scenario."""
    width = Console().width
    say(f"House rules of {one.title}: under [rules] in a scenario, or --set rules.NAME=VALUE.")
    for known in one.rules:
        print()
        left, right = f"{known.name} = {shown(known.default)}", _source(known)
        gap = width - len(left) - len(right)
        print(left + " " * gap + right if gap > 1 else f"{left}\n{right:>{width}}")
        for text in (known.note, known.kind()):
            _indented(text, width)
    print()
    say("Weights of its bots: weights = { NAME = VALUE } under [bots.NAME].")
    for weight in one.weights:
        print(f"\n{weight.name} = {weight.default:g}")
        _indented(weight.label, width)
    print()
    say('How a bot searches: search = { kind = "flat", "tree" or "halving", ... } under [bots.NAME].')
    for key in thinking.KEYS:
        print(f"\n{key.name} = {key.default:g}")
        _indented(key.note, width)
    print(f"\n{thinking.TIME.name}")
    _indented(thinking.TIME.note, width)
    for name, note in thinking.NAMES.items():
        print(f'\n{name} = "random"')
        _indented(note, width)
    print()
    say('What a bot may be barred from: bar = ["NAME"] under [bots.NAME].')
    for bar, label in one.bars:
        print(f"\n{bar}")
        _indented(label, width)
    if one.gifts:
        print()
        say('What a bot may be given: gift = ["NAME"] under [bots.NAME].')
    for gift, label in one.gifts:
        print(f"\n{gift}")
        _indented(label, width)
    for title, words in one.vocabulary.items():
        print()
        say(f"{title}.")
        for word in words:
            print(f"\n{word.name}")
            _indented(word.note, width)
            print(" " * max(0, min(4, width - len(word.example))) + word.example)  # whole, to be copied


def _indented(text: str, width: int) -> None:
    if text:
        print(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))


def _source(known: Rule) -> str:
    source = known.source or "(no source)"
    return source if known.certainty == "seed" else f"{source} [{known.certainty}]"


def shown(value: Any) -> str:
    """Write a rule's value as TOML has it; values by player count after the one for all others."""
    if isinstance(value, PerPlayers):
        by = "".join(f"; with {seats} players {shown(one)}" for seats, one in sorted(value.by.items()))
        return shown(value.others) + by
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(shown(one) for one in value)}]"
    return json_module.dumps(value)


# What a scenario would run


def plan(found: dict[str, Any]) -> None:
    """Print a plan as `balance.plan.plan` makes it."""
    say(f"{found['scenario']} is in order: {found['title'] or found['game']}")
    if found["question"]:
        say(found["question"])
    cells = found["cells"]
    several = "" if len(cells) == 1 else f", {len(cells)} cells"
    say(f"{found['game']}, seed {found['seed']}, {found['games']:,} games a cell{several}.")
    table(
        ("Cell", "Players", "Games", "Block", "Bots", "Differs from the rulebook"),
        [
            (
                one["label"],
                str(one["players"]),
                f"{one['games']:,}",
                str(one["block_games"]),
                ", ".join(one["bots"]),
                ", ".join(_brief(key, value) for key, value in one["changed"].items()) or "nothing",
            )
            for one in cells
            if not one["blank"]
        ],
        right="Players,Games,Block",
    )
    _notes(cells)
    if blanked := sum(one["blank"] for one in cells):
        say(f"{blanked} of the cells lack one part each, played on the same deals, to see what it is worth.")
    for laid in {str(one["layouts"]): one["layouts"] for one in cells if one["layouts"]}.values():
        few, most = laid["blocks"]
        blocks = str(few) if few == most else f"{few} or {most}"
        say(f"{laid['count']} layouts of the factor {laid['factor']}, each in {blocks} blocks of a cell.")
    for spread in found["balance"]:
        _spread(spread, found["games"], several=len(found["balance"]) > 1)
    for one in cells:
        if all(one["foreseen"] != before["foreseen"] for before in cells[: one["index"]]):
            _foreseen(one, several=len(cells) > 1)
    for one in cells:
        if one["needed"] and all(one["needed"] != before["needed"] for before in cells[: one["index"]]):
            _needed(one, several=len(cells) > 1)
    if found["seconds"] is not None:
        most = " at most" if found["until"] or found["precision"] else ""
        say(f"On this machine it takes{most} about {duration(found['seconds'])}, with all its cores.")


def _notes(cells: Sequence[Mapping[str, Any]]) -> None:
    """Print what the game has to say of the cells, each sentence once."""
    labels: dict[str, list[str]] = {}
    for one in cells:
        for note in one["notes"]:
            labels.setdefault(note, []).append(one["label"])
    for note, where in labels.items():
        held = "" if len(where) == len(cells) else f" ({', '.join(where)})"
        print(textwrap.fill(note + held, Console().width, initial_indent="- ", subsequent_indent="  "))


def _brief(key: str, value: Any) -> str:
    """Say what a rule is now, or which few numbers of a component changed."""
    if not isinstance(value, Mapping):
        return f"{key} = {value}"
    ends = leaves(value)
    if key.startswith("rules.") or ("like" not in value and len(ends) <= FEW_CHANGES):
        return ", ".join(f"{key}.{end} = {given}" for end, given in ends.items())
    return f"{key} = own"


def _spread(spread: dict[str, Any], wanted: int, several: bool) -> None:
    first = f" among the first {spread['games']:,}" if spread["games"] < wanted else ""
    table(
        ("What", "against", "Pairs", "Rarest", "Commonest", "Block"),
        [
            (
                one["what"],
                one["against"],
                str(one["pairs"]),
                f"{one['low']:,}",
                f"{one['high']:,}",
                str(one["block"]),
            )
            for one in spread["counts"]
        ],
        title=f"Games in which they meet{first}" + (f": {', '.join(spread['cells'])}" if several else ""),
        right="Pairs,Rarest,Commonest,Block",
    )


def duration(seconds: float) -> str:
    """Write a length of time roughly: "4 seconds", "12 minutes", "3 hours"."""
    units = ((1, "second", 90), (60, "minute", 90), (3600, "hour", 48), (86400, "day", math.inf))
    size, name = next((size, name) for size, name, most in units if seconds < most * size)
    count = max(1, round(seconds / size))
    return f"{count} {name}{'s' * (count > 1)}"


def _foreseen(one: dict[str, Any], several: bool) -> None:
    def points(part: float) -> str:
        return f"{100 * part:.1f}"

    headings = ("Rows", "± fixed", "± always", "Told from", "Unbalanced", "Balanced")
    table(
        ("Share by", *headings),
        [
            (
                row["family"],
                f"{row['rows']:,}",
                points(row["fixed"]),
                points(row["anytime"]),
                points(row["told"]),
                points(row["outside"]),
                f"{100 * row['balanced']:.0f} %",
            )
            for row in one["foreseen"]
        ],
        title=f"What {one['games']:,} games can tell, in points, roughly"
        + (f": {one['label']}" if several else ""),
        right=",".join(headings),
    )
    if one["index"] == 0:
        say(
            "Rows: of each level. ± fixed, ± always: half an interval, all levels at once, of a finished "
            "sweep, and of one that is looked at. Told from, Unbalanced: the smallest departure that is "
            "told from fair, and called unbalanced, in 4 of 5 sweeps. Balanced: the chance that a level "
            "which is truly fair is called so."
        )


def _needed(one: dict[str, Any], several: bool) -> None:
    widths = sorted({row["half_width"] for row in one["needed"]}, reverse=True)
    families = dict.fromkeys((row["family"], row["levels"]) for row in one["needed"])
    games = {(row["family"], row["half_width"]): row["games"] for row in one["needed"]}
    headings = [f"± {100 * width:g}" for width in widths]
    table(
        ("Share by", "Levels", *headings),
        [
            (family, str(levels), *(f"{games[family, width]:,}" for width in widths))
            for family, levels in families
        ],
        title="Games for 95 % intervals of so many points, all levels at once, roughly"
        + (f": {one['label']}" if several else ""),
        right=",".join(("Levels", *headings)),
    )


# Results


def story(lines: Iterable[str]) -> None:
    """Print a game told in words; a terminal's lines are folded, those for other programs are not."""
    width = Console().width if sys.stdout.isatty() else 0
    for line in lines:
        print(_folded(line, width))


def _folded(line: str, width: int) -> str:
    """Fold a line below its own margin; a width of 0 leaves it as it is."""
    margin = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(line, width, subsequent_indent=margin) if len(line) > width > 0 else line


def bench(rows: Iterable[dict[str, Any]]) -> None:
    """Print measured speeds."""
    rows = list(rows)
    table(
        ("Bot", "Cores", "Games/s", "Decisions/s"),
        [
            (
                row["bot"],
                str(row["jobs"]),
                f"{row['games_per_second']:,.0f}",
                "" if row["decisions_per_second"] is None else f"{row['decisions_per_second']:,.0f}",
            )
            for row in rows
        ],
        title=f"{rows[0]['game']}, {rows[0]['players']} players",
        right="Cores,Games/s,Decisions/s",
    )


def cases(results: Iterable[Any], as_json: bool) -> int:
    """Print the rule cases that failed, and how many passed; return the exit status."""
    results = list(results)
    failed = [result for result in results if not result.passed]
    if as_json:
        json([vars(result) for result in results])
    else:
        for result in failed:
            story([f"FAILED {result.file}: {result.name} ({result.source})"])
            story(f"    {line}" for line in result.message.splitlines())
        say(f"{len(results) - len(failed)} of {len(results)} cases hold")
    return 1 if failed else 0


# A sweep's dataset


def verdict(found: Verdict, as_json: bool) -> int:
    """Print what `balance.verify` found; return the exit status."""
    if as_json:
        json(dataclasses.asdict(found))
        return 1 if found.faults else 0
    for fault in found.faults:
        story([f"WRONG {fault.where}: {fault.what}"])
    for note in found.notes:
        story([f"Note: {note}"])
    seen = f"{found.games:,} games in {found.parts:,} parts, {found.replayed:,} of them played again"
    if found.faults:
        count = len(found.faults)
        say(f"{found.path} is not in order: {count} fault{'s' if count > 1 else ''}; {seen}")
        edited = [fault.where.startswith(MANIFEST) for fault in found.faults]
        if any(edited):
            say(f"{ELSEWHERE.capitalize()}.")
        if not all(edited):
            say("Delete a part that is wrong and sweep again with the same command: it is played anew.")
        return 1
    say(f"{found.path} is in order: {seen}{'' if found.complete else '; its sweep is not finished'}")
    return 0


def swept(found: Dataset) -> dict[str, Any]:
    """Describe a dataset for `balance sweep --json`."""
    manifest = found.manifest
    return {
        "dataset": str(found.path),
        "complete": found.complete,
        "signature": manifest["signature"],
        "cells": [
            {"index": cell["index"], "label": cell["label"], "games": found.played(cell["index"])}
            for cell in manifest["cells"]
        ],
    }


def dataset(found: Dataset) -> None:
    """Say where a dataset lies, and what to do with it."""
    games = sum(found.played(cell["index"]) for cell in found.manifest["cells"])
    cells = len(found.manifest["cells"])
    say(f"{games:,} games{f' in {cells} cells' if cells > 1 else ''} are in {found.path}")
    print("Next:")
    command = called()
    page = Path(found.path).name if isinstance(found.path, str) else found.path
    print(f"  {command} summary {shlex.quote(str(found.path))}")
    print(f"  {command} report {shlex.quote(str(found.path))} --out {shlex.quote(f'{page}.html')}")


def called() -> str:
    """Return the command as the user can type it: its path, where the plain name is not found."""
    typed = Path(sys.argv[0])
    if shutil.which("balance") is not None or not typed.exists():
        return "balance"
    if typed.name == "__main__.py" and typed.parent.name == "balance":
        return f"{os.path.relpath(sys.executable)} -m balance"
    return os.path.relpath(typed) if typed.name == "balance" else "balance"


def summary(told: Sequence[str], tables: Mapping[str, pl.DataFrame]) -> None:
    """Print what was found, in sentences, then the main tables of `balance.analysis.summary`."""
    import polars as pl

    from balance.analysis import remedy
    from balance.analysis.declared import MARKS, MEANING
    from balance.analysis.estimate import ALONE

    for sentence in told:
        print(textwrap.fill(sentence, Console().width, initial_indent="- ", subsequent_indent="  "))
    certainties: set[str] = set()
    for name, frame in tables.items():
        if name == "effects":
            for kind in frame.partition_by("deal", maintain_order=True):
                _effects(kind)
            continue
        columns = _SUMMARY.get(name, _WIN_SHARE)
        if columns is _WIN_SHARE:
            frame = frame.filter(pl.col("verdict") != ALONE)
        if "certainty" in frame.columns:
            certainties |= set(frame["certainty"])
            frame = frame.with_columns(pl.col("name") + pl.col("certainty").replace_strict(MARKS, default=""))
        if name == "candidates":
            frame = remedy.smallest(frame)
        elif name == "ends":
            frame = frame.filter(pl.col("mean") >= 0.0005)  # else it reads 0.0 %
        if not frame.is_empty():
            _frame(name.replace("_", " ").capitalize() + _fair(frame), frame, columns)
    for certainty, mark in MARKS.items():
        if certainty in certainties:
            say(f"{mark} {MEANING[certainty]}")


def _effects(frame: pl.DataFrame) -> None:
    """Print what each trait of the deal changes: a row a trait, a column a measure."""
    headings = frame.select("measure", "heading").unique(maintain_order=True).rows()
    found = {(row["cell"], row["trait"], row["measure"]): row for row in frame.iter_rows(named=True)}

    def column(measure: str) -> Callable[[Row], str]:
        return lambda row: _effect(found.get((row["cell"], row["trait"], measure)))

    columns: dict[str, Callable[[Row], str]] = {"What": lambda row: row["name"]}
    columns |= {heading.split()[0]: column(measure) for measure, heading in headings}  # room is scarce here
    title = f"{frame['deal'][0]}: games with it less games without it"
    title += " (First, Last: what that seat wins; ~ cannot be told from no change)"
    _frame(title, frame.unique(["cell", "trait"], keep="first", maintain_order=True), columns)


def _effect(row: Row | None) -> str:
    if row is None:
        return "-"
    known = row["low_all"] is not None and (row["low_all"] > 0 or row["high_all"] < 0)
    number = f"{100 * row['effect']:+.1f} %" if row["as_part"] else f"{row['effect']:+.2f}"
    return number if known else f"~ {number}"


def comparisons(found: Sequence[Comparison]) -> None:
    """Print what changes from rule set to rule set, in sentences, then in tables."""
    from balance.analysis.changes import told

    for one in found:
        for sentence in told(one):
            print(textwrap.fill(sentence, Console().width, initial_indent="- ", subsequent_indent="  "))
        table(
            ("What", "Before", "After", "Difference (95 %)", "Verdict"),
            [
                _changed(row)
                for row in one.table.iter_rows(named=True)
                if row["family"] in (one.base.known.primary.name, "seat", "")
            ],
            title=f"{one.other.label} against {one.base.label}",
            right="Before,After",
        )


def retuned(both: pl.DataFrame) -> None:
    """Print what changes with fixed bots beside what changes with bots tuned for each rule set."""
    from balance import retuning
    from balance.analysis.wording import signed

    for sentence in retuning.sentences(both):
        print(textwrap.fill(sentence, Console().width, initial_indent="- ", subsequent_indent="  "))

    def told(row: Row, kind: str) -> str:
        low, high = row[f"{kind}_low"], row[f"{kind}_high"]
        interval = "" if low is None else f" ({signed(100 * low, 1)} to {signed(100 * high, 1)})"
        return signed(100 * row[kind], 1) + interval

    for (name,), rows in both.group_by("comparison", maintain_order=True):
        table(
            ("What", "Fixed bots", "Adapted bots", "Outcome"),
            [
                (row["name"], told(row, "fixed"), told(row, "adapted"), row["says"])
                for row in rows.iter_rows(named=True)
            ],
            title=f"{name}: points of win share, 95 %",
        )


def _changed(row: Row) -> tuple[str, ...]:
    from balance.analysis.declared import MARKS
    from balance.analysis.wording import number, signed

    points = row["kind"] in ("share", "part")
    scale, digits = (100.0, 1) if points else (1.0, 2)
    show = _part if points else number
    name = row["name"] + MARKS.get(row["certainty"], "")
    interval = (
        ""
        if row["low"] is None
        else f" ({signed(scale * row['low'], digits)} to {signed(scale * row['high'], digits)})"
    )
    return (
        f"{name}: {row['metric'].lower()}" if name else row["metric"],
        show(row["before"]),
        show(row["after"]),
        signed(scale * row["difference"], digits) + interval,
        row["verdict"],
    )


def _fair(frame: pl.DataFrame) -> str:
    if "fair" not in frame.columns:
        return ""
    return f" (fair: {' or '.join(dict.fromkeys(_part(fair) for fair in frame['fair']))})"


def _frame(title: str, frame: pl.DataFrame, columns: Mapping[str, Callable[[Row], str]]) -> None:
    """Print some columns of a frame; that of the cell only where there are several."""
    if "cell" in frame.columns and "part" not in frame.columns and frame["cell"].n_unique() > 1:
        columns = {"Cell": lambda row: row["label"], **columns}
    rows = frame.to_dicts()
    shown_ = [[show(row) for show in columns.values()] for row in rows]
    right = [name for name in columns if name not in _WORDS]
    table(list(columns), shown_, title=title, right=",".join(right))


def _part(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def _signed(value: float) -> str:
    return f"{100 * value:+.2f}"


def _span(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"


def _points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f}"


def _mean(row: Row) -> str:
    return _part(row["mean"]) if row["role"] in ("category", "flag") else f"{row['mean']:,.2f}"


def _own_unit(row: Row, column: str) -> str:
    """Write a number of the deal's tables: in percent where its measure is a part of one."""
    return f"{100 * row[column]:.1f} %" if row["as_part"] else f"{row[column]:,.2f}"


def _between(row: Row) -> str:
    if row["low_all"] is None:
        return "-"
    unit = 100 if row["as_part"] else 1
    return f"{unit * row['low_all']:,.1f} to {unit * row['high_all']:,.1f}"


Row = dict[str, Any]
_WORDS = (
    *("Cell", "Name", "Verdict", "Measure", "What", "Where", "Outcome", "Says"),
    *("Smallest change surely in the band", "Smallest not ruled out"),
)
_WIN_SHARE: dict[str, Callable[[Row], str]] = {
    "Name": lambda row: row["name"],
    "Games": lambda row: f"{row['rows']:,}",
    "Wins": lambda row: _part(row["share"]),
    "Between (95 %)": lambda row: _span(row["low_all"], row["high_all"]),
    "Points": lambda row: f"{row['score']:.1f}",
    "Verdict": lambda row: row["verdict"],
}
_COLUMNS: dict[str, Callable[[Row], str]] = {
    "What": lambda row: f"{row['column_label']}: {row['item']}" if row["item"] else row["column_label"],
    "Games": lambda row: f"{row['rows']:,}",
    "Mean": _mean,
}
_SUMMARY: dict[str, dict[str, Callable[[Row], str]]] = {
    "length": {
        "Measure": lambda row: row["measure"],
        "Games": lambda row: f"{row['games']:,}",
        "Mean": lambda row: f"{row['mean']:,.1f}",
        "Median": lambda row: f"{row['median']:,}",
        "95 % are under": lambda row: f"{row['p95']:,}",
        "Most": lambda row: f"{row['most']:,}",
    },
    "contrast": {
        "What": lambda row: f"{row['name']} ({row['kind']})",
        "Wins": lambda row: _signed(row["share"]),
        "Between (95 %)": lambda row: _span(row["share_low_all"], row["share_high_all"]),
        "Points": lambda row: f"{row['points']:+.2f}",
        "Changed": lambda row: _part(row["changed"]),
    },
    "ends": _COLUMNS,
    "counts": _COLUMNS,
    "paid": {
        "What": lambda row: row["name"],
        "Points": lambda row: f"{row['points']:,.2f}",
        "Spread between seats": lambda row: f"{row['apart']:,.2f}",
        "Part of the score": lambda row: _part(row["of_score"]),
    },
    "extremes": {
        "What": lambda row: row["level"],
        "Measure": lambda row: f"{row['end']}: {row['heading'].lower()}",
        "Mean": lambda row: _own_unit(row, "mean"),
        "Between (95 %)": lambda row: _between(row),
        "All": lambda row: _own_unit(row, "overall"),
    },
    "controls": {
        "What": lambda row: row["control"],
        "Where": lambda row: row["where"],
        "Outcome": lambda row: row["outcome"],
        "Says": lambda row: row["says"],
    },
    "unfinished": {
        "Games": lambda row: f"{row['games']:,}",
        "Unfinished": lambda row: f"{row['unfinished']:,}",
        "Part": lambda row: _part(row["part"]),
    },
    "by_tier": {
        "Name": lambda row: row["name"],
        "Players": lambda row: str(row["players"]),
        "Wins": lambda row: _part(row["share"]),
        "Between (95 %)": lambda row: _span(row["low"], row["high"]),
        "Verdict": lambda row: row["verdict"],
    },
    "flips": {
        "Name": lambda row: row["name"],
        "What": lambda row: f"{row['one']} to {row['other']}",
        "Points": lambda row: _points(row["difference"]),
        "Between (95 %)": lambda row: _span(row["low"], row["high"]),
        "Outcome": lambda row: "a flip" if row["flip"] else "moves" if row["moves"] else "not shown",
    },
    "layouts": {
        "Name": lambda row: row["name"],
        "Layouts": lambda row: f"{row['layouts']:,}",
        "Wins": lambda row: _part(row["share"]),
        "SD": lambda row: "-" if row["sd"] is None else f"{100 * row['sd']:.1f}",
        "Between (95 %)": lambda row: _span(row["sd_low"], row["sd_high"]),
        "Explained": lambda row: _part(row["explained"]),
    },
    "worth": {
        "Name": lambda row: row["name"],
        "What": lambda row: row["part"],
        "Worth": lambda row: _points(row["effect"]),
        "From": lambda row: _points(row["low_all"]),
        "To": lambda row: _points(row["high_all"]),
        "Verdict": lambda row: row["verdict"],
    },
    "candidates": {
        "Players": lambda row: str(row["players"]),
        "Name": lambda row: row["name"] or "all",
        "Smallest change surely in the band": lambda row: row["sure"] or "none",
        "Smallest not ruled out": lambda row: row["perhaps"] or "none",
    },
}
