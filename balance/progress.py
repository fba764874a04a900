"""How far a sweep is: a bar in a terminal, lines elsewhere, JSON for other programs."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import Any

from rich.console import Console
from rich.markup import escape


class Progress:
    """Shows how far a sweep is, with games a second and time left: a bar, or lines where none can be.

    What it says goes to standard error, so that `--json` stays alone on standard output.

    Parameters
    ----------
    lines
        Say it as lines of JSON: `done`, `wanted`, `cells`, `cells_done`, `games_per_second`,
        `seconds_left` and `widest` (see `runner.sweep`; null while unknown), or `said`.
    """

    EVERY = 10.0  # seconds between two plain lines
    OFTEN = 1.0  # seconds between two lines of JSON

    def __init__(self, console: Console | None = None, lines: bool = False) -> None:
        self.console = console or Console(stderr=True, highlight=False)
        self.lines = lines
        self.marks: deque[tuple[float, int]] = deque(maxlen=200)  # when how many games were done
        self.start: int | None = None
        self.said = time.monotonic()
        self.cells_done: int = 0
        self.widest: float | None = None
        self.bar, self.task = None, None
        if self.console.is_terminal and not lines:
            self.bar = _bar(self.console)
            self.task = self.bar.add_task("", total=None)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def tell(self, line: str) -> None:
        """Say a line beside the bar."""
        if self.lines:
            self._put({"said": line})
        else:
            self.console.print(escape(line))

    def note(self, cells: int, widest: float | None) -> None:
        """Take note of how many cells are finished, and of the widest interval so far."""
        self.cells_done, self.widest = cells, widest

    def watch(self, done: int, wanted: int, cells: int) -> None:
        """Take note of how many games are done; the speed is that of the last 200 notes."""
        now = time.monotonic()
        if self.start is None:
            self.start = done
            if done == wanted:
                return
        if done > self.start:  # until then code may be compiling, which says nothing of the speed
            self.marks.append((now, done))
        then, before = self.marks[0] if self.marks else (now, done)
        speed = (done - before) / (now - then) if done > before and now > then else 0.0
        left = (wanted - done) / speed if speed else None
        due = done >= wanted or now - self.said >= (self.OFTEN if self.lines else self.EVERY)
        if self.lines and due:
            self._put(
                {
                    "done": done,
                    "wanted": wanted,
                    "cells": cells,
                    "cells_done": self.cells_done,
                    "games_per_second": round(speed, 1),
                    "seconds_left": None if left is None else round(left, 1),
                    "widest": self.widest,
                }
            )
        elif self.bar is not None and self.task is not None:
            self.bar.start()
            line = self._line(done, wanted, cells, speed, left)
            self.bar.update(self.task, completed=done, total=wanted, description=line)
        elif due:
            self.tell(self._line(done, wanted, cells, speed, left))
        if due:
            self.said = now

    def _line(self, done: int, wanted: int, cells: int, speed: float, left: float | None) -> str:
        parts = [f"{done:,} of {wanted:,} games"]
        if cells > 1 and self.cells_done:
            parts.append(f"{self.cells_done} of {cells} cells")
        if left is not None:
            parts += [f"{speed:,.0f} games/s", f"{_duration(left)} left"]
        if self.widest is not None:
            parts.append(f"widest ± {100 * self.widest:.2f}")
        return ", ".join(parts)

    def _put(self, what: dict[str, Any]) -> None:
        self.console.file.write(json.dumps(what, ensure_ascii=False) + "\n")
        self.console.file.flush()


def _bar(console: Console) -> Any:
    from rich import progress

    return progress.Progress(
        progress.BarColumn(bar_width=None),
        progress.TextColumn("{task.description}"),
        console=console,
        expand=True,
        transient=True,
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
