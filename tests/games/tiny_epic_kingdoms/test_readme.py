"""The README's table of the rulebook's paragraphs names cases that are there, for every page."""

from __future__ import annotations

import re
from pathlib import Path

from balance.games import tiny_epic_kingdoms

README = Path(tiny_epic_kingdoms.__file__).parent / "README.md"
CASES = Path(__file__).parents[2] / "cases" / "tiny_epic_kingdoms"


def paragraphs():
    table = README.read_text(encoding="utf-8").split("## Where the rules stand")[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| p.")]


def test_every_page_of_the_rules_has_its_paragraphs():
    pages = {int(re.search(r"\d+", row[0])[0]) for row in paragraphs()}
    assert pages == set(range(2, 13))


def test_every_case_that_is_named_is_there():
    for row in paragraphs():
        named = re.findall(r'`([\w*]+\.toml)`((?:[:,] "[^"]+")*)', row[-1])
        assert named, row
        for file, names in named:
            found = list(CASES.glob(file))
            assert found, file
            text = "".join(path.read_text(encoding="utf-8") for path in found)
            for name in re.findall(r'"([^"]+)"', names):
                assert f'name = "{name}"' in text, name
