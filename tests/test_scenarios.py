"""Every scenario that is shipped can be checked, swept and reported."""

from __future__ import annotations

from pathlib import Path

import pytest

import balance
from balance import design, document, plan, runner

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "scenarios").rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_is_checked_swept_and_reported(path, tmp_path):
    scenario = balance.load(path)
    assert scenario.title
    assert scenario.question.endswith("?")
    cells = design.cells(scenario)
    told = plan.plan(scenario)
    assert len(told["cells"]) == len(cells)
    dataset = runner.sweep(scenario, tmp_path / "run", games=1)
    assert all(dataset.played(cell.index) >= 1 for cell in cells)
    page = document.document(dataset)
    assert page.title == scenario.title
    assert page.sections


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_says_how_to_run_it(path):
    text = path.read_text(encoding="utf-8")
    where = path.relative_to(ROOT)
    assert text.startswith("# ")
    assert f"#   balance sweep {where} --out out/{path.stem}\n" in text
    assert f"#   balance report out/{path.stem} --out out/{path.stem}.html\n" in text


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_takes_minutes_rather_than_hours(path):
    """At a thousand games a second, which is what a core of a laptop plays at least."""
    scenario = balance.load(path)
    games = (scenario.games or 0) * len(design.plans(scenario))
    assert 0 < games <= 600_000
