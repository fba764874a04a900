"""How fast a game is played: games and decisions a second, for each bot, on one core and on all.

Timed is what a sweep does for its rows, short of writing them: line-ups ready, the compiled engine
plays, result rows come back. The best of several short runs counts, since everything that disturbs
a run makes it slower.
"""

from __future__ import annotations

import dataclasses
import os
import time
import types
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from balance import design, scenario
from balance.cell import Batch, Cell, bot_records, play
from balance.design import Design
from balance.games import Game

SECONDS = 0.4  # one timed run
ROUNDS = 5
OPENING = 200  # acts within which the first choice of a game comes

Share = tuple[np.ndarray, np.ndarray, np.recarray]  # numbers, blocks and line-ups of some games


def run(
    game: Game,
    players: int | None = None,
    *,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    jobs: Sequence[int] | None = None,
    bots: Sequence[str] | None = None,
    watch: Callable[[str], None] = lambda line: None,
) -> list[dict[str, Any]]:
    """Measure `game` with the same bot in every seat.

    Parameters
    ----------
    players
        Seats; four if left out, or the nearest count that the game takes.
    seconds, rounds
        About how long one run lasts, and of how many the best counts.
    jobs
        Numbers of threads to try: one and all cores if left out.
    bots
        Names of the game's bots; all if left out.
    watch
        Hears what is measured next, and of a first compile.

    Returns
    -------
    list of dict
        One for each bot and number of jobs: `game`, `players`, `bot`, `jobs`, `games_per_second`
        and `decisions_per_second` (forced moves do not count as decisions; null for playouts). Last,
        playouts from the opening position, on one core: games a second in a searching bot's mind.

    Raises
    ------
    ScenarioError
        If the game has no such player count or bot.
    """
    players = players if players is not None else game.usual
    made = [_prepared(game, players, bot) for bot in bots or game.bots]
    lib = game.fast(watch)
    rows = []
    for cell, lineups in made:
        for threads in jobs or _one_and_all():
            name = cell.bot_names[0]
            watch(f"{name}, {threads} {'core' if threads == 1 else 'cores'} ...")
            games, decisions = _best(cell, lib, lineups, threads, seconds, rounds)
            rows.append(
                {
                    "game": game.id,
                    "players": players,
                    "bot": name,
                    "jobs": threads,
                    "games_per_second": round(games, 1),
                    "decisions_per_second": round(decisions, 1),
                }
            )
    rows += [_playouts(game, players, policy, lib, seconds, rounds, watch) for policy in policies(game, bots)]
    return rows


def policies(game: Game, bots: Sequence[str] | None) -> list[str]:
    """List the bots whose playouts are timed: random, and the first other one."""
    if bots is not None:
        return []
    random = [name for name, spec in game.bots.items() if spec.get("kind") == "random"]
    others = [name for name, spec in game.bots.items() if spec.get("kind") != "random"]
    return [*random[:1], *others[:1]]


def _playouts(
    game: Game,
    players: int,
    policy: str,
    lib: types.SimpleNamespace,
    seconds: float,
    rounds: int,
    watch: Callable[[str], None],
) -> dict[str, Any]:
    """Time playouts by `policy` from the opening: a flat search there, on one core, stopped after its act."""
    watch(f"playouts by {policy} ...")
    number, spent = 8, 0.0
    while spent < seconds / 4:
        number *= 4
        spent, decisions = _opening(game, players, policy, lib, number)
    best = min(_opening(game, players, policy, lib, number)[0] for _ in range(rounds))
    return {
        "game": game.id,
        "players": players,
        "bot": f"playouts by {policy}",
        "jobs": 1,
        "games_per_second": round(decisions * number / best, 1),
        "decisions_per_second": None,
    }


def _opening(
    game: Game, players: int, policy: str, lib: types.SimpleNamespace, playouts: int
) -> tuple[float, int]:
    """Let the first seat with a choice search; return seconds, and how many decisions were searched."""
    spec = {"like": policy, "search": {"kind": "flat", "playouts": playouts, "policy": policy, "margin": 0}}
    text = f'game = "{game.id}"\nplayers = {players}\nseed = 1\n[bots.{policy}]\nlike = "{policy}"\n'
    asked = scenario.parse(text, where=f"bench {game.id}")
    cell = design.cells(asked)[0]
    made, cast, thinkers = bot_records(game, {"searcher": spec})
    cell = dataclasses.replace(cell, bots=made, bot_names=("searcher",), cast=cast, thinkers=thinkers)
    share = _share(cell, design.lineups(asked, cell), 0, 1)
    for acts in range(1, OPENING):
        started = time.perf_counter()
        batch = play(cell, lib, *share, seed=1, limit=acts)
        spent = time.perf_counter() - started
        if decisions := int(batch.games.decisions.sum()):
            return spent, decisions
    return spent, 1


def _one_and_all() -> list[int]:
    return sorted({1, os.cpu_count() or 1})


def _prepared(game: Game, players: int, bot: str) -> tuple[Cell, Design]:
    """Return a cell at the rulebook's rules with `bot` in every seat, and its line-ups."""
    text = f'game = "{game.id}"\nplayers = {players}\nseed = 1\ngames = 1\n[bots.{bot}]\nlike = "{bot}"\n'
    asked = scenario.parse(text, where=f"bench {game.id}")
    cell = design.cells(asked)[0]
    return cell, design.lineups(asked, cell)


def _best(
    cell: Cell, lib: types.SimpleNamespace, lineups: Design, threads: int, seconds: float, rounds: int
) -> tuple[float, float]:
    """Return games and decisions a second of the fastest of `rounds` runs of about `seconds`."""
    games, spent = 1, 0.0
    while spent < seconds / 4:
        games *= 2
        spent = _timed(cell, lib, lineups, 1, games)[0]
    games = max(1, round(games * seconds / spent))
    runs = [_timed(cell, lib, lineups, threads, games) for _ in range(rounds)]
    spent, decisions = min(runs)
    return threads * games / spent, decisions / spent


def _timed(
    cell: Cell, lib: types.SimpleNamespace, lineups: Design, threads: int, games: int
) -> tuple[float, int]:
    """Play `games` other games in each of `threads`; return seconds and decisions."""
    shares = [_share(cell, lineups, first, games) for first in range(0, threads * games, games)]

    def played(share: Share) -> Batch:
        numbers, blocks, seated = share
        return play(cell, lib, numbers, blocks, seated, seed=1)

    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        batches = list(pool.map(played, shares))
        spent = time.perf_counter() - started
    return spent, sum(int(batch.games.decisions.sum()) for batch in batches)


def _share(cell: Cell, lineups: Design, first: int, games: int) -> Share:
    """Take the `games` games from number `first` on."""
    size = lineups.block_games
    blocks = np.arange(first // size, -(-(first + games) // size))
    numbers, block_of, seated = lineups.of(blocks)
    skip = first - int(blocks[0]) * size
    seats = cell.players
    return (
        numbers[skip : skip + games],
        block_of[skip : skip + games],
        seated[skip * seats : (skip + games) * seats].view(np.recarray),
    )
