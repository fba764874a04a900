"""What a sweep can tell, and how many games a wanted precision needs, before any is played."""

from __future__ import annotations

import math

import polars as pl
from scipy import special

from balance.analysis import sequence
from balance.analysis.estimate import CONFIDENCE, sidak

WIDTHS = (0.03, 0.02, 0.01, 0.005)
POWER = 0.8  # the chance with which what is called detectable is detected


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


def foreseen(
    families: dict[str, int], players: int, games: int, block_games: int, band: float
) -> pl.DataFrame:
    """Foretell what `games` games can say of each family, if rows knew nothing of one another.

    Where it matters who meets whom, blocks do better than this; where the deal favours a seat, worse.

    Parameters
    ----------
    families
        Name -> number of its levels, each as often in play as another.
    band
        Half-width of the band, as a part of the fair share.

    Returns
    -------
    pl.DataFrame
        For each family: `family`, `levels`, `rows` (of each level), `fixed` and `anytime` (half-widths
        of the intervals at a fixed number of games, and of those that hold at every look), `told` (the
        smallest departure from fair that a fixed interval leaves out with 80 % power), `outside` (the
        smallest that is called unbalanced with 80 % power), `balanced` and `balanced_anytime` (the
        chance that a level which is truly fair is called balanced).
    """
    fair = 1.0 / players
    blocks = games / block_games
    reserve = float(special.ndtri(POWER))
    rows = []
    for family, levels in families.items():
        count = games * players / levels
        error = math.sqrt(fair * (1.0 - fair) / count)
        fixed = float(special.ndtri(1.0 - sidak(levels) / 2.0)) * error
        anytime = sequence.half_width(blocks, fair, count / blocks, (1.0 - CONFIDENCE) / levels)
        edge = band * fair
        told, outside = fixed + reserve * error, edge + fixed + reserve * error
        chances = [
            max(0.0, 2.0 * float(special.ndtr((edge - half) / error)) - 1.0) for half in (fixed, anytime)
        ]
        rows.append((family, levels, round(count), fixed, anytime, told, outside, *chances))
    names = ("rows", "fixed", "anytime", "told", "outside", "balanced", "balanced_anytime")
    return pl.DataFrame(rows, schema=["family", "levels", *names], orient="row")
