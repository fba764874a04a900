"""Every number of the game that a scenario may change, with its page and its certainty.

"Base" is the rulebook of the base game, "p." without it that of Style is the Goal.
"""

from balance.records import PerPlayers, Rule

BASE = "base rules"


def _base(name, default, low, high, page, note, **more):
    """Return a rule of the base game, whose text is public."""
    more.setdefault("certainty", "public")
    return Rule(name, default, low, high, f"{BASE}, {page}", note, **more)


RULES = (
    Rule(
        "expansion",
        PerPlayers(False, {5: True}),
        source="p. 2",
        note="play with Style is the Goal: jewellery, trade, a fifth card; five players need it",
    ),
    Rule("new_huts", False, source="p. 7", note="shuffle the six New Huts in"),
    _base("start_figures", 5, 1, 10, "set-up", "figures of each player at the start"),
    _base("start_food", 12, 0, 99, "set-up", "food of each player at the start"),
    Rule("start_jewellery", 1, 0, 20, "p. 2", "with the expansion: jewellery of each player at the start"),
    _base("stack_height", 7, 1, 12, "set-up", "buildings in each stack; there is a stack for each player"),
    _base("card_price", (1, 2, 3, 4), 0, 9, "civilization cards", "resources for a card, by its place"),
    _base(
        "village_places",
        PerPlayers(2, {2: 2, 3: 2, 4: 3, 5: 4}),
        1,
        4,
        "2 and 3 players",
        "how many of tool maker, hut, field and trader may be used in a round (p. 7 for the expansion)",
    ),
    _base(
        "gatherers",
        PerPlayers(5, {2: 1, 3: 2}),
        1,
        5,
        "2 and 3 players",
        "how many players may be at each of forest, clay pit, quarry and river",
    ),
    _base("gather_room", 7, 1, 50, "placing", "figures that each of these places takes"),
    _base(
        "marker",
        "passes",
        0,
        1,
        "new round",
        "the start marker passes to the left each round, or stays with the first player",
        choices={"stays": 0, "passes": 1},
    ),
    _base("pips", (3, 4, 5, 6, 2), 1, 36, "gathering", "pips for each wood, brick, stone, gold and food"),
    _base("worth", (3, 4, 5, 6), 0, 20, "buildings", "points for wood, brick, stone and gold freely paid"),
    _base("figures_most", 10, 1, 10, "hut", "figures that a player can have"),
    _base("tools_most", 12, 0, 12, "tool maker", "sum of the tool tiles that a player can have"),
    _base("agriculture_most", 10, 0, 20, "field", "the last step of agriculture"),
    _base("figure_food", 1, 0, 5, "feeding", "food that each figure needs"),
    _base("food_by_resources", True, 0, 1, "feeding", "a resource may be paid in place of a food"),
    _base("hunger", 10, 0, 50, "feeding", "points lost by a tribe that is not fed, once a round"),
    _base(
        "hunger_each",
        0,
        0,
        50,
        "feeding",
        "points lost for each food that is lacking, beside those lost once (a house rule)",
    ),
    _base("resource_points", 1, 0, 9, "final scoring", "points for each resource left"),
    Rule("jewellery_points", 0, 0, 9, "p. 4", "points for each jewellery left"),
    Rule("fifth_price", 3, 0, 9, "p. 6", "jewellery for the card on the fifth place"),
    Rule("extra_price", 3, 0, 9, "p. 7", "more jewellery for the top card of the deck, its lower half only"),
    Rule("trade_most", 10, 0, 20, "p. 5", "the last step of the trade track"),
    Rule("trader_steps", 2, 0, 10, "p. 5", "steps on the trade track at the trader"),
    Rule("advance_jewellery", 2, 0, 9, "p. 5", "jewellery for each advance on the trade track"),
    Rule(
        "advance_at_the_end",
        False,
        source="p. 5",
        note="that jewellery also where the marker cannot move any more",
        certainty="ruling",
    ),
    Rule(
        "trade_levels", (1, 4, 9), 0, 99, "p. 5-6", "levels from which one trades 2 for 1, 1 for 1, 1 for 2"
    ),
    Rule("trades_a_round", 1, 0, 9, "p. 5", "trades of each player in a round"),
    Rule("private_figures", 3, 1, 10, "p. 8", "figures that a private place takes"),
    _base(
        "one_use_count",
        False,
        0,
        1,
        "final scoring",
        "one-use tools left count for toolmakers",
        certainty="ruling",
    ),
    _base(
        "raised_tool_fresh",
        False,
        0,
        1,
        "tools",
        "a tool tile that is raised can be used again in the round",
        certainty="ruling",
    ),
    _base(
        "idle_visits",
        True,
        0,
        1,
        "placing",
        "one may go to the hut, the field, the tool maker or the trader with nothing left to gain there",
        certainty="ruling",
    ),
)
