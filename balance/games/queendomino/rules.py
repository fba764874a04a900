"""Kingdomino and Queendomino: the lines of dominoes and the turn, in the rulebook's order.

Page numbers are those of the Queendomino rulebook's chapters; what Kingdomino shares it says alike.
Queendomino's parts (knights, builders' board, queen, dragon) stand in `builders`; where `rules.town`
is 0 they are not in the game.
"""

from balance.dice import at, shuffle
from balance.games.queendomino.builders import (
    ask_build,
    build,
    burn,
    buy,
    buyable,
    end_of_round,
    lay_board,
    levy,
    may_burn,
    reward,
)
from balance.games.queendomino.kingdom import found, has, lay_domino, placements
from balance.games.queendomino.state import (
    BUILD,
    CHOICES,
    CHOOSE,
    DECK,
    DISCARD,
    DRAGON,
    FIRES,
    KNIGHTS,
    LEVIES,
    NO_BUILDING,
    NO_DRAGON,
    ONE,
    PLACE,
    PLACEMENTS,
    PURCHASES,
    SITE,
    SITES,
    SPOTS,
)

DEAL = 0  # the stream of chance
FIRST_DECK, SECOND_DECK, PILE, ORDER = range(4)  # its events, eight for each game of a dynasty


def setup(state, rules, lineup, rng):
    """Give out kingdoms, pawns and coins, and lay the first line of dominoes."""
    for seat in range(state.seats):
        state.homes[seat] = seat % rules.kingdoms
    for seat in range(state.seats):
        state.kingdoms[state.homes[seat]].free |= lineup[seat].gifts
    open_game(state, rules, rng)


def open_game(state, rules, rng):
    """Shuffle, found the kingdoms, and lay the first line."""
    for deck in range(2):
        for place in range(DECK):
            state.deck[deck, place] = DECK * deck + place
        state.drawn[deck] = 0
        if deck == rules.first_deck or deck == rules.second_deck:
            at(rng.chance[DEAL], 8 * state.part + deck)
            shuffle(rng.chance[DEAL], state.deck[deck], DECK)
    state.lines = 0
    state.rounds = 0
    for home in range(rules.kingdoms):
        found(state.kingdoms[home], rules)
    if rules.town:
        at(rng.chance[DEAL], 8 * state.part + PILE)
        lay_board(state, rules, rng.chance[DEAL])
    draw_order(state, rules, rng)
    deal_line(state, rules)
    state.slot = 0
    ask(state, CHOOSE, state.order[0])


def draw_order(state, rules, rng):
    """Seats are numbered in the order of the first choice; with two kings each, it goes 1, 2, 2, 1.

    In later games of a dynasty the order is drawn.
    """
    for pawn in range(pawns(state, rules)):
        lap, seat = pawn // state.seats, pawn % state.seats
        state.order[pawn] = seat if lap % 2 == 0 else state.seats - 1 - seat
    if state.part > 0:
        at(rng.chance[DEAL], 8 * state.part + ORDER)
        shuffle(rng.chance[DEAL], state.order, pawns(state, rules))


def pawns(state, rules):
    """Return how many kings are on the table: as many dominoes of a line are claimed."""
    return state.seats * rules.kings


def deal_line(state, rules):
    """Lay out the next line of dominoes in ascending order; Royal Wedding takes the decks in turn."""
    deck = rules.first_deck if state.lines % 2 == 0 else rules.second_deck
    for place in range(rules.line):
        domino = state.deck[deck, state.drawn[deck] + place]
        spot = place
        while spot > 0 and rules.dominoes[state.line[spot - 1]].number > rules.dominoes[domino].number:
            state.line[spot] = state.line[spot - 1]
            spot -= 1
        state.line[spot] = domino
    for place in range(rules.line):
        state.claims[place] = 0
    state.drawn[deck] += rules.line
    state.lines += 1


def last_line(state, rules):
    """Say whether no further line will be laid."""
    return (state.lines + 1) * rules.line > rules.dominoes_used


def ask(state, kind, seat):
    """Turn to `seat` for a decision of this kind."""
    state.phase = 8 * state.slot + kind
    state.seat = seat


# --- the first choice, and whose turn it is -------------------------------------------------------


def claim(state, rules, place, rng):
    """Stand a king on a domino of the newest line."""
    state.claims[place] = state.seat + 1
    if state.rounds > 0:
        end_turn(state, rules, rng)
        return
    state.slot += 1
    if state.slot < pawns(state, rules):
        ask(state, CHOOSE, state.order[state.slot])
    else:
        begin_round(state, rules)


def begin_round(state, rules):
    """The newest line is due now; behind it the next one is laid, if there is one."""
    if state.rounds > 0 and rules.town:
        end_of_round(state, rules)
    state.rounds += 1
    state.turn += 1
    no_more = last_line(state, rules)
    for place in range(rules.line):
        state.due[place] = state.line[place]
        state.owners[place] = state.claims[place]
    if no_more:
        for place in range(rules.line):
            state.claims[place] = -1
    else:
        deal_line(state, rules)
    state.slot = next_claimed(state, rules, 0)
    ask(state, PLACE, state.owners[state.slot] - 1)


def next_claimed(state, rules, place):
    """Return the first claimed domino of the line from `place` on; what nobody claimed leaves the game."""
    while place < rules.line and state.owners[place] == 0:
        place += 1
    return place


def end_turn(state, rules, rng):
    """The owner of the next domino of the line has the turn; after the last one, a new round begins."""
    state.slot = next_claimed(state, rules, state.slot + 1)
    if state.slot < rules.line:
        ask(state, PLACE, state.owners[state.slot] - 1)
    elif final_round(state):
        close_game(state, rules, rng)
    else:
        begin_round(state, rules)


def final_round(state):
    """Say whether the dominoes being placed are the last."""
    return state.claims[0] < 0


def close_game(state, rules, rng):
    """The game is over; in a dynasty the points are kept, and the next game begins."""
    if state.part + 1 >= rules.dynasty:
        state.over = 1
        return
    renew(state, rules)
    state.part += 1
    state.turn += 1
    open_game(state, rules, rng)


def renew(state, rules):
    """Clear the kingdoms for another game of a dynasty; points won so far stay."""
    for home in range(rules.kingdoms):
        kingdom = state.kingdoms[home]
        kingdom.past_points += reward(state, rules, home)
        clear(kingdom)


def clear(kingdom):
    """Take all squares off a kingdom."""
    for word in range(len(kingdom.occupied)):
        kingdom.occupied[word] = 0
        kingdom.sites[word] = 0
        for terrain in range(len(kingdom.land)):
            kingdom.land[terrain, word] = 0
    for cell in range(len(kingdom.square_at)):
        kingdom.square_at[cell] = 0
    for terrain in range(len(kingdom.territories)):
        kingdom.territories[terrain] = 0
    kingdom.placed = 0
    kingdom.land_points = 0
    kingdom.largest = 0
    kingdom.crown_count = 0
    kingdom.discards = 0


# --- the turn: place, knights, build, dragon, choose ----------------------------------------------


def legal(state, rules, acts):
    """Write what the seat may do."""
    kind = state.phase & 7
    if kind == CHOOSE:
        return choices(state, rules, acts)
    home = state.homes[state.seat]
    if kind == PLACE:
        count = placements(state.kingdoms[home], rules.dominoes[state.due[state.slot]], acts)
        if count > 0:
            return count
        acts[0] = DISCARD
        return 1
    if kind == KNIGHTS:
        return levies(state, rules, home, acts)
    if kind == BUILD:
        return purchases(state, rules, home, acts)
    if kind == SITE:
        return free_sites(state.kingdoms[home], acts)
    return fires(state, rules, acts)


def choices(state, rules, acts):
    """A king may stand on any domino of the newest line that nobody claimed."""
    count = 0
    for place in range(rules.line):
        if state.claims[place] == 0:
            acts[count] = CHOICES + place
            count += 1
    return count


def levies(state, rules, home, acts):
    """None, one or two knights may go onto the domino just placed, one to a half."""
    acts[0] = LEVIES
    acts[1] = LEVIES + 1
    acts[2] = LEVIES + 2
    if state.kingdoms[home].knights < 2 or rules.knights_most < 2:
        return 3
    acts[3] = LEVIES + 3
    return 4


def purchases(state, rules, home, acts):
    """One building may be bought, of those on the board that one can pay for."""
    acts[0] = NO_BUILDING
    count = 1
    for spot in range(SPOTS):
        if buyable(state, rules, home, spot):
            acts[count] = PURCHASES + spot
            count += 1
    return count


def free_sites(kingdom, acts):
    """The building goes onto a free town square: one of each town, since within a town all are alike."""
    count, towns = 0, 0
    for cell in range(len(kingdom.square_at)):
        if has(kingdom.sites, cell):
            town = ONE << kingdom.territory[kingdom.square_at[cell]]
            if towns & town == 0:
                towns |= town
                acts[count] = SITES + cell
                count += 1
    return count


def fires(state, rules, acts):
    """The dragon may be bribed to burn any building on the board."""
    acts[0] = NO_DRAGON
    count = 1
    for spot in range(SPOTS):
        if state.board[spot] > 0:
            acts[count] = FIRES + spot
            count += 1
    return count


def apply(state, rules, act, rng):
    """Play `act`, as far as the next decision."""
    kind = state.phase & 7
    if kind == CHOOSE:
        claim(state, rules, act - CHOICES, rng)
    elif kind == PLACE:
        place(state, rules, act, rng)
    elif kind == KNIGHTS:
        levy(state, rules, state.homes[state.seat], act - LEVIES)
        after_knights(state, rules, rng)
    elif kind == BUILD:
        if act == NO_BUILDING:
            after_building(state, rules, rng)
        elif buy(state, rules, state.homes[state.seat], act - PURCHASES):
            after_building(state, rules, rng)
        else:
            ask(state, SITE, state.seat)
    elif kind == SITE:
        build(state, rules, state.homes[state.seat], act - SITES)
        after_building(state, rules, rng)
    else:
        if act != NO_DRAGON:
            burn(state, rules, state.homes[state.seat], act - FIRES)
        after_dragon(state, rules, rng)


def place(state, rules, act, rng):
    """A. Place the domino, or discard it if it cannot be placed."""
    kingdom = state.kingdoms[state.homes[state.seat]]
    if act < PLACEMENTS:
        lay_domino(kingdom, rules, rules.dominoes[state.due[state.slot]], act)
    else:
        kingdom.discards += 1
        kingdom.first = 0
        kingdom.second = 0
    if not rules.town:
        after_dragon(state, rules, rng)
    elif act < PLACEMENTS and kingdom.knights > 0 and rules.knights_most > 0:
        ask(state, KNIGHTS, state.seat)
    elif act == DISCARD and not rules.actions_after_discard:
        after_dragon(state, rules, rng)
    else:
        after_knights(state, rules, rng)


def after_knights(state, rules, rng):
    """C. Build one building, if there is a free town square and one can be paid for."""
    if ask_build(state, rules, state.homes[state.seat]):
        ask(state, BUILD, state.seat)
    else:
        after_building(state, rules, rng)


def after_building(state, rules, rng):
    """D. Bribe the dragon, if it is in its cave and the queen stays elsewhere."""
    if may_burn(state, rules, state.homes[state.seat]):
        ask(state, DRAGON, state.seat)
    else:
        after_dragon(state, rules, rng)


def after_dragon(state, rules, rng):
    """E. Choose a domino of the newest line; not in the last round."""
    if final_round(state):
        end_turn(state, rules, rng)
    else:
        ask(state, CHOOSE, state.seat)


# --- what is hidden -------------------------------------------------------------------------------


def redeal(state, rules, seat, rng):
    """What lies in the decks and the pile is known, its order is not."""
    for deck in range(2):
        if deck == rules.first_deck or deck == rules.second_deck:
            mix(rng, state.deck[deck], state.drawn[deck], DECK)
    if rules.town:
        mix(rng, state.pile, state.shown, state.tiles)


def mix(rng, pieces, first, end):
    """Shuffle `pieces` from `first` on, from a canonical order."""
    for place in range(first + 1, end):
        piece, spot = pieces[place], place
        while spot > first and pieces[spot - 1] > piece:
            pieces[spot] = pieces[spot - 1]
            spot -= 1
        pieces[spot] = piece
    shuffle(rng, pieces[first:end], end - first)


def barred(state, rules, bot, act):
    """A bar on a building forbids buying it."""
    if PURCHASES <= act < PURCHASES + SPOTS:
        kind = state.board[act - PURCHASES] - 1
        return bot.bars & (ONE << kind) != 0
    return False
