"""Remedies: the smallest change that brings all into the band is found, and not claimed too early."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import synthetic
from balance import analysis, design, games, scenario
from balance.analysis import by_players, remedy

EDGES = (0.35, 0.2, 0.02, -0.35)  # of the first seat, by candidate


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    tables = [synthetic.frames(900, seed=4, seat_edge=edge, cell=cell) for cell, edge in enumerate(EDGES)]
    more = {
        cell: {"choice": {"rules.bonus.4": cell} if cell else {}, "size": float(cell)}
        for cell in range(len(EDGES))
    }
    run = synthetic.write(tmp_path_factory.mktemp("remedy"), *tables, more=more)
    return analysis.declared(run)


def test_the_smallest_change_in_the_band_is_named(known):
    family = known.family("seat")
    table = remedy.candidates(known, family)
    assert table["choice"].unique(maintain_order=True).to_list() == [
        "as it is", "bonus.4 = 1", "bonus.4 = 2", "bonus.4 = 3"
    ]  # fmt: skip
    assert table.filter(pl.col("level") == "1")["state"].to_list()[2:] == [remedy.IN, remedy.OUT]
    found = remedy.smallest(table)
    every = found.filter(pl.col("level").is_null()).row(0, named=True)
    assert (every["sure"], every["sure_size"]) == ("bonus.4 = 2", 2.0)
    assert remedy.sentences(table, family)[0].startswith(
        "The smallest change that brings every seat into the band is bonus.4 = 2"
    )


def test_intervals_hold_for_all_candidates_at_once(known):
    table = remedy.candidates(known, known.family("seat"))
    alone = analysis.tables(known)["win_share_by_seat"]
    both = table.join(alone, on=["cell", "level"])
    assert (both["low"] < both["low_all"]).all()
    assert (both["high"] > both["high_all"]).all()
    assert both["share"].equals(both["share_right"])


def test_where_nothing_varies_there_are_no_candidates(tmp_path):
    known = analysis.declared(synthetic.write(tmp_path, synthetic.frames(3)))
    assert remedy.candidates(known, known.primary).is_empty()
    assert remedy.smallest(remedy.candidates(known, known.primary)).is_empty()
    assert remedy.sentences(remedy.candidates(known, known.primary), known.primary) == []


def states(*cells):
    """A table of candidates of two levels: size and both states."""
    rows = [
        (4, number, f"x = {size}", float(size), level, level.upper(), state, 0.2 + 0.01 * number, 0.25)
        for number, (size, *both) in enumerate(cells)
        for level, state in zip("ab", both, strict=True)
    ]
    names = ["players", "cell", "choice", "size", "level", "name", "state", "share", "fair"]
    return pl.DataFrame(rows, schema=names, orient="row")


SEAT = type("Family", (), {"label": "Seat"})


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([(0, remedy.IN, remedy.IN), (1, remedy.IN, remedy.IN)], "No change is needed: every seat is in the"),
        ([(0, remedy.OUT, remedy.IN), (1, remedy.IN, remedy.OUT)], "Closest comes x = 1: its farthest, "),
        ([(0, remedy.OUT, remedy.IN), (1, remedy.IN, remedy.PERHAPS)], "No change surely brings every seat"),
        ([(0, remedy.PERHAPS, remedy.IN), (1, remedy.IN, remedy.PERHAPS)], "not ruled out that none"),
        ([(0, remedy.OUT, None), (2, remedy.IN, remedy.IN), (1, remedy.IN, remedy.PERHAPS)],
         "is x = 2; a smaller one, x = 1, is not ruled out."),
    ],
)  # fmt: skip
def test_what_is_said(cells, said):
    assert said in remedy.sentences(states(*cells), SEAT)[0]


def test_a_level_alone_may_need_less():
    found = remedy.smallest(
        states((0, remedy.OUT, remedy.IN), (1, remedy.IN, remedy.OUT), (2, remedy.IN, remedy.IN))
    )
    assert found["sure"].to_list() == ["x = 2", "x = 1", "x = 0"]


def test_a_claim_is_rarely_wrong_however_many_candidates():
    """Three hundred studies of twelve candidates, all just outside the band: none should look inside."""
    rng = np.random.default_rng(3)
    share = 0.25 * 1.1 + 1e-4
    wrong = 0
    for _ in range(300):
        means = share + 0.02 * rng.standard_normal((12, 200)) + 0.0
        rows = pl.LazyFrame(
            {
                "cell": np.repeat(np.arange(12), 200),
                "block": np.tile(np.arange(200), 12),
                "share": means.ravel(),
            }
        )
        table = remedy.estimate(rows, ["cell"], {"share": remedy.Value.mean(pl.col("share"))})
        table = remedy.intervals(table.with_columns(players=4, fair=0.25), ["players"], (0.0, 1.0))
        wrong += (table["high_all"] <= 0.275).any()
    assert wrong <= 20  # a one-sided half of 5 % would be 7.5


# --- sizes of changes ---------------------------------------------------------------------------


def sizes(text, players=4):
    found = scenario.parse(f'game = "tiny-epic-kingdoms"\nplayers = {players}\n[bots.balanced]\n{text}')
    return [cell.size for cell in design.cells(found)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[vary]\nrules.start_vp_by_seat.4 = [0, 1, 2]", [0, 1, 2]),
        ("[vary]\nrules.start_goods_by_seat = [[0, 0, 1, 1, 0], [0, 1, 1, 2, 0]]", [2, 4]),
        ("[vary]\nrules.start_vp_by_seat.4 = [0, 1]\nrules.start_vp_by_seat.1 = [0, -1]", [0, 1, 1, 2]),
        ('[vary]\nrules.ties = ["defender", "attacker"]', [0, 1]),
        ('[vary]\nrules.castle_vp = ["low", "default"]', [3, 0]),
        ("[rules]\ncap = 7\n[vary]\nrules.shields = [5, 3]", [0, 2]),
        ('[[variant]]\nname = "v"\nrules.cap = 7\nnations.orcs.5.vp = 1', [0, 3]),
        ("[vary]\nnations.humans.5.vp = [0, 1, 3]", [0, 1, 3]),
        ('[vary]\nnations.orcs.2 = [[], [{ effect = "vp", amount = 1 }]]', [0, 1]),
        ("", [0]),
    ],
)  # fmt: skip
def test_the_size_of_a_change_is_its_distance_from_the_scenarios_rules(text, wanted):
    assert sizes(text) == wanted


def test_the_clearing_turn_is_a_change_where_the_rulebook_has_none():
    text = "[vary]\nrules.clearing_turn = [false, true]"
    assert sizes(text, 4) == [0, 1]
    assert sizes(text, 5) == [1, 0]
    assert games.get("tiny-epic-kingdoms").players[1] >= 5


# --- across numbers of players ------------------------------------------------------------------


def test_indices_compare_across_numbers_of_players(tmp_path):
    three = synthetic.frames(60, players=3, strength={"orcs": 0.4})
    five = synthetic.frames(60, players=5, strength={"orcs": 0.4}, cell=1)
    run = synthetic.write(
        tmp_path, three, five, labels={0: "3 players", 1: "5 players"},
        more={0: {"players": 3}, 1: {"players": 5}},
    )  # fmt: skip
    known = analysis.declared(run)
    shares = {"nation": analysis.tables(known)["win_share_by_nation"]}
    table = by_players.index(known, shares)
    orcs = table.filter(pl.col("level") == "orcs").sort("players")
    share = shares["nation"].filter(pl.col("level") == "orcs").sort("cell")["share"]
    assert orcs["index"].to_list() == pytest.approx([3 * share[0], 5 * share[1]])
    assert orcs["label"].to_list() == ["", ""]
    assert table.group_by("players").agg(pl.col("index").mean())["index"].to_list() == pytest.approx([1, 1])
    only = analysis.declared(synthetic.write(tmp_path / "one", three))
    assert by_players.index(only, shares).is_empty()
