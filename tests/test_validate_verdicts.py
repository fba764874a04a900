"""Do the intervals and verdicts hold? Thousands of studies whose truth is known, looked at again and again.

Outcomes are synthetic, but no kinder than real ones: four levels in four seats, one game in five
shared by two, and blocks whose games mostly go the same way. The truth of the first two levels
lies on the edges of the band, where a verdict is wrong whichever way it falls.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from balance import analysis, runner, scenario
from balance.analysis import estimate as est
from balance.analysis import sequence
from balance.analysis.estimate import Value
from balance.runner import LOOK_BLOCKS, LOOK_GROWTH

pytestmark = pytest.mark.validate

STUDIES, BLOCKS, GAMES, LEVELS = 1_000, 1_200, 4, 4
TIES, ALIKE = 0.2, 0.5  # part of games shared by two; part that go to whom the block favours
TRUTH = np.array([0.275, 0.225, 0.25, 0.25])
LOOKS = np.arange(30, BLOCKS + 1, 10)  # blocks at each look
MONTE_CARLO = 2.33 * np.sqrt(0.05 * 0.95 / STUDIES)  # 99 % of runs of this file stay within it


@pytest.fixture(scope="module")
def totals():
    """Points of each level in each block, shape (studies, blocks, levels)."""
    rng = np.random.default_rng(2026)
    # A win is shared with the level next to it: shares are (1 - TIES) q + TIES (q + q of the pair) / 2.
    pairs = TRUTH.reshape(2, 2).mean(axis=1).repeat(2)
    chances = (TRUTH - TIES * pairs) / (1 - TIES)
    favoured = rng.choice(LEVELS, (STUDIES, BLOCKS, 1), p=chances)
    drawn = rng.choice(LEVELS, (STUDIES, BLOCKS, GAMES), p=chances)
    winner = np.where(rng.random(drawn.shape) < ALIKE, favoured, drawn)
    tied = rng.random(drawn.shape) < TIES
    won, shared = (side[..., None] == np.arange(LEVELS) for side in (winner, winner ^ 1))
    half = 0.5 * tied[..., None]
    return (won * (1.0 - half) + shared * half).sum(axis=2)


def judged(table):
    """Judge a table of intervals with the columns `study`, `level`, `look`."""
    table = table.with_columns(fair=0.25)
    found = est.judge(table.with_columns(cell=pl.struct("study", "look")), ["cell"])
    return found.drop("cell")


def flat(values):
    return np.asarray(values).transpose(0, 2, 1).ravel()


@pytest.fixture(scope="module")
def at_looks(totals):
    """Means, errors and foreseen variances at each look, a row a study, level and look."""
    count = np.arange(1, BLOCKS + 1)[None, :, None]
    sums, squares = totals.cumsum(axis=1), (totals**2).cumsum(axis=1)
    guess = (0.25 * GAMES + sums - totals) / (count * GAMES)
    variance = (((totals - guess * GAMES) / GAMES) ** 2).cumsum(axis=1)
    mean = sums / (count * GAMES)
    scatter = (squares - sums**2 / count) / np.maximum(count - 1, 1)
    error = np.sqrt(scatter / count) / GAMES
    at = LOOKS - 1
    study, level, look = np.indices((STUDIES, LEVELS, len(LOOKS))).reshape(3, -1)
    return pl.DataFrame(
        {
            "study": study,
            "level": level,
            "look": look,
            "blocks": LOOKS[look],
            "rows": LOOKS[look] * GAMES,
            "mean": flat(mean[:, at]),
            "error": flat(error[:, at]),
            "variance": flat(variance[:, at]),
        }
    )


@pytest.fixture(scope="module")
def fixed(at_looks):
    return judged(est.intervals(at_looks, ["study", "look"], (0.0, 1.0)))


@pytest.fixture(scope="module")
def always(at_looks):
    table = at_looks.with_columns(
        fair=0.25, total=pl.col("rows").cast(pl.Float64), most=float(GAMES), size=LEVELS
    )
    return judged(sequence.bounds(table))


def ever(table, verdict, level):
    """Return the part of studies in which a level gets a verdict at any look."""
    found = table.filter(pl.col("level") == level).group_by("study").agg((pl.col("verdict") == verdict).any())
    return found["verdict"].mean()


def holds(table, low, high):
    truth = pl.col("level").replace_strict(range(LEVELS), TRUTH.tolist(), return_dtype=pl.Float64)
    return (pl.col(low) <= truth) & (pl.col(high) >= truth)


def test_the_planted_shares_are_the_true_ones(totals):
    assert totals.mean(axis=(0, 1)) / GAMES == pytest.approx(TRUTH, abs=5e-4)
    assert totals.sum(axis=2) == pytest.approx(GAMES)


def test_at_the_edge_of_the_band_neither_verdict_is_given_too_often_though_one_looks_every_time(always):
    said = {
        "too strong": ever(always, est.TOO_STRONG, 0),
        "balanced above": ever(always, est.BALANCED, 0),
        "too weak": ever(always, est.TOO_WEAK, 1),
        "balanced below": ever(always, est.BALANCED, 1),
    }
    print("ever said at the edge, sequences:", said)
    assert max(said.values()) <= 0.05 + MONTE_CARLO


def test_any_wrong_verdict_in_the_family_at_any_look_is_as_rare(always):
    wrong = pl.col("verdict").is_in([est.TOO_STRONG, est.TOO_WEAK])
    rate = always.group_by("study").agg(wrong.any())["verdict"].mean()
    print("any level called unbalanced, ever:", rate)
    assert rate <= 0.05 + MONTE_CARLO


def test_naive_intervals_looked_at_every_time_err_often(at_looks):
    wins = (at_looks["mean"] * at_looks["rows"]).to_numpy()
    games = at_looks["rows"].to_numpy()
    z2 = 1.959964**2
    middle = (wins + z2 / 2) / (games + z2)
    half = np.sqrt(z2 * (wins * (games - wins) / games + z2 / 4)) / (games + z2)
    one = est.wilson(float(wins[7]), float(games[7]))
    assert (middle[7] - half[7], middle[7] + half[7]) == pytest.approx(one)
    naive = judged(at_looks.with_columns(low_all=pl.Series(middle - half), high_all=pl.Series(middle + half)))
    said = ever(naive, est.TOO_STRONG, 0), ever(naive, est.BALANCED, 0)
    print("ever said at the edge, Wilson over rows:", said)
    assert min(said) > 0.10


def test_intervals_at_a_fixed_size_cover_as_often_as_they_say(fixed):
    for blocks, least in ((30, 0.91), (60, 0.93), (200, 0.93), (1_200, 0.93)):  # at 30 a t interval is young
        part = fixed.filter(pl.col("blocks") == blocks)
        alone = part.select(holds(part, "low", "high")).to_series().mean()
        together = part.group_by("study").agg(held=holds(part, "low_all", "high_all").all())["held"].mean()
        print(f"{blocks} blocks: alone {alone:.3f}, all at once {together:.3f}")
        assert least <= alone <= 0.97
        assert least <= together <= 0.97


def test_sequences_hold_at_all_looks_at_once(always):
    for low, high in (("low", "high"), ("low_all", "high_all")):
        by = ["study", "level"] if low == "low" else ["study"]
        held = always.group_by(by).agg(held=holds(always, low, high).all())["held"].mean()
        print(f"{low} to {high}: held at all looks in {held:.3f}")
        assert held >= 0.95 - MONTE_CARLO


def test_stopping_once_the_interval_is_narrow_does_not_bias_it_much(fixed):
    """As `precision` does: from 200 blocks, each look half as large again, until all are within 2 points."""
    looks, blocks = [], float(LOOK_BLOCKS)
    while blocks <= BLOCKS:
        looks.append(round(blocks / 10) * 10)
        blocks *= LOOK_GROWTH
    looked = fixed.filter(pl.col("blocks").is_in(looks))
    for width in (0.035, 0.03, 0.025):
        narrow = (pl.col("high_all") - pl.col("low_all")).max() / 2 <= width
        stops = looked.group_by("study", "blocks").agg(narrow=narrow).filter("narrow")
        stops = stops.group_by("study").agg(pl.col("blocks").min())
        assert len(stops) > 0.5 * STUDIES
        at_stop = looked.join(stops, on=["study", "blocks"])
        held = at_stop.group_by("study").agg(held=holds(at_stop, "low_all", "high_all").all())["held"].mean()
        bias = at_stop.group_by("level").agg(pl.col("mean").mean()).sort("level")["mean"].to_numpy() - TRUTH
        print(f"stopped at ± {width}: held {held:.3f}, bias at most {abs(bias).max():.4f}")
        assert 0.93 <= held <= 0.97
        assert abs(bias).max() < 0.001


def test_the_same_means_come_out_of_the_rows(totals, at_looks):
    """The tables above are what `estimate` and `sequences` make of the rows of a study."""
    blocks = 200
    share = totals[5, :blocks] / GAMES  # every row of a block alike: its total is all that counts
    rows = pl.LazyFrame(
        {
            "cell": np.zeros(blocks * LEVELS * GAMES, dtype=np.int32),
            "block": np.repeat(np.arange(blocks), LEVELS * GAMES),
            "level": np.tile(np.repeat(np.arange(LEVELS), GAMES), blocks),
            "share": np.repeat(share, GAMES, axis=1).ravel(),
        }
    )
    value = {"share": Value.mean(pl.col("share"))}
    expected = at_looks.filter((pl.col("study") == 5) & (pl.col("blocks") == blocks)).sort("level")
    found = est.estimate(rows, ["cell", "level"], value).sort("level")
    assert found["mean"].to_list() == pytest.approx(expected["mean"].to_list())
    assert found["error"].to_list() == pytest.approx(expected["error"].to_list())
    fair = pl.DataFrame({"cell": [0], "fair": [0.25]}, schema={"cell": pl.Int32, "fair": pl.Float64})
    made = sequence.sequences(rows, ["cell", "level"], value["share"], ["cell"], fair).sort("level")
    table = expected.with_columns(fair=0.25, total=float(blocks * GAMES), most=float(GAMES), size=LEVELS)
    assert made["low_all"].to_list() == pytest.approx(sequence.bounds(table)["low_all"].to_list())


REAL = {
    "pig": 'game = "pig"\nplayers = 3\n[bots.holder]\n[bots.random]\n[rules]\ngoal = 30\n'
    "[clans.red]\nstart = 4\n",
    "tiny-epic-kingdoms": 'game = "tiny-epic-kingdoms"\nplayers = 4\n[bots.balanced]\n[bots.random]\n'
    '[field]\nnations = ["dwarves", "humans", "orcs", "halflings", "lizardfolk", "elves"]\n',
}


@pytest.mark.parametrize(("game", "games", "sweeps"), [("pig", 1_000, 60), ("tiny-epic-kingdoms", 1_200, 16)])
def test_on_a_real_game_the_intervals_hold_the_truth_of_other_seeds(game, games, sweeps, tmp_path):
    asked = scenario.parse(REAL[game])
    truth = analysis.declared(runner.sweep(asked, tmp_path / "truth", games=20 * games, seed=10_000))
    shares = analysis.tables(truth)[f"win_share_by_{truth.primary.name}"]
    true = dict(shares.select("level", "share").iter_rows())
    error = dict(shares.select("level", (pl.col("high") - pl.col("low")) / 3.92).iter_rows())
    alone, together, said = [], [], []
    for seed in range(sweeps):
        known = analysis.declared(runner.sweep(asked, tmp_path / str(seed), games=games, seed=seed))
        held = []
        for row in analysis.shares.win_share(known, known.primary).iter_rows(named=True):
            share, doubt = true[row["level"]], error[row["level"]]
            alone.append(row["low"] <= share <= row["high"])
            held.append(row["low_all"] - doubt <= share <= row["high_all"] + doubt)
            if row["verdict"] == est.BALANCED:
                said.append(row["band_low"] - 2 * doubt <= share <= row["band_high"] + 2 * doubt)
            elif row["verdict"] in (est.TOO_STRONG, est.TOO_WEAK):
                said.append(not row["band_low"] + 2 * doubt <= share <= row["band_high"] - 2 * doubt)
        together.append(all(held))
    print(
        game, "alone", np.mean(alone), "all", np.mean(together), "verdicts", len(said), "right", np.mean(said)
    )
    assert np.mean(alone) >= 0.95 - 2.6 * np.sqrt(0.05 * 0.95 / len(alone)) - 0.02
    assert np.mean(together) >= 0.95 - 2.6 * np.sqrt(0.05 * 0.95 / len(together))
    assert said
    assert np.mean(said) >= 0.95


@pytest.mark.parametrize(
    ("wins", "games", "said"),
    [
        (53, 150, (35, 28, 43)),
        (55, 150, (37, 29, 45)),
        (26, 60, (43, 32, 56)),
        (23, 60, (38, 27, 51)),
        (29, 60, (48, 36, 61)),
        (20, 25, (80, 61, 91)),
        (49, 86, (57.0, 46.4, 66.9)),
        (159, 281, (56.6, 50.7, 62.3)),
        (125, 232, (53.9, 47.5, 60.2)),
        (120, 230, (52.2, 45.7, 58.5)),
    ],
)
def test_published_wilson_intervals_come_out_to_the_printed_digit(wins, games, said):
    digits = 1 if isinstance(said[0], float) else 0
    low, high = est.wilson(wins, games)
    assert tuple(round(100 * part, digits) for part in (wins / games, low, high)) == said


def test_the_published_clopper_pearson_interval_comes_out_to_the_printed_digit():
    assert tuple(round(100 * part, 1) for part in est.clopper_pearson(7, 10)) == (34.8, 93.3)
