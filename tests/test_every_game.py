"""What must hold of every game there is. A new folder in balance/games is found and tried here."""

from __future__ import annotations

import dataclasses
import functools
import itertools

import numpy as np
import pytest

from balance import cell as cells
from balance import design, dice, games, records, replay, scenario

SEED = 20_261
STEPS = 300  # decisions looked at closely in one game
TABLES = [
    pytest.param(id, players, id=f"{id}-{players}")
    for id, game in games.known().items()
    for players in game.counts
]
every_table = pytest.mark.parametrize(("id", "players"), TABLES)
# What takes long is tried with the fewest and the most players; `make validate` tries all counts.
ENDS = [
    table
    for table in TABLES
    if table.values[1] in (games.get(table.values[0]).counts[0], games.get(table.values[0]).counts[-1])
]
fewest_and_most = pytest.mark.parametrize(("id", "players"), ENDS)


@functools.cache
def field(id, players, bots=()):
    """A cell of the game and its design, with all its bots at the table or only those named."""
    names = bots or tuple(games.get(id).bots)
    text = f'game = "{id}"\nplayers = {players}\nseed = {SEED}\ngames = 100\n'
    text += "".join(f'[bots.{name}]\nlike = "{name}"\n' for name in names)
    asked = scenario.parse(text, where=id)
    cell = design.cells(asked)[0]
    return cell, design.lineups(asked, cell)


def dealt(id, players, count, bots=()):
    """The cell, and numbers, blocks and line-ups of `count` games spread over many blocks."""
    cell, made = field(id, players, bots)
    numbers, blocks, lineups = made.of(np.arange(count))
    spread = np.linspace(0, len(numbers) - 1, count).astype(int)
    seated = lineups.reshape(len(numbers), players)[spread].reshape(-1)
    return cell, numbers[spread], blocks[spread], seated.view(np.recarray)


def tables(id, players, count):
    """Open `count` games in the plain lane."""
    cell, numbers, blocks, lineups = dealt(id, players, count)
    for i in range(count):
        lineup = lineups[i * players : (i + 1) * players]
        yield replay.Table(cell, lineup, SEED, int(blocks[i]), int(numbers[i]))


def decisions(table, most=STEPS):
    """Play on, stopping at each decision with the acts that are open."""
    rules = table.cell.rules[0]
    acts = np.zeros(table.cell.game.legal_most or table.cell.game.acts, np.int32)
    for _ in range(most):
        if table.state.over:
            return
        count = table.lib.legal(table.state, rules, acts)
        yield acts[:count].copy()
        act = table.lib.decide(table.state, rules, table.cell.hands, table.lineup, table.desk.rng, table.desk)
        table.lib.apply(table.state, rules, act, table.desk.rng)


@every_table
def test_every_game_ends_and_its_rows_add_up(id, players):
    cell, numbers, blocks, lineups = dealt(id, players, 200)
    batch = cells.play(cell, cell.game.fast(), numbers, blocks, lineups, SEED)
    assert batch.games.finished.all()
    seats = batch.seats.reshape(-1, players)
    sources = [column.name for column in cell.game.seat_columns if column.role == "source"]
    if sources:
        total = sum(seats[name].astype(int) for name in sources)
        assert (total == seats["score"]).all()
    side_size = np.bincount(cell.game.sides(players))[cell.game.sides(players)]
    assert (seats["share"] / side_size).sum(axis=1) == pytest.approx(1)
    assert ((seats["share"] > 0) == (seats["rank"] == 1)).all()
    assert (seats["rank"].min(axis=1) == 1).all()
    assert (seats["seat"] == np.arange(players)).all()


def agree(id, players, count):
    """Play at least `count` games in both lanes and compare their rows byte by byte; all bots are in them."""
    bots = set(range(len(games.get(id).bots)))
    for enough in range(count, count + 9):
        cell, numbers, blocks, lineups = dealt(id, players, enough)
        if set(lineups.bot.tolist()) == bots:
            break
    assert set(lineups.bot.tolist()) == bots
    plain, fast = (
        cells.play(cell, lib, numbers, blocks, lineups, SEED, turns=cell.game.limit // 100)
        for lib in (cell.game.plain, cell.game.fast())
    )
    for ours, theirs in zip(vars(plain).values(), vars(fast).values(), strict=True):
        assert ours.tobytes() == theirs.tobytes()


@fewest_and_most
def test_plain_and_compiled_agree_to_the_byte(id, players):
    agree(id, players, 7)


@pytest.mark.validate
@every_table
def test_plain_and_compiled_agree_in_many_games(id, players):
    agree(id, players, 70)


@every_table
def test_acts_are_unique_in_range_and_each_has_words_of_its_own(id, players):
    for table in tables(id, players, 2):
        game = table.cell.game
        for acts in decisions(table):
            assert 1 <= len(acts) == len(set(acts.tolist()))
            assert 0 <= acts.min() <= acts.max() < game.acts
            said = [game.words.say(table.state, int(act), table.cell) for act in acts]
            assert all(said)
            assert len(set(said)) == len(said)


def honest(id, players, count, at_once):
    """A bot plays a legal act, leaves the game and its chance alone, and cannot see what is hidden.

    At each decision `at_once` of the bots are asked, in turn; then all that the seat cannot see is
    dealt anew, and they are asked again.
    """
    for table in tables(id, players, count):
        bots = itertools.cycle(table.cell.bots)
        for acts in decisions(table):
            if len(acts) == 1:
                continue
            for bot in itertools.islice(bots, at_once):
                seen = asked(table, bot, acts)
                assert seen in acts
                assert asked(table, bot, acts, redealt=table.desk.decisions) == seen


@fewest_and_most
def test_every_bot_is_honest(id, players):
    honest(id, players, 2, 1)


@pytest.mark.validate
@every_table
def test_every_bot_is_honest_at_every_decision(id, players):
    honest(id, players, 1, len(games.get(id).bots))


def asked(table, bot, acts, redealt=None):
    """What `bot` would play here, on a copy of the game in which all it cannot see may be dealt anew."""
    lib, rules, seat = table.lib, table.cell.rules[0], int(table.state.seat)
    desk = records.make(table.cell.game.desk_type)[0]
    desk.state = table.state
    if redealt is not None:
        other = records.make(dice.STREAM)[0]
        dice.start(other, SEED, redealt, 9999)
        lib.redeal(desk.state, rules, seat, other)
        assert offered(table, desk.state) == acts.tolist()
    for purpose in range(len(table.cell.game.streams)):
        dice.start(desk.rng.chance[purpose], SEED, 1, purpose)
        dice.start(desk.dream.chance[purpose], SEED, 1, 8000 + purpose)
    for other in range(int(table.state.seats)):
        dice.start(desk.rng.seats[other], SEED, 1, 1024 + other)
        dice.start(desk.dream.seats[other], SEED, 1, 9000 + other)
    before = desk.state.tobytes(), desk.rng.chance.tobytes()
    desk.acts[: len(acts)] = acts
    act = lib.choose(desk.state, rules, bot, desk.acts, len(acts), desk.rng.seats[seat], desk)
    assert (desk.state.tobytes(), desk.rng.chance.tobytes()) == before
    return int(act)


def offered(table, state):
    """The acts open in `state`, in order."""
    acts = np.zeros(table.cell.game.legal_most or table.cell.game.acts, np.int32)
    return acts[: table.lib.legal(state, table.cell.rules[0], acts)].tolist()


@every_table
def test_the_deal_does_not_depend_on_who_plays(id, players):
    first = next(iter(tables(id, players, 1)))
    for bot in range(len(first.cell.bots)):
        lineup = first.lineup.copy()
        lineup.bot = bot
        other = replay.Table(first.cell, lineup, SEED, 0, first.game)
        again = replay.Table(first.cell, first.lineup, SEED, 0, first.game)
        assert other.state.tobytes() == again.state.tobytes()


SEARCHES = [
    {"kind": kind, "playouts": playouts, "depth": 2, "policy": "random"}
    for kind, playouts in (("flat", 12), ("tree", 12), ("halving", 8))
]
THOUGHTS = 36  # searches of one position, from the deal as it is and from another


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: search["kind"])
@pytest.mark.parametrize(("id", "players"), [("kingdomino", 2), ("tiny-epic-kingdoms", 3)])
def test_what_a_search_plays_does_not_hang_on_what_is_hidden(id, players, search):
    """Its chance is its own, so acts are compared as distributions, by a chi-square test."""
    from scipy import stats

    cell, _ = field(id, players)
    bots, cast, thinkers = cells.bot_records(cell.game, {"s": {"like": "tuned", "search": search}})
    made = dataclasses.replace(cell, bots=bots, bot_names=("s",), cast=cast, thinkers=thinkers)
    table = next(iter(tables(id, players, 1)))
    position = next(
        acts for number, acts in enumerate(decisions(table)) if number > 12 and 2 < len(acts) < 30
    )
    counts = np.zeros((2, cell.game.acts), int)
    for side in range(2):
        for number in range(THOUGHTS):
            counts[side, thought(table, made, position, number + side * THOUGHTS, redealt=side)] += 1
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] > 1:
        assert stats.chi2_contingency(counts).pvalue > 1e-4


def thought(table, made, acts, number, redealt):
    """What a search plays here with chance number `number` of its own, the hidden part dealt anew or not."""
    lib, rules = table.lib, table.cell.rules[0]
    desk = records.make(table.cell.game.desk_type)[0]
    desk.state = table.state
    seat = int(table.state.seat)
    for other in range(int(table.state.seats)):
        desk.ends[other].side = table.cell.game.sides(int(table.state.seats))[other]
    if redealt:
        other = records.make(dice.STREAM)[0]
        dice.start(other, SEED, number, 9999)
        lib.redeal(desk.state, rules, seat, other)
    stream = records.make(dice.STREAM)[0]
    dice.start(stream, SEED, number, 1024)
    lineup = table.lineup.copy()
    lineup.bot = 0
    desk.acts[: len(acts)] = acts
    before = desk.state.tobytes()
    act = lib.think(desk.state, rules, made.hands, made.bots[0], desk.acts, len(acts), lineup, stream, desk)
    assert desk.state.tobytes() == before
    return int(act)
