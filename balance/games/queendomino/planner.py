"""The planner: places for points, for room to go on, and for what its next domino would bring.

A style is a table of weights. All are in points at the end of the game; those that pay later shrink
with the rounds that are left.
"""

from balance.games.queendomino.bots import (
    NEVER,
    best_of,
    can_be_tidy,
    growth,
    is_tidy,
    window,
)
from balance.games.queendomino.builders import price, tax_due
from balance.games.queendomino.kingdom import edge, free_neighbours, lay_domino, placements
from balance.games.queendomino.rules import final_round
from balance.games.queendomino.state import (
    BUILD,
    CHOICES,
    CHOOSE,
    FIRES,
    KNIGHTS,
    LEVIES,
    NO_BUILDING,
    NO_DRAGON,
    PER_KNIGHT,
    PER_TOWER,
    PLACE,
    PURCHASES,
    SITE,
    SITES,
    TERRAINS,
    TOWN,
    WORDS,
)

ENOUGH = 3  # free cells at a terrain's edge beyond which more are not worth more
SPARE_SITES = 2  # free town squares beyond which more are not worth more


def plan(state, rules, bot, acts, count, rng, desk):
    """Play the decision at hand by the bot's weights."""
    kingdom = state.kingdoms[state.homes[state.seat]]
    kind = state.phase & 7
    if kind == PLACE:
        weigh_placements(state, rules, bot, kingdom, acts, count, desk)
    elif kind == CHOOSE:
        weigh_choices(state, rules, bot, kingdom, acts, count, desk)
    elif kind == KNIGHTS:
        weigh_levies(state, rules, bot, kingdom, acts, count, desk)
    elif kind == BUILD:
        weigh_purchases(state, rules, bot, acts, count, desk)
    elif kind == SITE:
        weigh_sites(rules.buildings[state.pending], kingdom, acts, count, desk)
    else:
        weigh_fires(state, rules, bot, acts, count, desk)
    return best_of(acts, count, rng, desk)


def rest(state, rules):
    """Return the part of the game's rounds that is still to come, 0 in the last."""
    rounds = rules.dominoes_used // rules.line
    return (rounds - state.turn) / rounds if rounds > 0 else 0.0


# --- land -----------------------------------------------------------------------------------------


def weigh_placements(state, rules, bot, kingdom, acts, count, desk):
    """Value each placement by its points, what it leaves open, and the best domino to choose next."""
    domino = rules.dominoes[state.due[state.slot]]
    left = rest(state, rules)
    last = final_round(state)
    for i in range(count):
        desk.values[i] = 1.0 * growth(kingdom, rules, domino, acts[i])
        if not last:
            then = desk.copies[0].kingdoms[0]
            desk.copies[0].kingdoms[0] = kingdom
            lay_domino(then, rules, domino, acts[i])
            desk.values[i] += outlook(then, bot, left) + best_next(state, rules, bot, then, left, desk)
    if bot.tidy > 0 and can_be_tidy(kingdom, rules, bot):
        tiles = window(kingdom, rules)
        for i in range(count):
            if not is_tidy(kingdom, rules, tiles, acts[i]):
                desk.values[i] -= bot.tidy


def best_next(state, rules, bot, kingdom, left, desk):
    """Return what the best domino still free would be worth."""
    best = -1e9
    for place in range(rules.line):
        if state.claims[place] == 0:
            best = max(best, domino_worth(rules, bot, kingdom, rules.dominoes[state.line[place]], left, desk))
    return bot.ahead * best


def weigh_choices(state, rules, bot, kingdom, acts, count, desk):
    """Value each domino by what it would bring; a low number places, and chooses, earlier."""
    left = rest(state, rules)
    for i in range(count):
        place = acts[i] - CHOICES
        worth = domino_worth(rules, bot, kingdom, rules.dominoes[state.line[place]], left, desk)
        desk.values[i] = worth - bot.early * place


def domino_worth(rules, bot, kingdom, domino, left, desk):
    """Return what a domino would be worth once placed at its best: points now, crowns and towns later."""
    points = top_growth(kingdom, rules, domino, desk)
    if points == NEVER:
        return -bot.fit
    worth = points + bot.crown * left * (domino.crowns[0] + domino.crowns[1])
    towns = (domino.terrain[0] == TOWN) + (domino.terrain[1] == TOWN)
    if towns > 0:
        worth += (
            bot.site
            * left
            * (min(free_sites(kingdom) + towns, SPARE_SITES) - min(free_sites(kingdom), SPARE_SITES))
        )
    return worth


def top_growth(kingdom, rules, domino, desk):
    """Return the most points that placing `domino` could bring; NEVER if it cannot be placed."""
    count = placements(kingdom, domino, desk.replies)
    best = NEVER
    for i in range(count):
        best = max(best, growth(kingdom, rules, domino, desk.replies[i]))
    return best


def outlook(kingdom, bot, left):
    """Return what a kingdom's shape promises: open edges, crowns that can still grow, no lost squares."""
    worth = 0.0
    for terrain in range(TERRAINS):
        free = 0
        for word in range(WORDS):
            free += ones(edge(kingdom, terrain, word))
        if kingdom.territories[terrain] > 0:
            worth += bot.open * min(free, ENOUGH)
            if free > 0:
                worth += bot.grow * crowns_of(kingdom, terrain)
    worth += bot.site * min(free_sites(kingdom), SPARE_SITES)
    return left * worth - bot.hole * lost_cells(kingdom)


def ones(cells):
    """Return how many bits are set."""
    count = 0
    while cells != 0:
        cells &= cells - 1
        count += 1
    return count


def crowns_of(kingdom, terrain):
    """Return the crowns on all land of one terrain."""
    crowns = 0
    for square in range(1, kingdom.placed + 1):
        if kingdom.ground[square] == terrain:
            crowns += kingdom.printed[square]
    return crowns


def lost_cells(kingdom):
    """Return how many free cells have no free neighbour: no domino will ever cover them."""
    count = 0
    for word in range(WORDS):
        count += ones(kingdom.room[word] & ~free_neighbours(kingdom, word))
    return count


def free_sites(kingdom):
    """Return how many town squares are free."""
    count = 0
    for word in range(WORDS):
        count += ones(kingdom.sites[word])
    return count


# --- knights --------------------------------------------------------------------------------------


def weigh_levies(state, rules, bot, kingdom, acts, count, desk):
    """Send a knight where it brings more than it could be hoped to bring later."""
    keep = bot.patience * rest(state, rules) / kingdom.knights
    for i in range(count):
        halves = acts[i] - LEVIES
        desk.values[i] = 0.0
        if halves & 1:
            desk.values[i] += tax_due(kingdom, kingdom.first) - keep
        if halves & 2:
            desk.values[i] += tax_due(kingdom, kingdom.second) - keep


# --- buildings ------------------------------------------------------------------------------------


def weigh_purchases(state, rules, bot, acts, count, desk):
    """Value each building by what it should be worth in the end, less its price and its site."""
    home = state.homes[state.seat]
    for i in range(count):
        desk.values[i] = 0.0
        if acts[i] != NO_BUILDING:
            spot = acts[i] - PURCHASES
            desk.values[i] = building_value(state, rules, bot, home, state.board[spot] - 1)
            desk.values[i] -= bot.coin * price(state, rules, home, spot)


def building_value(state, rules, bot, home, kind):
    """Return what a building should be worth to a kingdom, in points at the end."""
    kingdom, building = state.kingdoms[home], rules.buildings[kind]
    left = rest(state, rules)
    owned = kingdom.knights + kingdom.levied
    worth = bot.build + building.points + building.each * expected(kingdom, building, left)
    worth += bot.town_crown * building.crowns * (largest_town(kingdom) + 2.0 * left)
    taxes = kingdom.knights + 2.0 * left
    worth += (
        bot.coin
        * taxes
        * (building.tax_knights * (owned + left) + building.tax_towers * (kingdom.towers + left))
    )
    worth += bot.knight * building.knights * left
    worth += tower_value(state, rules, bot, home, building.towers, left)
    return worth - bot.site_cost * left


def expected(kingdom, building, left):
    """Return how many there should be in the end of what a building counts."""
    if building.per == PER_TOWER:
        return kingdom.towers + building.towers + 1.0 * left
    if building.per == PER_KNIGHT:
        return kingdom.knights + kingdom.levied + building.knights + 1.0 * left
    if 0 <= building.per < TERRAINS:
        return kingdom.territories[building.per] + 1.0 * left
    return 0.0


def largest_town(kingdom):
    """Return the squares of the largest town that has room for a building."""
    best = 0
    for square in range(1, kingdom.placed + 1):
        if kingdom.ground[square] == TOWN:
            best = max(best, kingdom.squares[kingdom.territory[square]])
    return best


def tower_value(state, rules, bot, home, towers, left):
    """Return what more towers are worth: a step towards the queen, or her favour at once."""
    if towers == 0 or not rules.queen:
        return 0.0
    most = 0
    for other in range(rules.kingdoms):
        if other != home:
            most = max(most, state.kingdoms[other].towers)
    mine = state.kingdoms[home].towers + towers
    worth = bot.tower * towers
    if mine >= most and state.queen != home + 1:
        hold = 1.0 - 0.5 * left
        worth += bot.queen * hold * (rules.queen_crowns * (state.kingdoms[home].largest + 3.0 * left))
    return worth


def weigh_sites(building, kingdom, acts, count, desk):
    """Crowns go into the largest town; all else into the smallest."""
    for i in range(count):
        cell = acts[i] - SITES
        squares = kingdom.squares[kingdom.territory[kingdom.square_at[cell]]]
        desk.values[i] = 1.0 * squares if building.crowns > 0 else -1.0 * squares


# --- the dragon -----------------------------------------------------------------------------------


def weigh_fires(state, rules, bot, acts, count, desk):
    """Burn what would serve another kingdom best, if spite is worth the coin."""
    home = state.homes[state.seat]
    for i in range(count):
        desk.values[i] = 0.0
        if acts[i] != NO_DRAGON:
            harm = 0.0
            spot = acts[i] - FIRES
            for other in range(rules.kingdoms):
                if other != home and can_buy(state, rules, other, spot):
                    harm = max(harm, building_value(state, rules, bot, other, state.board[spot] - 1))
            desk.values[i] = bot.spite * harm - bot.coin * rules.dragon_cost


def can_buy(state, rules, home, spot):
    """Say whether a kingdom could put up the building on `spot` now."""
    return (
        free_sites(state.kingdoms[home]) > 0 and price(state, rules, home, spot) <= state.kingdoms[home].coins
    )
