"""How the bots play Tiny Epic Kingdoms: what they value, how they choose an action and how they bid.

The greedy bot looks one decision ahead by `value`; in choosing an action, through its own performance
of it. Of many moves it looks at the most promising only. War numbers are drawn from a mixed strategy.
All prices, points and effects are read from the rules, so that the bots answer a house rule.
"""

from balance.bots.greedy import best_imagined
from balance.bots.uniform import uniform
from balance.dice import unit
from balance.games import Weight
from balance.games.tiny_epic_kingdoms.acts import (
    CHOOSE,
    EXCHANGE,
    EXCHANGE_BOTH,
    GOODS,
    GROW,
    JOURNEY,
    LEARN,
    LEGAL_MOST,
    MOVE,
    RAISE_CASTLE,
    RETREAT,
    SHOW,
    SHOW_FLAG,
    STAND_UP,
    SWAP,
    TAKE_SIDE,
)
from balance.games.tiny_epic_kingdoms.board import bit, full, holder, size
from balance.games.tiny_epic_kingdoms.bots_tokens import mystery_worth, token_promise, tokens_worth
from balance.games.tiny_epic_kingdoms.exploration import veil
from balance.games.tiny_epic_kingdoms.lost_kingdom import neutral_number
from balance.games.tiny_epic_kingdoms.powers import (
    ALLY_GAINS,
    FINDS,
    FLAG_REFUSED_LOSS,
    GAIN_ON_ALLIANCE,
    GAIN_ON_ENTERING,
    TRADE_BONUS,
    VP_PER_ALLY,
    WINS_TIES,
    power,
)
from balance.games.tiny_epic_kingdoms.rules import (
    build_price,
    expand_price,
    research_price,
)
from balance.games.tiny_epic_kingdoms.scoring import (
    capital_points,
    lost_points,
    meeples_that_count,
    neutral_points,
    score,
)
from balance.games.tiny_epic_kingdoms.state import (
    AGAINST_NEUTRAL,
    ATTACKER_PAYS,
    BID_WAR,
    BUILD,
    CAPITAL,
    CASTLE_LEVELS,
    CHOOSE_ACTION,
    CHOOSE_SIDE,
    EXPAND,
    FOOD,
    FOREST,
    MAGIC_LEVELS,
    MANA,
    MEEPLES,
    MOUNTAIN,
    NO_WAR,
    ORE,
    PATROL,
    PERFORM,
    PLACES,
    PLAINS,
    QUEST,
    RESEARCH,
    RESOURCES,
    RUINS,
    TERRAINS,
    TRADE,
    WATER,
)
from balance.games.tiny_epic_kingdoms.war import highest_payable, is_payment, opponent, price_of
from balance.protocol import apply, redeal
from balance.table import options

KINDS = ("random", "greedy")
RANDOM, GREEDY = range(2)

WEIGHTS = (
    Weight("points", "a victory point it would score if the game ended now", 2.2),
    Weight("hold", "the chance it sees to keep a capital to the end, early in the game", 0.0),
    Weight("castle", "a point the ore in stock could yet build", 0.6),
    Weight("magic", "a point the mana in stock could yet learn", 1.2),
    Weight("meeples", "a point the food in stock could yet settle", 1.25),
    Weight("power", "a level of magic, for what the nation gains by it", 0.75),
    Weight("income", "how many more times it expects to collect from each region, early in the game", 10.0),
    Weight("search", "a meeple searching ruins", 1.0),
    Weight("room", "a region where a meeple could be added", 0.1),
    Weight("arms", "the highest number it could pay in war, as a share of the die", 0.3),
    Weight("rivals", "a point of the average rival (counts against it)", 0.3),
    Weight("denial", "a point that choosing an action would let a rival score (counts against it)", 0.02),
    Weight("friends", "a region shared with an ally", 0.1),
    Weight("conquest", "a war won as the attacker", 0.55),
    Weight("stake", "the highest number it cares to pay in war, as a share of the die", 0.8),
    Weight("boldness", "how far its war numbers lean to the high side; 0 is even", 0.7),
    Weight("peace", "the chance that it shows the flag whatever it could pay", 0.2),
    Weight("lost", "a neutral meeple or a region of the Lost Kingdom, as a share of its points", 1.0),
    Weight("explore", "an exploration token that no one has seen, as a share of the average one", 0.3),
    Weight("tokens", "a crown, city, camp or fort, as a share of its points or goods", 1.0),
    Weight("sites", "a fort, a dragon's lair or a church that it holds", 0.2),
    Weight("thrift", "how much dearer the price of a neutral meeple seems, early in the game", 4.0),
)

BARS = (
    ("war", "never attacks"),
    ("alliance", "never shows the flag while it can pay for a number"),
    ("castle", "never builds"),
    ("magic", "never researches"),
    ("expand", "never adds a meeple"),
    ("trade", "never trades"),
    ("patrol", "never moves by Patrol"),
    ("quest", "never moves by Quest"),
    ("power1", "plays without level 1 of its nation"),
    ("power2", "plays without level 2 of its nation"),
    ("power3", "plays without level 3 of its nation"),
    ("power4", "plays without level 4 of its nation"),
    ("power5", "plays without level 5 of its nation"),
    ("lost_kingdom", "never attacks a neutral meeple"),
)
NO_NEUTRALS = 13
(
    NO_ATTACKS,
    NO_FLAGS,
    NO_CASTLE,
    NO_MAGIC,
    NO_EXPANSION,
    NO_TRADE,
    NO_PATROL,
    NO_QUEST,
) = range(8)

SHORTLIST = 4  # moves it looks at closely, of all that are legal
LURE = 0.15  # how much each resource that a flag would bring adds to the chance that it is shown
NEUTRAL_PRICE = 0.25  # what a point of war number costs it, before it looks closely
AHEAD = LEGAL_MOST - 1  # where `desk.values` keeps how much of the game is ahead
MYSTERY = AHEAD - 1  # the worth of an unseen token
WORTHS = MYSTERY - TERRAINS  # where `desk.values`, beyond any act, keeps a few numbers


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == RANDOM:
        return uniform(acts, count, rng)
    if state.phase == CHOOSE_ACTION:
        return best_action(state, rules, bot, acts, count, desk)
    if state.phase == PERFORM:
        count = shortlist(state, rules, bot, acts, count, desk)
    elif state.phase == BID_WAR:
        return bid(state, rules, bot, acts, count, rng)
    elif state.phase == CHOOSE_SIDE:
        return better_side(state, rules, bot)
    imagine_veiled(state, rules, desk, 0)
    return best_imagined(rules, bot, acts, count, desk)


def imagine_veiled(state, rules, desk, depth):
    """Imagine the position as the seat to move sees it; tokens that lie face down stay unknown."""
    desk.copies[depth] = state
    if state.covered:
        veil(desk.copies[depth], rules)
    redeal(desk.copies[depth], rules, state.seat, desk.dream.seats[state.seat])


# What a position is worth


def value(state, rules, bot, seat):
    """Judge the position: points now, what the stock and the regions may yet bring, and a war going on."""
    player = state.players[seat]
    ahead = share_ahead(state, rules)
    worth = bot.points * score(state, rules, seat)
    worth -= bot.points * ahead * (1.0 - bot.hold) * capital_points(state, rules, seat)
    if ahead > 0.0:
        worth += outlook(state, rules, bot, seat, ahead)
        worth += ahead * bot.power * player.magic
        if player.here & state.of_terrain[RUINS]:
            worth += ahead * bot.search * size(player.down)
            lost = player.meeples - meeples_that_count(state, rules, seat)
            worth += ahead * bot.points * rules.meeple_vp * lost  # they may still leave
        if player.meeples < MEEPLES and player.here & ~full(state):
            worth += ahead * bot.room
        worth += ahead * bot.arms * strength(rules, player) / rules.war_highest
    worth -= bot.rivals * rivals_points(state, rules, seat)
    if state.lost != 0:
        worth += lost_kingdom_worth(state, rules, bot, seat, ahead)
    if rules.exploration:
        worth += tokens_worth(state, rules, bot, seat, ahead)
    if bot.friends != 0.0:
        worth += bot.friends * shared_regions(state, seat)
    if state.war.stage != NO_WAR:
        worth += war_worth(state, rules, bot, seat)
    return worth


def share_ahead(state, rules):
    """Return how much of the game is ahead: by the player who is furthest on, from 1 down to 0 at the end."""
    if state.final != 0:
        return 0.1 * (rules.shields - size(state.shields))
    furthest = 0.0
    for seat in range(state.seats):
        player = state.players[seat]
        furthest = max(furthest, player.castle / CASTLE_LEVELS)
        furthest = max(furthest, player.magic / MAGIC_LEVELS)
        furthest = max(furthest, (player.meeples - 2) / (MEEPLES - 2))
    return 1.0 - 0.5 * furthest


def outlook(state, rules, bot, seat, ahead):
    """What the stock, and what the regions will still add to it, can yet build, learn and settle."""
    goods = state.players[seat].goods
    return outlook_with(state, rules, bot, seat, ahead, goods[MANA], goods[ORE], goods[FOOD])


def outlook_with(state, rules, bot, seat, ahead, mana, ore, food):
    """The outlook if the stock were this."""
    here = state.players[seat].here
    times = ahead * bot.income
    ore = ore + times * size(here & state.of_terrain[MOUNTAIN])
    mana = mana + times * size(here & state.of_terrain[FOREST])
    food = food + times * size(here & state.of_terrain[PLAINS])
    worth = bot.castle * castle_outlook(state, rules, seat, ore)
    worth += bot.magic * magic_outlook(state, rules, seat, mana)
    return worth + bot.meeples * meeple_outlook(state, rules, seat, food)


def castle_outlook(state, rules, seat, ore):
    """Points that `ore` could build, part by part; of the part it runs out at, in proportion."""
    castle = state.players[seat].castle
    if castle >= CASTLE_LEVELS:
        return 0.0
    price = build_price(state, rules, seat)
    had = rules.castle_vp[castle - 1] if castle > 0 else 0
    points = (rules.castle_vp[castle] - had) * affordable(ore, price)
    ore -= price
    for level in range(castle + 1, CASTLE_LEVELS):
        if ore <= 0.0:
            break
        gain = rules.castle_vp[level] - rules.castle_vp[level - 1]
        points += gain * affordable(ore, rules.castle_cost[level])
        ore -= rules.castle_cost[level]
    return points


def magic_outlook(state, rules, seat, mana):
    """Points that `mana` could learn, level by level."""
    magic = state.players[seat].magic
    if magic >= MAGIC_LEVELS:
        return 0.0
    price = research_price(state, rules, seat)
    return rules.magic_vp * steps_covered(mana, price, rules.magic_cost, magic, MAGIC_LEVELS)


def meeple_outlook(state, rules, seat, food):
    """Points that `food` could settle, meeple by meeple."""
    meeples = state.players[seat].meeples
    if meeples >= MEEPLES:
        return 0.0
    price = expand_price(state, rules, seat)
    return rules.meeple_vp * steps_covered(food, price, rules.expand_cost, meeples, MEEPLES)


def steps_covered(stock, price, costs, reached, most):
    """Return how many steps `stock` pays for: the next at `price`, those after it at `costs`."""
    covered = affordable(stock, price)
    stock -= price
    for step in range(reached + 1, most):
        if stock <= 0.0:
            break
        covered += affordable(stock, costs[step])
        stock -= costs[step]
    return covered


def affordable(stock, price):
    """Return the share of `price` that `stock` covers, at most 1."""
    if stock >= price:
        return 1.0
    return stock / price


def strength(rules, player):
    """Return the number its stock would pay for in war, discounts aside, up to the die's highest."""
    means = player.goods[MANA] * rules.war_mana + player.goods[ORE] * rules.war_ore
    return min(rules.war_highest, means)


def rivals_points(state, rules, seat):
    """Return the average rival's points for meeples, castle and magic."""
    points = 0.0
    for other in range(state.seats):
        if other != seat:
            rival = state.players[other]
            points += rules.meeple_vp * rival.meeples + rules.magic_vp * rival.magic
            points += rules.neutral_vp * rival.neutrals
            if rival.castle > 0:
                points += rules.castle_vp[rival.castle - 1]
    return points / (state.seats - 1)


def shared_regions(state, seat):
    """Count the regions shared with another player."""
    count = 0
    for other in range(state.seats):
        if other != seat:
            count += size(state.players[seat].here & state.players[other].here)
    return count


def war_worth(state, rules, bot, seat):
    """Judge a war going on: before the reveal by both sides' means, after it by who won."""
    war = state.war
    if seat != war.attacker and seat != war.defender:
        return 0.0
    if war.stage == AGAINST_NEUTRAL:
        return neutral_war_worth(state, rules, bot, seat)
    loss = bot.points * rules.meeple_vp
    if war.stage >= ATTACKER_PAYS:
        if war.winner != seat:
            return -loss
        return bot.conquest if seat == war.attacker else 0.0
    if seat != war.attacker:
        return 0.0
    mine = min(rules.war_highest, highest_payable(state, rules, seat))
    theirs = min(rules.war_highest, highest_payable(state, rules, war.defender))
    chance = (1.0 + mine) / (2.0 + mine + theirs)
    price = 0.5 * min(mine, theirs + 1) / rules.war_highest
    return chance * bot.conquest - (1.0 - chance) * loss - price


# The Lost Kingdom


def lost_kingdom_worth(state, rules, bot, seat, ahead):
    """Judge its points: neutral meeples are kept, regions have to be held to the end; `lost` weighs both."""
    held = lost_points(state, rules, seat)
    worth = (bot.lost - 1.0) * (neutral_points(state, rules, seat) + held)
    return bot.points * (worth - bot.lost * ahead * (1.0 - bot.hold) * held)


def neutral_war_worth(state, rules, bot, seat):
    """Judge a war against a neutral meeple, still to be paid for: what it will score, less what it costs."""
    war = state.war
    worth = bot.points * bot.lost * rules.neutral_vp
    ahead = share_ahead(state, rules)
    if ahead == 0.0:
        return worth
    goods = state.players[seat].goods
    price = price_of(state, rules, seat, war.attacker_number)
    arms = ahead * bot.arms / rules.war_highest
    now = outlook(state, rules, bot, seat, ahead)
    cheapest = -1.0
    for mana in range(goods[MANA] + 1):
        for ore in range(goods[ORE] + 1):
            for food in range(goods[FOOD] + 1):
                if is_payment(state, rules, seat, price, rules.war_mana, mana, ore, food):
                    left = outlook_with(
                        state,
                        rules,
                        bot,
                        seat,
                        ahead,
                        goods[MANA] - mana,
                        goods[ORE] - ore,
                        goods[FOOD] - food,
                    )
                    cost = now - left + arms * (mana * rules.war_mana + ore * rules.war_ore)
                    cheapest = cost if cheapest < 0.0 else min(cheapest, cost)
    return worth - (1.0 + bot.thrift * ahead) * cheapest


# Choosing an action


def best_action(state, rules, bot, acts, count, desk):
    """Choose the action whose best performance is worth most, less what it lets the rivals score."""
    seat = state.seat
    imagine_veiled(state, rules, desk, 2)
    best, most = acts[0], 0.0
    for i in range(count):
        desk.copies[3] = desk.copies[2]
        apply(desk.copies[3], rules, acts[i], desk.dream)
        worth = best_performance(desk.copies[3], rules, bot, desk)
        worth -= bot.denial * rivals_gain(state, rules, seat, acts[i] - CHOOSE)
        if i == 0 or worth > most:
            best, most = acts[i], worth
    return best


def best_performance(state, rules, bot, desk):
    """Return what the best way to perform the action just chosen is worth to its active player."""
    seat = state.seat
    count = options(state, rules, bot, desk.replies)
    count = shortlist(state, rules, bot, desk.replies, count, desk)
    most = 0.0
    for i in range(count):
        desk.copies[1] = state
        apply(desk.copies[1], rules, desk.replies[i], desk.dream)
        worth = value(desk.copies[1], rules, bot, seat)
        if i == 0 or worth > most:
            most = worth
    return most


def rivals_gain(state, rules, seat, action):
    """Return the points that all rivals together could score at once if `action` were chosen."""
    points = 0.0
    for other in range(state.seats):
        if other == seat:
            continue
        rival = state.players[other]
        if action == BUILD and rival.castle < CASTLE_LEVELS:
            if build_price(state, rules, other) <= rival.goods[ORE]:
                now = rules.castle_vp[rival.castle - 1] if rival.castle > 0 else 0
                points += rules.castle_vp[rival.castle] - now
        elif action == RESEARCH and rival.magic < MAGIC_LEVELS:
            if research_price(state, rules, other) <= rival.goods[MANA]:
                points += rules.magic_vp
        elif action == EXPAND and rival.meeples < MEEPLES:
            if expand_price(state, rules, other) <= rival.goods[FOOD] and rival.here & ~full(state):
                points += rules.meeple_vp
    return points


# Choosing among many moves


def shortlist(state, rules, bot, acts, count, desk):
    """Drop pointless trades, bring what is no move to the front, then the best moves; return how many."""
    if acts[count - 1] >= EXCHANGE:
        count = pointed_trades(state, rules, acts, count, desk)
    others = 0
    for i in range(count):
        act = acts[i]
        if not is_move(act):
            acts[i], acts[others] = acts[others], act
            others += 1
    if count - others <= SHORTLIST:
        return count
    for terrain in range(TERRAINS):
        desk.values[WORTHS + terrain] = terrain_worth(state, rules, bot, terrain)
    if rules.exploration:
        desk.values[AHEAD] = share_ahead(state, rules)
        desk.values[MYSTERY] = mystery_worth(state, rules, bot, desk.values[AHEAD])
    for i in range(others, count):
        desk.values[i] = promise(state, rules, bot, acts[i], desk)
    for place in range(others, others + SHORTLIST):
        best = place
        for i in range(place + 1, count):
            if desk.values[i] > desk.values[best]:
                best = i
        act, promised = acts[best], desk.values[best]
        acts[best], desk.values[best] = acts[place], desk.values[place]
        acts[place], desk.values[place] = act, promised
    return others + SHORTLIST


def pointed_trades(state, rules, acts, count, desk):
    """Keep the trades of one piece, of all, and those that reach or leave just what a step costs."""
    seat = state.seat
    player = state.players[seat]
    desk.values[WORTHS + MANA] = research_price(state, rules, seat) if player.magic < MAGIC_LEVELS else 0
    desk.values[WORTHS + ORE] = build_price(state, rules, seat) if player.castle < CASTLE_LEVELS else 0
    desk.values[WORTHS + FOOD] = expand_price(state, rules, seat) if player.meeples < MEEPLES else 0
    bonus = power(state, rules, seat, TRADE_BONUS)
    kept = 0
    for i in range(count):
        act = acts[i]
        if EXCHANGE <= act < EXCHANGE_BOTH:
            pair, number = (act - EXCHANGE) // GOODS, (act - EXCHANGE) % GOODS
            given, got = pair // RESOURCES, pair % RESOURCES
            left = player.goods[given] - number
            reached = player.goods[got] + number + bonus
            pointed = number == 1 or left == 0
            pointed = pointed or left == desk.values[WORTHS + given] or reached == desk.values[WORTHS + got]
            if not pointed:
                continue
        acts[kept] = act
        kept += 1
    return kept


def is_move(act):
    """Say whether an act moves a meeple by Patrol, Quest or swap."""
    return MOVE <= act < STAND_UP


def promise(state, rules, bot, act, desk):
    """Guess what a move changes: the region gained, the region left, a war that follows."""
    seat = state.seat
    player = state.players[seat]
    pair = (act - MOVE) % (PLACES * PLACES)
    origin, goal = pair // PLACES, pair % PLACES
    gain = 0.0
    if not player.here & bit(goal):
        gain += desk.values[WORTHS + state.terrain[goal]]
    if not player.twice & bit(origin):
        gain -= desk.values[WORTHS + state.terrain[origin]]
    if rules.exploration:
        ahead = desk.values[AHEAD]
        gain += token_promise(state, rules, bot, bit(goal) & ~player.here, ahead, desk.values[MYSTERY])
        gain -= token_promise(state, rules, bot, bit(origin) & ~player.twice, ahead, 0.0)
    if state.neutral & bit(goal):
        gain += bot.lost * bot.points * rules.neutral_vp - NEUTRAL_PRICE * neutral_number(state, rules)
    rival = holder(state, seat, goal)
    if rival >= 0:
        mine = strength(rules, player)
        theirs = strength(rules, state.players[rival])
        chance = (1.0 + mine) / (2.0 + mine + theirs)
        gain += chance * bot.conquest - (1.0 - chance) * rules.meeple_vp - 0.5 * theirs / rules.war_highest
    return gain


def terrain_worth(state, rules, bot, terrain):
    """Guess what holding one more region of a terrain is worth to the seat to move."""
    seat = state.seat
    player = state.players[seat]
    if terrain == CAPITAL:
        return bot.points * rules.capital_vp * (1.0 - share_ahead(state, rules) * (1.0 - bot.hold))
    if terrain == RUINS:
        return bot.search - bot.points * rules.meeple_vp * (1.0 - share_ahead(state, rules))
    worth = 0.0
    if terrain == MOUNTAIN:
        worth = bot.castle * (CASTLE_LEVELS - player.castle)
    elif terrain == FOREST:
        worth = bot.magic * (MAGIC_LEVELS - player.magic)
    elif terrain == PLAINS:
        worth = bot.meeples * (MEEPLES - player.meeples)
    worth *= 0.05 * bot.income / (1.0 + size(player.here & state.of_terrain[terrain]))
    if power(state, rules, seat, FINDS) == 0:
        return worth
    for resource in range(RESOURCES):
        worth += 0.2 * power(state, rules, seat, GAIN_ON_ENTERING + terrain * RESOURCES + resource)
    return worth


# War


def bid(state, rules, bot, acts, count, rng):
    """Draw the war number, or the flag, from a mixed strategy that depends on both sides' means.

    In an all-pay auction each side spreads its bid evenly up to the weaker side's means, and the
    weaker side often stays out (M. Baye, D. Kovenock, C. de Vries, Economic Theory 8 (1996), 291-305).
    Here staying out is the flag; `peace` adds to it, `stake` caps the bid, `boldness` leans it upward.
    """
    seat = state.seat
    other = opponent(state, seat)
    mine = 1.0 * (acts[count - 1] - SHOW) if acts[count - 1] != SHOW_FLAG else 0.0
    theirs = 1.0 * min(rules.war_highest, max(0, highest_payable(state, rules, other)))
    last = share_ahead(state, rules) == 0.0  # what is not spent now is worth no more than a tie-break
    lured = LURE * gain_by_flag(state, rules, seat, other)
    if unit(rng) < (lured if last else bot.peace + lured):
        return SHOW_FLAG
    if mine < theirs and unit(rng) * theirs >= mine + 1.0:
        return SHOW_FLAG
    wins_ties = power(state, rules, seat, WINS_TIES) > 0 or (seat == state.war.defender and rules.ties == 0)
    enough = theirs if wins_ties else theirs + 1.0
    cap = min(mine, enough)
    if not last:
        cap = min(cap, max(1.0, bot.stake * rules.war_highest))
    drawn = unit(rng)
    if last or unit(rng) < bot.boldness:
        drawn = max(drawn, unit(rng))
    wanted = SHOW + int(rules.war_lowest + drawn * (cap - rules.war_lowest + 1.0))
    best = SHOW_FLAG
    for i in range(count):
        if acts[i] != SHOW_FLAG and acts[i] <= wanted:
            best = acts[i]
    return best


def gain_by_flag(state, rules, seat, other):
    """Return the resources that powers bring to whoever shows the flag: in alliance, or by its refusal."""
    gain = power(state, rules, seat, GAIN_ON_ALLIANCE) + power(state, rules, other, ALLY_GAINS)
    return gain + power(state, rules, seat, FLAG_REFUSED_LOSS) + power(state, rules, seat, VP_PER_ALLY)


# Set-up


def better_side(state, rules, bot):
    """Keep the territory's side dealt, or turn it for one that is worth more."""
    side = state.players[state.seat].side
    other = rules.sides[side].other
    if side_worth(rules, bot, other) > side_worth(rules, bot, side):
        return TAKE_SIDE + 1
    return TAKE_SIDE


def side_worth(rules, bot, side):
    """Judge a side by its capital, its ruins and what its regions yield."""
    worth, land = 0.0, 0
    for place in range(rules.sides[side].regions):
        if rules.sides[side].terrain[place] != WATER:
            land |= 1 << place
    for place in range(rules.sides[side].regions):
        terrain = rules.sides[side].terrain[place]
        if terrain == CAPITAL:
            worth += bot.points * rules.capital_vp
        elif terrain == RUINS:
            worth += bot.search
        elif terrain == MOUNTAIN:
            worth += 0.2 * bot.castle
        elif terrain == FOREST:
            worth += 0.2 * bot.magic
        elif terrain == PLAINS:
            worth += 0.2 * bot.meeples
        if terrain != WATER:
            worth += 0.02 * size(rules.sides[side].near[place] & land)
    return worth


# Restricted play


def barred(state, rules, bot, act):
    """Say whether the bot's bars forbid the act; the nation's levels are barred at set-up."""
    bars = bot.bars
    if MOVE <= act < STAND_UP:
        if bars >> NO_ATTACKS & 1 and attacks(state, act):
            return True
        if bars >> NO_NEUTRALS & 1 and act < SWAP and state.neutral & bit((act - MOVE) % PLACES):
            return True
        return bars >> (NO_PATROL if act < JOURNEY else NO_QUEST) & 1 != 0
    if act == SHOW_FLAG:
        return bars >> NO_FLAGS & 1 != 0
    if RAISE_CASTLE <= act < LEARN or act == CHOOSE + BUILD:
        return bars >> NO_CASTLE & 1 != 0
    if act == LEARN or act == CHOOSE + RESEARCH:
        return bars >> NO_MAGIC & 1 != 0
    if GROW <= act < EXCHANGE or act == CHOOSE + EXPAND:
        return bars >> NO_EXPANSION & 1 != 0
    if EXCHANGE <= act < RETREAT or act == CHOOSE + TRADE:
        return bars >> NO_TRADE & 1 != 0
    if act == CHOOSE + PATROL:
        return bars >> NO_PATROL & 1 != 0
    return act == CHOOSE + QUEST and bars >> NO_QUEST & 1 != 0


def attacks(state, act):
    """Say whether a move begins a war."""
    seat = state.seat
    pair = (act - MOVE) % (PLACES * PLACES)
    origin, goal = pair // PLACES, pair % PLACES
    if act < SWAP:
        return holder(state, seat, goal) >= 0
    rival = holder(state, seat, goal)
    swapped_into = state.players[rival].twice & bit(goal)
    return swapped_into != 0 or state.players[seat].twice & bit(origin) != 0
