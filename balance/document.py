"""What a report says, before it has a face: sections of words, tables and drawings.

A recipe (`reports/*.toml`) names the sections, their words and what they show; the functions here
lay tables of the analysis out as parts of a document. Nothing is computed here. `balance.report`
gives a document its face.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from balance import analysis, figures, places, scenario
from balance.analysis.compare import Comparison
from balance.analysis.declared import BOT, MARKS, MEANING, SEAT, Declared, Family
from balance.analysis.estimate import ALONE, BAND, FEW, PLACES, VERDICTS
from balance.analysis.wording import (
    bare,
    listed,
    measured,
    number,
    percent,
    roughly,
    several,
    short,
    span,
    whole,
)
from balance.cell import leaves
from balance.dataset import Dataset

BARS = 24  # labels of a category beyond which their table says more than bars
SHOWN = 0.0005  # a part below this reads 0.0 %, and its row is left out
FEW_CHANGES = 4  # numbers of a component that are told one by one
DRAWN_CELLS = 8  # cells that get figures of their own; tables hold all

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """One field of a table: its text, a smaller line (an interval), and what to sort it by."""

    text: str
    small: str = ""
    order: float | None = None
    kind: str = ""


@dataclass(frozen=True)
class Table:
    """A table; its first column names the row. A `folded` one is long, and opens on demand."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Text:
    """Lines to be shown as they are: a command, a file, a signature."""

    text: str
    caption: str = ""


@dataclass(frozen=True)
class Lines:
    """Sentences, one below the other."""

    lines: Sequence[str]


Part = Table | Text | Lines | figures.Drawing


@dataclass(frozen=True)
class Section:
    """A heading, words, and what is shown below them."""

    id: str
    title: str
    words: Sequence[str]
    parts: Sequence[Part]


@dataclass(frozen=True)
class Document:
    """A report: its question, what was found, and the sections that bear it out.

    Attributes
    ----------
    alarms
        Controls that failed: said before anything else.
    drawing
        The one figure of the first page, if there is something to compare.
    advice
        What to do about the findings.
    reading
        How to read the findings.
    caution
        What they are not.
    rests_on
        Which data that every number rests on are not from the rulebook ("" if all are).
    """

    title: str
    question: str
    facts: Sequence[str]
    findings: Sequence[str]
    reading: str
    rests_on: str
    sections: Sequence[Section]
    alarms: Sequence[str] = ()
    drawing: figures.Drawing | None = None
    advice: str = ""
    caution: str = ""


@dataclass(frozen=True)
class Study:
    """A dataset with all its tables, and what its rule sets change."""

    known: Declared
    tables: Mapping[str, pl.DataFrame]
    compared: Sequence[Comparison] = ()

    @property
    def one_cell(self) -> bool:
        return len(self.known.cells) == 1

    def cells(self, name: str) -> Iterator[tuple[str, pl.DataFrame]]:
        """Yield ": label" (nothing if there is but one cell) and the table of each cell to be drawn."""
        table = self.tables[name]
        for cell, label in self.known.cells.head(DRAWN_CELLS).select("cell", "label").iter_rows():
            part = table.filter(pl.col("cell") == cell)
            if len(part):
                yield "" if self.one_cell else f": {label}", part


def document(dataset: Dataset, recipe: str = "balance", band: float | None = None) -> Document:
    """Write the report of `dataset` by the recipe `reports/<recipe>.toml`.

    `band` stands in the place of the scenario's.

    Raises
    ------
    DatasetError
        If the dataset holds no game.
    """
    from balance import sections, varied

    known = analysis.declared(dataset, band)
    study = Study(known, analysis.tables(known), sections.compared_cells(known))
    show = SHOW | sections.SHOW | varied.SHOW
    plan = tomllib.loads((places.shipped("reports") / f"{recipe}.toml").read_text(encoding="utf-8"))
    manifest = known.manifest
    return Document(
        title=manifest["title"],
        question=manifest["question"] or plan["question"].format_map(_words(known, known.primary)),
        facts=_facts(known),
        findings=[*analysis.headline(known, study.tables), *sections.changes(study)],
        reading=plan["reading"].format_map(_words(known, known.primary)),
        rests_on=_rests_on(known),
        sections=[section for spec in plan["section"] for section in _sections(study, spec, show)],
        alarms=analysis.control.failed(study.tables["controls"]),
        drawing=sections.overview(study),
        advice=analysis.advice(known, study.tables),
        caution=plan["caution"].format_map(_words(known, known.primary)),
    )


def _facts(known: Declared) -> list[str]:
    players = " or ".join(str(n) for n in known.cells["players"].unique().sort())
    games, blocks = int(known.cells["games"].sum()), int(known.cells["blocks"].sum())
    facts = [f"{whole(games)} games", f"{players} players", several(blocks, known.unit)]
    return facts if len(known.cells) == 1 else [*facts, several(len(known.cells), "cell")]


def _rests_on(known: Declared) -> str:
    entries = [entry for entry in known.manifest["provenance"] if entry["certainty"] == "reconstructed"]
    if not entries:
        return ""
    kinds: dict[str, list[str]] = {}
    for entry in entries:
        kinds.setdefault(entry["what"].split(".")[0], []).append(entry["name"])
    shown = "; ".join(
        f"{kind} ({', '.join(names[:3])}{', …' * (len(names) > 3)})" for kind, names in kinds.items()
    )
    entries_ = several(len(entries), "reconstructed entry", "reconstructed entries")
    return f"All numbers here rest on {entries_}, invented to make a game of it: {shown}."


def _words(known: Declared, family: Family) -> dict[str, str]:
    """Return what the words of a recipe may name in braces."""
    fair = sorted(set(known.cells["fair"]))
    return {
        "family": family.label.lower(),
        "Family": family.label,
        "primary": known.primary.label.lower(),
        "Primary": known.primary.label,
        "fair": " or ".join(f"{short(part)} %" for part in fair),
        "band": " or ".join(
            f"{short(part * (1 - known.band))} to {short(part * (1 + known.band))} %" for part in fair
        ),
        "tenth": "a tenth" if known.band == BAND else f"{short(known.band)} %",
        "always": ALWAYS if known.anytime else FIXED,
        "few": str(FEW),
        "question": known.manifest["question"],
    }


Show = Callable[[Study, Family], Iterator[Part]]


def _sections(study: Study, spec: Mapping[str, Any], show: Mapping[str, Show]) -> Iterator[Section]:
    """Lay out a section of the recipe; one for each further factor where it says `each = "factor"`."""
    known = study.known
    if spec.get("family") == known.primary.name:
        return  # it opens the report
    if spec.get("each") == "factor":
        families = [f for f in known.families if f is not known.primary and f.name not in (SEAT, BOT)]
    else:
        families = [known.family(spec["family"]) if "family" in spec else known.primary]
    for family in families:
        parts = [part for name in spec.get("show", ()) for part in show[name](study, family)]
        words = _words(known, family)
        shown = spec.get("words", ()) if parts or not spec.get("show") else spec.get("otherwise", ())
        if shown or parts:
            section_id = f"{spec['id']}-{family.name}" if "each" in spec else spec["id"]
            yield Section(
                section_id,
                spec["title"].format_map(words),
                [line.format_map(words) for line in shown],
                parts,
            )


FIXED = "This sweep was finished as it was planned, so its intervals are those for a fixed number of games."
ALWAYS = (
    "This sweep was looked at while it ran, so the intervals of win shares are confidence sequences: they "
    "hold at every look at once, however often one looks, and are wider for it."
)


# --- tables -------------------------------------------------------------------------------------


def _table(
    study: Study | None,
    frame: pl.DataFrame,
    caption: str,
    columns: Mapping[str, Callable[[Row], Entry]],
    folded: bool = False,
) -> Table:
    """Lay out a row of `frame` as a row of the table; the cell stands first if there are several."""
    if study is not None and not study.one_cell and "label" in frame.columns:
        columns = dict(list(columns.items())[:1]) | {"Cell": lambda row: Entry(row["label"])} | dict(columns)
    rows = [[make(row) for make in columns.values()] for row in frame.iter_rows(named=True)]
    certainties = set(frame["certainty"]) if "certainty" in frame.columns else set()
    marks = [f"{mark} {MEANING[word]}" for word, mark in MARKS.items() if word in certainties]
    return Table(caption, list(columns), rows, "; ".join(marks), folded)


def _level(row: Row) -> Entry:
    return Entry(row["name"] + MARKS.get(row["certainty"], ""))


def _text(column: str) -> Callable[[Row], Entry]:
    return lambda row: Entry(str(row[column]))


def _count(column: str) -> Callable[[Row], Entry]:
    return lambda row: Entry(whole(row[column]), order=row[column])


def _part(column: str, low: str = "", high: str = "") -> Callable[[Row], Entry]:
    return lambda row: Entry(percent(row[column]), span(row[low], row[high]) if low else "", row[column])


def _mean(column: str, low: str = "", high: str = "") -> Callable[[Row], Entry]:
    def make(row: Row) -> Entry:
        if not low:
            return Entry(number(row[column]), order=row[column])
        return Entry(*measured(row[column], row[low], row[high]), row[column])

    return make


def _statistic(row: Row) -> Entry:
    """A mean in its own unit: a part where the role makes it one."""
    make = _part if row.get("role") in ("category", "flag") else _mean
    return make("mean", "low", "high")(row)


def _verdict(row: Row) -> Entry:
    return Entry(row["verdict"], _more(row), kind=KINDS.get(row["verdict"], "unknown"))


KINDS = {
    verdict: kind
    for words in (VERDICTS, PLACES)
    for verdict, kind in zip(words, ("strong", "weak", "balanced"), strict=True)
}


def _more(row: Row) -> str:
    if row["more_low"] is None:
        return ""
    return (
        f"{more} more games" if (more := roughly(row["more_low"], row["more_high"])) else "may never settle"
    )


WIN_SHARE: dict[str, Callable[[Row], Entry]] = {
    "Win share, 95 %": _part("share", "low", "high"),
    "Verdict": _verdict,
    "All at once, 95 %": lambda row: Entry(span(row["low_all"], row["high_all"]), order=row["share"]),
    "Won alone": _part("outright", "outright_low", "outright_high"),
    "Won shared": _part("shared", "shared_low", "shared_high"),
    "Mean score": _mean("score", "score_low", "score_high"),
    "SD of score": _mean("score_sd"),
    "Games": lambda row: Entry(whole(row["rows"]), several(row["blocks"], "block"), row["rows"]),
}


def _gain(value: str, unit: float = 1.0) -> Callable[[Row], Entry]:
    """A difference with its interval: win shares in points of a hundred."""

    def make(row: Row) -> Entry:
        if row[value] is None:
            return Entry("–")
        low, high = (row[f"{value}_{end}"] for end in ("low", "high"))
        if low is None:
            return Entry(f"{unit * row[value]:+.2f}", order=row[value])
        return Entry(f"{unit * row[value]:+.2f}", f"{unit * low:+.2f} to {unit * high:+.2f}", row[value])

    return make


WORTH: dict[str, Callable[[Row], Entry]] = {
    "Treatment": lambda row: Entry("barred" if row["kind"] == "bar" else "given", row["means"]),
    "Win share, points of 100": _gain("share", 100.0),
    "All at once, 95 %": lambda row: Entry(
        span(row["share_low_all"], row["share_high_all"]), order=row["share"]
    ),
    "Against the others": lambda row: Entry(
        row["verdict"],
        kind={"above the average": "strong", "below the average": "weak"}.get(row["verdict"], ""),
    ),
    "Points": _gain("points"),
    "Games changed": _part("changed"),
    "Win share where changed": _gain("share_used", 100.0),
    "Points where changed": _gain("points_used"),
    "Seats that use it": _part("taken"),
    "These win": _part("share_taken"),
    "Blocks": _count("blocks"),
}


def win_share(study: Study, family: Family) -> Iterator[Part]:
    name = analysis.WIN + family.name
    if study.tables[name]["verdict"].unique().to_list() == [ALONE]:
        return
    table = study.tables[name]
    order = list(dict.fromkeys(table["level"]))  # the first cell's, for all
    limits = _limits(table, "low_all", "high_all", "share", "band_low", "band_high")
    for label, part in study.cells(name):
        if part["verdict"][0] == ALONE or (study.one_cell and family is study.known.primary):
            continue  # the first page has the figure of the only cell
        rows = part.sort(pl.col("level").replace_strict(order, range(len(order)), return_dtype=pl.Int64))
        yield _retitled(figures.win_share(rows, family.label, limits), label)
    makers = {family.label: _level} | WIN_SHARE
    makers["Games"] = lambda row: Entry(
        whole(row["rows"]), several(row["blocks"], study.known.unit), row["rows"]
    )
    yield _table(study, study.tables[name], f"Win share by {family.label.lower()}", makers)


def _limits(table: pl.DataFrame, *columns: str) -> tuple[float, float]:
    """Return the limits of an axis that holds all these columns, of every cell."""
    values = pl.concat([table[column].cast(pl.Float64).alias("value") for column in columns]).drop_nulls()
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    room = 0.04 * (high - low)
    return low - room, high + room


def contrast(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["contrast"]
    if table.is_empty():
        return
    limits = _limits(table, "share_low_all", "share_high_all", "share")
    for label, part in study.cells("contrast"):
        yield _retitled(figures.worth(part, limits), label)
    yield _table(study, table, "What a thing is worth to the seat that has it", {"What": _level} | WORTH)


def sources(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["sources"]
    table = table.filter((pl.col("mean") != 0).any().over("source"))  # the others have no say in this run
    if table.is_empty():
        return
    reach = table.group_by("cell", "level").agg(
        up=pl.col("mean").clip(lower_bound=0).sum(), down=pl.col("mean").clip(upper_bound=0).sum()
    )
    low, high = _limits(reach, "up", "down")
    for label, part in study.cells("sources"):
        yield _retitled(
            figures.stacked(part, family.label, (low if reach["down"].min() else 0.0, high)), label
        )
    scores = study.tables[analysis.WIN + family.name].select(
        *("cell", "label", "level", "name", "certainty"),
        *(pl.lit("All sources").alias("heading"), pl.col("score").alias("mean")),
        *(pl.col("score_low").alias("low"), pl.col("score_high").alias("high")),
    )
    table = table.rename({"source_label": "heading"}).select(scores.columns)
    caption = f"Mean points a game by source and {family.label.lower()}"
    yield _wide(study, pl.concat([table, scores]), family.label, caption)


def columns(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["columns"]
    if table.is_empty():
        return
    heading = pl.concat_str("column_label", "item", separator=": ", ignore_nulls=True)
    marked = pl.col("name") + pl.col("certainty").replace_strict(MARKS, default="")
    table = table.with_columns(name=heading, heading=marked, level=pl.col("column"), certainty=pl.lit(""))
    yield _wide(study, table, "A seat a game", f"Mean by {family.label.lower()}")


def _wide(study: Study, table: pl.DataFrame, corner: str, caption: str) -> Table:
    """Lay out a long table with a row for each `level` (shown by `name`) and a column for each `heading`."""
    entries = {
        (row["cell"], row["level"], row["heading"]): _statistic(row) for row in table.iter_rows(named=True)
    }

    def column(heading: str) -> Callable[[Row], Entry]:
        return lambda row: entries.get((row["cell"], row["level"], heading), Entry("–"))

    headings = table["heading"].unique(maintain_order=True)
    levels = table.unique(["cell", "level"], keep="first", maintain_order=True)
    makers = {corner: _level} | {heading: column(heading) for heading in headings}
    return _table(study, levels, caption, makers)


def length(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["length"]
    for label, part in study.cells("turns"):
        cell = part["cell"][0]
        row = table.row(by_predicate=(pl.col("cell") == cell) & (pl.col("measure") == "Turns"), named=True)
        marks = [(f"median {row['median']}", row["median"]), (f"95 % {row['p95']}", row["p95"])]
        yield _retitled(figures.histogram(part, {"games": "Games"}, "Turns in a game", marks), label)
    makers = {
        "Measure": _text("measure"),
        "Mean": _mean("mean", "low", "high"),
        "Shortest": _count("least"),
        "Median": _count("median"),
        "95 % end by": _count("p95"),
        "Longest": _count("most"),
    }
    yield _table(study, table, "Length of games", makers)


def scores(study: Study, family: Family) -> Iterator[Part]:
    for label, part in study.cells("scores"):
        counts = {"seats": "All seats", "winners": "Winners"}
        yield _retitled(figures.histogram(part, counts, "Score at the end"), label)


def ends(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["ends"]
    shown = pl.col("mean") >= SHOWN
    for column in study.known.columns("game", "category"):
        here = pl.col("column").str.starts_with(f"{column['name']}=")
        found = table.filter(here & shown)
        if found.is_empty():
            continue  # in these games it has no say
        many = found["column"].n_unique() > BARS
        for label, part in study.cells("ends"):
            if not many and len(part := part.filter(here & shown)):
                yield figures.bars(part, column["label"] + label)
        makers = {
            column["label"]: _text("item"),
            "Part of games": _part("mean", "low", "high"),
        }
        yield _table(study, found, column["label"], makers, folded=many)


def counts(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["counts"]
    if table.is_empty():
        return
    heading = pl.concat_str("column_label", "item", separator=": ", ignore_nulls=True)
    makers = {
        "What": _text("heading"),
        "Mean a game": _statistic,
        "Games with any": _part("any"),
    }
    yield _table(study, table.with_columns(heading=heading), "What happens in a game", makers)


def unfinished(study: Study, family: Family) -> Iterator[Part]:
    makers = {
        "Games played": _count("games"),
        "Unfinished": _count("unfinished"),
        "Part": _part("part", "low", "high"),
    }
    yield _table(study, study.tables["unfinished"], "Unfinished games", makers)


def matrix(study: Study, family: Family) -> Iterator[Part]:
    yield from _grid(study, family, "matrix", "Opponent", "Win share by opponent")


def by_bot(study: Study, family: Family) -> Iterator[Part]:
    if family.name != BOT and study.tables["by_bot"]["other"].n_unique() > 1:
        yield from _grid(study, family, "by_bot", "Bot", f"Win share by {family.label.lower()} and bot")


def by_seat(study: Study, family: Family) -> Iterator[Part]:
    if family.name != SEAT:
        yield from _grid(study, family, "by_seat", "Seat", f"Win share by {family.label.lower()} and seat")


def _grid(study: Study, family: Family, name: str, across: str, what: str) -> Iterator[Part]:
    table = study.tables[name]
    if table.is_empty():
        return
    for label, part in study.cells(name):
        yield figures.heat(part, what + label, across)
    makers: dict[str, Callable[[Row], Entry]] = {
        family.label: _level,
        across: _text("other_name"),
        "Win share": _part("share", "low", "high"),
        "All at once": lambda row: Entry(span(row["low_all"], row["high_all"]), order=row["share"]),
        "Told from par": lambda row: Entry(
            "" if row["differs"] is None else "yes" if row["differs"] else "no"
        ),
        "Games": _count("rows"),
    }
    yield _table(study, table, what, makers, folded=True)


def _retitled(drawing: figures.Drawing, label: str) -> figures.Drawing:
    return figures.Drawing(drawing.figure, drawing.title + label, drawing.alternative)


# --- what the deal changes ----------------------------------------------------------------------

DRAWN_MEASURES = ("score", "margin", "first")  # the measures that get a figure; the table holds all


def effects(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["effects"]
    for kind in table["deal"].unique(maintain_order=True):
        here = table.filter(pl.col("deal") == kind)
        for measure in DRAWN_MEASURES:
            shown = here.filter(pl.col("measure") == measure)
            limits = _limits(shown, "low_all", "high_all", "effect")
            for label, part in _by_cell(study, shown):
                yield _retitled(figures.effects(part, part["heading"][0], limits), label)
        yield _effects_table(study, here, f"{kind}: games with it less games without it")


def _by_cell(study: Study, table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield ": label" (nothing if there is but one cell) and the part of `table` of each cell to be drawn."""
    for part in table.partition_by("cell", maintain_order=True)[:DRAWN_CELLS]:
        yield "" if study.one_cell else f": {part['label'][0]}", part


def _effects_table(study: Study, table: pl.DataFrame, caption: str) -> Table:
    entries = {
        (row["cell"], row["trait"], row["measure"]): Entry(*_difference(row), row["effect"])
        for row in table.iter_rows(named=True)
    }

    def column(measure: str) -> Callable[[Row], Entry]:
        return lambda row: entries.get((row["cell"], row["trait"], measure), Entry("–"))

    makers: dict[str, Callable[[Row], Entry]] = {table["deal"][0]: _text("name")}
    for measure, heading in table.select("measure", "heading").unique(maintain_order=True).iter_rows():
        makers[heading] = column(measure)
    makers["Blocks with"] = _count("blocks_with")
    traits = table.unique(["cell", "trait"], keep="first", maintain_order=True)
    return _table(study, traits, caption, makers)


def _difference(row: Row) -> tuple[str, str]:
    """Write a difference with its sign, and its interval, in the measure's own unit."""
    unit = 100 if row["as_part"] else 1
    low, high = (None if row[end] is None else unit * row[end] for end in ("low_all", "high_all"))
    mean, between = measured(unit * row["effect"], low, high)
    return ("+" if row["effect"] > 0 else "") + mean + (" %" if row["as_part"] else ""), between


def paid(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["paid"]
    for kind in table["deal"].unique(maintain_order=True):
        makers = {
            kind: _text("name"),
            "Points of a seat": _mean("points", "points_low", "points_high"),
            "Spread between seats": _mean("apart", "apart_low", "apart_high"),
            "Part of the score": _part("of_score"),
            "Blocks": _count("blocks"),
        }
        here = table.filter(pl.col("deal") == kind)
        yield _table(study, here, f"{kind}: what it pays in the games that have it", makers)


def worth_by_deal(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["worth_by_deal"]
    if table.is_empty():
        return
    makers: dict[str, Callable[[Row], Entry]] = {
        "What": _text("of"),
        "Dealt": _text("name"),
        "Worth with it": lambda row: Entry(bare(row["with"]), order=row["with"]),
        "Worth without": lambda row: Entry(bare(row["without"]), order=row["without"]),
        "Difference": _part("effect", "low_all", "high_all"),
        "Blocks with": _count("blocks_with"),
    }
    yield _table(study, table, "What a thing is worth, by what was dealt", makers, folded=True)


def extremes(study: Study, family: Family) -> Iterator[Part]:
    table = study.tables["extremes"]
    for kind in table["deal"].unique(maintain_order=True):
        makers: dict[str, Callable[[Row], Entry]] = {
            kind: _text("level"),
            "Chosen for": lambda row: Entry(f"{row['end']}: {row['heading'].lower()}"),
            "Mean in the other half": _in_own_unit("mean", "low_all", "high_all"),
            "Mean of all": _in_own_unit("overall"),
            "Mean where chosen": _in_own_unit("ranked"),
            "Blocks": _count("blocks"),
        }
        here = table.filter(pl.col("deal") == kind)
        yield _table(study, here, f"{kind}: the extremes", makers)


def _in_own_unit(column: str, low: str = "", high: str = "") -> Callable[[Row], Entry]:
    """A mean, in percent where its measure is a part of one."""
    return lambda row: (_part if row["as_part"] else _mean)(column, low, high)(row)


# --- what it rests on ---------------------------------------------------------------------------


def changed(study: Study, family: Family) -> Iterator[Part]:
    cells = [cell for cell in study.known.manifest["cells"] if not cell.get("blank")]
    rows = [
        {
            "label": cell["label"],
            "key": key,
            "value": _plain(value) if key.startswith("rules.") else _component(value),
        }
        for cell in cells
        for key, value in cell["changed"].items()
    ]
    if rows:
        makers = {"Rule or component": _text("key"), "Played with": _text("value")}
        yield _table(study, pl.DataFrame(rows), "What differs from the rulebook", makers)


def _component(entry: Mapping[str, Any]) -> str:
    """Say in words what an own component is: the one it is like, and what differs from that."""
    parts = [
        f"{key.removesuffix('s') if len(value) == 1 else key} {listed([str(inner) for inner in value])}"
        if isinstance(value, dict) and value
        else key
        for key, value in entry.items()
        if key not in ("like", "name")
    ]
    ends = leaves(entry)
    if "like" not in entry and "name" not in entry and len(ends) <= FEW_CHANGES:
        return ", ".join(f"{end} = {_plain(value)}" for end, value in ends.items())
    name = f"{entry['name']}, " if "name" in entry else ""
    if "like" not in entry:
        return f"{name}own: {listed(parts)}" if parts else f"{name}own"
    return f"{name}like {entry['like']}" + (f", with its own {listed(parts)}" if parts else "")


def _plain(value: Any) -> str:
    """Write a value as a scenario would give it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_plain(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_plain(one)}' for key, one in value.items())} }}"
    return str(value)


def notes(study: Study, family: Family) -> Iterator[Part]:
    rows = [
        {"label": cell["label"], "note": note}
        for cell in study.known.manifest["cells"]
        for note in cell.get("notes", ())
    ]
    if rows:
        yield _table(study, pl.DataFrame(rows), "What can do nothing", {"Note": _text("note")})


def provenance(study: Study, family: Family) -> Iterator[Part]:
    entries = pl.DataFrame(
        study.known.manifest["provenance"],
        schema=dict.fromkeys(("what", "name", "certainty", "source", "note"), pl.String),
    )
    makers: dict[str, Callable[[Row], Entry]] = {
        "Data": lambda row: Entry(row["name"] + MARKS.get(row["certainty"], ""), row["what"]),
        "Certainty": _text("certainty"),
        "Source": lambda row: Entry(row["source"], row["note"]),
    }
    seed = pl.col("certainty") == "seed"
    for part, caption in (
        (~seed, "Data that do not stand in the rule text"),
        (seed, "Data from the rule text"),
    ):
        if len(found := entries.filter(part)):
            yield _table(study, found, caption, makers, folded=part is seed)


def rerun(study: Study, family: Family) -> Iterator[Part]:
    manifest = study.known.manifest
    command = ["balance", "sweep", "scenario.toml", "--out", "again", "--games", str(manifest["games"])]
    yield Text(shlex.join(command), "Save the scenario below as scenario.toml, then")
    yield Text(manifest["signature"], "Signature")
    yield Text(scenario.as_run(manifest["scenario"]), "Scenario, as it was run")


SHOW: dict[str, Show] = {
    "contrast": contrast,
    "win_share": win_share,
    "sources": sources,
    "columns": columns,
    "scores": scores,
    "length": length,
    "ends": ends,
    "counts": counts,
    "unfinished": unfinished,
    "effects": effects,
    "paid": paid,
    "extremes": extremes,
    "worth_by_deal": worth_by_deal,
    "matrix": matrix,
    "by_bot": by_bot,
    "by_seat": by_seat,
    "changed": changed,
    "notes": notes,
    "provenance": provenance,
    "rerun": rerun,
}
