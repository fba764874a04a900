"""Every number and choice of the game that a scenario may change, with its page and its certainty."""

from balance.games.kingdom_builder.state import DECK, GROUPS, HAND, TERRAINS
from balance.records import Rule

DRAWN, IN_PLAY, LEFT_OUT = range(3)
UPRIGHT, TURNED = 1, 2
CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")


def _corners(sections):
    """Make the rules that say which section lies where, and which way up."""
    names = {"drawn": -1} | {name: number for number, name in enumerate(sections)}
    for corner in CORNERS:
        words = corner.replace("_", " ")
        yield Rule(corner, "drawn", source="p. 3", note=f"the section at the {words}", choices=names)
    ways = {"drawn": DRAWN, "upright": UPRIGHT, "turned": TURNED}
    for corner in CORNERS:
        words = corner.replace("_", " ")
        yield Rule(
            f"{corner}_lies",
            "drawn",
            source="p. 3; FAQ",
            note=f"which way up the section at the {words} lies",
            choices=ways,
            certainty="public",
        )


def _cards(cards):
    """Make the rules that say whether a Kingdom Builder card is in play."""
    ways = {"drawn": DRAWN, "in": IN_PLAY, "out": LEFT_OUT}
    for card in cards:
        yield Rule(
            f"card_{card}", "drawn", source="p. 3", note=f"whether {card.title()} is in play", choices=ways
        )


def rules(sections, cards):
    """Return the rules of the game, for sections and Kingdom Builder cards of these keys."""
    return (
        Rule("settlements", 40, 1, GROUPS - 1, "p. 2", "settlements of each player"),
        Rule("builds", 3, 1, 9, "p. 4", "settlements of the mandatory action"),
        Rule("cards_in_play", 3, 0, 10, "p. 3", "Kingdom Builder cards of a game"),
        Rule("castle_gold", 3, 0, 50, "p. 6", "gold for each castle that an own settlement touches"),
        Rule("terrain_cards", 5, 1, DECK // TERRAINS, "p. 2", "terrain cards of each terrain"),
        Rule(
            "terrain_hand", 1, 1, HAND, "p. 3", "terrain cards a player holds; one of them is played a turn"
        ),
        Rule(
            "first_hand",
            1,
            1,
            HAND,
            "p. 3; FAQ",
            "terrain cards a player holds in the first round, if more (a fan variant deals 2)",
        ),
        Rule("tiles", 2, 0, 5, "p. 3", "tiles on each location"),
        Rule(
            "adjacency",
            True,
            source="p. 5",
            note="settlements must be built next to own ones where that is possible",
        ),
        Rule(
            "moves_take_tiles",
            True,
            source="rule text",
            note="a settlement that is moved next to a location takes a tile, as one that is built does",
        ),
        Rule(
            "extra_builds",
            "supply",
            source="p. 4",
            note="what an extra build needs: a settlement in the supply, or one besides those of the "
            "mandatory action still to come",
            choices={"supply": 0, "reserve": 1},
            certainty="ruling",
        ),
        Rule(
            "lords_zero",
            True,
            source="p. 6; FAQ",
            note="Lords pay for a section in which one has no settlement, if that is most or next most",
            certainty="ruling",
        ),
        Rule(
            "locations",
            "printed",
            source="rule text",
            note="the locations that the sections show, or one drawn for each section (selection tiles of "
            "the newer edition; its sections are not known, so the old ones stand in for them)",
            choices={"printed": 0, "drawn": 1},
            certainty="reconstructed",
        ),
        Rule(
            "castle_tokens",
            0,
            0,
            4,
            "newer edition",
            "sections in which a castle lies on one location, both drawn",
            certainty="reconstructed",
        ),
        *_cards(cards),
        *_corners(sections),
    )
