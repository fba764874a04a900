"""What a settlement is worth to a bot: the gold it adds, the tile it takes, and what it leads to.

Gold is counted by what changes, since a bot looks at a hundred hexes for one decision. What that needs
to know of the position as a whole is surveyed once, into a few numbers.
"""

import numpy as np

from balance.games.kingdom_builder.board import (
    bit_in,
    first_bit,
    kind_of,
    lift,
    place,
    quadrant_of,
    size,
    touched,
    touches,
)
from balance.games.kingdom_builder.choices import ends_line, free_rows, is_beside_own, open_in
from balance.games.kingdom_builder.locations import special_hex, stands_by
from balance.games.kingdom_builder.scoring import card_points, farmers, knights, lord_of
from balance.games.kingdom_builder.state import (
    BUILDABLE,
    CARDS,
    CITIZENS,
    DIRECTIONS,
    DISCOVERERS,
    FARMERS,
    FISHERMEN,
    HERMITS,
    JUMP,
    KNIGHTS,
    LINE,
    LORDS,
    MERCHANTS,
    MINERS,
    QUADRANTS,
    SIDE,
    SPECIALS,
    TERRAINS,
    WORKERS,
)

NOTHING = -1e9  # worth of what cannot be done


def affinity(bot, card):
    """Return how much the bot makes of a card's gold."""
    if card == FISHERMEN:
        return bot.fishermen
    if card == MINERS:
        return bot.miners
    if card == WORKERS:
        return bot.workers
    if card == MERCHANTS:
        return bot.merchants
    if card == DISCOVERERS:
        return bot.discoverers
    if card == KNIGHTS:
        return bot.knights
    if card == HERMITS:
        return bot.hermits
    if card == CITIZENS:
        return bot.citizens
    return bot.lords if card == LORDS else bot.farmers


def tile_worth(bot, kind):
    """Return what the bot makes of a location's tile at the start of the game."""
    if kind == 0:
        return bot.oracle
    if kind == 1:
        return bot.farm
    if kind == 2:
        return bot.oasis
    if kind == 3:
        return bot.tower
    if kind == 4:
        return bot.tavern
    if kind == 5:
        return bot.barn
    return bot.harbor if kind == 6 else bot.paddock


def gold(state, rules, bot, seat):
    """The gold of `seat` as the bot counts it."""
    worth = bot.castles * rules.castle_gold * size(touched(state.players[seat]) & state.castles)
    for card in range(CARDS):
        if state.in_play >> card & 1:
            worth += affinity(bot, card) * card_points(state, rules, card, seat)
    return worth


# The position as a whole


def survey(state, rules, seat):
    """Return what a settlement's worth depends on: numbers of the position as a whole.

    The longest line, the largest group, the locations and castles connected, those touched, the terrains
    next to own settlements (a bit each), the fewest settlements of a quadrant, and how many have so few.
    """
    player = state.players[seat]
    longest = knights(player) if state.in_play >> KNIGHTS & 1 else 0
    sizes, links_of, near = player.group_size, player.group_touches, player.near
    largest, connected, met = 0, 0, 0
    for group in range(1, player.groups + 1):
        links = links_of[group]
        met |= links
        if links & (links - 1):
            connected |= links
        largest = max(largest, sizes[group])
    beside = 0
    for terrain in range(TERRAINS):
        free, found = state.free[terrain], 0
        for row in range(SIDE):
            found |= free[row] & near[row]
        if found:
            beside |= 1 << terrain
    fewest = farmers(player)
    weakest = 0
    for quadrant in range(QUADRANTS):
        weakest += player.in_quadrant[quadrant] == fewest
    return longest, largest, connected, met, beside, fewest, weakest


def worth(state, rules, bot, seat, spot, seen):
    """What a settlement of `seat` on `spot` adds."""
    longest, largest, connected, met, beside, fewest, weakest = seen
    player = state.players[seat]
    row, column = spot // SIDE, spot % SIDE
    links = touches(state, rules, spot)
    late = player.supply / rules.settlements
    total = worth_of_ground(state, rules, bot, player, row, column, longest)
    total += worth_of_quadrant(state, rules, bot, seat, quadrant_of(spot), fewest, weakest)
    total += worth_of_group(state, rules, bot, player, spot, links, largest, connected, late)
    if links:
        total += bot.castles * rules.castle_gold * size(links & state.castles & ~met)
        total += late * worth_of_tiles(state, bot, player, links)
    if bot.freedom != 0.0:
        total -= bot.freedom * late * new_terrains(state, rules, spot, beside)
    return total


def worth_of_ground(state, rules, bot, player, row, column, longest):
    """Cards that look at the hex, or at its line."""
    in_play = state.in_play
    total = 0.0
    if in_play >> FISHERMEN & 1 and state.beside_water[row] & ~state.water[row] & 1 << column:
        total += bot.fishermen * rules.cards[FISHERMEN].gold
    if in_play >> MINERS & 1 and state.beside_mountain[row] & 1 << column:
        total += bot.miners * rules.cards[MINERS].gold
    if in_play >> WORKERS & 1 and state.beside_special[row] & 1 << column:
        total += bot.workers * rules.cards[WORKERS].gold
    if in_play >> DISCOVERERS & 1 and player.houses[row] == 0:
        total += bot.discoverers * rules.cards[DISCOVERERS].gold
    if in_play >> KNIGHTS & 1:
        here = size(player.houses[row]) + 1
        if here > longest:
            total += bot.knights * rules.cards[KNIGHTS].gold
        else:
            total += bot.lines * bot.knights * rules.cards[KNIGHTS].gold * here / (longest + 1)
    return total


def worth_of_quadrant(state, rules, bot, seat, quadrant, fewest, weakest):
    """Lords and Farmers: one more in this quadrant, for oneself and against the others."""
    in_play = state.in_play
    total = 0.0
    own = state.players[seat].in_quadrant[quadrant]
    if in_play >> FARMERS & 1 and own == fewest:
        total += bot.farmers * rules.cards[FARMERS].gold / weakest
    if in_play >> LORDS & 1:
        gain = lord_of(state, rules, seat, quadrant, own + 1) - lord_of(state, rules, seat, quadrant, own)
        contest = 0.0
        for other in range(state.seats):
            if other != seat:
                ahead = own - state.players[other].in_quadrant[quadrant]
                contest = max(contest, 1.0 / (1.0 + abs(ahead)))
        share = bot.contest * contest * rules.cards[LORDS].gold
        total += bot.lords * (gain + share)
    return total


def worth_of_group(state, rules, bot, player, spot, links, largest, connected, late):
    """Hermits, Citizens and Merchants: the groups that the settlement joins."""
    in_play = state.in_play
    if in_play & (1 << HERMITS | 1 << CITIZENS | 1 << MERCHANTS) == 0:
        return 0.0
    joined, groups, members = np.int64(0), 0, 1
    near, houses = rules.next_to[spot], player.houses
    for direction in range(DIRECTIONS):
        other = near[direction]
        if other >= 0 and bit_in(houses, other):
            group = state.group[other]
            if joined >> group & 1 == 0:
                joined |= np.int64(1) << group
                groups += 1
                members += player.group_size[group]
                links |= player.group_touches[group]
    total = 0.0
    if in_play >> HERMITS & 1:
        total += bot.hermits * rules.cards[HERMITS].gold * (1 - groups)
    if in_play >> CITIZENS & 1 and members > largest:
        card = rules.cards[CITIZENS]
        total += bot.citizens * card.gold * (members - largest) / card.per
    if in_play >> MERCHANTS & 1:
        after = connected | links if links & (links - 1) else connected
        price = bot.merchants * rules.cards[MERCHANTS].gold
        total += price * size(after & ~connected)
        if bot.reach != 0.0 and links:
            total += bot.reach * late * price * nearness(state, rules, spot, after | links)
    return total


def nearness(state, rules, spot, known):
    """One over the distance to the nearest location or castle not among those `known`; 0 if none is left."""
    row = spot // SIDE
    slant = spot % SIDE - (row - row % 2) // 2
    nearest = 2 * SIDE
    for quadrant in range(QUADRANTS):
        for special in range(rules.sections[state.section[quadrant]].specials):
            number = SPECIALS * quadrant + special
            if known >> number & 1 == 0:
                goal = special_hex(state, rules, number)
                down = goal // SIDE
                across = goal % SIDE - (down - down % 2) // 2 - slant
                down -= row
                nearest = min(nearest, max(abs(across), abs(down), abs(across + down)))
    return 1.0 / nearest if nearest < 2 * SIDE else 0.0


def worth_of_tiles(state, bot, player, links):
    """The tiles that a settlement here takes."""
    total = 0.0
    for number in range(QUADRANTS * SPECIALS):
        if links >> number & 1 and state.tiles[number] and player.visited >> number & 1 == 0:
            total += tile_worth(bot, state.location[number // SPECIALS])
    return total


def new_terrains(state, rules, spot, beside):
    """Count the terrains that own settlements would touch for the first time: each binds later ones."""
    found = 0
    near, free = rules.next_to[spot], state.free[BUILDABLE]
    for direction in range(DIRECTIONS):
        other = near[direction]
        if other >= 0 and bit_in(free, other):
            found |= 1 << kind_of(state, rules, other)
    return size(found & ~beside)


# The best hex of many


def later_in(state, before, seat, on, now, was, spot, row):
    """Return the open hexes of a row that come after `spot`, or that the settlement there opened.

    `before` is the game without that settlement; `now` and `was` say whether one must build next to one's
    own. So each set of settlements is looked at in one order only. With `spot` -1 all are returned.
    """
    found = open_in(free_rows(state, on), state.players[seat].near, on, now, row)
    if row <= spot // SIDE:
        earlier = open_in(free_rows(before, on), before.players[seat].near, on, was, row)
        if row == spot // SIDE:
            earlier &= (1 << spot % SIDE) - 1
        found &= ~earlier
    return found


def best_worth(state, rules, bot, seat, on, adjacent):
    """Return the most that one settlement on a hex of the kind can add; NOTHING if there is none."""
    adjacent = adjacent and is_beside_own(state, seat, on)
    free, near = free_rows(state, on), state.players[seat].near
    seen = survey(state, rules, seat)
    best = NOTHING
    for row in range(SIDE):
        found = open_in(free, near, on, adjacent, row)
        while found:
            spot = row * SIDE + first_bit(found)
            found &= found - 1
            best = max(best, worth(state, rules, bot, seat, spot, seen))
    return best


def settle(state, rules, seat, spot):
    """Put a settlement from the supply on a copy of the game, and take its tile, as far as a bot needs it."""
    player = state.players[seat]
    player.supply -= 1
    player.visited |= touches(state, rules, spot)
    place(state, rules, seat, spot)


# Moves


def keepsake(state, rules, bot, seat, spot, seen):
    """Guess what a settlement is worth where it stands, so as to move those that are worth least."""
    in_play = state.in_play
    longest, largest, connected, _met, _beside, fewest, _weakest = seen
    player = state.players[seat]
    row, column = spot // SIDE, spot % SIDE
    total = worth_of_ground(state, rules, bot, player, row, column, longest)
    group = state.group[spot]
    members = player.group_size[group]
    if in_play >> HERMITS & 1 and members == 1:
        total += bot.hermits * rules.cards[HERMITS].gold
    if in_play >> CITIZENS & 1 and members == largest:
        total += bot.citizens * rules.cards[CITIZENS].gold / rules.cards[CITIZENS].per
    if in_play >> MERCHANTS & 1 and player.group_touches[group] & connected:
        total += bot.merchants * rules.cards[MERCHANTS].gold
    if in_play >> FARMERS & 1 and player.in_quadrant[quadrant_of(spot)] <= fewest:
        total += bot.farmers * rules.cards[FARMERS].gold
    if bit_in(state.beside_special, spot):
        total += bot.castles
    return total


def worth_of_move(state, rules, bot, seat, kind, spot, before, desk):
    """What the settlement on `spot` gains by a move with such a tile, from the gold `before`. Uses copy 3."""
    desk.copies[3] = state
    copy = desk.copies[3]
    lift(copy, rules, seat, spot)
    change = gold(copy, rules, bot, seat) - before
    change -= worth_of_lost_tiles(copy, rules, bot, seat, spot)
    used = rules.kinds[kind]
    if used.on == JUMP:
        return change + best_jump(copy, rules, bot, seat, spot)
    if used.on == LINE:
        return change + best_line_end(copy, rules, bot, seat)
    return change + best_worth(copy, rules, bot, seat, used.on, used.adjacent and rules.adjacency)


def worth_of_lost_tiles(copy, rules, bot, seat, origin):
    """The tiles lost with the last settlement at a location."""
    player = copy.players[seat]
    left = touches(copy, rules, origin) & player.holds
    total = 0.0
    if left:
        for number in range(QUADRANTS * SPECIALS):
            if left >> number & 1 and not stands_by(copy, rules, player, number):
                total += tile_worth(bot, copy.location[number // SPECIALS])
    return total * player.supply / rules.settlements


def best_jump(copy, rules, bot, seat, origin):
    """Return the most that a jump from `origin` adds."""
    seen = survey(copy, rules, seat)
    best = NOTHING
    for direction in range(DIRECTIONS):
        spot = rules.jumps[origin][direction]
        if spot >= 0 and bit_in(copy.free[BUILDABLE], spot):
            best = max(best, worth(copy, rules, bot, seat, spot, seen))
    return best


def best_line_end(copy, rules, bot, seat):
    """Return the most that a settlement at the end of a line adds."""
    seen = survey(copy, rules, seat)
    player = copy.players[seat]
    free, near = copy.free[BUILDABLE], player.near
    best = NOTHING
    for row in range(SIDE):
        found = open_in(free, near, LINE, True, row)
        while found:
            spot = row * SIDE + first_bit(found)
            found &= found - 1
            if ends_line(rules, player, spot):
                best = max(best, worth(copy, rules, bot, seat, spot, seen))
    return best
