"""The ladder of a game's tiers: each bot against the one below at the same table, rung by rung.

In a rung one bot of the upper tier sits among bots of the lower one. It stands if the 95 % interval of
its win share lies above a fair share. Styles are held against one another in the same way, each in one
seat among others of another style: an arrow is drawn only where the interval leaves out a fair share.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance import arena
from balance import cell as cells_
from balance.arena import Match, Table
from balance.errors import ScenarioError, nearest
from balance.games import Game

GAMES = 2_000  # most games of a rung at one number of players
FIRST = 12  # blocks of the first look, fewest
LOOKS = 5  # looks at a rung, each with twice the games of the one before
CONFIDENCE_EACH = 0.05 / LOOKS  # an interval that is looked at so often is made for it
SECONDS = 60.0  # after which no further look begins
STYLES_GAMES = 1_200
MEASURED, MOST_MEASURED = 0.2, 4_096  # seconds, and games, that time a move

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Rung:
    """One tier against the one below at one number of players.

    Attributes
    ----------
    match
        How one of `upper` did among bots of `lower`.
    milliseconds
        That a move of `upper` takes, on one core; a move of `lower` is not counted.
    """

    players: int
    upper: str
    lower: str
    match: Match
    milliseconds: float


def climb(
    game: Game,
    tables: Sequence[Table],
    *,
    games: int = GAMES,
    seed: int = 1,
    jobs: int | None = None,
    watch: Watch = lambda line: None,
) -> Iterator[Rung]:
    """Yield each rung of the game's ladder, from below, at each table.

    Raises
    ------
    ScenarioError
        If the game has fewer than two tiers.
    """
    if len(game.tiers) < 2:
        raise ScenarioError(f"{game.title} has no tiers", where=game.id, remedy="name them in its data")
    names = list(game.tiers)
    for lower, upper in itertools.pairwise(names):
        for at in tables:
            watch(f"{upper} among {lower}, {at.players} players")
            match = met(at, game.tiers[upper], game.tiers[lower], games, seed, jobs)
            yield Rung(at.players, upper, lower, match, pace(at, game.tiers[upper], seed))


def met(
    at: Table, one: Mapping[str, Any], others: Mapping[str, Any], games: int, seed: int, jobs: int | None
) -> Match:
    """Let one bot meet others until it is clear who is better, or `games` are played.

    Each look has twice the games of the one before; the interval is made for all looks at once
    (Bonferroni), so that stopping early claims nothing that is not so.
    """
    blocks = max(FIRST, -(-games // at.block_games // 2 ** (LOOKS - 1)))
    most = max(FIRST, -(-games // at.block_games))
    started = time.monotonic()
    while True:
        found = arena.duel(at, one, others, min(blocks, most), seed, jobs, CONFIDENCE_EACH)
        if found.better or found.worse or blocks >= most or time.monotonic() - started > SECONDS:
            return found
        blocks *= 2


def pace(at: Table, bot: Mapping[str, Any], seed: int) -> float:
    """Return milliseconds that a decision of `bot` takes on one core, with it in every seat."""
    seated = at.seated({"one": bot})
    games = 1
    while True:
        laid = arena.first(arena.line_up(at, np.arange(-(-games // at.block_games))), games)
        started = time.process_time()
        batch = arena.play(at, seated, laid, np.zeros(laid.own.shape, np.int32), seed, 1)
        spent = time.process_time() - started
        if spent > MEASURED or games >= MOST_MEASURED:
            return 1000 * spent / max(1, int(batch.games.decisions.sum()))
        games *= 2


# --- styles ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """One of `one` among bots of `other`, at one number of players."""

    players: int
    one: str
    other: str
    match: Match


def styles(
    game: Game,
    tables: Sequence[Table],
    names: Sequence[str] = (),
    *,
    games: int = STYLES_GAMES,
    seed: int = 1,
    jobs: int | None = None,
    watch: Watch = lambda line: None,
) -> Iterator[Pair]:
    """Yield how each style does in one seat among each other one.

    Raises
    ------
    ScenarioError
        If a name is no bot of the game.
    """
    for name in names:
        if name not in game.all_bots:
            raise ScenarioError(
                f"there is no bot '{name}'", where="--styles", remedy=nearest(name, game.all_bots)
            )
    chosen = list(names) or [
        name for name, spec in game.bots.items() if spec.get("kind") != "random" and "search" not in spec
    ]
    bots = {name: cells_.resolve_bot(game, name, {"like": name}) for name in chosen}
    for at in tables:
        for one in chosen:
            watch(f"{one} among others, {at.players} players")
            for other in chosen:
                if other != one:
                    blocks = max(FIRST, -(-games // at.block_games))
                    yield Pair(
                        at.players, one, other, arena.duel(at, bots[one], bots[other], blocks, seed, jobs)
                    )


def unbeaten(pairs: Sequence[Pair]) -> list[str]:
    """List the styles that win more than a fair share among each other style (of one number of players)."""
    names = list(dict.fromkeys(pair.one for pair in pairs))
    return [name for name in names if all(pair.match.better for pair in pairs if pair.one == name)]


def cycles(pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """List rings of three styles: each does better than fair among the next, and not the other way."""
    beats = {(pair.one, pair.other) for pair in pairs if pair.match.better}
    only = {(one, other) for one, other in beats if (other, one) not in beats}
    names = list(dict.fromkeys(pair.one for pair in pairs))
    return [
        (a, b, c)
        for a in names
        for b in names
        for c in names
        if a == min(a, b, c, key=names.index) and {(a, b), (b, c), (c, a)} <= only
    ]
