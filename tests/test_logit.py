"""The winner-of-n model: against other software, against plain means, and what it refuses to say."""

from __future__ import annotations

import time

import numpy as np
import polars as pl
import pytest

import synthetic
from balance.analysis import logit
from balance.analysis.logit import Data, Term, Unidentified

NATION, SEAT = Term(("nation",)), Term(("seat",))


def laid_out(rows, columns=("nation", "seat"), seats=4):
    return logit.data(rows.sort("game", "seat"), columns, seats)


@pytest.fixture(scope="module")
def rows():
    return synthetic.frames(400, strength={"orcs": 0.35, "elves": -0.2}, ties=0.1, seat_edge=0.2)[1]


@pytest.fixture(scope="module")
def fitted(rows):
    return logit.fit(laid_out(rows), [NATION, SEAT])


def test_it_agrees_with_the_conditional_logit_of_statsmodels():
    import statsmodels.api as sm

    rows = synthetic.frames(25, strength={"orcs": 0.5}, luck=1.0)[1]
    levels = sorted(synthetic.NATIONS)
    dummies = np.stack([(rows["nation"] == level).to_numpy() for level in levels[1:]], axis=1).astype(float)
    dummies = np.column_stack([dummies, *(rows["seat"].to_numpy() == seat for seat in (2, 3, 4))])
    theirs = sm.ConditionalLogit(rows["share"].to_numpy(), dummies, groups=rows["game"].to_numpy()).fit(
        disp=False
    )
    ours = logit.fit(laid_out(rows), [NATION, SEAT], ridge=1e-9)
    nation, seat = ours.effects[ours.part(NATION)], ours.effects[ours.part(SEAT)]
    found = [*(nation[1:] - nation[0]), *(seat[1:] - seat[0])]
    assert found == pytest.approx(theirs.params.tolist(), abs=1e-4)


def test_it_agrees_with_published_software_for_choices_among_several():
    """`opt_top1` of choix 0.4.1 on these 24 choices from three of four."""
    sets = np.array([(0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 3)])
    wins = [0, 0, 1, 0, 3, 1, 2, 0, 3, 3, 2, 3, 0, 1, 1, 0, 2, 1, 3, 0, 3, 2, 1, 2]
    codes = np.tile(sets, (6, 1))
    share = np.zeros((24, 3))
    share[np.arange(24), [win % 3 for win in wins]] = 1.0
    found = Data({"x": codes}, {"x": list("abcd")}, share, np.arange(24))
    effects = logit.fit(found, [Term(("x",))], ridge=1e-9).effects
    assert effects - effects.mean() == pytest.approx(CHOIX, abs=1e-4)


CHOIX = [0.943099, -0.992478, 0.327396, -0.278017]


def test_on_balanced_data_it_agrees_with_the_means(rows, fitted):
    for term, column in ((NATION, "nation"), (SEAT, "seat")):
        means = rows.group_by(level=pl.col(column).cast(pl.String)).agg(mean=pl.col("share").mean())
        both = logit.shares(fitted, term).join(means, on="level")
        assert len(both) == means.height
        assert ((both["share"] - both["mean"]).abs() <= both["error"]).all()


def test_effects_of_a_family_sum_to_zero(fitted):
    assert fitted.effects[fitted.part(NATION)].sum() == pytest.approx(0.0, abs=1e-6)
    assert fitted.effects[fitted.part(SEAT)].sum() == pytest.approx(0.0, abs=1e-6)


def test_it_undoes_an_unfair_draw(rows):
    """Orcs mostly in the good seat: their plain mean is too high, the model's is not."""
    rng = np.random.default_rng(4)
    games, players = 6_000, 3
    nation = np.array([rng.permutation(3) for _ in range(games)])
    lucky = rng.random(games) < 0.7
    for game in np.flatnonzero(lucky):
        place = int(np.flatnonzero(nation[game] == 0)[0])
        nation[game, [0, place]] = nation[game, [place, 0]]
    value = np.array([0.0, 0.0, 0.0])[nation] + np.array([0.8, 0.0, 0.0]) + rng.gumbel(size=nation.shape)
    share = (value == value.max(axis=1, keepdims=True)).astype(float)
    seat = np.tile(np.arange(3), (games, 1))
    found = Data(
        {"nation": nation, "seat": seat},
        {"nation": ["orcs", "elves", "humans"], "seat": ["1", "2", "3"]},
        share,
        np.arange(games),
    )
    plain = share[nation == 0].mean()
    assert plain > 0.40
    table = logit.shares(logit.fit(found, [NATION, SEAT]), NATION)
    orcs = table.row(by_predicate=pl.col("level") == "orcs", named=True)
    others = table.filter(pl.col("level") != "orcs")["share"].mean()
    assert abs(orcs["share"] - others) < 3 * orcs["error"] < 0.06
    assert players == nation.shape[1]


def test_errors_are_those_of_whole_blocks(rows):
    """Each block twice over: the same effects, and errors of half as many blocks as it looks."""
    once = logit.fit(laid_out(rows), [NATION])
    games = rows["game"].max() + 1
    twice = pl.concat([rows, rows.with_columns(pl.col("game") + games)])
    doubled = logit.fit(laid_out(twice), [NATION])
    assert doubled.effects == pytest.approx(once.effects, abs=1e-4)
    assert np.diag(doubled.covariance) == pytest.approx(np.diag(once.covariance), rel=1e-2)


def test_an_interaction_is_found_where_it_is_planted_and_not_elsewhere():
    rng = np.random.default_rng(6)
    games = 4_000
    nation = np.array([rng.permutation(5)[:3] for _ in range(games)])
    seat = np.tile(np.arange(3), (games, 1))
    levels = {"nation": list("abcde"), "seat": list("123")}
    cross = Term(("nation", "seat"))
    for planted in (0.0, 0.7):
        value = planted * ((nation == 0) & (seat == 2)) + rng.gumbel(size=nation.shape)
        share = (value == value.max(axis=1, keepdims=True)).astype(float)
        found = Data({"nation": nation, "seat": seat}, levels, share, np.arange(games))
        fitted = logit.fit(found, [NATION, SEAT, cross])
        assert (logit.matters(fitted, cross) < 1e-4) == (planted > 0)
        table = logit.shares(fitted, cross)
        assert table["refused"].to_list() == [""] * 15
        best = table.sort("share").row(-1, named=True)
        assert (best["level"] == "a x 3") == (planted > 0)


def test_who_meets_whom_is_found_where_it_is_planted():
    rng = np.random.default_rng(7)
    games = 4_000
    nation = np.array([rng.permutation(4)[:3] for _ in range(games)])
    hunter = Term(("nation",), opponents=True)
    for planted in (0.0, 0.9):
        prey = (nation == 1).any(axis=1, keepdims=True)
        value = planted * ((nation == 0) & prey) + rng.gumbel(size=nation.shape)
        share = (value == value.max(axis=1, keepdims=True)).astype(float)
        found = Data({"nation": nation}, {"nation": list("abcd")}, share, np.arange(games))
        assert (logit.matters(logit.fit(found, [NATION, hunter]), hunter) < 1e-4) == (planted > 0)


def test_what_cannot_be_told_apart_is_refused_by_name(rows):
    twin = rows.with_columns(
        bot2=pl.when(pl.col("nation") == "orcs").then(pl.lit("A")).otherwise(pl.lit("B"))
    )
    fitted = logit.fit(laid_out(twin, ("nation", "bot2")), [NATION, Term(("bot2",))])
    table = logit.shares(fitted, NATION)
    orcs = table.row(by_predicate=pl.col("level") == "orcs", named=True)
    assert orcs["share"] is None
    assert orcs["refused"] == "the data cannot tell it from bot2"


@pytest.mark.parametrize(("share", "says"), [(0.0, "never wins"), (1.0, "wins whenever it plays")])
def test_an_effect_without_end_is_refused_by_name(rows, share, says):
    orcs = pl.col("nation") == "orcs"
    met = orcs.any().over("game")
    shares = pl.when(orcs).then(share).when(met).then((1 - share) / 3).otherwise("share")
    with pytest.raises(Unidentified, match=f"nation orcs {says}"):
        logit.fit(laid_out(rows.with_columns(share=shares)), [NATION])


def test_no_game_with_a_winner_is_a_word(rows):
    with pytest.raises(Unidentified, match="no game has a winner"):
        logit.fit(laid_out(rows.with_columns(share=0.0)), [NATION])
    with pytest.raises(Unidentified, match="one block tells no error"):
        logit.fit(laid_out(rows.filter(pl.col("block") == 0)), [NATION])


def test_all_ties_are_no_effect(rows):
    fitted = logit.fit(laid_out(rows.with_columns(share=0.25)), [NATION])
    assert fitted.effects == pytest.approx(np.zeros(6), abs=1e-9)
    assert logit.shares(fitted, NATION)["share"].to_list() == pytest.approx([0.25] * 6)


@pytest.mark.validate
def test_a_million_rows_take_less_than_five_seconds(rows):
    games = rows["game"].max() + 1
    copies = -(-1_000_000 // len(rows))
    many = pl.concat(
        [rows.with_columns(pl.col("game") + games * n, pl.col("block") + 400 * n) for n in range(copies)]
    )
    started = time.process_time()
    logit.shares(logit.fit(laid_out(many.head(1_000_000)), [NATION, SEAT]), NATION)
    spent = time.process_time() - started
    print(f"{spent:.1f} s of one core for a million rows")
    assert spent < 5


def fitted_at(players, seed, strength):
    rows = synthetic.frames(300, seed=seed, players=players, strength=strength)[1]
    return logit.fit(laid_out(rows, seats=players), [NATION, SEAT])


def test_effects_that_depend_on_the_number_of_players_are_found():
    same = [fitted_at(players, players, {"orcs": 0.4}) for players in (2, 3, 4)]
    assert logit.alike(same, NATION) > 0.01
    other = fitted_at(4, 9, {"orcs": 0.0, "elves": 0.4})
    assert logit.alike([*same[:2], other], NATION) < 1e-4


def test_effects_that_are_alike_are_called_different_once_in_twenty_times():
    ps = [
        logit.alike([fitted_at(players, 10 * seed + players, {"orcs": 0.3}) for players in (2, 3)], NATION)
        for seed in range(60)
    ]
    assert sum(p < 0.05 for p in ps) <= 8  # 3 are expected


def test_the_report_asks_whether_nations_depend_on_the_number_of_players(tmp_path):
    from balance import analysis

    tables = [
        synthetic.frames(200, seed=n, players=n, cell=cell, strength={"orcs": edge})
        for cell, (n, edge) in enumerate([(2, 0.0), (4, 0.8)])
    ]
    more = {cell: {"players": n, "label": f"{n} players"} for cell, n in ((0, 2), (1, 4))}
    known = analysis.declared(synthetic.write(tmp_path, *tables, more=more))
    rows = analysis.tables(known)["depends"].filter(pl.col("what") == "Nation by number of players")
    assert rows["says"].to_list() == ["it depends on it"]
