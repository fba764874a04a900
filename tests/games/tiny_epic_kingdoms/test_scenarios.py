"""Every scenario of the game that is shipped can be checked, swept and reported."""

from __future__ import annotations

import pytest

import balance
from balance import analysis, design, document, places, plan, runner

FILES = places.scenarios("tiny-epic-kingdoms")
FEWER = {"blanked_levels": ["blank.nations=['orcs']"]}  # a test of one nation's levels is enough
SHOWN = {  # the section of the report that answers its question
    "blanked_levels": "worth",
    "layouts": "layouts",
    "nations_by_players": "players",
    "seat_fix": "remedy",
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_checked_swept_and_read(path, tmp_path):
    scenario = balance.load(path, FEWER.get(path.stem, ()))
    assert scenario.title
    assert scenario.question.endswith("?")
    cells = design.cells(scenario)
    assert len(plan.plan(scenario)["cells"]) == len(cells)
    dataset = runner.sweep(scenario, tmp_path / "run", games=12)
    assert all(dataset.played(cell.index) >= 1 for cell in cells)
    assert analysis.findings(dataset)
    if path.stem in SHOWN:
        page = document.document(dataset)
        assert page.title == scenario.title
        assert SHOWN[path.stem] in {section.id for section in page.sections}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_says_how_to_run_it_and_takes_minutes(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    where = f"scenarios/tiny_epic_kingdoms/{path.name}"
    assert f"#   balance sweep {where} --out out/{path.stem}\n" in text
    assert f"#   balance report out/{path.stem} --out out/{path.stem}.html\n" in text
    scenario = balance.load(path)
    games = (scenario.games or 0) * len(design.plans(scenario))
    assert 0 < games <= 600_000  # ten minutes at a thousand games a second
