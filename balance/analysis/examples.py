"""Games worth a look: a typical one, a close one and a lopsided one."""

from __future__ import annotations

import numpy as np

from balance.analysis.declared import Declared
from balance.analysis.per_game import games_of

LOOKED = 2_000  # blocks to choose from


def examples(known: Declared) -> list[tuple[str, int, int]]:
    """Return ("typical", "close", "lopsided"), the cell and the number of such a game in the first cell."""
    cell = int(known.cells["cell"][0])
    games = games_of(known, cell, LOOKED)
    ended = games.table["finished"].to_numpy()
    if not ended.any():
        return []
    numbers, turns = games.table["game"].to_numpy(), games.table["turns"].to_numpy()
    margin = games.margin()
    far = np.where(ended, 0.0, np.inf)
    typical = far + _from_middle(turns, ended) + _from_middle(margin, ended)
    places = {
        "typical": int(np.argmin(typical)),
        "close": int(np.argmin(far + margin + 1e-6 * np.abs(typical))),
        "lopsided": int(np.argmin(far - margin)),
    }
    return [(what, cell, int(numbers[place])) for what, place in places.items()]


def _from_middle(values: np.ndarray, ended: np.ndarray) -> np.ndarray:
    """Say how far each value lies from the median, in units of the middle half's width."""
    low, middle, high = np.quantile(values[ended], [0.25, 0.5, 0.75])
    return np.abs(values - middle) / max(high - low, 1.0)
