"""The table of Kingdom Builder: its menus of terms and its records.

A hex's number is `row * SIDE + column`, from 0 at the top left; odd rows are shifted half a hex to the
right. A set of hexes is a number for each row, in which bit c is column c: what a turn asks of the map is
mostly which hexes of one set lie in another.
"""

from balance.records import HEADER, record

GRASS, FLOWER, FOREST, CANYON, DESERT = range(5)
TERRAINS = 5  # those with a terrain card, on which settlements may be built
WATER, BUILDABLE = 5, 6  # further sets of free hexes
FREE_SETS = 7
MOUNTAIN, LOCATION, CASTLE = 7, 8, 9  # kinds of hex that are never free
HEX_KINDS = 10

# Where a location's tile may put a settlement, besides the kinds above.
CARD, EDGE, LINE, JUMP = range(7, 11)

FISHERMEN, MINERS, WORKERS, MERCHANTS, DISCOVERERS, KNIGHTS, HERMITS, CITIZENS, LORDS, FARMERS = range(10)

SIDE = 20  # rows of the board, and hexes of a row
HEXES = SIDE * SIDE
SECTION = 10  # rows of a section, and hexes of its row
QUADRANTS = 4
FULL_ROW = (1 << SIDE) - 1
SEATS = 5
CARDS = 10
DIRECTIONS = 6  # east, west, then the four diagonals; each beside its opposite
SPECIALS = 6  # room for locations and castles in a quadrant
SECTIONS = 16  # room in the rules record, own content included
KINDS = 12  # kinds of location, likewise
GROUPS = 51  # numbers of a player's groups, from 1
DECK = 45
HAND = 3
TRIPLES = 120  # ways to choose three of ten cards

# Kinds of decision, in the order of a turn.
PLAY_CARD, BEFORE, BUILDING, AFTER, PUT_DOWN = range(5)

NO_CARD = -1

PLAYER = record(
    ("supply", "i4"),
    ("hand", "i4", (TERRAINS,)),  # terrain cards held, by terrain
    ("houses", "i4", (SIDE,)),  # own settlements
    ("near", "i4", (SIDE,)),  # hexes next to an own settlement
    ("in_quadrant", "i4", (QUADRANTS,)),  # own settlements in each
    ("groups", "i4"),  # the highest number that a group ever had
    ("group_size", "i4", (GROUPS,)),
    ("group_touches", "i4", (GROUPS,)),  # locations and castles that the group touches, a bit each
    ("visited", "i4"),  # locations from which a tile was ever taken, a bit each
    ("holds", "i4"),  # locations whose tile is held, a bit each
    ("ready", "i4", (KINDS,)),  # tiles that can still be used this turn, by kind of location
    ("used", "i4", (KINDS,)),  # tiles used this turn
    ("fresh", "i4", (KINDS,)),  # tiles taken this turn, to be used from the next one on
    ("uses", "i4", (KINDS,)),  # how often tiles were used, all game long
    ("tiles_taken", "i4"),
    ("tiles_lost", "i4"),
    ("first_tile", "i4"),  # the round in which the first tile was taken, counted from 1; 0 for never
    ("extra_builds", "i4"),
    ("moves", "i4"),
)

STATE = record(
    *HEADER,
    ("final", "i4"),  # whether somebody's supply has run out
    ("to_build", "i4"),  # settlements of the mandatory action still to be built
    ("card", "i4"),  # the terrain of the card played this turn, or NO_CARD
    ("lifted", "i4"),  # the kind of location by which a settlement is being moved
    ("origin", "i4"),  # the hex it stood on
    ("back_to", "i4"),  # the kind of decision that follows the move
    ("in_play", "i4"),  # Kingdom Builder cards of this game, a bit each
    ("section", "i4", (QUADRANTS,)),  # the oriented section: twice the section's number, and 1 if turned
    ("location", "i4", (QUADRANTS,)),  # the kind of location there
    ("castles", "i4"),  # of the locations and castles, a bit each
    ("tiles", "i4", (QUADRANTS * SPECIALS,)),  # left on each location
    ("free", "i4", (FREE_SETS, SIDE)),  # unoccupied hexes by terrain, of water, and all that is buildable
    ("water", "i4", (SIDE,)),
    ("beside_water", "i4", (SIDE,)),
    ("beside_mountain", "i4", (SIDE,)),
    ("beside_special", "i4", (SIDE,)),  # next to a location or castle
    ("group", "i4", (HEXES,)),  # the number of the group that the settlement here belongs to; 0 without one
    ("deck", "i4", (DECK,)),  # terrain cards, the next one last
    ("deck_size", "i4"),
    ("discards", "i4", (TERRAINS,)),
    ("removed", "i4", (TERRAINS,)),  # terrain cards out of the game
    ("shuffles", "i4"),
    ("players", PLAYER, (SEATS,)),
)

# Tables of the rules record, written by `content.prepare`.
SECTION_TABLE = record(
    ("location", "i4"),  # kind
    ("terrain", "i4", (SECTION * SECTION,)),
    ("rows", "i4", (HEX_KINDS, SECTION)),  # the hexes of each kind, ten to a row
    ("specials", "i4"),  # how many locations and castles there are
    ("castles", "i4"),  # which of them are castles, a bit each
    ("special_at", "i4", (SPECIALS,)),
    (
        "special_on",
        "i4",
        (SECTION * SECTION,),
    ),  # the bit of the location or castle on each hex; 0 without one
)
LOCATION_TABLE = record(("moves", "i4"), ("on", "i4"), ("adjacent", "i4"))
CARD_TABLE = record(("gold", "i4"), ("second", "i4"), ("per", "i4"))
