"""Figures of studies that vary something: layouts, blanked parts, candidates for a change.

As in `balance.figures`, nothing is computed here, and every figure comes with its words.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.patches import Rectangle

from balance.analysis.blanks import HARMS, HELPS
from balance.analysis.remedy import IN, OUT
from balance.analysis.wording import bare, percent, short, span
from balance.figures import (
    BAND,
    BLUE,
    GREEN,
    GREY,
    INK,
    ON_CELL,
    ORANGE,
    PAPER,
    SERIES,
    SIZE,
    UNTOLD,
    Drawing,
    _canvas,
    _finish,
    _key,
    _lines,
    _marked,
    _names,
    _plain,
    _room,
    _words,
)

MOST = 0.10  # effects of so many points and more have the deepest colour
WORTH = LinearSegmentedColormap.from_list("worth", ["#6fb3dd", "#f7f4ee", "#f19a52"])
STATE_LOOK = {IN: (GREEN, "o"), OUT: (ORANGE, "^"), None: (GREY, "x")}
CANDIDATES = 16  # that stand side by side in a figure, at most


def layouts(table: pl.DataFrame, label: str, limits: tuple[float, float]) -> Drawing:
    """Draw each level's share with its interval, and the range that its share has on 19 of 20 layouts."""
    rows = list(table.iter_rows(named=True))
    names = [_marked(row) for row in rows]
    figure, axes = _canvas(0.33 * len(rows) + 0.85, left=_room(names), right=0.69)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    fair = rows[0]["fair"]
    axes.axvline(100 * fair, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        told = row["sd_low"] is not None and row["sd_low"] > 0
        colour = BLUE if told else GREY
        if row["sd"] is not None:
            axes.plot(
                [100 * row["usual_low"], 100 * row["usual_high"]], [place] * 2, color=colour, linewidth=1.2
            )
        if row["low"] is not None:
            ends = [100 * row["low"], 100 * row["high"]]
            axes.plot(ends, [place] * 2, color=colour, linewidth=4, solid_capstyle="butt")
        axes.plot([100 * row["share"]], [place], "o", color=colour, markersize=6, markeredgecolor=PAPER)
        to_the_right = axes.get_yaxis_transform()
        spread = "–" if row["sd"] is None else bare(row["sd"])
        interval = span(row["sd_low"], row["sd_high"])
        _words(axes, 1.03, place - 0.17, f"SD {spread}", transform=to_the_right)
        _words(axes, 1.03, place + 0.2, interval, transform=to_the_right, color=colour, size=SIZE - 1)
    _words(axes, fair * 100, 1.02, f"fair {short(fair)} %", transform=axes.get_xaxis_transform(), ha="center")
    _names(axes, names)
    _finish(axes, "Win share, %")
    axes.set_xlim(100 * limits[0], 100 * limits[1])
    shown = "; ".join(
        f"{row['name']}: {percent(row['share'])}, SD over layouts {bare(row['sd'])} points"
        f" ({span(row['sd_low'], row['sd_high'])})"
        for row in rows
    )
    return Drawing(figure, f"Win share over layouts by {label.lower()}", f"Dots with ranges. {shown}.")


def worth(table: pl.DataFrame, what: str) -> Drawing:
    """Draw a matrix of what each part of each level is worth, in points of win share."""
    levels = table["level"].unique(maintain_order=True).to_list()
    parts = table["part"].unique(maintain_order=True).to_list()
    names = {row["level"]: _marked(row) for row in table.iter_rows(named=True)}
    labels = [_plain(part) for part in parts]
    below = 0.35 + 0.055 * max(map(len, labels))
    left = _room(names.values())
    figure, axes = _canvas(0.34 * len(levels) + below + 0.3, left=left, right=0.98, below=below, above=0.1)
    axes.set_xlim(-0.5, len(parts) - 0.5)
    axes.set_ylim(len(levels) - 0.5, -0.5)
    small = SIZE if len(parts) <= 8 else 6.5
    for row in table.iter_rows(named=True):
        at = (parts.index(row["part"]), levels.index(row["level"]))
        told = row["verdict"] in (HELPS, HARMS)
        colour = to_hex(WORTH(min(max(0.5 + row["effect"] / (2 * MOST), 0.0), 1.0))) if told else UNTOLD
        axes.add_patch(
            Rectangle((at[0] - 0.5, at[1] - 0.5), 1, 1, facecolor=colour, edgecolor=PAPER, linewidth=1.5)
        )
        _words(axes, *at, signed(row["effect"]), ha="center", color=ON_CELL, size=small)
    _names(axes, [names[level] for level in levels])
    axes.set_xticks(range(len(parts)), labels, parse_math=False)
    for text in axes.get_xticklabels():
        text.set(rotation=35, ha="right", rotation_mode="anchor")
    _finish(axes, "", grid=False)
    shown = "; ".join(
        f"{row['name']}, {row['part']}: {signed(row['effect'])} ({_span(row)})"
        for row in table.iter_rows(named=True)
        if row["verdict"] in (HELPS, HARMS)
    )
    return Drawing(
        figure,
        what,
        f"Matrix of points of win share. Told from nothing: {shown or 'none'}. The others cannot be.",
    )


def signed(part: float) -> str:
    """Write a difference of shares in points, with its sign: "+3.1", "−0.4", "0.0"."""
    text = f"{100 * abs(part):.1f}"
    return text if float(text) == 0 else f"{'+' if part > 0 else '−'}{text}"


def _span(row: dict[str, float | None]) -> str:
    low, high = row["low_all"], row["high_all"]
    return "" if low is None or high is None else f"{signed(low)} to {signed(high)}"


def candidates(table: pl.DataFrame, label: str, limits: tuple[float, float]) -> Drawing:
    """Draw the share of each level against the candidates, the smallest change on the left."""
    cells = table.unique("cell", keep="first", maintain_order=True)
    places = {cell: place for place, cell in enumerate(cells["cell"])}
    ticks = [_plain(words) for words in _shortest(cells["choice"].to_list())]
    numbered = any(" = " in words for words in cells["choice"])  # names have no line between them
    levels = table.unique("level", keep="first", maintain_order=True)
    below = 0.3 + 0.05 * max(map(len, ticks))
    height = 2.4 + below + 0.2 * _lines(len(levels))
    figure, axes = _canvas(height, left=0.1, right=0.97, below=below, above=0.15)
    axes.set_xlim(-0.5, len(places) - 0.5)
    first = table.row(0, named=True)
    axes.axhspan(100 * first["band_low"], 100 * first["band_high"], color=BAND, linewidth=0, zorder=0)
    axes.axhline(100 * first["fair"], color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for number, (level, name) in enumerate(levels.select("level", "name").iter_rows()):
        rows = list(table.filter(pl.col("level") == level).iter_rows(named=True))
        colour = SERIES[number % len(SERIES)]
        shift = 0.12 * (number - (len(levels) - 1) / 2) / max(1, len(levels) / 4)
        at = [places[row["cell"]] + shift for row in rows]
        axes.plot(
            at,
            [100 * row["share"] for row in rows],
            "o-" if numbered else "o",
            color=colour,
            markersize=4.5,
            label=_plain(name),
        )
        for x, row in zip(at, rows, strict=True):
            if row["low"] is not None:
                axes.plot([x, x], [100 * row["low"], 100 * row["high"]], color=colour, linewidth=1.2)
    axes.set_xticks(range(len(places)), ticks, parse_math=False)
    for text in axes.get_xticklabels():
        text.set(rotation=35, ha="right", rotation_mode="anchor")
    _finish(axes, "", grid=False)
    axes.set_ylim(100 * limits[0], 100 * limits[1])
    _key(figure, axes, len(levels))
    shown = "; ".join(
        f"{row['choice']}, {row['name']}: {percent(row['share'])} ({span(row['low'], row['high'])})"
        for row in table.iter_rows(named=True)
    )
    return Drawing(
        figure,
        f"Win share by {label.lower()}, the smallest change on the left",
        f"Lines on a band from {bare(first['band_low'])} to {bare(first['band_high'])} %. {shown}.",
    )


def _shortest(choices: Sequence[str]) -> list[str]:
    """Leave out the key that all candidates share: "cap = 7" beside "cap = 8" is "7" beside "8"."""
    keys = {choice.partition(" = ")[0] for choice in choices}
    if len(keys) == 1 and all(choice.count(" = ") == 1 for choice in choices):
        return [choice.partition(" = ")[2] for choice in choices]
    return list(choices)
