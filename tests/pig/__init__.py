"""Pig, the calibration game: its turn has known probabilities, its clans a planted advantage."""

from balance.games import Column, Factor, Game, Weight
from balance.records import HEADER, PerPlayers, Rule, record
from pig import bots, rules, words

CLAN = record(("start", "i4"))
CLANS = 8


def prepare(target, components, players):
    """Write the clans' starting points into the rules record."""
    for index, clan in enumerate(components["clans"].values()):
        target["clans"][index]["start"] = clan.get("start", 0)


def notes(cell, levels):
    """Say so if no throw can lose the turn's points."""
    rules = cell.rules[0]
    return [] if 1 <= rules.bust <= rules.sides else [f"No face of the die loses: none shows {rules.bust}."]


GAMES = (
    Game(
        id="pig",
        title="Pig",
        version=1,
        players=(2, 4),
        modules=(rules, bots),
        words=words,
        state=record(
            *HEADER,
            ("pot", "i4"),
            ("rolls", "i4"),
            *((n, "i4", (4,)) for n in ("banked", "lead", "busts", "holds")),
        ),
        rules=(
            Rule("goal", 100, 1, 1000, "Scarne, p. 255", "points that end the game"),
            Rule("sides", 6, 2, 100, "Scarne, p. 255", "faces of the die"),
            Rule("bust", 1, 0, 100, "Scarne, p. 255", "the face that loses the turn's points"),
            Rule("bonus", PerPlayers(0, {4: 0}), 0, 50, "", "points of the second seat at the start"),
        ),
        tables=(("clans", CLAN, (CLANS,)),),
        components={"clans": {name: {"start": 0} for name in ("red", "green", "blue", "gold")}},
        prepare=prepare,
        notes=notes,
        streams=("dice",),
        acts=2,
        limit=100_000,
        factors=(Factor("clan", "clans", "Clan", primary=True),),
        weights=(Weight("hold", "holds once the pot has so many pips", 20.0),),
        kinds=("random", "greedy", "holder"),
        bars=(("hold", "never holds before the pot wins the game"),),
        gifts=(("lead", "starts with ten points more"),),
        bots={
            "random": {"kind": "random"},
            "greedy": {"kind": "greedy"},
            "holder": {"kind": "holder", "weights": {"hold": 20}},
        },
        game_columns=(Column("rolls", "count", "Rolls"),),
        seat_columns=(
            Column("points_start", "source", "Starting points"),
            Column("points_banked", "source", "Banked"),
            Column("busts", "count", "Turns lost"),
            Column("holds", "count", "Times held", of="hold"),
        ),
    ),
)
