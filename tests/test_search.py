"""Searching bots: same bytes in both lanes, sound and honest choices, clear refusals."""

from __future__ import annotations

import numpy as np
import pytest

from balance import cell as cells
from balance import dataset, design, records, runner, scenario
from balance.errors import ScenarioError
from coins import GAMES as COINS

FLAT = 'search = { kind = "flat", playouts = 60, policy = "holder" }'
TREE = 'search = { kind = "tree", playouts = 60, policy = "holder", rivals = "random" }'


def play(text: str, games: int, lib=None, seed: int = 3):
    """Play Pig for two with the bots in `text`."""
    asked = scenario.parse(f'game = "pig"\nplayers = 2\nseed = {seed}\ngames = {games}\n{text}')
    made = design.cells(asked)[0]
    lineups = design.lineups(asked, made)
    numbers, blocks, seated = lineups.of(np.arange(-(-games // lineups.block_games)))
    return made, cells.play(made, lib or made.game.fast(), numbers, blocks, seated, seed)


def share(made, batch, name: str) -> tuple[float, float]:
    """Return the win share of a bot and its standard error."""
    won = batch.seats.share[batch.seats.bot == made.bot_names.index(name)]
    return won.mean(), won.std(ddof=1) / len(won) ** 0.5


@pytest.mark.parametrize("search", [FLAT, TREE])
def test_lanes_agree_to_the_byte(pig, search):
    bots = f"[bots.holder]\n[bots.s]\nlike = 'holder'\n{search}\n[rules]\ngoal = 25\n"
    plain, fast = play(bots, 2, pig.plain)[1], play(bots, 2)[1]
    assert plain.seats.tobytes() == fast.seats.tobytes()
    assert plain.games.tobytes() == fast.games.tobytes()


@pytest.mark.parametrize("search", [FLAT, TREE])
def test_a_search_beats_the_policy_of_its_playouts(search):
    weak = search.replace('"holder"', '"weak"').replace("60", "300")
    made, batch = play(
        f"[bots.weak]\nlike='holder'\nweights={{hold=4}}\n[bots.s]\nlike='weak2'\n{weak}\n".replace(
            "like='weak2'", "like='holder'\nweights={hold=4}"
        ),
        400,
    )
    won, error = share(made, batch, "s")
    assert won - 3 * error > 0.5


def test_a_winning_act_is_taken_at_once(pig):
    made = cells.prepare(pig, 2, bots={"s": {"like": "holder", "search": {"kind": "flat", "playouts": 40}}})
    desk = records.make(pig.desk_type)[0]
    lineup = records.make(pig.lineup_type, 2)
    state, lib = desk.state, pig.plain
    state.seats = 2
    desk.ends[1].side = 1
    lib.open_table(state, made.rules[0], made.hands, lineup, desk.rng, desk, 1, np.uint64(1), 0, 0)
    state.pot, state.banked[0], state.banked[1] = 10, 95, 90
    assert lib.decide(state, made.rules[0], made.hands, lineup, desk.rng, desk) == 1
    assert desk["values"][0] != desk["values"][1]


def coins(kind: str, playouts: int, games: int, chances=(90, 20, 30, 70)) -> np.ndarray:
    """Return how often each seat puts down heads, by a search of so many playouts."""
    game = COINS[0]
    made = cells.prepare(
        game,
        2,
        rules={"chances": list(chances)},
        bots={"s": {"kind": "greedy", "search": {"kind": kind, "playouts": playouts}}},
    )
    numbers = np.arange(games)
    lineups = records.make(game.lineup_type, 2 * games)
    batch = cells.play(made, game.fast(), numbers, numbers, lineups, 5)
    return batch.seats.heads.reshape(games, 2).mean(axis=0)


def test_sealed_choices_are_mixed_as_in_the_equilibrium():
    """The first wins with 0.9, 0.2, 0.3, 0.7, so it mixes 4 : 7 (minimax), whatever the second could see.

    The second knows the first's choice as `redeal` deals it, evenly, and answers that: tails.
    """
    first, second = coins("tree", 3000, 800)
    assert first == pytest.approx(4 / 11, abs=0.09)
    assert second < 0.15


def test_a_dominant_sealed_choice_is_made():
    first, _ = coins("tree", 500, 100, (90, 80, 10, 20))
    assert first > 0.95


def test_the_manifest_says_how_a_bot_searches_and_reads_back(tmp_path):
    text = f"game = 'pig'\nplayers = 2\ngames = 20\n[bots.holder]\n[bots.s]\nlike = 'holder'\n{TREE}\n"
    run = runner.sweep(scenario.parse(text), tmp_path / "run")
    told = dataset.open(run.path).manifest["bots"]
    assert told["s"]["search"]["playouts"] == 60
    assert told["s"]["search"]["rivals"] == "random"
    assert "search" not in told["holder"]
    assert scenario.again(run.manifest["scenario"]).bots["s"]["search"]["kind"] == "tree"


def test_every_contrast_keeps_the_bots_in_mind_apart(pig):
    made = cells.prepare(pig, 2, bots={"s": {"like": "holder", "search": {"policy": "random"}}})
    assert len(made.bots) == 1
    assert made.hands[made.hands[0].mind.policy].kind == 0


@pytest.mark.parametrize(
    ("search", "where", "remedy"),
    [
        ("{ playouts = 0 }", "bots.s.search.playouts", "1 to"),
        ("{ playouts = 1.5 }", "bots.s.search.playouts", "whole"),
        ("{ playouts = true }", "bots.s.search.playouts", "whole"),
        ("{ explore = nan }", "bots.s.search.explore", "number"),
        ('{ kind = "trie" }', "bots.s.search.kind", "tree"),
        ('{ policy = "holdr" }', "bots.s.search.policy", "holder"),
        ("{ policy = 3 }", "bots.s.search.policy", "name"),
        ("{ plaouts = 3 }", "bots.s.search.plaouts", "playouts"),
        ("3", "bots.s.search", "table"),
    ],
)
def test_what_will_not_do_is_one_clear_line(search, where, remedy):
    with pytest.raises(ScenarioError) as refused:
        play(f"[bots.s]\nlike = 'holder'\nsearch = {search}\n", 2)
    assert where in str(refused.value)
    assert remedy in refused.value.remedy


HALVING = 'search = { kind = "halving", playouts = 60, policy = "holder" }'


def test_halving_agrees_in_both_lanes(pig):
    bots = f"[bots.holder]\n[bots.s]\nlike = 'holder'\n{HALVING}\n[rules]\ngoal = 25\n"
    plain, fast = play(bots, 2, pig.plain)[1], play(bots, 2)[1]
    assert plain.seats.tobytes() == fast.seats.tobytes()


def test_halving_beats_the_bot_that_it_serves():
    weak = "like = 'holder'\nweights = { hold = 4 }\n"
    search = 'search = { kind = "halving", playouts = 200, policy = "weak" }'
    made, batch = play(f"[bots.weak]\n{weak}[bots.s]\n{weak}{search}\n", 400)
    won, error = share(made, batch, "s")
    assert won - 3 * error > 0.5


def test_without_a_proof_the_bots_own_choice_stands():
    """Where no act can be shown to be better, the search plays what the bot would play."""
    bot = "like = 'holder'\nweights = { hold = 4 }\n"
    stubborn = 'search = { kind = "halving", playouts = 40, policy = "weak", proof = 100 }'
    made, batch = play(f"[bots.weak]\n{bot}[bots.s]\n{bot}{stubborn}\n", 400)
    own = [batch.seats.holds[batch.seats.bot == number].mean() for number in (0, 1)]
    won, error = share(made, batch, "s")
    assert abs(won - 0.5) < 4 * error
    assert own[0] == pytest.approx(own[1], rel=0.1)
