"""The rules that a scenario may change: those of both games, then Queendomino's own."""

from balance.records import PerPlayers, Rule

KINGDOMINO_BOOK, QUEENDOMINO_BOOK = "Kingdomino rulebook", "Queendomino rulebook"
WEDDING = "Queendomino rulebook, Royal Wedding"
PUBLIC = "public"


def shared(book, grid, line, dominoes, kings, tie_breaks):
    """Return the rules of both games, with one game's numbers."""
    return (
        Rule(
            "grid",
            grid,
            3,
            7,
            f"{book}, set-up",
            "squares of a kingdom's side, castle included",
            certainty=PUBLIC,
        ),
        Rule("line", line, 1, 8, f"{book}, set-up", "dominoes of a line", certainty=PUBLIC),
        Rule(
            "dominoes_used",
            dominoes,
            1,
            96,
            f"{book}, set-up",
            "dominoes in a game, in whole lines",
            certainty=PUBLIC,
        ),
        Rule(
            "kings",
            kings,
            1,
            4,
            f"{book}, set-up",
            "kings of each player: dominoes claimed a line",
            certainty=PUBLIC,
        ),
        Rule(
            "middle_kingdom",
            0,
            0,
            99,
            f"{KINGDOMINO_BOOK}, variants (10)",
            "points for a castle in the middle of its grid; the variant Middle Kingdom plays 10",
            certainty=PUBLIC,
        ),
        Rule(
            "harmony",
            0,
            0,
            99,
            f"{KINGDOMINO_BOOK}, variants (5)",
            "points for a kingdom that fills its grid; the variant Harmony plays 5",
            certainty=PUBLIC,
        ),
        Rule(
            "dynasty",
            1,
            1,
            9,
            f"{KINGDOMINO_BOOK}, variants (3)",
            "games played in a row, their points summed; the variant Dynasty plays 3",
            certainty=PUBLIC,
        ),
        Rule(
            "tie_breaks",
            tie_breaks,
            0,
            2,
            f"{book}, end of the game",
            "what settles a tie: 0 nothing, 1 the largest territory, 2 then the most crowns",
            certainty=PUBLIC,
        ),
    )


OWN = (
    Rule("start_coins", 7, 0, 99, "rule text, set-up", "coins at the start"),
    Rule("start_knights", 1, 0, 9, "rule text, set-up", "knights at the start"),
    Rule("knights_most", 2, 0, 2, "rule text, action 2", "knights that may be sent a turn, one to a half"),
    Rule(
        "knight_pieces", 22, 0, 99, f"{QUEENDOMINO_BOOK}, components", "knights in the box", certainty=PUBLIC
    ),
    Rule("tower_pieces", 15, 0, 99, f"{QUEENDOMINO_BOOK}, components", "towers in the box", certainty=PUBLIC),
    Rule(
        "costs",
        (5, 4, 3, 2, 1, 0),
        0,
        99,
        "photographs of the board, two reviews",
        "coins of a building by spot, from the pile to the far end",
        certainty=PUBLIC,
    ),
    Rule("queen", True, source="rule text, action 3", note="the queen is in the game"),
    Rule("queen_discount", 1, 0, 9, "rule text, action 3", "coins off each building for the queen's host"),
    Rule(
        "queen_crowns", 1, 0, 9, "rule text, action 3", "crowns of the queen in her host's largest territory"
    ),
    Rule("dragon", True, source="rule text, action 4", note="the dragon is in the game"),
    Rule("dragon_cost", 1, 0, 99, "rule text, action 4", "coins to bribe the dragon"),
    Rule(
        "coins_per_point",
        3,
        0,
        99,
        f"{QUEENDOMINO_BOOK}, end of the game",
        "coins that make a point at the end; 0 for none",
        certainty=PUBLIC,
    ),
    Rule(
        "actions_after_discard",
        True,
        source="ruling",
        note="who had to discard the domino may still build and bribe the dragon",
        certainty="reconstructed",
    ),
    Rule(
        "icons",
        "option_b",
        source="see data/buildings.toml",
        note="how the gains at once that no source shows are completed",
        choices={"option_b": 0, "option_a": 1, "option_a2": 2, "minimal": 3},
        certainty="reconstructed",
    ),
    Rule(
        "domino_numbers",
        "inferred",
        source="see data/decks.toml",
        note="which number stands on the back of which Queendomino domino",
        choices={"inferred": 0, "sheet": 1},
        certainty="reconstructed",
    ),
)

KINGDOMINO_RULES = shared(
    KINGDOMINO_BOOK, 5, PerPlayers(4, {3: 3}), PerPlayers(48, {2: 24, 3: 36}), PerPlayers(1, {2: 2}), 2
)
QUEENDOMINO_RULES = (*shared(QUEENDOMINO_BOOK, PerPlayers(5, {2: 7}), 4, 48, PerPlayers(1, {2: 2}), 1), *OWN)
WEDDING_RULES = (*shared(WEDDING, PerPlayers(5, {3: 7, 4: 7}), PerPlayers(8, {3: 4, 4: 4}), 96, 1, 1), *OWN)
PAIRS_RULES = (*shared(WEDDING, 7, 8, 96, 1, 1), *OWN)
