"""Rule sets side by side: what `balance compare` prints and writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis import changes
from balance.analysis.compare import Comparison, arms, comparisons

if TYPE_CHECKING:
    import polars as pl

    from balance.dataset import Dataset
    from balance.document import Document


def compare(datasets: Sequence[Dataset], band: float | None = None) -> list[Comparison]:
    """Hold the rule sets of `datasets` against one another: each against the first of as many players.

    Raises
    ------
    DatasetError
        If they are of different games, there is but one rule set, or they have nothing in common.
    """
    return list(comparisons(arms(datasets, band)))


def table(
    found: Sequence[Comparison], adapted: Sequence[Comparison] = (), both: pl.DataFrame | None = None
) -> list[dict[str, Any]]:
    """Return comparisons for other programs.

    Returns
    -------
    list of dict
        For each: `base`, `other` (labels), `bots` ("fixed", or "adapted" to each rule set), `paired`, `why`
        (not), `blocks`, `findings`, and `rows`, the table as `analysis.compare.Comparison` describes it.
        Where bots were adapted, last: `retuned`, the rows of `retuning.columns`.
    """
    told: list[dict[str, Any]] = [
        {
            "base": one.base.label,
            "other": one.other.label,
            "bots": bots,
            "paired": one.paired,
            "why": one.why,
            "blocks": one.blocks,
            "findings": changes.told(one),
            "rows": one.table.to_dicts(),
        }
        for bots, group in (("fixed", found), ("adapted", adapted))
        for one in group
    ]
    return told if both is None else [*told, {"retuned": both.to_dicts()}]


def document(
    found: Sequence[Comparison], adapted: Sequence[Comparison] = (), both: pl.DataFrame | None = None
) -> Document:
    """Return the report of nothing but comparisons, with fixed bots and, if there are any, adapted ones."""
    from balance import sections

    manifest = found[0].base.known.manifest
    question = manifest["question"] or "What do the changes of rules do?"
    return sections.compared(list(found), manifest["title"], question, list(adapted), both)
