"""Datasets: a folder of Parquet parts under a manifest that says what they are and where from.

`open` gives them back as LazyFrames. The folder holds `manifest.json`, `games/`, `seats/` and, where
asked for, `turns/`. `rows` makes the tables, `description` and `manifest` the manifest.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance import manifest as manifests
from balance import store
from balance.errors import DatasetError
from balance.store import Store, said

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


TABLES = ("games", "seats", "turns")
CHECK = "check its permissions"


@dataclass(frozen=True)
class Dataset:
    """A run on disk. Its tables read only the parts that the manifest names, and only if they are whole.

    With `first_only` they hold the first game of each block alone: of a contrast, the untreated ones.

    Attributes
    ----------
    path
        The folder, or an address in object storage.
    """

    path: Path | str
    manifest: dict[str, Any]
    first_only: bool = False
    trusted: set[str] = field(default_factory=set, compare=False, repr=False)  # files whose checksum holds

    def __repr__(self) -> str:
        games = sum(self.played(cell["index"]) for cell in self.manifest["cells"])
        return f"<Dataset {self.path}: {games:,} games of {self.manifest['game']}>"

    def games(self) -> pl.LazyFrame:
        """Return a row a game."""
        return self._scan("games")

    def seats(self) -> pl.LazyFrame:
        """Return a row a seat a game."""
        return self._scan("seats")

    def turns(self) -> pl.LazyFrame:
        """Return a row a seat a turn, if the scenario asked for turns.

        Raises
        ------
        DatasetError
            If it did not.
        """
        return self._scan("turns")

    @property
    def untreated(self) -> Dataset:
        """The games of a contrast in which no seat is treated."""
        return dataclasses.replace(self, first_only=True)

    @property
    def whole(self) -> Dataset:
        """All games."""
        return dataclasses.replace(self, first_only=False)

    @property
    def complete(self) -> bool:
        """Say whether all games that were wanted are there."""
        precision = self.manifest["precision"]
        if precision is not None and not precision["settled"]:
            return False
        return all(self.played(cell["index"]) >= self.manifest["games"] for cell in self.manifest["cells"])

    def played(self, cell: int) -> int:
        """Count the games of a cell."""
        return sum(part["games"] for part in self.manifest["parts"] if part["cell"] == cell)

    def to_pandas(self, table: str = "seats") -> pd.DataFrame:
        """Return a table ("games", "seats" or "turns") for pandas."""
        return self._scan(table).collect().to_pandas()

    def of_game(self, table: str, cell: int, game: int) -> pl.LazyFrame:
        """Return a table's rows of one game, from the one part that holds it.

        Raises
        ------
        DatasetError
            If there is none, or its part is missing or was altered.
        """
        import polars as pl

        held = [
            part["files"][table]
            for part in self.manifest["parts"]
            if part["cell"] == cell and 0 <= game - part["first_game"] < part["games"]
        ]
        if not held:
            raise DatasetError(f"cell {cell} holds no game {game}", where=str(self.path), remedy="sweep on")
        return pl.scan_parquet(self._whole(held)).filter(pl.col("game") == game)

    def _scan(self, table: str) -> pl.LazyFrame:
        import polars as pl

        files = [part["files"][table] for part in self.manifest["parts"] if table in part["files"]]
        if not files:
            wanted = "set turns = true in the scenario" if table == "turns" else "sweep into it first"
            raise DatasetError(f"holds no {table}", where=str(self.path), remedy=wanted)
        rows = pl.scan_parquet(self._whole(files))
        if not self.first_only:
            return rows
        sizes = {cell["index"]: cell["block_games"] for cell in self.manifest["cells"]}
        block_games = pl.col("cell").replace_strict(list(sizes), list(sizes.values()), return_dtype=pl.Int64)
        return rows.filter(pl.col("game") % block_games == 0)

    def _whole(self, files: Sequence[Mapping[str, Any]]) -> list[Path]:
        """Return the files' places on this machine, each once its checksum was found to hold."""
        at = store.at(self.path)

        def check(file: Mapping[str, Any]) -> Path:
            try:
                place = at.path(file["path"], file["sha256"])
                if file["path"] not in self.trusted:
                    if digest_file(place) != file["sha256"]:
                        raise altered(f"{self.path}/{file['path']}")
                    self.trusted.add(file["path"])
            except FileNotFoundError:
                raise missing(file["path"], self.path) from None
            except OSError as error:
                raise DatasetError(
                    f"cannot be read ({said(error)})",
                    where=f"{self.path}/{file['path']}",
                    remedy=CHECK,
                ) from None
            return place

        with ThreadPoolExecutor() as pool:
            return list(pool.map(check, files))


def digest_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def altered(where: str) -> DatasetError:
    """Return the error for a part whose checksum does not hold."""
    return DatasetError(
        "was changed since it was written",
        where=where,
        remedy="delete it and sweep again with the same command: it is played again",
    )


def missing(path: str, where: Path | str) -> DatasetError:
    """Return the error for a part that the manifest names and that is not there."""
    return DatasetError(f"{path} is missing", where=str(where), remedy="sweep again to remake it")


def open(path: Path | str) -> Dataset:
    """Open a dataset's folder, or one at an address in object storage such as `s3://bucket/name`.

    Raises
    ------
    DatasetError
        If there is none, if its manifest was edited, or if a part is missing or was cut off.
    """
    if not store.is_address(path):
        path = Path(path)
    at = store.at(path)
    found = _described(at)
    try:
        _measure(at, found)
    except DatasetError:  # a sweep that goes on there may just have replaced a part
        found = _described(at)
        _measure(at, found)
    return Dataset(path, found)


def _described(at: Store) -> dict[str, Any]:
    try:
        found = manifests.read(at)
    except OSError as error:
        raise DatasetError(f"cannot be read ({said(error)})", where=at.where, remedy=CHECK) from None
    if found is None:
        raise DatasetError("holds no dataset", where=at.where, remedy="give the folder of a sweep")
    return found


def _measure(at: Store, found: Mapping[str, Any]) -> None:
    """Refuse a part that is missing or has another size than it was written with."""
    sizes = {f"{table}/{name}": size for table in TABLES for name, size in at.sizes(table).items()}
    for part in found["parts"]:
        for file in part["files"].values():
            if file["path"] not in sizes:
                raise missing(file["path"], at.where)
            if sizes[file["path"]] != file["bytes"]:
                raise altered(f"{at.where}/{file['path']}")
