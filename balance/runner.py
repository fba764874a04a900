"""Sweeps: the cells of a scenario, played part by part into a dataset.

A part is some thousands of games of one cell, whole blocks only, with bounds that do not depend on
how many games are wanted. Parts interleave over the cells. Each is written aside, synced and renamed,
then named in the manifest: a sweep that was stopped, by whatever, goes on with the same command
and ends with the same bytes, with any number of workers, here or on a cluster.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import signal
import threading
import time
import types
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from balance import dataset, description, design, manifest, pacing, store
from balance import scenario as scenarios
from balance.cell import Cell
from balance.dataset import Dataset
from balance.design import Design
from balance.errors import BalanceError, DatasetError, Stopped
from balance.log import LOG, Log
from balance.manifest import MANIFEST
from balance.parts import Part, Played, Player, block_means, bound, least, parts
from balance.rows import write_part
from balance.scenario import Scenario
from balance.store import ELSEWHERE, LOCK, Folder, Store, said

SAVE = 2.0  # seconds between two writings of the manifest, ...
SHARE = 0.02  # ... or more, so that they take at most this part of the time
LOOK_BLOCKS = 200  # fewest blocks before a sweep is looked at
LOOK_GROWTH = 1.5  # each look has so many times the games of the one before
MOST = 200_000  # games a cell where verdicts are waited for and the scenario names no most

Watch = Callable[[int, int, int], None]  # games done, games wanted, cells
Tell = Callable[[str], None]
Note = Callable[[int, float | None], None]  # cells finished, widest half-width so far


def looks(designs: Sequence[Design], most: int | None) -> Iterator[int]:
    """List the games per cell after which a sweep is looked at, without end unless there is a `most`."""
    first = least(designs)
    games = bound(LOOK_BLOCKS * max(one.block_games for one in designs), first)
    while most is None or games < most:
        yield games
        games = bound(
            games * LOOK_GROWTH, first
        )  # the end of a part, so that none is cut short and played again
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
    cluster: str | None = None,
    watch: Watch | None = None,
    note: Note | None = None,
    tell: Tell | None = None,
) -> Dataset:
    """Play a scenario into the folder `out`, or go on with it there.

    `out` may be an address in object storage, such as `s3://bucket/name` (extra `cloud`).

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
    cluster
        Play on the Dask cluster with this scheduler's address, or `local:2` (extra `cluster`).
    watch
        Hears `(games done, games wanted, cells)`, from any thread, one call at a time.
    note
        Hears `(cells finished, widest)` after each part: the widest half-width of the primary
        family's 95 % intervals so far, all levels at once (0 to 1; none while that is unknown).
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
    at = store.at(out)
    if pacing.timed(scenario):
        with _told(at.where):
            scenario = pacing.settle(scenario, manifest.read(at), tell or (lambda line: None))
    cells = design.cells(scenario)
    designs = design.designs(scenario, cells)
    described = description.describe(scenario, cells, designs)
    with _told(at.where):
        _refuse(at, described)
        with contextlib.ExitStack() as stack:
            client = None
            if cluster is not None:
                from balance import cluster as clusters

                client = stack.enter_context(clusters.connected(cluster))
            at.prepare(dataset.TABLES if scenario.turns else dataset.TABLES[:2])
            stack.enter_context(at.held())
            stop = stack.enter_context(_stoppable())
            how = {"cores": jobs or _cores()} if cluster is None else {"cluster": cluster}
            run = _Run(
                scenario, cells, designs, at, described, jobs or _cores(), client, stop, Log(at, **how)
            )
            run.watch, run.note, run.tell = watch or run.watch, note, tell or run.tell
            return run.all()


@contextlib.contextmanager
def _told(where: str) -> Iterator[None]:
    """Say in one line that a place cannot be used or written."""
    try:
        yield
    except OSError as error:
        raise DatasetError(f"cannot be written ({said(error)})", where=where, remedy=ELSEWHERE) from None


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


def _refuse(at: Store, described: dict[str, Any]) -> dict[str, Any] | None:
    """Return the manifest that lies in `at`, if any; refuse a place that holds something else."""
    if isinstance(at, Folder):
        _refuse_links(at)
    found = manifest.read(at)
    if found is not None:
        if found["run"] != described["run"]:
            raise DatasetError(
                f"holds another run ({_difference(found, described)})",
                where=at.where,
                remedy=f"{ELSEWHERE}, or delete that run",
            )
        return found
    # A sweep killed before its first manifest leaves empty folders, which are ours to use.
    kept = (LOCK, LOG, f".{LOG}.tmp", f".{MANIFEST}.tmp")
    foreign = [
        name for name in at.names() if name not in kept and (name not in dataset.TABLES or at.names(name))
    ]
    if foreign:
        raise DatasetError(f"holds other files ('{foreign[0]}')", where=at.where, remedy=ELSEWHERE)
    if isinstance(at, Folder):
        above = next(path for path in (at.root, *at.root.absolute().parents) if path.exists())
        if not os.access(above, os.W_OK | os.X_OK):
            raise DatasetError("may not be written to", where=at.where, remedy=ELSEWHERE)
    return None


def _refuse_links(at: Folder) -> None:
    """Refuse what is no folder, and links in it, through which a sweep would write or delete elsewhere."""
    if os.path.lexists(at.root) and not at.root.is_dir():
        raise DatasetError("is no folder", where=at.where, remedy=ELSEWHERE)
    for name in (*dataset.TABLES, MANIFEST, LOCK, LOG):
        if (at.root / name).is_symlink():
            raise DatasetError(f"'{name}' in it is a link to elsewhere", where=at.where, remedy=ELSEWHERE)


def _difference(found: dict[str, Any], described: dict[str, Any]) -> str:
    """Say in a few words in what two runs differ."""
    if found["game"] != described["game"]:
        return f"of {found['game']}"
    if found["seed"] != described["seed"]:
        return f"its seed is {found['seed']}"
    keys = [key for key, value in described["scenario"].items() if found["scenario"].get(key) != value]
    keys = [key for key in keys if key not in ("title", "question")]
    if keys:
        return f"it differs in {', '.join(keys)}"
    return "made by other code" if found["cells"] == described["cells"] else "its rules differ"


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
    at: Store
    manifest: dict[str, Any]
    jobs: int
    client: Any  # of the cluster, if there is one
    stop: threading.Event
    log: Log
    watch: Watch = lambda done, wanted, cells: None
    note: Note | None = None
    tell: Tell = lambda line: None
    played: dict[tuple[int, int], dict[str, Any]] = field(default_factory=dict)
    trusted: set[str] = field(default_factory=set)  # files whose checksum holds
    means: dict[tuple[int, str], np.ndarray] = field(default_factory=dict)  # see `parts.block_means`
    fresh: list[tuple[int, int]] = field(default_factory=list)  # parts that the manifest does not name yet
    done: int = 0
    wanted: int = 0
    left: Counter[int] = field(default_factory=Counter)  # parts still to be played, by cell
    due: float = 0.0  # when the manifest is to be written next
    progress: threading.Lock = field(default_factory=threading.Lock)
    manifests: threading.RLock = field(default_factory=threading.RLock)  # held while parts are named

    def __post_init__(self) -> None:
        self.player = Player(self.scenario, self.cells, self.designs, self.manifest["primary"])

    def all(self) -> Dataset:
        """Play all that is wanted and return the dataset."""
        try:
            found = _refuse(self.at, self.manifest)
            self._take_up(found)
            self._tidy()
            if self.scenario.until or self.scenario.precision is not None:
                self._play_until()
            else:
                self._play(self._at_least(self.scenario.games or scenarios.GAMES, found))
            self._control(found)
            self._save()
            self._tidy()
        except OSError as error:
            raise self._failed(error) from None
        except BaseException as error:
            with contextlib.suppress(OSError):
                self.log.save("stopped" if isinstance(error, Stopped) else str(error) or type(error).__name__)
            raise
        self.log.save("done")
        return self._dataset()

    def _dataset(self) -> Dataset:
        path = self.at.root if isinstance(self.at, Folder) else self.at.where
        return Dataset(path, self.manifest, trusted=self.trusted)

    def _failed(self, error: OSError) -> DatasetError:
        """Keep what can be kept when the place can no longer be written to, and say what to do."""
        self._save_somehow()
        with contextlib.suppress(OSError):
            self.log.save(said(error))
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        held = sum(file["bytes"] for part in self.played.values() for file in part["files"].values())
        more = held * (self.wanted - self._total()) / max(1, self._total())
        space = f"about {_megabytes(more)}" if more else "some space"
        return DatasetError(
            f"{'the disk is full' if full else f'cannot be written ({said(error)})'}; "
            f"{self._total():,} of {self.wanted:,} games are kept",
            where=self.at.where,
            remedy=f"{f'free {space}' if full else 'see to that'}, then run the same command to go on",
        )

    def _control(self, found: dict[str, Any] | None) -> None:
        """Play the controls, unless those of as many games are there."""
        from balance import controls

        known = (found or {}).get("controls", {})
        if known.get("games") != self.manifest["games"]:
            lib = self.cells[0].game.fast(self.tell)
            results = controls.play(self.scenario, self.cells, lib, self.manifest["games"])
            known = {"games": self.manifest["games"], "results": results}
        self.manifest["controls"] = known

    def _save_somehow(self) -> None:
        """Write the manifest on a disk that may be full: parts that it does not name yet make room for it."""
        while True:
            try:
                return self._save()
            except OSError:
                if not self.fresh:
                    return
                part = self.played.pop(self.fresh.pop())
                self._drop(file["path"] for file in part["files"].values())

    # --- what is there already

    def _take_up(self, found: dict[str, Any] | None) -> None:
        """Take over the parts that an earlier sweep finished; one that is missing is played again."""
        held = found["parts"] if found else []
        sizes = {
            f"{table}/{name}": size for table in self._tables() for name, size in self.at.sizes(table).items()
        }
        there = [part for part in held if all(file["path"] in sizes for file in part["files"].values())]
        for part in there:
            for file in part["files"].values():
                if sizes[file["path"]] != file["bytes"]:
                    raise dataset.altered(f"{self.at.where}/{file['path']}")
        self.played = {(part["cell"], part["index"]): part for part in there}
        if isinstance(self.at, Folder):  # to read all of an object storage again would take too long
            with ThreadPoolExecutor(self.jobs) as pool:
                list(pool.map(self._check, there))

    def _check(self, part: dict[str, Any]) -> None:
        """Refuse a part whose checksum does not hold; learn from it how wide intervals are so far."""
        for file in part["files"].values():
            if self.at.digest(file["path"]) != file["sha256"]:
                raise dataset.altered(f"{self.at.where}/{file['path']}")
            self.trusted.add(file["path"])
        if self.note is not None:
            import polars as pl

            columns = ["block", "share", self.player.family]
            place = self.at.path(part["files"]["seats"]["path"], part["files"]["seats"]["sha256"])
            self._learn(
                part["cell"], block_means(pl.read_parquet(place, columns=columns), self.player.family)
            )

    def _tables(self) -> tuple[str, ...]:
        return self.player.tables

    def _tidy(self) -> None:
        """Remove parts that the manifest does not name: left over by a kill, or grown since."""
        named = {file["path"] for part in self.played.values() for file in part["files"].values()}
        for table in self._tables():
            for name in self.at.names(table):
                if name.startswith(("part-", ".part-")) and f"{table}/{name}" not in named:
                    self.at.remove(f"{table}/{name}")

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

        run = self._dataset()
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
        self.manifest["games"] = games
        self.wanted = sum(-(-games // one.block_games) * one.block_games for one in self.designs)
        self.left = Counter(part.cell for part in self._ahead(games))
        self.done = self.wanted - sum(part.games for part in self._ahead(games))
        self._save()
        self._tell_progress(0)
        if self.left:
            self._play_parts(self._ahead(games))
        if self.stop.is_set():
            self._save()
            raise Stopped(
                f"stopped after {self._total():,} of {self.wanted:,} games",
                where=self.at.where,
                remedy="run the same command to go on",
            )

    def _ahead(self, games: int) -> Iterator[Part]:
        """Yield the parts of `games` games a cell that are still to be played."""
        for part in parts(self.designs, games):
            known = self.played.get((part.cell, part.index))
            if known is None or known["games"] < part.games:
                yield part

    def _total(self) -> int:
        return sum(part["games"] for part in self.played.values())

    def _at_least(self, games: int, found: dict[str, Any] | None) -> int:
        """Return `games`, or what lies there already if that is more: a dataset grows, it does not shrink."""
        held = [sum(p["games"] for p in self.played.values() if p["cell"] == one.index) for one in self.cells]
        if found and found["games"] > games and min(held) >= found["games"]:
            self.tell(
                f"{self.at.where} already holds {found['games']:,} games a cell, and {games:,} are asked "
                "for: nothing was to be played"
            )
            return int(found["games"])
        # Of a larger sweep that was stopped: the fewest games whose whole blocks take in all that is there.
        whole = max(had - one.block_games + 1 for had, one in zip(held, self.designs, strict=True))
        return max(games, whole)

    def _play_parts(self, ahead: Iterator[Part]) -> None:
        """Play parts, here or on the cluster, and name each in the manifest once its files are written."""
        with self._saving():
            try:
                for played, entry in self._here(ahead) if self.client is None else self._far(ahead):
                    with self.manifests:
                        self._name(played, entry)
                    self._learn(played.part.cell, played.means)
                    self._tell_note()
            except BalanceError:
                self._save()  # of a cluster that is lost, what had arrived is kept
                raise
        self._save()

    def _name(self, played: Played, entry: dict[str, Any]) -> None:
        """Take a part whose files are written into the manifest."""
        self.played[entry["cell"], entry["index"]] = entry
        self.fresh.append((entry["cell"], entry["index"]))
        self.trusted |= {file["path"] for file in entry["files"].values()}
        self.log.played(played.part.games, played.worker or "here")
        self.left[played.part.cell] -= 1
        if time.monotonic() > self.due:
            self._save()

    @contextlib.contextmanager
    def _saving(self) -> Iterator[None]:
        """Meanwhile, write the manifest when it is due: the next part may take long to come."""
        over = threading.Event()

        def save() -> None:
            while not over.wait(SAVE or 1.0):
                with self.manifests:
                    if self.fresh and time.monotonic() > self.due:
                        with contextlib.suppress(OSError):  # the sweep meets it itself, and says so
                            self._save()

        saver = threading.Thread(target=save, name="manifest", daemon=True)
        saver.start()
        try:
            yield
        finally:
            over.set()
            saver.join()

    def _here(self, ahead: Iterable[Part]) -> Iterator[tuple[Played, dict[str, Any]]]:
        """Play parts in threads of this process, which also write them."""
        from joblib import Parallel, delayed

        lib = self.cells[0].game.fast(self.tell)
        workers = Parallel(
            n_jobs=min(self.jobs, self.left.total()),
            backend="threading",
            return_as="generator_unordered",
            pre_dispatch="2*n_jobs",
            batch_size=1,
        )
        failed = None
        for done in workers(delayed(self._play_and_keep)(lib, part) for part in ahead):
            if isinstance(done, OSError):
                failed = done
            elif done is not None:
                yield done
        if failed is not None:
            raise failed

    def _play_and_keep(
        self, lib: types.SimpleNamespace, part: Part
    ) -> tuple[Played, dict[str, Any]] | OSError | None:
        """Play one part and write its files; nothing if the sweep is being stopped.

        If they cannot be written, the other threads are stopped too, and no file of the part is left.
        """
        if self.stop.is_set():
            return None
        played = self.player.play(lib, part, self.stop.is_set, self._tell_progress)
        try:
            return None if played is None else (Played(part, {}, {}, played.means), self._keep(played))
        except OSError as error:
            self.stop.set()
            return error

    def _far(self, ahead: Iterable[Part]) -> Iterator[tuple[Played, dict[str, Any]]]:
        """Have parts played by the workers of a cluster, and write what they return."""
        from balance import cluster

        for played in cluster.play(self.client, self.player, self.manifest["run"], ahead, self.stop):
            yield played, self._keep(played)
            self._tell_progress(played.part.games)

    def _keep(self, played: Played) -> dict[str, Any]:
        """Write a part's files, all or none, and return what the manifest says of it."""
        try:
            return played.entry() | {"files": write_part(self.at, played.files, played.part.name)}
        except OSError:
            self._drop(f"{table}/{played.part.name}.parquet" for table in played.files)
            raise

    def _drop(self, paths: Iterable[str]) -> None:
        for path in paths:
            with contextlib.suppress(OSError):
                self.at.remove(path)

    # --- how far it is

    def _tell_progress(self, games: int) -> None:
        with self.progress:
            self.done += games
            self.watch(self.done, self.wanted, len(self.cells))

    def _learn(self, cell: int, means: Any) -> None:
        with self.progress:
            for level, numbers in means.items():
                self.means[cell, level] = self.means.get((cell, level), 0) + numbers

    def _tell_note(self) -> None:
        if self.note is not None:
            finished = sum(self.left[cell.index] == 0 for cell in self.cells)
            with self.progress:
                self.note(finished, widest(self.means))

    # --- the manifest

    def _save(self) -> None:
        with self.manifests:
            self._write()

    def _write(self) -> None:
        started = time.monotonic()
        order = sorted(self.played, key=lambda key: (key[1], key[0]))
        self.manifest["parts"] = [self.played[key] for key in order]
        self.manifest["signature"] = description.signature(self.manifest, self.cells[0].game)
        manifest.write(self.at, self.manifest)
        self.fresh.clear()
        self.log.save()
        now = time.monotonic()
        self.due = now + max(SAVE, (now - started) / SHARE if SAVE else 0.0)


def widest(means: dict[tuple[int, str], np.ndarray]) -> float | None:
    """Return the widest half-width of a cell's 95 % intervals, all its levels at once, about.

    Parameters
    ----------
    means
        `parts.block_means` of each cell and level.
    """
    levels = Counter(cell for cell, _ in means)
    found = []
    for (cell, _), (blocks, total, squares) in means.items():
        if blocks < 2:
            return None
        spread = max(0.0, squares - total * total / blocks) / (blocks - 1)
        certain = 0.95 ** (1 / levels[cell])
        found.append(NormalDist().inv_cdf((1 + certain) / 2) * math.sqrt(spread / blocks))
    return max(found, default=None)


def _megabytes(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{max(1, round(size / 1e6)):,} MB"
