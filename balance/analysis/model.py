"""The model of `logit` beside the plain means, and whether effects depend on one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from balance.analysis import logit
from balance.analysis.declared import BOT, SEAT, Declared, Family
from balance.analysis.logit import Term, Unidentified
from balance.analysis.screening import holm

GAMES = 50_000  # games of a cell that the model is fitted to, at most
CELLS = 8  # cells that it is fitted to, at most
MOST = 24  # levels beyond which it is not asked who meets whom

SHARES = {
    "cell": pl.Int32,
    "label": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "mean": pl.Float64,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "apart": pl.Float64,
    "refused": pl.String,
}
DEPENDS = {
    "cell": pl.Int32,
    "label": pl.String,
    "what": pl.String,
    "p": pl.Float64,
    "holm": pl.Float64,
    "says": pl.String,
}


def model(known: Declared, family: Family) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Fit the model to each of the first cells.

    Returns
    -------
    pl.DataFrame
        A row a cell and level of `family`: `cell`, `label`, `level`, `name`, `certainty`, `mean` (the
        plain mean of the same games), `share` of the model with `low`, `high` (95 %), `apart` (their
        difference in standard errors), `refused`.
    pl.DataFrame
        A row a cell and interaction: `cell`, `label`, `what`, `p` ("it adds nothing"), `holm` (adjusted
        for all of the cell), `says`.
    """
    shares, depends = [], []
    fits: dict[tuple[str, str], dict[int, logit.Fit]] = {}
    for row in known.cells.head(CELLS).iter_rows(named=True):
        head = {"cell": row["cell"], "label": row["label"]}
        if row["sides"] != row["players"]:
            depends.append(head | {"what": "The model", "says": "partners win together: it is not for them"})
            continue
        columns, data = _data(known, family, row)
        if family.name not in columns:
            continue  # one level has nothing to be compared with
        terms = [Term((column,)) for column in columns]
        try:
            fitted = logit.fit(data, terms)
            table = logit.shares(fitted, Term((family.name,)))
        except Unidentified as error:
            depends.append(head | {"what": "The model", "says": error.what})
            continue
        fits.setdefault((row["rules"], row["tier"]), {})[row["players"]] = fitted
        means = _means(data, family.name)
        for one in table.iter_rows(named=True):
            apart = None if not one["error"] else (one["share"] - means[one["level"]]) / one["error"]
            shares.append(head | one | {"mean": means[one["level"]], "apart": apart})
        depends += [head | one for one in _interactions(family, columns, data, terms)]
    depends += [row for alike, own in fits.items() for row in _by_players(known, family, alike, own)]
    found = family.named(pl.DataFrame(shares, schema=_shape(SHARES, "name", "certainty")))
    return (
        found.sort("cell", "order").select(*SHARES),
        pl.DataFrame(depends, schema=DEPENDS),
    )


def _by_players(
    known: Declared, family: Family, alike: tuple[str, str], fits: Mapping[int, logit.Fit]
) -> Iterator[dict]:
    """Test whether the family's effects depend on the number of players, under one rule set and tier."""
    term = Term((family.name,))
    levels = {tuple(fit.data.levels[family.name]) for fit in fits.values()}
    if len(fits) < 2 or len(levels) > 1 or family.name == SEAT:
        return
    rules, tier = alike
    here = (pl.col("rules") == rules) & (pl.col("tier") == tier)
    cell = known.cells.filter(here).row(0, named=True)
    head = {
        "cell": cell["cell"],
        "label": ", ".join(filter(None, (tier, rules))),
        "what": f"{family.label} by number of players",
    }
    try:
        p = logit.alike(list(fits.values()), term)
    except np.linalg.LinAlgError:
        yield head | {"p": None, "says": "it cannot be told"}
        return
    says = "it depends on it" if p < 0.05 else "not shown to depend on it"
    yield head | {"p": p, "holm": p, "says": says}


def _shape(schema: dict, *left_out: str) -> dict:
    return {name: kind for name, kind in schema.items() if name not in left_out}


def _data(known: Declared, family: Family, row: dict) -> tuple[list[str], logit.Data]:
    """Read the first games of a cell: the family, seats and bots, where they differ."""
    blocks = max(1, GAMES * row["blocks"] // max(row["games"], 1))
    names = list(dict.fromkeys([family.name, SEAT, BOT]))
    here = (pl.col("cell") == row["cell"]) & (pl.col("block") < blocks)
    rows = (
        known.dataset.seats()
        .filter(here)
        .select("game", "block", "share", SEAT, *[n for n in names if n != SEAT])
    )
    table = rows.collect(engine="streaming").sort("game", SEAT)
    columns = [name for name in names if table[name].n_unique() > 1]
    return columns, logit.data(table, columns, row["players"])


def _means(data: logit.Data, column: str) -> dict[str, float]:
    size = len(data.levels[column])
    codes, share = data.codes[column].ravel(), data.share.ravel()
    won, rows = np.bincount(codes, share, minlength=size), np.bincount(codes, minlength=size)
    return dict(zip(data.levels[column], (won / np.maximum(rows, 1)).tolist(), strict=True))


def _interactions(family: Family, columns: list[str], data: logit.Data, terms: list[Term]) -> list[dict]:
    """Test whether the family's effects depend on seat, bot, or who the opponents are."""
    name = family.name
    asked = {f"{family.label} by {other}": Term((name, other)) for other in columns if other != name}
    if (
        len(data.levels[name]) <= MOST
        and not logit.repeats(data, name)
        and len(data.levels[name]) > data.share.shape[1]
    ):
        asked[f"{family.label} by opponent"] = Term((name,), opponents=True)
    rows = []
    for what, term in asked.items():
        try:
            p = logit.matters(logit.fit(data, [*terms, term]), term)
        except (Unidentified, np.linalg.LinAlgError) as error:
            rows.append({"what": what, "p": None, "says": getattr(error, "what", "it cannot be told")})
            continue
        rows.append({"what": what, "p": p, "says": ""})
    known = [row for row in rows if row["p"] is not None]
    for row, adjusted in zip(known, holm(np.array([row["p"] for row in known])), strict=True):
        row["holm"] = float(adjusted)
        row["says"] = "it depends on it" if adjusted < 0.05 else "not shown to depend on it"
    return rows
