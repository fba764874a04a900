"""Plays games and checks after every act what must never change; linked and compiled like the engine."""

from balance.bots.uniform import uniform
from balance.engine import decide, open_table
from balance.games.queendomino.builders import on_board, reward
from balance.games.queendomino.kingdom import has
from balance.games.queendomino.state import (
    CASTLE,
    CELLS,
    CHOOSE,
    DECK,
    DISCARD,
    KNIGHTS,
    ONE,
    PLACE,
    SITE,
    SQUARES,
    TOWN,
)
from balance.protocol import apply, score

(
    DOMINOES_ASTRAY,
    DECK_NOT_WHOLE,
    SQUARES_ASTRAY,
    TERRITORIES_WRONG,
    POINTS_WRONG,
    OFF_THE_GRID,
    COINS_ASTRAY,
    KNIGHTS_ASTRAY,
    TOWERS_ASTRAY,
    BUILDINGS_ASTRAY,
    SITES_ASTRAY,
    QUEEN_ASTRAY,
    DRAGON_ASTRAY,
    SCORE_FELL_APART,
    NOTHING_TO_DO,
    UNFINISHED,
) = range(16)
LAWS = 16


def audit(found, acts_played, lineups, rules, bots, desks, seed, games, seats, limit):
    """Play `games` games, game i being block i; count in `found` what broke, in `acts_played[0]` the acts."""
    desk = desks[0]
    for game in range(games):
        lineup = lineups[game * seats : (game + 1) * seats]
        desk.state = desk.blank
        state = desk.state
        state.seats = seats
        open_table(state, rules[0], bots, lineup, desk.rng, desk, 1, seed, game, game)
        for _ in range(limit):
            if state.over:
                break
            act = decide(state, rules[0], bots, lineup, desk.rng, desk)
            if act < 0:
                found[NOTHING_TO_DO] += 1
                break
            home = state.homes[state.seat]
            apply(state, rules[0], act, desk.rng)
            acts_played[0] += 1
            check_dominoes(state, rules[0], found)
            if act < DISCARD:
                check_kingdom(state, rules[0], home, found)
            if rules[0].town:
                check_pieces(state, rules[0], found)
        for home in range(rules[0].kingdoms):
            check_kingdom(state, rules[0], home, found)
        if not state.over:
            found[UNFINISHED] += 1


def choose(state, rules, bot, acts, count, rng, desk):
    """Everyone plays at random here: it is the rules that are tried."""
    return uniform(acts, count, rng)


def value(state, rules, bot, seat):
    """Nobody asks."""
    return 0.0


def check_dominoes(state, rules, found):
    """Every domino that came up was placed, discarded, left over, or lies in a line; none comes up twice."""
    pawns = state.seats * rules.kings
    resolved = 0
    if state.rounds > 0:
        resolved = (state.rounds - 1) * pawns
        place = state.slot if not state.over else rules.line
        for spot in range(place):
            resolved += state.owners[spot] > 0
        if not state.over and state.phase & 7 != PLACE:
            resolved += 1
    used = 0
    for home in range(rules.kingdoms):
        used += state.kingdoms[home].placed // 2 + state.kingdoms[home].discards
    found[DOMINOES_ASTRAY] += used != resolved
    for deck in range(2):
        seen = ONE - 1
        for spot in range(DECK):
            seen |= ONE << (state.deck[deck, spot] - DECK * deck)
        found[DECK_NOT_WHOLE] += seen != (ONE << DECK) - 1


def check_kingdom(state, rules, home, found):
    """Count a kingdom afresh, by walking through it, and compare."""
    kingdom = state.kingdoms[home]
    count, towns = 0, 0
    for cell in range(CELLS):
        square = kingdom.square_at[cell]
        here = square > 0 or cell == CASTLE
        found[SQUARES_ASTRAY] += has(kingdom.occupied, cell) != here
        if square > 0:
            count += 1
            terrain = kingdom.ground[square]
            towns += terrain == TOWN
            found[SQUARES_ASTRAY] += not has(kingdom.land[terrain], cell)
            row, column = cell >> 4, cell & 15
            found[OFF_THE_GRID] += row < kingdom.top or row > kingdom.bottom
            found[OFF_THE_GRID] += column < kingdom.left or column > kingdom.right
    found[SQUARES_ASTRAY] += count != kingdom.placed
    found[OFF_THE_GRID] += kingdom.bottom - kingdom.top >= rules.grid
    found[OFF_THE_GRID] += kingdom.right - kingdom.left >= rules.grid
    walk(kingdom, rules, found)
    if rules.town:
        built, free = 0, 0
        for kind in range(rules.kind_count):
            built += kingdom.built[kind]
        for cell in range(CELLS):
            free += has(kingdom.sites, cell)
        found[SITES_ASTRAY] += built + free != towns
    found[SCORE_FELL_APART] += reward(state, rules, home) != score(state, rules, home) - kingdom.past_points


def walk(kingdom, rules, found):
    """Find the territories by spreading labels until nothing changes; add up squares, crowns and points."""
    points, areas, largest = 0, 0, 0
    done = ONE - 1
    for start in range(CELLS):
        first = kingdom.square_at[start]
        if first == 0 or done & (ONE << first):
            continue
        terrain = kingdom.ground[first]
        reached = ONE << first
        grew = True
        while grew:
            grew = False
            for cell in range(17, CELLS - 17):
                square = kingdom.square_at[cell]
                if square == 0 or kingdom.ground[square] != terrain or reached & (ONE << square):
                    continue
                for other in (cell - 1, cell + 1, cell - 16, cell + 16):
                    near = kingdom.square_at[other]
                    if near > 0 and reached & (ONE << near):
                        reached |= ONE << square
                        grew = True
        squares, crowns = 0, 0
        for square in range(1, SQUARES):
            if reached & (ONE << square):
                squares += 1
                crowns += kingdom.printed[square]
                found[TERRITORIES_WRONG] += kingdom.territory[square] != kingdom.territory[first]
        root = kingdom.territory[first]
        if terrain != TOWN:
            found[TERRITORIES_WRONG] += kingdom.crowns[root] != crowns
        found[TERRITORIES_WRONG] += kingdom.squares[root] != squares
        points += squares * kingdom.crowns[root]
        areas += 1
        largest = max(largest, squares)
        done |= reached
    known = 0
    for terrain in range(len(kingdom.territories)):
        known += kingdom.territories[terrain]
    found[TERRITORIES_WRONG] += known != areas or largest != kingdom.largest
    found[POINTS_WRONG] += points != kingdom.land_points


def check_pieces(state, rules, found):
    """Coins, knights, towers and buildings are where they should be; so are queen and dragon."""
    knights, towers, built, burned, most = state.knights_left, state.towers_left, 0, 0, 0
    for home in range(rules.kingdoms):
        kingdom = state.kingdoms[home]
        due = rules.start_coins + kingdom.taxes - kingdom.spent - rules.dragon_cost * kingdom.burned
        found[COINS_ASTRAY] += kingdom.coins != due or kingdom.coins < 0
        knights += kingdom.knights + kingdom.levied
        towers += kingdom.towers
        burned += kingdom.burned
        most = max(most, kingdom.towers)
        crowned = 0
        for kind in range(rules.kind_count):
            built += kingdom.built[kind]
            crowned += kingdom.built[kind] * rules.buildings[kind].crowns
        printed = 0
        for square in range(1, kingdom.placed + 1):
            printed += kingdom.printed[square]
        found[BUILDINGS_ASTRAY] += kingdom.crown_count != printed + crowned
        found[KNIGHTS_ASTRAY] += kingdom.knights < 0
    found[KNIGHTS_ASTRAY] += knights != rules.knight_pieces or state.knights_left < 0
    found[TOWERS_ASTRAY] += towers != rules.tower_pieces or state.towers_left < 0
    pending = 1 if state.phase & 7 == SITE and not state.over else 0
    tiles = built + burned + on_board(state) + state.tiles - state.shown + pending
    found[BUILDINGS_ASTRAY] += tiles != rules.tile_count
    if rules.queen:
        found[QUEEN_ASTRAY] += (state.queen > 0) != (most > 0)
        found[QUEEN_ASTRAY] += state.queen > 0 and state.kingdoms[state.queen - 1].towers != most
    else:
        found[QUEEN_ASTRAY] += state.queen > 0
    found[DRAGON_ASTRAY] += state.dragon > 0 and state.board[state.dragon - 1] > 0
    kind = state.phase & 7 if not state.over else PLACE
    found[DRAGON_ASTRAY] += not rules.dragon and kind > SITE
    found[KNIGHTS_ASTRAY] += kind == KNIGHTS and state.kingdoms[state.homes[state.seat]].knights == 0
    found[NOTHING_TO_DO] += kind < CHOOSE
