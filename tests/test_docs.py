"""The documents say what is so: examples load, links lead somewhere, commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import balance
from balance import cases, cli

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("balance/games/*/*.md")]
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
BLOCK = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples():
    for page, name in zip(PAGES, IDS, strict=True):
        for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), start=1):
            if block.startswith("game ="):
                yield pytest.param(block, id=f"{name}-{number}")


@pytest.mark.parametrize("text", list(examples()))
def test_an_example_that_names_its_game_can_be_used(text, tmp_path):
    if "[[case]]" in text:
        path = tmp_path / "example.toml"
        path.write_text(text, encoding="utf-8")
        assert all(result.passed for result in cases.run([path]))
    else:
        assert balance.parse(text).game in text


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_between_pages_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_exist(page):
    known = {command.callback.__name__ for command in cli.app.registered_commands}
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"(?:^    |`)balance ([a-z]+)\b", text, re.MULTILINE):
        assert name in known


def test_the_readme_names_every_command():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in cli.app.registered_commands:
        assert (
            f"`balance {command.callback.__name__} " in text
            or f"`balance {command.callback.__name__}`" in text
        )
