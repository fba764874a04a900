"""A document's face on paper: a PDF by Typst, A4, with contents, page numbers and vector figures.

Every word of a scenario or a game is handed over as data and set as plain text.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import matplotlib

from balance import __version__, figures, places
from balance.document import Document, Lines, Part, Section, Table, Text

PERCENT = re.compile(r"(?<=\d) %")
FOLDED, OPEN = 60, 200  # rows of a table that is folded, or open, in the other face


def pdf(page: Document) -> bytes:
    """Return `page` as a PDF: the same bytes every time."""
    import typst

    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"  # what the figures were measured with
    found = typst.compile(
        str(places.shipped("reports") / "report.typ"),
        format="pdf",
        font_paths=[str(fonts)],
        sys_inputs={"page": PERCENT.sub("\u00a0%", json.dumps(_page(page), ensure_ascii=False))},
    )
    assert isinstance(found, bytes)
    return found


def _page(page: Document) -> dict[str, Any]:
    plain = ("title", "question", "findings", "reading", "rests_on", "facts", "alarms", "advice", "caution")
    return {name: getattr(page, name) for name in plain} | {
        "facts": list(page.facts),
        "findings": list(page.findings),
        "alarms": list(page.alarms),
        "drawing": None if page.drawing is None else _part(page.drawing),
        "sections": [_section(section) for section in page.sections],
        "version": __version__,
    }


def _section(section: Section) -> dict[str, Any]:
    parts = [_part(part) for part in section.parts]
    return {"title": section.title, "words": list(section.words), "parts": parts}


def _part(part: Part) -> dict[str, Any]:
    if isinstance(part, Table):
        most = FOLDED if part.folded else OPEN
        entries = [
            [{"text": e.text, "small": e.small, "kind": e.kind} for e in row] for row in part.rows[:most]
        ]
        return {
            "type": "table",
            "caption": part.caption,
            "headings": list(part.headings),
            "rows": entries,
            "note": part.note,
            "left": max(0, len(part.rows) - most),
        }
    if isinstance(part, Lines):
        return {"type": "lines", "lines": list(part.lines)}
    if isinstance(part, Text):
        return {"type": "text", "caption": part.caption, "text": part.text}
    return {"type": "figure", "title": part.title, "svg": figures.svg(part)}
