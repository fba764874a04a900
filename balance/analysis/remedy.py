"""What to change: the cells of a run as remedies, and the smallest that brings a family into the band.

Every cell is a candidate: a value of `[vary]`, a variant, the rules as they are. The smallest is
picked among many, so the intervals hold for all candidates at once: whatever is picked, its
interval still covers with 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from balance.analysis.declared import AS_IT_IS, Declared, Family
from balance.analysis.estimate import (
    BALANCED,
    OUTSIDE,
    TOO_STRONG,
    TOO_WEAK,
    Value,
    estimate,
    intervals,
    judge,
)
from balance.analysis.shares import SHARE, by_level
from balance.analysis.wording import bare, listed, many, percent, span

IN, PERHAPS, OUT = "in the band", "not ruled out", "out of the band"
STATES = {BALANCED: IN, TOO_STRONG: OUT, TOO_WEAK: OUT}


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
    """List the cells that have others to be compared with: `cell`, `players`, `choice`, `size`.

    Where a run has tiers, those of the last, the strongest.
    """
    told: list[Mapping[str, Any]] = known.manifest["cells"]
    last = told[-1].get("tier", "")
    told = [cell for cell in told if cell.get("tier", "") == last]
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
        rows.append({"players": players} | picked(part))
        for (level,), own in part.group_by("level", maintain_order=True):
            rows.append({"players": players, "level": level, "name": own["name"][0]} | picked(own))
    return pl.DataFrame([{name: row.get(name) for name in _FOUND} for row in rows], schema=_FOUND)


_FOUND = {
    "players": pl.Int64,
    "level": pl.String,
    "name": pl.String,
    "sure": pl.String,
    "sure_size": pl.Float64,
    "perhaps": pl.String,
    "perhaps_size": pl.Float64,
}


def picked(rows: pl.DataFrame, levels: Sequence[str] = ()) -> dict[str, Any]:
    """Pick from candidates of one number of players the smallest that brings `levels` (or all) into the band.

    Returns
    -------
    dict
        `sure`, `sure_size`, `sure_cell`, `perhaps`, `perhaps_size`, `perhaps_cell`; see `smallest`.
    """
    state = pl.col("state")
    mine = rows.filter(pl.col("level").is_in(list(levels))) if levels else rows
    cells = mine.group_by("cell", maintain_order=True).agg(
        pl.col("size", "choice").first(),
        sure=(state == IN).fill_null(False).all(),
        perhaps=state.is_in([IN, PERHAPS]).fill_null(False).all(),
    )
    found: dict[str, Any] = {}
    for name in ("sure", "perhaps"):
        first = cells.filter(pl.col(name)).sort("size", maintain_order=True).head(1)
        for key, column in ((name, "choice"), (f"{name}_size", "size"), (f"{name}_cell", "cell")):
            found[key] = first[column][0] if len(first) else None
    return found


def aim(known: Declared, family: Family) -> list[str]:
    """List the levels of `family` that the changes are about: empty if any change is about more.

    The scenario may say so (`aim`). Else a change of a nation's own content is about this nation, and a
    rule is about all of them.
    """
    if known.manifest["scenario"].get("aim"):
        return list(known.manifest["scenario"]["aim"])
    named: set[str] = set()
    variants = {one["name"]: one for one in known.manifest["scenario"].get("variants", [])}
    for cell in known.manifest["cells"]:
        for key, value in cell.get("choice", {}).items():
            if key == "variant":
                kinds = {kind: part for kind, part in variants[value].items() if kind != "name"}
                named |= {f"{kind}.{own}" for kind, part in kinds.items() for own in part}
            elif key != "players":
                named.add(".".join(key.split(".")[:2]))
    levels = [key.partition(".")[2] for key in sorted(named) if key.partition(".")[0] != "rules"]
    if len(levels) < len(named) or not set(levels) <= set(family.levels):
        return []
    return [level for level in family.levels if level in levels]


def _closest(rows: pl.DataFrame) -> str:
    """Say which candidate leaves the least between its farthest level and the fair share."""
    away = (pl.col("share") - pl.col("fair")).abs()
    row = rows.with_columns(away=away).sort("cell", "away").group_by("cell", maintain_order=True).last()
    best = row.sort("away", "size").row(0, named=True)
    if rows["level"].n_unique() == 1:
        return f"Closest comes {best['choice']}, with {percent(best['share'])}."
    return f"Closest comes {best['choice']}: its farthest, {best['name']}, has {percent(best['share'])}."


def sentences(table: pl.DataFrame, family: Family, levels: Sequence[str] = ()) -> list[str]:
    """Say for each number of players what the smallest remedy is, for all of `levels` (or all) at once."""
    lines = []
    every = f"every {family.label.lower()}"
    table = table.filter(pl.col("level").is_in(list(levels))) if levels else table
    names = table["name"].unique(maintain_order=True).to_list()
    whom, is_ = (listed(names), "are" if many(names) else "is") if levels else (every, "is")
    counts = table["players"].unique(maintain_order=True).to_list()
    for players in counts:
        where = f"With {players} players " if len(counts) > 1 else ""
        what = f"brings {whom} into the band"
        mine = table.filter(pl.col("players") == players)
        found = picked(mine)
        own = mine.filter(pl.col("size") == 0)
        if len(own) and (own["state"] == IN).fill_null(False).all():
            lines.append(f"{where}no change is needed: {whom} {is_} in the band.")
        elif found["sure"] is not None:
            more = ""
            if found["perhaps_size"] is not None and found["perhaps_size"] < found["sure_size"]:
                more = f"; a smaller one, {found['perhaps']}, is not ruled out"
            lines.append(f"{where}the smallest change that {what} is {found['sure']}{more}.")
        elif found["perhaps"] is not None:
            open_ = f"the smallest that is not ruled out is {found['perhaps']}"
            if found["perhaps_size"] == 0:
                open_ = "it is not ruled out that none is needed"
            lines.append(
                f"{where}no change surely {what}; {open_}, and more games would tell. {_closest(mine)}"
            )
        elif mine["state"].is_not_null().any():
            lines.append(f"{where}none of these changes {what}. {_closest(mine)}")
    return [line[0].upper() + line[1:] for line in lines]


def recommendation(known: Declared, table: pl.DataFrame) -> str:
    """Say what to do about the levels that the changes aim at: keep, change and confirm, try others."""
    levels = aim(known, known.primary)
    mine = table.filter(pl.col("level").is_in(levels))
    counts = mine["players"].unique(maintain_order=True).to_list()
    keep, take, open_, none = [], [], [], []
    for players in counts:
        rows = mine.filter(pl.col("players") == players)
        found, own = picked(rows), rows.filter(pl.col("size") == 0)
        weak = len(own) and ((own["state"] == OUT) & (own["share"] < own["fair"])).any()
        where = f" with {players} players" if len(counts) > 1 else ""
        if found["sure_size"] == 0:
            keep.append(where)
        elif found["sure"] is not None:
            take.append(f"{found['sure']}{where}")
        elif found["perhaps"] is not None:
            open_.append(where)
        else:
            none.append((where, weak))
    called = mine["name"].unique(maintain_order=True).to_list()
    names, lie = listed(called), "lie" if many(called) else "lies"
    said = []
    if take:
        said.append(f"Take {listed(take)}, once `balance confirm` has shown on fresh deals that it holds.")
    if keep:
        said.append(f"Keep the rules as they are{_and(keep)}: {names} {lie} in the band.")
    if open_:
        said.append(f"Play more games{_and(open_)}: no change is surely enough yet.")
    for where, weak in none:
        more = f"{'are' if many(called) else 'is'} too weak, and no change tried here mends it"
        said.append(
            f"{where.strip().capitalize() or 'Here'} {names} {more}."
            if weak
            else f"Try other changes{where}: none of these brings {names} into the band."
        )
    return " ".join([*said, "Then test with people."])


def _and(places: Sequence[str]) -> str:
    words = [place.removeprefix(" with ").removesuffix(" players") for place in places if place]
    return f" with {listed(words)} players" if words else ""


def after_confirming(known: Declared, table: pl.DataFrame) -> str:
    """Say what to do after a change was played on fresh seeds."""
    lines = confirmed(known, table)
    held = [line.startswith(CONFIRMED) for line in lines]
    changed = [cell["index"] for cell in known.manifest["cells"] if cell["choice"]]
    levels = aim(known, known.primary)
    beyond = table.filter(
        pl.col("cell").is_in(changed)
        & ~pl.col("level").is_in(levels)
        & pl.col("verdict").is_in(list(OUTSIDE))
    )
    names = beyond["name"].unique(maintain_order=True).to_list()
    rest = f" Then look at {listed(names)}, which it leaves out of the band." if names and levels else ""
    if all(held) and held:
        return f"Make the change: it held on deals it was not chosen on.{rest} Then test with people."
    if not any(held):
        return "Do not make the change on these numbers: play more games, or try a larger one."
    return (
        f"Make the change where it held, and play more games where it did not.{rest} Then test with people."
    )


CONFIRMED = "Confirmed on fresh seeds"


def confirmed(known: Declared, table: pl.DataFrame) -> list[str]:
    """Say of a run on fresh seeds whether each change it was made for holds; nothing of other runs.

    Parameters
    ----------
    table
        Of `shares.win_share`, the primary family's: nothing was picked here, so that the intervals of
        a cell's own family are the ones to go by.
    """
    about = known.manifest["scenario"].get("confirms")
    if not about:
        return []
    levels = about["levels"] or aim(known, known.primary)
    lines = []
    for cell in known.manifest["cells"]:
        choice = in_words(cell["choice"])
        rows = table.filter(pl.col("cell") == cell["index"])
        if choice == AS_IT_IS or rows.is_empty():
            continue
        rows = rows.filter(pl.col("level").is_in(levels)) if levels else rows
        lines.append(_confirmed(rows, choice, known.primary, bool(levels), cell["players"], known.manifest))
    return lines


def _confirmed(
    rows: pl.DataFrame, choice: str, family: Family, some: bool, players: int, manifest: Mapping[str, Any]
) -> str:
    where = f"with {players} players " if len(manifest["players"]) > 1 else ""
    inside = (pl.col("low_all") >= pl.col("band_low")) & (pl.col("high_all") <= pl.col("band_high"))
    beyond = (pl.col("low_all") > pl.col("band_high")) | (pl.col("high_all") < pl.col("band_low"))
    out, open_ = rows.filter(beyond), rows.filter(~inside & ~beyond)
    told = [f"{row['name']} {_interval(row)}" for row in rows.iter_rows(named=True)]
    whom = listed(told) if some else f"every {family.label.lower()}"
    if rows["low_all"].null_count():
        return f"Not settled on fresh seeds: {where}too few games were played with {choice}."
    if len(out):
        names = listed([f"{row['name']} {_interval(row)}" for row in out.iter_rows(named=True)])
        return f"Not confirmed on fresh seeds: {where}{choice} leaves {names} out of the band."
    if len(open_):
        names = listed([f"{row['name']} {_interval(row)}" for row in open_.iter_rows(named=True)])
        return (
            f"Not settled on fresh seeds: {where}whether {choice} brings {names} into the band, "
            "more games would tell."
        )
    return f"{CONFIRMED}: {where}{choice} brings {whom} into the band."


def _interval(row: Mapping[str, Any]) -> str:
    band = f"{bare(row['band_low'])} to {percent(row['band_high'])}"
    return f"({percent(row['share'])}, {span(row['low_all'], row['high_all'])}; band {band})"
