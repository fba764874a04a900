"""Coins, the calibration game of sealed choices: two put down a coin each, then luck decides.

Who wins with which chance depends on both coins, so that the game has one equilibrium, in mixed play.
"""

from balance.games import Column, Game
from balance.records import HEADER, Rule, record
from coins import bots, rules, words

GAMES = (
    Game(
        id="coins",
        title="Coins",
        version=1,
        players=(2, 2),
        modules=(rules, bots),
        words=words,
        state=record(*HEADER, ("coins", "i4", (2,)), ("winner", "i4")),
        rules=(
            Rule("chances", (90, 20, 30, 70), 0, 100, "", "how often in 100 the first wins: HH, HT, TH, TT"),
        ),
        streams=("luck",),
        acts=2,
        limit=10,
        kinds=("random", "greedy"),
        bots={"random": {"kind": "random"}},
        seat_columns=(Column("points", "source", "Points"), Column("heads", "flag", "Put down heads")),
    ),
)
