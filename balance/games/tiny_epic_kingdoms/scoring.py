"""The end of the game and its scores (rulebook p. 10)."""

from balance.games.tiny_epic_kingdoms.board import bit, can_move, regions_of, size
from balance.games.tiny_epic_kingdoms.exploration import city_points, crown_points, found_of
from balance.games.tiny_epic_kingdoms.powers import (
    FULL_STOCK,
    SCORES,
    VP,
    VP_HIGHEST_CASTLE,
    VP_HOME_FREE,
    VP_IN_RUINS_MOST,
    VP_MOST_MEEPLES,
    VP_MOST_WARS_WON,
    VP_NEAR_WATER,
    VP_NEAR_WATER_MOST,
    VP_PER_ALLY,
    VP_PER_FOREIGN_TERRITORY,
    VP_PER_FULL_STOCK,
    VP_PER_MEEPLE_IN_RUINS,
    VP_PER_PLAYER_WITH_LESS_MANA,
    VP_PER_REGION,
    VP_PER_REGION_MOST,
    WARS_WON_LEAST,
    power,
)
from balance.games.tiny_epic_kingdoms.state import (
    CAPITAL,
    MANA,
    PLACES,
    RESOURCES,
    RUINS,
    TERRAINS,
    TERRITORIES,
    TOKENS,
)

MEEPLES_TRIGGER, CASTLE_TRIGGER, MAGIC_TRIGGER = 1, 2, 4
RUINS_LOSE_ALL, RUINS_LOSE_SEARCHERS, RUINS_LOSE_NONE = range(3)


def triggers(state, rules):
    """Return which of the three conditions some player meets now, as a bit mask (p. 10)."""
    met = 0
    for seat in range(state.seats):
        player = state.players[seat]
        if player.meeples >= rules.trigger_meeples:
            met |= MEEPLES_TRIGGER
        if player.castle >= rules.trigger_castle:
            met |= CASTLE_TRIGGER
        if player.magic >= rules.trigger_magic:
            met |= MAGIC_TRIGGER
    return met


def standing(state, rules, seat):
    """Return the regions where `seat` counts at the end: meeples in ruins are lost (p. 10)."""
    player = state.players[seat]
    if rules.ruins_score == RUINS_LOSE_ALL:
        return player.here & ~state.of_terrain[RUINS]
    if rules.ruins_score == RUINS_LOSE_SEARCHERS:
        return can_move(player)
    return player.here


def meeples_that_count(state, rules, seat):
    """Count the meeples in play but for those lost in ruins."""
    player = state.players[seat]
    if rules.ruins_score == RUINS_LOSE_ALL:
        ruins = state.of_terrain[RUINS]
        return player.meeples - size(player.here & ruins) - size(player.twice & ruins)
    if rules.ruins_score == RUINS_LOSE_SEARCHERS:
        return player.meeples - size(player.down) - size(player.twice_down)
    return player.meeples


def meeple_points(state, rules, seat):
    """One point for each meeple in play, but for those in ruins."""
    return rules.meeple_vp * meeples_that_count(state, rules, seat)


def castle_points(state, rules, seat):
    """As printed on the castle card for the level reached."""
    castle = state.players[seat].castle
    return rules.castle_vp[castle - 1] if castle > 0 else 0


def magic_points(state, rules, seat):
    """One point for each level of magic."""
    return rules.magic_vp * state.players[seat].magic


def capital_points(state, rules, seat):
    """Two points for a capital held alone, one each for two allies in it."""
    points = 0
    capitals = state.of_terrain[CAPITAL] & state.players[seat].here
    if capitals == 0:
        return points
    for region in range(PLACES):
        if capitals & bit(region):
            alone = True
            for other in range(state.seats):
                if other != seat and state.players[other].here & bit(region):
                    alone = False
            points += rules.capital_vp if alone else rules.capital_vp_shared
    return points


def neutral_points(state, rules, seat):
    """One point for each neutral meeple defeated (p. 12)."""
    return rules.neutral_vp * state.players[seat].neutrals


def lost_points(state, rules, seat):
    """One point for each region of the Lost Kingdom where the player has a meeple (p. 12)."""
    if state.lost == 0:
        return 0
    return rules.lost_region_vp * size(standing(state, rules, seat) & state.lost)


def token_points(state, rules, seat):
    """Points for the crown and for cities held (p. 11)."""
    return crown_points(state, seat) + city_points(state, rules, standing(state, rules, seat))


def nation_points(state, rules, seat):
    """What the nation's powers give at the end."""
    if power(state, rules, seat, SCORES) == 0:
        return 0
    points = power(state, rules, seat, VP)
    points += power(state, rules, seat, VP_HIGHEST_CASTLE) * has_highest_castle(state, seat)
    points += power(state, rules, seat, VP_MOST_MEEPLES) * has_most_meeples(state, rules, seat)
    points += power(state, rules, seat, VP_HOME_FREE) * is_home_free(state, rules, seat)
    points += power(state, rules, seat, VP_PER_ALLY) * count_allies(state, rules, seat)
    foreign = power(state, rules, seat, VP_PER_FOREIGN_TERRITORY)
    if foreign != 0:
        points += foreign * count_foreign_territories(state, rules, seat)
    points += power(state, rules, seat, VP_PER_PLAYER_WITH_LESS_MANA) * count_poorer_in_mana(state, seat)
    points += power(state, rules, seat, VP_PER_FULL_STOCK) * count_full_stocks(state, rules, seat)
    points += power(state, rules, seat, VP_MOST_WARS_WON) * has_won_most_wars(state, rules, seat)
    points += water_points(state, rules, seat) + ruins_points(state, rules, seat)
    return points + region_points(state, rules, seat)


def has_highest_castle(state, seat):
    """Say whether no castle is higher; 0 or 1."""
    for other in range(state.seats):
        if state.players[other].castle > state.players[seat].castle:
            return 0
    return 1


def has_most_meeples(state, rules, seat):
    """Say whether no one has more meeples; 0 or 1."""
    for other in range(state.seats):
        if meeples_that_count(state, rules, other) > meeples_that_count(state, rules, seat):
            return 0
    return 1


def is_home_free(state, rules, seat):
    """Say whether no other player stands in the home territory; 0 or 1."""
    for other in range(state.seats):
        if other != seat and standing(state, rules, other) & regions_of(seat):
            return 0
    return 1


def count_allies(state, rules, seat):
    """Count the players with whom a region is shared."""
    allies = 0
    for other in range(state.seats):
        if other != seat and standing(state, rules, seat) & standing(state, rules, other):
            allies += 1
    return allies


def count_foreign_territories(state, rules, seat):
    """Count the territories other than home with a meeple of `seat`."""
    count = 0
    for territory in range(TERRITORIES):
        if territory != seat and standing(state, rules, seat) & regions_of(territory):
            count += 1
    return count


def count_poorer_in_mana(state, seat):
    """Count the players who hold less mana."""
    count = 0
    for other in range(state.seats):
        if state.players[other].goods[MANA] < state.players[seat].goods[MANA]:
            count += 1
    return count


def count_full_stocks(state, rules, seat):
    """Count the kinds of resource held in the quantity that the power asks for."""
    enough = power(state, rules, seat, FULL_STOCK)
    count = 0
    for resource in range(RESOURCES):
        if state.players[seat].goods[resource] >= enough:
            count += 1
    return count


def has_won_most_wars(state, rules, seat):
    """Say whether `seat` won as many wars as the power asks for, and no one more; 0 or 1.

    A neutral meeple is defeated in a war like any other (p. 12).
    """
    won = state.players[seat].wars_won + state.players[seat].neutrals
    if won < power(state, rules, seat, WARS_WON_LEAST):
        return 0
    for other in range(state.seats):
        if state.players[other].wars_won + state.players[other].neutrals > won:
            return 0
    return 1


def water_points(state, rules, seat):
    """Points for holding regions of water or beside it, up to the power's most."""
    each = power(state, rules, seat, VP_NEAR_WATER)
    if each == 0:
        return 0
    points = each * size(standing(state, rules, seat) & state.wet)
    return up_to(points, power(state, rules, seat, VP_NEAR_WATER_MOST))


def ruins_points(state, rules, seat):
    """Points for the meeples that are lost in ruins, up to the power's most."""
    each = power(state, rules, seat, VP_PER_MEEPLE_IN_RUINS)
    if each == 0:
        return 0
    lost = state.players[seat].meeples - meeples_that_count(state, rules, seat)
    return up_to(each * lost, power(state, rules, seat, VP_IN_RUINS_MOST))


def up_to(points, most):
    """Return the points, but not more than `most`; 0 is no limit."""
    return min(points, most) if most > 0 else points


def region_points(state, rules, seat):
    """Points for holding regions of a terrain, up to the power's most."""
    points = 0
    for terrain in range(TERRAINS):
        each = power(state, rules, seat, VP_PER_REGION + terrain)
        if each != 0:
            points += each * size(state.of_terrain[terrain] & state.players[seat].here)
    return up_to(points, power(state, rules, seat, VP_PER_REGION_MOST))


def score(state, rules, seat):
    """Return the points of `seat` if the game ended now."""
    points = meeple_points(state, rules, seat) + castle_points(state, rules, seat)
    points += magic_points(state, rules, seat) + capital_points(state, rules, seat)
    points += neutral_points(state, rules, seat) + lost_points(state, rules, seat)
    if rules.exploration:
        points += token_points(state, rules, seat)
    return points + nation_points(state, rules, seat) + rules.start_vp_by_seat[seat]


def is_ahead(state, rules, seat, other):
    """Say whether `seat` ranks before `other`: points, then the four tie-breaks in order (p. 10)."""
    mine, theirs = score(state, rules, seat), score(state, rules, other)
    if mine != theirs:
        return mine > theirs
    if rules.tie_ruins:
        mine, theirs = state.players[seat].meeples, state.players[other].meeples
    else:
        mine, theirs = meeples_that_count(state, rules, seat), meeples_that_count(state, rules, other)
    if mine != theirs:
        return mine > theirs
    mine, theirs = state.players[seat].castle, state.players[other].castle
    if mine != theirs:
        return mine > theirs
    mine, theirs = state.players[seat].magic, state.players[other].magic
    if mine != theirs:
        return mine > theirs
    return stock(state.players[seat]) > stock(state.players[other])


def stock(player):
    """Return the sum of all resources."""
    return player.goods[0] + player.goods[1] + player.goods[2]


def rank(state, rules, seat):
    """Return the place of `seat`, 1 for the first; players whom nothing parts share it."""
    place = 1
    for other in range(state.seats):
        if other != seat and is_ahead(state, rules, other, seat):
            place += 1
    return place


def tally(state, rules, row, seat_rows):
    """Write what to remember of the game."""
    row.wars = state.wars
    row.pacts = state.pacts
    row.trigger = state.final
    row.final_turn = state.final_turn
    row.lost_kingdom = state.lost_side
    row.neutrals_left = size(state.neutral)
    row.tokens_left = size(state.covered)
    for seat in range(state.seats):
        player, kept = state.players[seat], seat_rows[seat]
        kept.score = score(state, rules, seat)
        kept.rank = rank(state, rules, seat)
        kept.turned = player.side != kept.territory
        kept.points_meeples = meeple_points(state, rules, seat)
        kept.points_castle = castle_points(state, rules, seat)
        kept.points_magic = magic_points(state, rules, seat)
        kept.points_capital = capital_points(state, rules, seat)
        kept.points_nation = nation_points(state, rules, seat)
        kept.points_neutrals = neutral_points(state, rules, seat)
        kept.points_lost = lost_points(state, rules, seat)
        kept.points_position = rules.start_vp_by_seat[seat]
        kept.castle = player.castle
        kept.magic = player.magic
        kept.meeples = player.meeples
        kept.mana = player.goods[0]
        kept.ore = player.goods[1]
        kept.food = player.goods[2]
        kept.attacks = player.attacks
        kept.wars_won = player.wars_won
        kept.wars_lost = player.wars_lost
        kept.alliances = player.alliances
        kept.breaches = player.breaches
        kept.retreats = player.retreats
        kept.meeples_lost = player.meeples_lost
        kept.searches = player.searches
        kept.collections = player.collections
        kept.castle_done = player.castle_done if player.castle_done > 0 else -1
        kept.magic_done = player.magic_done if player.magic_done > 0 else -1
        kept.meeples_done = player.meeples_done if player.meeples_done > 0 else -1
        tally_tokens(state, rules, kept, seat)
        kept.neutrals = player.neutrals
        kept.first_neutral = player.first_neutral if player.first_neutral > 0 else -1


def tally_tokens(state, rules, kept, seat):
    """Write what the exploration tokens brought a seat."""
    player = state.players[seat]
    kept.points_crown = crown_points(state, seat)
    kept.points_city = city_points(state, rules, standing(state, rules, seat))
    kept.found_crown = found_of(player, 0)
    kept.found_treasure = found_of(player, 1)
    kept.found_bandits = found_of(player, 2)
    kept.found_dragon_lair = found_of(player, 3)
    kept.found_camp = found_of(player, 4)
    kept.found_fort = found_of(player, 5)
    kept.found_city = found_of(player, 6)
    kept.found_church = found_of(player, 7)
    kept.found_blank = found_of(player, 8)
    found = 0
    for kind in range(TOKENS):
        found += found_of(player, kind)
    kept.found_tokens = found
    kept.tolls = player.tolls
    kept.meeples_robbed = player.meeples_robbed
    kept.camp_goods = player.camp_goods
    kept.fort_attacks = player.fort_attacks
    kept.burnings = player.burnings
    kept.rescues = player.rescues
