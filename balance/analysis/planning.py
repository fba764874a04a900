"""How many games a wanted precision needs, before any is played."""

from __future__ import annotations

import math

import polars as pl
from scipy import special

from balance.analysis.estimate import sidak

WIDTHS = (0.03, 0.02, 0.01, 0.005)


def needed(families: dict[str, int], players: int, widths: tuple[float, ...] = WIDTHS) -> pl.DataFrame:
    """Estimate the games after which the 95 % intervals of a family have at most a given half-width.

    The intervals are those that verdicts are read off: all of a family hold at once with 95 %
    (Sidak, see `estimate.sidak`). A rough figure, from the closed form z² p (1 - p) / h² for rows
    that know nothing of one another, with p the fair share. Blocks usually need fewer games than
    that where it matters who meets whom, and more where the deal favours a seat.

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
        z = float(special.ndtri(1.0 - sidak(levels) / 2.0))
        for width in widths:
            count = math.ceil(z**2 * fair * (1.0 - fair) / width**2)
            rows.append((family, levels, width, count, math.ceil(count * levels / players)))
    return pl.DataFrame(rows, schema=["family", "levels", "half_width", "rows", "games"], orient="row")
