"""Regions and the meeples in them: where one may stand, go, and who is there already."""

import numpy as np

from balance.games.tiny_epic_kingdoms.powers import OCCUPY_WATER, WAYS, power
from balance.games.tiny_epic_kingdoms.state import MEEPLES, PLACES, REGIONS, RUINS, WATER


def bit(region):
    """Return the set that holds `region` alone."""
    return np.int64(1) << region


def territory_of(region):
    """Return the territory that `region` lies on."""
    return region // REGIONS


def regions_of(territory):
    """Return the set of all regions that a territory may have."""
    return np.int64((1 << REGIONS) - 1) << (territory * REGIONS)


def side_of(state, territory):
    """Return the side of the card that lies as this territory."""
    return state.players[territory].side if territory < state.seats else state.lost_side


def size(regions):
    """Count the regions of a set."""
    count = 0
    while regions != 0:
        regions &= regions - 1
        count += 1
    return count


def members(regions, found):
    """Write the regions of a set into `found`, in order; return how many there are."""
    count = 0
    for region in range(PLACES):
        if regions & bit(region):
            found[count] = region
            count += 1
    return count


def count_here(player, region):
    """Return how many meeples the player has in `region`."""
    if player.twice & bit(region):
        return 2
    return 1 if player.here & bit(region) else 0


def count_down(player, region):
    """Return how many of them search ruins, lying down."""
    if player.twice_down & bit(region):
        return 2
    return 1 if player.down & bit(region) else 0


def can_move(player):
    """Return the regions from which the player can move: one who searches lies down and can't (p. 9)."""
    all_down = (player.down & ~player.twice) | player.twice_down
    return player.here & ~all_down


def others(state, seat):
    """Return the regions where any other player has a meeple, or a neutral one stands."""
    regions = state.neutral
    for other in range(state.seats):
        if other != seat:
            regions |= state.players[other].here
    return regions


def full(state):
    """Return the regions with two meeples, of whatever colour: no one may enter (p. 5)."""
    once = 0
    twice = 0
    for seat in range(state.seats):
        player = state.players[seat]
        twice |= player.twice | (once & player.here)
        once |= player.here
    return twice


def last_meeples(state, seat):
    """Return the regions where another player's last meeple in play stands: it can't be attacked (p. 5)."""
    regions = 0
    for other in range(state.seats):
        if other != seat and state.players[other].meeples == 1:
            regions |= state.players[other].here
    return regions


def ground(state, rules, seat):
    """Return the regions that meeples of `seat` may stand in: the land, and by a power water too (p. 9)."""
    if power(state, rules, seat, WAYS) > 0 and power(state, rules, seat, OCCUPY_WATER) > 0:
        return state.land | state.of_terrain[WATER]
    return state.land


def open_to_move(state, rules, seat):
    """Return the regions that a meeple of `seat` may move into, war or no war (p. 5)."""
    regions = ground(state, rules, seat) & ~full(state) & ~last_meeples(state, seat)
    if state.players[seat].meeples == 1:
        regions &= ~others(state, seat) | state.neutral  # a neutral meeple is no player's (a ruling)
    return regions


def gain(state, rules, seat, resource, number):
    """Add to a stock, which never passes the cap (p. 9)."""
    goods = state.players[seat].goods
    goods[resource] = min(rules.cap, goods[resource] + number)


def holder(state, seat, region):
    """Return the other player who has a meeple in `region`, or -1."""
    for other in range(state.seats):
        if other != seat and state.players[other].here & bit(region):
            return other
    return -1


def shared(state, seat, other):
    """Return the regions where both players have a meeple: their alliances, but for a war going on."""
    return state.players[seat].here & state.players[other].here


def arrive(state, seat, region):
    """Put a meeple into `region`; in ruins it lies down to search (p. 9)."""
    player = state.players[seat]
    if player.here & bit(region):
        player.twice |= bit(region)
    player.here |= bit(region)
    if state.terrain[region] == RUINS:
        lie_down(player, region)


def lie_down(player, region):
    """Lay one standing meeple of the region on its side."""
    if player.down & bit(region):
        player.twice_down |= bit(region)
    player.down |= bit(region)


def stand_up(player, region):
    """Stand one meeple up that lay on its side."""
    if player.twice_down & bit(region):
        player.twice_down &= ~bit(region)
    else:
        player.down &= ~bit(region)


def depart(state, seat, region):
    """Take one meeple out of `region`, a standing one if there is one."""
    player = state.players[seat]
    if count_down(player, region) == count_here(player, region):
        stand_up(player, region)
    if player.twice & bit(region):
        player.twice &= ~bit(region)
    else:
        player.here &= ~bit(region)


def join(state, rules, seat, region):
    """Add a meeple from the supply in `region`; in ruins it lies down (a ruling)."""
    player = state.players[seat]
    arrive(state, seat, region)
    if not rules.newcomers_search and count_down(player, region) > 0:
        stand_up(player, region)
    player.meeples += 1
    if player.meeples == MEEPLES:
        player.meeples_done = state.turn + 1


def nearest_free(state, region):
    """Return the free regions nearest to `region`, for a last meeple that has to leave it (p. 7).

    First by steps within the territory; if none is free there, the free edge regions of the other
    territories, then any free region. Empty if there is none at all.
    """
    taken = state.neutral
    for seat in range(state.seats):
        taken |= state.players[seat].here
    free = state.land & ~taken
    reached = bit(region)
    for _ in range(REGIONS):
        wider = reached
        for place in range(PLACES):
            if reached & bit(place):
                wider |= state.near[place] & state.land
        if wider & ~reached & free:
            return wider & ~reached & free
        reached = wider
    if free & regions_of(territory_of(region)):
        return free & regions_of(territory_of(region))
    if free & state.edge:
        return free & state.edge
    return free
