"""What the deal changes and what a location is worth, found in real games."""

from __future__ import annotations

import polars as pl
import pytest

from balance import document, runner, scenario
from balance.analysis import contrast, declared, traits

TEXT = """
game = "kingdom-builder"
players = 2
seed = 3
games = 3600
[bots.greedy]
[contrast]
bar = "all"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runner.sweep(scenario.parse(TEXT), tmp_path_factory.mktemp("deal") / "run")


@pytest.fixture(scope="module")
def known(run):
    return declared(run)


@pytest.fixture(scope="module")
def made(known):
    return traits.blocks(known)


def test_three_cards_and_four_sections_are_dealt(made, known):
    names = {
        kind: [c["name"] for c in traits.traits(known) if c["deal"] == kind] for kind in ("Card", "Section")
    }
    assert (made.select(pl.sum_horizontal(names["Card"])).to_series() == 3).all()
    assert (made.select(pl.sum_horizontal(names["Section"])).to_series() == 4).all()
    together = made.select(pl.col("triple").cast(pl.String).str.split(", ").list.len()).to_series()
    assert (together == 3).all()


def test_a_card_pays_in_the_games_that_have_it_and_nothing_else_does(run, made, known):
    paid = {row["trait"]: row for row in traits.paid(known, made).iter_rows(named=True)}
    assert len(paid) == 10
    assert paid["lords"]["points"] > 20 > paid["hermits"]["points"] > 1
    seats = known.dataset.seats().join(known.dataset.games().select("game", "knights"), on="game").collect()
    assert (seats.filter(~pl.col("knights"))["points_knights"] == 0).all()
    assert seats.filter("knights")["points_knights"].mean() == pytest.approx(paid["knights"]["points"])


def test_lords_raise_scores_and_cards_take_the_place_of_others(made, known):
    effects = traits.effects(known, made)
    lords = effects.row(
        by_predicate=(pl.col("trait") == "lords") & (pl.col("measure") == "score"), named=True
    )
    assert lords["low_all"] > 10
    assert lords["blocks_with"] + lords["blocks_without"] == 400


def test_a_location_that_is_not_on_the_board_is_worth_nothing(made, known):
    worth = traits.worth_by_deal(known, made)
    own = worth.filter(pl.col("treatment").str.slice(4) == pl.col("trait").str.strip_prefix("section_"))
    assert len(own) == 8
    assert (own["without"] == 0).all()
    assert (own["effect"] == own["with"]).all()
    differences = contrast.differences(known).collect()
    assert own["with"].mean() == pytest.approx(2 * differences["share"].mean(), rel=0.1)


def test_the_report_tells_it(run):
    sections = {section.title: section for section in document.document(run).sections}
    deal = sections["What the deal changes"]
    captions = [part.caption for part in deal.parts if isinstance(part, document.Table)]
    assert captions == [
        "Card: games with it less games without it",
        "Section: games with it less games without it",
        "Card: what it pays in the games that have it",
    ]
    assert "What each thing is worth, by what was dealt" in sections
    for part in deal.parts:
        if isinstance(part, document.Table):
            assert len(part.rows) in (8, 10)
