"""One kingdom: where a domino may be placed, and what territories come of it.

A rulebook's picture of the same: two squares are neighbours if they share an edge; a territory is
all squares of one terrain that hang together.
"""

from balance.games.queendomino.state import (
    CASTLE,
    DOWN,
    DOWN_TURNED,
    ONE,
    RIGHT,
    RIGHT_TURNED,
    TOWN,
    WIDTH,
    WORDS,
)

FIVES, THREES, FIFTEENS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
CASTLE_WORD = CASTLE // 64
CASTLE_BIT = ONE << (CASTLE % 64)


# --- sets of cells --------------------------------------------------------------------------------


def lowest(cells):
    """Return the position of the lowest bit of a word that has one."""
    low = (cells & -cells) - 1
    low = low - ((low >> 1) & FIVES)
    low = (low & THREES) + ((low >> 2) & THREES)
    low = (low + (low >> 4)) & FIFTEENS
    low = low + (low >> 8)
    low = low + (low >> 16)
    return (low + (low >> 32)) & 127


def has(cells, cell):
    """Say whether `cell` is in the set `cells`."""
    return (cells[cell >> 6] >> (cell & 63)) & 1 != 0


def include(cells, cell):
    """Put `cell` into the set."""
    cells[cell >> 6] |= ONE << (cell & 63)


def exclude(cells, cell):
    """Take `cell` out of the set."""
    cells[cell >> 6] &= ~(ONE << (cell & 63))


def edge(kingdom, terrain, word):
    """Return one word of the free cells that touch land of `terrain`, or the castle, which is wild."""
    land = kingdom.land[terrain]
    here = land[word]
    above = land[word - 1] if word > 0 else 0
    below = land[word + 1] if word < WORDS - 1 else 0
    if word == CASTLE_WORD:
        here |= CASTLE_BIT
    elif word == CASTLE_WORD - 1:
        below |= CASTLE_BIT
    elif word == CASTLE_WORD + 1:
        above |= CASTLE_BIT
    beside = (here << 1) | (here >> 1) | (here << 16) | (here >> 16) | (above >> 48) | (below << 48)
    return beside & kingdom.room[word]


def free_neighbours(kingdom, word):
    """Return one word of the cells that lie beside a cell of `room`."""
    here = kingdom.room[word]
    above = kingdom.room[word - 1] if word > 0 else 0
    below = kingdom.room[word + 1] if word < WORDS - 1 else 0
    return (here << 1) | (here >> 1) | (here << 16) | (here >> 16) | (above >> 48) | (below << 48)


# --- placing a domino -----------------------------------------------------------------------------


def found(kingdom, rules):
    """Build the castle on an empty field."""
    kingdom.top = kingdom.bottom = CASTLE // WIDTH
    kingdom.left = kingdom.right = CASTLE % WIDTH
    include(kingdom.occupied, CASTLE)
    measure(kingdom, rules)


def measure(kingdom, rules):
    """Note which free cells the grid allows: no two squares may lie further apart than its width."""
    reach = rules.grid - 1
    first, last = max(kingdom.bottom - reach, 1), min(kingdom.top + reach, WIDTH - 3)
    low, high = max(kingdom.right - reach, 1), min(kingdom.left + reach, WIDTH - 3)
    columns = (ONE << (high + 1)) - (ONE << low)
    for word in range(WORDS):
        allowed = ONE - 1
        for row in range(max(4 * word, first), min(4 * word + 3, last) + 1):
            allowed |= columns << (16 * (row - 4 * word))
        kingdom.room[word] = allowed & ~kingdom.occupied[word]


def placements(kingdom, domino, acts):
    """Write where `domino` may lie; return how many such placements there are.

    At least one half must touch its own terrain or the castle. Turned placements of a domino with
    two like halves are the same again and left out.
    """
    one, two = domino.terrain[0], domino.terrain[1]
    count = 0
    room, edge_one, edge_two = kingdom.room[0], edge(kingdom, one, 0), edge(kingdom, two, 0)
    for word in range(WORDS):
        next_room, next_one, next_two = ONE - 1, ONE - 1, ONE - 1
        if word < WORDS - 1:
            next_room = kingdom.room[word + 1]
            if next_room != 0:
                next_one = edge(kingdom, one, word + 1)
                next_two = next_one if one == two else edge(kingdom, two, word + 1)
        if room != 0:
            pairs = room & (room >> 1)
            count = note(pairs & (edge_one | (edge_two >> 1)), word, RIGHT, acts, count)
            if not domino.double:
                count = note(pairs & (edge_two | (edge_one >> 1)), word, RIGHT_TURNED, acts, count)
            pairs = room & ((room >> 16) | (next_room << 48))
            under_one, under_two = (edge_one >> 16) | (next_one << 48), (edge_two >> 16) | (next_two << 48)
            count = note(pairs & (edge_one | under_two), word, DOWN, acts, count)
            if not domino.double:
                count = note(pairs & (edge_two | under_one), word, DOWN_TURNED, acts, count)
        room, edge_one, edge_two = next_room, next_one, next_two
    return count


def note(cells, word, turn, acts, count):
    """Write an act for each cell of a word; return how many acts there are by now."""
    base = 256 * word + turn
    while cells != 0:
        acts[count] = base + 4 * lowest(cells)
        count += 1
        cells &= cells - 1
    return count


def first_cell(act):
    """Return where the domino's first half lies."""
    return (act >> 2) + step(act & 3) if is_turned(act) else act >> 2


def second_cell(act):
    """Return where the domino's second half lies."""
    return act >> 2 if is_turned(act) else (act >> 2) + step(act & 3)


def is_turned(act):
    """Say whether the second half lies to the left of the first, or above it."""
    return act & 1 != 0


def step(turn):
    """Return the way from the upper or left cell of a placement to the other."""
    return 1 if turn < DOWN else WIDTH


def lay_domino(kingdom, rules, domino, act):
    """Place both halves where `act` says."""
    kingdom.first, kingdom.second = first_cell(act), second_cell(act)
    lay_square(kingdom, kingdom.first, domino.terrain[0], domino.crowns[0])
    lay_square(kingdom, kingdom.second, domino.terrain[1], domino.crowns[1])
    cell, end = act >> 2, (act >> 2) + step(act & 3)
    kingdom.top, kingdom.bottom = min(kingdom.top, cell >> 4), max(kingdom.bottom, end >> 4)
    kingdom.left, kingdom.right = min(kingdom.left, cell & 15), max(kingdom.right, end & 15)
    measure(kingdom, rules)


def lay_square(kingdom, cell, terrain, crowns):
    """Add one square: it founds a territory, then joins those of its terrain that it touches."""
    kingdom.placed += 1
    square = kingdom.placed
    include(kingdom.occupied, cell)
    include(kingdom.land[terrain], cell)
    kingdom.square_at[cell] = square
    kingdom.ground[square] = terrain
    kingdom.territory[square] = square
    kingdom.squares[square] = 1
    kingdom.crowns[square] = crowns
    kingdom.printed[square] = crowns
    kingdom.crown_count += crowns
    kingdom.land_points += crowns
    kingdom.territories[terrain] += 1
    if terrain == TOWN:
        include(kingdom.sites, cell)
    join(kingdom, square, kingdom.square_at[cell - 1])
    join(kingdom, square, kingdom.square_at[cell + 1])
    join(kingdom, square, kingdom.square_at[cell - WIDTH])
    join(kingdom, square, kingdom.square_at[cell + WIDTH])
    kingdom.largest = max(kingdom.largest, kingdom.squares[kingdom.territory[square]])


def join(kingdom, square, other):
    """Make one territory of those of two neighbouring squares, if their terrain is the same."""
    if other == 0 or kingdom.ground[other] != kingdom.ground[square]:
        return
    mine, theirs = kingdom.territory[square], kingdom.territory[other]
    if mine == theirs:
        return
    kingdom.land_points += (
        kingdom.squares[mine] * kingdom.crowns[theirs] + kingdom.squares[theirs] * kingdom.crowns[mine]
    )
    kingdom.territories[kingdom.ground[square]] -= 1
    kingdom.squares[theirs] += kingdom.squares[mine]
    kingdom.crowns[theirs] += kingdom.crowns[mine]
    if mine == square:
        kingdom.territory[square] = theirs
        return
    for each in range(1, kingdom.placed + 1):
        if kingdom.territory[each] == mine:
            kingdom.territory[each] = theirs


# --- what a placement would bring -----------------------------------------------------------------


def gain(kingdom, domino, act):
    """Return how many points more the territories would score with `domino` placed so.

    Nothing is placed: the territories that each half would join are added up where they lie.
    """
    one, two = first_cell(act), second_cell(act)
    if domino.terrain[0] == domino.terrain[1]:
        return gain_together(kingdom, one, two, domino.terrain[0], domino.crowns[0] + domino.crowns[1])
    return gain_alone(kingdom, one, domino.terrain[0], domino.crowns[0]) + gain_alone(
        kingdom, two, domino.terrain[1], domino.crowns[1]
    )


def gain_alone(kingdom, cell, terrain, crowns):
    """Return the points that one square more would bring."""
    squares, lost, met = 1, 0, ONE
    for way in range(4):
        mark = touched(kingdom, beside(cell, way), terrain)
        if met & (ONE << mark) == 0:
            met |= ONE << mark
            squares += kingdom.squares[mark]
            crowns += kingdom.crowns[mark]
            lost += kingdom.squares[mark] * kingdom.crowns[mark]
    return squares * crowns - lost


def gain_together(kingdom, one, two, terrain, crowns):
    """Return the points that two neighbouring squares of one terrain would bring."""
    squares, lost, met = 2, 0, ONE
    for way in range(8):
        cell = one if way < 4 else two
        mark = touched(kingdom, beside(cell, way & 3), terrain)
        if met & (ONE << mark) == 0:
            met |= ONE << mark
            squares += kingdom.squares[mark]
            crowns += kingdom.crowns[mark]
            lost += kingdom.squares[mark] * kingdom.crowns[mark]
    return squares * crowns - lost


def beside(cell, way):
    """Return the neighbour of `cell` on the way 0 left, 1 right, 2 up, 3 down."""
    if way < 2:
        return cell + 2 * way - 1
    return cell + WIDTH * (2 * way - 5)


def touched(kingdom, cell, terrain):
    """Return the territory of `terrain` at `cell`; 0 if there is none."""
    square = kingdom.square_at[cell]
    return kingdom.territory[square] if square != 0 and kingdom.ground[square] == terrain else 0


def centred(kingdom, rules):
    """Say whether the castle lies in the middle of a grid that holds the whole kingdom."""
    return centred_within(kingdom, rules, kingdom.top, kingdom.bottom, kingdom.left, kingdom.right)


def centred_with(kingdom, rules, act):
    """Say the same of the kingdom with a domino placed as `act` says."""
    cell, end = act >> 2, (act >> 2) + step(act & 3)
    return centred_within(
        kingdom,
        rules,
        min(kingdom.top, cell >> 4),
        max(kingdom.bottom, end >> 4),
        min(kingdom.left, cell & 15),
        max(kingdom.right, end & 15),
    )


def centred_within(kingdom, rules, top, bottom, left, right):
    """Say whether these bounds reach no further than half a grid from the castle."""
    half = rules.grid // 2
    row, column = CASTLE // WIDTH, CASTLE % WIDTH
    return row - top <= half and bottom - row <= half and column - left <= half and right - column <= half
