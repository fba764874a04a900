"""How many games a wanted precision needs, before any is played."""

from __future__ import annotations

import math

import polars as pl

Z95 = 1.959964
WIDTHS = (0.03, 0.02, 0.01, 0.005)


def needed(families: dict[str, int], players: int, widths: tuple[float, ...] = WIDTHS) -> pl.DataFrame:
    """Estimate the games after which the 95 % interval of each share has at most a given half-width.

    A rough figure, from the closed form z² p (1 - p) / h² for rows that know nothing of one
    another, with p the fair share. Blocks usually need fewer games than that where it matters who
    meets whom, and more where the deal favours a seat.

    Parameters
    ----------
    families
        Name -> number of its levels, each as often in play as another.
    widths
        Half-widths of the 95 % intervals, from 0 to 1.

    Returns
    -------
    pl.DataFrame
        For each family and width: `family`, `levels`, `half_width`, `rows` (of each level) and
        `games`.
    """
    fair = 1.0 / players
    rows = []
    for family, levels in families.items():
        for width in widths:
            count = math.ceil(Z95**2 * fair * (1.0 - fair) / width**2)
            rows.append((family, levels, width, count, math.ceil(count * levels / players)))
    return pl.DataFrame(rows, schema=["family", "levels", "half_width", "rows", "games"], orient="row")
