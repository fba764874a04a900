"""Stone Age (M. Tummelhofer, 2008) with Style is the Goal (2011) and the New Huts."""

from pathlib import Path

from balance.games import Column, Game, load_bots, load_tiers
from balance.games.stone_age import acts, board, bots, content, payment, rules, scoring, words
from balance.games.stone_age.house_rules import RULES
from balance.games.stone_age.state import STATE, TABLES

DATA = Path(__file__).parent / "data"

ENDS = ("none", "cards", "buildings", "cards and buildings")

BOTS = load_bots(DATA)

GAMES = (
    Game(
        id="stone-age",
        title="Stone Age",
        version=1,
        players=(2, 5),
        modules=(acts, board, payment, scoring, rules, bots),
        words=words,
        state=STATE,
        rules=RULES,
        tables=TABLES,
        components=content.COMPONENTS,
        prepare=content.prepare,
        streams=("cards", "buildings", "dice"),
        acts=acts.ACTS,
        legal_most=acts.LEGAL_MOST,
        limit=50_000,
        kinds=bots.KINDS,
        weights=bots.WEIGHTS,
        bars=content.BARS,
        bots=BOTS,
        tiers=load_tiers(DATA, BOTS),
        game_columns=(
            Column("ended_by", "category", "What ended the game", ENDS),
            Column("cards_left", "stock", "Cards left in the deck"),
        ),
        seat_columns=(
            Column("points_buildings", "source", "Buildings"),
            Column("points_cards", "source", "Cards with points"),
            Column("points_green", "source", "Symbols"),
            Column("points_farmers", "source", "Farmers"),
            Column("points_toolmakers", "source", "Toolmakers"),
            Column("points_builders", "source", "Hut builders"),
            Column("points_shamans", "source", "Shamans"),
            Column("points_traders", "source", "Traders"),
            Column("points_stock", "source", "Resources left"),
            Column("points_hunger", "source", "Hunger"),
            Column("figures", "stock", "Figures"),
            Column("tools", "stock", "Tools"),
            Column("agriculture", "stock", "Agriculture"),
            Column("trade_level", "stock", "Trade"),
            Column("buildings", "stock", "Buildings"),
            Column("cards_bought", "count", "Cards bought"),
            Column("cards_drawn", "count", "Cards drawn for their lower half"),
            Column("hungry_rounds", "count", "Rounds without enough food"),
            Column("trades_made", "count", "Trades"),
            Column("hunts", "count", "Hunts"),
            Column("hut_visits", "count", "Visits to the hut"),
            Column("food", "stock", "Food left"),
            Column("jewellery", "stock", "Jewellery left"),
        ),
        vocabulary={content.TITLE: content.vocabulary()},
        variants={
            "expansion": "Style is the Goal: jewellery, trade, a fifth card, up to five players",
            "new_huts": "the six New Huts",
        },
    ),
)
