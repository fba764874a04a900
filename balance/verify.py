"""Is a dataset what its manifest says, and do its games play again to the same rows?

Looks at the manifest (its seal, and what this version would write of the same scenario), at every
part (there, whole, of the agreed columns and rows), and plays a sample of games again. Of a part that
was altered it says which game and column differ, as far as it can still be read.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import dataset, description, design, manifest, scenario, store
from balance.cell import Batch, Cell
from balance.errors import BalanceError, DatasetError
from balance.games import get
from balance.parts import Part, Player
from balance.records import make
from balance.store import Store, said

if TYPE_CHECKING:
    import polars as pl

    from balance.scenario import Scenario

SAMPLE = 1_000  # games that are played again, unless one asks for other
BLOCKS = 2  # blocks of a part that are played again, at least
# What `describe` cannot foretell.
CHANGES = ("digest", "parts", "signature", "versions", "games", "precision", "controls")
KEYS = ("cell", "index", "first_game", "games", "seats_rows", "turns_rows", "files")


@dataclass(frozen=True)
class Fault:
    """Something wrong: where (a file of the dataset), and what."""

    where: str
    what: str


@dataclass(frozen=True)
class Verdict:
    """What verification came to.

    Attributes
    ----------
    parts, games, replayed
        How many were looked at, are there, and were played again.
    complete
        Whether all games that were wanted are there.
    notes
        What is worth knowing and no fault.
    """

    path: Path | str
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    parts: int = 0
    games: int = 0
    replayed: int = 0
    complete: bool = False


def verify(path: Path | str, games: int = SAMPLE, tell: Callable[[str], None] = lambda line: None) -> Verdict:
    """Check a dataset.

    Parameters
    ----------
    games
        How many games to play again, spread over all parts and in whole blocks.
    tell
        Hears a line when code is compiled.

    Raises
    ------
    DatasetError
        If there is no dataset at all.
    """
    at = store.at(path if store.is_address(path) else Path(path))
    try:
        found = manifest.parsed(at)
    except DatasetError as error:
        return Verdict(path, (Fault(manifest.MANIFEST, error.what),))
    if found is None:
        raise DatasetError("holds no dataset", where=at.where, remedy="give the folder of a sweep")
    check = _Check(at, found, games, tell)
    faults = tuple(check.faults())
    held = sum(part["games"] for part in check.parts)
    complete = not faults and dataset.Dataset(path, found).complete
    return Verdict(path, faults, tuple(check.notes), len(check.parts), held, check.replayed, complete)


class _Check:
    def __init__(self, at: Store, found: dict[str, Any], games: int, tell: Callable[[str], None]) -> None:
        self.at, self.manifest, self.games, self.tell = at, found, games, tell
        self.parts: list[Mapping[str, Any]] = []
        self.notes: list[str] = []
        self.replayed = 0  # games; none are if the scenario was edited: `games` is -1 then
        self.lib: Any = None

    def faults(self) -> Iterator[Fault]:
        sealed = self.manifest.get("digest") == manifest.digest(self.manifest)
        try:
            asked = scenario.again(self.manifest["scenario"])
            cells = design.cells(asked)
            designs = design.designs(asked, cells)
            described = description.describe(asked, cells, designs)
        except BalanceError as error:
            yield Fault(manifest.MANIFEST, f"its scenario can no longer be played: {error}")
            return
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            yield Fault(manifest.MANIFEST, f"was edited: its scenario cannot be read ({_brief(error)})")
            return
        edited = list(self._edited(described, asked, sealed))
        yield from edited
        if not sealed and not edited:
            yield Fault(manifest.MANIFEST, "was edited since it was written")
        self.player = Player(asked, cells, designs, described["primary"])
        entries = list(self._entries(cells))
        yield from (entry for entry in entries if isinstance(entry, Fault))
        self.parts = [entry for entry in entries if not isinstance(entry, Fault)]
        yield from self._left_over()
        for number, part in enumerate(self.parts):
            yield from self._part(part, self._share(number))

    # --- the manifest

    def _edited(self, described: Mapping[str, Any], asked: Scenario, sealed: bool) -> Iterator[Fault]:
        """Name the keys that say something else than this version would write of the same scenario."""
        keys = [key for key in described if key not in (*CHANGES, "scenario_text", "run")]
        differ = [key for key in keys if self.manifest.get(key) != _plain(described[key])]
        unknown = sorted(set(self.manifest) - set(described) - {"digest"})
        for key in (*differ, *unknown):
            yield Fault(manifest.MANIFEST, f"its '{key}' was edited, or written by another version")
        if self.manifest.get("run") != described["run"]:
            other = self.manifest.get("versions") != description.versions()
            if sealed:
                self.notes.append(
                    "made by other "
                    + ("versions of the libraries" if other else "code")
                    + ": whether its games play the same here, the sample tells"
                )
            else:
                self.games = -1
                yield Fault(manifest.MANIFEST, "its 'run' or its 'scenario' was edited")
        wanted = self.manifest.get("games")
        if not isinstance(wanted, int) or isinstance(wanted, bool) or wanted < 1:
            yield Fault(manifest.MANIFEST, f"its 'games' was edited: {wanted!r}")
        elif not isinstance(self.manifest.get("versions"), dict):
            yield Fault(manifest.MANIFEST, "its 'versions' was edited")
        elif not differ and sealed and self.manifest.get("run") == described["run"]:
            signed = description.signature(self.manifest, get(asked.game))
            if self.manifest.get("signature") != signed:
                yield Fault(manifest.MANIFEST, "its 'signature' was edited")

    def _entries(self, cells: Sequence[Cell]) -> Iterator[Mapping[str, Any] | Fault]:
        """Yield the manifest's parts, and a fault for each that is none, or not where it belongs."""
        ends = [0] * len(cells)
        seen: set[tuple[int, int]] = set()
        for number, part in enumerate(self.manifest["parts"], start=1):
            where = f"{manifest.MANIFEST}, part {number}"
            if not _is_part(part, len(cells), self.player):
                yield Fault(where, "was edited: it is no part")
                continue
            cell = part["cell"]
            expected = self._expected(part)
            if expected is None or (cell, part["index"]) in seen or part["first_game"] != ends[cell]:
                yield Fault(where, "was edited, or a part before it is gone: its games do not follow on")
                ends[cell] = part["first_game"] + part["games"]
                continue
            seen.add((cell, part["index"]))
            ends[cell] = part["first_game"] + part["games"]
            yield part

    def _expected(self, part: Mapping[str, Any]) -> Part | None:
        """Return the part as whole blocks; nothing if it is not, or if its files are not its own."""
        size = self.player.designs[part["cell"]].block_games
        first, rest = divmod(part["first_game"], size)
        blocks, more = divmod(part["games"], size)
        made = Part(part["cell"], part["index"], first, blocks, size)
        paths = [file["path"] for file in part["files"].values()]
        own = [f"{table}/{made.name}.parquet" for table in self.player.tables]
        return made if not rest and not more and blocks > 0 and paths == own else None

    def _left_over(self) -> Iterator[Fault]:
        named = {file["path"] for part in self.manifest["parts"] if _has_files(part) for file in _files(part)}
        try:
            there = [f"{table}/{name}" for table in dataset.TABLES for name in self.at.names(table)]
        except OSError as error:
            yield Fault(self.at.where, f"cannot be read ({said(error)})")
            return
        spare = [name for name in there if name not in named]
        if spare:
            count = f"{len(spare)} file{'s' if len(spare) > 1 else ''}"
            self.notes.append(
                f"{count} not named in the manifest, such as {spare[0]}: left by a sweep that was "
                "stopped or is running; the next one removes what is not its own"
            )

    # --- a part

    def _share(self, number: int) -> int:
        """Return how many games of the part of this number are to be played again."""
        even = -(-self.games * (number + 1) // len(self.parts)) - -(-self.games * number // len(self.parts))
        size = self.player.designs[self.parts[number]["cell"]].block_games
        return max(even, BLOCKS * size) if self.games > 0 else 0

    def _part(self, part: Mapping[str, Any], games: int) -> Iterator[Fault]:
        """Check the files of one part, and play some of its games again; all, if it was altered."""
        frames: dict[str, pl.DataFrame] = {}
        whole = True
        for table, file in part["files"].items():
            path = file["path"]
            try:
                data = self.at.read(path)
            except OSError as error:
                data, whole = None, False
                yield Fault(path, f"cannot be read ({said(error)})")
                continue
            if data is None:
                whole = False
                yield Fault(path, "is missing")
                continue
            fault = _altered(data, file)
            if fault:
                whole = False
            frame = _frame(data)
            if frame is None:
                yield Fault(path, fault or "is no Parquet file")
                continue
            shape = self._shape(table, part, frame)
            if shape:
                yield Fault(path, f"{fault}; {shape}" if fault else shape)
                continue
            if fault:
                self.notes.append(f"{path}: all its games were played again, since its bytes were altered")
                yield Fault(path, fault)
            frames[table] = frame
        if frames and self.games >= 0 and (games or not whole):
            yield from self._again(part, frames, games if whole else part["games"])

    def _shape(self, table: str, part: Mapping[str, Any], frame: pl.DataFrame) -> str:
        """Say in what the columns or the number of rows differ from what they must be."""
        cell = self.player.cells[part["cell"]]
        empty = Batch(make(cell.game.game_row, 0), make(cell.game.seat_row, 0), make(cell.game.turn_row, 0))
        agreed = self.player.schema.tables(cell, [empty], self.player.designs[part["cell"]])[table].schema
        if frame.schema != agreed:
            names = [
                name for name in {**agreed, **frame.schema} if frame.schema.get(name) != agreed.get(name)
            ]
            return f"its columns are not those agreed ({', '.join(names) or 'their order'})"
        rows = {"games": part["games"], "seats": part["seats_rows"], "turns": part["turns_rows"]}[table]
        if table == "seats" and rows != part["games"] * cell.players:
            return (
                f"the manifest gives it {rows:,} rows, not {cell.players} for each of {part['games']:,} games"
            )
        return "" if len(frame) == rows else f"has {len(frame):,} rows, not {rows:,}"

    def _again(
        self, part: Mapping[str, Any], frames: Mapping[str, pl.DataFrame], games: int
    ) -> Iterator[Fault]:
        """Play blocks of a part again, evenly spread, and compare the rows."""
        import polars as pl

        made = self._expected(part)
        assert made is not None
        if self.lib is None:
            self.lib = self.player.cells[0].game.fast(self.tell)
        count = min(made.blocks, -(-games // made.block_games))
        chosen = made.first_block + np.unique(np.linspace(0, made.blocks - 1, count).round().astype(np.int64))
        batches = [
            batch
            for block in _runs(chosen)
            for batch in self.player.batches(
                self.lib, Part(made.cell, made.index, block[0], len(block), made.block_games)
            )
        ]
        played = self.player.schema.tables(
            self.player.cells[made.cell], batches, self.player.designs[made.cell]
        )
        self.replayed += len(chosen) * made.block_games
        for table, frame in frames.items():
            kept = frame.filter(pl.col("block").is_in(chosen.tolist()))
            differs = _first_difference(kept, played[table])
            if differs:
                yield Fault(part["files"][table]["path"], differs)


def _runs(blocks: np.ndarray) -> list[list[int]]:
    """Split numbers into runs without gaps."""
    return [run.tolist() for run in np.split(blocks, np.flatnonzero(np.diff(blocks) != 1) + 1)]


def _altered(data: bytes, file: Mapping[str, Any]) -> str:
    import hashlib

    if len(data) < file["bytes"]:
        return f"is cut off: {len(data):,} of {file['bytes']:,} bytes"
    if len(data) > file["bytes"]:
        return f"has grown: {len(data):,} bytes, not {file['bytes']:,}"
    if hashlib.sha256(data).hexdigest() != file["sha256"]:
        return "was altered: its checksum is another"
    return ""


def _frame(data: bytes) -> pl.DataFrame | None:
    """Read a Parquet file, whatever happened to it."""
    import polars as pl

    try:
        return pl.read_parquet(io.BytesIO(data))
    except BaseException as error:  # a damaged file may even panic in the reader
        if isinstance(error, (KeyboardInterrupt, SystemExit, MemoryError)):
            raise
        return None


def _first_difference(kept: pl.DataFrame, played: pl.DataFrame) -> str:
    """Say in which game and column the first rows that differ do so."""
    if len(kept) != len(played):
        return f"has {len(kept):,} rows of games that play again to {len(played):,}"
    for name in played.columns:
        same = kept[name].eq_missing(played[name])
        if not same.all():
            row = int(np.flatnonzero(~same.to_numpy())[0])
            seat = f", seat {played['seat'][row]}" if "seat" in played.columns else ""
            return (
                f"game {played['game'][row]}{seat}: {name} is {kept[name][row]}, "
                f"and plays again to {played[name][row]}"
            )
    return ""


def _plain(value: Any) -> Any:
    """Return `value` as it comes back from JSON."""
    import json

    return json.loads(json.dumps(value))


def _has_files(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and isinstance(part.get("files"), dict)
        and all(
            isinstance(file, dict) and isinstance(file.get("path"), str) for file in part["files"].values()
        )
    )


def _files(part: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(part["files"].values())


def _is_part(part: Any, cells: int, player: Player) -> bool:
    """Say whether a manifest's part has all it must have, each of its kind."""
    if not _has_files(part) or set(part) != set(KEYS):
        return False
    numbers = all(type(part[key]) is int and part[key] >= 0 for key in KEYS if key != "files")
    files = list(part["files"]) == list(player.tables) and all(
        set(file) == {"path", "sha256", "bytes"}
        and isinstance(file["sha256"], str)
        and type(file["bytes"]) is int
        for file in _files(part)
    )
    return numbers and files and part["cell"] < cells


def _brief(error: Exception) -> str:
    return " ".join(f"{type(error).__name__} {error}".split())[:120]
