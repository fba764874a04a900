"""House rules with bots that adapt: each rule set played by bots that were tuned for it.

Bots that play on as before answer what a rule does at once, to players who have not noticed it. Bots tuned
anew for each rule set, all with the same budget, answer what it does once players have. Where the two
disagree, the verdict depends on the bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from balance import arena, confirm, design, scenario, tuning
from balance import cell as cells_
from balance.analysis.compare import EXACT, LESS, MORE, SAME, Comparison
from balance.analysis.estimate import TOO_FEW, UNKNOWN
from balance.errors import ScenarioError
from balance.scenario import Scenario

if TYPE_CHECKING:
    from balance.dataset import Dataset

ADAPTED = "adapted"  # the name of the bot that is tuned for each rule set
SEED = 5_000_011  # added to the seed: tuning shares no deal with what is played
TOLD = 400  # games in which a tuned bot is shown against each rival; no result rests on them
GENERATIONS, GAMES = 24, 320
HOLDS, DEPENDS, OPEN = "holds with both", "depends on the bots", "not yet known"

SCHEMA = {
    "comparison": pl.String,
    "level": pl.String,
    "name": pl.String,
    "certainty": pl.String,
    "fixed": pl.Float64,
    "fixed_low": pl.Float64,
    "fixed_high": pl.Float64,
    "fixed_verdict": pl.String,
    "adapted": pl.Float64,
    "adapted_low": pl.Float64,
    "adapted_high": pl.Float64,
    "adapted_verdict": pl.String,
    "says": pl.String,
}


def retuned(
    dataset: Dataset,
    *,
    generations: int = GENERATIONS,
    games: int = GAMES,
    jobs: int | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Scenario:
    """Tune a bot for each rule set of `dataset`, and return the scenario that plays them.

    Raises
    ------
    ScenarioError
        If the dataset has but one rule set, a contrast or tiers, or its bots have nothing to tune.
    """
    manifest = dataset.manifest
    asked = scenario.again(manifest["scenario"])
    where = str(dataset.path)
    if asked.contrast or asked.blank or asked.tiers or asked.primary == "bot":
        raise ScenarioError(
            "compares bots, parts or treatments, not rule sets",
            where=where,
            remedy="retune a sweep with [vary] or [[variant]]",
        )
    made = design.cells(asked)
    sets: dict[str, list[cells_.Cell]] = {}
    for cell in made:
        sets.setdefault(cell.name, []).append(cell)
    if len(sets) < 2:
        raise ScenarioError(
            "holds one rule set, so there is nothing to adapt to",
            where=where,
            remedy="add a [[variant]] to the scenario",
        )
    base = next((cell.name for cell in made if cell.size == 0), made[0].name)
    game = made[0].game
    weights = {}
    for name, own in sets.items():
        tell(f"tuning for “{name or 'the rules as they are'}” ...")
        rivals = {
            bot: cells_.resolve_bot(game, bot, spec)
            for bot, spec in design.in_play(game, design.plans(asked)[own[0].index]).items()
        }
        tables = [arena.of_cell(asked, cell) for cell in own]
        found = tuning.tune(
            game,
            tables,
            rivals=rivals,
            generations=generations,
            games=games,
            seed=(asked.seed + SEED) % 2**62,
            jobs=jobs,
            told=TOLD,
            watch=tell,
        )
        weights[name] = found.bot
    others = {own[0].index: name for name, own in sets.items() if name != base}
    resolved = confirm.as_variants(dataset, others)
    resolved["bots"] = {ADAPTED: weights[base]}
    resolved["field"] = {key: value for key, value in resolved["field"].items() if key != "bots"}
    resolved["variants"] = [
        {
            **one,
            "bots": {
                ADAPTED: {"kind": weights[one["name"]]["kind"], "weights": weights[one["name"]]["weights"]}
            },
        }
        for one in resolved["variants"]
    ]
    resolved["title"] = f"{manifest['title']}: with bots tuned for each rule set"
    again = scenario.again(resolved)
    return scenario.change(again, games=max(int(manifest["games"] or 0), 1))


def columns(fixed: Sequence[Comparison], adapted: Sequence[Comparison]) -> pl.DataFrame:
    """Hold what rule sets change with fixed bots beside what they change with adapted ones.

    Returns
    -------
    pl.DataFrame
        A row a comparison and level of the primary family: `comparison` ("B against A"), `level`, `name`,
        `certainty`; `fixed` and `adapted` (differences of the win share) with `_low`, `_high` (95 %, all
        levels at once) and `_verdict`; `says`: "holds with both", "depends on the bots" (one differs in a
        way that matters, and the other does not, or the other way), "not yet known".
    """
    rows: list[dict[str, Any]] = []
    by_name = {(one.other.row["rules"], one.other.row["players"]): one for one in adapted}
    for one in fixed:
        twin = by_name.get((one.other.row["rules"], one.other.row["players"]))
        if twin is None:
            continue
        family = one.base.known.primary.name
        here = (pl.col("family") == family) & (pl.col("metric") == "Win share")
        theirs = {row["level"]: row for row in twin.table.filter(here).iter_rows(named=True)}
        for row in one.table.filter(here).iter_rows(named=True):
            other = theirs.get(row["level"])
            if other is None:
                continue
            rows.append(
                {
                    "comparison": f"{one.other.label} against {one.base.label}",
                    **{key: row[key] for key in ("level", "name", "certainty")},
                    **_side("fixed", row),
                    **_side("adapted", other),
                    "says": _says(row["verdict"], other["verdict"]),
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _side(name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: row["difference"],
        f"{name}_low": row["low"],
        f"{name}_high": row["high"],
        f"{name}_verdict": row["verdict"],
    }


def _says(fixed: str, adapted: str) -> str:
    same = {EXACT: SAME}
    one, other = same.get(fixed, fixed), same.get(adapted, adapted)
    if one in (UNKNOWN, TOO_FEW) or other in (UNKNOWN, TOO_FEW):
        return OPEN
    assert {one, other} <= {MORE, LESS, SAME}
    return HOLDS if one == other else DEPENDS


def sentences(table: pl.DataFrame) -> list[str]:
    """Say for each comparison what holds with both kinds of bots, and what depends on them."""
    lines = []
    for (name,), rows in table.group_by("comparison", maintain_order=True):
        said = {
            word: rows.filter(pl.col("says") == word)["name"].to_list() for word in (DEPENDS, HOLDS, OPEN)
        }
        parts = [f"{word}: {', '.join(names)}" for word, names in said.items() if names]
        lines.append(f"{name}, fixed and adapted bots: {'; '.join(parts)}.")
    return lines
