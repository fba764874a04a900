"""Phase 1: where figures may be put, and what a village has room for."""

from balance.games.stone_age.acts import NUMBERS, PUT
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    CARD_PLACES,
    FIELD,
    FOREST,
    HUNT,
    HUT,
    NONE,
    OWN,
    PLACES,
    PRIVATE,
    RIVER,
    TOOL_MAKER,
    TRADER,
)


def crew(place):
    """Return how many figures a place takes exactly: two in the hut and at the trader, else one."""
    return 2 if place in (HUT, TRADER) else 1


def room_to_gather(state, rules, seat, place):
    """Return how many more figures a forest, clay pit, quarry or river takes from the player."""
    room = rules.gather_room - state.crowd[place]
    if state.players[seat].at[place] > 0:
        return 0
    if rules.gatherers < state.seats and room > 0:
        players = 0
        for other in range(state.seats):
            if state.players[other].at[place] > 0:
                players += 1
        if players >= rules.gatherers:
            return 0
    return room


def village_open(state, rules):
    """Say whether one more place of the village may be used in this round."""
    used = 0
    for place in range(TOOL_MAKER, TRADER + 1):
        if state.crowd[place] > 0:
            used += 1
    return used < rules.village_places


def gains_there(rules, player, place):
    """Say whether a place of the village can still do something for the player."""
    if place == TOOL_MAKER:
        return player.tools < rules.tools_most
    if place == HUT:
        return player.figures < rules.figures_most
    if place == FIELD:
        return player.agriculture < rules.agriculture_most
    return player.trade < rules.trade_most


def open_in_village(state, rules, player, place):
    """Say whether the player may go to a place of the village, another place of it being allowed."""
    if state.crowd[place] > 0 or player.idle < crew(place):
        return False
    if place == TRADER and not rules.expansion:
        return False
    return rules.idle_visits != 0 or gains_there(rules, player, place)


def can_put(state, rules, seat):
    """Say whether the player can put a figure anywhere."""
    player = state.players[seat]
    if player.idle == 0:
        return False
    if player.at[HUNT] == 0:
        return True
    for place in range(FOREST, RIVER + 1):
        if room_to_gather(state, rules, seat, place) > 0:
            return True
    for place in range(CARD, CARD + CARD_PLACES):
        if state.crowd[place] == 0 and state.display[place - CARD] != NONE:
            return True
    for stack in range(state.seats):
        if state.crowd[BUILDING + stack] == 0 and state.height[stack] > 0:
            return True
    for own in range(PRIVATE):
        if player.ready >> own & 1 and player.at[OWN + own] == 0:
            return True
    if village_open(state, rules):
        for place in range(TOOL_MAKER, TRADER + 1):
            if open_in_village(state, rules, player, place):
                return True
    return False


def legal_puts(state, rules, acts):
    """Put one or more figures on one place where the player has none yet in this round."""
    seat = state.seat
    player = state.players[seat]
    count = 0
    if player.at[HUNT] == 0:
        count = add_numbers(HUNT, player.idle, acts, count)
    for place in range(FOREST, RIVER + 1):
        most = min(player.idle, room_to_gather(state, rules, seat, place))
        count = add_numbers(place, most, acts, count)
    if village_open(state, rules):
        for place in range(TOOL_MAKER, TRADER + 1):
            if open_in_village(state, rules, player, place):
                acts[count] = PUT + place * NUMBERS + crew(place)
                count += 1
    for place in range(CARD, CARD + CARD_PLACES):
        if state.crowd[place] == 0 and state.display[place - CARD] != NONE:
            acts[count] = PUT + place * NUMBERS + 1
            count += 1
    for stack in range(state.seats):
        if state.crowd[BUILDING + stack] == 0 and state.height[stack] > 0:
            acts[count] = PUT + (BUILDING + stack) * NUMBERS + 1
            count += 1
    if player.ready != 0:
        for own in range(PRIVATE):
            if player.ready >> own & 1 and player.at[OWN + own] == 0:
                most = min(player.idle, rules.private_figures)
                count = add_numbers(OWN + own, most, acts, count)
    return count


def add_numbers(place, most, acts, count):
    """Add an act for each number of figures from one up to `most`."""
    for figures in range(1, most + 1):
        acts[count] = PUT + place * NUMBERS + figures
        count += 1
    return count


def put(state, seat, place, figures):
    """Put figures of the player's own board on a place."""
    player = state.players[seat]
    player.idle -= figures
    player.at[place] += figures
    state.crowd[place] += figures


def take_back(state, seat, place):
    """Take the player's figures from a place back onto his board; return how many there were."""
    player = state.players[seat]
    figures = player.at[place]
    player.idle += figures
    state.crowd[place] -= figures
    player.at[place] = 0
    return figures


def take_all_back(state, seat):
    """Take back whatever figures the player still has on the board."""
    for place in range(PLACES):
        if state.players[seat].at[place] > 0:
            take_back(state, seat, place)
