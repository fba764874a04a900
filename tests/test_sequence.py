"""Confidence sequences: the boundary by its own definition, and intervals that hold at every look."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import integrate, stats

from balance.analysis import sequence
from balance.analysis.estimate import Value


def test_the_boundary_is_where_the_mixture_reaches_its_level():
    """The mixture integrated numerically: exp(l s - psi(l) v), psi that of a gamma law, l gamma-like."""
    rho, variance, alpha = 3.0, 20.0, 0.01
    edge = float(sequence.boundary(np.array(variance), np.array(alpha), np.array(rho)))

    def weight(lam):
        # Howard et al. (2021), proof of proposition 9: 1 - lam follows a truncated gamma law.
        return stats.gamma.pdf(1 - lam, rho, scale=1 / rho)

    def mixture(lam):
        return weight(lam) * np.exp(lam * edge - (-np.log1p(-lam) - lam) * variance)

    total = integrate.quad(mixture, 0, 1)[0] / integrate.quad(weight, 0, 1)[0]
    assert total == pytest.approx(1 / alpha, rel=1e-6)


@pytest.mark.parametrize("variance", [0.0, 0.5, 30.0, 4e3, 1e6])
def test_the_boundary_grows_a_little_faster_than_a_normal_quantile(variance):
    edge = float(sequence.boundary(np.array(variance), np.array(0.025), np.array(20.0)))
    assert np.isfinite(edge)
    assert edge > 1.96 * np.sqrt(variance)
    assert edge < 5 * np.sqrt(variance + 20) + 10


def rows(means, size):
    """Lay out block means as rows of one level in `size` games each."""
    blocks = len(means)
    return pl.LazyFrame(
        {
            "cell": np.zeros(blocks * size, dtype=np.int32),
            "level": ["a"] * (blocks * size),
            "block": np.repeat(np.arange(blocks), size),
            "share": np.repeat(means, size),
        }
    )


FAIR = pl.DataFrame({"cell": [0], "fair": [0.25]}, schema={"cell": pl.Int32, "fair": pl.Float64})


def interval(means, size=1):
    value = Value.mean(pl.col("share"))
    return sequence.sequences(rows(means, size), ["cell", "level"], value, ["cell"], FAIR).row(0, named=True)


def test_a_block_weighs_as_much_as_it_scatters_not_as_many_rows_as_it_has():
    means = np.random.default_rng(1).random(100)
    one, many = interval(means), interval(means, 6)
    assert many["high_all"] - many["low_all"] == pytest.approx(one["high_all"] - one["low_all"], rel=0.2)


def test_no_sequence_under_thirty_blocks():
    assert interval(np.full(29, 0.25))["low_all"] is None
    assert interval(np.full(30, 0.25))["low_all"] is not None


def test_where_every_block_agrees_it_still_has_a_width():
    found = interval(np.full(400, 0.25))
    assert 0.2 < found["low_all"] < 0.25 < found["high_all"] < 0.3


def test_it_holds_at_all_looks_at_once_where_a_t_interval_does_not():
    """A rare win, a look after every tenth block: the mean ever outside in few studies."""
    rng = np.random.default_rng(8)
    studies, blocks, truth = 400, 1_000, 0.06
    wins = (rng.random((studies, blocks)) < truth).astype(float)
    count = np.arange(1, blocks + 1)
    total = wins.cumsum(axis=1)
    guess = (0.25 + total - wins) / count
    variance = ((wins - guess) ** 2).cumsum(axis=1)
    looks = np.arange(29, blocks, 10)
    table = pl.DataFrame(
        {
            "blocks": np.tile(count[looks], studies),
            "fair": 0.25,
            "total": np.tile(count[looks], studies).astype(float),
            "most": 1.0,
            "mean": (total / count)[:, looks].ravel(),
            "variance": variance[:, looks].ravel(),
            "size": 1,
        }
    )
    found = sequence.bounds(table)
    outside = (found["low"].to_numpy() > truth) | (found["high"].to_numpy() < truth)
    assert outside.reshape(studies, -1).any(axis=1).mean() <= 0.05
    mean, n = found["mean"].to_numpy(), found["blocks"].to_numpy()
    naive = np.abs(mean - truth) > stats.t.ppf(0.975, n - 1) * np.sqrt(mean * (1 - mean) / (n - 1))
    assert naive.reshape(studies, -1).any(axis=1).mean() > 0.2
