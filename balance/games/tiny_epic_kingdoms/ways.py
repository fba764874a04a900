"""Ways to go by powers: farther, across water, with two meeples."""

import numpy as np

from balance.games.tiny_epic_kingdoms.acts import JOURNEY, MOVE, RAISE_CASTLE, STAND_UP
from balance.games.tiny_epic_kingdoms.board import (
    bit,
    full,
    ground,
    others,
    regions_of,
    side_of,
    territory_of,
)
from balance.games.tiny_epic_kingdoms.powers import (
    PATROL_ACROSS_WATER,
    PATROL_ANYWHERE,
    PATROL_STEPS,
    PATROL_TWO,
    power,
)
from balance.games.tiny_epic_kingdoms.state import PLACES, REGIONS, RUINS


def reach(state, rules, seat, region):
    """Return the regions of the territory that a Patrol of `seat` can go to by its powers."""
    if power(state, rules, seat, PATROL_ANYWHERE) > 0:
        return regions_of(territory_of(region)) & ~bit(region)
    across = power(state, rules, seat, PATROL_ACROSS_WATER) > 0
    reached = beside(state, rules, bit(region), across)
    steps = power(state, rules, seat, PATROL_STEPS)
    if steps > 0:
        free = ground(state, rules, seat) & ~state.of_terrain[RUINS]
        free &= ~others(state, seat) & ~full(state)  # a war ends a move, and so do ruins
        for _ in range(steps):
            reached |= beside(state, rules, reached & free, across)
    return reached & ~bit(region)


def beside(state, rules, regions, across):
    """Return the regions adjacent to some of `regions`, or across a river or water from them."""
    found = np.int64(0)
    for region in range(PLACES):
        if regions & bit(region):
            found |= state.near[region]
            if across:
                territory = territory_of(region)
                side = rules.sides[side_of(state, territory)]
                found |= side.across[region % REGIONS] << (territory * REGIONS)
    return found


def done_moving(state, player, lying):
    """Return the region of the meeple that has patrolled, unless another there stands (or lies) as well.

    `lying` says which of the two is asked for, 0 or 1.
    """
    region = state.moved
    if region == 0 or region & player.here == 0:
        return np.int64(0)
    if region & player.twice == 0:
        return region
    other_lies = region & (player.twice_down if state.moved_lies else player.down) != 0
    return region if other_lies != (lying != 0) else np.int64(0)


def may_patrol_again(state, rules, act):
    """Note the meeple that has patrolled, and say whether another may by a nation's power."""
    patrolled = MOVE <= act < JOURNEY or STAND_UP <= act < RAISE_CASTLE
    if state.marching or not patrolled or power(state, rules, state.seat, PATROL_TWO) == 0:
        return False
    region = (act - MOVE) % PLACES if act < JOURNEY else act - STAND_UP
    state.moved = bit(region)
    state.moved_lies = 1 if act < JOURNEY and state.terrain[region] == RUINS else 0
    return True
