"""Confirm a change on fresh seeds: the smallest that a sweep found, played again on deals of their own.

A change that was picked among many may owe its place to luck. So it is played once more, alone beside
the rules as they are, on deals that the first sweep never saw; its report says whether it holds, and
what else it moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from balance import analysis, design, scenario
from balance.analysis import remedy
from balance.analysis.wording import listed
from balance.errors import DatasetError, ScenarioError, nearest
from balance.scenario import Scenario

if TYPE_CHECKING:
    from balance.dataset import Dataset

FRESH = 7_368_787  # added to a sweep's seed: its confirmation shares no deal with it


@dataclass(frozen=True)
class Pick:
    """The change to be confirmed: of `cell`, in words; whether its interval lay in the band (`sure`)."""

    cell: int
    choice: str
    sure: bool


def pick(dataset: Dataset, level: str | None = None, band: float | None = None) -> tuple[list[Pick], str]:
    """Pick for each number of players the smallest change that will do, or may; say what was looked for.

    Parameters
    ----------
    level
        Key of the level of the primary family to bring into the band; by default those that the
        changes are about, else all.

    Returns
    -------
    list of Pick, str
        No pick where no change is needed, or none will do: the words say so.

    Raises
    ------
    DatasetError
        If the dataset varies nothing, or its primary family has no such level.
    """
    known = analysis.declared(dataset, band)
    family = known.primary
    if level is not None and level not in family.levels:
        raise DatasetError(
            f"{family.label.lower()} '{level}' is not among its levels",
            where=str(dataset.path),
            remedy=nearest(level, list(family.levels)),
        )
    table = remedy.candidates(known, family)
    if table.is_empty():
        raise DatasetError(
            "it varies nothing, so there is no change to confirm",
            where=str(dataset.path),
            remedy="sweep a scenario with [vary] or [[variant]]",
        )
    aim = [level] if level else remedy.aim(known, family)
    found: dict[str, Pick] = {}
    for (_,), rows in table.group_by("players", maintain_order=True):
        best = remedy.picked(rows, aim)
        word = "sure" if best["sure"] is not None else "perhaps"
        if best[f"{word}_size"]:  # none is needed, or none will do
            one = Pick(best[f"{word}_cell"], best[word], word == "sure")
            found.setdefault(one.choice, one)
    return list(found.values()), " ".join(remedy.sentences(table, family, aim))


def fresh(
    dataset: Dataset, picks: list[Pick], level: str | None = None, games: int | None = None
) -> Scenario:
    """Return the scenario that plays `picks` beside the rules as they are, on deals of its own.

    It plays as many games a cell as `dataset` holds, or `games`.

    Raises
    ------
    ScenarioError
        If a pick changes the field of play, which no variant can.
    """
    manifest = dataset.manifest
    chosen = [one.choice for one in picks]
    resolved = as_variants(dataset, {one.cell: one.choice for one in picks})
    resolved |= {
        "seed": (int(manifest["seed"]) + FRESH) % 2**63,
        "title": f"{manifest['title']}: on fresh seeds",
        "question": f"Do these changes hold on deals they were not chosen on: {listed(chosen)}?"
        if len(chosen) > 1
        else f"Does {chosen[0]} hold on deals it was not chosen on?",
        "confirms": {"run": manifest["run"], "levels": [level] if level else []},
    }
    asked = scenario.again(resolved)
    return scenario.change(asked, games=games or max(int(manifest["games"] or 0), 1))


def as_variants(dataset: Dataset, cells: Mapping[int, str]) -> dict[str, Any]:
    """Return the scenario of a run, as its manifest holds it, with some cells as variants by these names.

    They stand beside the rules as they are: those of the cell that is no change, where something is
    varied. Nothing else is varied, blanked or contrasted.

    Raises
    ------
    ScenarioError
        If a cell changes the field of play, which no variant can.
    """
    manifest = dataset.manifest
    resolved: dict[str, Any] = dict(manifest["scenario"])
    base: Mapping[str, Any] = next((cell["choice"] for cell in manifest["cells"] if cell["size"] == 0), {})
    whole = {key: resolved[key] for key in ("rules", "bots", "field")} | resolved["components"]
    whole = _laid(whole, base, resolved)
    variants = []
    for number, name in cells.items():
        changed = _laid({"rules": {}, "bots": {}}, manifest["cells"][number]["choice"], resolved)
        if "field" in changed:
            raise ScenarioError(
                "a change of the field of play is no variant, so it cannot be played again as one",
                where=f"{dataset.path}: {name}",
                remedy="sweep its scenario with this field and another --seed",
            )
        variants.append({"name": name} | {kind: table for kind, table in changed.items() if table})
    resolved |= {key: whole.pop(key) for key in ("rules", "bots", "field")}
    plain = {"vary": {}, "blank": {}, "contrast": {}, "until": "", "players": list(manifest["players"])}
    return resolved | plain | {"components": whole, "variants": variants}


def _laid(tree: Mapping[str, Any], choice: Mapping[str, Any], resolved: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the variant and the values of `[vary]` that a cell was chosen to have over `tree`."""
    made = dict(tree)
    for key, value in choice.items():
        if key == "variant":
            named = next(one for one in resolved["variants"] if one["name"] == value)
            made = design.laid_over(made, {kind: part for kind, part in named.items() if kind != "name"}, key)
        elif key != "players":
            made = design.laid_over(made, design.nest(key, value), key)
    return made
