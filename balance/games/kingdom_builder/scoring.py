"""Gold at the end: ten kinds of card, of which three are in play, and the castles (rulebook p. 6)."""

from balance.games.kingdom_builder.board import size, touched
from balance.games.kingdom_builder.state import (
    CARDS,
    CITIZENS,
    DISCOVERERS,
    FISHERMEN,
    GROUPS,
    HERMITS,
    KNIGHTS,
    LORDS,
    MERCHANTS,
    MINERS,
    QUADRANTS,
    SIDE,
    WORKERS,
)


def score(state, rules, seat):
    """All cards in play, and the castles."""
    gold = castle_points(state, rules, seat)
    for card in range(CARDS):
        gold += card_points(state, rules, card, seat)
    return gold


def card_points(state, rules, card, seat):
    """The gold that a card pays; nothing if it is not in play."""
    if state.in_play >> card & 1 == 0:
        return 0
    gold = rules.cards[card].gold
    if card == FISHERMEN:
        return gold * fishermen(state, seat)
    if card == MINERS:
        return gold * count_in(state.players[seat], state.beside_mountain)
    if card == WORKERS:
        return gold * count_in(state.players[seat], state.beside_special)
    if card == MERCHANTS:
        return gold * merchants(state.players[seat])
    if card == DISCOVERERS:
        return gold * discoverers(state.players[seat])
    if card == KNIGHTS:
        return gold * knights(state.players[seat])
    if card == HERMITS:
        return gold * hermits(state.players[seat])
    if card == CITIZENS:
        return gold * (citizens(state.players[seat]) // rules.cards[card].per)
    if card == LORDS:
        return lords(state, rules, seat)
    return gold * farmers(state.players[seat])


def count_in(player, rows):
    """Count the player's settlements that stand in a set of hexes."""
    houses = player.houses
    count = 0
    for row in range(SIDE):
        count += size(houses[row] & rows[row])
    return count


def fishermen(state, seat):
    """Settlements next to water; those on water don't count."""
    houses, beside, water = state.players[seat].houses, state.beside_water, state.water
    count = 0
    for row in range(SIDE):
        count += size(houses[row] & beside[row] & ~water[row])
    return count


def merchants(player):
    """Locations and castles that own settlements connect to at least one other."""
    links = player.group_touches
    connected = 0
    for group in range(1, GROUPS):
        met = links[group]
        if met & (met - 1):
            connected |= met
    return size(connected)


def discoverers(player):
    """Horizontal lines with at least one own settlement."""
    houses = player.houses
    count = 0
    for row in range(SIDE):
        count += houses[row] != 0
    return count


def knights(player):
    """Settlements on the one horizontal line that has most of them."""
    houses = player.houses
    most = 0
    for row in range(SIDE):
        most = max(most, size(houses[row]))
    return most


def hermits(player):
    """Groups of settlements, single ones too."""
    sizes = player.group_size
    count = 0
    for group in range(1, GROUPS):
        count += sizes[group] != 0
    return count


def citizens(player):
    """Settlements of the largest group."""
    sizes = player.group_size
    most = 0
    for group in range(1, GROUPS):
        most = max(most, sizes[group])
    return most


def lords(state, rules, seat):
    """In each quadrant the most settlements pay in full, the next most half; ties are paid in full."""
    gold = 0
    for quadrant in range(QUADRANTS):
        gold += lord_of(state, rules, seat, quadrant, state.players[seat].in_quadrant[quadrant])
    return gold


def lord_of(state, rules, seat, quadrant, own):
    """The gold of one quadrant, if `seat` had `own` settlements there."""
    if own == 0 and rules.lords_zero == 0:
        return 0
    above, step = 0, 0  # how many different counts are larger, up to two
    for other in range(state.seats):
        count = state.players[other].in_quadrant[quadrant]
        if other != seat and count > own and count != above:
            above = count
            step += 1
    if step == 0:
        return rules.cards[LORDS].gold
    return rules.cards[LORDS].second if step == 1 else 0


def farmers(player):
    """Settlements in the quadrant where the player has fewest."""
    fewest = player.in_quadrant[0]
    for quadrant in range(1, QUADRANTS):
        fewest = min(fewest, player.in_quadrant[quadrant])
    return fewest


def castle_points(state, rules, seat):
    """Each castle that an own settlement touches."""
    return rules.castle_gold * size(touched(state.players[seat]) & state.castles)
