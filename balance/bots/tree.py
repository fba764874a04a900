"""Information-set tree search: one tree for all deals that a seat holds possible.

P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2012): each playout deals anew what the seat cannot see and
walks down by the acts that are open in that deal (SO-ISMCTS). An act is chosen by UCB1 over the playouts
in which it was open (P. Auer, N. Cesa-Bianchi, P. Fischer, Machine Learning 47, 2002), for the seat that
makes it. Two aids for wide games: progressive widening (R. Coulom, 2007) lets in acts one by one, the most
promising first, and progressive bias (G. Chaslot et al., 2008) favours at the root what one ply favours.

Where an act stays hidden until others have chosen theirs (`protocol.sealed`), it is not chosen by UCB1, as
if the others' choice were seen, but by regret matching (S. Hart and A. Mas-Colell, Econometrica 68, 2000),
and all acts lead to one and the same node.
"""

import math

from balance.bots.playout import deal, draw_fate, face_fate, judge, play_on
from balance.dice import below, unit
from balance.protocol import apply, choose, sealed, value
from balance.table import options

NONE = -1
HIDDEN = -2  # the act of the one node that follows a sealed choice
CURIOSITY = 0.1  # part of the sealed choices that is made evenly


def tree(state, rules, bots, bot, acts, count, lineup, rng, desk):
    """Return the act tried most often in `bot.mind.playouts` playouts; a sealed one by the mean strategy.

    `desk.values` holds the mean worth of each act; one that was never let in is worth less than nothing.
    """
    seat = state.seat
    order_by_promise(state, rules, bot, acts, count, rng, desk)
    desk.grown = 0
    grow(desk, NONE, NONE, seat)
    for _ in range(bot.mind.playouts):
        deal(state, rules, seat, rng, desk)
        draw_fate(rng, desk)
        face_fate(desk, state.seats)
        desk.scene = desk.root
        depth = descend(desk.scene, rules, bots, bot, acts, count, lineup, rng, desk)
        play_on(desk.scene, rules, bots, bot, seat, lineup, desk)
        judge(desk.scene, rules, bot, desk)
        for step in range(depth):
            learn(desk, step)
    return answer(state, rules, acts, count, rng, desk)


def order_by_promise(state, rules, bot, acts, count, rng, desk):
    """Sort `acts`: first what the bot would play unsearched, then by one ply; `desk.hopes` has 0 .. 1."""
    seat = state.seat
    deal(state, rules, seat, rng, desk)
    draw_fate(rng, desk)
    for i in range(count):
        face_fate(desk, state.seats)
        desk.scene = desk.root
        apply(desk.scene, rules, acts[i], desk.fate)
        desk.hopes[i] = value(desk.scene, rules, bot, seat)
    for i in range(1, count):  # by insertion: few acts, and it keeps the order of equals
        act, hope = acts[i], desk.hopes[i]
        place = i
        while place > 0 and desk.hopes[place - 1] < hope:
            acts[place], desk.hopes[place] = acts[place - 1], desk.hopes[place - 1]
            place -= 1
        acts[place], desk.hopes[place] = act, hope
    most, least = desk.hopes[0], desk.hopes[count - 1]
    for i in range(count):
        desk.hopes[i] = (desk.hopes[i] - least) / (most - least) if most > least else 0.5
        desk.thoughts[i] = acts[i]
    first = choose(state, rules, bot, desk.thoughts, count, desk.fate.seats[seat], desk)
    for i in range(count):
        if acts[i] == first:
            for place in range(i, 0, -1):
                acts[place], desk.hopes[place] = acts[place - 1], desk.hopes[place - 1]
            acts[0], desk.hopes[0] = first, 1.0
            return


def grow(desk, parent, act, seat):
    """Add a node for `act` of `seat` below `parent`; return its number."""
    new = desk.grown
    desk.grown += 1
    node = desk.nodes[new]
    node.act, node.seat = act, seat
    node.child, node.sibling = NONE, NONE
    node.visits, node.open, node.children = 0, 0, 0
    node.total, node.regret, node.weight, node.chance = 0.0, 0.0, 0.0, 0.0
    if parent != NONE:
        node.sibling = desk.nodes[parent].child
        desk.nodes[parent].child = new
        desk.nodes[parent].children += 1
    return new


def descend(scene, rules, bots, bot, acts, count, lineup, rng, desk):
    """Walk down the tree with `scene` until a new node is tried; return how many steps the path has."""
    node, depth = 0, 0
    while not scene.over and depth < len(desk.path):
        mover = scene.seat
        if node == 0:
            open_acts = count
            for i in range(count):
                desk.thoughts[i] = acts[i]
        else:
            open_acts = options(scene, rules, bots[lineup[mover].bot], desk.thoughts)
        if open_acts == 0:
            return depth
        if open_acts == 1:
            apply(scene, rules, desk.thoughts[0], desk.fate)
            continue
        blind = sealed(scene)
        note_open(desk, node, open_acts, mover)
        if blind:
            child = match_regret(desk, node, open_acts, mover, rng)
        else:
            child = choose_child(scene, rules, bots, bot, node, open_acts, mover, desk)
        if child == NONE:  # the tree is full
            return depth
        step = desk.path[depth]
        step.node, step.parent, step.chance = child, node, desk.chance
        depth += 1
        fresh = desk.nodes[child].visits == 0
        apply(scene, rules, desk.nodes[child].act, desk.fate)
        if blind:
            child = beyond(desk, node, mover)
            if child == NONE:
                return depth
        if fresh:
            return depth
        node = child
    return depth


def note_open(desk, node, open_acts, mover):
    """Find the child of each act in `desk.thoughts`, and note that it was open; `desk.found` has it or NONE.

    Chance may bring different seats to move at one node; each has children of its own.
    """
    child = desk.nodes[node].child
    while child != NONE:
        if desk.nodes[child].act >= 0 and desk.nodes[child].seat == mover:
            desk.slots[desk.nodes[child].act] = child + 1
        child = desk.nodes[child].sibling
    for i in range(open_acts):
        desk.found[i] = desk.slots[desk.thoughts[i]] - 1
        if desk.found[i] != NONE:
            desk.nodes[desk.found[i]].open += 1
    child = desk.nodes[node].child
    while child != NONE:
        if desk.nodes[child].act >= 0:
            desk.slots[desk.nodes[child].act] = 0
        child = desk.nodes[child].sibling


def choose_child(scene, rules, bots, bot, node, open_acts, mover, desk):
    """Return the child to try: a new one while the node is not wide enough, else the best by UCB1."""
    here = desk.nodes[node]
    known, best, best_worth = 0, NONE, -1e300
    for i in range(open_acts):
        if desk.found[i] == NONE:
            continue
        known += 1
        child = desk.nodes[desk.found[i]]
        tries = max(child.visits, 1)
        worth = child.total / tries + bot.mind.explore * math.sqrt(math.log(1.0 + child.open) / tries)
        if node == 0:
            worth += bot.mind.bias * desk.hopes[i] / (1.0 + child.visits)
        if worth > best_worth:
            best, best_worth = desk.found[i], worth
    wide = open_acts if bot.mind.width <= 0.0 else 1.0 + bot.mind.width * math.sqrt(1.0 * here.visits)
    here.visits += 1
    if known < open_acts and (known == 0 or known + 1 <= wide) and desk.grown < len(desk.nodes):
        act = next_act(scene, rules, bots, bot, node, open_acts, known, mover, desk)
        if act != NONE:
            best = grow(desk, node, act, mover)
            desk.nodes[best].open = 1
    return best


def next_act(scene, rules, bots, bot, node, open_acts, known, mover, desk):
    """Return the act to let in: at the root by promise, else first what the policy plays, then any."""
    if node == 0:
        for i in range(open_acts):
            if desk.found[i] == NONE:
                return desk.thoughts[i]
    if known == 0:
        policy = bots[bot.mind.policy if mover == desk.nodes[0].seat else bot.mind.rivals]
        return choose(scene, rules, policy, desk.thoughts, open_acts, desk.fate.seats[mover], desk)
    skip = below(desk.fate.seats[mover], open_acts - known)
    for i in range(open_acts):
        if desk.found[i] == NONE:
            if skip == 0:
                return desk.thoughts[i]
            skip -= 1
    return NONE


def match_regret(desk, node, open_acts, mover, rng):
    """Return the child of a sealed choice: mostly in proportion to its regret, sometimes any."""
    for i in range(open_acts):
        if desk.found[i] == NONE:
            if desk.grown == len(desk.nodes):
                return NONE
            desk.found[i] = grow(desk, node, desk.thoughts[i], mover)
            desk.nodes[desk.found[i]].open = 1
    desk.nodes[node].visits += 1
    regrets = 0.0
    for i in range(open_acts):
        regrets += max(desk.nodes[desk.found[i]].regret, 0.0)
    drawn, picked = unit(rng), open_acts - 1
    for i in range(open_acts):
        child = desk.nodes[desk.found[i]]
        part = max(child.regret, 0.0) / regrets if regrets > 0.0 else 1.0 / open_acts
        child.weight += part
        child.chance = (1.0 - CURIOSITY) * part + CURIOSITY / open_acts
        drawn -= child.chance
        if drawn < 0.0 and picked == open_acts - 1:
            picked = i
            drawn = 1e300
    desk.chance = desk.nodes[desk.found[picked]].chance
    return desk.found[picked]


def beyond(desk, node, mover):
    """Return the node that follows a sealed choice at `node`, whatever was chosen."""
    child = desk.nodes[node].child
    while child != NONE:
        if desk.nodes[child].act == HIDDEN:
            return child
        child = desk.nodes[child].sibling
    return grow(desk, node, HIDDEN, mover) if desk.grown < len(desk.nodes) else NONE


def learn(desk, step):
    """Credit one step of the path with what the playout was worth to the seat that made it."""
    path = desk.path[step]
    child = desk.nodes[path.node]
    worth = desk.worth[child.seat]
    child.visits += 1
    child.total += worth
    if child.chance > 0.0:
        sibling = desk.nodes[path.parent].child
        while sibling != NONE:
            desk.nodes[sibling].regret -= worth
            sibling = desk.nodes[sibling].sibling
        child.regret += worth / path.chance


def answer(state, rules, acts, count, rng, desk):
    """Return the act to play and write the mean worth of each into `desk.values`."""
    for i in range(count):
        desk.thoughts[i] = acts[i]
    note_open(desk, 0, count, state.seat)
    best, weights = 0, 0.0
    for i in range(count):
        desk.values[i] = -1.0
        if desk.found[i] != NONE:
            child = desk.nodes[desk.found[i]]
            desk.values[i] = child.total / max(child.visits, 1)
            weights += child.weight
            if desk.found[best] == NONE or child.visits > desk.nodes[desk.found[best]].visits:
                best = i
    if not sealed(state) or weights <= 0.0:
        return acts[best]
    drawn = unit(rng) * weights
    for i in range(count):
        if desk.found[i] != NONE:
            drawn -= desk.nodes[desk.found[i]].weight
            if drawn < 0.0:
                return acts[i]
    return acts[best]
