"""A document's faces: one HTML file that needs nothing else and opens offline, or a PDF.

Words of a scenario or a game go through Jinja's escaping everywhere; a drawing is read as XML and
written anew, so that nothing but its own shapes and words can come out of it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree

import jinja2
from markupsafe import Markup, escape

from balance import __version__, figures, places
from balance.dataset import Dataset
from balance.document import Document, Lines, Table, Text, document
from balance.errors import BalanceError, DatasetError
from balance.paper import pdf

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"


def write(dataset: Dataset, out: Path | str, band: float | None = None) -> Sequence[str]:
    """Write the report of `dataset` into the file `out`, which appears whole or not at all.

    Parameters
    ----------
    band
        Half-width of the band, as a part of the fair share, in the place of the scenario's.

    Returns
    -------
    sequence of str
        The controls that failed, a sentence each; the report says them first.

    Raises
    ------
    BalanceError
        If `out` does not end in a known suffix.
    DatasetError
        If the dataset holds no game, or `out` cannot be written.
    """
    out = ready(out)
    page = document(dataset, band=band)
    put(page, out)
    return page.alarms


def ready(out: Path | str) -> Path:
    """Complain of a file that cannot be a report before the work rather than after it."""
    out = Path(out)
    if out.suffix.lower() not in FACES:
        known = " or ".join(FACES)
        raise BalanceError(
            f"a report cannot be a '{out.suffix}' file", where=str(out), remedy=f"end the name in {known}"
        )
    _writable(out)
    return out


def put(page: Document, out: Path) -> None:
    """Write a document with the face that the file's name asks for."""
    made = FACES[out.suffix.lower()](page)
    try:
        _replace(out, made)
    except OSError as error:
        raise _cannot(out, error) from None


def _writable(out: Path) -> None:
    try:
        mode = out.stat().st_mode
    except FileNotFoundError:
        mode = 0
    except OSError as error:
        raise _cannot(out, error) from None
    if stat.S_ISDIR(mode):
        raise DatasetError("is a folder", where=str(out), remedy="give a file's name")
    if not out.parent.is_dir():
        raise DatasetError(
            "there is no such folder", where=str(out.parent), remedy="make it first, or give another --out"
        )


def _cannot(out: Path, error: OSError) -> DatasetError:
    return DatasetError(
        f"cannot be written ({error.strerror})", where=str(out), remedy="give a file you may write"
    )


def _replace(out: Path, page: bytes) -> None:
    handle, aside = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name[:100]}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(page)
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, out)
    except OSError:
        os.unlink(aside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def html(page: Document) -> bytes:
    """Return `page` as one HTML file in UTF-8: style, script and drawings within it."""
    folder = places.shipped("reports")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["table"] = lambda part: isinstance(part, Table)
    environment.tests["lines"] = lambda part: isinstance(part, Lines)
    environment.tests["text"] = lambda part: isinstance(part, Text)
    environment.filters["ordered"] = lambda value: f"{value:.10g}"  # more would show the order of summation
    environment.filters["drawn"] = inline
    environment.filters["kept"] = kept
    script = (folder / "report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = environment.get_template("report.html").render(
        page=page,
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        script=Markup(script),
        script_digest=digest,
        version=__version__,
    )
    return text.encode()


def kept(text: str) -> Markup:
    """Keep a number and its per cent sign on one line."""
    return escape(re.sub(r"(?<=\d) %", "\u00a0%", text))


def inline(drawing: figures.Drawing, name: str) -> Markup:
    """Return a drawing as an SVG element for a page that holds several.

    Its ids are made unique by `name`, its colours become those of the page (light or dark), and it
    carries its title and text alternative.
    """
    root = ElementTree.fromstring(figures.svg(drawing))
    for metadata in root.findall(f"{SVG}metadata"):
        root.remove(metadata)
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
        element.attrib = {
            key.replace(LINK, "href"): _local(key, value, name) for key, value in element.items()
        }
    width, height = root.get("viewBox", "0 0 0 0").split()[2:]
    root.attrib = {
        "viewBox": root.get("viewBox", ""),
        "class": "drawing",
        "style": f"aspect-ratio: {width} / {height}",
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-words",
    }
    for place, (tag, text) in enumerate((("title", drawing.title), ("desc", drawing.alternative))):
        label = ElementTree.Element(tag, {"id": f"{name}-{'words' if place else 'title'}"})
        label.text = text
        root.insert(place, label)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _local(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key.endswith("href"):
        return value.replace("#", f"#{name}-")
    value = value.replace("url(#", f"url(#{name}-")
    return _COLOURS.sub(lambda found: f"var(--{_ROLES[found[0].lower()]}, {found[0]})", value)


_ROLES = {colour: role for role, colour in figures.PALETTE.items()}
_COLOURS = re.compile("|".join(_ROLES), re.IGNORECASE)

FACES: dict[str, Callable[[Document], bytes]] = {".html": html, ".pdf": pdf}
