"""Play games through the protocol, one after another, into rows of results. Knows no game.

Everything here runs plain or compiled, with the same bytes; `balance.link` says how.
"""

from balance.bots.search import think
from balance.bots.uniform import uniform
from balance.dice import at, start, unit
from balance.protocol import apply, choose, score, setup, tally
from balance.table import options, share_win

BOTS = 1024  # purposes from here on belong to the seats' bots
DREAM = 4096  # added to a purpose for chance that exists in a bot's mind only


def begin(rng, streams, seats, seed, block, game, dream):
    """Key every stream of `rng`: chance by the block, bots by the game.

    All line-ups of a block meet the same deal and dice; what-if chance is apart from real chance.
    """
    for purpose in range(streams):
        start(rng.chance[purpose], seed, block, purpose + dream)
    for seat in range(seats):
        start(rng.seats[seat], seed, game, BOTS + seat + dream)


def event(state, desk):
    """Number the decision at hand by turn, phase and how often this seat was asked just this before."""
    asked = desk.asked[state.seat]
    if asked.turn == state.turn and asked.phase == state.phase:
        asked.times += 1
    else:
        asked.turn, asked.phase, asked.times = state.turn, state.phase, 0
    return (state.turn * 64 + state.phase) * 64 + asked.times % 64


def decide(state, rules, bots, lineup, rng, desk):
    """Return the act that the bot of `state.seat` plays; counts the decision if it had a choice.

    Returns -1 if the game offers no act at all: a hole in its rules, which leaves it unfinished.
    """
    seat = state.seat
    bot = bots[lineup[seat].bot]
    count = options(state, rules, bot, desk.acts)
    if count == 0:
        return -1
    if count == 1:
        return desk.acts[0]
    desk.decisions += 1
    moment = event(state, desk)
    at(rng.seats[seat], moment)
    at(desk.dream.seats[seat], moment)
    if bot.slip > 0.0 and unit(rng.seats[seat]) < bot.slip:
        return uniform(desk.acts, count, rng.seats[seat])
    if bot.mind.search != 0:
        return think(state, rules, bots, bot, desk.acts, count, lineup, rng.seats[seat], desk)
    return choose(state, rules, bot, desk.acts, count, rng.seats[seat], desk)


def open_table(state, rules, bots, lineup, rng, desk, streams, seed, block, game):
    """Set up one game on a zeroed `state` whose `seats` is set."""
    luck = game - lineup[0].echo
    begin(rng, streams, state.seats, seed, block, luck, 0)
    begin(desk.dream, streams, state.seats, seed, luck, luck, DREAM)
    desk.decisions = 0
    for seat in range(state.seats):
        desk.asked[seat].turn = -1
        lineup[seat].bars = bots[lineup[seat].bot].bars
        lineup[seat].gifts = bots[lineup[seat].bot].gifts
    setup(state, rules, lineup, rng)


def play(state, rules, bots, lineup, rng, desk, limit, turn_rows, used, game, block, owners, without, counts):
    """Play on until the end or for `limit` acts; return how many `turn_rows` are used by now."""
    turn = state.turn
    for _ in range(limit):
        if state.over:
            break
        act = decide(state, rules, bots, lineup, rng, desk)
        if act < 0:
            break
        if len(owners) > 0:
            note_parts(state, rules, bots, lineup, desk, act, game, owners, without, counts)
        apply(state, rules, act, rng)
        if state.turn != turn or state.over:
            if used + state.seats <= len(turn_rows):
                used = note_turn(state, rules, turn, turn_rows, used, game, block)
            turn = state.turn
    return used


def note_parts(state, rules, bots, lineup, desk, act, game, owners, without, counts):
    """Count for each part that the seat at hand owns whether it opens acts here, and whether one is taken.

    `without` holds for each part the rules that lack it; `counts` its chances, its uses, the games in
    which it had a chance and the last of them (from 1), and the same of its uses.
    """
    bot = bots[lineup[state.seat].bot]
    count = options(state, rules, bot, desk.found)
    for part in range(owners[state.seat, 0], owners[state.seat, 1]):
        fewer = options(state, without[part], bot, desk.thoughts)
        same = fewer == count
        taken = True
        for i in range(fewer):
            if same and desk.thoughts[i] != desk.found[i]:
                same = False
            if desk.thoughts[i] == act:
                taken = False
        if not same:
            counts[part, 0] += 1
            if taken:
                counts[part, 1] += 1
                if counts[part, 5] != game + 1:
                    counts[part, 4] += 1
                    counts[part, 5] = game + 1
            if counts[part, 3] != game + 1:
                counts[part, 2] += 1
                counts[part, 3] = game + 1


def note_turn(state, rules, turn, turn_rows, used, game, block):
    """Write the running score of each seat at the end of `turn`; return how many rows are used."""
    for seat in range(state.seats):
        row = turn_rows[used + seat]
        row.game = game
        row.block = block
        row.turn = turn + 1
        row.seat = seat
        row.score = score(state, rules, seat)
    return used + state.seats


def batch(
    game_rows,
    seat_rows,
    turn_rows,
    lineups,
    rules,
    bots,
    desks,
    seed,
    streams,
    limit,
    owners,
    without,
    counts,
):
    """Play a game for each of `game_rows`, whose `game`, `block` and `seats` are filled in.

    `lineups` and `seat_rows` hold `seats` rows a game, in order. `turn_rows` may be empty; else
    it takes a row a seat a turn as long as there is room. Returns how many of them are used. `owners` may
    be empty; else it says for each line-up which parts it owns, from and to, see `note_parts`.
    """
    desk = desks[0]
    used = 0
    first = 0
    for i in range(len(game_rows)):
        row = game_rows[i]
        seats = row.seats
        lineup = lineups[first : first + seats]
        owned = owners[first : first + seats]
        results = seat_rows[first : first + seats]
        first += seats
        desk.state = desk.blank
        state = desk.state
        state.seats = seats
        for seat in range(seats):
            desk.ends[seat] = results[seat]
        open_table(state, rules[0], bots, lineup, desk.rng, desk, streams, seed, row.block, row.game)
        used = play(
            state,
            rules[0],
            bots,
            lineup,
            desk.rng,
            desk,
            limit,
            turn_rows,
            used,
            row.game,
            row.block,
            owned,
            without,
            counts,
        )
        row.turns = state.turn
        row.decisions = desk.decisions
        row.finished = 1 if state.over else 0
        for seat in range(seats):
            results[seat].game = row.game
            results[seat].block = row.block
            results[seat].seat = seat
            results[seat].bot = lineup[seat].bot
        tally(state, rules[0], row, results)
        share_win(row, results, seats)
    return used
