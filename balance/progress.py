"""How far a sweep is: a bar in a terminal, lines elsewhere."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

from rich.console import Console
from rich.markup import escape


class Progress:
    """Shows how far a sweep is, with games a second and time left: a bar, or lines where none can be.

    What it says goes to standard error, so that `--json` stays alone on standard output.
    """

    EVERY = 10.0  # seconds between two plain lines

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False)
        self.marks: deque[tuple[float, int]] = deque(maxlen=200)  # when how many games were done
        self.start: int | None = None
        self.said = time.monotonic()
        self.bar, self.task = None, None
        if self.console.is_terminal:
            self.bar = _bar(self.console)
            self.task = self.bar.add_task("", total=None)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def tell(self, line: str) -> None:
        """Say a line beside the bar."""
        self.console.print(escape(line))

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
        rate = f", {speed:,.0f} games/s, {_duration((wanted - done) / speed)} left" if speed else ""
        line = f"{done:,} of {wanted:,} games{rate}"
        if self.bar is not None and self.task is not None:
            self.bar.start()
            self.bar.update(self.task, completed=done, total=wanted, description=line)
        elif now - self.said >= self.EVERY or done >= wanted:
            self.said = now
            self.tell(line)


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
