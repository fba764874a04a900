"""Plays games and checks after every act what must never change; linked and compiled like the engine."""

from balance.engine import decide, open_table
from balance.games.stone_age.acts import PAY_OTHERWISE, TAKE
from balance.games.stone_age.payment import bill_of
from balance.games.stone_age.rules import bit, card_places
from balance.games.stone_age.scoring import (
    builder_points,
    farmer_points,
    green_points,
    shaman_points,
    stock_points,
    toolmaker_points,
    trader_points,
)
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    CARD_PLACES,
    FOREST,
    GAIN_FIGURE,
    GAIN_FOOD,
    GAIN_POINTS,
    GAIN_TOOL,
    GOODS,
    JEWELLERY,
    NONE,
    NOTHING,
    PLACE,
    PLACES,
    PRIVATE,
    RESOLVE,
    RESOURCES,
    RIVER,
    STEP_FIELD,
    TOOL_MAKER,
    TRADER,
)
from balance.protocol import apply, score

(
    LOST_TRACK_OF_FIGURES,
    TOO_MANY_FIGURES,
    CROWDED_PLACE,
    VILLAGE_OVERFULL,
    LOST_TRACK_OF_CARDS,
    LOST_TRACK_OF_TILES,
    STOCK_BELOW_ZERO,
    GOODS_MOVED_IN_PLACING,
    PRICE_NOT_PAID,
    POINTS_ARE_NOT_THE_WORTH,
    A_TRACK_FELL,
    A_TRACK_TOO_FAR,
    SCORE_IS_NOT_ITS_SOURCES,
    CARDS_ARE_NOT_COUNTED,
    NOTHING_TO_DO,
    UNFINISHED,
) = range(16)


def audit(found, acts_played, lineups, rules, bots, desks, seed, games, seats, limit):
    """Play `games` games, game i being block i; count in `found` what broke, in `acts_played[0]` the acts."""
    desk = desks[0]
    for game in range(games):
        lineup = lineups[game * seats : (game + 1) * seats]
        desk.state = desk.blank
        state = desk.state
        state.seats = seats
        open_table(state, rules[0], bots, lineup, desk.rng, desk, 3, seed, game, game)
        for _ in range(limit):
            if state.over:
                break
            act = decide(state, rules[0], bots, lineup, desk.rng, desk)
            if act < 0:
                found[NOTHING_TO_DO] += 1
                break
            desk.copies[0] = state
            apply(state, rules[0], act, desk.rng)
            acts_played[0] += 1
            check_figures(state, rules[0], found)
            check_cards(state, rules[0], found)
            check_tiles(state, desk.copies[0], rules[0], found)
            check_goods(state, desk.copies[0], rules[0], act, found)
            check_tracks(state, desk.copies[0], rules[0], found)
        if not state.over:
            found[UNFINISHED] += 1


def check_figures(state, rules, found):
    """All figures are on their board or on a place, and no place has too many."""
    village = 0
    for place in range(PLACES):
        crowd, players = 0, 0
        for seat in range(state.seats):
            crowd += state.players[seat].at[place]
            players += 1 if state.players[seat].at[place] > 0 else 0
        found[LOST_TRACK_OF_FIGURES] += crowd != state.crowd[place]
        if FOREST <= place <= RIVER:
            found[CROWDED_PLACE] += crowd > rules.gather_room or players > rules.gatherers
        elif TOOL_MAKER <= place < CARD + CARD_PLACES + 5:
            found[CROWDED_PLACE] += players > 1 or crowd > 2
        if TOOL_MAKER <= place <= TRADER and crowd > 0:
            village += 1
    found[VILLAGE_OVERFULL] += village > rules.village_places
    for seat in range(state.seats):
        player = state.players[seat]
        figures = player.idle
        for place in range(PLACES):
            figures += player.at[place]
        found[LOST_TRACK_OF_FIGURES] += figures != player.figures or player.idle < 0
        found[TOO_MANY_FIGURES] += player.figures > rules.figures_most


def check_cards(state, rules, found):
    """Every card in play is in the deck, on display or with one player, and players' cards are counted."""
    seen, times = 0, 0
    for index in range(state.deck_left):
        seen |= bit(state.deck[index])
        times += 1
    for place in range(CARD_PLACES):
        if state.display[place] != NONE:
            seen |= bit(state.display[place])
            times += 1
    for seat in range(state.seats):
        player = state.players[seat]
        symbols, people = 0, 0
        for card in range(rules.cards_all):
            if player.cards & bit(card) != 0:
                found[LOST_TRACK_OF_CARDS] += seen & bit(card) != 0
                seen |= bit(card)
                times += 1
                symbols += 1 if rules.cards[card].symbol != NONE else 0
                people += rules.cards[card].people
        for symbol in player.symbols:
            symbols -= symbol
        for number in player.people:
            people -= number
        found[CARDS_ARE_NOT_COUNTED] += symbols != 0 or people != 0
        found[CARDS_ARE_NOT_COUNTED] += player.secret & ~player.cards != 0
    for card in range(rules.cards_all):
        found[LOST_TRACK_OF_CARDS] += rules.cards[card].in_play != (1 if seen & bit(card) != 0 else 0)
        times -= rules.cards[card].in_play
    found[LOST_TRACK_OF_CARDS] += times != 0


def check_tiles(state, before, rules, found):
    """Every building in play is in one stack or the box, or with the player who built it."""
    left, built, seen = 0, 0, 0
    for stack in range(state.seats):
        left += state.height[stack]
        built += before.height[stack] - state.height[stack]
        found[LOST_TRACK_OF_TILES] += state.height[stack] < 0
    for seat in range(state.seats):
        built -= state.players[seat].buildings - before.players[seat].buildings
        left += state.players[seat].buildings
    found[LOST_TRACK_OF_TILES] += built != 0 or left != state.seats * rules.stack_height
    for index in range(state.tiles_all):
        found[LOST_TRACK_OF_TILES] += state.tiles[index] != before.tiles[index]
        seen |= bit(state.tiles[index])
    for tile in range(rules.tiles_all):
        found[LOST_TRACK_OF_TILES] += rules.tiles[tile].in_play != (1 if seen & bit(tile) != 0 else 0)


def check_goods(state, before, rules, act, found):
    """No stock falls below zero; placing moves no goods; a purchase takes its price and gives its worth."""
    for seat in range(state.seats):
        player, was = state.players[seat], before.players[seat]
        found[STOCK_BELOW_ZERO] += player.food < 0 or player.choice < 0 or player.owed < 0
        for good in range(GOODS):
            found[STOCK_BELOW_ZERO] += player.goods[good] < 0
        if before.phase == PLACE and state.phase == PLACE and state.turn == before.turn:
            found[GOODS_MOVED_IN_PLACING] += player.food != was.food
            for good in range(GOODS):
                found[GOODS_MOVED_IN_PLACING] += player.goods[good] != was.goods[good]
    if before.phase == RESOLVE and TAKE <= act < PAY_OTHERWISE and act < TAKE + PLACES:
        check_purchase(state, before, rules, act - TAKE, found)


def check_purchase(state, before, rules, place, found):
    """What leaves the stock is the price, where what is bought gives no goods; points follow the payment."""
    seat = before.seat
    player, was = state.players[seat], before.players[seat]
    entry = rules.tiles[bill_of(before, rules, place)]
    gives = entry.gives
    if place < BUILDING:
        gives = rules.cards[before.display[place - CARD]].gives
    quiet = gives == NOTHING or gives == GAIN_POINTS or gives == GAIN_TOOL
    quiet = quiet or gives == STEP_FIELD or gives == GAIN_FOOD or gives == GAIN_FIGURE
    if not quiet:
        return
    number, worth, wrong = 0, 0, 0
    for resource in range(RESOURCES):
        paid = was.goods[resource] - player.goods[resource]
        number += paid
        worth += rules.worth[resource] * paid
        wrong += 1 if paid < 0 or (entry.most == 0 and paid != entry.cost[resource]) else 0
    jewels = was.goods[JEWELLERY] - player.goods[JEWELLERY]
    if entry.most > 0:
        wrong += 1 if number < entry.least or number > entry.most else 0
    if entry.jewels == 0:
        wrong += 1 if jewels != entry.cost[JEWELLERY] else 0
    found[PRICE_NOT_PAID] += wrong
    gained = player.points_buildings - was.points_buildings
    if place < BUILDING:
        found[POINTS_ARE_NOT_THE_WORTH] += gained != 0
    elif entry.jewels > 0:
        found[POINTS_ARE_NOT_THE_WORTH] += gained != jewels * entry.jewel_points
    elif gives == NOTHING:
        found[POINTS_ARE_NOT_THE_WORTH] += gained != worth


def check_tracks(state, before, rules, found):
    """Figures, tools, agriculture and trade only rise, and not beyond their ends; the score is its sources."""
    for seat in range(state.seats):
        player, was = state.players[seat], before.players[seat]
        found[A_TRACK_FELL] += player.figures < was.figures or player.tools < was.tools
        found[A_TRACK_FELL] += player.agriculture < was.agriculture or player.trade < was.trade
        found[A_TRACK_TOO_FAR] += player.tools > rules.tools_most or player.trade > rules.trade_most
        found[A_TRACK_TOO_FAR] += player.agriculture > rules.agriculture_most
        sources = player.points_buildings + player.points_cards + player.points_hunger
        sources += green_points(player) + farmer_points(player) + toolmaker_points(rules, player)
        sources += builder_points(player) + shaman_points(player) + trader_points(player)
        sources += stock_points(rules, player)
        found[SCORE_IS_NOT_ITS_SOURCES] += sources != score(state, rules, seat)
        private = 0
        for own in range(PRIVATE):
            private += 1 if player.own[own] > 0 else 0
        found[LOST_TRACK_OF_TILES] += private > player.buildings
    found[LOST_TRACK_OF_CARDS] += state.deck_left < 0 or card_places(rules) > CARD_PLACES
