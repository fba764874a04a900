"""Scenarios and report recipes are found in a checkout, and in a wheel, which carries them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import balance
from balance import places
from balance.errors import BalanceError

ROOT = Path(__file__).parent.parent


def test_a_checkout_has_them_at_the_top():
    assert places.shipped("reports") == ROOT / "reports"
    assert all(path.suffix == ".toml" for path in places.scenarios("tiny-epic-kingdoms"))
    assert places.scenarios("no-such-game") == []


def test_the_packages_own_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "balance")
    with pytest.raises(BalanceError, match="'scenarios' is missing; install boardgame-balance anew"):
        places.shipped("scenarios")
    (tmp_path / "scenarios").mkdir()
    assert places.shipped("scenarios") == tmp_path / "scenarios"
    (tmp_path / "balance" / "scenarios").mkdir(parents=True)
    assert places.shipped("scenarios") == tmp_path / "balance" / "scenarios"


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").rglob("*.toml")), ids=lambda path: path.stem)
def test_every_scenario_that_is_shipped_is_in_order(path):
    assert balance.load(path).game.replace("-", "_") == path.parent.name


def test_the_wheel_carries_all_that_is_needed(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("scenarios", "reports", "balance"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix not in (".pyc", ".nbi", ".nbc"):
                inside = (
                    path.relative_to(ROOT)
                    if folder == "balance"
                    else Path("balance") / path.relative_to(ROOT)
                )
                assert inside.as_posix() in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
