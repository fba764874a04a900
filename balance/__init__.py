"""Balance board games by simulation.

>>> import balance
>>> scenario = balance.load("nations_4p.toml")      # or balance.parse(text)
>>> dataset = balance.sweep(scenario, "out/nations")
>>> dataset.seats().head().collect()                # Polars; so are games() and turns()
>>> balance.summary(dataset)
>>> balance.write_report(dataset, "out/nations.html")

Each name is fetched from its module when first used, so `import balance` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from balance.analysis import summary as summary
    from balance.comparing import compare as compare
    from balance.dataset import Dataset as Dataset
    from balance.dataset import open as open
    from balance.design import cells as cells
    from balance.design import lineups as lineups
    from balance.errors import BalanceError as BalanceError
    from balance.exporting import export as export
    from balance.games import get as game
    from balance.report import write as write_report
    from balance.runner import sweep as sweep
    from balance.scenario import Scenario as Scenario
    from balance.scenario import load as load
    from balance.scenario import parse as parse

__version__ = "0.1.0"

_HOMES = {
    "BalanceError": ("balance.errors", "BalanceError"),
    "Dataset": ("balance.dataset", "Dataset"),
    "Scenario": ("balance.scenario", "Scenario"),
    "cells": ("balance.design", "cells"),
    "compare": ("balance.comparing", "compare"),
    "export": ("balance.exporting", "export"),
    "game": ("balance.games", "get"),
    "lineups": ("balance.design", "lineups"),
    "load": ("balance.scenario", "load"),
    "open": ("balance.dataset", "open"),
    "parse": ("balance.scenario", "parse"),
    "summary": ("balance.analysis", "summary"),
    "sweep": ("balance.runner", "sweep"),
    "write_report": ("balance.report", "write"),
}

__all__ = [
    "BalanceError",
    "Dataset",
    "Scenario",
    "__version__",
    "cells",
    "compare",
    "export",
    "game",
    "lineups",
    "load",
    "open",
    "parse",
    "summary",
    "sweep",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Fetch a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'balance' has no attribute '{name}'")
    home, attribute = _HOMES[name]
    return getattr(importlib.import_module(home), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
