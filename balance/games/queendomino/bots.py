"""The published bots of Kingdomino.

After M. Gedda, M. Lagerkvist, M. Butler, "Monte Carlo Methods for the Game Kingdomino", IEEE CIG 2018
(arXiv 1807.04458), and the authors' program, which settles what the paper leaves open:

- *greedy placement* places for the most points, and draws the domino to choose at random;
- *full greedy* places and chooses for the most points that can be had once the chosen domino is placed
  as well;
- both begin, until they have placed a domino, with the most crowns on one square;
- both leave out, as long as anything else is left, what moves the castle off the middle or leaves a
  hole of one square (`tidy`);
- of equally good moves each has the same chance.
"""

from balance.bots.uniform import uniform
from balance.dice import below
from balance.games.queendomino.kingdom import centred, centred_with, gain, lay_domino, placements, step
from balance.games.queendomino.rules import final_round
from balance.games.queendomino.state import CASTLE, CHOICES, CHOOSE, ONE, PLACE

NEVER = -1_000_000_000


# --- points and holes -----------------------------------------------------------------------------


def growth(kingdom, rules, domino, act):
    """Return the points that placing `domino` so would bring, bonuses for the castle included."""
    points = gain(kingdom, domino, act)
    if rules.middle_kingdom != 0 and centred(kingdom, rules) and not centred_with(kingdom, rules, act):
        points -= rules.middle_kingdom
    if rules.harmony != 0 and kingdom.placed + 3 == rules.grid * rules.grid:
        points += rules.harmony
    return points


def window(kingdom, rules):
    """Return the squares of the grid that has the castle in its middle, eight bits a row, castle left out."""
    half = rules.grid // 2
    first = CASTLE // 16 - half
    tiles = ONE - 1
    for row in range(2 * half + 1):
        word = kingdom.occupied[(first + row) >> 2] >> (16 * ((first + row) & 3))
        tiles |= ((word >> first) & ((1 << (2 * half + 1)) - 1)) << (8 * row)
    return tiles & ~(ONE << (9 * half))


def window_bits(act, half):
    """Return the two squares of a placement as bits of `window`; they must lie within it."""
    corner = CASTLE // 16 - half
    cell = act >> 2
    low = ONE << (8 * ((cell >> 4) - corner) + (cell & 15) - corner)
    return low | (low << (1 if step(act & 3) == 1 else 8))


def has_hole(tiles, half):
    """Say whether an empty square of the window is shut in by squares and the window's edge.

    The castle shuts nothing in.
    """
    row = (ONE << (2 * half + 1)) - 1
    area = row
    for _ in range(2 * half):
        area = (area << 8) | row
    free = area & ~tiles
    shut = free & ~((free << 1) | (free >> 1) | (free << 8) | (free >> 8))
    return shut & ~(ONE << (9 * half)) != 0


def is_tidy(kingdom, rules, tiles, act):
    """Say whether a placement keeps the castle in the middle and leaves no hole; `tiles` is the window."""
    half = rules.grid // 2
    return centred_with(kingdom, rules, act) and not has_hole(tiles | window_bits(act, half), half)


def can_be_tidy(kingdom, rules, bot):
    """Say whether the kingdom has its castle in the middle and no hole yet, and the bot cares."""
    half = rules.grid // 2
    return bot.tidy > 0 and centred(kingdom, rules) and not has_hole(window(kingdom, rules), half)


# --- choosing among equals ------------------------------------------------------------------------


def best_of(acts, count, rng, desk):
    """Return an act of the highest of `desk.values`, each of equals with the same chance."""
    best, ties = 0, 1
    for i in range(1, count):
        if desk.values[i] > desk.values[best]:
            best, ties = i, 1
        elif desk.values[i] == desk.values[best]:
            ties += 1
    skip = below(rng, ties) if ties > 1 else 0
    for i in range(best, count):
        if desk.values[i] == desk.values[best]:
            if skip == 0:
                return acts[i]
            skip -= 1
    return acts[best]


def began_empty(kingdom):
    """Say whether the kingdom was empty before the turn's domino was placed."""
    return kingdom.placed == (2 if kingdom.first > 0 else 0)


def most_crowns(state, rules, acts, count, rng, desk):
    """Choose the domino with the most crowns on one of its squares."""
    for i in range(count):
        domino = rules.dominoes[state.line[acts[i] - CHOICES]]
        desk.values[i] = max(domino.crowns[0], domino.crowns[1])
    return best_of(acts, count, rng, desk)


# --- greedy placement -----------------------------------------------------------------------------


def greedy_placement(state, rules, bot, acts, count, rng, desk):
    """Place for the most points; choose at random, but first for crowns."""
    kingdom = state.kingdoms[state.homes[state.seat]]
    kind = state.phase & 7
    if kind == CHOOSE and began_empty(kingdom):
        return most_crowns(state, rules, acts, count, rng, desk)
    if kind != PLACE or kingdom.placed == 0:
        return uniform(acts, count, rng)
    judge_placements(state, rules, bot, kingdom, rules.dominoes[state.due[state.slot]], acts, count, desk)
    return best_of(acts, count, rng, desk)


def judge_placements(state, rules, bot, kingdom, domino, acts, count, desk):
    """Write into `desk.values` what each placement brings; untidy ones count only if there are no others."""
    tidy = False
    if can_be_tidy(kingdom, rules, bot):
        tiles = window(kingdom, rules)
        for i in range(count):
            desk.values[i] = NEVER
            if is_tidy(kingdom, rules, tiles, acts[i]):
                desk.values[i] = growth(kingdom, rules, domino, acts[i])
                tidy = True
    if not tidy:
        for i in range(count):
            desk.values[i] = growth(kingdom, rules, domino, acts[i])


# --- full greedy ----------------------------------------------------------------------------------


def full_greedy(state, rules, bot, acts, count, rng, desk):
    """Place and choose for the most points that can be reached with the chosen domino placed as well."""
    kingdom = state.kingdoms[state.homes[state.seat]]
    kind = state.phase & 7
    if kind == CHOOSE:
        if began_empty(kingdom):
            return most_crowns(state, rules, acts, count, rng, desk)
        judge_choices(state, rules, bot, kingdom, acts, count, desk)
        return best_of(acts, count, rng, desk)
    if kind != PLACE or kingdom.placed == 0:
        return uniform(acts, count, rng)
    domino = rules.dominoes[state.due[state.slot]]
    if final_round(state):
        if bot.lapse > 0:
            return uniform(acts, count, rng)
        judge_placements(state, rules, bot, kingdom, domino, acts, count, desk)
        return best_of(acts, count, rng, desk)
    return place_ahead(state, rules, bot, kingdom, domino, acts, count, rng, desk)


def place_ahead(state, rules, bot, kingdom, domino, acts, count, rng, desk):
    """Place for the best that any domino still free could bring on top.

    A move is a placement with a choice: one that leaves two equally good choices has two chances.
    """
    best, chances, pick = NEVER, 0, acts[0]
    tiles = window(kingdom, rules)
    careful = can_be_tidy(kingdom, rules, bot)
    for tidy in range(1 if careful else 0, -1, -1):
        for i in range(count):
            desk.values[i] = NEVER
            if tidy == 1 and not is_tidy(kingdom, rules, tiles, acts[i]):
                continue
            points = growth(kingdom, rules, domino, acts[i])
            then = desk.copies[0].kingdoms[0]
            desk.copies[0].kingdoms[0] = kingdom
            lay_domino(then, rules, domino, acts[i])
            value, equals = best_reply(state, rules, then, tidy, desk)
            if value == NEVER:
                continue
            desk.values[i] = points + value
            if points + value > best:
                best, chances = points + value, 0
            if points + value == best:
                chances += equals
                if chances == equals or below(rng, chances) < equals:
                    pick = acts[i]
        if best > NEVER:
            break
    if best == NEVER:
        if bot.lapse > 0:
            return uniform(acts, count, rng)
        judge_placements(state, rules, bot, kingdom, domino, acts, count, desk)
        return best_of(acts, count, rng, desk)
    return pick


def best_reply(state, rules, kingdom, tidy, desk):
    """Return the most points that a domino still free could bring `kingdom`, and how many would."""
    best, chances = NEVER, 0
    for place in range(rules.line):
        if state.claims[place] == 0:
            points = best_growth(kingdom, rules, rules.dominoes[state.line[place]], tidy, desk)
            if points > best:
                best, chances = points, 1
            elif points == best:
                chances += 1
    return best, chances


def best_growth(kingdom, rules, domino, tidy, desk):
    """Return the most points that placing `domino` could bring; NEVER if it cannot be (tidily) placed."""
    count = placements(kingdom, domino, desk.replies)
    best = NEVER
    tiles = window(kingdom, rules) if tidy else ONE
    for i in range(count):
        act = desk.replies[i]
        points = growth(kingdom, rules, domino, act)
        if points > best and (not tidy or is_tidy(kingdom, rules, tiles, act)):
            best = points
    return best


def judge_choices(state, rules, bot, kingdom, acts, count, desk):
    """Write into `desk.values` what each free domino could bring once it is placed."""
    tidy = 1 if can_be_tidy(kingdom, rules, bot) else 0
    best = NEVER
    for care in range(tidy, -1, -1):
        for i in range(count):
            domino = rules.dominoes[state.line[acts[i] - CHOICES]]
            points = best_growth(kingdom, rules, domino, care, desk)
            desk.values[i] = points
            best = max(best, points)
        if best > NEVER:
            break
