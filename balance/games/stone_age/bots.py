"""How the bots play Stone Age: what they value, where they send figures, what they buy.

The greedy bot reckons in points what each good, step and card may yet bring, from the rules record,
so that it answers a house rule. Figures go where that exceeds what a figure brings elsewhere;
purchases are tried on a copy, with the best purchase that may follow.
"""

from balance.bots.greedy import imagine
from balance.bots.uniform import uniform
from balance.engine import options
from balance.games import Weight
from balance.games.stone_age.acts import (
    DONE,
    EXTRA,
    EXTRA_BY_TRADE,
    FEED_OTHERWISE,
    GAIN,
    JEWELS,
    NO_EXTRA,
    NUMBERS,
    OPEN_CHOICE,
    PAY_OTHERWISE,
    PICK,
    RESOLVE_AT,
    STARVE,
    SWAP,
    TAKE,
    TILE_TOOLS,
    TOOLS,
    TRADE_AND_TAKE,
)
from balance.games.stone_age.content import BAR_NAMES
from balance.games.stone_age.payment import bill_of, resources_of
from balance.games.stone_age.rules import card_places, hunger, tool
from balance.games.stone_age.scoring import score
from balance.games.stone_age.state import (
    BUILDER,
    BUILDING,
    BUY_EXTRA,
    CARD,
    CARD_PLACES,
    CHOOSE_RESOURCE,
    DRAW_CARD,
    FARMER,
    FEED,
    FIELD,
    FOOD,
    FOREST,
    GAIN_CHOICE,
    GAIN_FIGURE,
    GAIN_FOOD,
    GAIN_JEWELLERY,
    GAIN_ONE_USE,
    GAIN_POINTS,
    GAIN_RESOURCE,
    GAIN_TOOL,
    GOLD,
    HUNT,
    HUT,
    INCOME,
    JEWELLERY,
    KEEP_CHOICE,
    MARKET,
    NONE,
    ONE_USE,
    OWN,
    PICK_DIE,
    PLACE,
    PRIVATE_PLACE,
    RESOLVE,
    RESOURCES,
    ROLL_RESOURCE,
    SHAMAN,
    SPLIT_HUNT,
    STEP_FIELD,
    STEP_TRADE,
    STONE,
    STYLE_MARKET,
    SYMBOLS,
    TOOL_MAKER,
    TOOLMAKER,
    TRADER,
    TRADERS,
    USE_TOOLS,
    WOOD,
)
from balance.protocol import apply

KINDS = ("random", "greedy")
RANDOM, GREEDY = range(2)

WEIGHTS = (
    Weight("pip", "a pip of resources gathered, while there is time to spend them", 0.726),
    Weight("food", "a food that will be needed in a later round", 1.2),
    Weight("fear", "how it weighs the points lost by hunger; 1 is what the rules take", 3.0),
    Weight("hut", "a figure more, against what it will gather", 1.0),
    Weight("tools", "a tool more, against the pips it will add", 1.226),
    Weight("fields", "a step of agriculture, against the food it will bring", 1.0),
    Weight("green", "a new symbol, against the points it brings at once", 1.3),
    Weight("people", "people on cards, against what they will be multiplied by", 1.0),
    Weight("growth", "how much its counters will grow, for people on cards", 1.642),
    Weight("buildings", "a building, against its points", 0.962),
    Weight("market", "a market's die for the buyer", 4.1),
    Weight("draw", "a card drawn for its lower half", 5.0),
    Weight("trade", "a step on the trade track, for each round left", 0.108),
    Weight("jewellery", "a tooth, while there is time to spend it", 0.9),
    Weight("plan", "how it counts on gathering what a purchase still lacks", 0.7),
    Weight("need", "a resource that a purchase lacks, as a share of what the purchase is worth", 0.665),
    Weight("figure", "a figure kept for another place", 2.5),
    Weight("glut", "so many resources of a kind are worth half as much each", 29.0),
)

(
    NO_HUT,
    NO_TOOL_MAKER,
    NO_FIELD,
    NO_TRADER,
    NO_TRADE,
    NO_EXTRA_CARD,
    NO_CARDS,
    NO_GREEN,
    NO_SAND,
    NO_BUILDINGS,
) = range(10)
assert BAR_NAMES[NO_BUILDINGS] == "buildings"

MEAN = 3.5  # pips of a die
MANY_ROUNDS = 14.0  # further ahead it does not look
CARDS_A_ROUND, TILES_A_ROUND = 1.6, 0.45  # taken before anything is known: in all, and of one stack
TRUST = 2.0  # rounds of play that these estimates are worth


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == RANDOM:
        return uniform(acts, count, rng)
    phase = state.phase
    if phase == PLACE:
        return best_put(state, rules, bot, acts, count, desk)
    if phase == RESOLVE:
        return best_resolution(state, rules, bot, acts, count, desk)
    if phase == USE_TOOLS:
        return best_tools(state, rules, bot, acts, count, desk)
    if phase == SPLIT_HUNT:
        return best_split(state, rules, bot, acts, count, desk)
    if phase == PICK_DIE:
        return best_pick(state, rules, bot, acts, count, desk)
    if phase == CHOOSE_RESOURCE:
        return best_gain(state, rules, bot, acts, count, desk)
    if phase == FEED:
        return best_feeding(state, rules, bot, acts, count)
    return best_purchase(state, rules, bot, acts, count, desk)


def best_of(acts, count, desk):
    """Return the act with the highest of `desk.values`; ties go to the first."""
    best = 0
    for i in range(1, count):
        if desk.values[i] > desk.values[best]:
            best = i
    return acts[best]


# What time is left


def rounds_left(state, rules):
    """Estimate how many rounds follow this one, by how fast cards and buildings have gone."""
    if state.over:
        return 0.0
    played = state.turn + TRUST
    shown = card_places(rules)
    gone = cards_gone(state, rules, shown)
    left = state.deck_left / max(0.3, (gone + TRUST * CARDS_A_ROUND) / played)
    for stack in range(state.seats):
        built = rules.stack_height - state.height[stack]
        rate = (built + TRUST * TILES_A_ROUND) / played
        left = min(left, (state.height[stack] - 0.5) / rate)
    return min(MANY_ROUNDS, max(0.0, left))


def cards_gone(state, rules, shown):
    """Count the cards that have left deck and display."""
    cards = 0
    for card in range(rules.cards_all):
        cards += rules.cards[card].in_play
    return cards - state.deck_left - shown


# What things are worth, in points


def stock_worth(rules, bot, left, resource, number):
    """Return what `number` of a resource are worth: what they can yet build, the less the more there are."""
    early = min(1.0, left / 1.5)
    pips = bot.pip * rules.pips[resource]
    use = pips * number / (1.0 + number / max(1.0, bot.glut))
    return (1.0 - early) * rules.resource_points * number + early * use


def resource_worth(state, rules, bot, player, left, resource, more):
    """Return what `more` of a resource add to what the player has."""
    there = player.goods[resource]
    before = stock_worth(rules, bot, left, resource, there)
    return stock_worth(rules, bot, left, resource, there + more) - before


def jewellery_worth(rules, bot, left, number):
    """Return what jewellery is worth: for the fifth card, for trade, for buildings; of many, each less."""
    early = min(1.0, left / 1.5)
    return early * bot.jewellery * number / (1.0 + number / 10.0) + rules.jewellery_points * number


def hunger_worth(rules, bot, lacking):
    """Return what the bot thinks it loses by hunger when so much food is lacking: less if resources will do."""
    if lacking <= 0:
        return 0.0
    lost = rules.hunger + rules.hunger_each * lacking
    if rules.food_by_resources:
        return min(bot.fear * lost, 3.0 * bot.pip * lacking)
    return bot.fear * lost


def food_price(rules, bot, player):
    """Return what a food needed is worth: not more than hunger would cost for each figure."""
    most = bot.fear * (rules.hunger + rules.hunger_each * player.figures)
    return min(bot.food, most / max(1, player.figures))


def food_worth(rules, bot, player, left, food, mouths, fields):
    """Return what `food` is worth at the end of a round's work: this feeding, and stock for later ones."""
    need = mouths * rules.figure_food - fields
    if food < need:
        return -hunger_worth(rules, bot, need - food)
    later = max(0.0, left * need)
    return food_price(rules, bot, player) * min(float(food - need), later)


def tool_step(rules, bot, player, left):
    """A tool more: a pip in each round left, and what toolmakers count."""
    if player.tools >= rules.tools_most:
        return 0.0
    return bot.tools * (left * bot.pip) + player.people[TOOLMAKER]


def field_step(rules, bot, player, left):
    """A step of agriculture: a food in this and each round left, if needed, and what farmers count."""
    if player.agriculture >= rules.agriculture_most:
        return 0.0
    needed = player.figures * rules.figure_food > player.agriculture
    food = food_price(rules, bot, player) if needed else 0.0
    return bot.fields * (left + 1.0) * food + player.people[FARMER]


def figure_step(rules, bot, player, left):
    """A figure more: what it gathers, less what it eats, in each round left; and what shamans count."""
    if player.figures >= rules.figures_most:
        return 0.0
    gathers = bot.pip * MEAN - rules.figure_food * food_price(rules, bot, player)
    return bot.hut * left * max(0.3, gathers) + player.people[SHAMAN]


def trade_step(rules, bot, player, left, steps):
    """An advance on the trade track: easier trade, jewellery, and what traders count."""
    moved = min(steps, rules.trade_most - player.trade)
    if moved <= 0:
        return 0.0
    jewels = player.goods[JEWELLERY]
    gained = jewellery_worth(rules, bot, left, jewels + rules.advance_jewellery)
    gained -= jewellery_worth(rules, bot, left, jewels)
    return moved * (bot.trade * left + player.people[TRADERS]) + gained


def expected(bot, player, left, person, rules):
    """Return what people of a kind will be multiplied by at the end, as the bot expects."""
    growth = bot.growth * left
    if person == FARMER:
        return min(float(rules.agriculture_most), player.agriculture + 0.15 * growth * bot.fields)
    if person == TOOLMAKER:
        return min(float(rules.tools_most), player.tools + 0.2 * growth * bot.tools)
    if person == BUILDER:
        return player.buildings + 0.3 * growth * bot.buildings
    if person == SHAMAN:
        return min(float(rules.figures_most), player.figures + 0.15 * growth * bot.hut)
    return min(float(rules.trade_most), player.trade + growth * bot.trade)


def symbol_worth(bot, player, symbol):
    """Return what a symbol adds: a set of n grows by 2 n + 1."""
    copies = player.symbols[symbol] + 1
    held = 0
    for other in range(SYMBOLS):
        if player.symbols[other] >= copies:
            held += 1
    gain = 2.0 * held + 1.0
    return bot.green * gain if copies == 1 else gain


def gift_worth(state, rules, bot, player, left, gives, amount, resource):
    """Return what a card's upper half, a building or a die gives."""
    if gives == GAIN_FOOD:
        mouths = player.figures
        before = food_worth(rules, bot, player, left, player.food, mouths, player.agriculture)
        return food_worth(rules, bot, player, left, player.food + amount, mouths, player.agriculture) - before
    if gives == GAIN_RESOURCE:
        return resource_worth(state, rules, bot, player, left, resource, amount)
    if gives == GAIN_CHOICE or gives == KEEP_CHOICE:
        return resource_worth(state, rules, bot, player, left, STONE, amount)
    if gives == GAIN_JEWELLERY:
        jewels = player.goods[JEWELLERY]
        before = jewellery_worth(rules, bot, left, jewels)
        return jewellery_worth(rules, bot, left, jewels + amount) - before
    if gives == GAIN_TOOL:
        return amount * tool_step(rules, bot, player, left)
    if gives == GAIN_ONE_USE:
        return bot.pip * amount
    if gives == GAIN_FIGURE:
        return amount * figure_step(rules, bot, player, left)
    if gives == GAIN_POINTS:
        return 1.0 * amount
    if gives == STEP_FIELD:
        return amount * field_step(rules, bot, player, left)
    if gives == STEP_TRADE:
        return trade_step(rules, bot, player, left, amount)
    if gives == DRAW_CARD:
        return bot.draw if state.deck_left > 0 else 0.0
    if gives == ROLL_RESOURCE:
        units = units_of(amount, rules.pips[resource], 0)
        return resource_worth(state, rules, bot, player, left, resource, units)
    if gives == MARKET or gives == STYLE_MARKET:
        return bot.market
    if gives == INCOME:
        return left * bot.pip * rules.pips[resource] * amount
    if gives == PRIVATE_PLACE:
        return 3.0 * bot.pip * MEAN * left * (rules.pips[resource] - amount) / rules.pips[resource]
    return 0.0


def units_of(dice, divisor, tools):
    """Return how many units so many dice bring on average, what is rounded off taken away."""
    return max(0.1 * dice, (MEAN * dice + tools - 0.5 * (divisor - 1)) / divisor)


def card_worth(state, rules, bot, player, left, card):
    """Return what a card brings, both halves."""
    entry = rules.cards[card]
    worth = gift_worth(state, rules, bot, player, left, entry.gives, entry.amount, entry.resource)
    if entry.symbol != NONE:
        return worth + symbol_worth(bot, player, entry.symbol)
    return worth + bot.people * entry.people * expected(bot, player, left, entry.person, rules)


def value(state, rules, bot, seat):
    """Judge the position: points now, and what stock, steps and cards may yet bring."""
    player = state.players[seat]
    left = rounds_left(state, rules)
    worth = 1.0 * score(state, rules, seat)
    for resource in range(RESOURCES):
        worth += stock_worth(rules, bot, left, resource, player.goods[resource])
        worth -= rules.resource_points * player.goods[resource]
    worth += jewellery_worth(rules, bot, left, player.goods[JEWELLERY])
    worth -= rules.jewellery_points * player.goods[JEWELLERY]
    mouths = player.figures
    if state.round_phase == 2 and player.food == 0:
        mouths = 0
    worth += food_worth(rules, bot, player, left, player.food, mouths, player.agriculture)
    worth += bot.tools * left * bot.pip * player.tools
    worth += bot.fields * left * food_price(rules, bot, player) * player.agriculture
    worth += bot.hut * left * bot.pip * MEAN * player.figures
    worth += bot.trade * left * player.trade
    for person in range(TRADERS + 1):
        if player.people[person] > 0:
            grown = expected(bot, player, left, person, rules) - counter(player, person)
            worth += bot.people * player.people[person] * max(0.0, grown)
    worth += (bot.green - 1.0) * different_symbols(player) * different_symbols(player)
    worth += 0.5 * bot.pip * rules.pips[STONE] * player.choice
    worth += (bot.buildings - 1.0) * player.points_buildings
    for resource in range(RESOURCES):
        worth += left * bot.pip * rules.pips[resource] * player.income[resource]
    if player.own[0] > 0:
        worth += 0.4 * bot.pip * MEAN * left
    if state.picks > 0 and state.picker == seat:
        worth += bot.market
    if state.roll.place != NONE and state.actor == seat:
        worth += bot.pip * state.roll.pips
    return worth


def counter(player, person):
    """Return what people of a kind are multiplied by now."""
    if person == FARMER:
        return player.agriculture
    if person == TOOLMAKER:
        return player.tools
    if person == BUILDER:
        return player.buildings
    if person == SHAMAN:
        return player.figures
    return player.trade


def different_symbols(player):
    """Count the different symbols."""
    held = 0
    for symbol in range(SYMBOLS):
        if player.symbols[symbol] > 0:
            held += 1
    return held


# Placing figures

LACKS = 400  # where `desk.values`, beyond any act of placing, keeps what purchases lack


def best_put(state, rules, bot, acts, count, desk):
    """Put figures where they bring most beyond what they would bring elsewhere."""
    seat = state.seat
    player = state.players[seat]
    left = rounds_left(state, rules)
    note_lacks(state, rules, bot, player, left, desk)
    gained, at_place = 0.0, NONE
    for i in range(count):
        place, figures = acts[i] // NUMBERS, acts[i] % NUMBERS
        if place == HUNT or FOREST <= place <= FOREST + GOLD or place >= OWN:
            gained = gathering(state, rules, bot, player, left, place, figures, desk)
        elif place != at_place:
            gained = errand(state, rules, bot, player, left, place)
        at_place = place
        desk.values[i] = gained - bot.figure * figures
    return best_of(acts, count, desk)


def errand(state, rules, bot, player, left, place):
    """Return what a place of the village, a card or a building brings."""
    if place == TOOL_MAKER:
        return tool_step(rules, bot, player, left + 0.7)
    if place == HUT:
        return figure_step(rules, bot, player, left)
    if place == FIELD:
        return field_step(rules, bot, player, left)
    if place == TRADER:
        return trade_step(rules, bot, player, left, rules.trader_steps)
    if place < BUILDING:
        return card_errand(state, rules, bot, player, left, place)
    return building_errand(state, rules, bot, player, left, place)


def cheapest(bot, rules, left):
    """Return what a resource is worth that pays for a card: about a wood."""
    return max(1.0 * rules.resource_points, min(1.0, left / 1.5) * bot.pip * rules.pips[WOOD])


def card_errand(state, rules, bot, player, left, place):
    """Return what going to a card brings, with the chance that it can be paid."""
    card = state.display[place - CARD]
    worth = card_worth(state, rules, bot, player, left, card)
    if place == CARD + CARD_PLACES - 1:
        price = rules.fifth_price
        worth -= price * bot.jewellery
        lacking = max(0, price - player.goods[JEWELLERY])
        return worth * chance_to_gather(bot, player, lacking * rules.pips[FOOD])
    price = rules.card_price[place - CARD]
    worth -= price * cheapest(bot, rules, left)
    claimed = 0
    for other in range(CARD, CARD + CARD_PLACES - 1):
        if player.at[other] > 0:
            claimed += rules.card_price[other - CARD]
    for other in range(BUILDING, OWN):
        if player.at[other] > 0:
            claimed += 3
    lacking = max(0, price + claimed - resources_of(state, player) - player.choice)
    lacking = min(lacking, price)
    return worth * chance_to_gather(bot, player, lacking * rules.pips[WOOD])


def chance_to_gather(bot, player, pips):
    """Return the chance the bot sees to gather so many pips with the figures it has left after this one."""
    if pips <= 0:
        return 1.0
    there = MEAN * (player.idle - 1)
    if there < pips:
        return 0.0
    return bot.plan


def building_errand(state, rules, bot, player, left, place):
    """Return what going to a building brings, with the chance that it can be paid."""
    entry = rules.tiles[bill_of(state, rules, place)]
    worth = bot.buildings * entry.points + player.people[BUILDER]
    worth += gift_worth(state, rules, bot, player, left, entry.gives, entry.amount, entry.resource)
    lacking = 0.0
    if entry.jewels > 0:
        jewels = min(entry.jewels, player.goods[JEWELLERY])
        worth += jewels * (entry.jewel_points - bot.jewellery)
        lacking = 0.0 if jewels > 0 else 2.0
    elif entry.most > 0:
        there = min(entry.most, resources_of(state, player))
        number = max(entry.least, there)
        for resource in range(RESOURCES):
            paid = min(number, player.goods[resource])
            price = resource_worth(state, rules, bot, player, left, resource, -paid)
            worth += bot.buildings * rules.worth[resource] * paid + price
            number -= paid
        lacking = 4.0 * max(0, entry.least - there)
        worth += 0.5 * max(0, entry.least - there)
    else:
        for good in range(RESOURCES):
            paid = entry.cost[good]
            if paid > 0:
                short = max(0, paid - player.goods[good])
                lacking += rules.pips[good] * short
                worth += resource_worth(state, rules, bot, player, left, good, -(paid - short))
                worth -= bot.pip * rules.pips[good] * short
        worth -= bot.jewellery * entry.cost[JEWELLERY]
        lacking += rules.pips[FOOD] * max(0, entry.cost[JEWELLERY] - player.goods[JEWELLERY])
    return worth * chance_to_gather(bot, player, lacking)


def note_lacks(state, rules, bot, player, left, desk):
    """Write down, for each good, how much the places taken still lack, and what each piece is worth."""
    lacks = desk.values
    for index in range(LACKS, LACKS + 10):
        lacks[index] = 0.0
    for place in range(BUILDING, BUILDING + state.seats):
        if player.at[place] > 0:
            entry = rules.tiles[bill_of(state, rules, place)]
            if entry.most > 0:
                note_free_lack(state, rules, bot, player, entry, lacks)
            else:
                note_fixed_lack(rules, bot, player, entry, lacks)
    price = 0
    for place in range(CARD, CARD + CARD_PLACES - 1):
        if player.at[place] > 0:
            price += rules.card_price[place - CARD]
    lacking = price - resources_of(state, player) - planned(player)
    if lacking > 0:
        lacks[LACKS + WOOD] += lacking
        lacks[LACKS + 5 + WOOD] = max(lacks[LACKS + 5 + WOOD], bot.need * 3.0)
    if player.at[CARD + CARD_PLACES - 1] > 0 and player.goods[JEWELLERY] < rules.fifth_price:
        lacks[LACKS + JEWELLERY] += rules.fifth_price - player.goods[JEWELLERY]
        lacks[LACKS + 5 + JEWELLERY] = bot.need * 3.0


def planned(player):
    """Count roughly the resources that figures already sent will bring."""
    figures = 0
    for place in range(FOREST, FOREST + RESOURCES):
        figures += player.at[place]
    return (figures * 3) // 4


def note_fixed_lack(rules, bot, player, entry, lacks):
    """What a fixed cost lacks is worth a share of the building's points each."""
    short = 0
    for good in range(RESOURCES + 1):
        short += max(0, entry.cost[good] - player.goods[good])
    if short == 0:
        return
    each = bot.need * (bot.buildings * entry.points + player.people[BUILDER]) / (short + 1.0)
    for good in range(RESOURCES + 1):
        lacking = entry.cost[good] - player.goods[good]
        if good < RESOURCES:
            lacking -= (player.at[FOREST + good] * 3) // rules.pips[good]
        if lacking > 0:
            lacks[LACKS + good] += lacking
            lacks[LACKS + 5 + good] = max(lacks[LACKS + 5 + good], each)


def note_free_lack(state, rules, bot, player, entry, lacks):
    """Where any resources pay, each is worth its points, up to as many as may be paid."""
    lacking = entry.most - resources_of(state, player)
    if lacking <= 0:
        return
    for resource in range(RESOURCES):
        lacks[LACKS + resource] += lacking
        each = bot.need * rules.worth[resource] * 0.4
        lacks[LACKS + 5 + resource] = max(lacks[LACKS + 5 + resource], each)


def unused_tools(player):
    """Sum the tools that are not used yet."""
    total = 0
    for index in range(TILE_TOOLS):
        total += tool(player, index)
    return total


def gathering(state, rules, bot, player, left, place, figures, desk):
    """Return what figures bring that hunt or gather."""
    tools = 0.4 * unused_tools(player)
    if place == HUNT:
        return hunting(rules, bot, player, left, units_of(figures, rules.pips[FOOD], tools), desk)
    resource = place - FOREST
    divisor = rules.pips[resource] if place < OWN else 1
    if place >= OWN:
        entry = rules.tiles[player.own[place - OWN] - 1]
        resource, divisor = entry.resource, entry.amount
    units = units_of(figures, divisor, tools)
    gain = resource_worth(state, rules, bot, player, left, resource, units)
    return gain + min(units, desk.values[LACKS + resource]) * desk.values[LACKS + 5 + resource]


def hunting(rules, bot, player, left, units, desk):
    """Return what a hunt of so many units brings: the food that is needed, then what is worth more."""
    mouths = player.figures + (1 if player.at[HUT] > 0 else 0)
    fields = player.agriculture + (1 if player.at[FIELD] > 0 else 0)
    before = food_worth(rules, bot, player, left, player.food, mouths, fields)
    gain = food_worth(rules, bot, player, left, player.food + units, mouths, fields) - before
    if rules.expansion:
        need = max(0.0, min(units, 1.0 * mouths * rules.figure_food - fields - player.food))
        jewels = player.goods[JEWELLERY]
        other = jewellery_worth(rules, bot, left, jewels + units - need)
        other -= jewellery_worth(rules, bot, left, jewels)
        other += min(units - need, desk.values[LACKS + JEWELLERY]) * desk.values[LACKS + 5 + JEWELLERY]
        other += food_worth(rules, bot, player, left, player.food + need, mouths, fields) - before
        gain = max(gain, other)
    return gain


# Resolving


def best_resolution(state, rules, bot, acts, count, desk):
    """First the trader and the dearest rolls, then the best purchases, then whatever is left."""
    first = NONE
    for i in range(count):
        if acts[i] == RESOLVE_AT + TRADER:
            return acts[i]
        if RESOLVE_AT <= acts[i] < TAKE:
            first = max(first, acts[i])
    if first != NONE:
        return first
    return best_purchase(state, rules, bot, acts, count, desk)


def best_purchase(state, rules, bot, acts, count, desk):
    """Try each purchase, with the best that may follow it, on a copy; ways of paying are left at the usual."""
    seat = state.seat
    imagine(state, rules, seat, desk, 0)
    for i in range(count):
        if PAY_OTHERWISE <= acts[i] < OPEN_CHOICE and count > 1:
            desk.values[i] = -1e9
            continue
        desk.copies[1] = desk.copies[0]
        apply(desk.copies[1], rules, acts[i], desk.dream)
        if acts[i] == DONE or acts[i] == NO_EXTRA:
            desk.values[i] = value(desk.copies[0], rules, bot, seat)
        elif acts[i] == OPEN_CHOICE:
            desk.values[i] = opened_worth(state, rules, bot, seat, desk)
        else:
            desk.values[i] = followed(rules, bot, seat, desk)
    return best_of(acts, count, desk)


def opened_worth(state, rules, bot, seat, desk):
    """Return what it is worth to take the resources of choice now: a little, where some purchase lacks them."""
    kept = value(desk.copies[0], rules, bot, seat)
    player = state.players[seat]
    for place in range(CARD, BUILDING + state.seats):
        if player.at[place] > 0:
            entry = rules.tiles[bill_of(state, rules, place)]
            if 0 < missing(state, player, entry) <= player.choice:
                return kept + 1.0
    return kept - 0.1


def missing(state, player, entry):
    """Return how many resources a purchase lacks."""
    if entry.most > 0:
        return max(0, entry.least - resources_of(state, player))
    lacking = 0
    for resource in range(RESOURCES):
        lacking += max(0, entry.cost[resource] - player.goods[resource])
    return lacking


def followed(rules, bot, seat, desk):
    """Judge the position after a purchase, or after the best one that follows it."""
    state = desk.copies[1]
    worth = value(state, rules, bot, seat)
    if state.phase != RESOLVE or state.seat != seat or state.over:
        return worth
    count = options(state, rules, bot, desk.replies)
    for i in range(count):
        act = desk.replies[i]
        if TAKE <= act < PAY_OTHERWISE:
            desk.copies[2] = state
            apply(desk.copies[2], rules, act, desk.dream)
            worth = max(worth, value(desk.copies[2], rules, bot, seat))
    return worth


def best_tools(state, rules, bot, acts, count, desk):
    """Use tools where the units gained are worth more than keeping the tools for rolls to come."""
    player = state.players[state.seat]
    left = rounds_left(state, rules)
    more_rolls = 0
    for place in range(HUNT, TOOL_MAKER):
        more_rolls += player.at[place]
    keep = 0.5 * bot.pip if more_rolls > 0 else 0.0
    for i in range(count):
        mask = acts[i] - TOOLS
        added, cost = 0, 0.0
        for index in range(TILE_TOOLS + ONE_USE):
            if mask >> index & 1:
                added += tool(player, index)
                cost += (keep if index < TILE_TOOLS else bot.pip) * tool(player, index)
        units = (state.roll.pips + added) // state.roll.divisor
        desk.values[i] = worth_of_units(state, rules, bot, player, left, units) - cost
    return best_of(acts, count, desk)


def worth_of_units(state, rules, bot, player, left, units):
    """Return what the units of a roll are worth."""
    if state.roll.yields != FOOD:
        return resource_worth(state, rules, bot, player, left, state.roll.yields, units)
    worth = food_worth(rules, bot, player, left, player.food + units, player.figures, player.agriculture)
    if rules.expansion:
        worth = max(worth, bot.jewellery * units)
    return worth


def best_split(state, rules, bot, acts, count, desk):
    """Take the food that is needed, and jewellery where that is worth more."""
    player = state.players[state.seat]
    left = rounds_left(state, rules)
    lacking = 0
    if player.at[CARD + CARD_PLACES - 1] > 0:
        lacking = rules.fifth_price - player.goods[JEWELLERY]
    for i in range(count):
        jewels = acts[i] - JEWELS
        food = player.food + state.roll.units - jewels
        worth = food_worth(rules, bot, player, left, food, player.figures, player.agriculture)
        worth += jewellery_worth(rules, bot, left, player.goods[JEWELLERY] + jewels)
        if lacking > 0:
            worth += 2.0 * min(lacking, jewels)
        desk.values[i] = worth
    return best_of(acts, count, desk)


def best_pick(state, rules, bot, acts, count, desk):
    """Pick the die that gives most."""
    player = state.players[state.seat]
    left = rounds_left(state, rules)
    for i in range(count):
        entry = rules.faces[state.style][acts[i] - PICK]
        desk.values[i] = gift_worth(
            state, rules, bot, player, left, entry.gives, entry.amount, entry.resource
        )
    return best_of(acts, count, desk)


def best_gain(state, rules, bot, acts, count, desk):
    """Name the resource that a purchase lacks, or the one that adds most."""
    player = state.players[state.seat]
    left = rounds_left(state, rules)
    note_lacks(state, rules, bot, player, left, desk)
    for i in range(count):
        resource = acts[i] - GAIN
        desk.values[i] = resource_worth(state, rules, bot, player, left, resource, 1)
        if desk.values[LACKS + resource] > 0.0:
            desk.values[i] += desk.values[LACKS + 5 + resource]
    return best_of(acts, count, desk)


def best_feeding(state, rules, bot, acts, count):
    """Feed the tribe with resources if these are worth less than what hunger takes."""
    player = state.players[state.seat]
    left = rounds_left(state, rules)
    need = hunger(rules, player)
    starving = bot.fear * (rules.hunger + rules.hunger_each * need)
    paying = 0.0
    owed = need
    for resource in range(RESOURCES):
        paid = min(owed, player.goods[resource])
        paying -= resource_worth(state, rules, bot, player, left, resource, -paid)
        owed -= paid
    if owed > 0:
        paying += owed * bot.pip * rules.pips[STONE]
    if starving <= paying:
        return STARVE
    for i in range(count):
        if acts[i] != STARVE and acts[i] != FEED_OTHERWISE:
            return acts[i]
    return acts[0]


# Restricted play


def is_barred(bot, number):
    """Say whether the bot is barred from something, by its number among the bars."""
    return number >= 0 and bot.bars >> number & 1 != 0


def barred(state, rules, bot, act):
    """Say whether restricted play forbids the act: to go to a place, to take a card or building, to trade."""
    if act < RESOLVE_AT:
        return barred_place(state, rules, bot, act // NUMBERS)
    if TAKE <= act < OPEN_CHOICE:
        if act >= TRADE_AND_TAKE and is_barred(bot, NO_TRADE):
            return True
        return barred_place(state, rules, bot, place_of(act))
    if SWAP <= act < EXTRA or act == EXTRA_BY_TRADE:
        if is_barred(bot, NO_TRADE):
            return True
    return is_barred(bot, NO_EXTRA_CARD) and state.phase == BUY_EXTRA and act != NO_EXTRA


def place_of(act):
    """Return the place that a purchase is made at."""
    if act >= PAY_OTHERWISE:
        return act - PAY_OTHERWISE
    return act - TRADE_AND_TAKE if act >= TRADE_AND_TAKE else act - TAKE


def barred_place(state, rules, bot, place):
    """Say whether the bot is barred from a place of the village, or what lies at the place."""
    if place == HUT:
        return is_barred(bot, NO_HUT)
    if place == TOOL_MAKER:
        return is_barred(bot, NO_TOOL_MAKER)
    if place == FIELD:
        return is_barred(bot, NO_FIELD)
    if place == TRADER:
        return is_barred(bot, NO_TRADER)
    if CARD <= place < BUILDING:
        card = state.display[place - CARD]
        if card == NONE:
            return False
        entry = rules.cards[card]
        sort = NO_GREEN if entry.symbol != NONE else NO_SAND
        return is_barred(bot, NO_CARDS) or is_barred(bot, sort) or is_barred(bot, entry.bar)
    if BUILDING <= place < BUILDING + state.seats and state.height[place - BUILDING] > 0:
        if is_barred(bot, NO_BUILDINGS):
            return True
        return is_barred(bot, rules.tiles[bill_of(state, rules, place)].bar)
    return False
