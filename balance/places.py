"""Where the scenarios and the report recipes lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

from balance.errors import BalanceError

PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """Return the folder `name` ("scenarios" or "reports") that comes with the project.

    Raises
    ------
    BalanceError
        If the installation is incomplete.
    """
    for folder in (PACKAGE / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise BalanceError(f"the folder '{name}' is missing", remedy="install boardgame-balance anew")


def scenarios(game: str) -> list[Path]:
    """List the scenario files that come with the game of this id (none for a game from elsewhere)."""
    return sorted((shipped("scenarios") / game.replace("-", "_")).glob("*.toml"))
