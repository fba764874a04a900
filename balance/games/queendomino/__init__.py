"""Kingdomino (2016) and Queendomino (2017), both by Bruno Cathala, and the Royal Wedding of the two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from balance.games import Column, Game, Weight, load_bots, load_components, load_tiers
from balance.games.queendomino import (
    bots,
    builders,
    content,
    house_rules,
    kingdom,
    kingdomino_bots,
    kingdomino_rows,
    planner,
    queendomino_bots,
    queendomino_rows,
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

BOTS = {game: load_bots(DATA, game) for game in ("kingdomino", "queendomino")}
WEDDING_BOTS = {
    style: BOTS["queendomino"][style] for style in ("planner", "greedy_placement", "random", "tuned")
}
TIERS = {game: load_tiers(DATA, bots, game) for game, bots in (*BOTS.items(), ("wedding", WEDDING_BOTS))}
WEIGHTS = (
    Weight(
        "tidy",
        "the greedy kinds: not 0 to keep the castle in the middle and leave no hole of one square",
        1.0,
        switch=True,
    ),
    Weight(
        "lapse",
        "full_greedy: 1 to play at random where no next domino fits, as its authors' program does",
        switch=True,
    ),
    Weight("ahead", "planner: points that the next domino will bring, as a part of those of this one"),
    Weight("open", "planner: each of up to three open cells beside a terrain, with the whole game to come"),
    Weight("grow", "planner: each crown on a terrain that can grow, with the whole game to come"),
    Weight("crown", "planner: each crown on a domino to choose, with the whole game to come"),
    Weight("hole", "planner: each free cell that no domino can cover any more"),
    Weight("early", "planner: each place further on in the line"),
    Weight("fit", "planner: a domino that cannot be placed"),
)
TOWN_WEIGHTS = (
    Weight("coin", "planner: a coin"),
    Weight("site", "planner: each of up to two free town squares, with the whole game to come"),
    Weight("site_cost", "planner: the town square that a building takes, with the whole game to come"),
    Weight("patience", "planner: coins that a knight should bring, with the whole game to come"),
    Weight("build", "planner: a building, whatever it is"),
    Weight("knight", "planner: a knight, with the whole game to come"),
    Weight("tower", "planner: a tower, towards the queen"),
    Weight("queen", "planner: a square under the queen's crown"),
    Weight("town_crown", "planner: a square under a tower's crown"),
    Weight("spite", "planner: a point that the dragon takes from a rival"),
)

_LAID_OUT = (state, kingdom, builders, scoring, rules)

KINGDOMINO = Game(
    id="kingdomino",
    title="Kingdomino",
    version=1,
    players=(2, 4),
    modules=(*_LAID_OUT, kingdomino_rows, bots, planner, kingdomino_bots),
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
    weights=(*WEIGHTS, *TOWN_WEIGHTS),
    bots=BOTS["kingdomino"],
    tiers=TIERS["kingdomino"],
    seat_columns=LAND,
)

BUILDINGS = load_components(DATA, "buildings")["buildings"]

TOWN = (
    *LAND[:6],
    Column("points_town", "source", "Towns"),
    *LAND[6:9],
    Column("points_buildings", "source", "Buildings"),
    Column("points_coins", "source", "Wealth"),
    Column("points_queen", "source", "Queen"),
    *LAND[9:],
    Column("coins", "stock", "Coins left"),
    Column("taxes", "count", "Coins from taxes"),
    Column("spent", "count", "Coins paid for buildings"),
    Column("knights_sent", "count", "Knights sent"),
    Column("knights_left", "stock", "Knights left"),
    Column("towers", "stock", "Towers"),
    Column("buildings", "count", "Buildings"),
    Column("burned_by", "count", "Buildings burned"),
    Column("hosts_queen", "flag", "Hosts the queen"),
    *(Column(f"built_{key}", "count", entry["name"], of=key) for key, entry in BUILDINGS.items()),
)
BARS = tuple((key, f"never builds the {entry['name']}") for key, entry in BUILDINGS.items())
GIFTS = tuple((key, f"builds the {entry['name']} for nothing") for key, entry in BUILDINGS.items())


def _queendomino(**changes: Any) -> Game:
    """Return Queendomino, or a game of the Royal Wedding by what it changes."""
    settings: dict[str, Any] = {
        "id": "queendomino",
        "title": "Queendomino",
        "version": 1,
        "players": (2, 4),
        "modules": (*_LAID_OUT, queendomino_rows, bots, planner, queendomino_bots),
        "words": words,
        "state": state.state(8),
        "rules": house_rules.QUEENDOMINO_RULES,
        "tables": content.TABLES,
        "components": {"decks": {"queendomino": DECKS["queendomino"]}, "buildings": BUILDINGS},
        "prepare": content.queendomino,
        "streams": ("deal",),
        "acts": state.ACTS,
        "legal_most": state.LEGAL_MOST,
        "limit": 4_000,
        "kinds": queendomino_bots.KINDS,
        "weights": (*WEIGHTS, *TOWN_WEIGHTS),
        "bars": BARS,
        "gifts": GIFTS,
        "bots": BOTS["queendomino"],
        "tiers": TIERS["queendomino"],
        "game_columns": (
            Column("burned", "count", "Buildings burned"),
            Column("tiles_left", "stock", "Buildings left"),
        ),
        "seat_columns": TOWN,
    }
    return Game(**settings | changes)


QUEENDOMINO = _queendomino()

WEDDING = _queendomino(
    id="royal-wedding",
    title="Royal Wedding",
    players=(3, 8),
    rules=house_rules.WEDDING_RULES,
    components={"decks": DECKS, "buildings": BUILDINGS},
    prepare=content.wedding,
    bots=WEDDING_BOTS,
    tiers=TIERS["wedding"],
)
PAIRS = _queendomino(
    id="royal-wedding-pairs",
    title="Royal Wedding in pairs",
    players=(6, 8),
    skips=(7,),
    sides=lambda players: [seat % (players // 2) for seat in range(players)],
    rules=house_rules.PAIRS_RULES,
    components={"decks": DECKS, "buildings": BUILDINGS},
    prepare=content.pairs,
    bots=WEDDING_BOTS,
    tiers=TIERS["wedding"],
)

GAMES = (KINGDOMINO, QUEENDOMINO, WEDDING, PAIRS)
