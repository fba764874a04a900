"""Tune the weights of a game's bots in self-play: CMA-ES against a growing league.

Each candidate of a generation sits in one seat and meets the same rivals, drawn from the league, on the
same deals as every other candidate, so that what differs is the candidate. Each generation has fresh
deals. The league grows by what the search has come to, so that the weights are not fitted to the styles.
What is kept is chosen on deals of their own, and told on further ones, also against styles that the search
never met.

Reference
---------
N. Hansen, "The CMA evolution strategy: a tutorial" (2016), arXiv 1604.00772.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance import __version__, arena, bot_files
from balance import cell as cells_
from balance.arena import Match, Table
from balance.errors import ScenarioError, nearest
from balance.games import Game

GENERATIONS, GAMES = 40, 480  # by default; games a candidate plays in a generation
GROW = 8  # generations after which the league takes in what the search has come to
TRIAL = 1_500  # games in which a style, or what is to be kept, is tried
TOLD = 4_000  # games of the last report, against each rival
SIGMA = 0.3  # of the first generation, in sizes of the weights
SMALL = 0.3  # size of a weight that starts at nothing, as a part of the usual size of the others
SHARPNESS = 5.0  # of the soft minimum over tables, see `blended`
LEAD = 0.2  # part of a candidate's worth that is its lead in points; the rest is the win
HELD_OUT = 3  # one of so many styles is held out
DIGITS = 3
# Parts of the seed, apart from one another: what is chosen on must not be what is told.
SEARCH, CHOICE, TELL = 0, 1_000_003, 2_000_003

Weights = dict[str, float]
Watch = Callable[[str], None]


@dataclass
class Tuned:
    """A tuned bot and how it was made.

    Attributes
    ----------
    bot
        `kind` and `weights`, as a scenario writes it.
    start
        The style that the search began with.
    made
        What goes into the bot file's record.
    against
        Players -> rival -> how the tuned bot did in one seat against it in all others.
    held_out
        Rivals that the search never met.
    """

    bot: dict[str, Any]
    start: str
    made: dict[str, Any]
    against: dict[int, dict[str, Match]] = field(default_factory=dict)
    held_out: tuple[str, ...] = ()


def tune(
    game: Game,
    tables: Sequence[Table],
    *,
    start: str | None = None,
    rivals: Mapping[str, Mapping[str, Any]] | None = None,
    generations: int = GENERATIONS,
    games: int = GAMES,
    seed: int = 1,
    jobs: int | None = None,
    told: int = TOLD,
    watch: Watch = lambda line: None,
) -> Tuned:
    """Tune a bot of `game` at `tables`, all numbers of players at once.

    Parameters
    ----------
    start
        The style to begin with; the strongest in a short tournament if left out.
    rivals
        The first league; the game's styles but for those held out if left out.
    games
        Games that each candidate plays in a generation, over all tables.

    Raises
    ------
    ScenarioError
        If there is no such style, or nothing to tune.
    """
    known = {name: cells_.resolve_bot(game, name, spec) for name, spec in dict(rivals or game.bots).items()}
    styles = {name: spec for name, spec in known.items() if spec["kind"] != "random" and name != "tuned"}
    if not styles:
        raise ScenarioError(f"{game.title} has no bot with weights", where=game.id, remedy="choose another")
    if start is not None and start not in known:
        raise ScenarioError(f"there is no bot '{start}'", where="--start", remedy=nearest(start, known))
    strength = _strengths(tables, styles, seed, jobs, watch)
    begun = start or max(strength, key=lambda name: strength[name])
    held_out = _held_out(styles, begun)
    league = {name: spec for name, spec in styles.items() if name not in held_out}
    names = moved(game, tables[0], known[begun])
    if not names:
        raise ScenarioError(
            f"no weight of '{begun}' changes what it does", where=game.id, remedy="start with another style"
        )
    watch(f"starts from “{begun}”, {len(names)} weights; league: {', '.join(league)}")
    search = _Search(game, tables, known[begun], names, league, strength, seed, jobs)
    kept = search.run(generations, games, watch)
    chosen = _chosen(search, kept, seed, jobs, watch)
    bot = {"kind": known[begun]["kind"], "weights": rounded(chosen)}
    against = {
        at.players: {
            name: arena.duel(at, bot, spec, _blocks(at, told), seed + TELL, jobs)
            for name, spec in styles.items()
        }
        for at in tables
    }
    made = {
        "game": game.id,
        "version": game.version,
        "toolkit": __version__,
        "from": begun,
        "players": [at.players for at in tables],
        "seed": seed,
        "generations": generations,
        "population": search.population,
        "games": search.played,
        "league": list(league),
        "held_out": list(held_out),
    }
    return Tuned(bot, begun, made, against, held_out)


def moved(game: Game, at: Table, bot: Mapping[str, Any]) -> list[str]:
    """List the weights that change what `bot` does, tried on some games: others need no tuning."""
    games = arena.line_up(at, np.arange(max(1, 60 // at.block_games)))
    spec = {"kind": bot["kind"], "weights": dict(bot["weights"])}
    who = np.zeros(games.own.shape, np.int32)

    def ends(weights: Mapping[str, float]) -> bytes:
        seated = at.seated({"one": {"kind": spec["kind"], "weights": dict(weights)}})
        batch = arena.play(at, seated, games, who, 1)
        return np.asarray(batch.seats.score).tobytes() + np.asarray(batch.games.decisions).tobytes()

    usual = ends(spec["weights"])
    full = complete(game, bot)
    sizes = _sizes(game, full)
    found = []
    for weight in game.weights:
        if weight.switch:
            continue
        changed = {**full, weight.name: full[weight.name] + 2.0 * sizes[weight.name]}
        if ends(changed) != usual:
            found.append(weight.name)
    return found


def complete(game: Game, bot: Mapping[str, Any]) -> Weights:
    """Return all weights of a bot, those that it leaves out at their defaults."""
    return {weight.name: weight.default for weight in game.weights} | dict(bot["weights"])


def _sizes(game: Game, weights: Mapping[str, float]) -> Weights:
    """Return for each weight how far a usual step goes."""
    usual = float(np.median([abs(value) for value in weights.values() if value] or [1.0]))
    return {name: max(abs(value), SMALL * min(1.0, usual)) for name, value in weights.items()}


def rounded(weights: Mapping[str, float]) -> Weights:
    """Round weights to three digits, as they are played and written."""
    return {name: float(f"{value:.{DIGITS}g}") for name, value in weights.items()}


def _held_out(styles: Mapping[str, Any], begun: str) -> tuple[str, ...]:
    """Hold out every third style, never the one to begin with; none where there are but two."""
    others = [name for name in styles if name != begun]
    return tuple(others[HELD_OUT - 2 :: HELD_OUT]) if len(others) > 1 else ()


def _blocks(at: Table, games: int) -> int:
    return max(2, -(-games // at.block_games))


def _strengths(
    tables: Sequence[Table], styles: Mapping[str, Any], seed: int, jobs: int | None, watch: Watch
) -> dict[str, float]:
    """Say how much each style wins in one seat against all styles in the others, in fair shares."""
    found = {}
    for name, spec in styles.items():
        shares = [_against(at, spec, styles, TRIAL, seed + CHOICE, jobs)[0].mean() / at.fair for at in tables]
        found[name] = float(np.mean(shares))
        watch(f"“{name}” wins {found[name]:.2f} times a fair share against the styles")
    return found


def blended(ahead: Sequence[np.ndarray]) -> np.ndarray:
    """Blend how far ahead bots are at several tables, the worst of them counting most.

    A mean would buy a little more at one number of players with a loss at another. This is the soft
    minimum, -log(mean(exp(-b x))) / b.
    """
    values = np.stack(ahead)
    least = values.min(axis=0)
    return least - np.log(np.exp(-SHARPNESS * (values - least)).mean(axis=0)) / SHARPNESS


def _ahead(at: Table, shares: np.ndarray) -> np.ndarray:
    """Put shares of any number of players on one scale: standard deviations above fair."""
    return (shares - at.fair) / np.sqrt(at.fair * (1.0 - at.fair))


def _against(
    at: Table, bot: Mapping[str, Any], league: Mapping[str, Any], games: int, seed: int, jobs: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return shares and leads of `bot` in one seat, rivals drawn from `league` for the others."""
    laid = arena.line_up(at, np.arange(_blocks(at, games)))
    seated = at.seated({"one": bot, **{f"rival {n}": spec for n, spec in enumerate(league.values())}})
    who = _drawn(laid, [1.0] * len(league), seed)
    batch = arena.play(at, seated, laid, np.where(laid.own, 0, 1 + who), seed, jobs)
    return arena.shares(batch, laid), arena.leads(batch, laid)


def _drawn(games: arena.Games, odds: Sequence[float], seed: int) -> np.ndarray:
    """Draw a rival for each seat of each game, alike for every candidate, by the odds of each."""
    chances = np.asarray(odds, float) / np.sum(odds)
    draws = np.random.Generator(np.random.PCG64(seed))
    return draws.choice(len(chances), games.own.shape, p=chances).astype(np.int32)


class _Search:
    """The state of a search: the league, what it has come to, and how many games were played."""

    def __init__(
        self,
        game: Game,
        tables: Sequence[Table],
        begun: Mapping[str, Any],
        names: Sequence[str],
        league: Mapping[str, Any],
        strength: Mapping[str, float],
        seed: int,
        jobs: int | None,
    ) -> None:
        self.game, self.tables, self.names, self.seed, self.jobs = game, tables, list(names), seed, jobs
        self.kind = begun["kind"]
        self.base = complete(game, begun)
        sizes = _sizes(game, self.base)
        self.size = np.array([sizes[name] for name in names])
        self.middle = np.array([self.base[name] for name in names])
        self.league: list[Mapping[str, Any]] = list(league.values())
        self.odds = [max(strength[name], 0.1) ** 2 for name in league]  # the strong are met more often
        self.played = 0
        self.first = dict.fromkeys(range(len(tables)), 0)  # the next fresh block of each table
        self.spread = [self._usual_lead(at) for at in tables]
        self.population = 4 + int(3 * np.log(max(len(names), 2)))
        self.population += self.population % 2

    def weights(self, x: np.ndarray) -> Weights:
        """Return the weights that a point of the search stands for."""
        return self.base | dict(zip(self.names, (self.middle + self.size * x).tolist(), strict=True))

    def bot(self, weights: Mapping[str, float]) -> Mapping[str, Any]:
        return {"kind": self.kind, "weights": dict(weights)}

    def run(self, generations: int, games: int, watch: Watch) -> list[Weights]:
        """Search, and return what is worth a closer look: the start, and the means now and then."""
        kept = [dict(self.base)]
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")  # the library greets with hints of optional packages
            import cma

            draws = np.random.Generator(np.random.PCG64(self.seed))
            strategy = cma.CMAEvolutionStrategy(
                np.zeros(len(self.names)),
                SIGMA,
                {
                    "popsize": self.population,
                    "seed": np.nan,
                    "randn": lambda *shape: draws.standard_normal(shape),
                    "verbose": -9,
                    "verb_log": 0,
                    "verb_disp": 0,
                },
            )
        for generation in range(1, generations + 1):
            points = strategy.ask()
            worth = self.worth([self.weights(point) for point in points], games)
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                strategy.tell(points, [-value for value in worth])
            if generation % GROW == 0 or generation == generations:
                mean = self.weights(np.asarray(strategy.mean))
                kept.append(mean)
                self.league.append(self.bot(mean))
                self.odds.append(max(self.odds))
                watch(
                    f"generation {generation} of {generations}: {np.mean(worth):+.3f} on average, "
                    f"{self.played:,} games"
                )
        return kept

    def worth(self, candidates: Sequence[Mapping[str, float]], games: int) -> np.ndarray:
        """Return how far each candidate is ahead, all on the same fresh deals."""
        parts = []
        bots: dict[str, Mapping[str, Any]] = {}
        bots |= {f"candidate {n}": self.bot(weights) for n, weights in enumerate(candidates)}
        bots |= {f"rival {n}": spec for n, spec in enumerate(self.league)}
        for number, at in enumerate(self.tables):
            blocks = _blocks(at, games // len(self.tables))
            laid = arena.line_up(at, self.first[number] + np.arange(blocks))
            who = len(candidates) + _drawn(laid, self.odds, self.seed + self.first[number])
            self.first[number] += blocks
            many = _copies(laid, len(candidates))
            own = np.repeat(np.arange(len(candidates), dtype=np.int32), len(laid.numbers))
            seats = np.where(many.own, own[:, None], np.tile(who, (len(candidates), 1)))
            batch = arena.play(at, at.seated(bots), many, seats, self.seed + SEARCH, self.jobs)
            leads = np.tanh(arena.leads(batch, many) / self.spread[number])
            won = _ahead(at, arena.shares(batch, many))
            value = (1.0 - LEAD) * won + LEAD * leads
            parts.append(value.reshape(len(candidates), -1).mean(axis=1))
            self.played += len(many.numbers)
        return blended(parts)

    def _usual_lead(self, at: Table) -> float:
        """Return the usual size of a lead at this table, to weigh leads by."""
        league = {str(n): spec for n, spec in enumerate(self.league)}
        _, leads = _against(at, self.bot(self.base), league, 200, self.seed + CHOICE, self.jobs)
        return max(1.0, float(np.std(leads)))


def _copies(games: arena.Games, count: int) -> arena.Games:
    rows = np.tile(games.rows, count).view(np.recarray)
    return arena.Games(
        np.tile(games.numbers, count), np.tile(games.blocks, count), rows, np.tile(games.own, (count, 1))
    )


def _chosen(search: _Search, kept: Sequence[Weights], seed: int, jobs: int | None, watch: Watch) -> Weights:
    """Choose among `kept`, rounded, by games on deals of their own against the whole league."""
    league = {str(n): spec for n, spec in enumerate(search.league)}
    best, most = kept[0], -np.inf
    for number, weights in enumerate(kept):
        bot = search.bot(rounded(weights))
        each = [
            _ahead(at, _against(at, bot, league, TRIAL, seed + CHOICE, jobs)[0].mean())
            for at in search.tables
        ]
        worth = float(blended(each))
        watch(f"choice {number} of {len(kept) - 1}: {worth:+.3f} on other deals")
        if worth > most:
            best, most = weights, worth
    return best


def file(tuned: Tuned, name: str = "tuned") -> str:
    """Return the bot file of a tuned bot, with its record."""
    results = [
        f"{players} players, {rival}{' (held out)' if rival in tuned.held_out else ''}: "
        f"{100 * one.share:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f}), fair {100 * one.fair:.1f}"
        for players, rivals in tuned.against.items()
        for rival, one in rivals.items()
    ]
    return bot_files.written({name: tuned.bot}, {**tuned.made, "results": results})
