"""Exploration tokens (rulebook p. 10-12): face down until a meeple enters their region.

`state.tokens` has for each kind the regions where it lies, seen or not; `state.covered` the regions whose
token no one has seen, and `state.unseen` how many of each kind that can be.
"""

import numpy as np

from balance.dice import at, below
from balance.games.tiny_epic_kingdoms.acts import BURN, COVER, GOODS, PAY, REMOVE, RESCUE, SPARE
from balance.games.tiny_epic_kingdoms.board import arrive, bit, depart, full, gain, regions_of, size
from balance.games.tiny_epic_kingdoms.state import (
    FOOD,
    FOREST,
    FOUND_BITS,
    MANA,
    MEET_BANDITS,
    MOUNTAIN,
    NEUTRAL,
    ORE,
    PLACE_TOKEN,
    PLACES,
    PLAINS,
    REGIONS,
    RUINS,
    USE_LAIR,
)

DEAL_TOKENS = 8193  # the event of the deal


# Set-up (p. 10, with five players p. 12)


def shuffle_tokens(state, rules):
    """All tokens are there and unseen, but for the blanks that are taken out."""
    out = rules.blanks_out
    for kind in range(rules.token_kinds):
        token = rules.tokens[kind]
        state.unseen[kind] = token.count
        if is_blank(token):
            taken = min(out, token.count)
            state.unseen[kind] -= taken
            out -= taken


def is_blank(token):
    """Say whether a kind of token does nothing."""
    if token.gain > 0 or token.rob > 0 or token.keep > 0:
        return False
    return token.stays == 0


def cover_all(state, rules, stream):
    """A token goes face down into every region without starting meeples, as far as there are tokens."""
    state.covered = state.land
    if not rules.lost_tokens:
        state.covered &= ~state.lost
    for seat in range(state.seats):
        state.covered &= ~state.players[seat].here
    at(stream, DEAL_TOKENS)
    while size(state.covered) > tokens_unseen(state, rules):
        drawn = below(stream, size(state.covered))
        for region in range(PLACES):
            if state.covered & bit(region):
                if drawn == 0:
                    state.covered &= ~bit(region)
                drawn -= 1


def ask_to_place(state, rules):
    """Ask the next player who has tokens to place in the home territory; say whether there is one."""
    for seat in range(state.seats):
        placed = size(state.covered & regions_of(seat))
        if placed < rules.home_tokens and room_for_token(state, seat) != 0:
            state.seat, state.phase = seat, PLACE_TOKEN
            return True
    return False


def room_for_token(state, seat):
    """Return the regions of the home territory that have neither meeples nor a token."""
    return regions_of(seat) & state.land & ~state.players[seat].here & ~state.covered


def legal_covers(state, acts):
    """Place a token in a free region at home."""
    room, count = room_for_token(state, state.seat), 0
    for place in range(REGIONS):
        if room & bit(state.seat * REGIONS + place):
            acts[count] = COVER + place
            count += 1
    return count


def deal_tokens(state, rules, stream):
    """Deal the unseen tokens face down to the regions that have one, every way as likely as any other."""
    for kind in range(rules.token_kinds):
        state.tokens[kind] &= ~state.covered
    left = tokens_unseen(state, rules)
    for region in range(PLACES):
        if state.covered & bit(region):
            kind = nth_unseen(state, below(stream, left))
            state.tokens[kind] |= bit(region)
            state.unseen[kind] -= 1
            left -= 1
    for kind in range(rules.token_kinds):
        state.unseen[kind] += size(state.tokens[kind] & state.covered)


def nth_unseen(state, drawn):
    """Return the kind of the unseen token of this number, from 0, in the order of the kinds."""
    kind = 0
    while drawn >= state.unseen[kind]:
        drawn -= state.unseen[kind]
        kind += 1
    return kind


def tokens_unseen(state, rules):
    """Count the tokens that no one has seen."""
    count = 0
    for kind in range(rules.token_kinds):
        count += state.unseen[kind]
    return count


# Turning a token over


def found_of(player, kind):
    """Return how many tokens of a kind the player has turned over."""
    return player.found >> (kind * FOUND_BITS) & ((1 << FOUND_BITS) - 1)


def explore(state, rules, seat, region):
    """A meeple has entered: the token that lies face down here is turned over."""
    state.covered &= ~bit(region)
    player = state.players[seat]
    if state.veiled:
        player.mysteries += 1
        return
    kind = kind_at(state, rules, region)
    token = rules.tokens[kind]
    state.unseen[kind] -= 1
    player.found += np.int64(1) << (kind * FOUND_BITS)
    player.owed += token.gain
    if token.keep > 0:
        player.kept += 1
        player.kept_vp += token.keep
    if token.rob > 0:
        state.robbed, state.robbed_in, state.toll = seat, region, token.rob
    if token.stays:
        state.sites |= bit(region)
    else:
        state.tokens[kind] &= ~bit(region)


def kind_at(state, rules, region):
    """Return the kind of the token in `region`, which has one."""
    for kind in range(rules.token_kinds):
        if state.tokens[kind] & bit(region):
            return kind
    return 0


def veil(state, rules):
    """Take the unseen tokens out of a bot's mind: it knows that there is one, and does not guess which."""
    state.veiled = 1
    for kind in range(rules.token_kinds):
        state.tokens[kind] &= ~state.covered


def in_the_open(state, kind):
    """Return the regions where a token of this kind lies face up."""
    return state.tokens[kind] & ~state.covered


# Bandits


def ask_of_bandits(state):
    """Ask the player who has met bandits to pay or to give the meeple up."""
    if state.toll == 0:
        return False
    state.seat, state.phase = state.robbed, MEET_BANDITS
    return True


def legal_tolls(state, acts):
    """Any resources, as many as are asked for, or the meeple; a last meeple stays if they cannot be paid."""
    player = state.players[state.robbed]
    goods, count = player.goods, 0
    for mana in range(min(goods[MANA], state.toll) + 1):
        for ore in range(min(goods[ORE], state.toll - mana) + 1):
            food = state.toll - mana - ore
            if food <= goods[FOOD]:
                acts[count] = PAY + (mana * GOODS + ore) * GOODS + food
                count += 1
    if player.meeples > 1:
        acts[count] = REMOVE + state.robbed_in
        count += 1
    elif count == 0:
        acts[0] = PAY
        count = 1
    return count


def meet_bandits(state, act):
    """Pay or be removed; the bandits are gone."""
    player = state.players[state.robbed]
    if act >= REMOVE:
        depart(state, state.robbed, state.robbed_in)
        player.meeples -= 1
        player.meeples_robbed += 1
    else:
        paid = act - PAY
        player.goods[MANA] -= paid // (GOODS * GOODS)
        player.goods[ORE] -= paid // GOODS % GOODS
        player.goods[FOOD] -= paid % GOODS
        player.tolls += min(state.toll, paid // (GOODS * GOODS) + paid // GOODS % GOODS + paid % GOODS)
    state.toll = 0


# The dragon's lair


def ask_of_lair(state, rules):
    """Ask the winner of a war who holds a dragon's lair whether the loser's castle shall fall."""
    war = state.war
    if war.asked_of_lair or war.loser == NEUTRAL:
        return False
    war.asked_of_lair = 1
    if state.players[war.loser].castle == 0 or lair_levels(state, rules, war.winner) == 0:
        return False
    state.seat, state.phase = war.winner, USE_LAIR
    return True


def lair_levels(state, rules, seat):
    """Return how many levels the lairs that `seat` holds can take."""
    levels = 0
    if state.sites & state.players[seat].here == 0:
        return levels
    for kind in range(rules.token_kinds):
        if rules.tokens[kind].lower_castle > 0:
            held = in_the_open(state, kind) & state.players[seat].here
            levels += rules.tokens[kind].lower_castle * size(held)
    return levels


def legal_lairs(acts):
    """Let the castle stand, or have it fall."""
    acts[0] = SPARE
    acts[1] = BURN
    return 2


def use_lair(state, rules, act):
    """The castle falls, and the meeple that lost may retreat for nothing."""
    if act == SPARE:
        return
    war = state.war
    loser = state.players[war.loser]
    levels = min(loser.castle, lair_levels(state, rules, war.winner))
    loser.castle -= levels
    state.players[war.winner].burnings += levels
    war.burnt = 1


# The crown


def hand_over(state):
    """The loser of a war hands what it keeps of the tokens over to the winner."""
    winner, loser = state.players[state.war.winner], state.players[state.war.loser]
    winner.kept += loser.kept
    winner.kept_vp += loser.kept_vp
    loser.kept = 0
    loser.kept_vp = 0


# Camp, fort, church


def collect_from_camps(state, rules, seat):
    """A camp's region gives more of its resource; in ruins, to a meeple that searches there."""
    player = state.players[seat]
    if state.sites & player.here == 0:
        return
    for kind in range(rules.token_kinds):
        more = rules.tokens[kind].collect
        if more == 0:
            continue
        camps = in_the_open(state, kind) & player.here
        if camps == 0:
            continue
        found = more * size(camps & state.of_terrain[FOREST])
        gain(state, rules, seat, MANA, found)
        player.camp_goods += found
        found = more * size(camps & state.of_terrain[MOUNTAIN])
        gain(state, rules, seat, ORE, found)
        player.camp_goods += found
        found = more * size(camps & state.of_terrain[PLAINS])
        gain(state, rules, seat, FOOD, found)
        player.camp_goods += found
        found = more * size(camps & state.of_terrain[RUINS] & player.down)
        player.owed += found
        player.camp_goods += found


def fort_discount(state, rules, seat, region, origin):
    """Return what forts take off the attacker's number; who marches out of one still holds it."""
    less = 0
    player = state.players[seat]
    held = player.here & ~bit(region)
    if rules.fort_marches:
        held |= bit(origin)
    elif not player.here & bit(region):  # asked before the move: a single meeple will have left the fort
        held &= ~bit(origin) | player.twice
    held &= state.sites
    if held == 0:
        return less
    for kind in range(rules.token_kinds):
        if rules.tokens[kind].attack_discount > 0:
            less += rules.tokens[kind].attack_discount * size(in_the_open(state, kind) & held)
    return less


def churches(state, rules, seat):
    """Return the regions with a church where `seat` has a meeple and there is room for one more."""
    found = np.int64(0)
    if state.sites & state.players[seat].here == 0:
        return found
    for kind in range(rules.token_kinds):
        if rules.tokens[kind].rescue:
            found |= in_the_open(state, kind)
    return found & state.players[seat].here & ~full(state)


def legal_rescues(state, rules, region, acts, count):
    """Add the ways to move the meeple of `region`, in place of its loss, to a church."""
    goals = churches(state, rules, state.seat)
    if goals == 0:
        return count
    for goal in range(PLACES):
        if goals & bit(goal):
            acts[count] = RESCUE + region * PLACES + goal
            count += 1
    return count


def rescue(state, rules, act):
    """Move the meeple; the church is gone. Returns the region it left."""
    region, goal = (act - RESCUE) // PLACES, (act - RESCUE) % PLACES
    depart(state, state.seat, region)
    arrive(state, state.seat, goal)
    state.tokens[kind_at(state, rules, goal)] &= ~bit(goal)
    state.sites &= ~bit(goal)
    state.players[state.seat].rescues += 1
    return region


# Points


def crown_points(state, seat):
    """Points for the tokens kept: the crown."""
    return state.players[seat].kept_vp


def city_points(state, rules, held):
    """Points for the tokens in the regions `held`: cities."""
    points = 0
    if state.sites & held == 0:
        return points
    for kind in range(rules.token_kinds):
        if rules.tokens[kind].vp > 0:
            points += rules.tokens[kind].vp * size(in_the_open(state, kind) & held)
    return points
