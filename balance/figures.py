"""Tables to Matplotlib figures. Nothing is computed here: a figure shows the numbers of its table.

Every figure comes as a `Drawing` with a text alternative. Colours are those of M. Okabe and K. Ito,
"Color Universal Design" (2008), told apart by every kind of colour vision, and never the only sign
of a difference: verdicts differ by marker as well, stacked bars by a key and their table.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from balance.analysis.compare import EXACT, LESS, MORE, SAME
from balance.analysis.declared import MARKS
from balance.analysis.estimate import (
    ABOVE,
    BALANCED,
    BELOW,
    SILENT,
    TOO_FEW,
    TOO_STRONG,
    TOO_WEAK,
    UNKNOWN,
    WITHIN,
)
from balance.analysis.wording import bare, number, percent, short, signed, span, whole

# Roles of colours. A page may map each of them to one that suits its background.
INK, MUTED, GRID, BAND, PAPER = "#1b1b1a", "#5d5d5a", "#dededa", "#dcecf4", "#fdfdfc"
ORANGE, BLUE, GREEN, GREY = "#d55e00", "#0072b2", "#009e73", "#77776f"
PALETTE = {"ink": INK, "muted": MUTED, "grid": GRID, "band": BAND, "paper": PAPER}
PALETTE |= {"orange": ORANGE, "blue": BLUE, "green": GREEN, "grey": GREY}
SERIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
# Cells of a heat matrix keep their colours on every background, and so does the text on them.
UNTOLD, ON_CELL = "#d6d6d2", "#111111"
HEAT = LinearSegmentedColormap.from_list("heat", ["#6fb3dd", "#cfe6f4", "#f7f4ee", "#fbd3b0", "#f19a52"])

LOOK = {
    TOO_STRONG: (ORANGE, "^"),
    TOO_WEAK: (BLUE, "v"),
    BALANCED: (GREEN, "o"),
    ABOVE: (ORANGE, "^"),
    BELOW: (BLUE, "v"),
    WITHIN: (GREEN, "o"),
    UNKNOWN: (GREY, "D"),
    **dict.fromkeys(SILENT, (GREY, "x")),
}

CHANGED = {
    MORE: (ORANGE, "^"),
    LESS: (BLUE, "v"),
    SAME: (GREEN, "o"),
    EXACT: (GREEN, "o"),
    UNKNOWN: (GREY, "D"),
    TOO_FEW: (GREY, "x"),
}

WIDTH = 4.7  # inches; narrow, so that text stays readable on a phone
SIZE = 9.5  # points
LONGEST = 24  # characters of a name in a figure; its table has all of it
LETTER = 0.078  # inches that a character takes, about

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Drawing:
    """A figure, what it shows in a line, and the same in words for who cannot see it."""

    figure: Figure
    title: str
    alternative: str


def svg(drawing: Drawing) -> str:
    """Return the figure as an SVG document: text as text, the same bytes every time.

    Letters are left to the reader's fonts, so a name in any script shows.
    """
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "boardgame-balance"}
    none = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    page = io.StringIO()
    with matplotlib.rc_context(settings), _any_script():
        FigureCanvasSVG(drawing.figure).print_svg(page, metadata=none)
    return page.getvalue()


def png(drawing: Drawing, dpi: int = 150) -> bytes:
    """Return the figure as a PNG image, for a look at it."""
    page = io.BytesIO()
    canvas = FigureCanvasAgg(drawing.figure)
    with _any_script():
        drawing.figure.set_dpi(dpi)
        canvas.print_png(page)
    return page.getvalue()


@contextlib.contextmanager
def _any_script() -> Iterator[None]:
    """Measure letters that Matplotlib's own font lacks without a word: the reader's fonts have them."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from|Matplotlib currently does not support"
        )
        yield


def win_share(table: pl.DataFrame, label: str, limits: tuple[float, float] | None = None) -> Drawing:
    """Draw each level's win share as a dot with its intervals, on the band, with the fair line.

    `table` is that of `analysis.shares.win_share` for one cell. The thick bar is the 95 % interval
    of a level alone, the thin one holds for all levels at once and gives the verdict. `limits` of the
    axis (parts, not percent) put several cells on one scale.
    """
    rows = list(table.iter_rows(named=True))
    names = [_marked(row) for row in rows]
    figure, axes = _canvas(0.33 * len(rows) + 0.85, left=_room(names), right=0.69)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    fair, low, high = rows[0]["fair"], rows[0]["band_low"], rows[0]["band_high"]
    axes.axvspan(100 * low, 100 * high, color=BAND, linewidth=0, zorder=0)
    axes.axvline(100 * fair, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        _dot(axes, place, row)
    _words(axes, fair * 100, 1.02, f"fair {short(fair)} %", transform=axes.get_xaxis_transform(), ha="center")
    _names(axes, names)
    _finish(axes, "Win share, %")
    if limits is not None:
        axes.set_xlim(100 * limits[0], 100 * limits[1])
    shown = "; ".join(_told(row) for row in rows)
    return Drawing(
        figure,
        f"Win share by {label.lower()}",
        f"Dots with intervals on a band from {bare(low)} to {bare(high)} % around the fair share of "
        f"{short(fair)} %. {shown}.",
    )


COLUMNS = 4  # rule sets that stand side by side on the first page, at most
LINES = 30  # lines of its figure, at most

Panels = dict[str, dict[str, pl.DataFrame]]  # rule set -> column -> rows of one cell, as of `win_share`


def overview(panels: Panels, label: str) -> Drawing:
    """Draw each level's win share on the band, on a scale of its own in each column.

    Rule sets stand below one another under their names; a single one has none.
    """
    columns = list(dict.fromkeys(column for own in panels.values() for column in own))
    tables = [table for own in panels.values() for table in own.values()]
    levels = list(dict.fromkeys(level for table in tables for level in table["level"]))
    rows = {level: row for table in reversed(tables) for level, row in _by_level(table).items()}
    headed = len(panels) > 1
    step = len(levels) + headed
    lines = step * len(panels)
    names = ([""] * headed + [_marked(rows[level]) for level in levels]) * len(panels)
    tight = lines > 12
    room, height = _room(names), (0.24 if tight else 0.33) * lines + 1.3
    figure = Figure(figsize=(WIDTH, height), facecolor="none")
    wide = (0.985 - room) / len(columns)
    limits = _alike(tables) if not headed else None
    shown = []
    for place, column in enumerate(columns):
        axes = _axes(figure, (room + place * wide, 0.75 / height, wide - 0.03, 1 - 1.25 / height))
        axes.set_ylim(lines - 0.5, -0.5)
        for order, (rules, own) in enumerate(panels.items()):
            if column not in own:
                continue
            found, first = _by_level(own[column]), own[column].row(0, named=True)
            top = order * step + headed
            ends = (top - headed - 0.5, top + len(levels) - 0.5)
            axes.fill_betweenx(
                ends, 100 * first["band_low"], 100 * first["band_high"], color=BAND, lw=0, zorder=0
            )
            axes.plot(
                [100 * first["fair"]] * 2, ends, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1
            )
            for line, level in enumerate(levels):
                if level in found:
                    _dot(axes, top + line, found[level], words=False)
            where = ", ".join(part for part in (column, rules) if part)
            shown.append(f"{where}: {'; '.join(_told(row) for row in found.values())}")
        _names(axes, names if place == 0 else [""] * lines)
        _finish(axes, "%" if len(columns) > 2 else "Win share, %")
        axes.xaxis.set_major_locator(MaxNLocator(2 if len(columns) > 2 else 3, steps=[1, 2, 4, 5, 10]))
        if limits:
            axes.set_xlim(*limits)
        _words(axes, 0.0, 1 + 0.15 / height, _fitting(column, wide), transform=axes.transAxes, va="bottom")
    for order, rules in enumerate(panels):
        if headed:
            at = 1 - (0.5 + (order * step + 0.5) * (height - 1.25) / lines) / height
            figure.text(
                0.02,
                at,
                _fitting(rules, 0.7),
                color=INK,
                size=SIZE,
                va="center",
                weight="bold",
                parse_math=False,
            )
    key = {row["verdict"] for table in tables for row in table.iter_rows(named=True)}
    signs = {"^": "▲", "v": "▼", "o": "●", "D": "◆", "x": "×"}
    words = "   ".join(f"{signs[LOOK[verdict][1]]} {verdict}" for verdict in LOOK if verdict in key)
    figure.text(0.02, 0.1 / height, words, color=MUTED, size=SIZE - 1, parse_math=False)
    return Drawing(
        figure,
        f"Win share by {label.lower()}",
        f"Dots with intervals on a band, a column each. {'. '.join(shown)}.",
    )


def _fitting(words: str, part: float) -> str:
    """Cut `words` to what that part of a figure's width has room for."""
    words, most = " ".join(words.split()), max(4, int(part * WIDTH / LETTER))
    return words if len(words) <= most else words[: most - 1] + "…"


def _alike(tables: Sequence[pl.DataFrame]) -> tuple[float, float] | None:
    """Return limits in percent that hold all of `tables`, if a fair share is the same in them."""
    rows = pl.concat(tables)
    if rows["fair"].n_unique() > 1:
        return None
    ends = rows.select(
        low=pl.min_horizontal(pl.coalesce("low_all", "share").min(), pl.col("band_low").min()),
        high=pl.max_horizontal(pl.coalesce("high_all", "share").max(), pl.col("band_high").max()),
    ).row(0)
    spare = 0.05 * (ends[1] - ends[0])
    return 100 * (ends[0] - spare), 100 * (ends[1] + spare)


def _by_level(table: pl.DataFrame) -> dict[str, Row]:
    return {row["level"]: row for row in table.iter_rows(named=True)}


def differences(table: pl.DataFrame, title: str) -> Drawing:
    """Draw how much each level's win share (or index) changes, with intervals, on what matters.

    `table` is part of that of `analysis.compare.compare`: one family, one metric.
    """
    rows = list(table.iter_rows(named=True))
    scale = 1.0 if rows[0]["kind"] == "index" else 100.0
    names = [_marked(row) for row in rows]
    figure, axes = _canvas(0.33 * len(rows) + 0.85, left=_room(names), right=0.69)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    band = rows[0]["band"] * scale
    axes.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    to_the_right = axes.get_yaxis_transform()
    for place, row in enumerate(rows):
        colour, marker = CHANGED[row["verdict"]]
        value, low, high = (scale * row[name] for name in ("difference", "low", "high"))
        axes.plot([low, high], [place] * 2, color=colour, linewidth=2)
        axes.plot(
            [value], [place], marker, color=colour, markersize=6, markeredgewidth=0.8, markeredgecolor=PAPER
        )
        digits = 1 if scale > 1 else 2
        text = f"{signed(value, digits)} ({signed(low, digits)} to {signed(high, digits)})"
        _words(axes, 1.03, place, text, transform=to_the_right)
    _words(axes, 0, 1.02, "no change", transform=axes.get_xaxis_transform(), ha="center")
    _names(axes, names)
    _finish(axes, "Change of the win share, points" if scale > 1 else "Change of the index")
    shown = "; ".join(
        f"{row['name']}: {signed(scale * row['difference'], 1 if scale > 1 else 2)}, {row['verdict']}"
        for row in rows
    )
    return Drawing(figure, title, f"Dots with intervals on a band of what matters. {shown}.")


def _dot(axes: Axes, place: int, row: Row, words: bool = True) -> None:
    colour, marker = LOOK[row["verdict"]]
    if row["low_all"] is not None:
        axes.plot([100 * row["low_all"], 100 * row["high_all"]], [place] * 2, color=colour, linewidth=1.2)
        axes.plot(
            [100 * row["low"], 100 * row["high"]],
            [place] * 2,
            color=colour,
            linewidth=4,
            solid_capstyle="butt",
        )
    axes.plot(
        [100 * row["share"]],
        [place],
        marker,
        color=colour,
        markersize=6,
        markeredgewidth=0.8,
        markeredgecolor=PAPER if marker != "x" else colour,
    )
    if not words:
        return
    interval = f" ({span(row['low_all'], row['high_all'])})" if row["low_all"] is not None else ""
    to_the_right = axes.get_yaxis_transform()
    _words(axes, 1.03, place - 0.17, f"{bare(row['share'])}{interval}", transform=to_the_right)
    _words(axes, 1.03, place + 0.2, row["verdict"], transform=to_the_right, color=colour, size=SIZE - 1)


def _told(row: Row) -> str:
    interval = f" ({span(row['low_all'], row['high_all'])})" if row["low_all"] is not None else ""
    return f"{row['name']}: {percent(row['share'])}{interval}, {row['verdict']}"


def worth(table: pl.DataFrame, limits: tuple[float, float] | None = None) -> Drawing:
    """Draw what each thing of a contrast is worth in wins, from `analysis.contrast.worth` for one cell.

    The thick bar is the 95 % interval of a thing alone, the thin one holds for all at once. `limits`
    of the axis (parts, not percent) put several cells on one scale.
    """
    rows = list(table.iter_rows(named=True))
    names = [_marked(row) for row in rows]
    figure, axes = _canvas(0.33 * len(rows) + 0.85, left=_room(names), right=0.69)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        above, below = row["verdict"] == "above the average", row["verdict"] == "below the average"
        colour, marker = LOOK[TOO_STRONG if above else TOO_WEAK if below else UNKNOWN]
        if row["share_low_all"] is not None:
            for low, high, width in (
                ("share_low_all", "share_high_all", 1.2),
                ("share_low", "share_high", 4),
            ):
                ends = [100 * row[low], 100 * row[high]]
                axes.plot(ends, [place] * 2, color=colour, linewidth=width, solid_capstyle="butt")
        axes.plot([100 * row["share"]], [place], marker, color=colour, markersize=6, markeredgecolor=PAPER)
        _words(
            axes,
            1.03,
            place,
            f"{100 * row['share']:+.2f}" + _between(row),
            transform=axes.get_yaxis_transform(),
        )
    _words(axes, 0, 1.02, "no effect", transform=axes.get_xaxis_transform(), ha="center")
    _names(axes, names)
    _finish(axes, "Win share gained by having it, points of a hundred")
    if limits is not None:
        axes.set_xlim(100 * limits[0], 100 * limits[1])
    shown = "; ".join(
        f"{name}: {100 * row['share']:+.2f}{_between(row)}" for name, row in zip(names, rows, strict=True)
    )
    return Drawing(figure, "What it is worth", f"Dots with intervals around no effect. {shown}.")


def _between(row: Row) -> str:
    if row["share_low_all"] is None:
        return ""
    return f" ({span(row['share_low_all'], row['share_high_all'])})"


def effects(table: pl.DataFrame, what: str, limits: tuple[float, float] | None = None) -> Drawing:
    """Draw what each trait of the deal changes in one measure, around no change.

    `table` is that of `analysis.traits.effects` for one cell, kind and measure. The thick bar is the 95 %
    interval of a trait alone, the thin one holds for all traits at once. `limits` of the axis (in the
    measure's own unit) put several cells on one scale.
    """
    rows = sorted(table.iter_rows(named=True), key=lambda row: -row["effect"])
    names = [_plain(row["name"]) for row in rows]
    unit = 100 if rows[0]["as_part"] else 1
    figure, axes = _canvas(0.33 * len(rows) + 0.85, left=_room(names), right=0.69)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.axvline(0, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    told = []
    for place, row in enumerate(rows):
        words = f"{unit * row['effect']:+.2f}"
        known = row["low_all"] is not None
        colour, marker = LOOK[UNKNOWN]
        if known:
            words += f" ({unit * row['low_all']:.2f} to {unit * row['high_all']:.2f})"
            if row["low_all"] > 0 or row["high_all"] < 0:
                colour, marker = LOOK[TOO_STRONG if row["low_all"] > 0 else TOO_WEAK]
            for low, high, width in (("low_all", "high_all", 1.2), ("low", "high", 4)):
                ends = [unit * row[low], unit * row[high]]
                axes.plot(ends, [place] * 2, color=colour, linewidth=width, solid_capstyle="butt")
        axes.plot([unit * row["effect"]], [place], marker, color=colour, markersize=6)
        _words(axes, 1.03, place, words, transform=axes.get_yaxis_transform())
        told.append(f"{names[place]}: {words}")
    _words(axes, 0, 1.02, "no change", transform=axes.get_xaxis_transform(), ha="center")
    _names(axes, names)
    _finish(axes, f"{what}: difference" + (", points of a hundred" if unit == 100 else ""))
    if limits is not None:
        axes.set_xlim(unit * limits[0], unit * limits[1])
    return Drawing(figure, what, f"Dots with intervals around no change. {'; '.join(told)}.")


def stacked(table: pl.DataFrame, label: str, limits: tuple[float, float] | None = None) -> Drawing:
    """Draw the mean points of each level as a bar, stacked by source, from `analysis.points.sources`.

    `limits` of the axis (points) put several cells on one scale.
    """
    levels = table["level"].unique(maintain_order=True).to_list()
    sources = table["source"].unique(maintain_order=True).to_list()
    first = {level: table.filter(pl.col("level") == level).row(0, named=True) for level in levels}
    names = [_marked(first[level]) for level in levels]
    height = 0.34 * len(levels) + 0.6 + 0.2 * _lines(len(sources))
    figure, axes = _canvas(height, left=_room(names), right=0.9, above=0.1)
    axes.set_ylim(len(levels) - 0.5, -0.5)
    ends = dict.fromkeys(levels, (0.0, 0.0))  # how far the bars reach, to the right and to the left
    for number_, source in enumerate(sources):
        colour = SERIES[number_ % len(SERIES)]
        hatch = ("", "///", "...")[number_ // len(SERIES) % 3]
        rows = list(table.filter(pl.col("source") == source).iter_rows(named=True))
        for row in rows:
            up, down = ends[row["level"]]
            start = up if row["mean"] >= 0 else down
            axes.barh(
                levels.index(row["level"]),
                row["mean"],
                left=start,
                height=0.66,
                color=colour,
                hatch=hatch,
                edgecolor=PAPER,
                linewidth=0.8,
                label=_plain(rows[0]["source_label"]) if row is rows[0] else "_",
            )
            reached = start + row["mean"]
            ends[row["level"]] = (reached, down) if row["mean"] >= 0 else (up, reached)
    for place, level in enumerate(levels):
        up, down = ends[level]
        _words(axes, up, place, f"  {number(up + down)}")
    _names(axes, names)
    _finish(axes, "Points a game, by source")
    if limits is not None:
        axes.set_xlim(limits)
    _key(figure, axes, len(sources))
    shown = "; ".join(
        f"{first[level]['name']}: "
        + ", ".join(
            f"{row['source_label']} {number(row['mean'])}"
            for row in table.filter(pl.col("level") == level).iter_rows(named=True)
        )
        for level in levels
    )
    return Drawing(figure, f"Sources of points by {label.lower()}", f"Stacked bars of mean points. {shown}.")


def histogram(
    table: pl.DataFrame, counts: Mapping[str, str], what: str, marks: Sequence[tuple[str, float]] = ()
) -> Drawing:
    """Draw how many rows fall into each bin; `counts` names the columns, `marks` lines to draw.

    `table` holds `first` and `last` of each bin, for one cell, as `analysis.pace.turns` and
    `analysis.points.scores` give it.
    """
    figure, axes = _canvas(2.3, left=0.12, right=0.97, above=0.1 if len(counts) > 1 else 0.3)
    first, last = table["first"].to_list(), table["last"].to_list()
    width = last[0] - first[0] + 1
    for (column, label), colour in zip(counts.items(), SERIES, strict=False):
        axes.bar(
            [value - 0.5 for value in first],  # so that a bar stands over its values
            table[column].to_list(),
            width=width,
            align="edge",
            color=colour,
            edgecolor=PAPER,
            linewidth=0.6,
            label=label,
        )
    marks = sorted(marks, key=lambda mark: mark[1])
    for rank, (label, place) in enumerate(marks):
        # Two labels stand apart to either side of their lines.
        side = "center" if len(marks) == 1 else "right" if rank == 0 else "left"
        axes.axvline(place, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        _words(axes, place, 1.02, f" {label} ", transform=axes.get_xaxis_transform(), ha=side)
    axes.set_xlim(first[0] - 0.5, last[-1] + 0.5)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_formatter(lambda value, place: whole(value))
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=[1, 2, 5, 10]))
    _finish(axes, what, grid=False)
    if len(counts) > 1:
        _key(figure, axes, len(counts))
    tallest = table.sort(next(iter(counts))).row(-1, named=True)
    most = f"{tallest['first']}" if width == 1 else f"{tallest['first']} to {tallest['last']}"
    lines = "".join(f" {label}." for label, _ in marks)
    return Drawing(figure, what, f"Histogram from {first[0]} to {last[-1]}; most often {most}.{lines}")


def bars(table: pl.DataFrame, what: str) -> Drawing:
    """Draw parts of the games as bars with their 95 % intervals, from `analysis.pace.game_columns`."""
    rows = list(table.iter_rows(named=True))
    names = [_plain(row["item"]) for row in rows]
    figure, axes = _canvas(0.3 * len(rows) + 0.6, left=_room(names), right=0.69, above=0.1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for place, row in enumerate(rows):
        axes.barh(place, 100 * row["mean"], height=0.62, color=BLUE)
        if row["low"] is not None:
            axes.plot([100 * row["low"], 100 * row["high"]], [place] * 2, color=INK, linewidth=1.4)
        text = f"{bare(row['mean'])}" + (
            f" ({span(row['low'], row['high'])})" if row["low"] is not None else ""
        )
        _words(axes, 1.03, place, text, transform=axes.get_yaxis_transform())
    axes.set_xlim(left=0)
    _names(axes, names)
    _finish(axes, "Part of the games, %")
    shown = "; ".join(f"{name} {percent(row['mean'])}" for name, row in zip(names, rows, strict=True))
    return Drawing(figure, what, f"Bars: {shown}.")


def heat(table: pl.DataFrame, what: str, across: str) -> Drawing:
    """Draw win shares as a matrix of `level` by `other`; grey is what cannot be told from par (`fair`)."""
    levels = table["level"].unique(maintain_order=True).to_list()
    others = table.sort("other_order")["other"].unique(maintain_order=True).to_list()
    names = {row["level"]: _marked(row) for row in table.iter_rows(named=True)}
    other_names = {row["other"]: _plain(row["other_name"]) for row in table.iter_rows(named=True)}
    below = 0.5 + 0.6 * LETTER * max(map(len, other_names.values()))
    height = 0.36 * len(levels) + 0.05 + below
    figure, axes = _canvas(height, left=_room(names.values()), right=0.98, below=below, above=0.05)
    axes.set_xlim(-0.5, len(others) - 0.5)
    axes.set_ylim(len(levels) - 0.5, -0.5)
    small = SIZE if len(others) <= 8 else 6.5
    for row in table.iter_rows(named=True):
        at = (others.index(row["other"]), levels.index(row["level"]))
        colour = _heat_colour(row) if row["differs"] else UNTOLD
        axes.add_patch(
            Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1.5)
        )
        _words(axes, *at, bare(row["share"]), ha="center", color=ON_CELL, size=small)
    _names(axes, [names[level] for level in levels])
    axes.set_xticks(range(len(others)), [other_names[other] for other in others], parse_math=False)
    for text in axes.get_xticklabels():
        text.set(rotation=35, ha="right", rotation_mode="anchor")
    _finish(axes, across, grid=False)
    told = [row for row in table.iter_rows(named=True) if row["differs"]]
    shown = "; ".join(
        f"{row['name']} with {other_names[row['other']]} {percent(row['share'])}" for row in told
    )
    return Drawing(
        figure,
        what,
        f"Matrix of win shares. Told from par: {shown or 'none'}. The others cannot be told from it.",
    )


def _heat_colour(row: Row) -> str:
    """Colour a win share from half the fair share (blue) over fair to one and a half of it (orange)."""
    return to_hex(HEAT(min(max(row["share"] / row["fair"] - 0.5, 0.0), 1.0)))


def _canvas(
    height: float, *, left: float, right: float, below: float = 0.5, above: float = 0.3
) -> tuple[Figure, Axes]:
    """Make a figure `height` inches high, with room `above` and `below` the axes.

    `left` and `right` bound the axes in parts of the width.
    """
    figure = Figure(figsize=(WIDTH, height), facecolor="none")
    return figure, _axes(figure, (left, below / height, right - left, 1 - (above + below) / height))


def _axes(figure: Figure, box: tuple[float, float, float, float]) -> Axes:
    axes = figure.add_axes(box)
    axes.set_facecolor("none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    return axes


def _finish(axes: Axes, xlabel: str, grid: bool = True) -> None:
    axes.set_axisbelow(True)
    if grid:
        axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.tick_params(colors=INK, labelsize=SIZE, length=0)
    axes.set_xlabel(xlabel, color=MUTED, size=SIZE, parse_math=False)


def _names(axes: Axes, names: Iterable[str]) -> None:
    shown = list(names)
    axes.set_yticks(range(len(shown)), shown, parse_math=False)


def _words(axes: Axes, x: float, y: float, text: str, **kwargs: Any) -> None:
    settings: dict[str, Any] = {
        "color": INK,
        "size": SIZE,
        "va": "center",
        "ha": "left",
        "parse_math": False,
    } | kwargs
    axes.text(x, y, text, **settings)


def _room(names: Iterable[str]) -> float:
    """Return the part of the width that the longest of `names` takes beside the axes."""
    return (max(6, *map(len, names)) * LETTER + 0.15) / WIDTH


def _lines(entries: int) -> int:
    return -(-entries // 3)


def _key(figure: Figure, axes: Axes, entries: int) -> None:
    key = axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=3,
        frameon=False,
        fontsize=SIZE - 1,
        labelcolor=INK,
        borderaxespad=0,
        handlelength=1,
        columnspacing=1.2,
    )
    for text in key.get_texts():
        text.set_parse_math(False)
    box = axes.get_position()
    room = 0.2 * _lines(entries) / figure.get_figheight()
    axes.set_position((box.x0, box.y0, box.width, box.height - room))


def _marked(row: Row) -> str:
    return _plain(row["name"], MARKS.get(row["certainty"], ""))


def _plain(name: str, mark: str = "") -> str:
    """Cut a long name, and keep it on one line."""
    name = " ".join(name.split())
    return (name if len(name) <= LONGEST else name[: LONGEST - 1] + "…") + mark
