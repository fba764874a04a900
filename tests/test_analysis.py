"""The statistics, on outcomes with planted truth, and against slow and obvious reference versions."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from scipy import stats

import synthetic
from balance import analysis
from balance.analysis import estimate as est
from balance.analysis import pace, points, shares
from balance.analysis.estimate import Value, estimate, intervals, judge, more_games, sidak
from balance.analysis.wording import listed, measured, number, percent, rough, several
from balance.errors import DatasetError

STRENGTH = {"orcs": 0.35, "elves": -0.25}


@pytest.fixture(scope="module")
def tables():
    return synthetic.frames(400, strength=STRENGTH, ties=0.05, unfinished=0.01)


@pytest.fixture(scope="module")
def known(tables, tmp_path_factory):
    return analysis.declared(synthetic.write(tmp_path_factory.mktemp("nations"), tables, parts=3))


@pytest.fixture(scope="module")
def made(known):
    return analysis.tables(known)


def rows_of(blocks):
    """Lay out lists of values, one a block, as rows."""
    block = [number for number, values in enumerate(blocks) for _ in values]
    flat = [value for values in blocks for value in values]
    return pl.LazyFrame({"block": block, "share": flat}, schema={"block": pl.Int64, "share": pl.Float64})


def one(blocks, **kwargs):
    """Estimate the mean of such rows as a family of one group."""
    found = estimate(rows_of(blocks).with_columns(cell=0), ["cell"], {"share": Value.mean(pl.col("share"))})
    return intervals(found, **kwargs).row(0, named=True)


# --- estimates ----------------------------------------------------------------------------------


def test_equal_blocks_give_the_t_interval_of_their_means():
    rng = np.random.default_rng(5)
    blocks = rng.random((37, 4)) + rng.random((37, 1))
    low, high = stats.t.interval(0.95, 36, blocks.mean(), stats.sem(blocks.mean(axis=1)))
    found = one(blocks.tolist())
    assert found["mean"] == pytest.approx(blocks.mean())
    assert (found["low"], found["high"]) == (pytest.approx(low), pytest.approx(high))
    assert (found["blocks"], found["rows"]) == (37, 148)


def test_a_block_weighs_as_many_rows_as_it_has():
    found = one([[1.0, 1.0, 1.0], [0.0]])
    assert found["mean"] == pytest.approx(0.75)
    # B / (B - 1) * sum((y - mean * rows)^2) / rows^2, by hand
    assert found["error"] == pytest.approx(np.sqrt(2 * (0.75**2 + 0.75**2)) / 4)


def test_blocks_without_the_level_do_not_count():
    rows = pl.LazyFrame(
        {"cell": [0] * 6, "block": [0, 0, 1, 1, 2, 2], "level": list("abaabb"), "share": [1.0, 0, 0, 1, 1, 0]}
    )
    found = estimate(rows, ["cell", "level"], {"share": Value.mean(pl.col("share"))})
    assert found["level"].to_list() == ["a", "b"]
    assert found["blocks"].to_list() == [2, 2]
    assert found["mean"].to_list() == pytest.approx([2 / 3, 1 / 3])


def test_a_mean_over_some_rows_counts_only_those():
    rows = pl.LazyFrame({"cell": [0] * 4, "block": [0, 0, 1, 1], "turn": [3, -1, 5, 7]})
    found = estimate(rows, ["cell"], {"turn": Value.mean(pl.col("turn"), pl.col("turn") != -1)})
    assert found["rows"].item() == 3
    assert found["mean"].item() == pytest.approx(5.0)


def test_no_interval_under_thirty_blocks():
    assert one([[0.0], [1.0]] * 14 + [[1.0]])["low"] is None
    assert one([[0.0], [1.0]] * 15)["low"] is not None


def test_where_all_blocks_agree_the_interval_is_that_of_a_missed_block():
    never = one([[0.0]] * 100, bounds=(0.0, 1.0))
    exact = stats.binomtest(0, 100).proportion_ci(0.95, "exact")
    assert (never["low"], never["high"]) == (0.0, pytest.approx(exact.high))
    thirds = one([[1 / 3, 1 / 3, 1 / 3]] * 400, bounds=(0.0, 1.0))
    assert thirds["low"] < 1 / 3 < thirds["high"]
    assert thirds["high"] - thirds["low"] < 0.01


def test_sidak_errors_multiply_to_the_whole():
    assert (1 - sidak(13)) ** 13 == pytest.approx(0.95)
    assert sidak(1) == pytest.approx(0.05)


def experiments(count, blocks, seed):
    """Play `count` studies of four levels that share blocks of strongly dependent rows."""
    rng = np.random.default_rng(seed)
    # A block favours one level in most of its eight games: rows are far from independent.
    favoured = rng.integers(0, 4, (count, blocks, 1))
    winner = np.where(rng.random((count, blocks, 8)) < 0.6, favoured, rng.integers(0, 4, (count, blocks, 8)))
    study, block, _, level = np.indices((*winner.shape, 4)).reshape(4, -1)
    share = (winner[..., None] == np.arange(4)).astype(float).ravel()
    return pl.LazyFrame({"cell": study, "block": block, "level": level, "share": share})


def test_intervals_cover_as_often_as_they_say_and_naive_ones_do_not():
    rows = experiments(600, 40, seed=11)
    found = intervals(
        estimate(rows, ["cell", "level"], {"share": Value.mean(pl.col("share"))}), ["cell"], (0.0, 1.0)
    )
    alone = found.select((pl.col("low") <= 0.25) & (pl.col("high") >= 0.25)).to_series()
    together = found.group_by("cell").agg(
        held=((pl.col("low_all") <= 0.25) & (pl.col("high_all") >= 0.25)).all()
    )["held"]
    assert 0.93 <= alone.mean() <= 0.97
    assert together.mean() >= 0.93
    naive = 1.96 * np.sqrt(0.25 * 0.75 / found["rows"].to_numpy())
    assert (np.abs(found["mean"].to_numpy() - 0.25) <= naive).mean() < 0.8


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.23, 0.27, est.BALANCED),
        (0.225, 0.275, est.BALANCED),
        (0.224, 0.26, est.UNKNOWN),
        (0.26, 0.30, est.UNKNOWN),
        (0.275, 0.30, est.UNKNOWN),
        (0.276, 0.30, est.TOO_STRONG),
        (0.20, 0.2249, est.TOO_WEAK),
        (0.0, 1.0, est.UNKNOWN),
        (None, None, est.TOO_FEW),
    ],
)
def test_the_verdict_is_read_off_the_simultaneous_interval(low, high, verdict):
    table = pl.DataFrame(
        {"cell": [0, 0], "fair": [0.25, 0.25], "low_all": [low, 0.0], "high_all": [high, 1.0]},
        schema_overrides={"low_all": pl.Float64, "high_all": pl.Float64},
    )
    assert judge(table, ["cell"])["verdict"][0] == verdict


def test_a_family_of_one_has_nothing_to_compare():
    table = pl.DataFrame({"cell": [0], "fair": [0.25], "low_all": [0.4], "high_all": [0.5]})
    assert judge(table, ["cell"])["verdict"].item() == est.ALONE


def test_the_games_still_needed_are_those_that_narrow_the_interval_to_the_edge():
    table = pl.DataFrame(
        {"cell": [0, 0, 0], "games": [1000] * 3, "fair": [0.25] * 3, "mean": [0.25, 0.275, 0.35]}
        | {"error": [0.015, 0.015, 0.01], "low_all": [0.21, 0.235, 0.32], "high_all": [0.29, 0.315, 0.38]}
    )
    found = more_games(judge(table, ["cell"]))
    # In the middle, 0.025 from the edge give or take 0.015; half-width 0.04 now.
    assert found["more_low"].to_list() == [0, pytest.approx(6112, abs=1), None]
    assert found["more_high"].to_list() == [pytest.approx(15000, abs=1), None, None]


# --- tables ------------------------------------------------------------------------------------


def test_planted_strengths_are_found(made):
    verdicts = dict(made["win_share_by_nation"].select("level", "verdict").iter_rows())
    assert verdicts["orcs"] == est.TOO_STRONG
    assert verdicts["elves"] == est.TOO_WEAK
    assert verdicts["dwarves"] not in (est.TOO_STRONG, est.TOO_WEAK)


def test_win_shares_sum_to_the_finished_games(made, tables):
    table = made["win_share_by_nation"]
    games, seats = tables
    assert (table["share"] * table["rows"]).sum() == pytest.approx(games["finished"].sum())
    assert table["rows"].sum() == len(seats)
    assert table["share"].is_sorted(descending=True)


def test_outright_and_shared_wins_are_apart(made, tables):
    _, seats = tables
    row = made["win_share_by_nation"].row(by_predicate=pl.col("level") == "orcs", named=True)
    orcs = seats.filter(pl.col("nation") == "orcs")
    assert row["outright"] == pytest.approx((orcs["share"] == 1).mean())
    assert row["shared"] == pytest.approx(((orcs["share"] > 0) & (orcs["share"] < 1)).mean())
    assert row["shared"] > 0
    assert row["score"] == pytest.approx(orcs["score"].mean())
    assert row["score_sd"] == pytest.approx(orcs["score"].std())


def test_sources_sum_to_the_score(made):
    sums = made["sources"].group_by("level").agg(pl.col("mean").sum(), pl.col("part").sum())
    both = sums.join(made["win_share_by_nation"], on="level")
    assert both["mean"].to_list() == pytest.approx(both["score"].to_list())
    assert both["part"].to_list() == pytest.approx([1.0] * 6)


def test_the_matrix_agrees_with_games_gone_through_one_by_one(made, tables):
    met: dict[tuple[str, str], list[float]] = {}
    for seats in tables[1].head(4 * 12 * 20).partition_by("game"):
        rows = list(seats.iter_rows(named=True))
        for row in rows:
            for other in {r["nation"] for r in rows if r is not row}:
                met.setdefault((row["nation"], other), []).append(row["share"])
    head = tables[0].head(12 * 20), tables[1].head(4 * 12 * 20)
    table = shares.matrix(*_declared(head, "nation"))
    found = {(row["level"], row["other"]): (row["share"], row["rows"]) for row in table.iter_rows(named=True)}
    assert found.keys() == met.keys()
    for pair, values in met.items():
        assert found[pair] == (pytest.approx(np.mean(values)), len(values))


class _Memory:
    """A dataset in memory."""

    complete = True
    path = "memory"

    def __init__(self, tables, **options):
        self.tables = tables
        self.manifest = synthetic.manifest([tables], **options) | {"parts": [{"games": len(tables[0])}]}

    def games(self):
        return self.tables[0].lazy()

    def seats(self):
        return self.tables[1].lazy()


def _declared(tables, family, **options):
    found = analysis.declared(_Memory(tables, **options))
    return found, found.family(family)


def test_more_levels_than_fit_one_number_make_a_matrix_too():
    nations = {f"n{i}": (f"N{i}", "seed") for i in range(21)}
    tables = synthetic.frames(3, nations=nations)
    table = shares.matrix(*_declared(tables, "nation", nations=nations))
    met = tables[1].join(tables[1], on="game").filter(pl.col("seat") != pl.col("seat_right"))
    counted = met.group_by(level="nation", other="nation_right").agg(
        rows=pl.len(), share=pl.col("share").mean()
    )
    both = table.join(counted, on=["level", "other"])
    assert len(both) == len(table) == len(counted)
    assert both["rows"].to_list() == both["rows_right"].to_list()
    assert both["share"].to_list() == pytest.approx(both["share_right"].to_list())


def test_partners_are_no_opponents_and_fair_goes_by_sides():
    games, seats = synthetic.frames(40)
    seats = seats.with_columns(side=(pl.col("seat") + 1) // 2).with_columns(
        pl.col("share").max().over("game", "side")
    )
    known, family = _declared((games, seats), "nation")
    assert known.cells["fair"].item() == 0.5
    pairs = seats.join(seats, on="game").filter(pl.col("side") != pl.col("side_right"))
    counted = (
        pairs.unique(["game", "seat", "nation_right"]).group_by(level="nation", other="nation_right").len()
    )
    both = shares.matrix(known, family).join(counted, on=["level", "other"])
    assert both["rows"].to_list() == both["len"].to_list()


def test_win_share_by_bot_and_nation(made, tables):
    row = made["by_bot"].row(
        by_predicate=(pl.col("level") == "humans") & (pl.col("other") == "warlord"), named=True
    )
    part = tables[1].filter((pl.col("nation") == "humans") & (pl.col("bot") == "warlord"))
    assert (row["share"], row["rows"]) == (pytest.approx(part["share"].mean()), len(part))


def test_length_has_quantiles_over_all_games(made, tables):
    turns = tables[0]["turns"].to_numpy()
    row = made["length"].row(by_predicate=pl.col("measure") == "Turns", named=True)
    assert row["mean"] == pytest.approx(turns.mean())
    assert row["median"] == np.quantile(turns, 0.5, method="inverted_cdf")
    assert row["p95"] == np.quantile(turns, 0.95, method="inverted_cdf")
    assert (row["least"], row["most"], row["games"]) == (turns.min(), turns.max(), len(turns))
    assert made["turns"]["games"].sum() == len(turns)


def test_histograms_have_at_most_forty_bins_and_lose_nothing(known):
    counted = pl.DataFrame({"cell": [0, 0, 0], "score": [-7, 500, 993], "seats": [1, 2, 3]}).cast(
        {"cell": pl.Int32}
    )
    bins = points.histogram(known, counted, "score", ["seats"])
    assert len(bins) <= 40
    assert bins["seats"].sum() == 6
    for row in bins.filter(pl.col("seats") > 0).iter_rows(named=True):
        inside = counted.filter(pl.col("score").is_between(row["first"], row["last"]))
        assert inside["seats"].sum() == row["seats"]


def test_ends_are_parts_of_the_whole(made, tables):
    assert made["ends"]["mean"].sum() == pytest.approx(1.0)
    castle = made["ends"].row(by_predicate=pl.col("item") == "castle", named=True)
    assert castle["mean"] == pytest.approx((tables[0]["end_trigger"] == "castle").mean())


def test_counts_overall_and_by_level(made, tables):
    wars = made["counts"].row(by_predicate=pl.col("column") == "wars", named=True)
    assert wars["mean"] == pytest.approx(tables[0]["wars"].mean())
    assert wars["any"] == pytest.approx((tables[0]["wars"] > 0).mean())
    orcs = tables[1].filter(pl.col("nation") == "orcs")
    by_column = {row["column"]: row for row in made["columns"].filter(level="orcs").iter_rows(named=True)}
    assert by_column["seat_wars"]["mean"] == pytest.approx(orcs["seat_wars"].mean())
    reached = orcs.filter(pl.col("first_castle") != -1)["first_castle"]
    assert by_column["first_castle"]["mean"] == pytest.approx(len(reached) / len(orcs))
    assert by_column["first_castle@"]["mean"] == pytest.approx(reached.mean())


def test_unfinished_games_are_counted(made, tables):
    row = made["unfinished"].row(0, named=True)
    assert row["unfinished"] == (~tables[0]["finished"]).sum()
    assert row["low"] < row["part"] < row["high"]


def test_cells_are_apart_and_labelled(tmp_path):
    cells = [synthetic.frames(40, seed=1), synthetic.frames(35, seed=2, cell=1, players=3)]
    made = analysis.summary(synthetic.write(tmp_path, *cells))
    table = made["win_share_by_nation"]
    assert table.group_by("label", maintain_order=True).agg(pl.col("fair").first()).rows() == [
        ("base", 0.25),
        ("cell 1", pytest.approx(1 / 3)),
    ]
    assert made["length"]["cell"].to_list() == [0, 0, 1, 1]


def test_the_summary_names_its_tables(tmp_path):
    made = analysis.summary(synthetic.write(tmp_path, synthetic.frames(31)))
    assert list(made) == [
        "win_share_by_nation",
        "win_share_by_territory",
        "win_share_by_seat",
        "win_share_by_bot",
        *("length", "ends", "counts", "unfinished", "controls"),
    ]


def test_all_ties_are_balanced_not_a_crash():
    games, seats = synthetic.frames(200)
    seats = seats.with_columns(share=pl.lit(0.25), rank=1)
    table = shares.win_share(*_declared((games, seats), "nation"))
    assert table["verdict"].unique().to_list() == [est.BALANCED]
    assert table["outright"].sum() == 0


def test_one_game_is_too_few_not_a_crash():
    games, seats = synthetic.frames(1)
    known, _ = _declared((games.head(1), seats.head(4)), "nation")
    made = analysis.tables(known)
    assert set(made["win_share_by_nation"]["verdict"]) == {est.TOO_FEW}
    assert any("one block of games" in line for line in analysis.told(known, made))
    assert pace.length(known)["games"].to_list() == [1, 1]


def test_no_games_is_an_error(tmp_path):
    dataset = synthetic.write(tmp_path, synthetic.frames(1))
    dataset.manifest["parts"] = []
    with pytest.raises(DatasetError, match="no games yet"):
        analysis.summary(dataset)


# --- findings ----------------------------------------------------------------------------------


def test_findings_say_the_verdicts_of_the_table(known, made):
    lines = analysis.told(known, made)
    rows = {row["level"]: row for row in made["win_share_by_nation"].iter_rows(named=True)}
    orcs = rows["orcs"]
    said = (
        f"({100 * orcs['low_all']:.1f} to {100 * orcs['high_all']:.1f}) where 25 % would be fair: too strong."
    )
    assert f"Orcs win {percent(orcs['share'])} of their four-player games {said}" in lines
    assert any(line.startswith("Elves‡ win") and line.endswith("too weak.") for line in lines)
    verdicts = [row["verdict"] for row in rows.values()]
    assert sum("No verdict yet on" in line for line in lines) == verdicts.count(est.UNKNOWN)
    assert any(line.startswith("By seat: ") for line in lines)


def test_findings_say_in_whose_hands_a_level_leaves_its_bots_average(known, made):
    orcs = made["by_bot"].filter((pl.col("level") == "orcs") & pl.col("differs"))
    bots = made["by_bot"]["other"].n_unique()
    assert (orcs["share"] > orcs["fair"]).all()
    assert len(orcs) == bots == 2
    said = "Orcs do better than the bot's own average in the hands of all two bots."
    assert said in analysis.told(known, made)


def test_findings_name_the_games_still_needed(tmp_path):
    lines = analysis.findings(synthetic.write(tmp_path, synthetic.frames(60)))
    opened = [line for line in lines if line.startswith("No verdict yet on")]
    assert opened
    assert all(
        re.search("more games would settle|may take very many|may never settle", line) for line in opened
    )


def test_a_lone_level_is_told_as_such():
    games, seats = synthetic.frames(40)
    found = analysis.declared(_Memory((games, seats.with_columns(nation=pl.lit("orcs")))))
    lines = analysis.told(found, analysis.tables(found))
    assert "Only one nation plays (Orcs): there is nothing to compare by nation." in lines


@pytest.mark.parametrize("games", [1, 3, 12 * 31 + 5])
def test_any_prefix_of_a_sweep_can_be_looked_at(tmp_path, games):
    whole_games, whole_seats = synthetic.frames(40)
    part = whole_games.head(games), whole_seats.head(4 * games)
    dataset = synthetic.write(tmp_path, part, games=len(whole_games))
    assert not dataset.complete
    assert "look at an unfinished sweep" in analysis.findings(dataset)[0]


def test_many_unfinished_games_come_first(tmp_path):
    lines = analysis.findings(synthetic.write(tmp_path, synthetic.frames(40, unfinished=0.1)))
    assert "stopped at the decision limit" in lines[0]


# --- wording -----------------------------------------------------------------------------------


def test_numbers_have_sensible_digits():
    assert percent(0.31249) == "31.2 %"
    assert percent(None) == "–"
    assert [number(v) for v in (0.314, 9.99, 14.23, 1203.7)] == ["0.31", "9.99", "14.2", "1,204"]
    assert measured(240.13, 239.92, 240.31) == ("240.1", "239.9 to 240.3")
    assert [rough(n) for n in (3, 130, 1520, 23456, 101)] == ["100", "130", "1,600", "30,000", "110"]
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (several(1, "block"), several(20, "block")) == ("one block", "20 blocks")


def test_a_range_too_wide_to_plan_by_is_no_range():
    from balance.analysis.wording import roughly

    assert roughly(500, 180_000) == "very many"
    assert roughly(3_000, 9_000) == "about 3,000 to 9,000"
    assert roughly(3_000, None) == ""


# --- what cannot be judged, and whose band it is -------------------------------------------------


@pytest.mark.parametrize(("part", "word"), [(1.0, est.NONE_ENDED), (0.2, est.STALLED)])
def test_where_games_do_not_end_there_is_no_verdict(part, word):
    found, family = _declared(synthetic.frames(60, unfinished=part), "nation")
    table = shares.win_share(found, family)
    assert table["verdict"].unique().to_list() == [word]
    lines = analysis.told(found, analysis.tables(found))
    assert any(line.startswith("No verdict on any nation:") for line in lines)
    assert not any(line.startswith("By seat:") for line in lines)


def test_shares_that_are_no_numbers_are_named():
    games, seats = synthetic.frames(40)
    broken = seats.with_columns(share=pl.when(pl.col("game") == 3).then(float("nan")).otherwise("share"))
    with pytest.raises(DatasetError, match="4 rows have a win share that is no number"):
        analysis.declared(_Memory((games, broken)))


def test_the_band_is_the_users_to_set():
    tables = synthetic.frames(200, strength={"orcs": 0.1})
    memory = _Memory(tables)
    memory.manifest["scenario"]["band"] = 0.5
    wide = analysis.declared(memory)
    table = shares.win_share(wide, wide.primary)
    assert table["band_high"].unique().to_list() == [0.375]
    assert table["verdict"].unique().to_list() == [est.BALANCED]
    narrow = analysis.declared(memory, band=0.01)
    assert est.BALANCED not in shares.win_share(narrow, narrow.primary)["verdict"].to_list()


def test_wins_of_independent_games_have_wilsons_interval():
    from statsmodels.stats.proportion import proportion_confint

    games, seats = synthetic.frames(60, ties=0.1)
    game = seats["game"].to_numpy()
    seats = seats.with_columns(block=pl.Series(game))  # each game a block of its own
    found, family = _declared((games.with_columns(block=pl.col("game")), seats), "seat")
    for row in shares.win_share(found, family).iter_rows(named=True):
        low, high = proportion_confint(round(row["outright"] * row["rows"]), row["rows"], method="wilson")
        assert (row["outright_low"], row["outright_high"]) == (pytest.approx(low), pytest.approx(high))


def test_an_unfinished_sweep_has_the_wider_intervals():
    tables = synthetic.frames(200, strength=STRENGTH)
    memory = _Memory(tables)
    fixed, always = (analysis.declared(memory, anytime=anytime) for anytime in (False, True))
    one, other = (shares.win_share(known, known.primary).sort("level") for known in (fixed, always))
    assert one["share"].to_list() == other["share"].to_list()
    assert ((other["high_all"] - other["low_all"]) > (one["high_all"] - one["low_all"])).all()
