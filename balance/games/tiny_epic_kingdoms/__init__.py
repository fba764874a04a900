"""Tiny Epic Kingdoms (S. Almes; Malá velká království, Czech edition 2015)."""

import tomllib
from pathlib import Path

from balance.games import Column, Draw, Factor, Game, load_components
from balance.games.tiny_epic_kingdoms import (
    acts,
    board,
    bots,
    lost_kingdom,
    maps,
    powers,
    rules,
    scoring,
    spoils,
    vocabulary,
    war,
    ways,
    words,
)
from balance.games.tiny_epic_kingdoms.content import clash, prepare
from balance.games.tiny_epic_kingdoms.house_rules import RULES
from balance.games.tiny_epic_kingdoms.notes import notes
from balance.games.tiny_epic_kingdoms.shorthand import parts, spell_out
from balance.games.tiny_epic_kingdoms.state import STATE

DATA = Path(__file__).parent / "data"

TRIGGERS = (
    "none",
    "meeples",
    "castle",
    "meeples and castle",
    "magic",
    "meeples and magic",
    "castle and magic",
    "all",
)

GAMES = (
    Game(
        id="tiny-epic-kingdoms",
        title="Tiny Epic Kingdoms",
        version=1,
        players=(2, 5),
        modules=(acts, board, powers, spoils, war, lost_kingdom, ways, scoring, rules, bots),
        words=words,
        state=STATE,
        rules=RULES,
        tables=powers.TABLES,
        components=load_components(DATA, "nations", "territories"),
        prepare=prepare,
        notes=notes,
        spell_out=spell_out,
        parts=parts,
        streams=("deal",),
        acts=acts.ACTS,
        legal_most=acts.LEGAL_MOST,
        limit=20_000,
        factors=(
            Factor("nation", "nations", "Nation", primary=True),
            Factor(
                "territory",
                "territories",
                "Territory dealt",
                clash=clash,
                draw=Draw(maps.draw, maps.OPTIONS, maps.places),
            ),
        ),
        kinds=bots.KINDS,
        weights=bots.WEIGHTS,
        bars=bots.BARS,
        bots=tomllib.loads((DATA / "bots.toml").read_text(encoding="utf-8")),
        game_columns=(
            Column("wars", "count", "Wars"),
            Column("pacts", "count", "Alliances made"),
            Column("trigger", "category", "What began the final round", TRIGGERS),
            Column("final_turn", "time", "Turn in which the final round was begun"),
            Column("lost_kingdom", "category", "Lost Kingdom", components="territories"),
            Column("neutrals_left", "count", "Neutral meeples left"),
        ),
        seat_columns=(
            Column("points_meeples", "source", "Meeples"),
            Column("points_castle", "source", "Castle"),
            Column("points_magic", "source", "Magic"),
            Column("points_capital", "source", "Capitals"),
            Column("points_nation", "source", "Nation power"),
            Column("points_neutrals", "source", "Neutral meeples"),
            Column("points_lost", "source", "Lost Kingdom held"),
            Column("points_position", "source", "Turn position"),
            Column("castle", "stock", "Castle level"),
            Column("magic", "stock", "Magic level"),
            Column("meeples", "stock", "Meeples in play"),
            Column("mana", "stock", "Mana left"),
            Column("ore", "stock", "Ore left"),
            Column("food", "stock", "Food left"),
            Column("turned", "flag", "Turned the territory card"),
            Column("attacks", "count", "Attacks"),
            Column("wars_won", "count", "Wars won"),
            Column("wars_lost", "count", "Wars lost"),
            Column("alliances", "count", "Alliances made"),
            Column("breaches", "count", "Alliances broken"),
            Column("retreats", "count", "Retreats"),
            Column("meeples_lost", "count", "Meeples lost"),
            Column("searches", "count", "Finds in ruins"),
            Column("collections", "count", "Collected in place of acting"),
            Column("castle_done", "time", "Castle completed in turn"),
            Column("magic_done", "time", "Magic completed in turn"),
            Column("meeples_done", "time", "All meeples in play in turn"),
            Column("neutrals", "count", "Neutral meeples defeated"),
            Column("first_neutral", "time", "First neutral meeple defeated in turn"),
        ),
        vocabulary={vocabulary.TITLE: vocabulary.words()},
        variants={
            "castle_vp": "castle track: default, low, steep (the printed one is unknown)",
            "goods_choice": "starting goods spread freely, or the beginners' split",
            "side_choice": "territory sides chosen by the players, or dealt",
            "lost_kingdom": "a territory of neutral meeples between the players (with two players the rule)",
        },
    ),
)
