"""What a nation can do: the vocabulary in which its levels are written.

A level of a nation is a list of effects. Each effect adds its amount to one slot of the nation's
powers; the levels from 1 to a player's magic add up. The rules ask for a slot by its name here.
"""

from dataclasses import dataclass

import numpy as np

from balance.games.tiny_epic_kingdoms.state import (
    ABSENT,
    ACTIONS,
    COPIES,
    COPY_BITS,
    MAGIC_LEVELS,
    NATIONS,
    OWNERS,
    PRICES,
    RESOURCES,
    SIDE,
    SIDES,
    TERRAINS,
)
from balance.records import record

# Slots of a single number.
(
    RIVAL_BUILD_TAX,
    BUILD_DISCOUNT,
    RESEARCH_DISCOUNT,
    EXPAND_DISCOUNT,
    EXPAND_ADJACENT,
    TRADE_BONUS,
    TRADE_BOTH_INTO_MANA,
    WAR_DISCOUNT,
    WAR_DISCOUNT_ATTACKING,
    WAR_DISCOUNT_DEFENDING,
    WAR_DISCOUNT_ONE_KIND,
    WAR_DISCOUNT_MANA_ONLY,
    WAR_DISCOUNT_NEAR_WATER,
    WAR_DISCOUNT_LOSING,
    FOOD_WAR_VALUE,
    RIVAL_MANA_LOSS,
    WINS_TIES,
    RAISE_AFTER_REVEAL,
    FLAG_REFUSED_LOSS,
    ALLY_GAINS,
    GAIN_ON_ALLIANCE,
    ALLY_MAY_NOT_BREAK,
    GAIN_AFTER_WIN,
    TAKE_AFTER_WIN,
    RAISE_FALLEN,
    FREE_RETREAT,
    RETREAT_PRICE_MOST,
    RIVAL_MAY_NOT_RETREAT,
    QUEST_SWAP,
    QUEST_FROM_WATER,
    PATROL_ANYWHERE,
    PATROL_TWO,
    PATROL_STEPS,
    PATROL_ACROSS_WATER,
    OCCUPY_WATER,
    RUINS_DO_NOT_BIND,
    VP,
    VP_HIGHEST_CASTLE,
    VP_PER_FULL_STOCK,
    VP_HOME_FREE,
    VP_PER_ALLY,
    VP_PER_FOREIGN_TERRITORY,
    VP_PER_PLAYER_WITH_LESS_MANA,
    VP_MOST_MEEPLES,
    VP_MOST_WARS_WON,
    VP_NEAR_WATER,
    VP_PER_MEEPLE_IN_RUINS,
) = range(47)

# Limits that go with some of them: one holds at a time, they never add up.
FULL_STOCK, WARS_WON_LEAST, VP_PER_REGION_MOST, VP_NEAR_WATER_MOST, VP_IN_RUINS_MOST = range(47, 52)
LIMITS = 52  # below this, from FULL_STOCK on

# Slots of several numbers.
MANA_PAYS = LIMITS  # price
COPY_LEVEL = MANA_PAYS + PRICES  # whose
GAIN_ON_REMOVAL = COPY_LEVEL + OWNERS  # resource
GAIN_ON_ENTERING = GAIN_ON_REMOVAL + RESOURCES  # terrain x resource
COLLECT_IN = GAIN_ON_ENTERING + TERRAINS * RESOURCES  # terrain x resource
COLLECT_NEAR_WATER = COLLECT_IN + TERRAINS * RESOURCES  # resource
INSTEAD = COLLECT_NEAR_WATER + RESOURCES  # action chosen x action performed
WAR_DISCOUNT_IN = INSTEAD + ACTIONS * ACTIONS  # terrain
TAKE_AFTER_WIN_IN = WAR_DISCOUNT_IN + TERRAINS  # terrain
VP_PER_REGION = TAKE_AFTER_WIN_IN + TERRAINS  # terrain

# Derived, so that most seats are asked once: whether any slot of a group is filled.
SCORES = VP_PER_REGION + TERRAINS  # victory points
WAYS = SCORES + 1  # ways to move
YIELDS = WAYS + 1  # more when collecting
FINDS = YIELDS + 1  # something on entering a region
CHOICES = FINDS + 1  # another action in place of the one chosen
POWERS = CHOICES + 1

GROUPS = {
    SCORES: (
        VP,
        VP_HIGHEST_CASTLE,
        VP_PER_FULL_STOCK,
        VP_HOME_FREE,
        VP_PER_ALLY,
        VP_PER_FOREIGN_TERRITORY,
        VP_PER_PLAYER_WITH_LESS_MANA,
        VP_MOST_MEEPLES,
        VP_MOST_WARS_WON,
        VP_NEAR_WATER,
        VP_PER_MEEPLE_IN_RUINS,
        *range(VP_PER_REGION, SCORES),
    ),
    WAYS: (
        QUEST_SWAP,
        QUEST_FROM_WATER,
        PATROL_ANYWHERE,
        PATROL_STEPS,
        PATROL_ACROSS_WATER,
        OCCUPY_WATER,
        RUINS_DO_NOT_BIND,
    ),
    YIELDS: tuple(range(COLLECT_IN, INSTEAD)),
    FINDS: tuple(range(GAIN_ON_ENTERING, COLLECT_IN)),
    CHOICES: tuple(range(INSTEAD, WAR_DISCOUNT_IN)),
}

RESOURCE_NAMES = ("mana", "ore", "food")
TERRAIN_NAMES = ("forest", "mountain", "plains", "capital", "ruins", "water")
ACTION_NAMES = ("patrol", "quest", "build", "research", "expand", "trade")


MENUS = {
    "terrain": TERRAIN_NAMES,
    "resource": RESOURCE_NAMES,
    "chosen": ACTION_NAMES,
    "perform": ACTION_NAMES,
    "price": ("build", "expand", "retreat"),
    "whose": ("absent", "rival"),
}


@dataclass(frozen=True)
class Effect:
    """One word of the vocabulary.

    Attributes
    ----------
    slot
        Where the effect's amount goes; with `keys`, the first of a block of slots.
    keys
        Keys of the effect in TOML whose values (see `MENUS`) pick the slot within the block.
    flag
        Whether the effect is there or not, and takes no `amount`.
    low, high
        Bounds of `amount`.
    extra
        An optional further number: its key, its slot, its default.
    span
        How many slots from `slot` on it fills.
    repeats
        Whether a flag may stand at several levels.
    needs
        What there must be in the game for it to do anything (see `idle`), beside the terrain it names.
    """

    slot: int
    note: str
    keys: tuple[str, ...] = ()
    flag: bool = False
    low: int = 1
    high: int = 9
    extra: tuple[str, int, int] | None = None
    span: int = 1
    repeats: bool = False
    needs: tuple[str, ...] = ()


EFFECTS = {
    # Building, learning, settling, trading
    "build_discount": Effect(BUILD_DISCOUNT, "Build costs so much less ore."),
    "research_discount": Effect(RESEARCH_DISCOUNT, "Research costs so much less mana."),
    "expand_discount": Effect(EXPAND_DISCOUNT, "Expand costs so much less food."),
    "expand_adjacent": Effect(
        EXPAND_ADJACENT,
        "Expand may put the new meeple into an empty region adjacent to one of yours.",
        flag=True,
    ),
    "rival_build_tax": Effect(
        RIVAL_BUILD_TAX, "Another player who builds onto the castle level you stand on pays so much more ore."
    ),
    "trade_bonus": Effect(TRADE_BONUS, "Trade brings so many more of the resource traded into."),
    "trade_both_into_mana": Effect(
        TRADE_BOTH_INTO_MANA, "Trade may turn both ore and food into mana at once.", flag=True
    ),
    "mana_as_any": Effect(
        MANA_PAYS,
        "Mana may be paid in place of ore or food: in Build, Expand and retreat.",
        flag=True,
        span=3,
    ),
    "mana_pays": Effect(
        MANA_PAYS,
        "Mana may be paid in place of what this price is asked in.",
        keys=("price",),
        flag=True,
    ),
    "perform_instead": Effect(
        INSTEAD,
        "When the action `chosen` is chosen, you may perform the action `perform` instead.",
        keys=("chosen", "perform"),
        flag=True,
    ),
    # Moving and collecting
    "gain_on_entering": Effect(
        GAIN_ON_ENTERING,
        "A Patrol or Quest into such a region gives so many of a resource.",
        keys=("terrain", "resource"),
    ),
    "patrol_anywhere": Effect(
        PATROL_ANYWHERE, "Your Patrol may go to any region of the territory, adjacent or not.", flag=True
    ),
    "patrol_two": Effect(PATROL_TWO, "Your Patrol may move two meeples, one after the other.", flag=True),
    "patrol_steps": Effect(
        PATROL_STEPS,
        "Your Patrol may go so many regions farther, by way of land where no other player stands and no "
        "ruins are.",
        high=4,
    ),
    "patrol_across_water": Effect(
        PATROL_ACROSS_WATER,
        "Your Patrol may cross a river, or water to another region beside it.",
        flag=True,
        needs=("water",),
    ),
    "occupy_water": Effect(
        OCCUPY_WATER,
        "Your meeples may move into water and stand there.",
        flag=True,
        needs=("water to stand in",),
    ),
    "ruins_do_not_bind": Effect(
        RUINS_DO_NOT_BIND,
        "Your meeples that search ruins may patrol away without being stood up first.",
        flag=True,
        needs=("ruins",),
    ),
    "quest_from_water": Effect(
        QUEST_FROM_WATER,
        "For your Quest, regions of water and beside it count as edge regions.",
        flag=True,
        needs=("water",),
    ),
    "quest_swap": Effect(
        QUEST_SWAP,
        "On Quest, in place of the move, you may swap a meeple of yours with one of a player who has no ally "
        "in its region; a war may follow.",
        flag=True,
    ),
    "collect_in": Effect(
        COLLECT_IN,
        "When collecting with a meeple in such a region, so many more of a resource (once, not per region).",
        keys=("terrain", "resource"),
    ),
    "collect_near_water": Effect(
        COLLECT_NEAR_WATER,
        "When collecting with a meeple in a region beside water, so many more of a resource.",
        keys=("resource",),
        needs=("water",),
    ),
    # War and alliance
    "war_discount": Effect(WAR_DISCOUNT, "A war number costs so much less."),
    "war_discount_attacking": Effect(
        WAR_DISCOUNT_ATTACKING, "A war number costs so much less when you attack."
    ),
    "war_discount_defending": Effect(
        WAR_DISCOUNT_DEFENDING, "A war number costs so much less when you are attacked."
    ),
    "war_discount_losing": Effect(
        WAR_DISCOUNT_LOSING,
        "When you lose a war, so much less is to be paid; you must have the means without it.",
    ),
    "war_discount_one_kind": Effect(
        WAR_DISCOUNT_ONE_KIND, "A war number costs so much less if paid with one kind of resource only."
    ),
    "war_discount_mana_only": Effect(
        WAR_DISCOUNT_MANA_ONLY, "A war number costs so much less if paid with mana only."
    ),
    "war_discount_in": Effect(
        WAR_DISCOUNT_IN, "A war number costs so much less in a war over such a region.", keys=("terrain",)
    ),
    "war_discount_near_water": Effect(
        WAR_DISCOUNT_NEAR_WATER,
        "A war number costs so much less in a war over a region beside water.",
        needs=("water",),
    ),
    "food_pays_war": Effect(
        FOOD_WAR_VALUE, "Food may pay for war, each worth so much.", needs=("food worth less in war",)
    ),
    "rival_mana_loss": Effect(
        RIVAL_MANA_LOSS,
        "In a war against you, each mana of the opponent is worth so much less.",
        high=1,
        needs=("mana that pays for war",),
    ),
    "wins_ties": Effect(WINS_TIES, "You win every tie in war, also as the attacker.", flag=True),
    "raise_after_reveal": Effect(
        RAISE_AFTER_REVEAL,
        "After both dice are shown you may raise your number by so much, at the usual rates, even past the "
        "highest number of the die.",
    ),
    "flag_refused_loss": Effect(
        FLAG_REFUSED_LOSS,
        "If you show the flag and the opponent does not, the opponent loses so many resources.",
    ),
    "ally_gains": Effect(
        ALLY_GAINS,
        "A player who forms an alliance with you gets so many resources of choice.",
        needs=("alliances",),
    ),
    "gain_on_alliance": Effect(
        GAIN_ON_ALLIANCE,
        "When you form an alliance you get so many resources of choice.",
        needs=("alliances",),
    ),
    "ally_may_not_break": Effect(
        ALLY_MAY_NOT_BREAK,
        "Your allies may not break the alliance; you may.",
        flag=True,
        needs=("alliances",),
    ),
    "gain_after_win": Effect(GAIN_AFTER_WIN, "Winning a war gives so many resources of choice."),
    "take_after_win": Effect(
        TAKE_AFTER_WIN, "After winning a war you take so many resources of your choice from the loser."
    ),
    "take_after_win_in": Effect(
        TAKE_AFTER_WIN_IN,
        "After winning a war over such a region you take so many resources of your choice from the loser.",
        keys=("terrain",),
    ),
    "gain_on_removal": Effect(
        GAIN_ON_REMOVAL,
        "When a meeple, yours or not, is removed in a war of yours, you get so many of a resource.",
        keys=("resource",),
    ),
    "raise_fallen": Effect(
        RAISE_FALLEN,
        "When a meeple of a player you beat is removed, you may add one of yours in its region for so much "
        "mana.",
    ),
    "rival_may_not_retreat": Effect(
        RIVAL_MAY_NOT_RETREAT, "Those who lose a war to you may not retreat.", flag=True
    ),
    "free_retreat": Effect(
        FREE_RETREAT, "You retreat without paying food.", flag=True, needs=("a price of retreats",)
    ),
    "retreat_price_most": Effect(
        RETREAT_PRICE_MOST, "A retreat costs you at most so much food.", needs=("a price of retreats",)
    ),
    # Copying
    "copy_level": Effect(
        COPY_LEVEL,
        "On reaching this level you draw a nation at random, one that is absent from the game or that of a "
        "rival, and have what it has at this level.",
        keys=("whose",),
        flag=True,
        repeats=True,
    ),
    # Victory points at the end
    "vp": Effect(VP, "So many VP.", low=-9),
    "vp_highest_castle": Effect(
        VP_HIGHEST_CASTLE, "So many VP if your castle is the highest or tied for it."
    ),
    "vp_per_full_stock": Effect(
        VP_PER_FULL_STOCK,
        "So many VP for each kind of resource of which you hold `at_least` (4 if not given) or more.",
        extra=("at_least", FULL_STOCK, 4),
    ),
    "vp_home_free": Effect(
        VP_HOME_FREE, "So many VP if no other player has a meeple in your home territory."
    ),
    "vp_per_ally": Effect(
        VP_PER_ALLY, "So many VP for each player you are in alliance with.", needs=("alliances",)
    ),
    "vp_per_foreign_territory": Effect(
        VP_PER_FOREIGN_TERRITORY, "So many VP for each territory other than home where you have a meeple."
    ),
    "vp_per_player_with_less_mana": Effect(
        VP_PER_PLAYER_WITH_LESS_MANA, "So many VP for each player who holds less mana than you."
    ),
    "vp_most_meeples": Effect(VP_MOST_MEEPLES, "So many VP if no one has more meeples in play than you."),
    "vp_most_wars_won": Effect(
        VP_MOST_WARS_WON,
        "So many VP if you won `at_least` wars (2 if not given) and no one won more.",
        extra=("at_least", WARS_WON_LEAST, 2),
    ),
    "vp_per_region": Effect(
        VP_PER_REGION,
        "So many VP for each such region where you have a meeple, at most `most` in all (3 if not given).",
        keys=("terrain",),
        extra=("most", VP_PER_REGION_MOST, 3),
    ),
    "vp_near_water": Effect(
        VP_NEAR_WATER,
        "So many VP for each region of water or beside it where you have a meeple, at most `most` in all "
        "(3 if not given).",
        extra=("most", VP_NEAR_WATER_MOST, 3),
        needs=("water",),
    ),
    "vp_per_meeple_in_ruins": Effect(
        VP_PER_MEEPLE_IN_RUINS,
        "So many VP for each meeple that would be lost in ruins, at most `most` in all (3 if not given).",
        extra=("most", VP_IN_RUINS_MOST, 3),
        needs=("ruins", "meeples lost in ruins"),
    ),
}

NATION = record(
    ("known", "i4"),  # 1 if there is a nation of this number
    ("level", "i4", (MAGIC_LEVELS, POWERS)),  # what each level adds
    ("upto", "i4", (MAGIC_LEVELS + 1, POWERS)),  # what the levels up to this magic add up to
)
TABLES = (("nations", NATION, (NATIONS,)), ("sides", SIDE, (SIDES,)))


def power(state, rules, seat, slot):
    """Return what the nation of `seat` has in `slot` at its present magic."""
    player = state.players[seat]
    if player.muted == 0:
        return rules.nations[player.nation].upto[player.magic, slot]
    total = 0
    for level in range(player.magic):
        if player.muted >> level & 1 == 0:
            adds = rules.nations[nation_at(player, level)].level[level, slot]
            if FULL_STOCK <= slot < LIMITS and adds > 0:
                total = adds  # of two limits the higher level's holds
            else:
                total += adds
    return total


def nation_at(player, level):
    """Return the nation whose level this is: the player's own, or the one copied there."""
    copied = player.copies >> (level * COPY_BITS) & ((1 << COPY_BITS) - 1)
    return copied - 1 if copied > 0 else np.int64(player.nation)


def copy_nation(player, level, nation):
    """Have the player's `level` be that of `nation` from now on."""
    player.copies |= np.int64(nation + 1) << (level * COPY_BITS)
    player.muted |= COPIES


def can_be_copied(state, rules, seat, nation, level, whose):
    """Say whether the level of `nation` can be drawn by `seat`: of a rival or of no one, and no copy."""
    if not rules.nations[nation].known:
        return False
    for owner in range(OWNERS):
        if rules.nations[nation].level[level, COPY_LEVEL + owner] > 0:
            return False
    present = False
    for other in range(state.seats):
        if state.players[other].nation == nation:
            if other == seat:
                return False
            present = True
    return present == (whose != ABSENT)
