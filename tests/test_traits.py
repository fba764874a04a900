"""What the deal changes: planted effects are found, intervals hold, and extremes are not luck."""

from __future__ import annotations

import itertools
import types

import numpy as np
import polars as pl
import pytest

import synthetic
from balance.analysis import declared, traits
from balance.analysis.declared import Declared

CARDS = ("ant", "bee", "cat", "dog", "eel", "fox")
TRIPLES = tuple(", ".join(three) for three in itertools.combinations(CARDS, 3))
COLUMNS = [
    {
        "name": "triple",
        "role": "category",
        "label": "Cards",
        "labels": list(TRIPLES),
        "deal": "Cards together",
    },
    *(
        {"name": card, "role": "flag", "label": card.title(), "labels": [], "deal": "Card", "pays": []}
        for card in CARDS
    ),
]
SEED = 7


def known(players=2, columns=COLUMNS):
    """What a dataset declares, without the dataset."""
    cells = pl.DataFrame(
        {"cell": [0], "label": ["base"], "players": [players], "sides": [players], "fair": [1 / players]},
        schema_overrides={"cell": pl.Int32},
    )
    manifest = {"columns": {"game": columns, "seat": []}, "primary": "seat"}
    return Declared(types.SimpleNamespace(manifest=manifest), (), cells)


def studied(rng, count, effect=None, games=1):
    """Sums over the games of `count` blocks, three cards dealt to each; `effect` adds a card's points."""
    triple = rng.integers(0, len(TRIPLES), count)
    held = np.array([[card in TRIPLES[t].split(", ") for card in CARDS] for t in triple])
    luck = rng.gumbel(size=count) * 6  # skewed, as scores are
    score = 50 + luck + held @ np.array([(effect or {}).get(card, 0.0) for card in CARDS])
    first = rng.random((games, count)).round().sum(0)
    return pl.DataFrame(
        {"cell": np.zeros(count, np.int32), "block": np.arange(count), "games": np.full(count, games)}
        | {"score": score * games, "first": first, "last": games - first}
        | {name: games * rng.gamma(2.0, 3.0, count) for name in ("spread", "margin", "turns")}
        | {"triple": [TRIPLES[t] for t in triple]}
        | dict(zip(CARDS, held.T, strict=True))
    )


def of(table, trait, measure):
    return table.row(by_predicate=(pl.col("trait") == trait) & (pl.col("measure") == measure), named=True)


def test_a_planted_effect_is_found_and_the_rest_left_alone():
    made = studied(np.random.default_rng(SEED), 6_000, {"cat": 5.0})
    table = traits.effects(known(), made)
    cat = of(table, "cat", "score")
    # Of the other five cards three are in play without the cat, two with it; none of them pays.
    assert cat["low"] < 5.0 < cat["high"]
    assert cat["low_all"] < cat["low"] < cat["high"] < cat["high_all"]
    # Where a bee was dealt, a cat was dealt in 2 of 5 games, else in 3 of 5.
    assert of(table, "bee", "score")["effect"] == pytest.approx(-1.0, abs=0.8)
    assert of(table, "cat", "margin")["low_all"] < 0 < of(table, "cat", "margin")["high_all"]


def test_an_effect_is_the_difference_of_plain_means():
    made = studied(np.random.default_rng(SEED), 400, games=3)
    row = of(traits.effects(known(), made), "fox", "score")
    score = made["score"].to_numpy() / 3
    held = made["fox"].to_numpy()
    assert row["with"] == pytest.approx(score[held].mean())
    assert row["effect"] == pytest.approx(score[held].mean() - score[~held].mean())
    from scipy import stats

    interval = stats.ttest_ind(score[held], score[~held], equal_var=False).confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["blocks_with"] == held.sum()


def test_intervals_hold_as_often_as_they_say():
    rng = np.random.default_rng(SEED)
    held, all_held, studies = 0, 0, 250
    for _ in range(studies):
        table = traits.effects(known(), studied(rng, 150)).filter(pl.col("measure") == "score")
        held += ((table["low"] < 0) & (table["high"] > 0)).sum()
        all_held += ((table["low_all"] < 0) & (table["high_all"] > 0)).all()
    assert 0.93 < held / (studies * len(CARDS)) < 0.97
    assert all_held / studies > 0.92


def test_too_few_blocks_give_no_interval():
    table = traits.effects(known(), studied(np.random.default_rng(SEED), 40))
    assert table["low"].null_count() == len(table)
    assert "Too few games" in traits.sentences(known(), table)[0]


def test_the_last_seat_is_told_where_there_are_more_than_two():
    made = studied(np.random.default_rng(SEED), 100)
    assert "last" not in set(traits.effects(known(2), made)["measure"])
    assert "last" in set(traits.effects(known(4), made)["measure"])


def test_sentences_name_what_is_known():
    made = studied(np.random.default_rng(SEED), 6_000, {"cat": 5.0, "dog": -5.0})
    (line,) = traits.sentences(known(), traits.effects(known(), made))
    assert line.startswith("By card: scores are highest with Cat (+")
    assert "lowest with Dog (-" in line
    assert "none is known to change what the first seat wins" in line


def test_extremes_among_equals_are_not_told_apart():
    rng = np.random.default_rng(SEED)
    ranked, told, inside, rows = [], [], 0, 0
    for _ in range(60):
        table = traits.extremes(known(), studied(rng, 2_000)).filter(pl.col("measure") == "score")
        high = table.filter(pl.col("end") == "highest")
        ranked.append((high["ranked"] - high["overall"]).mean())
        told.append((high["mean"] - high["overall"]).mean())
        inside += ((table["low"] < table["overall"]) & (table["overall"] < table["high"])).sum()
        rows += table["low"].count()
    assert np.mean(ranked) > 1.0  # the winner's curse, which the other half does not share
    assert abs(np.mean(told)) < 3 * np.std(told) / np.sqrt(len(told))
    assert 0.92 < inside / rows < 0.98


def test_a_planted_extreme_is_found():
    made = studied(np.random.default_rng(SEED), 8_000, {"ant": 4.0, "bee": 4.0, "cat": 4.0})
    table = traits.extremes(known(), made).filter(pl.col("measure") == "score")
    assert list(table["end"]) == ["highest"] * 3 + ["lowest"] * 3
    best, worst = table.row(0, named=True), table.row(3, named=True)
    assert (best["level"], worst["level"]) == ("ant, bee, cat", "dog, eel, fox")
    assert best["low_all"] > best["overall"]
    assert worst["high_all"] < worst["overall"]


def dataset(tmp_path, players=4):
    """A dataset whose games were dealt cards, with 'ant' paying what the source of meeples pays."""
    games, seats = synthetic.frames(40, players=players)
    count = len(games)
    block = games["block"].to_numpy()
    triple = np.random.default_rng(SEED).integers(0, len(TRIPLES), 40)[block]
    dealt = {card: [card in TRIPLES[t].split(", ") for t in triple] for card in CARDS}
    games = games.with_columns(
        triple=pl.Series([TRIPLES[t] for t in triple]), **{card: pl.Series(v) for card, v in dealt.items()}
    )
    assert len(games) == count
    return synthetic.write(tmp_path, (games, seats)), games, seats


def test_blocks_sum_what_the_rows_say(tmp_path):
    written, games, seats = dataset(tmp_path)
    columns = [dict(column) for column in COLUMNS]
    columns[1]["pays"] = ["points_meeples", "points_magic"]
    written.manifest["columns"]["game"] += columns
    ready = declared(written)
    made = traits.blocks(ready)
    assert len(made) == games["block"].n_unique()
    first = made.row(0, named=True)
    own = seats.filter(pl.col("block") == first["block"])
    scores = own["score"].to_numpy().reshape(first["games"], 4)
    ordered = np.sort(scores, axis=1)
    assert first["score"] == pytest.approx(scores.mean(1).sum())
    assert first["spread"] == pytest.approx(scores.std(1, ddof=1).sum())
    assert first["margin"] == pytest.approx((ordered[:, 3] - ordered[:, 2]).sum())
    assert first["first"] == pytest.approx(own.filter(pl.col("seat") == 1)["share"].sum())
    assert first["last"] == pytest.approx(own.filter(pl.col("seat") == 4)["share"].sum())
    points = (own["points_meeples"] + own["points_magic"]).to_numpy().reshape(first["games"], 4)
    assert first["points ant"] == pytest.approx(points.mean(1).sum())
    assert first["apart ant"] == pytest.approx(points.std(1, ddof=1).sum())
    paid = traits.paid(ready, made)
    assert paid["trait"].to_list() == ["ant"]
    with_ant = games.filter("ant")["game"].implode()
    held = seats.filter(pl.col("game").is_in(with_ant))
    assert paid["points"][0] == pytest.approx((held["points_meeples"] + held["points_magic"]).mean())


def test_what_the_deal_settles_is_no_ending(tmp_path):
    written, _, _ = dataset(tmp_path)
    written.manifest["columns"]["game"] += COLUMNS
    names = [column["name"] for column in declared(written).columns("game", "flag", "category")]
    assert names == ["end_trigger"]
