"""What controls say: no label may matter, a bot must beat random, games must end, powers be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from balance.analysis.declared import BOT, Declared
from balance.analysis.estimate import NONE_ENDED, Value, estimate
from balance.analysis.powers import powers
from balance.analysis.wording import listed, percent, several, short

RED = 0.001  # a control fails only where chance alone does so less often than this
SIX = 6  # digits kept: more would show the order of summation

PASSED, FAILED, UNTOLD = "passed", "failed", "not played"


def mirror(seats: pl.DataFrame, bot: str) -> dict[str, Any]:
    """Test whether names that mean nothing win unequally: Hotelling's test on means of whole blocks.

    `seats` has a row a seat: `block`, `bot` (the name), `share`. Returns `p`, and `shares` by name.
    Seats do not enter: within a block each name sits in each seat.
    """
    means = (
        seats.group_by("block", name=pl.col(BOT).cast(pl.String))
        .agg(pl.col("share").mean())
        .pivot(on="name", index="block", values="share")
        .sort("block")
        .drop("block")
    )
    names = sorted(means.columns)
    values = means.select(names).to_numpy()
    shares = {name: round(float(mean), SIX) for name, mean in zip(names, values.mean(axis=0), strict=True)}
    return {"p": round(_hotelling(values - values.mean(axis=1, keepdims=True)), SIX), "shares": shares}


def _hotelling(apart: np.ndarray) -> float:
    """Return the chance of means as far from zero as these, of rows that sum to zero."""
    blocks = len(apart)
    mean = apart.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(apart, rowvar=False))
    kept = values > 1e-9 * max(float(values.max()), 1e-12)
    free = int(kept.sum())
    if not np.allclose(mean - vectors[:, kept] @ (vectors[:, kept].T @ mean), 0.0, atol=1e-9):
        return 0.0  # every block says the same, and it is not nothing
    if free == 0 or blocks <= free:
        return 1.0
    along = vectors[:, kept].T @ mean
    size = blocks * float((along**2 / values[kept]).sum())
    ratio = size * (blocks - free) / (free * (blocks - 1))
    return float(special.fdtrc(free, blocks - free, ratio))


def beats(seats: pl.DataFrame, bot: str) -> dict[str, Any]:
    """Test whether `bot` wins more than its fair share against random: `p` of no more, `share`, `fair`."""
    sides = int(seats["side"].max())  # type: ignore[arg-type]
    rows = seats.lazy().filter(pl.col(BOT).cast(pl.String) == bot).with_columns(one=pl.lit(0))
    found = estimate(rows, ["one"], {"share": Value.mean(pl.col("share"))}).row(0, named=True)
    ahead = found["mean"] - 1.0 / sides
    error = found["error"] or 0.0
    p = float(special.stdtr(found["blocks"] - 1, -ahead / error)) if error > 0 else 0.0 if ahead > 0 else 1.0
    return {"p": round(p, SIX), "share": round(found["mean"], SIX), "fair": round(1.0 / sides, SIX)}


def replays(seats: np.recarray, times: int, players: int) -> dict[str, float]:
    """Return the variance of shares and scores between replays of one deal: `share`, `points`.

    `seats` holds the rows of `times` games of each deal in turn; a seat is held against itself alone.
    """
    values = {"share": np.asarray(seats["share"], float), "points": np.asarray(seats["score"], float)}
    return {
        name: round(float(value.reshape(-1, times, players).var(axis=1, ddof=1).mean()), SIX)
        for name, value in values.items()
    }


def checks(known: Declared) -> pl.DataFrame:
    """Say what each control of the dataset came to.

    Returns
    -------
    pl.DataFrame
        A row a control: `control`, `where` (players, or a cell), `outcome` ("passed", "failed", "not
        played"), `says`.
    """
    rows = [_played(one) for one in _results(known) if one["control"] in TITLES]
    rows += [_unfinished(known, cell) for cell in known.cells.iter_rows(named=True)]
    rows += list(_powers(known))
    return pl.DataFrame(
        rows, schema=dict.fromkeys(("control", "where", "outcome", "says"), pl.String), orient="row"
    )


def failed(table: pl.DataFrame) -> list[str]:
    """Say which controls failed, a sentence each."""
    bad = table.filter(pl.col("outcome") == FAILED)
    return [f"{row['control']} ({row['where']}): {row['says']}." for row in bad.iter_rows(named=True)]


def _results(known: Declared) -> Sequence[dict[str, Any]]:
    return known.manifest.get("controls", {}).get("results", [])


TITLES = {"mirror": "Mirror match", "random": "A bot against random"}


def _played(one: dict[str, Any]) -> tuple[str, str, str, str]:
    control, where = TITLES[one["control"]], f"{one['players']} players"
    if "why" in one:
        return control, where, UNTOLD, one["why"]
    games = f"in {one['games']:,} games"
    if one["control"] == "mirror":
        least, most = min(one["shares"].values()), max(one["shares"].values())
        fine = one["p"] >= RED
        says = (
            f"names without a meaning won {percent(least)} to {percent(most)} {games}"
            + (", as chance would have it" if fine else ", which chance does not do: labels leak")
            + f" (p = {one['p']:.2g})"
        )
        return control, where, PASSED if fine else FAILED, says
    fine = one["p"] < RED
    says = (
        f"“{one['bot']}” won {percent(one['share'])} {games} against random, where {short(one['fair'])} % "
        f"would be as good as random" + ("" if fine else ": it is not shown to play better than chance")
    )
    return control, where, PASSED if fine else FAILED, says


def _unfinished(known: Declared, cell: dict[str, Any]) -> tuple[str, str, str, str]:
    part = cell["stalled"]
    fine = part <= known.band / 2
    says = (
        f"{percent(part)} of {several(cell['games'], 'game')} did not come to an end"
        if cell["unfinished"]
        else f"all {several(cell['games'], 'game')} came to an end"
    )
    if not fine:
        says += f", and shares are too small by that part: no verdicts ({NONE_ENDED})" * (part == 1)
    return "Games end", cell["label"], PASSED if fine else FAILED, says


def _powers(known: Declared) -> list[tuple[str, str, str, str]]:
    table = powers(known)
    if table.is_empty():
        return []
    rows = []
    for cell, label in known.cells.select("cell", "label").iter_rows():
        idle = table.filter((pl.col("cell") == cell) & ~pl.col("used"))
        names = (
            idle.select(pl.concat_str("name", "power", separator=", "))
            .to_series()
            .unique(maintain_order=True)
        )
        says = (
            f"bots do not use {listed(names.to_list())}: no verdict there"
            if len(names)
            else "bots use them all"
        )
        rows.append(("Powers are used", label, FAILED if len(names) else PASSED, says))
    return rows
