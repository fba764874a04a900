"""Kingdom Builder (D. X. Vaccarino, Queen Games 2011)."""

import itertools
from pathlib import Path

from balance.games import Column, Game, load_bots, load_components, load_tiers
from balance.games.kingdom_builder import (
    acts,
    board,
    bots,
    choices,
    house_rules,
    laying_out,
    locations,
    outlook,
    rules,
    scoring,
    tallies,
    words,
)
from balance.games.kingdom_builder.content import TABLES, prepare
from balance.games.kingdom_builder.state import STATE

DATA = Path(__file__).parent / "data"
COMPONENTS = load_components(DATA, "locations", "quadrants", "cards")
CARDS = {key: entry["name"] for key, entry in COMPONENTS["cards"].items()}
LOCATIONS = {key: entry["name"] for key, entry in COMPONENTS["locations"].items()}
TRIPLES = tuple(", ".join(three) for three in itertools.combinations(CARDS.values(), 3))

BOTS = load_bots(DATA)

GAMES = (
    Game(
        id="kingdom-builder",
        title="Kingdom Builder",
        version=1,
        players=(2, 5),
        modules=(acts, board, scoring, laying_out, locations, choices, tallies, rules, outlook, bots),
        words=words,
        state=STATE,
        rules=house_rules.rules(COMPONENTS["quadrants"], CARDS),
        tables=TABLES,
        components=COMPONENTS,
        prepare=prepare,
        streams=("map", "cards", "terrain"),
        acts=acts.ACTS,
        legal_most=acts.LEGAL_MOST,
        limit=20_000,
        kinds=bots.KINDS,
        weights=bots.WEIGHTS,
        bars=tuple((key, f"never uses a tile of the {name}") for key, name in LOCATIONS.items()),
        bots=BOTS,
        tiers=load_tiers(DATA, BOTS),
        game_columns=(
            Column("triple", "category", "Cards", (*TRIPLES, "not three cards"), deal="Cards together"),
            *(Column(key, "flag", name, deal="Card", pays=(f"points_{key}",)) for key, name in CARDS.items()),
            *(
                Column(f"section_{key}", "flag", f"{name} section", deal="Section")
                for key, name in LOCATIONS.items()
            ),
            Column("shuffles", "count", "Terrain cards shuffled anew"),
            Column("dead_cards", "count", "Terrain cards out of the game"),
        ),
        seat_columns=(
            Column("points_castle", "source", "Castles"),
            *(Column(f"points_{key}", "source", name) for key, name in CARDS.items()),
            Column("supply", "stock", "Settlements left"),
            Column("extra_builds", "count", "Extra settlements built"),
            Column("moves", "count", "Settlements moved"),
            Column("tiles_taken", "count", "Tiles taken"),
            Column("tiles_lost", "count", "Tiles lost"),
            Column("first_tile", "time", "First tile in round"),
            *(Column(f"uses_{key}", "count", f"{name} used", of=key) for key, name in LOCATIONS.items()),
        ),
    ),
)
