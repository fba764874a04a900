"""Figures show the numbers of their tables, in the reader's letters, the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import polars as pl
import pytest

import synthetic
from balance import analysis, figures

NATIONS = {
    "script": ("<script>alert(1)</script>", "reconstructed"),
    "money": ("$x$ & $y_2$", "public"),
    "japan": ("日本の国", "seed"),
    "long": ("The Most Serene and Long-Winded Republic of the Far Shore", "seed"),
    "orcs": ("Orcs", "seed"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    tables = synthetic.frames(60, nations=NATIONS, strength={"orcs": 0.5})
    return analysis.tables(
        analysis.declared(synthetic.write(tmp_path_factory.mktemp("odd"), tables, nations=NATIONS))
    )


@pytest.fixture(scope="module")
def drawings(made):
    return {
        "win_share": figures.win_share(made["win_share_by_nation"], "Nation"),
        "stacked": figures.stacked(made["sources"], "Nation"),
        "turns": figures.histogram(made["turns"], {"games": "Games"}, "Turns", [("median 24", 24)]),
        "scores": figures.histogram(made["scores"], {"seats": "All", "winners": "Winners"}, "Score"),
        "bars": figures.bars(made["ends"], "End trigger"),
        "heat": figures.heat(made["matrix"], "Nation by opponent", "Opponent"),
    }


def words(svg):
    """Return the text of an SVG, each text element on its own."""
    root = ElementTree.fromstring(svg)
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("name", ["win_share", "stacked", "turns", "scores", "bars", "heat"])
def test_every_figure_draws_as_text_and_twice_alike(drawings, name):
    svg = figures.svg(drawings[name])
    assert svg == figures.svg(drawings[name])
    assert words(svg)
    assert "<dc:date>" not in svg
    assert figures.png(drawings[name]).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["win_share", "stacked", "heat"])
def test_names_stand_as_they_are(drawings, name):
    shown = words(figures.svg(drawings[name]))
    assert "$x$ & $y_2$‡" in shown
    assert "日本の国" in shown
    assert "<script>alert(1)</scrip…†" in shown or "<script>alert(1)</script>†" in shown
    assert any(text.startswith("The Most Serene") and text.endswith("…") for text in shown)


def test_the_same_table_gives_the_same_bytes(made):
    first, second = (figures.svg(figures.win_share(made["win_share_by_nation"], "Nation")) for _ in range(2))
    assert first == second


def test_dots_and_intervals_stand_where_the_table_says(made):
    table = made["win_share_by_nation"]
    axes = figures.win_share(table, "Nation").figure.axes[0]
    dots = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert dots == pytest.approx([100 * share for share in table["share"]])
    thin = [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() == pytest.approx(1.2)]
    assert thin == [(100 * low, 100 * high) for low, high in table.select("low_all", "high_all").iter_rows()]


def test_bars_of_a_level_end_at_its_score(made):
    axes = figures.stacked(made["sources"], "Nation").figure.axes[0]
    ends = {}
    for bar in axes.patches:
        place = round(bar.get_y() + bar.get_height() / 2)
        ends[place] = max(ends.get(place, 0), bar.get_x() + bar.get_width())
    scores = made["win_share_by_nation"].sort(pl.col("level").replace_strict(list(NATIONS), list(range(5))))[
        "score"
    ]
    assert [ends[place] for place in range(5)] == pytest.approx(scores.to_list())


def test_grey_is_what_cannot_be_told_from_fair(made):
    axes = figures.heat(made["matrix"], "Matrix", "Opponent").figure.axes[0]
    greys = sum(figures.to_hex(patch.get_facecolor()) == figures.UNTOLD for patch in axes.patches)
    assert greys == (~made["matrix"]["differs"]).sum()
    assert 0 < greys < len(made["matrix"])


def test_alternatives_say_the_numbers(drawings, made):
    best = made["win_share_by_nation"].row(0, named=True)
    assert f"{best['name']}: {100 * best['share']:.1f} %" in drawings["win_share"].alternative
    assert all(drawing.alternative and drawing.title for drawing in drawings.values())


def test_figures_leave_pyplot_alone():
    code = "import sys, balance.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
