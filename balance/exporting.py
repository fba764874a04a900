"""The tables of a dataset for other programs: CSV, Parquet, or a workbook."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from balance import analysis
from balance.errors import BalanceError, DatasetError

if TYPE_CHECKING:
    from balance.dataset import Dataset

FORMATS = ("csv", "parquet", "xlsx")
SHEET = 1_048_575  # rows that a sheet holds below its heading
NAME = 31  # characters of a sheet's name, at most

Tell = Callable[[str], None]


def export(dataset: Dataset, format: str, out: Path | str, tell: Tell = lambda line: None) -> None:
    """Write all rows and the main tables of `dataset` to `out`, which appears whole or not at all.

    Parameters
    ----------
    format
        "csv" or "parquet": a folder with `games`, `seats` (and `turns`), a file each, and the tables of
        `balance summary` in `summary/`. "xlsx": one workbook with a sheet each; rows that no sheet
        holds are left out, and `tell` hears of it.

    Raises
    ------
    BalanceError
        If there is no such format, or `out` is there already.
    DatasetError
        If the dataset holds no game, or `out` cannot be written.
    """
    out = Path(out)
    if format not in FORMATS:
        raise BalanceError(
            f"there is no format '{format}'", where="--format", remedy=f"give {' or '.join(FORMATS)}"
        )
    if out.exists():
        raise BalanceError("is there already", where=str(out), remedy="name a new one")
    if not out.absolute().parent.is_dir():
        raise DatasetError("there is no such folder", where=str(out.parent), remedy="make it first")
    rows = _rows(dataset)
    tables = analysis.summary(dataset)
    try:
        aside = Path(tempfile.mkdtemp(dir=out.absolute().parent, prefix=f".{out.name[:100]}."))
        try:
            made = aside / ("made.xlsx" if format == "xlsx" else "made")
            if format == "xlsx":
                _workbook(made, rows, tables, tell)
            else:
                _folder(made, rows, tables, format)
            made.replace(out)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise DatasetError(
            f"cannot be written ({error.strerror or error})", where=str(out), remedy="free some space"
        ) from None


def _rows(dataset: Dataset) -> dict[str, pl.LazyFrame]:
    """Return the row tables, with the cell's label beside its number."""
    labels = pl.LazyFrame(
        {
            "cell": [cell["index"] for cell in dataset.manifest["cells"]],
            "label": [cell["label"] for cell in dataset.manifest["cells"]],
        },
        schema={"cell": pl.Int32, "label": pl.String},
    )
    frames = {"games": dataset.games(), "seats": dataset.seats()}
    if all("turns" in part["files"] for part in dataset.manifest["parts"]):
        frames["turns"] = dataset.turns()
    found = {}
    for name, frame in frames.items():
        columns = frame.collect_schema().names()
        joined = frame.join(labels, on="cell", how="left", maintain_order="left")
        found[name] = joined.select("cell", "label", *[column for column in columns if column != "cell"])
    return found


def _folder(
    folder: Path, rows: Mapping[str, pl.LazyFrame], tables: Mapping[str, pl.DataFrame], format: str
) -> None:
    (folder / "summary").mkdir(parents=True)
    for name, frame in rows.items():
        path = folder / f"{name}.{format}"
        if format == "csv":
            frame.sink_csv(path)
        else:
            frame.sink_parquet(path, compression="zstd")
    for name, table in tables.items():
        path = folder / "summary" / f"{name}.{format}"
        if format == "csv":
            table.write_csv(path)
        else:
            table.write_parquet(path)


def _workbook(
    path: Path, rows: Mapping[str, pl.LazyFrame], tables: Mapping[str, pl.DataFrame], tell: Tell
) -> None:
    import xlsxwriter

    # A name may begin like a formula or an address; it is a name all the same.
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with xlsxwriter.Workbook(str(path), plain) as book:
        for name, table in tables.items():
            table.write_excel(book, worksheet=name[:NAME], autofit=len(table) < 1_000)
        for name, frame in rows.items():
            count = int(frame.select(pl.len()).collect().item())
            if count > SHEET:
                tell(f"{name} has {count:,} rows, more than a sheet holds; export it as csv or parquet")
                continue
            frame.collect().write_excel(book, worksheet=name, autofit=False)
