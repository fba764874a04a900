"""The rules of Stone Age with Style is the Goal, in the order of the rulebook.

"p." is a page of the rules of Style is the Goal; what has none is in the rulebook of the base game.
"""

import numpy as np

from balance.dice import at, below, shuffle
from balance.games.stone_age.acts import (
    DONE,
    EXTRA,
    EXTRA_BY_TRADE,
    FEED_ALL,
    FEED_OTHERWISE,
    GAIN,
    JEWELS,
    MASKS,
    NO_EXTRA,
    NUMBERS,
    OPEN_CHOICE,
    PAY_OTHERWISE,
    PICK,
    PUT,
    RESOLVE_AT,
    STARVE,
    SWAP,
    TAKE,
    TILE_TOOLS,
    TOOLS,
    TRADE_AND_TAKE,
    UNITS,
)
from balance.games.stone_age.board import can_put, legal_puts, put, take_all_back, take_back
from balance.games.stone_age.payment import (
    affordable,
    bill_of,
    free_payments,
    legal_payments,
    legal_swaps,
    resources_of,
    settle,
    several_ways,
    top_tile,
    trade,
    trade_helps,
    usual_trade,
    write_cheapest,
    write_payment,
    write_usual,
)
from balance.games.stone_age.state import (
    BUILDING,
    BUY_EXTRA,
    BY_BUILDINGS,
    BY_CARDS,
    CARD,
    CARD_PLACES,
    CHOOSE_RESOURCE,
    DRAW_CARD,
    EXTRA_BILL,
    FACES,
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
    HUNT,
    HUT,
    INCOME,
    JEWELLERY,
    KEEP_CHOICE,
    MARKET,
    NONE,
    ONE_USE,
    OWN,
    PAY,
    PICK_DIE,
    PLACE,
    PRIVATE,
    PRIVATE_PLACE,
    RESOLVE,
    RESOURCES,
    RIVER,
    ROLL_RESOURCE,
    SPLIT_HUNT,
    STEP_FIELD,
    STEP_TRADE,
    STYLE_MARKET,
    TILES,
    TOOL_MAKER,
    TRADER,
    USE_TOOLS,
)

DECK, STACKED, DICE = range(3)  # streams of chance

PLACING, RESOLVING, FEEDING = range(3)
DICE_PLACES = 64  # events of a seat in a round: a roll for each place
FREE_FEEDING = 10  # most resources of which a tribe that pays otherwise may choose the kinds


# Set-up


def setup(state, rules, lineup, rng):
    """Shuffle cards and buildings; give each player figures, food and, with the expansion, jewellery."""
    count = 0
    for card in range(rules.cards_all):
        if rules.cards[card].in_play:
            state.deck[count] = card
            count += 1
    state.deck_left = count
    at(rng.chance[DECK], 0)
    shuffle(rng.chance[DECK], state.deck, count)
    count = 0
    for tile in range(rules.tiles_all):
        if rules.tiles[tile].in_play:
            state.tiles[count] = tile
            count += 1
    state.tiles_all = count
    at(rng.chance[STACKED], 0)
    shuffle(rng.chance[STACKED], state.tiles, count)
    for stack in range(state.seats):
        state.height[stack] = rules.stack_height
    for place in range(CARD_PLACES):
        state.display[place] = NONE
    for seat in range(state.seats):
        player = state.players[seat]
        player.figures = min(rules.start_figures, rules.figures_most)
        player.idle = player.figures
        player.food = rules.start_food
        if rules.expansion:
            player.goods[JEWELLERY] = rules.start_jewellery
    state.roll.place = NONE
    state.bill.place = NONE
    refill(state, rules)
    begin_round(state, rules)


def card_places(rules):
    """Return how many cards are on display: four, and a fifth with the expansion (p. 2)."""
    return CARD_PLACES if rules.expansion else CARD_PLACES - 1


def refill(state, rules):
    """Slide the cards to the right and fill the gaps; say whether the deck sufficed."""
    filled = 0
    for place in range(CARD_PLACES):
        if state.display[place] != NONE:
            card = state.display[place]
            state.display[place] = NONE
            state.display[filled] = card
            filled += 1
    while filled < card_places(rules):
        if state.deck_left == 0:
            return False
        state.deck_left -= 1
        state.display[filled] = state.deck[state.deck_left]
        filled += 1
    return True


def first_seat(state, rules):
    """Return the seat with the start marker, which passes to the left each round."""
    return state.turn % state.seats if rules.marker else 0


def begin_round(state, rules):
    """The start player puts figures first; private places of earlier rounds are ready (p. 8)."""
    state.round_phase = PLACING
    state.phase = PLACE
    state.seat = first_seat(state, rules)
    for seat in range(state.seats):
        player = state.players[seat]
        player.used = 0
        player.trades = 0
        player.ready = 0
        for own in range(PRIVATE):
            if player.own[own] > 0:
                player.ready |= 1 << own


# Phase 1: placing figures


def place_figures(state, rules, act):
    """Put the figures; then the next player who can put any does, until nobody can."""
    place, figures = (act - PUT) // NUMBERS, (act - PUT) % NUMBERS
    put(state, state.seat, place, figures)
    if place == HUNT:
        state.players[state.seat].hunts += 1
    elif place == HUT:
        state.players[state.seat].hut_visits += 1
    for _ in range(state.seats):
        state.seat = (state.seat + 1) % state.seats
        if can_put(state, rules, state.seat):
            return
    begin_resolving(state, rules)


# Phase 2: resolving


def begin_resolving(state, rules):
    """Buildings bring their resources (p. 7); then the start player resolves all his figures."""
    state.round_phase = RESOLVING
    for seat in range(state.seats):
        player = state.players[seat]
        for resource in range(RESOURCES):
            player.goods[resource] += player.income[resource]
    state.done = 0
    state.actor = first_seat(state, rules)
    visit_village(state, rules, state.actor)


def visit_village(state, rules, seat):
    """Resolve tool maker, hut and field: first of all, since no other order would bring more."""
    player = state.players[seat]
    if player.at[TOOL_MAKER] > 0:
        take_back(state, seat, TOOL_MAKER)
        gain_tool(rules, player)
    if player.at[HUT] > 0:
        take_back(state, seat, HUT)
        gain_figure(rules, player)
    if player.at[FIELD] > 0:
        take_back(state, seat, FIELD)
        gain_field(rules, player, 1)


def gain_tool(rules, player):
    """Take the next step of tools: the tiles are raised in turn, 1, 1+1, 1+1+1, 2+1+1 and so on."""
    if player.tools < rules.tools_most:
        if rules.raised_tool_fresh:
            player.used &= ~(1 << player.tools % TILE_TOOLS)
        player.tools += 1


def gain_figure(rules, player):
    """Take a figure from the supply, as long as there is one."""
    if player.figures < rules.figures_most:
        player.figures += 1
        player.idle += 1


def gain_field(rules, player, steps):
    """Step forward on the track of agriculture, up to its end."""
    player.agriculture = min(player.agriculture + steps, max(player.agriculture, rules.agriculture_most))


def gain_trade(rules, player, steps):
    """Advance on the trade track; each advance brings jewellery, whatever the distance (p. 5)."""
    level = min(player.trade + steps, max(player.trade, rules.trade_most))
    if level > player.trade or rules.advance_at_the_end:
        player.goods[JEWELLERY] += rules.advance_jewellery
    player.trade = level


def legal_resolutions(state, rules, acts):
    """Resolve one of the places with own figures, in any order; the cards and buildings left last of all."""
    seat = state.seat
    player = state.players[seat]
    count = 0
    for place in range(HUNT, RIVER + 1):
        if player.at[place] > 0:
            acts[count] = RESOLVE_AT + place
            count += 1
    if player.ready != 0:
        for own in range(OWN, OWN + PRIVATE):
            if player.at[own] > 0:
                acts[count] = RESOLVE_AT + own
                count += 1
    if player.at[TRADER] > 0:
        acts[count] = RESOLVE_AT + TRADER
        count += 1
    owed = count
    for place in range(CARD, BUILDING + state.seats):
        if player.at[place] > 0:
            count = legal_purchases(state, rules, player, place, acts, count)
    if player.choice > 0:
        acts[count] = OPEN_CHOICE
        count += 1
    if owed == 0:
        acts[count] = DONE
        count += 1
    return count


def legal_purchases(state, rules, player, place, acts, count):
    """Pay for a card or building: as is usual, by a trade, or otherwise."""
    entry = rules.tiles[bill_of(state, rules, place)]
    pays = affordable(state, entry, player)
    trades = trade_helps(state, rules, entry, player)
    if pays:
        acts[count] = TAKE + place
        count += 1
    if trades:
        acts[count] = TRADE_AND_TAKE + place
        count += 1
    if trades or (pays and several_ways(state, entry, player)):
        acts[count] = PAY_OTHERWISE + place
        count += 1
    return count


def resolve(state, rules, act, rng):
    """Do what the player whose turn it is decided on."""
    seat = state.seat
    player = state.players[seat]
    if act == DONE:
        take_all_back(state, seat)
    elif act == OPEN_CHOICE:
        open_choice(player)
    elif act >= PAY_OTHERWISE:
        state.bill.place = act - PAY_OTHERWISE
    elif act >= TRADE_AND_TAKE:
        buy(state, rules, act - TRADE_AND_TAKE, True, rng)
    elif act >= TAKE:
        buy(state, rules, act - TAKE, False, rng)
    elif act == RESOLVE_AT + TRADER:
        take_back(state, seat, TRADER)
        gain_trade(rules, player, rules.trader_steps)
    else:
        gather(state, rules, act - RESOLVE_AT, rng)


def open_choice(player):
    """Take the resources that a card keeps, all at once."""
    player.owed += player.choice
    player.choice = 0


# Gathering and hunting


def throw(stream, number):
    """Throw so many dice; return their sum."""
    pips = 0
    for _ in range(number):
        pips += 1 + below(stream, 6)
    return pips


def gather(state, rules, place, rng):
    """Throw a die for each figure; a private place has pips of its own (p. 8)."""
    number = take_back(state, state.seat, place)
    if place >= OWN:
        tile = rules.tiles[state.players[state.seat].own[place - OWN] - 1]
        roll(state, rules, place, number, tile.resource, tile.amount, rng)
    elif place == HUNT:
        roll(state, rules, place, number, FOOD, rules.pips[FOOD], rng)
    else:
        resource = place - FOREST
        roll(state, rules, place, number, resource, rules.pips[resource], rng)


def roll(state, rules, place, number, yields, divisor, rng):
    """Throw; if unused tools could raise what comes of it, the player decides on them."""
    event = (state.turn * 8 + state.seat) * DICE_PLACES + place
    at(rng.chance[DICE], event)
    state.roll.place = place
    state.roll.pips = throw(rng.chance[DICE], number)
    state.roll.yields = yields
    state.roll.divisor = divisor
    state.roll.units = 0
    if not tools_could_help(state, state.players[state.seat]):
        collect(state, rules, 0)


def tool(player, index):
    """Return the value of a tool tile (0 to 2) or a one-use tool (from 3); 0 if it is used or not there."""
    if index >= TILE_TOOLS:
        return player.one_use[index - TILE_TOOLS]
    if player.used >> index & 1:
        return 0
    return (player.tools - index + TILE_TOOLS - 1) // TILE_TOOLS


def tools_could_help(state, player):
    """Say whether all unused tools together would bring one unit more."""
    pips = state.roll.pips
    for index in range(TILE_TOOLS + ONE_USE):
        pips += tool(player, index)
    return pips // state.roll.divisor > state.roll.pips // state.roll.divisor


def legal_tools(state, acts):
    """Add any tools, each with its whole value; sets are left out that a smaller one equals."""
    player = state.players[state.seat]
    most = MASKS if has_one_use(player) else 1 << TILE_TOOLS
    count = 0
    for mask in range(most):
        if mask == 0 or tools_worth_using(state, player, mask):
            acts[count] = TOOLS + mask
            count += 1
    return count


def has_one_use(player):
    """Say whether the player holds a one-use tool."""
    for slot in range(ONE_USE):
        if player.one_use[slot] > 0:
            return True
    return False


def tools_worth_using(state, player, mask):
    """Say whether every tool of `mask` is there and needed, and none like it comes before it unused."""
    added, smallest = 0, 0
    for index in range(TILE_TOOLS + ONE_USE):
        value = tool(player, index)
        if mask >> index & 1:
            if value == 0:
                return False
            added += value
            if smallest == 0 or value < smallest:
                smallest = value
        elif value > 0:
            last = TILE_TOOLS if index < TILE_TOOLS else TILE_TOOLS + ONE_USE
            for later in range(index + 1, last):
                if mask >> later & 1 and tool(player, later) == value:
                    return False
    pips, divisor = state.roll.pips, state.roll.divisor
    return (pips + added) // divisor > (pips + added - smallest) // divisor


def use_tools(state, rules, mask):
    """Turn the tools used; one-use tools are given back."""
    player = state.players[state.seat]
    added = 0
    for index in range(TILE_TOOLS + ONE_USE):
        if mask >> index & 1:
            added += tool(player, index)
            if index < TILE_TOOLS:
                player.used |= 1 << index
            else:
                player.one_use[index - TILE_TOOLS] = 0
    collect(state, rules, added)


def collect(state, rules, added):
    """Divide and round down; a hunt brings food or, with the expansion, jewellery too (p. 6)."""
    player = state.players[state.seat]
    units = (state.roll.pips + added) // state.roll.divisor
    if state.roll.yields != FOOD:
        player.goods[state.roll.yields] += units
        state.roll.place = NONE
    elif not rules.expansion or units == 0:
        player.food += units
        state.roll.place = NONE
    else:
        state.roll.units = units


def legal_splits(state, acts):
    """Take so much of a hunt as jewellery, the rest as food."""
    most = min(state.roll.units, UNITS - 1)
    for jewels in range(most + 1):
        acts[jewels] = JEWELS + jewels
    return most + 1


def split_hunt(state, jewels):
    """Take food and jewellery."""
    player = state.players[state.seat]
    player.goods[JEWELLERY] += jewels
    player.food += state.roll.units - jewels
    state.roll.units = 0
    state.roll.place = NONE


# Civilization cards and buildings


def buy(state, rules, place, by_trade, rng):
    """Pay as is usual, after the usual trade if there is to be one."""
    player = state.players[state.seat]
    entry = rules.tiles[bill_of(state, rules, place)]
    if by_trade:
        trade(state, player, usual_trade(state, rules, entry, player))
    write_usual(state, rules, entry, player)
    take_purchase(state, rules, place, rng)


def pay_otherwise(state, rules, act, rng):
    """Trade, or pay what the act says."""
    player = state.players[state.seat]
    if act >= SWAP:
        trade(state, player, act - SWAP)
        return
    place = state.bill.place
    if place == NONE:
        write_payment(state, rules.tiles[TILES], act)
        settle(state, player)
        fed(state, rules)
        return
    write_payment(state, rules.tiles[bill_of(state, rules, place)], act)
    take_purchase(state, rules, place, rng)


def legal_bill(state, rules, acts):
    """Pay for a card, a building or food in any way that will do."""
    player = state.players[state.seat]
    if state.bill.place == NONE:
        need = hunger(rules, player)
        return free_payments(state, player, need, need, 0, acts, 0)
    entry = rules.tiles[bill_of(state, rules, state.bill.place)]
    count = 0
    if affordable(state, entry, player):
        count = legal_payments(state, entry, player, acts, count)
    if not state.bill.traded:
        count = legal_swaps(state, rules, entry, player, acts, count)
    return count


def take_purchase(state, rules, place, rng):
    """Take the figure back, pay, and take the card or building with what it gives."""
    seat = state.seat
    player = state.players[seat]
    take_back(state, seat, place)
    if place < BUILDING:
        card = state.display[place - CARD]
        state.display[place - CARD] = NONE
        settle(state, player)
        player.cards_bought += 1
        add_card(rules, player, card)
        entry = rules.cards[card]
        if place == CARD + CARD_PLACES - 1:
            state.extra = 1
        give(state, rules, seat, place, entry.gives, entry.amount, entry.resource, rng)
    else:
        tile = top_tile(state, rules, place - BUILDING)
        entry = rules.tiles[tile]
        player.points_buildings += points_of(state, rules, entry)
        settle(state, player)
        state.height[place - BUILDING] -= 1
        player.buildings += 1
        if entry.gives == PRIVATE_PLACE:
            found_private_place(player, tile)
        else:
            give(state, rules, seat, place, entry.gives, entry.amount, entry.resource, rng)


def points_of(state, rules, entry):
    """Return the points of a building: printed, or by the worth of what was paid for it."""
    points = entry.points
    if entry.most > 0:
        for resource in range(RESOURCES):
            points += rules.worth[resource] * state.bill.paid[resource]
    return points + (entry.jewel_points * state.bill.paid[JEWELLERY] if entry.jewels > 0 else 0)


def found_private_place(player, tile):
    """Lay the tile out; figures may go there from the next round on (p. 8)."""
    for own in range(PRIVATE):
        if player.own[own] == 0:
            player.own[own] = tile + 1
            return


def bit(piece):
    """Return the set that holds one card or building alone."""
    return np.int64(1) << piece


def add_card(rules, player, card):
    """Count a card's lower half for the final scoring."""
    player.cards |= bit(card)
    count_card(rules, player, card, 1)


def count_card(rules, player, card, sign):
    """Add a card's symbol or people to the player's, or take them away."""
    entry = rules.cards[card]
    if entry.symbol != NONE:
        player.symbols[entry.symbol] += sign
    else:
        player.people[entry.person] += sign * entry.people


def draw_card(state, rules, player):
    """Take the top card of the deck, for its lower half; nobody else sees it. Nothing if there is none."""
    if state.deck_left > 0:
        state.deck_left -= 1
        card = state.deck[state.deck_left]
        player.secret |= bit(card)
        player.cards_drawn += 1
        add_card(rules, player, card)


def give(state, rules, seat, place, gives, amount, resource, rng):
    """Give at once what a card, a building or a die of a market brings."""
    player = state.players[seat]
    if gives == GAIN_FOOD:
        player.food += amount
    elif gives == GAIN_RESOURCE:
        player.goods[resource] += amount
    elif gives == MARKET or gives == STYLE_MARKET:
        open_market(state, rules, place, gives == STYLE_MARKET, rng)
    elif gives == GAIN_POINTS:
        player.points_cards += amount
    elif gives == STEP_FIELD:
        gain_field(rules, player, amount)
    elif gives == GAIN_TOOL:
        for _ in range(amount):
            gain_tool(rules, player)
    elif gives == GAIN_ONE_USE:
        gain_one_use(player, amount)
    elif gives == KEEP_CHOICE:
        player.choice += amount
    elif gives == GAIN_CHOICE:
        player.owed += amount
    elif gives == DRAW_CARD:
        draw_card(state, rules, player)
    elif gives == STEP_TRADE:
        gain_trade(rules, player, amount)
    elif gives == GAIN_JEWELLERY:
        player.goods[JEWELLERY] += amount
    elif gives == GAIN_FIGURE:
        for _ in range(amount):
            gain_figure(rules, player)
    elif gives == INCOME:
        player.income[resource] += amount
    elif gives == ROLL_RESOURCE:
        roll(state, rules, place, amount, resource, rules.pips[resource], rng)


def gain_one_use(player, worth):
    """Take a tool that can be used once."""
    for slot in range(ONE_USE):
        if player.one_use[slot] == 0:
            player.one_use[slot] = worth
            return


# Markets


def open_market(state, rules, place, style, rng):
    """Throw a die for each player; the buyer picks first, then the others clockwise, one each."""
    at(rng.chance[DICE], (state.turn * 8 + state.seat) * DICE_PLACES + place)
    for face in range(FACES):
        state.market[face] = 0
    for _ in range(state.seats):
        state.market[below(rng.chance[DICE], FACES)] += 1
    state.style = style
    state.picks = state.seats
    state.picker = state.seat


def legal_picks(state, acts):
    """Pick one of the dice."""
    count = 0
    for face in range(FACES):
        if state.market[face] > 0:
            acts[count] = PICK + face
            count += 1
    return count


def pick_die(state, rules, face, rng):
    """Take what the die stands for."""
    seat = state.seat
    entry = rules.faces[state.style][face]
    state.market[face] -= 1
    state.picks -= 1
    state.picker = (seat + 1) % state.seats
    give(state, rules, seat, 0, entry.gives, entry.amount, entry.resource, rng)


# The extra card of the fifth place (p. 6-7)


def extra_offered(state, rules):
    """Say whether the player can pay for the top card of the deck, there being one."""
    entry, player = rules.tiles[EXTRA_BILL], state.players[state.actor]
    if state.deck_left == 0:
        return False
    return affordable(state, entry, player) or trade_helps(state, rules, entry, player)


def legal_extras(state, rules, acts):
    """Pay for the extra card, trade for it, or not."""
    entry, player = rules.tiles[EXTRA_BILL], state.players[state.seat]
    count = 0
    if affordable(state, entry, player):
        acts[count] = EXTRA
        count += 1
    if trade_helps(state, rules, entry, player):
        acts[count] = EXTRA_BY_TRADE
        count += 1
    acts[count] = NO_EXTRA
    return count + 1


def buy_extra(state, rules, act):
    """Pay and draw, or not."""
    entry, player = rules.tiles[EXTRA_BILL], state.players[state.seat]
    state.extra = 0
    if act == NO_EXTRA:
        return
    if act == EXTRA_BY_TRADE:
        trade(state, player, usual_trade(state, rules, entry, player))
    write_usual(state, rules, entry, player)
    settle(state, player)
    draw_card(state, rules, player)


# Resources of choice


def legal_gains(acts):
    """Name a resource."""
    for resource in range(RESOURCES):
        acts[resource] = GAIN + resource
    return RESOURCES


def gain_choice(state, resource):
    """Take one of the resources of choice."""
    player = state.players[state.seat]
    player.goods[resource] += 1
    player.owed -= 1


# Phase 3: feeding


def begin_feeding(state, rules):
    """Every tribe takes food from its fields, then each figure needs food."""
    state.round_phase = FEEDING
    state.done = 0
    state.actor = first_seat(state, rules)
    for seat in range(state.seats):
        player = state.players[seat]
        player.food += player.agriculture


def hunger(rules, player):
    """Return how much food the tribe lacks."""
    return max(0, player.figures * rules.figure_food - player.food)


def can_feed(state, rules, player):
    """Say whether resources could make up for the food that is lacking."""
    if not rules.food_by_resources:
        return False
    return resources_of(state, player) + player.choice >= hunger(rules, player)


def legal_feedings(state, rules, acts):
    """Pay resources in place of food, or let the tribe go hungry."""
    player = state.players[state.seat]
    need, there = hunger(rules, player), resources_of(state, player)
    count = 0
    if there >= need:
        acts[count] = FEED_ALL
        count += 1
        if need <= FREE_FEEDING and there > need and there != most_of_one_kind(player):
            acts[count] = FEED_OTHERWISE
            count += 1
    if player.choice > 0:
        acts[count] = OPEN_CHOICE
        count += 1
    acts[count] = STARVE
    return count + 1


def most_of_one_kind(player):
    """Return how much the player has of the resource that is most plentiful."""
    most = 0
    for resource in range(RESOURCES):
        most = max(most, player.goods[resource])
    return most


def feed(state, rules, act):
    """Feed the tribe as the act says."""
    player = state.players[state.seat]
    if act == FEED_OTHERWISE:
        state.phase = PAY
        return
    if act == OPEN_CHOICE:
        open_choice(player)
        return
    if act == FEED_ALL:
        write_cheapest(state, player, hunger(rules, player))
        settle(state, player)
        fed(state, rules)
    else:
        starve(state, rules, player)


def fed(state, rules):
    """All food that is needed has been paid."""
    player = state.players[state.actor]
    player.food = max(0, player.food - player.figures * rules.figure_food)
    next_tribe(state)


def starve(state, rules, player):
    """A tribe that is not fed loses points, and all its food."""
    lacking = hunger(rules, player)
    player.points_hunger -= rules.hunger + rules.hunger_each * lacking
    player.hungry += 1
    player.food = 0
    next_tribe(state)


def next_tribe(state):
    """Turn to the next player."""
    state.done += 1
    state.actor = (state.actor + 1) % state.seats


# End of the round


def end_round(state, rules):
    """The game ends with an empty stack; or at once, if there are too few cards for a new round."""
    state.turn += 1
    for stack in range(state.seats):
        if state.height[stack] == 0:
            state.ended |= BY_BUILDINGS
    if state.ended == 0 and not refill(state, rules):
        state.ended = BY_CARDS
    if state.ended != 0:
        state.over = 1
        return
    begin_round(state, rules)


# How play goes on


def legal(state, rules, acts):
    """Write what `state.seat` may do into `acts`; return how many there are."""
    phase = state.phase
    if phase == PLACE:
        return legal_puts(state, rules, acts)
    if phase == RESOLVE:
        return legal_resolutions(state, rules, acts)
    if phase == USE_TOOLS:
        return legal_tools(state, acts)
    if phase == PICK_DIE:
        return legal_picks(state, acts)
    if phase == PAY:
        return legal_bill(state, rules, acts)
    if phase == FEED:
        return legal_feedings(state, rules, acts)
    if phase == SPLIT_HUNT:
        return legal_splits(state, acts)
    if phase == BUY_EXTRA:
        return legal_extras(state, rules, acts)
    return legal_gains(acts)


def apply(state, rules, act, rng):
    """Play `act` for `state.seat`, as far as the next decision or the end of the game."""
    phase = state.phase
    if phase == PLACE:
        place_figures(state, rules, act)
        if state.round_phase == PLACING:
            return
    elif phase == RESOLVE:
        resolve(state, rules, act, rng)
    elif phase == USE_TOOLS:
        use_tools(state, rules, act - TOOLS)
    elif phase == SPLIT_HUNT:
        split_hunt(state, act - JEWELS)
    elif phase == PAY:
        pay_otherwise(state, rules, act, rng)
    elif phase == PICK_DIE:
        pick_die(state, rules, act - PICK, rng)
    elif phase == BUY_EXTRA:
        buy_extra(state, rules, act)
    elif phase == CHOOSE_RESOURCE:
        gain_choice(state, act - GAIN)
    else:
        feed(state, rules, act)
        if state.phase == PAY:
            return
    go_on(state, rules)


def go_on(state, rules):
    """Find the next decision of the round; or begin the next one."""
    if state.round_phase == RESOLVING:
        if goes_on_resolving(state, rules):
            return
        begin_feeding(state, rules)
    if not goes_on_feeding(state, rules):
        end_round(state, rules)


def goes_on_resolving(state, rules):
    """Ask for what is still open of the last act, then the player whose turn it is, then the next."""
    while state.done < state.seats:
        if asks_for_more(state, rules):
            return True
        if has_to_resolve(state, rules):
            state.seat, state.phase = state.actor, RESOLVE
            return True
        take_all_back(state, state.actor)
        state.done += 1
        state.actor = (state.actor + 1) % state.seats
        if state.done < state.seats:
            visit_village(state, rules, state.actor)
    return False


def asks_for_more(state, rules):
    """Ask for what an act has left open: a roll, a payment, resources of choice, a market, the extra card."""
    state.seat = state.actor
    if state.roll.place != NONE:
        state.phase = SPLIT_HUNT if state.roll.units > 0 else USE_TOOLS
        return True
    if state.bill.place != NONE:
        state.phase = PAY
        return True
    for seat in range(state.seats):
        if state.players[seat].owed > 0:
            state.seat, state.phase = seat, CHOOSE_RESOURCE
            return True
    if state.picks > 0:
        state.seat, state.phase = state.picker, PICK_DIE
        return True
    if state.extra:
        if extra_offered(state, rules):
            state.phase = BUY_EXTRA
            return True
        state.extra = 0
    return False


def has_to_resolve(state, rules):
    """Say whether the player has something to decide: a place to resolve, or a purchase that can be paid."""
    player = state.players[state.actor]
    if player.idle == player.figures:
        return False
    for place in range(HUNT, RIVER + 1):
        if player.at[place] > 0:
            return True
    if player.at[TRADER] > 0:
        return True
    for own in range(OWN, OWN + PRIVATE):
        if player.at[own] > 0:
            return True
    for place in range(CARD, BUILDING + state.seats):
        if player.at[place] > 0:
            if player.choice > 0:
                return True
            entry = rules.tiles[bill_of(state, rules, place)]
            if affordable(state, entry, player) or trade_helps(state, rules, entry, player):
                return True
    return False


def goes_on_feeding(state, rules):
    """Feed the tribes that have food enough, or no way out; ask the others."""
    while state.done < state.seats:
        player = state.players[state.actor]
        if player.owed > 0:
            state.seat, state.phase = state.actor, CHOOSE_RESOURCE
            return True
        if hunger(rules, player) == 0:
            fed(state, rules)
        elif can_feed(state, rules, player):
            state.seat, state.phase = state.actor, FEED
            return True
        else:
            starve(state, rules, player)
    return False


# What a seat cannot see


def redeal(state, rules, seat, rng):
    """Deal anew the deck, the others' secret cards, and the buildings below the open ones and in the box."""
    redeal_cards(state, rules, seat, rng)
    redeal_tiles(state, rules, rng)


def redeal_cards(state, rules, seat, rng):
    """Shuffle the cards that `seat` has not seen among the deck and the others' secret cards."""
    unseen = 0
    for index in range(state.deck_left):
        unseen |= bit(state.deck[index])
    for other in range(state.seats):
        if other != seat:
            unseen |= state.players[other].secret
    total = 0
    for card in range(rules.cards_all):
        if unseen >> card & 1:
            state.deck[total] = card
            total += 1
    shuffle(rng, state.deck, total)
    for other in range(state.seats):
        if other != seat and state.players[other].secret != 0:
            player = state.players[other]
            total = swap_secret(state, rules, player, total)


def swap_secret(state, rules, player, total):
    """Give the player as many other cards from the end of the deck; return how many are left in it."""
    old = player.secret
    player.secret = 0
    player.cards &= ~old
    for card in range(rules.cards_all):
        if old >> card & 1:
            count_card(rules, player, card, -1)
            total -= 1
            player.secret |= bit(state.deck[total])
            add_card(rules, player, state.deck[total])
    return total


def redeal_tiles(state, rules, rng):
    """Shuffle the buildings that nobody has seen: below the top of each stack, and in the box."""
    hidden, number = 0, 0
    for index in range(state.tiles_all):
        if is_hidden(state, rules, index):
            hidden |= bit(state.tiles[index])
            number += 1
    for index in range(state.tiles_all):
        if is_hidden(state, rules, index):
            tile = member(hidden, below(rng, number))
            state.tiles[index] = tile
            hidden &= ~bit(tile)
            number -= 1


def member(pieces, which):
    """Return the member of a set that has `which` smaller ones."""
    for _ in range(which):
        pieces &= pieces - 1
    piece = 0
    while not pieces >> piece & 1:
        piece += 1
    return piece


def is_hidden(state, rules, index):
    """Say whether the building at `index` lies below an open one, or in the box."""
    stack = index // rules.stack_height
    return stack >= state.seats or index % rules.stack_height < state.height[stack] - 1
