"""Sweeps: the cells of a scenario, played part by part into a dataset.

A part is some 2,000 games of one cell, whole blocks only, with bounds that do not depend on how
many games are wanted. Parts interleave over the cells. Each is written aside, synced and renamed,
then named in the manifest: a sweep that was stopped, by whatever, goes on with the same command
and ends with the same bytes, with any number of workers.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import threading
import time
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from balance import cell as cells_
from balance import dataset, design
from balance import scenario as scenarios
from balance.cell import Batch, Cell
from balance.dataset import Dataset
from balance.design import Design
from balance.errors import DatasetError, Stopped
from balance.scenario import Scenario

PART = 2_000  # games of a part, rounded up to whole blocks
CHUNK = 250  # games of one call of the kernel: how often progress is told
SAVE = 2.0  # seconds between two writings of the manifest
TURNS = 32  # room for so many turns a game at first
LOOK_BLOCKS = 200  # fewest blocks before a sweep is looked at
LOOK_GROWTH = 1.5  # each look has so many times the games of the one before
MOST = 200_000  # games a cell where verdicts are waited for and the scenario names no most

Watch = Callable[[int, int, int], None]  # games done, games wanted, cells
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """Some blocks of a cell, the unit of work and of files."""

    cell: int
    index: int
    first_block: int
    blocks: int
    block_games: int

    @property
    def first_game(self) -> int:
        return self.first_block * self.block_games

    @property
    def games(self) -> int:
        return self.blocks * self.block_games

    @property
    def name(self) -> str:
        """The file's name: a part that grows gets another, so that no file ever changes."""
        return f"part-{self.cell:03d}-{self.index:05d}-{self.games}"


def parts(designs: Sequence[Design], games: int) -> Iterator[Part]:
    """List the parts of at least `games` games a cell, in whole blocks, the cells interleaved."""
    totals = [-(-games // one.block_games) for one in designs]
    sizes = [-(-PART // one.block_games) for one in designs]
    for index in range(max(-(-total // size) for total, size in zip(totals, sizes, strict=True))):
        for cell, one in enumerate(designs):
            first = index * sizes[cell]
            blocks = min(sizes[cell], totals[cell] - first)
            if blocks > 0:
                yield Part(cell, index, first, blocks, one.block_games)


def looks(designs: Sequence[Design], most: int | None) -> Iterator[int]:
    """List the games per cell after which a sweep is looked at, without end unless there is a `most`."""
    games = PART * math.ceil(LOOK_BLOCKS * max(one.block_games for one in designs) / PART)
    while most is None or games < most:
        yield games
        games = PART * math.ceil(games * LOOK_GROWTH / PART)
    yield most


def sweep(
    scenario: Scenario,
    out: Path | str,
    *,
    games: int | None = None,
    precision: float | None = None,
    until: str | None = None,
    seed: int | None = None,
    jobs: int | None = None,
    watch: Watch | None = None,
    tell: Tell | None = None,
) -> Dataset:
    """Play a scenario into the folder `out`, or go on with it there.

    Parameters
    ----------
    games
        Games per cell, rounded up to whole blocks; the most, if it is played until something.
    precision
        Play until the widest 95 % interval of the primary family, all at once, has this half-width.
    until
        "verdicts": play until each level of the primary family has its verdict.
    seed
        Instead of the scenario's.
    jobs
        Threads; all cores if left out.
    watch
        Hears `(games done, games wanted, cells)`, from any thread, one call at a time.
    tell
        Hears a line when code is compiled.

    Raises
    ------
    ScenarioError
        If a value will not do.
    DatasetError
        If the folder holds something else, cannot be written, or is in use; also after Ctrl-C.
    """
    scenario = _settled(scenario, games, precision, until, seed)
    cells = design.cells(scenario)
    designs = design.designs(scenario, cells)
    folder = Path(out)
    manifest = dataset.describe(scenario, cells, designs)
    _refuse(folder, manifest)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder), _stoppable() as stop:
            hear = (watch or (lambda done, wanted, cells: None), tell or (lambda line: None))
            return _Run(scenario, cells, designs, folder, manifest, jobs or _cores(), stop, *hear).all()
    except OSError as error:
        raise DatasetError(
            f"cannot be written ({error.strerror or error})",
            where=str(out),
            remedy="free some space or choose another folder, then run the same command to go on",
        ) from None


def _cores() -> int:
    import joblib

    return int(joblib.cpu_count())


def _settled(
    scenario: Scenario, games: int | None, precision: float | None, until: str | None, seed: int | None
) -> Scenario:
    """Lay the caller's numbers over the scenario's; a number of games alone means to play just those."""
    changes: dict[str, Any] = {} if seed is None else {"seed": seed}
    if games is not None or precision is not None or until is not None:
        changes |= {"games": games, "precision": precision, "until": until or ""}
    elif scenario.games is None and scenario.precision is None and not scenario.until:
        changes["games"] = scenarios.GAMES
    if changes.get("until", scenario.until) and changes.get("games", scenario.games) is None:
        changes["games"] = MOST
    return scenarios.change(scenario, **changes) if changes else scenario


def _refuse(folder: Path, manifest: dict[str, Any]) -> dict[str, Any] | None:
    """Return the manifest that lies in `folder`, if any; refuse a folder that holds something else."""
    other = "choose another folder"
    try:
        if folder.exists() and not folder.is_dir():
            raise DatasetError("is no folder", where=str(folder), remedy=other)
        found = dataset.read_manifest(folder)
        if found is not None:
            if found["run"] != manifest["run"]:
                raise DatasetError(
                    f"holds another run ({_difference(found, manifest)})",
                    where=str(folder),
                    remedy=f"{other}, or delete that run",
                )
            return found
        kept = (dataset.LOCK, f".{dataset.MANIFEST}.tmp")
        # A sweep killed before its first manifest leaves empty folders, which are ours to use.
        foreign = (
            sorted(p.name for p in folder.iterdir() if p.name not in kept and not _is_empty_table(p))
            if folder.exists()
            else []
        )
    except OSError as error:
        raise DatasetError(f"cannot be used ({error.strerror})", where=str(folder), remedy=other) from None
    if foreign:
        raise DatasetError(f"holds other files ('{foreign[0]}')", where=str(folder), remedy=other)
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not os.access(above, os.W_OK | os.X_OK):
        raise DatasetError("may not be written to", where=str(folder), remedy=other)
    return None


def _is_empty_table(path: Path) -> bool:
    """Say whether `path` is a table's folder in which nothing lies."""
    return path.name in ("games", "seats", "turns") and path.is_dir() and not any(path.iterdir())


def _difference(found: dict[str, Any], manifest: dict[str, Any]) -> str:
    """Say in a few words in what two runs differ."""
    if found["game"] != manifest["game"]:
        return f"of {found['game']}"
    if found["seed"] != manifest["seed"]:
        return f"its seed is {found['seed']}"
    keys = [key for key, value in manifest["scenario"].items() if found["scenario"].get(key) != value]
    keys = [key for key in keys if key not in ("title", "question")]
    if keys:
        return f"it differs in {', '.join(keys)}"
    return "made by other code" if found["cells"] == manifest["cells"] else "its rules differ"


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep a second sweep out of `folder`."""
    import filelock

    lock = filelock.FileLock(str(folder / dataset.LOCK), timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise DatasetError(
            "another sweep is writing there",
            where=str(folder),
            remedy="wait for it, or choose another folder",
        ) from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event, so that what is written stays whole; the second stops at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def handle(number: int, frame: types.FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class _Run:
    """One sweep in progress: the manifest in memory, and what still has to be played."""

    scenario: Scenario
    cells: list[Cell]
    designs: list[Design]
    folder: Path
    manifest: dict[str, Any]
    jobs: int
    stop: threading.Event
    watch: Watch
    tell: Tell
    played: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    done: int = 0
    wanted: int = 0
    saved: float = 0.0
    progress: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.schema = dataset.Schema.of(self.cells, self.designs)

    def all(self) -> Dataset:
        """Play all that is wanted and return the dataset."""
        found = _refuse(self.folder, self.manifest)
        self._take_up(found)
        self._make_room()
        if self.scenario.until or self.scenario.precision is not None:
            self._play_until()
        else:
            self._play(self._at_least(self.scenario.games or scenarios.GAMES, found))
        self._control(found)
        self._save()
        self._tidy()
        return Dataset(self.folder, self.manifest)

    def _control(self, found: dict[str, Any] | None) -> None:
        """Play the controls, unless those of as many games are there."""
        from balance import controls

        known = (found or {}).get("controls", {})
        if known.get("games") != self.manifest["games"]:
            lib = self.cells[0].game.fast(self.tell)
            results = controls.play(self.scenario, self.cells, lib, self.manifest["games"])
            known = {"games": self.manifest["games"], "results": results}
        self.manifest["controls"] = known

    # --- what is there already

    def _take_up(self, found: dict[str, Any] | None) -> None:
        """Take over the parts that an earlier sweep finished; one that is missing is played again."""
        for part in found["parts"] if found else ():
            missing = [file for file in part["files"].values() if not (self.folder / file["path"]).is_file()]
            if not missing:
                self._check(part)
                self.played[part["cell"], part["index"]] = part

    def _check(self, part: dict[str, Any]) -> None:
        for file in part["files"].values():
            path = self.folder / file["path"]
            if dataset.digest_file(path) != file["sha256"]:
                raise DatasetError(
                    "was changed since it was written",
                    where=str(path),
                    remedy="delete it and run the same command: it is played again",
                )

    def _make_room(self) -> None:
        for table in self._tables():
            (self.folder / table).mkdir(exist_ok=True)
        self._tidy()

    def _tables(self) -> tuple[str, ...]:
        return dataset.TABLES if self.scenario.turns else dataset.TABLES[:2]

    def _tidy(self) -> None:
        """Remove parts that the manifest does not name: left over by a kill, or grown since."""
        named = {file["path"] for part in self.played.values() for file in part["files"].values()}
        for table in self._tables():
            for path in (self.folder / table).iterdir():
                ours = path.name.startswith(("part-", ".part-"))
                if ours and f"{table}/{path.name}" not in named:
                    path.unlink()

    # --- playing

    def _play_until(self) -> None:
        """Play until shares are known well enough, or verdicts stand, looking at fixed numbers of games."""
        state: dict[str, Any] = {"settled": False}
        self.manifest["precision"] = state
        for games in looks(self.designs, self.scenario.games):
            self._play(games)
            if self._look(games, state) or games == self.scenario.games:
                break
        held = min(sum(p["games"] for p in self.played.values() if p["cell"] == c.index) for c in self.cells)
        self.manifest["games"] = max(games, held)
        state["settled"] = True

    def _look(self, games: int, state: dict[str, Any]) -> bool:
        """Note in `state` what is known after `games` games a cell, and say whether that will do."""
        from balance.analysis import looks

        run = Dataset(self.folder, self.manifest)
        if self.scenario.until:
            state["until"], state["open"] = self.scenario.until, looks.unsettled(run, games)
            return state["open"] == 0
        wanted = self.scenario.precision
        named = wanted if isinstance(wanted, dict) else {self.manifest["primary"]: wanted or 0.0}
        widths = looks.widest(run, games, named)
        state["wanted"] = named
        state["widest"] = {name: width if math.isfinite(width) else None for name, width in widths.items()}
        return all(widths[name] <= most for name, most in named.items())

    def _play(self, games: int) -> None:
        """Play what is missing of `games` games a cell."""
        plan = list(parts(self.designs, games))
        ahead = [part for part in plan if self._played(part) < part.games]
        self.manifest["games"] = games
        self.wanted = sum(part.games for part in plan)
        self.done = self.wanted - sum(part.games for part in ahead)
        self._save()
        self._tell_progress(0)
        if ahead:
            self._play_parts(ahead)
        if self.stop.is_set():
            self._save()
            raise Stopped(
                f"stopped after {self._total():,} of {self.wanted:,} games",
                where=str(self.folder),
                remedy="run the same command to go on",
            )

    def _played(self, part: Part) -> int:
        known = self.played.get((part.cell, part.index))
        return known["games"] if known else 0

    def _total(self) -> int:
        return sum(part["games"] for part in self.played.values())

    def _at_least(self, games: int, found: dict[str, Any] | None) -> int:
        """Return `games`, or what lies there already if that is more: a dataset grows, it does not shrink."""
        held = [sum(p["games"] for p in self.played.values() if p["cell"] == one.index) for one in self.cells]
        if found and found["games"] > games and min(held) >= found["games"]:
            self.tell(
                f"{self.folder} already holds {found['games']:,} games a cell, and {games:,} are asked for: "
                "nothing was to be played"
            )
            return int(found["games"])
        # Of a larger sweep that was stopped: the fewest games whose whole blocks take in all that is there.
        whole = max(had - one.block_games + 1 for had, one in zip(held, self.designs, strict=True))
        return max(games, whole)

    def _play_parts(self, ahead: list[Part]) -> None:
        from joblib import Parallel, delayed

        lib = self.cells[0].game.fast(self.tell)
        workers = Parallel(
            n_jobs=min(self.jobs, len(ahead)),
            backend="threading",
            return_as="generator_unordered",
            pre_dispatch="2*n_jobs",
            batch_size=1,
        )
        for entry in workers(delayed(self._play_part)(lib, part) for part in ahead):
            if entry is not None:
                self.played[entry["cell"], entry["index"]] = entry
                if time.monotonic() - self.saved > SAVE:
                    self._save()
        self._save()

    def _play_part(self, lib: types.SimpleNamespace, part: Part) -> dict[str, Any] | None:
        """Play one part and write its files; nothing if the sweep is being stopped."""
        cell, one = self.cells[part.cell], self.designs[part.cell]
        step = max(1, CHUNK // part.block_games)
        end = part.first_block + part.blocks
        batches, room = [], TURNS
        for first in range(part.first_block, end, step):
            if self.stop.is_set():
                return None
            blocks = np.arange(first, min(first + step, end))
            batch, room = self._play_blocks(lib, cell, one, blocks, room)
            batches.append(batch)
            self._tell_progress(len(batch.games))
        tables = self.schema.tables(cell, batches, one)
        kept = {name: tables[name] for name in self._tables()}
        return {
            "cell": part.cell,
            "index": part.index,
            "first_game": part.first_game,
            "games": part.games,
            "seats_rows": len(tables["seats"]),
            "turns_rows": len(tables["turns"]) if self.scenario.turns else 0,
            "files": dataset.write_part(self.folder, kept, part.name),
        }

    def _play_blocks(
        self, lib: types.SimpleNamespace, cell: Cell, one: Design, blocks: np.ndarray, room: int
    ) -> tuple[Batch, int]:
        """Play some blocks; with turns, again with more room until every turn has its row."""
        numbers, block_of_game, lineup = one.of(blocks)
        while True:
            turns = room if self.scenario.turns else 0
            batch = cells_.play(cell, lib, numbers, block_of_game, lineup, self.scenario.seed, turns)
            full = len(batch.turns) + cell.players > turns * len(numbers) * cell.players
            if not turns or not full:
                return batch, room
            room *= 2

    def _tell_progress(self, games: int) -> None:
        with self.progress:
            self.done += games
            self.watch(self.done, self.wanted, len(self.cells))

    # --- the manifest

    def _save(self) -> None:
        order = sorted(self.played, key=lambda key: (key[1], key[0]))
        self.manifest["parts"] = [self.played[key] for key in order]
        self.manifest["signature"] = dataset.signature(self.manifest, self.cells[0].game)
        dataset.write_manifest(self.folder, self.manifest)
        self.saved = time.monotonic()
