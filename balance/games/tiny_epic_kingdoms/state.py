"""The table of Tiny Epic Kingdoms: its menus of terms and its records.

A region's number is `territory * REGIONS + region`, where territory 0 is the home of the first seat.
Sets of regions are bit masks (bit r is region r), since what a turn asks of the map is mostly which
regions of one set lie in another.
"""

from balance.records import HEADER, record

MANA, ORE, FOOD = range(3)
FOREST, MOUNTAIN, PLAINS, CAPITAL, RUINS, WATER = range(6)
PATROL, QUEST, BUILD, RESEARCH, EXPAND, TRADE = range(6)

RESOURCES, TERRAINS, ACTIONS = 3, 6, 6
SEATS = 5
REGIONS = 6  # most regions of a territory: five of land, one of water a nation may be able to enter
TERRITORIES = 5  # on the table at once, the Lost Kingdom included
PLACES = TERRITORIES * REGIONS
CASTLE_LEVELS, MAGIC_LEVELS, MEEPLES = 6, 5, 7
TOKENS = 12  # room for kinds of exploration token
FOUND_BITS = 5
NATIONS, SIDES = 32, 512  # room in the rules record, own content and drawn sides included
ABSENT, RIVAL = range(2)  # whose level a nation that copies may draw
OWNERS = 2
PRICES = 3  # that mana may pay in place of ore or food
MANA_BUILDS, MANA_EXPANDS, MANA_RETREATS = range(PRICES)
COPY_BITS = 6  # a nation's number, from 1, for each level copied
COPIES = 1 << MAGIC_LEVELS  # bit of `muted`: the nation's own levels are not all that holds

# Kinds of decision, in the order of play.
(
    CHOOSE_SIDE,
    SPREAD_GOODS,
    CHOOSE_HOME,
    CHOOSE_ACTION,
    PERFORM,
    BID_WAR,
    RAISE_NUMBER,
    PAY_WAR,
    LEAVE_REGION,
    LOSE_RESOURCE,
    GAIN_RESOURCE,
    PATROL_AGAIN,
    TAKE_FROM_LOSER,
    RAISE_OR_NOT,
    PLACE_TOKEN,
    MEET_BANDITS,
    USE_LAIR,
) = range(17)

# How far a war has come.
NO_WAR, ATTACKER_BIDS, DEFENDER_BIDS, RAISING, ATTACKER_PAYS, DEFENDER_PAYS, LEAVING = range(7)
AGAINST_NEUTRAL = 7  # a war of another kind: the attacker pays and has won

NEUTRAL = -1  # the defender in a war against a neutral meeple, who is no player

FLAG = -1  # on the war die, in place of a number

PLAYER = record(
    ("nation", "i4"),
    ("side", "i4"),  # of the territory card
    ("muted", "i4"),  # bit mask of the nation's levels that restricted play takes away; see COPIES
    ("copies", "i8"),  # the nations whose levels it has copied: COPY_BITS for each level, 0 for none
    ("goods", "i4", (RESOURCES,)),
    ("castle", "i4"),
    ("magic", "i4"),
    ("meeples", "i4"),  # in play
    ("owed", "i4"),  # resources of choice still to be gained
    ("due", "i4"),  # resources of choice still to be lost
    ("here", "i8"),  # regions with at least one own meeple
    ("twice", "i8"),  # regions with two own meeples
    ("down", "i8"),  # regions with at least one own meeple that searches ruins, lying down
    ("twice_down", "i8"),  # regions with two of them
    ("attacks", "i4"),
    ("wars_won", "i4"),
    ("wars_lost", "i4"),
    ("alliances", "i4"),
    ("breaches", "i4"),
    ("retreats", "i4"),
    ("meeples_lost", "i4"),
    ("searches", "i4"),
    ("collections", "i4"),
    ("castle_done", "i4"),  # the turn in which it was completed, counted from 1; 0 for not yet
    ("magic_done", "i4"),
    ("meeples_done", "i4"),
    ("neutrals", "i4"),  # neutral meeples defeated, kept on the nation's card
    ("first_neutral", "i4"),  # the turn in which the first was, counted from 1; 0 for none
    ("found", "i8"),  # exploration tokens turned over: FOUND_BITS for the number of each kind
    ("kept", "i4"),  # tokens that lie before the player: the crown
    ("kept_vp", "i4"),
    ("mysteries", "i4"),  # tokens that a bot turned over in its mind only
    ("tolls", "i4"),  # resources paid to bandits
    ("meeples_robbed", "i4"),  # lost to bandits
    ("camp_goods", "i4"),  # resources that camps gave beside the region's own
    ("fort_attacks", "i4"),
    ("burnings", "i4"),  # levels that rivals' castles fell by a dragon
    ("rescues", "i4"),
)

WAR = record(
    ("stage", "i4"),
    ("attacker", "i4"),
    ("defender", "i4"),
    ("region", "i4"),
    ("origin", "i4"),
    ("attacker_number", "i4"),
    ("defender_number", "i4"),
    ("winner", "i4"),
    ("loser", "i4"),
    ("asked_to_raise", "i4"),  # bit 0 the attacker, bit 1 the defender
    ("leaving", "i8"),  # regions the loser has yet to leave
    ("next_region", "i4"),  # where a second war waits (a swap can start two); -1 for none
    ("booty", "i4"),  # resources that the winner still takes from the loser
    ("fallen", "i8"),  # regions where the winner may yet raise a meeple for one removed
    ("asked_of_lair", "i4"),
    ("burnt", "i4"),  # whether the loser's castle has fallen in place of a price of retreat
)

STATE = record(
    *HEADER,
    ("active", "i4"),  # the seat with the active player's token
    ("shields", "i4"),  # bit mask of the actions with a shield
    ("chosen", "i4"),  # the action of this turn
    ("performer", "i4"),  # the seat that performs it or collects just now
    ("marching", "i4"),  # whether the performer, having patrolled, may patrol with another meeple
    ("moved", "i8"),  # the region of the meeple that has
    ("moved_lies", "i4"),  # whether that one lies there to search
    ("final", "i4"),  # bit mask of the triggers met when the final round began
    ("final_turn", "i4"),
    ("terrain", "i4", (PLACES,)),
    ("near", "i8", (PLACES,)),  # regions a Patrol reaches from here
    ("land", "i8"),  # regions a meeple may enter
    ("edge", "i8"),  # regions on the outer edge of their territory
    ("wet", "i8"),  # regions beside sea, lake or river, and water itself
    ("of_terrain", "i8", (TERRAINS,)),
    ("war", WAR),
    ("wars", "i4"),
    ("pacts", "i4"),
    ("lost_side", "i4"),  # the territory side that is the Lost Kingdom; -1 for none
    ("lost", "i8"),  # the regions of the Lost Kingdom
    ("neutral", "i8"),  # regions with a neutral meeple
    ("tokens", "i8", (TOKENS,)),  # regions with an exploration token, by kind, face down or up
    ("covered", "i8"),  # regions whose token lies face down
    ("sites", "i8"),  # regions with a token that lies open
    ("unseen", "i4", (TOKENS,)),  # tokens of each kind that no one has seen, on the board or not
    ("veiled", "i4"),  # whether this is a bot's mind, in which unseen tokens stay unknown
    ("toll", "i4"),  # resources that bandits ask for just now
    ("robbed", "i4"),  # the seat they ask
    ("robbed_in", "i4"),  # the region they are in
    ("players", PLAYER, (SEATS,)),
)

SIDE = record(
    ("card", "i4"),
    ("other", "i4"),  # the other side of the same card; the side itself if that one is not in play
    ("regions", "i4"),
    ("terrain", "i4", (REGIONS,)),
    ("edge", "i4", (REGIONS,)),
    ("wet", "i4", (REGIONS,)),
    ("near", "i8", (REGIONS,)),  # bit mask over the regions of this side
    ("across", "i8", (REGIONS,)),  # the same for the regions that a river or water parts from it
    ("may_be_lost", "i4"),  # whether it may be drawn as the Lost Kingdom
    ("lost_beside", "i4"),  # the side that is the Lost Kingdom where the first seat has this one; -1: drawn
)
