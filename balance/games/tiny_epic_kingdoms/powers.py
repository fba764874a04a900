"""What a nation can do: the vocabulary in which its levels are written.

A level of a nation is a list of effects. Each effect adds its amount to one slot of the nation's
powers; the levels from 1 to a player's magic add up. The rules ask for a slot by its name here.
"""

from dataclasses import dataclass

from balance.games.tiny_epic_kingdoms.state import (
    ACTIONS,
    MAGIC_LEVELS,
    NATIONS,
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
    TRADE_BONUS,
    TRADE_BOTH_INTO_MANA,
    MANA_AS_ANY,
    WAR_DISCOUNT,
    WAR_DISCOUNT_ATTACKING,
    WAR_DISCOUNT_ONE_KIND,
    WAR_DISCOUNT_MANA_ONLY,
    WAR_DISCOUNT_NEAR_WATER,
    FOOD_WAR_VALUE,
    RIVAL_MANA_LOSS,
    WINS_TIES,
    RAISE_AFTER_REVEAL,
    FLAG_REFUSED_LOSS,
    ALLY_GAINS,
    GAIN_ON_ALLIANCE,
    ALLY_MAY_NOT_BREAK,
    GAIN_AFTER_WIN,
    QUEST_SWAP,
    PATROL_ANYWHERE,
    FREE_RETREAT,
    RETREAT_PRICE_MOST,
    VP,
    VP_HIGHEST_CASTLE,
    VP_PER_FULL_STOCK,
    FULL_STOCK,
    VP_HOME_FREE,
    VP_PER_ALLY,
    VP_PER_FOREIGN_TERRITORY,
    VP_PER_PLAYER_WITH_LESS_MANA,
    VP_MOST_MEEPLES,
    VP_PER_REGION_MOST,
) = range(35)

# Slots of several numbers.
GAIN_ON_ENTERING = 35  # terrain x resource
COLLECT_IN = GAIN_ON_ENTERING + TERRAINS * RESOURCES  # terrain x resource
COLLECT_NEAR_WATER = COLLECT_IN + TERRAINS * RESOURCES  # resource
INSTEAD = COLLECT_NEAR_WATER + RESOURCES  # action chosen x action performed
WAR_DISCOUNT_IN = INSTEAD + ACTIONS * ACTIONS  # terrain
VP_PER_REGION = WAR_DISCOUNT_IN + TERRAINS  # terrain
SCORES = VP_PER_REGION + TERRAINS  # derived: whether any slot of victory points is filled
POWERS = SCORES + 1

VP_SLOTS = (
    VP,
    VP_HIGHEST_CASTLE,
    VP_PER_FULL_STOCK,
    VP_HOME_FREE,
    VP_PER_ALLY,
    VP_PER_FOREIGN_TERRITORY,
    VP_PER_PLAYER_WITH_LESS_MANA,
    VP_MOST_MEEPLES,
    *range(VP_PER_REGION, SCORES),
)

RESOURCE_NAMES = ("mana", "ore", "food")
TERRAIN_NAMES = ("forest", "mountain", "plains", "capital", "ruins", "water")
ACTION_NAMES = ("patrol", "quest", "build", "research", "expand", "trade")


MENUS = {
    "terrain": TERRAIN_NAMES,
    "resource": RESOURCE_NAMES,
    "chosen": ACTION_NAMES,
    "perform": ACTION_NAMES,
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
    """

    slot: int
    note: str
    keys: tuple[str, ...] = ()
    flag: bool = False
    low: int = 1
    high: int = 9
    extra: tuple[str, int, int] | None = None


EFFECTS = {
    # Building, learning, settling, trading
    "build_discount": Effect(BUILD_DISCOUNT, "Build costs so much less ore."),
    "research_discount": Effect(RESEARCH_DISCOUNT, "Research costs so much less mana."),
    "expand_discount": Effect(EXPAND_DISCOUNT, "Expand costs so much less food."),
    "rival_build_tax": Effect(
        RIVAL_BUILD_TAX, "Another player who builds onto the castle level you stand on pays so much more ore."
    ),
    "trade_bonus": Effect(TRADE_BONUS, "Trade brings so many more of the resource traded into."),
    "trade_both_into_mana": Effect(
        TRADE_BOTH_INTO_MANA, "Trade may turn both ore and food into mana at once.", flag=True
    ),
    "mana_as_any": Effect(MANA_AS_ANY, "Mana may be paid in place of ore or food.", flag=True),
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
    ),
    # War and alliance
    "war_discount": Effect(WAR_DISCOUNT, "A war number costs so much less."),
    "war_discount_attacking": Effect(
        WAR_DISCOUNT_ATTACKING, "A war number costs so much less when you attack."
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
        WAR_DISCOUNT_NEAR_WATER, "A war number costs so much less in a war over a region beside water."
    ),
    "food_pays_war": Effect(FOOD_WAR_VALUE, "Food may pay for war, each worth so much."),
    "rival_mana_loss": Effect(
        RIVAL_MANA_LOSS, "In a war against you, each mana of the opponent is worth so much less.", high=1
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
        ALLY_GAINS, "A player who forms an alliance with you gets so many resources of choice."
    ),
    "gain_on_alliance": Effect(
        GAIN_ON_ALLIANCE, "When you form an alliance you get so many resources of choice."
    ),
    "ally_may_not_break": Effect(
        ALLY_MAY_NOT_BREAK, "Your allies may not break the alliance; you may.", flag=True
    ),
    "gain_after_win": Effect(GAIN_AFTER_WIN, "Winning a war gives so many resources of choice."),
    "free_retreat": Effect(FREE_RETREAT, "You retreat without paying food.", flag=True),
    "retreat_price_most": Effect(RETREAT_PRICE_MOST, "A retreat costs you at most so much food."),
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
    "vp_per_ally": Effect(VP_PER_ALLY, "So many VP for each player you are in alliance with."),
    "vp_per_foreign_territory": Effect(
        VP_PER_FOREIGN_TERRITORY, "So many VP for each territory other than home where you have a meeple."
    ),
    "vp_per_player_with_less_mana": Effect(
        VP_PER_PLAYER_WITH_LESS_MANA, "So many VP for each player who holds less mana than you."
    ),
    "vp_most_meeples": Effect(VP_MOST_MEEPLES, "So many VP if no one has more meeples in play than you."),
    "vp_per_region": Effect(
        VP_PER_REGION,
        "So many VP for each such region where you have a meeple, at most `most` in all (3 if not given).",
        keys=("terrain",),
        extra=("most", VP_PER_REGION_MOST, 3),
    ),
}

NATION = record(
    ("level", "i4", (MAGIC_LEVELS, POWERS)),  # what each level adds
    ("upto", "i4", (MAGIC_LEVELS + 1, POWERS)),  # what the levels up to this magic add up to
)
TABLES = (("nations", NATION, (NATIONS,)), ("sides", SIDE, (SIDES,)))


def power(state, rules, seat, slot):
    """Return what the nation of `seat` has in `slot` at its present magic."""
    player = state.players[seat]
    nation = rules.nations[player.nation]
    if player.muted == 0:
        return nation.upto[player.magic, slot]
    total = 0
    for level in range(player.magic):
        if player.muted >> level & 1 == 0:
            total += nation.level[level, slot]
    return total
