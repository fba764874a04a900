"""What lies on the table: kingdoms, lines of dominoes, and the builders' board.

A kingdom lies on a field of 16 by 16 cells with its castle in the middle, so that it may grow to
any side. Cell numbers run by rows: right is +1, down is +16. A set of cells is four 64-bit words,
four rows each; rows 0 and 14, 15 and columns 0 and 14, 15 stay empty, so that every cell in reach
has four neighbours and no bit ever reaches a word's sign.
"""

import numpy as np

from balance.records import HEADER, record

WHEAT, FOREST, LAKE, GRASSLAND, SWAMP, MINE, TOWN = range(7)
TERRAINS = 7
TERRAIN_NAMES = ("wheat", "forest", "lake", "grassland", "swamp", "mine", "town")

WORDS = 4  # 64-bit words of a set of cells
CELLS = 256
WIDTH = 16
CASTLE = 7 * WIDTH + 7
MOST_GRID = 7  # of 7 by 7 squares; the castle may end up at any edge of it
SQUARES = 49  # numbers of a kingdom's squares, from 1; 0 is none

LINE = 8  # most dominoes of a line
DECK = 48
DECKS = 2
KINGDOMINO, QUEENDOMINO = range(2)
SPOTS = 6
TILES = 64  # most building tiles
KINDS = 32  # most kinds of building

# Kinds of decision; the phase is eight times the place in the line, and the kind.
CHOOSE, PLACE, KNIGHTS, BUILD, SITE, DRAGON = range(6)

# Acts
PLACEMENTS = 4 * CELLS  # the upper or left cell, and how the halves lie
DISCARD = PLACEMENTS
CHOICES = DISCARD + 1
LEVIES = CHOICES + LINE  # no knight, one on the first half, on the second, on both
NO_BUILDING = LEVIES + 4
PURCHASES = NO_BUILDING + 1
SITES = PURCHASES + SPOTS
NO_DRAGON = SITES + CELLS
FIRES = NO_DRAGON + 1
ACTS = FIRES + SPOTS
LEGAL_MOST = 512

# How the halves lie from the upper or left cell on.
RIGHT, RIGHT_TURNED, DOWN, DOWN_TURNED = range(4)

ONE = np.int64(1)

KINGDOM = record(
    ("occupied", "i8", (WORDS,)),
    ("room", "i8", (WORDS,)),  # empty cells that the grid's limits allow
    ("land", "i8", (TERRAINS, WORDS)),
    ("sites", "i8", (WORDS,)),  # town squares without a building
    ("square_at", "i4", (CELLS,)),
    ("ground", "i4", (SQUARES,)),  # terrain of each square
    ("territory", "i4", (SQUARES,)),  # the square that stands for its territory
    ("squares", "i4", (SQUARES,)),  # of a territory, at the square that stands for it
    ("crowns", "i4", (SQUARES,)),
    ("printed", "i4", (SQUARES,)),  # crowns of each square by itself
    ("placed", "i4"),  # squares
    ("top", "i4"),
    ("bottom", "i4"),
    ("left", "i4"),
    ("right", "i4"),
    ("first", "i4"),  # where the halves of the newest domino lie; 0 if it was discarded
    ("second", "i4"),
    ("land_points", "i4"),
    ("largest", "i4"),
    ("crown_count", "i4"),
    ("territories", "i4", (TERRAINS,)),
    ("discards", "i4"),
    ("past_points", "i4"),
    ("coins", "i4"),
    ("knights", "i4"),  # in hand
    ("levied", "i4"),  # knights in the kingdom
    ("towers", "i4"),
    ("tax_knights", "i4"),  # coins for each knight, and each tower, whenever tax is collected
    ("tax_towers", "i4"),
    ("built", "i4", (KINDS,)),
    ("taxes", "i4"),
    ("spent", "i4"),
    ("burned", "i4"),
    ("free", "i8"),  # kinds of building that cost this kingdom nothing
)


def state(kingdoms):
    """Make the state's record for so many kingdoms."""
    return record(
        *HEADER,
        ("rounds", "i4"),  # of this game, the one being played; 0 while kings are first placed
        ("slot", "i4"),  # place in the line whose turn it is
        ("part", "i4"),  # game of a dynasty, from 0
        ("order", "i4", (LINE,)),  # seats in the order of the first choice
        ("line", "i4", (LINE,)),  # the newest line: dominoes, and who claimed them (seat + 1)
        ("claims", "i4", (LINE,)),
        ("due", "i4", (LINE,)),  # the line before it, being placed
        ("owners", "i4", (LINE,)),
        ("lines", "i4"),  # dealt so far
        ("deck", "i4", (DECKS, DECK)),
        ("drawn", "i4", (DECKS,)),
        ("pile", "i4", (TILES,)),
        ("tiles", "i4"),  # of the pile, in the game
        ("shown", "i4"),  # of the pile, drawn
        ("board", "i4", (SPOTS,)),  # kind of building + 1
        ("dragon", "i4"),  # spot + 1 that it stands on; 0 in its cave
        ("queen", "i4"),  # kingdom + 1 that hosts her
        ("knights_left", "i4"),
        ("towers_left", "i4"),
        ("pending", "i4"),  # kind of building that is being placed
        ("homes", "i4", (LINE,)),  # kingdom of each seat
        ("kingdoms", KINGDOM, (kingdoms,)),
    )


DOMINO = record(
    ("number", "i4"),
    ("terrain", "i4", (2,)),
    ("crowns", "i4", (2,)),
    ("double", "i4"),  # both halves are alike
)

PER_TERRITORY, PER_TOWER, PER_KNIGHT = 0, TERRAINS, TERRAINS + 1  # territories by terrain, then the rest

BUILDING = record(
    ("points", "i4"),
    ("crowns", "i4"),
    ("per", "i4"),  # what `each` counts: see PER_TERRITORY; -1 for nothing
    ("each", "i4"),
    ("tax_knights", "i4"),
    ("tax_towers", "i4"),
    ("knights", "i4"),  # at once
    ("towers", "i4"),
)
