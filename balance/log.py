"""Who played a dataset, when and where: `log.json`, which no result depends on."""

from __future__ import annotations

import json
import platform
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from balance.store import Store

LOG = "log.json"


class Log:
    """The sessions that wrote a dataset. This one's is brought up to date whenever the manifest is.

    A session has `started`, `until` (the last news of it), `host`, `cores` or `cluster`, `games` (that it
    played), `workers` (name -> parts) and `end`: "done", "stopped", the error, or nothing if it was killed.
    """

    def __init__(self, store: Store, **how: Any) -> None:
        self.store = store
        self.workers: Counter[str] = Counter()
        self.session: dict[str, Any] = {"started": _now(), "host": platform.node(), **how, "games": 0}
        try:
            self.sessions = list(json.loads((store.read(LOG) or b"[]").decode()))
        except (ValueError, TypeError, RecursionError):
            self.sessions = []  # a log that cannot be read is no loss of games
        self.sessions.append(self.session)

    def played(self, games: int, worker: str) -> None:
        """Take note of a part that was played."""
        self.session["games"] += games
        self.workers[worker] += 1

    def save(self, end: str = "") -> None:
        """Write the log; `end` says how this session ended, once it has."""
        self.session |= {"until": _now(), "workers": dict(sorted(self.workers.items())), "end": end}
        self.store.write(LOG, (json.dumps(self.sessions, indent=1) + "\n").encode())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
