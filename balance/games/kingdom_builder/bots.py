"""How the bots play Kingdom Builder: the random one, the greedy one, the planner who looks at whole turns.

The greedy bot takes the act that adds most, one settlement at a time. The planner looks at all ways to
build the settlements of its turn. Both value a settlement as `outlook` says, by the weights of their style.
"""

from balance.bots.uniform import uniform
from balance.dice import unit
from balance.games import Weight
from balance.games.kingdom_builder.acts import DRAW, END, PLAY, PUT, USE, hex_used, is_use, kind_used
from balance.games.kingdom_builder.board import first_bit
from balance.games.kingdom_builder.choices import is_beside_own, open_in
from balance.games.kingdom_builder.outlook import (
    NOTHING,
    best_worth,
    gold,
    keepsake,
    later_in,
    settle,
    survey,
    worth,
    worth_of_move,
)
from balance.games.kingdom_builder.state import BEFORE, BUILDING, PLAY_CARD, SIDE

KINDS = ("random", "greedy", "planner")
RANDOM, GREEDY, PLANNER = range(3)
ANY = -1  # in place of the settlement that a set must name first

WEIGHTS = (
    Weight("castles", "gold of castles, as a part of what they pay", 0.75),
    Weight("fishermen", "gold of Fishermen, as a part of what they pay", 1.2),
    Weight("miners", "the same of Miners", 1.0),
    Weight("workers", "the same of Workers", 0.6),
    Weight("merchants", "the same of Merchants", 0.6),
    Weight("discoverers", "the same of Discoverers", 0.6),
    Weight("knights", "the same of Knights", 0.7),
    Weight("hermits", "the same of Hermits", 1.0),
    Weight("citizens", "the same of Citizens", 1.4),
    Weight("lords", "the same of Lords", 0.6),
    Weight("farmers", "the same of Farmers", 1.1),
    Weight("oracle", "an Oracle tile at the start, in gold; less as the supply shrinks", 1.0),
    Weight("farm", "a Farm tile, likewise", 6.0),
    Weight("oasis", "an Oasis tile, likewise", 4.0),
    Weight("tower", "a Tower tile, likewise", 3.0),
    Weight("tavern", "a Tavern tile, likewise", 4.0),
    Weight("barn", "a Barn tile, likewise", 3.0),
    Weight("harbor", "a Harbor tile, likewise", 6.0),
    Weight("paddock", "a Paddock tile, or one of an own location, likewise", 3.0),
    Weight("reach", "coming nearer to a location or castle to be connected, as a part of its gold", 1.5),
    Weight("freedom", "keeping away from terrains that own settlements do not touch yet, in gold each", 1.4),
    Weight("contest", "a quadrant in which the numbers are close, as a part of the gold of Lords", 0.5),
    Weight("lines", "a line that is not the longest yet, as a part of the gold of Knights", 0.25),
    Weight("extra", "an extra settlement in itself, in gold", 0.2),
    Weight("stir", "what a move must gain to be made, in gold", 0.1),
    Weight("movers", "how many settlements are thought about for a move", 5.0),
    Weight("whim", "chance in what an act is worth, at most, in gold", 0.01),
)


def choose(state, rules, bot, acts, count, rng, desk):
    """Play by the bot's kind."""
    if bot.kind == RANDOM:
        return uniform(acts, count, rng)
    if state.phase == PLAY_CARD:
        return best_card(state, rules, bot, acts, count, rng, desk)
    if bot.kind == PLANNER:
        return planned(state, rules, bot, acts, count, rng, desk)
    return greedy(state, rules, bot, acts, count, rng, desk)


def barred(state, rules, bot, act):
    """Restricted play: tiles of a location that are never used."""
    return is_use(act) and bot.bars >> kind_used(act) & 1 != 0


def value(state, rules, bot, seat):
    """The gold there is, as the bot counts it."""
    return 1.0 * gold(state, rules, bot, seat)


# The greedy bot


def greedy(state, rules, bot, acts, count, rng, desk):
    """Return the act that adds most."""
    judge(state, rules, bot, acts, count, rng, desk)
    return best_of(acts, count, desk)


def best_of(acts, count, desk):
    """Return the act with the highest value; ties go to the first."""
    best = 0
    for i in range(1, count):
        if desk.values[i] > desk.values[best]:
            best = i
    return acts[best]


def judge(state, rules, bot, acts, count, rng, desk):
    """Write into `desk.values` what each act adds."""
    seat = state.seat
    seen = survey(state, rules, seat)
    lifts = False
    for i in range(count):
        act = acts[i]
        if act == END or act == DRAW:
            desk.values[i] = 0.0
            continue
        if act >= PUT:
            desk.values[i] = worth(state, rules, bot, seat, act - PUT, seen)
        elif act < USE:
            desk.values[i] = worth(state, rules, bot, seat, act, seen)
        elif rules.kinds[kind_used(act)].moves:
            desk.values[i] = NOTHING
            lifts = True
            continue
        else:
            desk.values[i] = bot.extra + worth(state, rules, bot, seat, hex_used(act), seen)
        desk.values[i] += bot.whim * unit(rng)
    if lifts:
        judge_lifts(state, rules, bot, acts, count, desk, seen)


def judge_lifts(state, rules, bot, acts, count, desk, seen):
    """Judge the moves of those settlements that are worth least where they stand."""
    seat = state.seat
    for i in range(count):
        if is_use(acts[i]) and rules.kinds[kind_used(acts[i])].moves:
            desk.values[i] = NOTHING - keepsake(state, rules, bot, seat, hex_used(acts[i]), seen)
    before = gold(state, rules, bot, seat)
    for kind in range(rules.kind_count):
        if state.players[seat].ready[kind] and rules.kinds[kind].moves:
            for _ in range(int(bot.movers)):
                best = -1
                for i in range(count):
                    if is_use(acts[i]) and kind_used(acts[i]) == kind and desk.values[i] < NOTHING / 2:
                        if best < 0 or desk.values[i] > desk.values[best]:
                            best = i
                if best < 0:
                    break
                gain = worth_of_move(state, rules, bot, seat, kind, hex_used(acts[best]), before, desk)
                desk.values[best] = max(gain - bot.stir, NOTHING / 4)


def best_card(state, rules, bot, acts, count, rng, desk):
    """Of several terrain cards play the one whose best settlement adds most."""
    for i in range(count):
        terrain = acts[i] - PLAY
        if bot.kind == PLANNER:
            desk.copies[2] = state
            left = min(rules.builds, state.players[state.seat].supply)
            desk.values[i] = best_turn(
                desk.copies[2], state, ANY, rules, bot, state.seat, terrain, left, desk
            )
        else:
            desk.values[i] = best_worth(state, rules, bot, state.seat, terrain, rules.adjacency)
        desk.values[i] += bot.whim * unit(rng)
    return best_of(acts, count, desk)


# The planner


def planned(state, rules, bot, acts, count, rng, desk):
    """Return the act that begins the best turn: of the settlements to build, all ways are looked at."""
    judge(state, rules, bot, acts, count, rng, desk)
    if (state.phase != BEFORE and state.phase != BUILDING) or acts[0] == DRAW:
        return best_of(acts, count, desk)
    seat, left = state.seat, state.to_build
    best, extra = 0, -1
    for i in range(count):
        if acts[i] < USE:
            if left > 1:
                desk.copies[2] = state
                settle(desk.copies[2], rules, seat, acts[i])
                desk.values[i] += best_turn(
                    desk.copies[2], state, acts[i], rules, bot, seat, state.card, left - 1, desk
                )
            if desk.values[i] > desk.values[best]:
                best = i
        elif rules.kinds[kind_used(acts[i])].moves == 0:
            if extra < 0 or desk.values[i] > desk.values[extra]:
                extra = i
    if extra >= 0 and desk.values[extra] > 0.0:
        desk.copies[2] = state
        settle(desk.copies[2], rules, seat, hex_used(acts[extra]))
        after = best_turn(desk.copies[2], state, ANY, rules, bot, seat, state.card, left, desk)
        if after > desk.values[best] + bot.stir:
            return acts[extra]
    return acts[best]


def best_turn(state, before, spot, rules, bot, seat, terrain, left, desk):
    """Return the most that the settlements left to build can add, of which up to three are looked at.

    Where one was just built on `spot`, only those sets count that name it first; NOTHING if there is none.
    Uses copies 0 and 1.
    """
    if left == 1:
        return best_last(state, before, spot, rules, bot, seat, terrain)
    if left == 2:
        return best_pair(state, before, spot, rules, bot, seat, terrain, desk)
    now = rules.adjacency and is_beside_own(state, seat, terrain)
    was = rules.adjacency and is_beside_own(before, seat, terrain)
    seen = survey(state, rules, seat)
    free, near = state.free[terrain], state.players[seat].near
    best, open_ = NOTHING, False
    for row in range(SIDE):
        open_ = open_ or open_in(free, near, terrain, now, row) != 0
        found = later_in(state, before, seat, terrain, now, was, spot, row)
        while found:
            first = row * SIDE + first_bit(found)
            found &= found - 1
            desk.copies[1] = state
            settle(desk.copies[1], rules, seat, first)
            rest = best_pair(desk.copies[1], state, first, rules, bot, seat, terrain, desk)
            best = max(best, worth(state, rules, bot, seat, first, seen) + rest)
    return best if open_ else 0.0


def best_pair(state, before, spot, rules, bot, seat, terrain, desk):
    """Return the most that two settlements can add, as `best_turn` does. Uses copy 0."""
    now = rules.adjacency and is_beside_own(state, seat, terrain)
    was = rules.adjacency and is_beside_own(before, seat, terrain)
    seen = survey(state, rules, seat)
    free, near = state.free[terrain], state.players[seat].near
    best, open_ = NOTHING, False
    for row in range(SIDE):
        open_ = open_ or open_in(free, near, terrain, now, row) != 0
        found = later_in(state, before, seat, terrain, now, was, spot, row)
        while found:
            first = row * SIDE + first_bit(found)
            found &= found - 1
            desk.copies[0] = state
            settle(desk.copies[0], rules, seat, first)
            rest = best_last(desk.copies[0], state, first, rules, bot, seat, terrain)
            best = max(best, worth(state, rules, bot, seat, first, seen) + rest)
    return best if open_ else 0.0


def best_last(state, before, spot, rules, bot, seat, terrain):
    """Return the most that the last settlement can add, as `best_turn` does."""
    now = rules.adjacency and is_beside_own(state, seat, terrain)
    was = rules.adjacency and is_beside_own(before, seat, terrain)
    seen = survey(state, rules, seat)
    free, near = state.free[terrain], state.players[seat].near
    best, open_ = NOTHING, False
    for row in range(SIDE):
        open_ = open_ or open_in(free, near, terrain, now, row) != 0
        found = later_in(state, before, seat, terrain, now, was, spot, row)
        while found:
            last = row * SIDE + first_bit(found)
            found &= found - 1
            best = max(best, worth(state, rules, bot, seat, last, seen))
    return best if open_ else 0.0
