"""From a dataset to small tables and plain sentences. The statistics live here and only here.

Nothing here knows a game: factors, columns and their roles come from the dataset's manifest.
Shares and parts run from 0 to 1, seats count from 1, and every table names its `cell` and `label`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from balance.analysis import (
    blanks,
    by_players,
    contrast,
    control,
    drama,
    firsts,
    layouts,
    luck,
    model,
    pace,
    points,
    powers,
    remedy,
    screening,
    shares,
    tiers,
    traits,
)
from balance.analysis.declared import BOT, Declared, Family, declared
from balance.analysis.estimate import OUTSIDE
from balance.analysis.findings import hands, recommendation, sentences

if TYPE_CHECKING:
    from balance.dataset import Dataset

__all__ = [
    "Declared",
    "Family",
    "advice",
    "declared",
    "findings",
    "hands",
    "headline",
    "sentences",
    "summary",
    "tables",
]

WIN = "win_share_by_"


def tables(known: Declared) -> dict[str, pl.DataFrame]:
    """Return every table of the report, by name.

    `win_share_by_<family>` for each factor, seat and bot; `sources`, `columns`, `matrix`, `by_bot`,
    `by_seat`, `without`, `chosen` and `powers` for the primary family; `length`, `turns`, `ends`,
    `counts`, `scores`, `unfinished`, `drama`, `luck`, `model`, `depends`, `screened`, `controls`;
    `contrast`, empty where nothing is contrasted; `effects`, `paid`, `extremes` and `worth_by_deal` of
    what the deal settles, empty where a game declares none of that.
    """
    primary = known.primary
    won = _win_shares(known)
    outside = won[WIN + primary.name].filter(pl.col("verdict").is_in(OUTSIDE)).select("cell", "level")
    made = {
        **won,
        "contrast": contrast.worth(known),
        **_deal(known),
        "sources": points.sources(known, primary),
        "columns": points.seat_columns(known, primary, "count", "flag", "stock", "time", "category"),
        "length": pace.length(known),
        "turns": pace.turns(known),
        "ends": pace.game_columns(known, "category"),
        "counts": pace.game_columns(known, "count", "flag", "stock", "time"),
        "scores": points.scores(known),
        "unfinished": pace.unfinished(known),
        "by_bot": shares.by_bot(known, primary),
        "by_seat": shares.by_seat(known, primary),
        "matrix": shares.matrix(known, primary),
        "without": shares.without(known, primary, outside),
        "chosen": screening.chosen(known, primary),
        "drama": drama.drama(known),
        "luck": luck.luck(known, {family.name: won[WIN + family.name] for family in known.families}),
        "powers": powers.powers(known),
        "controls": control.checks(known),
        **_studies(known),
        "firsts": firsts.firsts(known, primary),
        "by_players": by_players.index(known, {one.name: won[WIN + one.name] for one in known.families}),
    }
    made["by_tier"] = tiers.by_tier(known, won[WIN + primary.name])
    made["flips"] = tiers.flips(known, made["by_tier"])
    made["best_styles"] = tiers.best_styles(known)
    beside, depends = model.model(known, primary)
    made |= {"model": beside, "depends": depends}
    return made | {"screened": screening.screened(known, made)}


def summary(dataset: Dataset, band: float | None = None) -> dict[str, pl.DataFrame]:
    """Return the main tables of `dataset`, by name, for the terminal and for `--json`.

    `contrast` if there is one, `win_share_by_<family>` for each factor, seat and bot, `length`, `ends`,
    `counts`, `unfinished`, `controls`, and where the run has them `layouts`, `worth`, `candidates`, and
    if the game declares what the deal settles, `effects`, `paid` and `extremes`; their columns are
    described where they are made, in `contrast`, `shares`, `pace`, `control`, `layouts`, `blanks`,
    `remedy` and `traits`.

    Raises
    ------
    DatasetError
        If the dataset holds no game.
    """
    known = declared(dataset, band)
    found = {"contrast": contrast.worth(known)} if known.manifest.get("contrast") else {}
    won = _win_shares(known)
    by_tier = tiers.by_tier(known, won[WIN + known.primary.name])
    found |= {"by_tier": by_tier, "flips": tiers.flips(known, by_tier)} if len(by_tier) else {}
    return {
        **found,
        **won,
        "length": pace.length(known),
        "ends": pace.game_columns(known, "category"),
        "counts": pace.game_columns(known, "count", "flag", "stock", "time"),
        "unfinished": pace.unfinished(known),
        "controls": control.checks(known),
        **{name: table for name, table in _deal(known).items() if len(table) and name != "worth_by_deal"},
        **{name: table for name, table in _studies(known).items() if not table.is_empty()},
    }


def findings(dataset: Dataset, band: float | None = None) -> list[str]:
    """Say in plain sentences what `dataset` shows, the primary factor first.

    Raises
    ------
    DatasetError
        If the dataset holds no game.
    """
    known = declared(dataset, band)
    made = {**_win_shares(known), "by_bot": shares.by_bot(known, known.primary)}
    return told(known, {**made, **_deal(known), **_studies(known), "contrast": contrast.worth(known)})


def told(known: Declared, tables_: Mapping[str, pl.DataFrame]) -> list[str]:
    """Say the findings of tables that are already made."""
    found = {family.name: tables_[WIN + family.name] for family in known.families}
    return _found(known, tables_, found, tables_["by_bot"])


def _found(
    known: Declared,
    tables_: Mapping[str, pl.DataFrame],
    won: Mapping[str, pl.DataFrame],
    by_bot: pl.DataFrame | None = None,
) -> list[str]:
    return [
        *contrast.sentences(known, tables_["contrast"]),
        *remedy.confirmed(known, won[known.primary.name]),
        *remedies(known, tables_["candidates"]),
        *sentences(known, won, by_bot),
        *traits.sentences(known, tables_["effects"]),
        *layouts.sentences(tables_["layouts"], known.primary),
        *blanks.sentences(tables_["worth"], known.primary),
    ]


def remedies(known: Declared, candidates: pl.DataFrame) -> list[str]:
    """Say which change is the smallest that will do.

    Nothing in a run that confirms one, which says whether it holds; nor where bots are compared and none
    is aimed at, since they need not be alike.
    """
    aim = remedy.aim(known, known.primary)
    if known.manifest["scenario"].get("confirms") or (known.primary.name == BOT and not aim):
        return []
    return remedy.sentences(candidates, known.primary, aim)


def _deal(known: Declared) -> dict[str, pl.DataFrame]:
    """Return the tables of what the deal settles."""
    made = traits.blocks(known) if traits.traits(known) or traits.combinations(known) else pl.DataFrame()
    return {
        "effects": traits.effects(known, made),
        "paid": traits.paid(known, made),
        "extremes": traits.extremes(known, made),
        "worth_by_deal": traits.worth_by_deal(known, made),
    }


def _studies(known: Declared) -> dict[str, pl.DataFrame]:
    """Return the tables of what a run varied: layouts, blanked parts, candidates for a change."""
    return {
        "layouts": layouts.over_layouts(known, known.primary),
        "worth": blanks.worth(known, known.primary),
        "candidates": remedy.candidates(known, known.primary),
    }


def headline(known: Declared, tables_: Mapping[str, pl.DataFrame]) -> list[str]:
    """Say only what the run was made to answer: what it varied, and the verdicts of the primary family."""
    return _found(known, tables_, {known.primary.name: tables_[WIN + known.primary.name]})


def advice(known: Declared, tables_: Mapping[str, pl.DataFrame]) -> str:
    """Say what to do about the findings: keep, change, play on, test with people."""
    broken = bool(control.failed(tables_["controls"]))
    if len(tables_["contrast"]) and not broken:
        return contrast.recommendation(known, tables_["contrast"])
    if known.manifest["scenario"].get("confirms") and not broken:
        return remedy.after_confirming(known, tables_[WIN + known.primary.name])
    if len(tables_["by_tier"]) and not broken and len(known.cells) == len(tiers.names(known)):
        return tiers.advice(known, tables_["by_tier"], tables_["flips"])
    if len(tables_["candidates"]) and remedy.aim(known, known.primary) and not broken:
        return remedy.recommendation(known, tables_["candidates"])
    return recommendation(known, tables_[WIN + known.primary.name], broken)


def _win_shares(known: Declared) -> dict[str, pl.DataFrame]:
    return {WIN + family.name: shares.win_share(known, family) for family in known.families}
