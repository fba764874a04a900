"""Datasets: a folder of Parquet parts under a manifest that says what they are and where from.

`write` turns result rows into flat tables and files; `open` gives them back as LazyFrames. The
folder holds `manifest.json`, `games/`, `seats/` and, where asked for, `turns/`. The manifest
names no time, host or number of workers: the same run gives the same bytes everywhere.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import __version__, contrast, games, records, store, thinking
from balance import manifest as manifests
from balance.cell import GENERATED, OWN, Batch, Cell
from balance.errors import DatasetError
from balance.games import Column, Game
from balance.manifest import SCHEMA
from balance.store import Store, said

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from balance.design import Design
    from balance.scenario import Scenario

TABLES = ("games", "seats", "turns")
CHECK = "check its permissions"


# --- rows to tables -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Schema:
    """What the columns of a run's tables mean: the game, all bots of all its cells, the treatments."""

    game: Game
    bots: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, tuple[str, ...]]  # of each category, over all cells
    treatments: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()

    @classmethod
    def of(cls, cells: Sequence[Cell], designs: Sequence[Design] = ()) -> Schema:
        """Collect names over `cells` and their `designs`, each once, in order."""
        game = cells[0].game
        bots = dict.fromkeys(name for cell in cells for name in cell.bot_names)
        levels = {
            factor.name: tuple(dict.fromkeys(key for cell in cells for key in cell.levels(factor.name)))
            for factor in game.factors
        }
        treatments = tuple(treatment.key for treatment in cells[0].treatments)
        layouts = dict.fromkeys(key for one in designs if one.layouts for key in one.layouts.keys)
        return cls(game, tuple(bots), levels, _labels(cells), treatments, tuple(layouts))

    def tables(
        self, cell: Cell, batches: Sequence[Batch], design: Design | None = None
    ) -> dict[str, pl.DataFrame]:
        """Turn the rows of `batches`, all of `cell`, into one flat table each of games, seats and turns.

        Where the run has layouts, games and seats say by `design` which one their block has.
        """
        rows = {
            "games": [batch.games for batch in batches],
            "seats": [batch.seats for batch in batches],
            "turns": [batch.turns for batch in batches],
        }
        tables = {
            "games": self._games(cell, rows["games"], rows["seats"]),
            "seats": self._seats(cell, rows["seats"]),
            "turns": self._turns(cell, rows["turns"]),
        }
        if self.layouts and design is not None:
            for name in ("games", "seats"):
                layout = self._layout(design, tables[name]["block"].to_numpy())
                tables[name].insert_column(tables[name].get_column_index("block") + 1, layout)
        return tables

    def _layout(self, design: Design, blocks: np.ndarray) -> pl.Series:
        found = design.layout_of(blocks)
        numbers = np.full(len(blocks), -1) if found is None else found
        keys = design.layouts.keys if design.layouts else ()
        return _text(numbers, keys, self.layouts).alias("layout")

    def _games(self, cell: Cell, rows: list[np.recarray], seats: list[np.recarray]) -> pl.DataFrame:
        columns = _plain(cell, rows, records.GAME_ROW, {"seats": "players"})
        columns["finished"] = columns["finished"].cast(bool)
        if self.treatments:
            columns["contrast"] = self._contrast(self._treated(cell, seats).max(axis=1))
        return _frame(columns | self._own(cell, rows, self.game.game_columns))

    def _treated(self, cell: Cell, rows: list[np.recarray]) -> np.ndarray:
        """Return the number of each seat's treatment, 0 for none, shape (games, seats)."""
        return (_field(rows, "bot") // len(cell.bot_names)).reshape(-1, cell.players)

    def _contrast(self, numbers: np.ndarray) -> pl.Series:
        return _text(numbers - 1, self.treatments, self.treatments)

    def _seats(self, cell: Cell, rows: list[np.recarray]) -> pl.DataFrame:
        columns = _plain(cell, rows, records.SEAT_ROW, {})
        order = ("cell", "game", "block", "seat", "side", "bot", "share", "score", "rank")
        columns = {name: columns[name] for name in order}
        columns["seat"], columns["side"] = columns["seat"] + 1, columns["side"] + 1
        columns["bot"] = _text(_field(rows, "bot") % len(cell.bot_names), cell.bot_names, self.bots)
        if self.treatments:
            import polars as pl

            treated = self._treated(cell, rows)
            columns["contrast"] = self._contrast(np.repeat(treated.max(axis=1), cell.players))
            columns["treated"] = pl.Series("treated", treated.ravel() > 0)
        for factor, keys in self.levels.items():
            columns[factor] = _text(_field(rows, factor), cell.levels(factor), keys)
        return _frame(columns | self._own(cell, rows, self.game.seat_columns))

    def _turns(self, cell: Cell, rows: list[np.recarray]) -> pl.DataFrame:
        columns = _plain(cell, rows, records.TURN_ROW, {})
        columns["seat"] = columns["seat"] + 1
        return _frame(columns)

    def _own(self, cell: Cell, rows: list[np.recarray], columns: Sequence[Column]) -> dict[str, pl.Series]:
        """Return a game's own columns: categories as text, flags as Booleans."""
        import polars as pl

        result = {}
        for column in columns:
            values = _field(rows, column.name)
            if column.role == "category":
                names = column.all_labels(cell.components)
                result[column.name] = _text(values, names, self.labels[column.name])
            elif column.role == "flag":
                result[column.name] = pl.Series(column.name, values != 0)
            else:
                result[column.name] = pl.Series(column.name, values)
        return result


def _labels(cells: Sequence[Cell]) -> dict[str, tuple[str, ...]]:
    """Collect the labels of each category over `cells`, each once, in order."""
    game = cells[0].game
    return {
        column.name: tuple(
            dict.fromkeys(label for cell in cells for label in column.all_labels(cell.components))
        )
        for column in (*game.game_columns, *game.seat_columns)
        if column.role == "category"
    }


def _frame(columns: Mapping[str, pl.Series]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame([series.alias(name) for name, series in columns.items()])


def _field(rows: list[np.recarray], name: str) -> np.ndarray:
    """Join one field of several batches: fields, not rows, since padding bytes are unspecified."""
    return np.concatenate([np.asarray(part[name]) for part in rows])


def _plain(
    cell: Cell, rows: list[np.recarray], fields: Sequence[tuple[str, str]], names: Mapping[str, str]
) -> dict[str, pl.Series]:
    """Return the cell's number and the engine's own fields."""
    import polars as pl

    count = sum(len(part) for part in rows)
    columns = {"cell": pl.Series("cell", np.full(count, cell.index, dtype=np.int32))}
    for name, _ in fields:
        columns[names.get(name, name)] = pl.Series(name, _field(rows, name))
    return columns


def _text(values: np.ndarray, names: Sequence[str], all_names: Sequence[str]) -> pl.Series:
    """Turn positions in `names` into text; a position outside is missing."""
    import polars as pl

    codes = np.array([all_names.index(name) for name in names] or [0], dtype=np.uint32)
    known = (values >= 0) & (values < len(names))
    series = pl.Series(codes[np.where(known, values, 0)])
    text = pl.Series(list(all_names), dtype=pl.Enum(list(all_names))).gather(series)
    return text if known.all() else text.zip_with(pl.Series(known), pl.Series([None], dtype=text.dtype))


# --- files --------------------------------------------------------------------------------------


def encoded(table: pl.DataFrame) -> bytes:
    """Return a table as the bytes of a Parquet file."""
    data = io.BytesIO()
    table.write_parquet(data, compression="zstd", statistics=True)
    return data.getvalue()


def write_part(store: Store, files: Mapping[str, bytes], name: str) -> dict[str, dict[str, Any]]:
    """Write the files of one part.

    Returns
    -------
    dict
        Table -> `path` within the dataset, `sha256` and `bytes`.
    """
    written = {}
    for table, data in files.items():
        path = f"{table}/{name}.parquet"
        store.write(path, data)
        written[table] = {"path": path, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    return written


# --- what a manifest says -----------------------------------------------------------------------


def describe(scenario: Scenario, cells: Sequence[Cell], designs: Sequence[Any]) -> dict[str, Any]:
    """Return the manifest of a run before its first part: what shapes the rows, and where data come from."""
    game, labels = cells[0].game, _labels(cells)
    run = _run(scenario, cells, designs)
    return {
        "schema": SCHEMA,
        "game": game.id,
        "title": scenario.title or game.title,
        "question": scenario.question,
        "scenario": _resolved(scenario),
        "scenario_text": scenario.text,
        "seed": scenario.seed,
        "games": scenario.games,
        "players": list(dict.fromkeys(cell.players for cell in cells)),
        "precision": None,
        "run": run,
        "signature": "",
        "versions": versions(),
        "cells": [
            {
                "index": cell.index,
                "label": cell.label,
                "players": cell.players,
                "bots": list(cell.bot_names),
                "changed": _jsonable(cell.changed),
                "notes": notes(cell, design),
                "block_games": design.block_games,
                "blank": _blank(cell),
                "choice": _jsonable(cell.choice),
                "size": cell.size,
            }
            for cell, design in zip(cells, designs, strict=True)
        ],
        "bots": _bots(cells),
        "varied": _varied(scenario, game),
        "primary": scenario.primary or _primary(cells, designs),
        "contrast": contrast.described(game, cells[0].treatments, cells[0].components),
        "factors": _factors(game, cells, designs),
        "layouts": _layouts(designs),
        "columns": {
            "game": [_column(column, labels) for column in game.game_columns],
            "seat": [_column(column, labels) for column in game.seat_columns],
        },
        "provenance": provenance(cells, designs),
        "controls": {},
        "parts": [],
    }


def versions() -> dict[str, str]:
    """Return the versions of what shapes a dataset's bytes."""
    import platform

    import numba
    import polars

    return {
        "balance": __version__,
        "numba": numba.__version__,
        "numpy": np.__version__,
        "polars": polars.__version__,
        "python": platform.python_version(),
    }


def signature(manifest: Mapping[str, Any], game: Game) -> str:
    """Return the line from which a run can be repeated: game, rules, bots, seed, games, code, versions."""
    bots = dict.fromkeys(name for cell in manifest["cells"] for name in cell["bots"])
    parts = {
        "game": game.id,
        "version": str(game.version),
        "players": "+".join(map(str, manifest["players"])),
        "rules": _digest([cell["changed"] for cell in manifest["cells"]])[:8],
        "bots": "+".join(bots),
        "seed": str(manifest["seed"]),
        "games": f"{len(manifest['cells'])}x{manifest['games']}",
        "run": manifest["run"][:8],
        "code": game.digest[:8],
    } | manifest["versions"]
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _run(scenario: Scenario, cells: Sequence[Cell], designs: Sequence[Any]) -> str:
    """Digest all that shapes rows, except how many there are."""
    game = cells[0].game
    shape: list[Any] = [game.id, game.version, game.digest, __version__, scenario.seed, scenario.turns]
    for cell, design in zip(cells, designs, strict=True):
        levels = {name: cell_levels(cell, design, name) for name in design.levels}
        shape.append(
            [
                cell.players,
                cell.label,
                records.fingerprint(cell.rules),
                cell.components,
                cell.bot_names,
                records.fingerprint(cell.hands),
                levels,
                design.block_games,
                [treatment.key for treatment in cell.treatments],
            ]
        )
    return _digest(shape)


def _digest(value: Any) -> str:
    text = json.dumps(_jsonable(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _jsonable(value: Any) -> Any:
    """Return `value` with plain lists, tables with text keys, and numbers."""
    if isinstance(value, Mapping):
        return {str(key): _jsonable(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_jsonable(inner) for inner in value]
    if isinstance(value, np.generic):
        return _jsonable(value.item())
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def cell_levels(cell: Cell, design: Any, name: str) -> list[str]:
    """Return the keys in play of a factor, or the names of the bots."""
    keys = cell.bot_names if name == "bot" else cell.levels(name)
    return [keys[position] for position in design.levels[name]]


def notes(cell: Cell, design: Any) -> list[str]:
    """Return what the game has to say of a cell before its numbers are read."""
    return cell.game.notes(cell, {name: cell_levels(cell, design, name) for name in design.levels})


def _resolved(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario with its settings laid over it: what `scenario.again` reads."""
    told = ("game", "title", "question", "players", "seed", "until", "primary", "band", "turns")
    plain = (*told, "bots", "rules", "vary", "blank", "components")
    values = {name: getattr(scenario, name) for name in plain}
    if scenario.contrast:
        values["contrast"] = scenario.contrast
    kinds = {factor.components: "all" for factor in games.get(scenario.game).factors}
    variants = [{"name": variant.name} | variant.changes() for variant in scenario.variants]
    return _jsonable(values | {"field": kinds | scenario.field, "variants": variants})


def _varied(scenario: Scenario, game: Game) -> list[dict[str, str]]:
    """List what a scenario varies, and how certain the rulebook's own value is ("" if it is no rule)."""
    certainty = {f"rules.{rule.name}": rule.certainty for rule in game.rules}
    return [
        {"key": key, "certainty": certainty.get(".".join(key.split(".")[:2]), "")} for key in scenario.vary
    ]


def _primary(cells: Sequence[Cell], designs: Sequence[Any]) -> str:
    """Name the family that the run is about: the primary factor, the bots or the seats."""
    for factor in cells[0].game.factors:
        if factor.primary and any(len(design.levels[factor.name]) > 1 for design in designs):
            return factor.name
    return "bot" if any(len(cell.bot_names) > 1 for cell in cells) else "seat"


def _bots(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what the bots of the run are in full, as the first cell that has each plays it."""
    game = cells[0].game
    found: dict[str, Any] = {}
    searches: dict[str, Any] = {}
    for cell in cells:
        for name, record in zip(cell.bot_names, cell.bots, strict=True):
            if name not in found:
                found[name], searches[name] = record, thinking.told(record["mind"], cell.thinkers)
    return {
        name: {
            "kind": game.kinds[record["kind"]],
            "weights": {weight.name: float(record[weight.name]) for weight in game.weights},
            "bar": [bar for number, (bar, _) in enumerate(game.bars) if int(record["bars"]) >> number & 1],
            "gift": [
                gift for number, (gift, _) in enumerate(game.gifts) if int(record["gifts"]) >> number & 1
            ],
            **searches[name],
        }
        for name, record in found.items()
    }


def _factors(game: Game, cells: Sequence[Cell], designs: Sequence[Any]) -> list[dict[str, Any]]:
    factors = []
    for factor in game.factors:
        levels: dict[str, dict[str, Any]] = {}
        for cell, design in zip(cells, designs, strict=True):
            for key in cell_levels(cell, design, factor.name):
                entry = cell.components[factor.components][key]
                levels.setdefault(key, {"key": key} | _name_and_certainty(key, entry))
        factors.append(
            {
                "name": factor.name,
                "label": factor.label,
                "primary": factor.primary,
                "unique": factor.unique,
                "levels": list(levels.values()),
            }
        )
    return factors


def _blank(cell: Cell) -> dict[str, Any] | None:
    """Return what a cell lacks that another has, or nothing."""
    if cell.blank is None:
        return None
    factor = next(one.name for one in cell.game.factors if one.components == cell.blank.kind)
    part = cell.blank.part
    return {
        "factor": factor,
        "level": cell.blank.key,
        "part": part.name,
        "note": part.note,
        "base": cell.blank.base,
    }


def _layouts(designs: Sequence[Any]) -> dict[str, Any] | None:
    """Return the factor that is laid out and all layouts, or nothing."""
    found = [design.layouts for design in designs if design.layouts]
    if not found:
        return None
    levels = {level["key"]: level for layouts in reversed(found) for level in layouts.described()}
    keys = dict.fromkeys(key for layouts in found for key in layouts.keys)
    return {"factor": found[0].factor, "levels": [levels[key] for key in keys]}


def _name_and_certainty(key: str, entry: Mapping[str, Any]) -> dict[str, str]:
    name = entry.get("name", key.replace("_", " ").replace("-", " ").title())
    return {"name": str(name), "certainty": str(entry.get("certainty", ""))}


def _column(column: Column, labels: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    told = {
        "name": column.name,
        "role": column.role,
        "label": column.label,
        "labels": list(labels.get(column.name, ())),
    }
    if column.of:
        told["of"] = column.of
    if column.deal:
        told |= {"deal": column.deal, "pays": list(column.pays)}
    return told


def provenance(cells: Sequence[Cell], designs: Sequence[Any]) -> list[dict[str, str]]:
    """List where the data in play come from, and how certain they are.

    All components in play, none left in the box, that state a source or a certainty, at any depth;
    content of the scenario's own; rules that were changed, or do not stand in the rule text.
    """
    found: dict[tuple[str, str, str], dict[str, str]] = {}  # a cell may change what another plays as printed
    for cell, design in zip(cells, designs, strict=True):
        if cell.blank is not None:
            continue  # what it lacks is told with what it is worth
        played = {factor.components: cell_levels(cell, design, factor.name) for factor in cell.game.factors}
        lines: list[dict[str, str]] = []
        for kind, entries in cell.components.items():
            if kind in cell.game.left_out(cell.rules[0]):
                continue
            for key in played.get(kind, entries):
                lines += _sources(f"{kind}.{key}", entries[key], key)
        for rule in cell.game.rules:
            path = f"rules.{rule.name}"
            own = path in cell.changed
            entry = {"name": rule.note, "certainty": rule.certainty, "source": rule.source}
            if own or rule.certainty != "seed":
                lines.append(_item(path, entry | (OWN if own else {}), rule.name))
        for line in _drawn_together(lines):
            found.setdefault((line["what"], line["certainty"], line["source"]), line)
    return list(found.values())


def _drawn_together(lines: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield `lines`, those of one kind that a generator made as a single line."""
    made = [line for line in lines if line["certainty"] == GENERATED]
    yield from (line for line in lines if line["certainty"] != GENERATED)
    for kind in dict.fromkeys(line["what"].partition(".")[0] for line in made):
        own = [line for line in made if line["what"].startswith(f"{kind}.")]
        yield own[0] | {"what": f"{kind}.drawn", "name": f"{len(own)} drawn {kind}"}


def _sources(path: str, value: Any, name: str) -> Iterator[dict[str, str]]:
    """Walk through `value` for tables that state a source or a certainty."""
    if isinstance(value, Mapping):
        if "certainty" in value or "source" in value:
            yield _item(path, value, name)
        for key, inner in value.items():
            yield from _sources(f"{path}.{key}", inner, str(key))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value, start=1):
            yield from _sources(f"{path}.{number}", inner, f"{name} {number}")


def _item(path: str, entry: Mapping[str, Any], key: str) -> dict[str, str]:
    return {
        "what": path,
        **_name_and_certainty(key, entry),
        "source": str(entry.get("source", "")),
        "note": str(entry.get("note", "")),
    }


# --- reading ------------------------------------------------------------------------------------


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
