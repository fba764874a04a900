"""Two players and exploration tokens: both lanes agree, what is hidden stays so, bots play them well."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import dice, games, records, replay
from balance.errors import CaseError, ScenarioError

GAME = games.get("tiny-epic-kingdoms")
TOKENS = {"exploration": True}
STYLES = ("random", "balanced", "builder", "scholar", "settler", "warlord", "diplomat")
VARIANTS = [(2, {}), (2, TOKENS), (3, TOKENS), (4, TOKENS), (5, TOKENS), (3, TOKENS | {"lost_kingdom": True})]
every_variant = pytest.mark.parametrize(("players", "rules"), VARIANTS)


def seated(cell, count):
    """Line-ups of `count` games in which nations, territories and bots meet in turn."""
    lineups = records.make(GAME.lineup_type, cell.players * count)
    number, seat = np.divmod(np.arange(cell.players * count), cell.players)
    lineups.bot = (number + seat) % len(cell.bots)
    lineups.nation = (number * 3 + seat) % len(cell.levels("nation"))
    lineups.territory = ((number // 7 + seat) % 8) * 2 + number // 5 % 2
    return lineups


def played(cell, count, lib, seed=3):
    return cells.play(
        cell, lib, np.arange(count), np.arange(count) // 7, seated(cell, count), seed, turns=200
    )


def agree(players, rules, count):
    cell = cells.prepare(GAME, players, rules=rules, bots={style: {} for style in STYLES})
    for ours, theirs in zip(
        vars(played(cell, count, GAME.plain)).values(),
        vars(played(cell, count, GAME.fast())).values(),
        strict=True,
    ):
        assert ours.tobytes() == theirs.tobytes()


@every_variant
def test_plain_and_compiled_agree_to_the_byte(players, rules):
    agree(players, rules, 2)


@pytest.mark.validate
@every_variant
def test_plain_and_compiled_agree_in_two_hundred_games(players, rules):
    agree(players, rules, 200)


@every_variant
def test_every_game_ends_and_its_rows_add_up(players, rules):
    cell = cells.prepare(GAME, players, rules=rules, bots={style: {} for style in STYLES})
    batch = played(cell, 300, GAME.fast())
    assert batch.games.finished.all()
    sources = [column.name for column in GAME.seat_columns if column.role == "source"]
    assert (sum(batch.seats[name] for name in sources) == batch.seats.score).all()
    kinds = [column.name for column in GAME.seat_columns if column.name.startswith("found_")]
    assert (sum(batch.seats[name] for name in kinds[1:]) == batch.seats.found_tokens).all()
    assert (batch.seats.found_tokens.sum() > 0) == ("exploration" in rules)
    assert (batch.seats.neutrals.sum() > 0) == (players == 2 or "lost_kingdom" in rules)


def table(players, rules, bot, game=0):
    cell = cells.prepare(GAME, players, rules=rules, bots={bot: {}})
    lineup = seated(cell, game + 1)[-players:].view(np.recarray)
    return replay.Table(cell, lineup, 5, game, game)


@pytest.mark.parametrize(("players", "bot"), [(2, "balanced"), (4, "settler"), (5, "balanced")])
def test_a_bot_does_not_know_what_lies_face_down(players, bot):
    """Its choice is the same whatever the tokens are that it cannot see."""
    game = table(players, TOKENS, bot)
    lib, rules, asked = game.lib, game.cell.rules[0], 0
    other = records.make(dice.STREAM)[0]
    acts = np.zeros(GAME.legal_most, np.int32)
    for number in range(120):
        state = game.state
        count = lib.legal(state, rules, acts)
        chosen = set()
        for deal in range(3):
            desk = records.make(GAME.desk_type)[0]
            desk.state = state
            dice.start(other, 5, number, 77 + deal)
            if deal:
                lib.redeal(desk.state, rules, int(state.seat), other)
            for seat in range(players):
                dice.start(desk.rng.seats[seat], 5, number, 1024 + seat)
                dice.start(desk.dream.seats[seat], 5, number, 9000 + seat)
            desk.acts[:count] = acts[:count]
            stream = desk.rng.seats[state.seat]
            chosen.add(int(lib.choose(desk.state, rules, game.cell.bots[0], desk.acts, count, stream, desk)))
        assert len(chosen) == 1
        asked += count > 1
        lib.apply(state, rules, chosen.pop(), game.desk.rng)
        if state.over:
            break
    assert asked > 30


def test_redealing_depends_on_what_is_seen_alone_and_moves_only_what_lies_face_down():
    game = table(4, TOKENS, "random")
    for _ in zip(range(60), game.steps(), strict=False):
        pass
    lib, rules, state = game.lib, game.cell.rules[0], game.state
    stream, dealt = records.make(dice.STREAM)[0], []
    covered = int(state.covered)
    assert covered
    for before in range(4):
        desk = records.make(GAME.desk_type)[0]
        desk.state = state
        for deal in (before, 99):  # whatever lay there, the same draw deals the same
            dice.start(stream, 1, deal, 0)
            lib.redeal(desk.state, rules, 0, stream)
        dealt.append(desk.state.tokens.tolist())
        for kind in range(int(rules.token_kinds)):
            assert int(desk.state.tokens[kind]) & ~covered == int(state.tokens[kind]) & ~covered
        assert desk.state.unseen.tolist() == state.unseen.tolist()
    assert dealt.count(dealt[0]) == 4


def test_each_token_is_as_likely_in_each_region():
    """Over many deals a region has each kind in proportion to its number."""
    game = table(4, TOKENS, "random")
    for _ in zip(range(12), game.steps(), strict=False):
        pass
    lib, rules = game.lib, game.cell.rules[0]
    stream, counts = records.make(dice.STREAM)[0], np.zeros(int(rules.token_kinds))
    desk = records.make(GAME.desk_type)[0]
    desk.state = game.state
    region = int(desk.state.covered).bit_length() - 1
    for deal in range(2_000):
        dice.start(stream, 2, deal, 0)
        lib.deal_tokens(desk.state, rules, stream)
        counts[lib.kind_at(desk.state, rules, region)] += 1
    wanted = 2_000 * desk.state.unseen[: len(counts)] / desk.state.unseen.sum()
    assert (abs(counts - wanted) < 5 * np.sqrt(wanted) + 1).all()


def shares(players, rules, bots, count):
    cell = cells.prepare(GAME, players, rules=rules, bots=bots)
    batch = played(cell, count, GAME.fast(), seed=11)
    return [batch.seats.share[batch.seats.bot == number].mean() for number in range(len(bots))]


@pytest.mark.parametrize("style", ["balanced", "scholar", "settler", "diplomat"])
@pytest.mark.parametrize("deaf", [{"weights": {"lost": 0}}, {"bar": ["lost_kingdom"]}])
def test_who_ignores_the_lost_kingdom_loses(style, deaf):
    ours, theirs = shares(2, {}, {style: {}, "deaf": {"like": style} | deaf}, 1_000)
    assert ours > theirs + 0.03


def test_who_ignores_the_tokens_loses():
    deaf = {"like": "balanced", "weights": {"explore": 0, "tokens": 0, "sites": 0}}
    ours, theirs = shares(4, TOKENS, {"balanced": {}, "deaf": deaf}, 6_000)
    assert ours > theirs + 0.012


@pytest.mark.parametrize("rules", [{}, TOKENS])
def test_every_style_beats_a_random_player_of_two(rules):
    for style in STYLES[1:]:
        ours, _ = shares(2, rules, {style: {}, "random": {}}, 200)
        assert ours > 0.9


# Mistakes


@pytest.mark.parametrize(
    ("players", "rules", "own", "line"),
    [
        (
            5,
            {"lost_kingdom": True},
            {},
            "rules.lost_kingdom: with 5 players there is no room for it; play with 2 to 4",
        ),
        (
            5,
            TOKENS,
            {"tokens": {"blank": {"count": 0}}},
            "rules.blanks_out: there are 0 blank tokens; give at most 0",
        ),
        (
            5,
            TOKENS | {"home_tokens": 4},
            {},
            "rules.home_tokens: 15 tokens are too few for 5 players; give at most 3, or more tokens",
        ),
        (
            3,
            {},
            {"tokens": {"keep": {"count": 1, "effects": [{"effect": "vpp"}]}}},
            "tokens.keep.effects.0.effect: there is no effect 'vpp'; did you mean 'vp'?",
        ),
        (
            3,
            {},
            {"tokens": {"keep": {"count": 1, "effects": [{"effect": "vp"}]}}},
            "tokens.keep.effects.0: 'amount' is missing; give a whole number from 1 to 9",
        ),
        (
            3,
            {},
            {"tokens": {"keep": {"count": 1, "effects": [{"effect": "rescue", "amount": 1}]}}},
            "tokens.keep.effects.0.amount: 'rescue' takes no 'amount'; leave it out",
        ),
        (
            3,
            {},
            {"tokens": {"keep": {"effects": []}}},
            "tokens.keep: 'count' is missing; write it, or start by like = \"...\"",
        ),
        (
            3,
            {},
            {"tokens": {"keep": {"like": "crown", "count": 17}}},
            "tokens.keep.count: 17 will not do; give 16 or less",
        ),
        (
            3,
            {},
            {
                "tokens": {
                    "keep": {
                        "count": 1,
                        "effects": [{"effect": "keep", "amount": 1}, {"effect": "vp", "amount": 1}],
                    }
                }
            },
            (
                "tokens.keep.effects: a token that is kept cannot stay on the map as well; "
                "leave out 'keep', or all effects of a token that lies open"
            ),
        ),
        (
            3,
            {},
            {
                "tokens": {
                    "keep": {
                        "count": 1,
                        "effects": [{"effect": "vp", "amount": 1}, {"effect": "vp", "amount": 1}],
                    }
                }
            },
            "tokens.keep.effects.1: the token has this effect already; keep one of the two",
        ),
        (
            3,
            {},
            {"tokens": {f"t{number}": {"like": "blank"} for number in range(4)}},
            "tokens: 13 kinds of token are too many; 12 have room",
        ),
    ],
)
def test_a_mistake_is_one_line(players, rules, own, line):
    with pytest.raises(ScenarioError) as caught:
        cells.prepare(GAME, players, rules=rules, components=own)
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("players", "rules", "position", "line"),
    [
        (
            3,
            {},
            {"neutral": ["1a"]},
            "neutral: there is no Lost Kingdom; set rules.lost_kingdom = true",
        ),
        (2, {}, {"neutral": ["1a"]}, 'neutral.0: 1a is no region of the Lost Kingdom; write "La"'),
        (2, {}, {"neutral": "La"}, 'neutral: \'La\' is no list; write ["La", "Lb"]'),
        (
            2,
            {},
            {"tokens": {"1a": "fort"}},
            "tokens: is played without exploration tokens; set rules.exploration = true",
        ),
        (3, TOKENS, {"tokens": ["1a"]}, "tokens: ['1a'] is no table; write { 1c = \"fort\" }"),
        (3, TOKENS, {"tokens": {"1c": "ford"}}, None),
        (
            3,
            TOKENS,
            {"tokens": {"1c": "fort"}, "covered": {"1c": "camp"}},
            "covered.1c: 1c has a token already; name it once",
        ),
        (
            3,
            TOKENS,
            {"covered": {"1a": "camp"}},
            "seats.1.meeples.0: 1a has a token face down; lay it under 'tokens'",
        ),
        (
            3,
            {},
            {"seats": [{"crowns": 1}]},
            "seats.1.crowns: no token is kept; set rules.exploration = true",
        ),
    ],
)
def test_a_position_that_cannot_be_is_named(players, rules, position, line):
    cell = cells.prepare(GAME, players, rules=rules)
    game = replay.Table(cell, seated(cell, 1), 0, 0, 0)
    with pytest.raises(CaseError) as caught:
        GAME.words.lay(game.state, position, cell)
    if line is None:
        assert "did you mean 'fort'?" in str(caught.value)
    else:
        assert str(caught.value) == line
