"""Result rows as flat tables, and tables as the Parquet files of a part."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import records
from balance.cell import Batch, Cell
from balance.games import Column, Game
from balance.store import Store

if TYPE_CHECKING:
    import polars as pl

    from balance.design import Design


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
        return cls(game, tuple(bots), levels, labels_of(cells), treatments, tuple(layouts))

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


def labels_of(cells: Sequence[Cell]) -> dict[str, tuple[str, ...]]:
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
