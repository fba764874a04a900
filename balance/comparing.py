"""Rule sets side by side: what `balance compare` prints and writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis import changes
from balance.analysis.compare import Comparison, arms, comparisons

if TYPE_CHECKING:
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


def table(found: Sequence[Comparison]) -> list[dict[str, Any]]:
    """Return comparisons for other programs.

    Returns
    -------
    list of dict
        For each: `base`, `other` (labels), `paired`, `why` (not), `blocks`, `findings`, and `rows`, the
        table as `analysis.compare.Comparison` describes it.
    """
    return [
        {
            "base": one.base.label,
            "other": one.other.label,
            "paired": one.paired,
            "why": one.why,
            "blocks": one.blocks,
            "findings": changes.told(one),
            "rows": one.table.to_dicts(),
        }
        for one in found
    ]


def document(found: Sequence[Comparison]) -> Document:
    """Return the report of nothing but comparisons."""
    from balance import sections

    manifest = found[0].base.known.manifest
    question = manifest["question"] or "What do the changes of rules do?"
    return sections.compared(list(found), manifest["title"], question)
