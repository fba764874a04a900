"""The errors a user may meet. Each says what is wrong, where, and what to do about it.

BalanceError
├── ScenarioError   a scenario, a rule, a bot or a component is not as it must be
├── DatasetError    a dataset's folder cannot be written, read or trusted
│   └── Stopped     a sweep was asked to stop, and did so in good order
├── GameError       a game does not answer the protocol as it must
└── CaseError       a rule case cannot be read (a case that fails is a result, not an error)
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class BalanceError(Exception):
    """What went wrong, in one line: `where: what; remedy`."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        line = f"{where}: {what}" if where else what
        super().__init__(f"{line}; {remedy}" if remedy else line)


class ScenarioError(BalanceError):
    """A scenario, a rule, a bot or a component is not as it must be."""


class DatasetError(BalanceError):
    """A dataset's folder cannot be written, read or trusted."""


class Stopped(DatasetError):
    """A sweep was asked to stop, and did so in good order."""


class GameError(BalanceError):
    """A game does not answer the protocol as it must."""


class CaseError(BalanceError):
    """A rule case cannot be read."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown `name`: the nearest known one, or all of them."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    if not known:
        return "nothing is known here"
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"known: {shown}"
