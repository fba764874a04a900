"""Queendomino's own: knights and taxes, the builders' board, towers and the queen, the dragon."""

from balance.dice import shuffle
from balance.games.queendomino.kingdom import centred, exclude, has, lowest
from balance.games.queendomino.state import (
    ONE,
    PER_KNIGHT,
    PER_TOWER,
    SPOTS,
    TERRAINS,
    WORDS,
)


def lay_board(state, rules, chance):
    """Shuffle the building tiles, show six of them, and give out knights and coins."""
    state.tiles = rules.tile_count
    for tile in range(state.tiles):
        state.pile[tile] = rules.tiles[tile]
    shuffle(chance, state.pile, state.tiles)
    state.shown = 0
    for spot in range(SPOTS):
        state.board[spot] = next_tile(state)
    state.dragon, state.queen = 0, 0
    state.knights_left, state.towers_left = rules.knight_pieces, rules.tower_pieces
    for home in range(rules.kingdoms):
        kingdom = state.kingdoms[home]
        kingdom.coins = rules.start_coins
        kingdom.knights = min(rules.start_knights, state.knights_left)
        state.knights_left -= kingdom.knights


def next_tile(state):
    """Draw a tile from the pile; return its kind + 1, or 0 once the pile is empty."""
    if state.shown == state.tiles:
        return 0
    state.shown += 1
    return state.pile[state.shown - 1] + 1


# --- B: knights and taxes -------------------------------------------------------------------------


def levy(state, rules, home, halves):
    """Send knights onto the domino just placed: each brings a coin for each square of its territory."""
    kingdom = state.kingdoms[home]
    if halves & 1:
        collect(kingdom, kingdom.first)
    if halves & 2:
        collect(kingdom, kingdom.second)


def collect(kingdom, cell):
    """One knight collects the taxes of the territory that it stands on, and stays there."""
    due = tax_due(kingdom, cell)
    kingdom.knights -= 1
    kingdom.levied += 1
    kingdom.coins += due
    kingdom.taxes += due


def tax_due(kingdom, cell):
    """Return the coins that a knight on `cell` brings, safes included."""
    squares = kingdom.squares[kingdom.territory[kingdom.square_at[cell]]]
    owned = kingdom.knights + kingdom.levied
    return squares + kingdom.tax_knights * owned + kingdom.tax_towers * kingdom.towers


# --- C: buildings ---------------------------------------------------------------------------------


def price(state, rules, home, spot):
    """Return what the building on `spot` costs: less for the queen's host, never less than nothing."""
    if state.kingdoms[home].free & (ONE << (state.board[spot] - 1)):
        return 0
    discount = rules.queen_discount if state.queen == home + 1 else 0
    return max(rules.costs[spot] - discount, 0)


def buyable(state, rules, home, spot):
    """Say whether a building stands on `spot` and can be paid for."""
    return state.board[spot] > 0 and price(state, rules, home, spot) <= state.kingdoms[home].coins


def free_site(kingdom):
    """Return the first free town square, -1 if there is none."""
    for word in range(WORDS):
        if kingdom.sites[word] != 0:
            return 64 * word + lowest(kingdom.sites[word])
    return -1


def ask_build(state, rules, home):
    """Say whether anything can be built."""
    return free_site(state.kingdoms[home]) >= 0 and affordable(state, rules, home) > 0


def affordable(state, rules, home):
    """Return how many buildings on the board can be paid for."""
    count = 0
    for spot in range(SPOTS):
        if buyable(state, rules, home, spot):
            count += 1
    return count


def buy(state, rules, home, spot):
    """Pay for a building; say whether it stands already, there being but one town to put it in."""
    kingdom = state.kingdoms[home]
    cost = price(state, rules, home, spot)
    kingdom.coins -= cost
    kingdom.spent += cost
    state.pending = state.board[spot] - 1
    state.board[spot] = 0
    cell = free_site(kingdom)
    if several_towns(kingdom, kingdom.territory[kingdom.square_at[cell]]):
        return False
    build(state, rules, home, cell)
    return True


def several_towns(kingdom, town):
    """Say whether a free square lies in another town than `town`."""
    for cell in range(len(kingdom.square_at)):
        if has(kingdom.sites, cell) and kingdom.territory[kingdom.square_at[cell]] != town:
            return True
    return False


def build(state, rules, home, cell):
    """Put up the building that was paid for, and take at once what it gives."""
    kingdom = state.kingdoms[home]
    building = rules.buildings[state.pending]
    put_up(kingdom, rules, state.pending, cell)
    knights = min(building.knights, state.knights_left)
    kingdom.knights += knights
    state.knights_left -= knights
    raise_towers(state, rules, home, min(building.towers, state.towers_left))


def put_up(kingdom, rules, kind, cell):
    """A building takes its town square; its crowns count for the whole town, its effect lasts."""
    building = rules.buildings[kind]
    exclude(kingdom.sites, cell)
    kingdom.built[kind] += 1
    town = kingdom.territory[kingdom.square_at[cell]]
    kingdom.crowns[town] += building.crowns
    kingdom.crown_count += building.crowns
    kingdom.land_points += building.crowns * kingdom.squares[town]
    kingdom.tax_knights += building.tax_knights
    kingdom.tax_towers += building.tax_towers


def raise_towers(state, rules, home, towers):
    """Add towers; whoever then has the most, even with others, hosts the queen."""
    if towers == 0:
        return
    state.kingdoms[home].towers += towers
    state.towers_left -= towers
    most = 0
    for other in range(rules.kingdoms):
        most = max(most, state.kingdoms[other].towers)
    if rules.queen and state.kingdoms[home].towers == most:
        state.queen = home + 1


# --- D: the dragon --------------------------------------------------------------------------------


def may_burn(state, rules, home):
    """Say whether the dragon can be bribed: once a round, by whoever pays and does not host the queen."""
    if not rules.dragon or state.dragon != 0 or state.queen == home + 1:
        return False
    if state.kingdoms[home].coins < rules.dragon_cost:
        return False
    return on_board(state) > 0


def on_board(state):
    """Return how many buildings are on the board."""
    count = 0
    for spot in range(SPOTS):
        if state.board[spot] > 0:
            count += 1
    return count


def burn(state, rules, home, spot):
    """Burn a building: it leaves the game, and the dragon stays on its spot till the round ends."""
    state.kingdoms[home].coins -= rules.dragon_cost
    state.kingdoms[home].burned += 1
    state.board[spot] = 0
    state.dragon = spot + 1


def end_of_round(state, rules):
    """The dragon goes home, the tiles slide to the cheap end, and new ones come in at the dear end."""
    state.dragon = 0
    to = SPOTS - 1
    for spot in range(SPOTS - 1, -1, -1):
        if state.board[spot] > 0:
            tile = state.board[spot]
            state.board[spot] = 0
            state.board[to] = tile
            to -= 1
    for spot in range(to, -1, -1):
        state.board[spot] = next_tile(state)


# --- points ---------------------------------------------------------------------------------------


def reward(state, rules, home):
    """Return the points of one kingdom, if the game ended now."""
    kingdom = state.kingdoms[home]
    points = kingdom.land_points + castle_points(kingdom, rules)
    if rules.town:
        points += coin_points(kingdom, rules) + building_points(kingdom, rules)
        points += queen_points(state, rules, home)
    return points


def castle_points(kingdom, rules):
    """Middle Kingdom and Harmony, where they are played."""
    points = 0
    if rules.middle_kingdom != 0 and centred(kingdom, rules):
        points += rules.middle_kingdom
    if rules.harmony != 0 and complete(kingdom, rules):
        points += rules.harmony
    return points


def complete(kingdom, rules):
    """Say whether the kingdom fills its grid."""
    return kingdom.placed + 1 == rules.grid * rules.grid


def coin_points(kingdom, rules):
    """Wealth: a point for so many coins."""
    return kingdom.coins // rules.coins_per_point if rules.coins_per_point > 0 else 0


def building_points(kingdom, rules):
    """What the buildings are worth by themselves; their crowns count with their town."""
    points = 0
    for kind in range(rules.kind_count):
        if kingdom.built[kind] > 0:
            points += kingdom.built[kind] * building_worth(kingdom, rules.buildings[kind])
    return points


def building_worth(kingdom, building):
    """Return the points of one building: flat ones, and those for each territory, tower or knight."""
    return building.points + building.each * counted(kingdom, building.per)


def counted(kingdom, per):
    """Return how many there are of what a building counts."""
    if per == PER_TOWER:
        return kingdom.towers
    if per == PER_KNIGHT:
        return kingdom.knights + kingdom.levied
    if 0 <= per < TERRAINS:
        return kingdom.territories[per]
    return 0


def queen_points(state, rules, home):
    """The queen is one crown more in the largest territory of her host."""
    return rules.queen_crowns * state.kingdoms[home].largest if state.queen == home + 1 else 0
