"""The report: one HTML file that is whole, safe, and readable by all."""

from __future__ import annotations

import html
import html.parser
import re
import shutil
import subprocess

import polars as pl
import pytest

import synthetic
from balance import document, report
from balance.errors import BalanceError, DatasetError

SCRIPT = "<script>alert(1)</script>"
NATIONS = dict(synthetic.NATIONS) | {"script": (SCRIPT, "reconstructed")}
VOID = {"meta", "link", "br", "img"}


class Page(html.parser.HTMLParser):
    """A page's tags, with whether they close as they should."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def all(self, name):
        """Return every value of an attribute."""
        return [attrs[name] for _, attrs in self.tags if name in attrs]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    tables = synthetic.frames(40, nations=NATIONS, strength={"orcs": 0.5})
    changed = {0: {"rules.castle_vp": "low", "nations.script": {"name": SCRIPT, "vp": [0, 1]}}}
    return synthetic.write(tmp_path_factory.mktemp("data"), tables, nations=NATIONS, changed=changed)


@pytest.fixture(scope="module")
def text(dataset, tmp_path_factory):
    path = tmp_path_factory.mktemp("out") / "report.html"
    report.write(dataset, path)
    assert [p.name for p in path.parent.iterdir()] == ["report.html"]
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text):
    return Page(text)


def test_every_tag_closes_and_every_id_is_its_own(page):
    assert page.open == []
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    for names in page.all("aria-labelledby"):
        assert set(names.split()) <= set(ids)


def test_nothing_is_asked_of_anywhere_else(page, text):
    links = page.all("href") + page.all("src") + page.all("xlink:href")
    assert all(link.startswith("#") or link == "data:," for link in links)
    assert {link[1:] for link in links if link.startswith("#")} <= set(page.all("id"))
    assert all(url.startswith("#") for url in re.findall(r"url\(([^)]*)\)", text))
    assert "@import" not in text
    assert "default-src 'none'" in text


def test_a_hostile_name_shows_as_text_everywhere(page, text):
    assert SCRIPT not in text
    assert [tag for tag, _ in page.tags].count("script") == 1
    shown = "".join(page.words)
    assert SCRIPT in shown
    in_drawings = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    assert any(html.unescape(words).startswith("<script>alert(1)") for words in in_drawings)


def test_every_drawing_has_a_text_alternative(page):
    drawings = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(drawings) >= 8
    assert all(attrs["role"] == "img" and attrs["aria-labelledby"] for attrs in drawings)
    assert [tag for tag, _ in page.tags].count("desc") == len(drawings)


def test_sections_come_in_order_of_use(page):
    sections = [attrs["id"] for tag, attrs in page.tags if tag == "section"]
    assert sections == [
        *("findings", "verdict", "bots", "without", "seats", "styles", "styles-primary", "best-styles"),
        *(
            "seats-primary",
            "factor-territory",
            "sources",
            "length",
            "drama",
            "ends",
            "counts",
            "firsts",
            "unfinished",
        ),
        *("matrix", "screening", "luck", "model", "replays", "rules", "controls", "provenance"),
        *("rerun", "methods"),
    ]


def test_the_question_and_the_findings_open_it(page, dataset):
    shown = " ".join("".join(page.words).split())
    assert (
        shown.index(dataset.manifest["question"]) < shown.index("Orcs win") < shown.index("Win share by seat")
    )


def test_marks_stand_at_the_numbers(page):
    rows = [words for words in page.words if words.endswith(("†", "‡"))]
    assert f"{SCRIPT}†" in rows
    assert "Elves‡" in rows
    assert any("invented" in words for words in page.words)


def test_it_says_how_to_run_it_again_and_what_differs(page, dataset):
    assert "balance sweep scenario.toml --out again --games 1680" in page.words
    assert dataset.manifest["signature"] in page.words
    assert any('castle_vp = "low"' in words and "seed = 7" in words for words in page.words)
    assert "rules.castle_vp" in page.words
    assert f"{SCRIPT}, own: vp" in page.words


def test_the_same_dataset_gives_the_same_bytes(dataset, text, tmp_path):
    report.write(dataset, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == text


def test_it_is_readable_in_the_dark_and_on_a_phone(text):
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text
    assert "var(--ink, #1b1b1a)" in text


def test_a_dataset_of_one_nation_and_one_bot_makes_a_report(tmp_path):
    games, seats = synthetic.frames(31, bots=("balanced",))
    one = synthetic.write(tmp_path / "d", (games, seats.with_columns(nation=pl.lit("orcs"))))
    page = document.document(one)
    verdict = next(section for section in page.sections if section.id == "verdict")
    assert not verdict.parts
    assert "Only one nation plays" in verdict.words[0]
    assert "Only one nation plays" in page.findings[0]
    report.write(one, tmp_path / "one.html")


def test_a_run_about_bots_opens_with_them_and_calls_none_too_strong(tmp_path):
    games, seats = synthetic.frames(40)
    seats = seats.with_columns(share=(pl.col("bot") == "warlord").cast(pl.Float64) / 2)
    dataset = synthetic.write(tmp_path, (games, seats))
    dataset.manifest["primary"] = "bot"
    page = document.document(dataset)
    assert page.sections[0].title == "Win share by bot"
    assert [section.title for section in page.sections].count("Win share by bot") == 1
    assert any(section.title == "Win share by nation" for section in page.sections)
    assert page.findings[0].startswith('"warlord" wins 50.0 %')
    assert page.findings[0].endswith("above the band.")
    assert (
        b"too strong" not in report.html(page).split(b"<main>")[1].split(b'id="bots"')[0].split(b"<table>")[1]
    )


@pytest.mark.parametrize("games", [1, 12 * 31 + 5])
def test_a_report_on_any_prefix(tmp_path, games):
    tables = synthetic.frames(40)
    part = tables[0].head(games), tables[1].head(4 * games)
    report.write(synthetic.write(tmp_path / "d", part, complete=False), tmp_path / "r.html")
    assert "look at an unfinished sweep" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_several_cells_are_told_apart(tmp_path):
    cells = [synthetic.frames(31, seed=n, cell=n) for n in range(10)]
    page = document.document(synthetic.write(tmp_path, *cells))
    verdict = next(section for section in page.sections if section.id == "verdict")
    *drawings, table = verdict.parts
    assert len(drawings) == document.DRAWN_CELLS
    assert table.headings[:2] == ["Nation", "Cell"]
    assert len(table.rows) == 60


def test_what_the_game_notes_of_a_cell_stands_in_a_section_of_its_own(tmp_path):
    dataset = synthetic.write(tmp_path, *[synthetic.frames(31, seed=n, cell=n) for n in range(2)])
    assert all(section.id != "notes" for section in document.document(dataset).sections)
    dataset.manifest["cells"][1]["notes"] = [f"Orcs 3 can do nothing here: {SCRIPT}"]
    page = document.document(dataset)
    (section,) = [section for section in page.sections if section.id == "notes"]
    (table,) = section.parts
    assert next(entry.text for entry in table.rows[0]) == f"Orcs 3 can do nothing here: {SCRIPT}"
    assert len(table.rows) == 1
    assert SCRIPT not in report.html(page).decode()


def test_no_games_is_an_error(tmp_path):
    dataset = synthetic.write(tmp_path / "d", synthetic.frames(1))
    dataset.manifest["parts"] = []
    with pytest.raises(DatasetError, match="no games yet"):
        report.write(dataset, tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("name", ["r.odt", "r.docx", "r"])
def test_other_formats_are_refused_before_the_work(dataset, tmp_path, name):
    with pytest.raises(BalanceError, match=r"end the name in \.html or \.pdf"):
        report.write(dataset, tmp_path / name)


def test_where_it_cannot_be_written_it_says_so(dataset, tmp_path):
    with pytest.raises(DatasetError, match="no such folder"):
        report.write(dataset, tmp_path / "none" / "r.html")
    (tmp_path / "r.html").mkdir()
    with pytest.raises(DatasetError, match="is a folder"):
        report.write(dataset, tmp_path / "r.html")
    with pytest.raises(DatasetError, match="cannot be written"):
        report.write(dataset, tmp_path / ("n" * 300 + ".html"))
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


# --- on paper -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paper(dataset, tmp_path_factory):
    pytest.importorskip("typst", reason="install the project's dependencies: typst is missing")
    path = tmp_path_factory.mktemp("out") / "report.pdf"
    report.write(dataset, path)
    return path


@pytest.fixture(scope="module")
def sheets(paper):
    """The text of each page of the PDF."""
    pypdf = pytest.importorskip("pypdf")
    return [" ".join(sheet.extract_text().split()) for sheet in pypdf.PdfReader(paper).pages]


def test_the_pdf_is_a4_with_contents_and_page_numbers(paper, sheets):
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(paper)
    assert [round(float(side)) for side in reader.pages[0].mediabox[2:]] == [595, 842]
    assert f"1 of {len(sheets)}" in sheets[0]
    assert "Contents" in sheets[1]
    assert "Methods in words" in sheets[1]
    titles = [entry.title for entry in reader.outline]
    assert titles[0] == "Win share by nation"
    assert titles[-1] == "Methods in words"


def test_a_hostile_name_shows_as_text_on_paper(sheets, paper):
    whole = " ".join(sheets)
    assert f"{SCRIPT}†" in whole
    assert b"/JavaScript" not in paper.read_bytes()
    assert b"/JS" not in paper.read_bytes()


def test_marks_and_findings_stand_on_paper(sheets, dataset):
    assert dataset.manifest["question"] in sheets[0]
    assert "Orcs win" in sheets[0]
    assert "What to do." in sheets[0]
    assert "These are bots, not people" in sheets[0]
    assert "reconstructed" in sheets[0]
    assert "Elves‡" in " ".join(sheets)


def test_figures_are_vectors_on_paper(paper):
    pypdf = pytest.importorskip("pypdf")
    first = pypdf.PdfReader(paper).pages[0]
    assert len(first.images) == 0
    assert "Win share, %" in first.extract_text()


def test_the_same_dataset_gives_the_same_pdf(dataset, paper, tmp_path):
    report.write(dataset, tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == paper.read_bytes()


@pytest.mark.parametrize(
    "name",
    [
        "#panic()",
        "$x^2$ *bold* _it_",
        "\\u{41} @ref <label>",
        'he said "no"',
        "= Heading",
        "日本の国",
        "a\nb",
    ],
)
def test_no_markup_acts_on_paper(name, tmp_path):
    nations = dict(synthetic.NATIONS) | {"odd": (name, "seed")}
    pytest.importorskip("typst", reason="install the project's dependencies: typst is missing")
    odd = synthetic.write(tmp_path / "d", synthetic.frames(31, nations=nations), nations=nations)
    odd.manifest["title"] = odd.manifest["question"] = name
    page = document.document(odd)
    short = document.Document(**(vars(page) | {"sections": page.sections[:1]}))
    assert report.pdf(short).startswith(b"%PDF")
    assert name.strip() in html.unescape(report.html(short).decode())


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here to open the report in")
def test_a_browser_opens_it_without_a_complaint_and_sorts_its_tables(text, tmp_path):
    click = """<script>
    const headings = [...document.querySelectorAll("#verdict th button")];
    headings.find(heading => heading.textContent === "Nation").click();
    document.title = [...document.querySelectorAll("#verdict tbody th")].map(c => c.textContent).join("|");
    </script>"""
    # The page's own policy would rightly refuse the script that clicks.
    clicked = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text).replace(
        "</body>", f"{click}</body>"
    )
    (tmp_path / "clicked.html").write_text(clicked, encoding="utf-8")
    (tmp_path / "whole.html").write_text(text, encoding="utf-8")
    flags = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
        *("--disable-component-update", "--disable-sync", "--disable-quic", "--enable-logging=stderr"),
        *("--dump-dom", f"--user-data-dir={tmp_path / 'profile'}"),
    ]
    found = {}
    for name in ("whole", "clicked"):
        command = [CHROMIUM, *flags, (tmp_path / f"{name}.html").as_uri()]
        found[name] = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert "CONSOLE" not in found[name].stderr
        assert "net::ERR" not in found[name].stderr
    assert '<th scope="col"><button type="button">' in found["whole"].stdout
    title = html.unescape(re.search(r"<title>(.*?)</title>", found["clicked"].stdout)[1]).split("|")
    assert len(title) == len(NATIONS)
    assert title[0] == f"{SCRIPT}†"
    assert title[1:] == sorted(title[1:])
