"""What the command prints of bots: ladders of tiers, styles among one another, what tuning came to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from balance.analysis.wording import percent, short, signed, span
from balance.terminal import say, table

if TYPE_CHECKING:
    from balance.arena import Match
    from balance.games import Game
    from balance.ladder import Pair, Rung
    from balance.tuning import Tuned


def matched(one: Match) -> dict[str, Any]:
    """Return a match for other programs: `share`, `low`, `high` (95 %), `fair`, `games`, `blocks`."""
    return dataclasses.asdict(one)


def runged(rungs: Iterable[Rung]) -> list[dict[str, Any]]:
    """Return rungs for other programs: `players`, `upper`, `lower`, `milliseconds`, and the match."""
    return [
        {"players": one.players, "upper": one.upper, "lower": one.lower}
        | matched(one.match)
        | {"milliseconds": one.milliseconds, "stands": one.match.better}
        for one in rungs
    ]


def _won(one: Match) -> tuple[str, str, str]:
    """Write a share, its interval, and how far from fair it is in points."""
    return percent(one.share), span(one.low, one.high), signed(100 * (one.share - one.fair), 1)


def ladder(game: Game, rungs: Sequence[Rung]) -> None:
    """Print the ladder of a game: a row a rung and number of players."""
    table(
        ("Tier", "Among", "Seats", "Wins", "Between", "From fair", "ms", ""),
        [
            (
                one.upper,
                one.lower,
                str(one.players),
                *_won(one.match),
                f"{one.milliseconds:.2g}",
                "stands" if one.match.better else "FALLS" if one.match.worse else "unsure",
            )
            for one in rungs
        ],
        title=f"{game.title}: one of a tier among bots of the tier below",
        right="Seats,Wins,Between,From fair,ms",
    )
    say(
        "Wins: share of the games of the one. Between: 95 %, at every look. From fair: points. "
        "ms: milliseconds of a move of the upper tier, on one core."
    )


def paired(pairs: Iterable[Pair]) -> list[dict[str, Any]]:
    """Return pairs of styles for other programs: `players`, `one`, `other`, and the match."""
    return [
        {"players": one.players, "one": one.one, "other": one.other} | matched(one.match) for one in pairs
    ]


def pairs(game: Game, found: Sequence[Pair]) -> None:
    """Print how styles do among one another, a table for each number of players."""
    from balance.ladder import cycles, unbeaten

    for players in dict.fromkeys(one.players for one in found):
        own = [one for one in found if one.players == players]
        names = list(dict.fromkeys(one.one for one in own))
        by = {(one.one, one.other): one.match for one in own}

        rows = [
            (
                name,
                other,
                *_won(by[name, other]),
                "->" if by[name, other].better else "<-" if by[name, other].worse else "",
            )
            for name in names
            for other in names
            if other != name
        ]
        table(
            ("One", "Among", "Wins", "Between", "From fair", ""),
            rows,
            title=f"{game.title}, {players} players: one of a style among others (fair: "
            f"{short(own[0].match.fair)} %)",
            right="Wins,Between,From fair",
        )
        best = unbeaten(own)
        say(
            f"{best[0]} does better than fair among every other style."
            if best
            else "No style does better than fair among every other."
        )
        for ring in cycles(own):
            say(f"A cycle: {' beats '.join((*ring, ring[0]))}.")
        if not any(one.match.better for one in own):
            say("No style is shown to do better among another.")
        print()


def tuned_table(found: Tuned) -> dict[str, Any]:
    """Return a tuned bot for other programs: `bot`, `made`, and `against`, a list of matches."""
    against = [
        {"players": players, "rival": rival, "held_out": rival in found.held_out} | matched(one)
        for players, rivals in found.against.items()
        for rival, one in rivals.items()
    ]
    return {"bot": found.bot, "made": found.made, "against": against}


def tuned(found: Tuned) -> None:
    """Print how a tuned bot does against each style, on deals that it was neither tuned nor chosen on."""
    table(
        ("Among", "Players", "Wins", "Between", "From fair", "Met in tuning"),
        [
            (rival, str(players), *_won(one), "no" if rival in found.held_out else "yes")
            for players, rivals in found.against.items()
            for rival, one in rivals.items()
        ],
        title="The tuned bot in one seat among styles, on fresh deals",
        right="Players,Wins,Between,From fair",
    )
