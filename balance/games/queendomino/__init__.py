"""Kingdomino (2016) and Queendomino (2017), both by Bruno Cathala, and the Royal Wedding of the two."""

from __future__ import annotations

import functools
from pathlib import Path

from balance.games import Column, Game, Weight, load_components
from balance.games.queendomino import (
    bots,
    builders,
    content,
    house_rules,
    kingdom,
    kingdomino_bots,
    kingdomino_rows,
    rules,
    scoring,
    state,
    words,
)

DATA = Path(__file__).parent / "data"
DECKS = load_components(DATA, "decks")["decks"]

LAND = (
    Column("points_wheat", "source", "Wheat fields"),
    Column("points_forest", "source", "Forests"),
    Column("points_lake", "source", "Lakes"),
    Column("points_grassland", "source", "Grassland"),
    Column("points_swamp", "source", "Swamps"),
    Column("points_mine", "source", "Mines"),
    Column("points_middle", "source", "Middle Kingdom"),
    Column("points_harmony", "source", "Harmony"),
    Column("points_past", "source", "Earlier games"),
    Column("largest", "stock", "Largest territory"),
    Column("crowns", "stock", "Crowns"),
    Column("territories", "stock", "Territories"),
    Column("squares", "stock", "Squares"),
    Column("discards", "count", "Dominoes discarded"),
)

_LAID_OUT = (state, kingdom, builders, scoring, rules)

KINGDOMINO = Game(
    id="kingdomino",
    title="Kingdomino",
    version=1,
    players=(2, 4),
    modules=(*_LAID_OUT, kingdomino_rows, bots, kingdomino_bots),
    words=words,
    state=state.state(4),
    rules=house_rules.KINGDOMINO_RULES,
    tables=(*content.TABLES, *(rule.column() for rule in house_rules.OWN)),
    components={"decks": {"kingdomino": DECKS["kingdomino"]}},
    prepare=content.kingdomino,
    streams=("deal",),
    acts=state.ACTS,
    legal_most=state.LEGAL_MOST,
    limit=2_000,
    kinds=kingdomino_bots.KINDS,
    weights=(
        Weight("tidy", "1: never leaves the middle or a hole of one square while it can help it", 1.0),
        Weight("lapse", "1: plays at random where no domino could be placed next, as its authors' program does"),
    ),
    bots={
        "random": {"kind": "random"},
        "greedy_placement": {"kind": "greedy_placement"},
        "full_greedy": {"kind": "full_greedy"},
    },
    seat_columns=LAND,
)

GAMES = (KINGDOMINO,)
