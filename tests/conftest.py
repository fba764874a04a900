"""What all tests share: Pig is among the games, figures need no screen, Hypothesis needs no clock.

Compiled games are kept in the user's cache directory, as they are for the command, so that only
the first run of the tests compiles; the cache is keyed by a digest of the code.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
os.environ["BALANCE_GAMES"] = "pig"
os.environ["MPLBACKEND"] = "Agg"
os.environ["PYTHONPATH"] = os.pathsep.join(  # for commands that a test starts as processes
    path for path in (str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")) if path
)
settings.register_profile("balance", deadline=None)
settings.load_profile("balance")


@pytest.fixture(scope="session")
def pig():
    """Pig, the calibration game."""
    from balance import games

    return games.get("pig")


@pytest.fixture
def pig_file(tmp_path):
    """A scenario file: two holders, one of them more daring, play Pig."""
    path = tmp_path / "pig.toml"
    path.write_text(
        'title = "How long to roll?"\n'
        'game = "pig"\n'
        "players = 2\n"
        "seed = 7\n"
        "games = 64\n"
        "\n"
        "[bots.cautious]\n"
        'like = "holder"\n'
        "weights = { hold = 10 }\n"
        "\n"
        "[bots.daring]\n"
        'like = "holder"\n'
        "weights = { hold = 20 }\n",
        encoding="utf-8",
    )
    return path
