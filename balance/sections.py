"""Sections of a report beside win shares and points: the first page's figure, comparisons, controls.

Like those of `balance.document`, each is a function from a study to parts, named in a recipe.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from balance import analysis, drawings, figures
from balance.analysis import changes as changes_
from balance.analysis import compare as compare_
from balance.analysis.compare import EXACT, LESS, MORE, SAME, Comparison
from balance.analysis.control import FAILED, PASSED
from balance.analysis.declared import BOT, MARKS, Declared, Family
from balance.analysis.estimate import ALONE
from balance.analysis.examples import examples
from balance.analysis.screening import RATE
from balance.analysis.wording import measured, number, percent, signed, span, whole
from balance.document import (
    DRAWN_CELLS,
    Entry,
    Lines,
    Part,
    Row,
    Show,
    Study,
    Text,
    _count,
    _level,
    _limits,
    _mean,
    _part,
    _retitled,
    _table,
    _text,
)

TOLD = 3  # comparisons that are told on the first page
COMPARED = 16  # comparisons that are made
DRAWN = 8  # comparisons that are drawn and have a table
SHOWN = 25  # rows of what stood out in the screening


# --- the first page -----------------------------------------------------------------------------


def overview(study: Study) -> figures.Drawing | None:
    """Draw what the run is about: a contrast, or the primary family's win shares, a column a cell."""
    contrasts = list(study.cells("contrast"))
    if contrasts:
        label, table = contrasts[0]
        return _retitled(figures.worth(table), label)
    family = study.known.primary
    table = study.tables[analysis.WIN + family.name].filter(pl.col("verdict") != ALONE)
    cells = [part for _, part in study.cells(analysis.WIN + family.name) if part["verdict"][0] != ALONE]
    if table.is_empty() or not cells:
        return None
    if len(cells) == 1:
        return figures.win_share(cells[0], family.label)
    tried = study.tables["candidates"]
    count = tried["cell"].n_unique()
    if figures.COLUMNS < count <= drawings.CANDIDATES and tried["players"].n_unique() == 1:
        limits = _limits(tried, "low", "high", "share", "band_low", "band_high")
        return drawings.candidates(tried, family.label, limits)
    return figures.overview(_panels(study.known, table), family.label)


def _panels(known: Declared, table: pl.DataFrame) -> figures.Panels:
    """Lay cells out: a column a number of players or tier, below one another the rule sets; few rule sets
    alone stand side by side.
    """
    cells = known.cells.filter(pl.col("cell").is_in(table["cell"].implode()))
    tiered = cells["tier"].n_unique() > 1
    sets = cells["rules"].unique(maintain_order=True).to_list()
    by_cell = {cell: rows for (cell,), rows in table.partition_by("cell", as_dict=True).items()}
    if not tiered and cells["players"].n_unique() == 1 and len(sets) <= figures.COLUMNS:
        return {"": {rules: by_cell[cell] for cell, rules in cells.select("cell", "rules").iter_rows()}}
    lines = table["level"].n_unique() + 1
    panels: figures.Panels = {}
    counted = cells["players"].n_unique() > 1
    for cell, rules, players, tier in cells.select("cell", "rules", "players", "tier").iter_rows():
        words = [f"{players} players"] * (counted or not tier) + [tier] * bool(tier)
        if rules in panels or (len(panels) + 1) * lines <= figures.LINES or not panels:
            panels.setdefault(rules if len(sets) > 1 else "", {})[", ".join(words)] = by_cell[cell]
    return panels


def changes(study: Study) -> list[str]:
    """Say on the first page what the variants change, if they are few."""
    found = [one for one in study.compared if one.base.row["players"] == one.other.row["players"]]
    if len(found) > TOLD:
        return changes_.together(found, analysis.remedy.aim(study.known, study.known.primary))
    return [line for one in found for line in changes_.told(one, brief=True)]


# --- comparisons --------------------------------------------------------------------------------


def compared_cells(known: Declared) -> list[Comparison]:
    """Hold the cells of a run against one another, as many as a report has room for."""
    arms = [
        compare_.Arm(known, cell, label) for cell, label in known.cells.select("cell", "label").iter_rows()
    ]
    return list(compare_.comparisons(arms[: COMPARED + 1]))


def compare(study: Study, family: Family) -> Iterator[Part]:
    for one in study.compared[:DRAWN]:
        yield from comparison(one)


def comparison(one: Comparison) -> Iterator[Part]:
    """Lay out a comparison: what it says, the figure, the tables."""
    yield Lines(changes_.told(one))
    if (one.table["verdict"] == EXACT).all():
        return
    primary = one.base.known.primary
    name = f"{one.other.label} against {one.base.label}"
    shares = one.table.filter((pl.col("family") == primary.name) & (pl.col("metric") == "Win share"))
    if shares["low"].null_count() == 0:
        yield figures.differences(shares, f"{primary.label}: {name}")
    first = one.table.filter(pl.col("family").is_in([primary.name, ""]))
    yield _table(None, first, f"What changes: {name}", {"What": _what} | CHANGES)
    rest = one.table.filter(~pl.col("family").is_in([primary.name, ""]))
    if len(rest):
        yield _table(None, rest, f"What else changes: {name}", {"What": _what} | CHANGES, folded=True)


def _what(row: Row) -> Entry:
    name = row["name"] + MARKS.get(row["certainty"], "")
    metric = row["metric"] + (" (index)" if row["kind"] == "index" else "")
    return Entry(f"{name}: {metric.lower()}" if name else metric)


def _value(column: str) -> Callable[[Row], Entry]:
    def make(row: Row) -> Entry:
        value = row[column]
        return Entry(percent(value) if row["kind"] in ("share", "part") else number(value), order=value)

    return make


def _difference(row: Row) -> Entry:
    points = row["kind"] in ("share", "part")
    value, low, high = (
        None if row[name] is None else row[name] * (100 if points else 1)
        for name in ("difference", "low", "high")
    )
    if low is None or high is None:
        return Entry(signed(value, 1 if points else 2), order=value)
    digits = 1 if points else len(measured(value, low, high)[0].partition(".")[2])
    return Entry(signed(value, digits), f"{signed(low, digits)} to {signed(high, digits)}", value)


def _changed(row: Row) -> Entry:
    return Entry(
        row["verdict"], kind={MORE: "strong", LESS: "weak", SAME: "balanced"}.get(row["verdict"], "unknown")
    )


def _saved(row: Row) -> Entry:
    return Entry("–" if row["saved"] is None else number(row["saved"]), order=row["saved"])


CHANGES: dict[str, Callable[[Row], Entry]] = {
    "Before": _value("before"),
    "After": _value("after"),
    "Difference, 95 %": _difference,
    "Verdict": _changed,
    "Pairing saved": _saved,
    "Blocks": _count("blocks"),
}


# --- the field ----------------------------------------------------------------------------------


def without(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["without"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        "Games without": lambda row: Entry(row["absent_name"]),
        family.label: _level,
        "Win share, 95 %": _part("share", "low", "high"),
        "All at once, 95 %": lambda row: Entry(span(row["low_all"], row["high_all"]), order=row["share"]),
        "Told from fair": lambda row: Entry(
            "" if row["differs"] is None else "yes" if row["differs"] else "no"
        ),
        "Games": _count("rows"),
    }
    yield _table(study, table, f"Win share in games without a {family.label.lower()}", makers)


def chosen(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["chosen"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        "Which": _text("which"),
        family.label: _level,
        "Chosen at": _part("chosen"),
        "On the other half, 95 %": _part("share", "low", "high"),
        "Cannot be told from it": lambda row: Entry(row["beside"] or "none"),
    }
    yield _table(study, table, f"The strongest and the weakest {family.label.lower()}", makers)


def screened(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["screened"]
    stood_out = table.filter(pl.col("rate") < RATE).head(SHOWN)
    yield Lines([_screened(len(table), int((table["rate"] < RATE).sum()))])
    if stood_out.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        "What": lambda row: Entry(row["name"] + MARKS.get(row["certainty"], ""), row["what"]),
        "Win share, 95 %": _part("share", "low", "high"),
        "Par": _part("fair"),
        "p": _chance("p"),
        "p, Holm": _chance("holm"),
        "False rate": _chance("rate"),
    }
    yield _table(study, stood_out, "Worth its own run", makers)


def _screened(looked: int, found: int) -> str:
    if not looked:
        return "There was nothing to look through."
    shown = f"; the first {SHOWN} are shown" if found > SHOWN else ""
    count = whole(found) if found else "none"
    return f"{whole(looked)} numbers were looked through, and {count} stood out{shown}."


def _chance(column: str) -> Callable[[Row], Entry]:
    return lambda row: Entry(_p(row[column]), order=row[column])


def _p(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"


# --- how games go, and whose doing it is ----------------------------------------------------------


def drama(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["drama"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        "Measure": _text("measure"),
        "Mean a game, 95 %": lambda row: (_part if row["kind"] == "part" else _mean)("mean", "low", "high")(
            row
        ),
        "Games": _count("rows"),
    }
    yield _table(study, table, "How exciting games are", makers)


def luck(study: Study, family: Family) -> Iterator[Part]:
    makers: dict[str, Callable[[Row], Entry]] = {
        "Factor": _text("factor"),
        "Levels": _count("levels"),
        "SD of scores, in points": _mean("points"),
        "SD of win shares, in points of 100": lambda row: Entry(
            f"{100 * row['share']:.1f}", order=row["share"]
        ),
    }
    yield _table(study, study.tables["luck"], "How much lies in what, for this roster", makers)


def model(study: Study, family: Family) -> Iterator[Part]:
    table, depends = study.tables["model"], study.tables["depends"]
    if len(table):
        makers: dict[str, Callable[[Row], Entry]] = {
            family.label: _level,
            "Plain mean": _part("mean"),
            "By the model, 95 %": lambda row: (
                Entry("–", row["refused"]) if row["share"] is None else _part("share", "low", "high")(row)
            ),
            "Apart, in standard errors": lambda row: Entry(signed(row["apart"], 1), order=row["apart"]),
        }
        yield _table(study, table, "Win share by the model and by plain means", makers)
    if len(depends):
        makers = {
            "Effect": _text("what"),
            "p": _chance("p"),
            "p, Holm": _chance("holm"),
            "Outcome": _text("says"),
        }
        yield _table(study, depends, "Do effects depend on one another?", makers)


def powers(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["powers"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        family.label: _level,
        "Power": _text("power"),
        "Reached in": _part("reached"),
        "Chances": _count("chances"),
        "Uses": _count("uses"),
        "Used": _part("part"),
        "Outcome": lambda row: Entry(
            "used" if row["used"] else "bots do not use it", kind="balanced" if row["used"] else "strong"
        ),
    }
    yield _table(study, table, "Powers reached and used", makers)


def controls(study: Study, family: Family) -> Iterator[Part]:
    kinds = {FAILED: "failed", PASSED: "balanced"}
    makers: dict[str, Callable[[Row], Entry]] = {
        "Control": _text("control"),
        "Where": _text("where"),
        "Outcome": lambda row: Entry(row["outcome"], kind=kinds.get(row["outcome"], "unknown")),
        "What it says": _text("says"),
    }
    yield _table(study, study.tables["controls"], "Controls", makers)


def replays(study: Study, family: Family) -> Iterator[Part]:
    several = len(study.known.manifest["cells"]) > 1
    for what, cell, game in examples(study.known):
        words = ["balance", "replay", "DIR", str(game), *(["--cell", str(cell)] if several else [])]
        yield Text(shlex.join(words), f"A {what} game")


def told(study: Study, family: Family) -> Iterator[Part]:
    """Say in words what the tables and figures of a family show."""
    known = study.known
    if family is known.primary:
        return
    table = study.tables[analysis.WIN + family.name]
    lines = [line for line in analysis.sentences(known, {family.name: table}) if ": " in line]
    label = family.label.lower()
    lines = [line for line in lines if f"y {label}: " in line]
    if lines:
        yield Lines(lines)


def hands(study: Study, family: Family) -> Iterator[Part]:
    """Say in whose hands a level does better or worse than its bot does on average."""
    lines = analysis.hands(study.known, study.tables["by_bot"])
    if lines and family.name != BOT:
        yield Lines(lines)


SHOW: dict[str, Show] = {
    "told": told,
    "hands": hands,
    "compare": compare,
    "without": without,
    "chosen": chosen,
    "screened": screened,
    "drama": drama,
    "luck": luck,
    "model": model,
    "powers": powers,
    "controls": controls,
    "replays": replays,
}

# --- a report of nothing but comparisons ----------------------------------------------------------


def compared(
    found: list[Comparison],
    title: str,
    question: str,
    adapted: Sequence[Comparison] = (),
    both: pl.DataFrame | None = None,
) -> Any:
    """Return the document that holds rule sets side by side; `adapted`, `both`: see `balance.retuning`."""
    from balance import retuning
    from balance.document import Document, Section

    lines = [line for one in found[:DRAWN_CELLS] for line in changes_.told(one, brief=True)]
    sections = []
    if both is not None:
        lines = [*retuning.sentences(both), *lines]
        parts = [_table(None, both, "What changes, with fixed and with adapted bots", RETUNED)]
        sections.append(Section("retuned", "With bots that adapt", [ADAPT], parts))
    sections += [
        Section(
            f"comparison-{place}",
            f"{one.other.label} against {one.base.label}",
            [HOW] if place == 0 else [],
            list(comparison(one)),
        )
        for place, one in enumerate(found)
    ]
    sections += [
        Section(
            f"adapted-{place}",
            f"{one.other.label} against {one.base.label}, bots tuned for each",
            [],
            list(comparison(one)),
        )
        for place, one in enumerate(adapted)
    ]
    rests = {one.base.known.manifest["signature"]: one.base.label for one in found}
    rests |= {one.other.known.manifest["signature"]: one.other.label for one in found}
    rests |= {one.base.known.manifest["signature"]: "With adapted bots" for one in adapted}
    sections.append(
        Section("rests", "What it rests on", [], [Text(line, label) for line, label in rests.items()])
    )
    alarms = {
        line: None
        for one in (*found, *adapted)
        for arm in (one.base, one.other)
        for line in analysis.control.failed(analysis.control.checks(arm.known))
    }
    return Document(
        title=title,
        question=question,
        facts=[f"{len(found) + 1} rule sets"],
        findings=lines,
        reading=HOW,
        rests_on="",
        sections=sections,
        alarms=list(alarms),
        caution="All games were played by programs, not by people.",
    )


def _changes_by(kind: str) -> Callable[[Row], Entry]:
    def make(row: Row) -> Entry:
        low, high = row[f"{kind}_low"], row[f"{kind}_high"]
        small = "" if low is None else f"{signed(100 * low, 1)} to {signed(100 * high, 1)}, "
        return Entry(signed(100 * row[kind], 1), f"{small}{row[f'{kind}_verdict']}", row[kind])

    return make


RETUNED: dict[str, Callable[[Row], Entry]] = {
    "What": lambda row: Entry(row["name"] + MARKS.get(row["certainty"], "")),
    "Comparison": _text("comparison"),
    "Fixed bots, points": _changes_by("fixed"),
    "Adapted bots, points": _changes_by("adapted"),
    "Outcome": _text("says"),
}

ADAPT = (
    "Fixed bots play on as before: what a rule does to players who have not noticed it. Adapted bots were "
    "tuned for each rule set, with equal budgets: what it does once players have. Where the two disagree, "
    "the verdict depends on the bots, and people will have to tell."
)

HOW = (
    "Differences are means over blocks that were played under both rule sets, with intervals that hold, "
    "with 95 % confidence, for all levels at once. What matters is a tenth of what was there before (of "
    "the fair share, for win shares), or 5 points of a part of all games. “Pairing saved” says how many "
    "times as many blocks it would have taken with other deals for each rule set; below 1, the same deals "
    "did not help."
)
