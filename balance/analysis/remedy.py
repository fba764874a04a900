"""What to change: the cells of a run as remedies, and the smallest that brings a family into the band.

Every cell is a candidate: a value of `[vary]`, a variant, the rules as they are. The smallest is
picked among many, so the intervals hold for all candidates at once: whatever is picked, its
interval still covers with 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from balance.analysis.declared import Declared, Family
from balance.analysis.estimate import BALANCED, TOO_STRONG, TOO_WEAK, Value, estimate, intervals, judge
from balance.analysis.shares import SHARE, by_level
from balance.analysis.wording import percent

IN, PERHAPS, OUT = "in the band", "not ruled out", "out of the band"
STATES = {BALANCED: IN, TOO_STRONG: OUT, TOO_WEAK: OUT}
AS_IT_IS = "as it is"


def candidates(known: Declared, family: Family) -> pl.DataFrame:
    """Say for each cell and level of `family` whether its share lies in the band.

    Cells with the same number of players are candidates for one another; there is none where
    nothing is varied.

    Returns
    -------
    pl.DataFrame
        A row a cell and level, the smallest change first: `cell`, `label`, `players`, `choice` (in
        words), `size` (of the change, see `design.size_of`), `level`, `name`, `certainty`, `blocks`,
        `share`, `low`, `high` (95 % for all candidates with as many players at once), `fair`,
        `band_low`, `band_high`, `state`: "in the band" (the whole interval), "out of the band" (the
        whole interval), else "not ruled out"; null where there is no interval.
    """
    cells = _choices(known)
    if cells.is_empty():
        return pl.DataFrame(schema=_COLUMNS)
    found = estimate(by_level(known, family), ["cell", "level"], {"share": Value.mean(SHARE)})
    at_once = intervals(found.join(cells.select("cell", "players"), on="cell"), ["players"], (0.0, 1.0))
    table = at_once.join(cells.drop("players"), on="cell")
    table = judge(
        table.join(known.cells.select("cell", "label", "fair"), on="cell"), ["cell"], band=known.band
    )
    state = pl.col("verdict").replace_strict(STATES, default=PERHAPS)
    return (
        family.named(table)
        .drop("low", "high")
        .rename({"mean": "share", "low_all": "low", "high_all": "high"})
        .with_columns(state=pl.when(pl.col("low").is_not_null()).then(state))
        .sort("players", "size", "cell", "order")
        .select(*_COLUMNS)
    )


_COLUMNS = {
    "cell": pl.Int32,
    "label": pl.String,
    "players": pl.Int64,
    "choice": pl.String,
    "size": pl.Float64,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "blocks": pl.Int64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "fair": pl.Float64,
    "band_low": pl.Float64,
    "band_high": pl.Float64,
    "state": pl.String,
}


def _choices(known: Declared) -> pl.DataFrame:
    """List the cells that have others to be compared with: `cell`, `players`, `choice`, `size`."""
    told: list[Mapping[str, Any]] = known.manifest["cells"]
    rows = [
        {
            "cell": cell["index"],
            "players": cell["players"],
            "choice": in_words(cell.get("choice", {})),
            "size": cell.get("size", 0.0),
        }
        for cell in told
        if cell["index"] in known.cells["cell"]
    ]
    schema = {name: _COLUMNS[name] for name in ("cell", "players", "choice", "size")}
    return pl.DataFrame(rows, schema=schema).filter(pl.len().over("players") > 1)


def in_words(choice: Mapping[str, Any]) -> str:
    """Write what a cell was chosen to have: "start_vp_by_seat.4 = 1"."""
    parts = [
        str(value) if key == "variant" else f"{key.removeprefix('rules.')} = {_plain(value)}"
        for key, value in choice.items()
        if key != "players"
    ]
    return ", ".join(parts).replace("'", "") or AS_IT_IS


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def smallest(table: pl.DataFrame) -> pl.DataFrame:
    """Pick from `candidates` the smallest change that brings all levels into the band, and each alone.

    Returns
    -------
    pl.DataFrame
        A row for each number of players and all its levels together (`level` null), then for each
        level: `players`, `level`, `name`, `sure` and `sure_size` (the smallest change whose interval
        lies in the band, all of them where several levels are asked), `perhaps` and `perhaps_size`
        (the smallest that is not ruled out). Null where there is none.
    """
    if table.is_empty():
        return pl.DataFrame(schema=_FOUND)
    rows = []
    for (players,), part in table.group_by("players", maintain_order=True):
        rows.append({"players": players} | _picked(part))
        for (level,), own in part.group_by("level", maintain_order=True):
            rows.append({"players": players, "level": level, "name": own["name"][0]} | _picked(own))
    return pl.DataFrame(rows, schema=_FOUND)


_FOUND = {
    "players": pl.Int64,
    "level": pl.String,
    "name": pl.String,
    "sure": pl.String,
    "sure_size": pl.Float64,
    "perhaps": pl.String,
    "perhaps_size": pl.Float64,
}


def _picked(rows: pl.DataFrame) -> dict[str, Any]:
    state = pl.col("state")
    cells = rows.group_by("cell", maintain_order=True).agg(
        pl.col("size", "choice").first(),
        sure=(state == IN).fill_null(False).all(),
        perhaps=state.is_in([IN, PERHAPS]).fill_null(False).all(),
    )
    found: dict[str, Any] = {}
    for name in ("sure", "perhaps"):
        first = cells.filter(pl.col(name)).sort("size", maintain_order=True).head(1)
        found[name] = first["choice"][0] if len(first) else None
        found[f"{name}_size"] = first["size"][0] if len(first) else None
    return found


def _closest(rows: pl.DataFrame) -> str:
    """Say which candidate leaves the least between its farthest level and the fair share."""
    away = (pl.col("share") - pl.col("fair")).abs()
    row = rows.with_columns(away=away).sort("cell", "away").group_by("cell", maintain_order=True).last()
    best = row.sort("away", "size").row(0, named=True)
    return f"Closest comes {best['choice']}: its farthest, {best['name']}, has {percent(best['share'])}."


def sentences(table: pl.DataFrame, family: Family) -> list[str]:
    """Say for each number of players what the smallest remedy is, for all levels at once."""
    lines = []
    found = smallest(table)
    label = family.label.lower()
    players = found["players"].n_unique()
    for row in found.filter(pl.col("level").is_null()).iter_rows(named=True):
        where = f"With {row['players']} players " if players > 1 else ""
        what = f"brings every {label} into the band"
        mine = table.filter(pl.col("players") == row["players"])
        own = mine.filter(pl.col("size") == 0)
        if len(own) and (own["state"] == IN).fill_null(False).all():
            lines.append(f"{where}no change is needed: every {label} is in the band.")
        elif row["sure"] is not None:
            more = ""
            if row["perhaps_size"] is not None and row["perhaps_size"] < row["sure_size"]:
                more = f"; a smaller one, {row['perhaps']}, is not ruled out"
            lines.append(f"{where}the smallest change that {what} is {row['sure']}{more}.")
        elif row["perhaps"] is not None:
            open_ = f"the smallest that is not ruled out is {row['perhaps']}"
            if row["perhaps_size"] == 0:
                open_ = "it is not ruled out that none is needed"
            lines.append(
                f"{where}no change surely {what}; {open_}, and more games would tell. {_closest(mine)}"
            )
        elif mine["state"].is_not_null().any():
            lines.append(f"{where}none of these changes {what}. {_closest(mine)}")
    return [line[0].upper() + line[1:] for line in lines]
