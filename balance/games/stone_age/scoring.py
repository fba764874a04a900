"""Points: those gained in the game, and the final scoring (base rules; p. 8 for rings and traders)."""

from balance.games.stone_age.state import (
    BUILDER,
    FARMER,
    JEWELLERY,
    ONE_USE,
    RESOURCES,
    SHAMAN,
    SYMBOLS,
    TOOLMAKER,
    TRADERS,
)


def green_points(player):
    """Score sets of different symbols by their number, squared; what is there twice begins a new set."""
    points = 0
    copies = 1
    while True:
        different = 0
        for symbol in range(SYMBOLS):
            if player.symbols[symbol] >= copies:
                different += 1
        if different == 0:
            return points
        points += different * different
        copies += 1


def tools_that_count(rules, player):
    """Return the tools by which toolmakers are multiplied: the tiles, not those for one use (a ruling)."""
    tools = player.tools
    if rules.one_use_count:
        for slot in range(ONE_USE):
            tools += player.one_use[slot]
    return tools


def farmer_points(player):
    """Farmers times agriculture."""
    return player.people[FARMER] * player.agriculture


def toolmaker_points(rules, player):
    """Toolmakers times the sum of the tools."""
    return player.people[TOOLMAKER] * tools_that_count(rules, player)


def builder_points(player):
    """Hut builders times buildings."""
    return player.people[BUILDER] * player.buildings


def shaman_points(player):
    """Shamans times figures."""
    return player.people[SHAMAN] * player.figures


def trader_points(player):
    """Traders times the level of trade (p. 8)."""
    return player.people[TRADERS] * player.trade


def stock_points(rules, player):
    """A point for each resource left, those that a card still keeps included; none for jewellery."""
    points = rules.jewellery_points * player.goods[JEWELLERY] + rules.resource_points * player.choice
    for resource in range(RESOURCES):
        points += rules.resource_points * player.goods[resource]
    return points


def score(state, rules, seat):
    """Return the points a player would have if the game ended now."""
    player = state.players[seat]
    points = player.points_buildings + player.points_cards + player.points_hunger
    points += green_points(player) + farmer_points(player) + toolmaker_points(rules, player)
    points += builder_points(player) + shaman_points(player) + trader_points(player)
    return points + stock_points(rules, player)


def is_ahead(state, rules, seat, other):
    """Compare two players: by points, then by agriculture, tools and figures together."""
    mine, theirs = score(state, rules, seat), score(state, rules, other)
    if mine != theirs:
        return mine > theirs
    return means(state.players[seat]) > means(state.players[other])


def means(player):
    """Sum agriculture, tools and figures, for the tie-break."""
    return player.agriculture + player.tools + player.figures


def tally(state, rules, row, seat_rows):
    """Write the game's columns."""
    row.ended_by = state.ended
    row.cards_left = state.deck_left
    for seat in range(state.seats):
        player, out = state.players[seat], seat_rows[seat]
        out.score = score(state, rules, seat)
        out.rank = 1
        for other in range(state.seats):
            if is_ahead(state, rules, other, seat):
                out.rank += 1
        out.points_buildings = player.points_buildings
        out.points_cards = player.points_cards
        out.points_green = green_points(player)
        out.points_farmers = farmer_points(player)
        out.points_toolmakers = toolmaker_points(rules, player)
        out.points_builders = builder_points(player)
        out.points_shamans = shaman_points(player)
        out.points_traders = trader_points(player)
        out.points_stock = stock_points(rules, player)
        out.points_hunger = player.points_hunger
        out.figures = player.figures
        out.tools = player.tools
        out.agriculture = player.agriculture
        out.trade_level = player.trade
        out.buildings = player.buildings
        out.cards_bought = player.cards_bought
        out.cards_drawn = player.cards_drawn
        out.hungry_rounds = player.hungry
        out.trades_made = player.trades_made
        out.hunts = player.hunts
        out.hut_visits = player.hut_visits
        out.food = player.food
        out.jewellery = player.goods[JEWELLERY]
