"""Tiny Epic Kingdoms: rules in the order of the rulebook (Czech edition 2015, pages 3 to 10).

War and alliance have a file of their own, `war.py`, and so has the end, `scoring.py`.
"""

from balance.dice import at, below
from balance.games.tiny_epic_kingdoms.acts import (
    CHOOSE,
    COLLECT,
    COVER,
    EXCHANGE,
    EXCHANGE_BOTH,
    GAIN,
    GOODS,
    GROW,
    JOURNEY,
    LEARN,
    LOSE,
    MOVE,
    PASS,
    RAISE_CASTLE,
    SETTLE,
    SPREAD,
    STAND_UP,
    SWAP,
    TAKE_SIDE,
)
from balance.games.tiny_epic_kingdoms.board import (
    arrive,
    bit,
    can_move,
    depart,
    full,
    gain,
    ground,
    holder,
    join,
    open_to_move,
    others,
    regions_of,
    size,
    stand_up,
    territory_of,
)
from balance.games.tiny_epic_kingdoms.exploration import (
    DEAL_TOKENS,
    ask_of_bandits,
    ask_to_place,
    collect_from_camps,
    cover_all,
    deal_tokens,
    explore,
    legal_covers,
    legal_lairs,
    legal_tolls,
    meet_bandits,
    shuffle_tokens,
    use_lair,
)
from balance.games.tiny_epic_kingdoms.lost_kingdom import (
    attack_neutral,
    beatable,
    defeat_neutral,
    draw_lost_kingdom,
    settle_neutrals,
)
from balance.games.tiny_epic_kingdoms.powers import (
    BUILD_DISCOUNT,
    CHOICES,
    COLLECT_IN,
    COLLECT_NEAR_WATER,
    COPY_LEVEL,
    EXPAND_ADJACENT,
    EXPAND_DISCOUNT,
    FINDS,
    GAIN_ON_ENTERING,
    INSTEAD,
    MANA_PAYS,
    PATROL_TWO,
    QUEST_FROM_WATER,
    QUEST_SWAP,
    RESEARCH_DISCOUNT,
    RIVAL_BUILD_TAX,
    RUINS_DO_NOT_BIND,
    TRADE_BONUS,
    TRADE_BOTH_INTO_MANA,
    WAYS,
    YIELDS,
    can_be_copied,
    copy_nation,
    power,
)
from balance.games.tiny_epic_kingdoms.scoring import stock, triggers
from balance.games.tiny_epic_kingdoms.spoils import (
    legal_risings,
    legal_takings,
    raise_meeple,
    take_from_loser,
)
from balance.games.tiny_epic_kingdoms.state import (
    ACTIONS,
    AGAINST_NEUTRAL,
    BID_WAR,
    BUILD,
    CASTLE_LEVELS,
    CHOOSE_ACTION,
    CHOOSE_HOME,
    CHOOSE_SIDE,
    EXPAND,
    FOOD,
    FOREST,
    GAIN_RESOURCE,
    LEAVE_REGION,
    LOSE_RESOURCE,
    MAGIC_LEVELS,
    MANA,
    MANA_BUILDS,
    MANA_EXPANDS,
    MEEPLES,
    MEET_BANDITS,
    MOUNTAIN,
    NATIONS,
    NO_WAR,
    ORE,
    OWNERS,
    PATROL,
    PATROL_AGAIN,
    PAY_WAR,
    PERFORM,
    PLACE_TOKEN,
    PLACES,
    PLAINS,
    QUEST,
    RAISE_NUMBER,
    RAISE_OR_NOT,
    REGIONS,
    RESEARCH,
    RESOURCES,
    SPREAD_GOODS,
    TAKE_FROM_LOSER,
    TERRAINS,
    USE_LAIR,
    WATER,
)
from balance.games.tiny_epic_kingdoms.war import (
    ask_of_war,
    begin_war,
    hide_number,
    leave_region,
    legal_bids,
    legal_leavings,
    legal_payments,
    legal_raises,
    pay_war,
    raise_number,
    show_number,
)
from balance.games.tiny_epic_kingdoms.ways import beside, done_moving, may_patrol_again, reach

DEAL = 0  # the stream of chance that the set-up and copied nations are drawn from
COPYING = 64  # its events from here on: the nation that a seat copies at a level
FIRST_POWER_BAR = 8  # bars from this bit on take away the nation's levels 1 to 5
BY_DEAL, BY_CHOICE = range(2)  # how a territory's side, or a home region, is found
BEGINNERS_SPLIT = 0  # how starting goods are spread, if not by choice
GAIN_FOR_REGION, GAIN_FOR_MEEPLE = range(2)  # what a search brings where two meeples search


# Set-up (p. 3)


def setup(state, rules, lineup, rng):
    """Each player has a nation and a territory; then come sides, goods and homes, seat by seat.

    The seat numbers are the order of play: who begins is drawn by giving out the seats.
    """
    for seat in range(state.seats):
        player = state.players[seat]
        player.nation = lineup[seat].nation
        player.side = lineup[seat].territory
        player.muted = (lineup[seat].bars >> FIRST_POWER_BAR) & 31
    draw_lost_kingdom(state, rules, rng.chance[DEAL])
    state.war.next_region = -1
    state.seat, state.phase = 0, CHOOSE_SIDE
    if rules.side_choice == BY_DEAL:
        lay_territories(state, rules)
        spread_goods_or_ask(state, rules, rng)


def lay_territories(state, rules):
    """Lay the territory cards, the chosen sides up."""
    for seat in range(state.seats):
        lay_territory(state, rules.sides[state.players[seat].side], seat)
    if state.lost_side >= 0:
        lay_territory(state, rules.sides[state.lost_side], state.seats)
        settle_neutrals(state)


def lay_territory(state, side, territory):
    """Lay one territory card with this side up."""
    first = territory * REGIONS
    for place in range(side.regions):
        region = first + place
        state.terrain[region] = side.terrain[place]
        state.of_terrain[side.terrain[place]] |= bit(region)
        state.near[region] = side.near[place] << first
        if side.edge[place]:
            state.edge |= bit(region)
        if side.wet[place]:
            state.wet |= bit(region)
        if side.terrain[place] != WATER:
            state.land |= bit(region)


def spread_goods_or_ask(state, rules, rng):
    """Each player has six resources to spread freely; beginners take a fixed split."""
    state.seat, state.phase = 0, SPREAD_GOODS
    if rules.goods_choice == BEGINNERS_SPLIT:
        for seat in range(state.seats):
            for resource in range(RESOURCES):
                state.players[seat].goods[resource] = min(rules.cap, rules.beginner_goods[resource])
            add_goods_of_seat(state, rules, seat)
        settle_or_ask(state, rules, rng)


def add_goods_of_seat(state, rules, seat):
    """By a house rule the turn position brings goods of its own, to make up for going late."""
    gain(state, rules, seat, MANA, rules.start_mana_by_seat[seat])
    gain(state, rules, seat, ORE, rules.start_ore_by_seat[seat])
    gain(state, rules, seat, FOOD, rules.start_food_by_seat[seat])


def settle_or_ask(state, rules, rng):
    """Two meeples start in one region of the home territory."""
    state.seat, state.phase = 0, CHOOSE_HOME
    if rules.home_choice == BY_DEAL:
        for seat in range(state.seats):
            at(rng.chance[DEAL], seat)
            homes = state.land & regions_of(seat)
            drawn = below(rng.chance[DEAL], size(homes))
            for place in range(REGIONS):
                region = seat * REGIONS + place
                if homes & bit(region):
                    if drawn == 0:
                        settle(state, rules, seat, region)
                    drawn -= 1
        lay_tokens_or_ask(state, rules, rng)


def settle(state, rules, seat, region):
    """Put the starting meeples into `region`."""
    player = state.players[seat]
    for _ in range(rules.start_meeples):
        arrive(state, seat, region)
        player.meeples += 1
    if not rules.settlers_search:
        player.down = 0
        player.twice_down = 0


def legal_sides(acts):
    """Keep the side dealt, or turn the card."""
    acts[0] = TAKE_SIDE
    acts[1] = TAKE_SIDE + 1
    return 2


def spreadable(rules, seat):
    """Return how many starting goods the seat has, as far as there is room for them under the cap."""
    goods = max(0, rules.start_goods + rules.start_goods_by_seat[seat])
    return min(goods, RESOURCES * rules.cap)


def legal_spreads(state, rules, acts):
    """Spread the starting goods over the three resources, as far as the cap allows."""
    total, count = spreadable(rules, state.seat), 0
    for mana in range(min(total, rules.cap) + 1):
        for ore in range(min(total - mana, rules.cap) + 1):
            if total - mana - ore <= rules.cap:
                acts[count] = SPREAD + mana * GOODS + ore
                count += 1
    return count


def legal_homes(state, acts):
    """Settle any region of the home territory that a meeple may enter."""
    count = 0
    for place in range(REGIONS):
        if state.land & bit(state.seat * REGIONS + place):
            acts[count] = SETTLE + place
            count += 1
    return count


def set_up(state, rules, act, rng):
    """Play one choice of the set-up and go on to the next."""
    player = state.players[state.seat]
    last = state.seat == state.seats - 1
    if state.phase == CHOOSE_SIDE:
        if act == TAKE_SIDE + 1:
            player.side = rules.sides[player.side].other
        state.seat += 1
        if last:
            lay_territories(state, rules)
            spread_goods_or_ask(state, rules, rng)
    elif state.phase == SPREAD_GOODS:
        spread = act - SPREAD
        player.goods[MANA] = spread // GOODS
        player.goods[ORE] = spread % GOODS
        player.goods[FOOD] = spreadable(rules, state.seat) - spread // GOODS - spread % GOODS
        add_goods_of_seat(state, rules, state.seat)
        state.seat += 1
        if last:
            settle_or_ask(state, rules, rng)
    else:
        settle(state, rules, state.seat, state.seat * REGIONS + act - SETTLE)
        state.seat += 1
        if last:
            lay_tokens_or_ask(state, rules, rng)


# Exploration tokens, where they are played with (p. 10-12)


def lay_tokens_or_ask(state, rules, rng):
    """Lay a token face down into each free region; five players place three each at home."""
    if rules.exploration:
        shuffle_tokens(state, rules)
        if rules.home_tokens == 0:
            cover_all(state, rules, rng.chance[DEAL])
        place_tokens(state, rules, rng)
    else:
        begin_turn(state, rules)


def place_tokens(state, rules, rng):
    """Go on placing until all tokens lie; only then are they dealt, face down, and play begins."""
    if rules.home_tokens > 0 and ask_to_place(state, rules):
        return
    at(rng.chance[DEAL], DEAL_TOKENS + 1)
    deal_tokens(state, rules, rng.chance[DEAL])
    begin_turn(state, rules)


# A turn (p. 4)


def begin_turn(state, rules):
    """1. Take the shields off the action card once all of them lie there."""
    if size(state.shields) == rules.shields:
        state.shields = 0
        if rules.clearing_turn:  # with five players that is all this turn is (p. 12)
            pass_token(state)
    state.seat, state.phase = state.active, CHOOSE_ACTION


def pass_token(state):
    """5. The active player's token goes to the left."""
    state.active = (state.active + 1) % state.seats
    state.turn += 1


def legal_choices(state, acts):
    """2. Choose an action without a shield."""
    count = 0
    for action in range(ACTIONS):
        if not state.shields >> action & 1:
            acts[count] = CHOOSE + action
            count += 1
    return count


def choose_action(state, act):
    """Put a shield on the action; the active player is the first to perform it."""
    state.chosen = act - CHOOSE
    state.shields |= 1 << state.chosen
    state.performer = state.active
    state.seat, state.phase = state.active, PERFORM


def legal_performances(state, rules, acts):
    """3. Perform the action; or collect, but for the active player, who may only do nothing (p. 4)."""
    acts[0] = PASS if state.seat == state.active else COLLECT
    count = 1
    by_power = power(state, rules, state.seat, CHOICES) > 0
    for action in range(ACTIONS):
        allowed = action == state.chosen
        if by_power and not allowed:
            slot = INSTEAD + state.chosen * ACTIONS + action
            allowed = power(state, rules, state.seat, slot) > 0
        if allowed:
            count = legal_performance(state, rules, action, acts, count)
    return count


def legal_performance(state, rules, action, acts, count):
    """Add the ways to perform one action to the first `count` of `acts`; return how many there are then."""
    if action == PATROL:
        return legal_patrols(state, rules, acts, count)
    if action == QUEST:
        return legal_quests(state, rules, acts, count)
    if action == BUILD:
        return legal_builds(state, rules, acts, count)
    if action == RESEARCH:
        return legal_research(state, rules, acts, count)
    if action == EXPAND:
        return legal_expansions(state, rules, acts, count)
    return legal_trades(state, rules, acts, count)


def perform(state, rules, act, rng):
    """Do as the act says."""
    if act == PASS:
        return
    if act == COLLECT:
        collect(state, rules)
    elif act < STAND_UP:
        move(state, rules, act)
    elif act < RAISE_CASTLE:
        stand_up(state.players[state.seat], act - STAND_UP)
    elif act < LEARN:
        build(state, rules, act - RAISE_CASTLE)
    elif act < GROW:
        research(state, rules, rng)
    elif act < EXCHANGE:
        expand(state, rules, (act - GROW) // GOODS, (act - GROW) % GOODS)
    else:
        trade(state, rules, act)


# Patrol and Quest (p. 5)


def legal_patrols(state, rules, acts, count):
    """Move one meeple to an adjacent region of its territory; or stand one up that searches ruins (p. 9)."""
    player = state.players[state.seat]
    goals = open_to_move(state, rules, state.seat)
    by_power = power(state, rules, state.seat, WAYS) > 0
    movable, down = can_move(player), player.down
    if by_power and power(state, rules, state.seat, RUINS_DO_NOT_BIND) > 0:
        movable = player.here
    if state.marching:
        movable &= ~done_moving(state, player, 0)
        down &= ~done_moving(state, player, 1)
    for region in range(PLACES):
        if not player.here & bit(region):
            continue
        if movable & bit(region):
            near = state.near[region]
            if by_power:
                near = reach(state, rules, state.seat, region)
            near = beatable(state, rules, state.seat, region, near & goals)
            count = add_pairs(MOVE, region, near, acts, count)
        if down & bit(region):
            acts[count] = STAND_UP + region
            count += 1
    return count


def legal_second_patrols(state, rules, acts):
    """Leave it at one meeple, or patrol with another by power."""
    acts[0] = PASS
    if power(state, rules, state.seat, PATROL_TWO) == 0:
        return 1
    return legal_patrols(state, rules, acts, 1)


def legal_quests(state, rules, acts, count):
    """Move one meeple from an edge region to an edge region of another territory; or swap by a power."""
    player = state.players[state.seat]
    edge = state.edge
    movable = can_move(player)
    swaps = False
    if power(state, rules, state.seat, WAYS) > 0:
        swaps = power(state, rules, state.seat, QUEST_SWAP) > 0
        if power(state, rules, state.seat, QUEST_FROM_WATER) > 0:
            edge |= state.wet
    goals = open_to_move(state, rules, state.seat) & edge
    for region in range(PLACES):
        if movable & bit(region):
            if edge & bit(region):
                far = goals & ~regions_of(territory_of(region))
                far = beatable(state, rules, state.seat, region, far)
                count = add_pairs(JOURNEY, region, far, acts, count)
            if swaps and state.land & bit(region):
                count = legal_swaps(state, rules, region, acts, count)
    return count


def add_pairs(code, region, goals, acts, count):
    """Add an act from `region` to each of `goals`."""
    for goal in range(PLACES):
        if goals & bit(goal):
            acts[count] = code + region * PLACES + goal
            count += 1
    return count


def legal_swaps(state, rules, region, acts, count):
    """Swap with a standing meeple of a player who has no ally in its region; no last meeple into a war."""
    seat = state.seat
    player = state.players[seat]
    if holder(state, seat, region) >= 0:
        return count
    leaves_one = player.twice & bit(region) != 0
    for other in range(state.seats):
        if other == seat:
            continue
        rival = state.players[other]
        if leaves_one and rival.meeples == 1:
            continue
        goals = can_move(rival) & ground(state, rules, seat)
        if player.meeples == 1:
            goals &= ~rival.twice
        for goal in range(PLACES):
            if goals & bit(goal) and holder(state, other, goal) < 0:
                acts[count] = SWAP + region * PLACES + goal
                count += 1
    return count


def move(state, rules, act):
    """Carry out a Patrol, a Quest or a swap; where another player stands, war begins (p. 6)."""
    seat = state.seat
    if act < JOURNEY:
        pair = act - MOVE
    elif act < SWAP:
        pair = act - JOURNEY
    else:
        pair = act - SWAP
    origin, goal = pair // PLACES, pair % PLACES
    if act >= SWAP:
        rival = holder(state, seat, goal)
        depart(state, rival, goal)
        depart(state, seat, origin)
        arrive(state, rival, origin)
    else:
        depart(state, seat, origin)
    arrive(state, seat, goal)
    gain_on_entering(state, rules, seat, goal)
    if state.neutral & bit(goal):
        attack_neutral(state, rules, seat, goal, origin)
    elif state.covered & bit(goal):
        explore(state, rules, seat, goal)
    elif holder(state, seat, goal) >= 0:
        begin_war(state, seat, goal, origin)
        if act >= SWAP and state.players[seat].here & bit(origin):
            state.war.next_region = origin
    elif act >= SWAP and state.players[seat].here & bit(origin):
        begin_war(state, seat, origin, origin)


def gain_on_entering(state, rules, seat, region):
    """A nation's power may give resources for entering a kind of region."""
    if power(state, rules, seat, FINDS) == 0:
        return
    for resource in range(RESOURCES):
        slot = GAIN_ON_ENTERING + state.terrain[region] * RESOURCES + resource
        gain(state, rules, seat, resource, power(state, rules, seat, slot))


# Build (p. 7)


def build_price(state, rules, seat):
    """Return the ore for the next part of the castle, a discount and rivals' taxes reckoned in."""
    castle = state.players[seat].castle
    price = rules.castle_cost[castle] - power(state, rules, seat, BUILD_DISCOUNT)
    for other in range(state.seats):
        if other != seat and state.players[other].castle == castle + 1:
            price += power(state, rules, other, RIVAL_BUILD_TAX)
    return max(0, price)


def legal_builds(state, rules, acts, count):
    """Build one part of the castle."""
    player = state.players[state.seat]
    if player.castle < CASTLE_LEVELS:
        price = build_price(state, rules, state.seat)
        with_mana = power(state, rules, state.seat, MANA_PAYS + MANA_BUILDS) > 0
        count = add_prices(state, RAISE_CASTLE, price, player.goods[ORE], with_mana, acts, count)
    return count


def add_prices(state, code, price, stock, with_mana, acts, count):
    """Add an act for each number of mana that may be paid in place of the resource asked for."""
    mana = 0
    if with_mana:
        mana = min(state.players[state.seat].goods[MANA], min(price, GOODS - 1))
    for instead in range(mana + 1):
        if price - instead <= stock:
            acts[count] = code + instead
            count += 1
    return count


def build(state, rules, mana):
    """Pay and move the castle token up."""
    player = state.players[state.seat]
    player.goods[ORE] -= build_price(state, rules, state.seat) - mana
    player.goods[MANA] -= mana
    player.castle += 1
    if player.castle == CASTLE_LEVELS:
        player.castle_done = state.turn + 1


# Research (p. 8)


def research_price(state, rules, seat):
    """Return the mana for the next level of magic."""
    price = rules.magic_cost[state.players[seat].magic] - power(state, rules, seat, RESEARCH_DISCOUNT)
    return max(0, price)


def legal_research(state, rules, acts, count):
    """Learn the next level of magic."""
    player = state.players[state.seat]
    if player.magic < MAGIC_LEVELS and research_price(state, rules, state.seat) <= player.goods[MANA]:
        acts[count] = LEARN
        count += 1
    return count


def research(state, rules, rng):
    """Pay and move up; what the level gives holds from now on, with all below it."""
    player = state.players[state.seat]
    copy_level(state, rules, state.seat, player.magic, rng)
    player.goods[MANA] -= research_price(state, rules, state.seat)
    player.magic += 1
    if player.magic == MAGIC_LEVELS:
        player.magic_done = state.turn + 1


def copy_level(state, rules, seat, level, rng):
    """Draw the nation whose level this one becomes, if the nation's own level says so."""
    player = state.players[seat]
    for whose in range(OWNERS):
        if rules.nations[player.nation].level[level, COPY_LEVEL + whose] == 0:
            continue
        there = 0
        for nation in range(NATIONS):
            there += can_be_copied(state, rules, seat, nation, level, whose)
        if there == 0:
            continue
        at(rng.chance[DEAL], COPYING + seat * MAGIC_LEVELS + level)
        drawn = below(rng.chance[DEAL], there)
        for nation in range(NATIONS):
            if can_be_copied(state, rules, seat, nation, level, whose):
                if drawn == 0:
                    copy_nation(player, level, nation)
                drawn -= 1


# Expand (p. 8)


def expand_price(state, rules, seat):
    """Return the food for one more meeple: as many as there are in play with it."""
    price = rules.expand_cost[state.players[seat].meeples] - power(state, rules, seat, EXPAND_DISCOUNT)
    return max(0, price)


def legal_expansions(state, rules, acts, count):
    """Add a meeple where one of the player's own stands, and no other."""
    player = state.players[state.seat]
    if player.meeples >= MEEPLES:
        return count
    price = expand_price(state, rules, state.seat)
    room = room_to_expand(state, rules, state.seat)
    with_mana = power(state, rules, state.seat, MANA_PAYS + MANA_EXPANDS) > 0
    for region in range(PLACES):
        if room & bit(region):
            code = GROW + region * GOODS
            count = add_prices(state, code, price, player.goods[FOOD], with_mana, acts, count)
    return count


def room_to_expand(state, rules, seat):
    """Return the regions with one meeple, the player's own; by a power, empty ones next to its own too."""
    here = state.players[seat].here
    room = here & ~full(state)
    if power(state, rules, seat, EXPAND_ADJACENT) > 0:
        room |= beside(state, rules, here, False) & ground(state, rules, seat) & ~here & ~others(state, seat)
    return room


def expand(state, rules, region, mana):
    """Pay and put the meeple there."""
    player = state.players[state.seat]
    player.goods[FOOD] -= expand_price(state, rules, state.seat) - mana
    player.goods[MANA] -= mana
    join(state, rules, state.seat, region)
    if state.covered & bit(region):
        explore(state, rules, state.seat, region)


# Trade (p. 8)


def legal_trades(state, rules, acts, count):
    """Turn any number of one resource into as many of another, in one exchange, up to the cap."""
    goods = state.players[state.seat].goods
    for given in range(RESOURCES):
        for got in range(RESOURCES):
            if given == got:
                continue
            most = min(goods[given], rules.cap - goods[got])
            for number in range(1, min(most, GOODS - 1) + 1):
                acts[count] = EXCHANGE + (given * RESOURCES + got) * GOODS + number
                count += 1
    if power(state, rules, state.seat, TRADE_BOTH_INTO_MANA) > 0:
        room = rules.cap - goods[MANA]
        for ore in range(1, min(goods[ORE], room - 1) + 1):
            for food in range(1, min(goods[FOOD], room - ore) + 1):
                acts[count] = EXCHANGE_BOTH + ore * GOODS + food
                count += 1
    return count


def trade(state, rules, act):
    """Exchange; a nation's power may bring more."""
    goods = state.players[state.seat].goods
    bonus = power(state, rules, state.seat, TRADE_BONUS)
    if act >= EXCHANGE_BOTH:
        ore, food = (act - EXCHANGE_BOTH) // GOODS, (act - EXCHANGE_BOTH) % GOODS
        goods[ORE] -= ore
        goods[FOOD] -= food
        gain(state, rules, state.seat, MANA, ore + food + bonus)
    else:
        pair, number = (act - EXCHANGE) // GOODS, (act - EXCHANGE) % GOODS
        goods[pair // RESOURCES] -= number
        gain(state, rules, state.seat, pair % RESOURCES, number + bonus)


# Collecting (p. 8-9)


def collect(state, rules):
    """One resource from each region with a meeple, however many stand there; more by ruins and powers."""
    seat = state.seat
    player = state.players[seat]
    player.collections += 1
    yields = player.here
    gain(state, rules, seat, MANA, size(yields & state.of_terrain[FOREST]))
    gain(state, rules, seat, ORE, size(yields & state.of_terrain[MOUNTAIN]))
    gain(state, rules, seat, FOOD, size(yields & state.of_terrain[PLAINS]))
    if rules.exploration:
        collect_from_camps(state, rules, seat)
    searches = size(player.down)
    if rules.search_gain == GAIN_FOR_MEEPLE:
        searches += size(player.twice_down)
    player.searches += searches
    player.owed += searches
    if player.meeples == 1:
        player.owed += rules.lone_bonus
    collect_by_powers(state, rules, seat)


def collect_by_powers(state, rules, seat):
    """What a nation's powers add when it collects."""
    if power(state, rules, seat, YIELDS) == 0:
        return
    here = state.players[seat].here
    for resource in range(RESOURCES):
        if here & state.wet:
            gain(state, rules, seat, resource, power(state, rules, seat, COLLECT_NEAR_WATER + resource))
        for terrain in range(TERRAINS):
            slot = COLLECT_IN + terrain * RESOURCES + resource
            if here & state.of_terrain[terrain]:
                gain(state, rules, seat, resource, power(state, rules, seat, slot))


def legal_gains(state, rules, acts):
    """Choose a resource of which there is room for one more."""
    count = 0
    for resource in range(RESOURCES):
        if state.players[state.seat].goods[resource] < rules.cap:
            acts[count] = GAIN + resource
            count += 1
    return count


def legal_losses(state, acts):
    """Choose a resource to lose one of."""
    count = 0
    for resource in range(RESOURCES):
        if state.players[state.seat].goods[resource] > 0:
            acts[count] = LOSE + resource
            count += 1
    return count


def ask_for_resources(state, rules):
    """Ask whoever still has resources of choice to lose, then to gain; what can't be is forgone."""
    for step in range(state.seats):
        seat = (state.active + step) % state.seats
        player = state.players[seat]
        if player.due > 0 and stock(player) > 0:
            state.seat, state.phase = seat, LOSE_RESOURCE
            return True
        player.due = 0
    for step in range(state.seats):
        seat = (state.active + step) % state.seats
        player = state.players[seat]
        if player.owed > 0 and stock(player) < RESOURCES * rules.cap:
            state.seat, state.phase = seat, GAIN_RESOURCE
            return True
        player.owed = 0
    return False


def take_resource(state, act):
    """Gain or lose the resource chosen."""
    player = state.players[state.seat]
    if state.phase == GAIN_RESOURCE:
        player.goods[act - GAIN] += 1
        player.owed -= 1
    else:
        player.goods[act - LOSE] -= 1
        player.due -= 1


# How play goes on


def legal(state, rules, acts):
    """Write what `state.seat` may do into `acts`; return how many there are."""
    phase = state.phase
    if phase == PERFORM:
        return legal_performances(state, rules, acts)
    if phase == CHOOSE_ACTION:
        return legal_choices(state, acts)
    if phase == GAIN_RESOURCE:
        return legal_gains(state, rules, acts)
    if phase == BID_WAR:
        return legal_bids(state, rules, acts)
    if phase == PAY_WAR:
        return legal_payments(state, rules, acts)
    if phase == LEAVE_REGION:
        return legal_leavings(state, rules, acts)
    if phase == RAISE_NUMBER:
        return legal_raises(state, rules, acts)
    if phase == PATROL_AGAIN:
        return legal_second_patrols(state, rules, acts)
    if phase == TAKE_FROM_LOSER:
        return legal_takings(state, acts)
    if phase == RAISE_OR_NOT:
        return legal_risings(state, rules, acts)
    if phase == LOSE_RESOURCE:
        return legal_losses(state, acts)
    if phase == MEET_BANDITS:
        return legal_tolls(state, acts)
    if phase == USE_LAIR:
        return legal_lairs(acts)
    if phase == PLACE_TOKEN:
        return legal_covers(state, acts)
    if phase == CHOOSE_SIDE:
        return legal_sides(acts)
    if phase == SPREAD_GOODS:
        return legal_spreads(state, rules, acts)
    return legal_homes(state, acts)


def apply(state, rules, act, rng):
    """Play `act` for `state.seat`, as far as the next decision or the end of the game."""
    phase = state.phase
    if phase == CHOOSE_ACTION:
        choose_action(state, act)
        return
    if phase == CHOOSE_SIDE or phase == SPREAD_GOODS or phase == CHOOSE_HOME:
        set_up(state, rules, act, rng)
        return
    if phase == PLACE_TOKEN:
        state.covered |= bit(state.seat * REGIONS + act - COVER)
        place_tokens(state, rules, rng)
        return
    if phase == PERFORM or phase == PATROL_AGAIN:
        perform(state, rules, act, rng)
        state.marching = may_patrol_again(state, rules, act)
        if not state.marching:
            state.performer = (state.performer + 1) % state.seats
    elif phase == BID_WAR:
        show_number(state, rules, act)
    elif phase == RAISE_NUMBER:
        raise_number(state, rules, act)
    elif phase == PAY_WAR and state.war.stage == AGAINST_NEUTRAL:
        defeat_neutral(state, rules, act)
    elif phase == PAY_WAR:
        pay_war(state, rules, act)
    elif phase == LEAVE_REGION:
        leave_region(state, rules, act)
    elif phase == TAKE_FROM_LOSER:
        take_from_loser(state, rules, act)
    elif phase == RAISE_OR_NOT:
        raise_meeple(state, rules, act)
    elif phase == MEET_BANDITS:
        meet_bandits(state, act)
    elif phase == USE_LAIR:
        use_lair(state, rules, act)
    else:
        take_resource(state, act)
    go_on(state, rules)


def go_on(state, rules):
    """Settle gains and losses, bandits, the war, then ask the next player to perform; or end the turn."""
    while True:
        if ask_for_resources(state, rules) or ask_of_bandits(state):
            return
        if state.war.stage == NO_WAR:
            break
        if ask_of_war(state, rules):
            return
    if state.marching:
        state.seat, state.phase = state.performer, PATROL_AGAIN
        return
    if state.performer != state.active:
        state.seat, state.phase = state.performer, PERFORM
        return
    end_turn(state, rules)


def end_turn(state, rules):
    """4. See whether the final round begins, or the game ends; 5. pass the token (p. 10)."""
    if state.final == 0:
        state.final = triggers(state, rules)
        if state.final != 0:
            state.final_turn = state.turn + 1
    ended = state.final != 0 and size(state.shields) == rules.shields
    pass_token(state)
    if ended:
        state.over = 1
    else:
        begin_turn(state, rules)


def redeal(state, rules, seat, rng):
    """Hide what `seat` cannot see: tokens lying face down, and the attacker's die until both are set."""
    hide_number(state, rules, seat, rng)
    if state.covered and not state.veiled:
        deal_tokens(state, rules, rng)
