"""The table of Stone Age: its menus of terms and its records.

Goods are the four resources and, with the expansion, jewellery, counted in teeth (a ring is three).
Sets of cards are bit masks: bit c is card c of the rules record.
"""

from balance.records import HEADER, record

WOOD, BRICK, STONE, GOLD, JEWELLERY = range(5)
RESOURCES, GOODS = 4, 5
FOOD = 4  # where pips are listed: wood, brick, stone, gold, food

# Places, in the order in which the rulebook explains them; then cards, buildings and private places.
HUNT, FOREST, CLAY_PIT, QUARRY, RIVER, TOOL_MAKER, HUT, FIELD, TRADER = range(9)
CARD_PLACES, STACKS, PRIVATE = 5, 5, 4
CARD = TRADER + 1  # + place: 0 is the rightmost, 4 the expansion's
BUILDING = CARD + CARD_PLACES  # + stack
OWN = BUILDING + STACKS  # + number of the private place
PLACES = OWN + PRIVATE

SEATS = 5
CARDS, TILES = 60, 60  # room in the rules record, own content included
BILLS = TILES + CARD_PLACES + 1  # after the tiles: what the places of the cards cost, and the extra card
EXTRA_BILL = BILLS - 1
SYMBOLS, PEOPLE, FACES = 9, 5, 6
ONE_USE = 4  # one-use tools that a player can hold
NONE = -1

HEALING, ART, WRITING, POTTERY, TIME, TRANSPORT, MUSIC, WEAVING, RING = range(SYMBOLS)
FARMER, TOOLMAKER, BUILDER, SHAMAN, TRADERS = range(PEOPLE)

# What a card's upper half, a building or a market's face gives.
(
    NOTHING,
    GAIN_FOOD,
    GAIN_RESOURCE,
    GAIN_CHOICE,  # resources of choice, at once
    KEEP_CHOICE,  # resources of choice, once, now or later
    GAIN_JEWELLERY,
    GAIN_TOOL,
    GAIN_ONE_USE,
    GAIN_FIGURE,
    GAIN_POINTS,
    STEP_FIELD,
    STEP_TRADE,
    DRAW_CARD,
    ROLL_RESOURCE,
    MARKET,
    STYLE_MARKET,
    PRIVATE_PLACE,
    INCOME,
) = range(18)

# Kinds of decision, in the order of play.
PLACE, RESOLVE, USE_TOOLS, SPLIT_HUNT, PAY, BUY_EXTRA, PICK_DIE, CHOOSE_RESOURCE, FEED = range(9)

# What ended the game.
BY_CARDS, BY_BUILDINGS = 1, 2

PLAYER = record(
    ("food", "i4"),
    ("goods", "i4", (GOODS,)),
    ("figures", "i4"),
    ("idle", "i4"),  # figures on the player's own board
    ("at", "i4", (PLACES,)),  # figures on each place
    ("tools", "i4"),  # sum of the tool tiles
    ("used", "i4"),  # bit mask of the tool tiles used in this round
    ("one_use", "i4", (ONE_USE,)),  # values of the one-use tools held; 0 for none
    ("agriculture", "i4"),
    ("trade", "i4"),
    ("trades", "i4"),  # made in this round
    ("cards", "i8"),
    ("secret", "i8"),  # those of them that nobody else has seen
    ("symbols", "i4", (SYMBOLS,)),
    ("people", "i4", (PEOPLE,)),
    ("buildings", "i4"),
    ("choice", "i4"),  # resources of choice that a card keeps for later
    ("owed", "i4"),  # resources of choice still to be named
    ("income", "i4", (RESOURCES,)),  # resources that buildings bring each round
    ("own", "i4", (PRIVATE,)),  # private places: the tile, counted from 1; 0 for none
    ("ready", "i4"),  # private places that may be used in this round
    ("points_buildings", "i4"),
    ("points_cards", "i4"),
    ("points_hunger", "i4"),  # 0 or less
    ("hungry", "i4"),  # rounds in which the tribe was not fed
    ("cards_bought", "i4"),
    ("cards_drawn", "i4"),
    ("trades_made", "i4"),
    ("hunts", "i4"),
    ("hut_visits", "i4"),
)

ROLL = record(
    ("place", "i4"),
    ("pips", "i4"),
    ("yields", "i4"),  # WOOD to GOLD, or FOOD
    ("divisor", "i4"),
    ("units", "i4"),  # of a hunt, to be split into food and jewellery
)

# What a seat is about to pay for, once it wants to pay otherwise than is usual.
BILL = record(
    ("place", "i4"),  # a card's or a building's; NONE for feeding
    ("got", "i4", (GOODS,)),  # goods from a trade, for this purchase only
    ("traded", "i4"),
    ("paid", "i4", (GOODS,)),
)

STATE = record(
    *HEADER,
    ("actor", "i4"),  # the seat whose figures are resolved, or whose tribe is fed
    ("round_phase", "i4"),  # 0 placing, 1 resolving, 2 feeding
    ("done", "i4"),  # seats that have resolved all, or been fed
    ("crowd", "i4", (PLACES,)),  # figures on each place, of all players
    ("display", "i4", (CARD_PLACES,)),  # the open cards; NONE where one was taken
    ("deck", "i4", (CARDS,)),
    ("deck_left", "i4"),  # the top card is deck[deck_left - 1]
    ("tiles", "i4", (TILES,)),  # stack after stack, each from the bottom up; then the box
    ("tiles_all", "i4"),
    ("height", "i4", (STACKS,)),  # tiles left in each stack
    ("roll", ROLL),
    ("bill", BILL),
    ("market", "i4", (FACES,)),  # dice of each face that can still be picked
    ("style", "i4"),  # whether it is a style market
    ("picks", "i4"),  # picks still to be made
    ("picker", "i4"),
    ("extra", "i4"),  # an extra card is offered
    ("ended", "i4"),
    ("players", PLAYER, (SEATS,)),
)

CARD_ENTRY = record(
    ("in_play", "i4"),
    ("symbol", "i4"),  # NONE for a sand card
    ("person", "i4"),  # NONE for a green card
    ("people", "i4"),
    ("gives", "i4"),
    ("amount", "i4"),
    ("resource", "i4"),
    ("bar", "i4"),  # its number among the game's bars; NONE for none
)

TILE_ENTRY = record(
    ("in_play", "i4"),
    ("cost", "i4", (GOODS,)),  # what must be paid, kind by kind
    ("least", "i4"),  # fewest and most resources of any kind; 0 and 0 for a fixed cost
    ("most", "i4"),
    ("kinds", "i4"),  # how many different kinds they must be; 0 for any
    ("jewels", "i4"),  # most jewellery that may be paid for points
    ("jewel_points", "i4"),
    ("points", "i4"),
    ("points_follow", "i4"),  # from what is paid
    ("gives", "i4"),
    ("amount", "i4"),
    ("resource", "i4"),
    ("bar", "i4"),
)

FACE_ENTRY = record(("gives", "i4"), ("amount", "i4"), ("resource", "i4"))

TABLES = (
    ("cards", CARD_ENTRY, (CARDS,)),
    ("cards_all", "i4"),
    ("tiles", TILE_ENTRY, (BILLS,)),
    ("tiles_all", "i4"),
    ("faces", FACE_ENTRY, (2, FACES)),  # the market's, the style market's
)
