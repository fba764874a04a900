"""Who wins, by a model: for data that are not balanced, and for effects that depend on one another.

A winner-of-n conditional logit: seat i of a game wins with a chance in proportion to exp(v_i), where
v_i adds up the effects of its nation, its seat, its bot, and of what one asks for besides. On a
balanced design its answers are those of the plain means. A win shared by k counts 1/k for each.

Effects are told as win shares: the mean chance of the level over the rows of the design, with each
row's own level replaced by it. Errors come from how whole blocks scatter. What the data cannot
tell apart is refused by name, never guessed.

References
----------
D. McFadden, "Conditional logit analysis of qualitative choice behavior", in Frontiers in Econometrics
(1974), 105-142; K.-Y. Liang and S. Zeger, "Longitudinal data analysis using generalized linear
models", Biometrika 73 (1986), 13-22, for errors from whole blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import special

from balance.errors import BalanceError

RIDGE = 1e-3  # pull towards no effect, in games: nothing next to a thousand games, enough to hold still
STEPS = 50
CHUNK = 400_000  # rows gone through at once
AVERAGED = 25_000  # games whose line-ups effects are averaged over, at most
NOTHING = 1e-9  # eigenvalues of the information below this part of the largest tell nothing
APART = 1e-4  # part of an effect that may lie where nothing is told


class Unidentified(BalanceError):
    """The data do not tell what was asked for."""


@dataclass(frozen=True)
class Term:
    """What adds to a seat's chance: a column, several that interact, or a column against opponents' own.

    `columns` are crossed with one another; with `opponents`, the (single) column is crossed with
    that of each opponent.
    """

    columns: tuple[str, ...]
    opponents: bool = False

    @property
    def name(self) -> str:
        return f"{self.columns[0]} x opponent" if self.opponents else " x ".join(self.columns)


@dataclass(frozen=True)
class Data:
    """Games as arrays: all with as many seats.

    Attributes
    ----------
    codes
        Column -> positions among its levels, shape (games, seats).
    levels
        Column -> names of its levels.
    share
        Shape (games, seats); rows of games without a winner are left out.
    block
        Shape (games,).
    """

    codes: Mapping[str, np.ndarray]
    levels: Mapping[str, Sequence[str]]
    share: np.ndarray
    block: np.ndarray


def data(rows: pl.DataFrame, columns: Sequence[str], seats: int) -> Data:
    """Lay out rows (`game`, `block`, `share` and `columns`, those of a game together) as arrays."""
    share = rows["share"].to_numpy().reshape(-1, seats)
    won = share.sum(axis=1) > 0
    codes, levels = {}, {}
    for column in columns:
        text = rows[column].cast(pl.String)
        levels[column] = text.unique().sort().to_list()
        if rows[column].dtype.is_integer():
            levels[column] = sorted(levels[column], key=int)
        kind = pl.Enum(levels[column])
        codes[column] = text.cast(kind).to_physical().to_numpy().astype(np.int64).reshape(-1, seats)[won]
    block = rows["block"].to_numpy().reshape(-1, seats)[won, 0]
    return Data(codes, levels, share[won], block)


@dataclass(frozen=True)
class Fit:
    """A fitted model.

    Attributes
    ----------
    effects
        Log odds of each parameter; those of a term sum to zero where the data allow any sum.
    covariance
        Of the effects, from how whole blocks scatter.
    blind
        Directions of which the data tell nothing, as columns.
    steps
        Newton steps taken.
    """

    data: Data
    terms: tuple[Term, ...]
    effects: np.ndarray
    covariance: np.ndarray
    blind: np.ndarray
    steps: int

    def part(self, term: Term) -> slice:
        """Return where the parameters of `term` stand."""
        start = 0
        for known in self.terms:
            size = _size(self.data, known)
            if known == term:
                return slice(start, start + size)
            start += size
        raise KeyError(term)


def fit(data: Data, terms: Sequence[Term], ridge: float = RIDGE) -> Fit:
    """Fit the model by Newton's method.

    Raises
    ------
    Unidentified
        If there are no games with a winner, if a level of a single column never wins or always does
        (its effect has no end), or if two blocks or more are not there to tell an error from.
    """
    if len(data.share) == 0:
        raise Unidentified("no game has a winner", where="the model", remedy="play more games")
    if len(np.unique(data.block)) < 2:
        raise Unidentified("one block tells no error", where="the model", remedy="play more games")
    _refuse_endless(data, terms)
    size = sum(_size(data, term) for term in terms)
    effects = np.zeros(size)
    blind = np.zeros((size, 0))
    information = np.zeros((size, size))
    step_number = 0
    for step_number in range(1, STEPS + 1):
        score, information, _ = _moments(data, terms, effects)
        if step_number == 1:
            values, vectors = np.linalg.eigh(information)
            blind = vectors[:, values < NOTHING * values.max()]
        move = np.linalg.solve(information + ridge * np.eye(size), score - ridge * effects)
        # A step too far in one Newton move would overflow; the likelihood is concave, so a cap is safe.
        move *= min(1.0, 5.0 / max(float(np.abs(move).max()), 1e-300))
        effects = effects + move
        if np.abs(move).max() < 1e-8:
            break
    effects = effects - blind @ (blind.T @ effects)
    _, information, meat = _moments(data, terms, effects, clustered=True)
    inverse = np.linalg.inv(information + ridge * np.eye(size) + len(data.share) * blind @ blind.T)
    blocks = len(np.unique(data.block))
    covariance = inverse @ meat @ inverse * (blocks / (blocks - 1))
    return Fit(data, tuple(terms), effects, covariance, blind, step_number)


def shares(fitted: Fit, term: Term) -> pl.DataFrame:
    """Return the win share of each level of `term`, averaged over the design.

    For each row: the chance of winning with that level in place of the row's own, all else as it
    was; an opponent who has the level takes the row's own in exchange, if no two may have the same.

    Returns
    -------
    pl.DataFrame
        `level` (for crossed columns "one x other"), `share`, `error`, `low`, `high` (95 %),
        `refused` (why nothing is said; "" otherwise).
    """
    columns = term.columns
    names = [" x ".join(pair) for pair in _crossed([list(fitted.data.levels[c]) for c in columns])]
    rows: list[tuple[str, float | None, float | None, str]] = []
    for place, name in enumerate(names):
        codes = np.unravel_index(place, [len(fitted.data.levels[c]) for c in columns])
        found = _averaged(fitted, dict(zip(columns, map(int, codes), strict=True)))
        if found is None:
            rows.append((name, None, None, "it is not in play"))
            continue
        share, gradient = found
        lost = fitted.blind.T @ gradient
        if np.abs(lost).max(initial=0.0) > APART * max(np.abs(gradient).max(), 1e-12):
            rows.append((name, None, None, _confused(fitted, term, lost)))
            continue
        error = float(np.sqrt(max(gradient @ fitted.covariance @ gradient, 0.0)))
        rows.append((name, share, error, ""))
    schema = {"level": pl.String, "share": pl.Float64, "error": pl.Float64, "refused": pl.String}
    half = float(special.ndtri(0.975)) * pl.col("error")
    table = pl.DataFrame(rows, schema=schema, orient="row")
    return table.with_columns(
        low=(pl.col("share") - half).clip(0.0, 1.0), high=(pl.col("share") + half).clip(0.0, 1.0)
    ).select("level", "share", "error", "low", "high", "refused")


def matters(fitted: Fit, term: Term) -> float:
    """Return the p value of "`term` adds nothing", a Wald test on what the data tell of it."""
    part = fitted.part(term)
    effects, covariance = fitted.effects[part], fitted.covariance[part, part]
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-8 * max(values.max(), 1e-300)
    along = vectors[:, kept].T @ effects
    statistic = float((along**2 / values[kept]).sum())
    return float(special.chdtrc(int(kept.sum()), statistic)) if kept.any() else 1.0


def alike(fits: Sequence[Fit], term: Term) -> float:
    """Return the p value of "`term` has the same effects in all of `fits`", which share no block.

    Cochran's Q in several dimensions (W. G. Cochran, "The combination of estimates from different
    experiments", Biometrics 10, 1954): each fit's effects against their mean, weighted by what each
    fit knows.
    """
    size = len(fits[0].effects[fits[0].part(term)])
    along = np.linalg.svd(np.ones((1, size)))[2][1:]  # effects sum to zero: one dimension is none
    parts = [(along @ one.effects[one.part(term)], along @ _of(one, term) @ along.T) for one in fits]
    weights = [np.linalg.inv(covariance) for _, covariance in parts]
    mean = np.linalg.solve(
        sum(weights), sum(w @ effects for w, (effects, _) in zip(weights, parts, strict=True))
    )
    apart = [effects - mean for effects, _ in parts]
    statistic = sum(float(d @ w @ d) for d, w in zip(apart, weights, strict=True))
    return float(special.chdtrc((len(fits) - 1) * (size - 1), statistic))


def _of(fitted: Fit, term: Term) -> np.ndarray:
    part = fitted.part(term)
    return fitted.covariance[part, part]


# --- the model, a stretch of games at a time ------------------------------------------------------


def _size(data: Data, term: Term) -> int:
    if term.opponents:
        return len(data.levels[term.columns[0]]) ** 2
    return int(np.prod([len(data.levels[column]) for column in term.columns]))


def _crossed(names: list[list[str]]) -> list[tuple[str, ...]]:
    crossed: list[tuple[str, ...]] = [()]
    for one in names:
        crossed = [(*before, name) for before in crossed for name in one]
    return crossed


def _slots(
    data: Data, terms: Sequence[Term], games: slice, codes: Mapping[str, np.ndarray] | None = None
) -> list[np.ndarray]:
    """Return which parameters add to each seat's log odds: some arrays of shape (games, seats).

    `codes` stand in the place of the data's own for some columns.
    """
    here = {column: all_[games] for column, all_ in data.codes.items()} | dict(codes or {})
    slots, start = [], 0
    for term in terms:
        sizes = [len(data.levels[column]) for column in term.columns]
        own = [here[column] for column in term.columns]
        if term.opponents:
            rolled = (np.roll(own[0], -step, axis=1) for step in range(1, own[0].shape[1]))
            slots += [start + own[0] * sizes[0] + theirs for theirs in rolled]
        else:
            slots.append(start + np.ravel_multi_index(own, sizes))
        start += _size(data, term)
    return slots


def _stretches(data: Data) -> list[slice]:
    step = max(1, CHUNK // data.share.shape[1])
    return [slice(first, first + step) for first in range(0, len(data.share), step)]


def _summed(slots: Sequence[np.ndarray], weights: np.ndarray, size: int) -> np.ndarray:
    """Return for each parameter the sum of the weights of the seats that it adds to."""
    return sum((np.bincount(slot.ravel(), weights.ravel(), minlength=size) for slot in slots), np.zeros(size))


def _moments(
    data: Data, terms: Sequence[Term], effects: np.ndarray, clustered: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the score, the information and (if `clustered`) the sum of squares of blocks' scores."""
    size = len(effects)
    score, information = np.zeros(size), np.zeros(size * size)
    _, block = np.unique(data.block, return_inverse=True)
    by_block = np.zeros((int(block.max()) + 1) * size if clustered else 0)
    middles = np.zeros((size, size))
    for games in _stretches(data):
        slots = _slots(data, terms, games)
        value = sum(effects[slot] for slot in slots)
        chance = np.exp(value - value.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        total = data.share[games].sum(axis=1, keepdims=True)  # 1, whoever shares it
        rest = data.share[games] - total * chance
        score += _summed(slots, rest, size)
        for one in slots:
            information += _summed([one * size + other for other in slots], chance, size * size)
        game = np.arange(len(chance))[:, None] * size
        middle = _summed([game + slot for slot in slots], chance, len(chance) * size).reshape(-1, size)
        middles += middle.T @ middle
        if clustered:
            place = block[games][:, None] * size
            by_block += _summed([place + slot for slot in slots], rest, len(by_block))
    each = by_block.reshape(-1, size)
    return score, information.reshape(size, size) - middles, each.T @ each


def _averaged(fitted: Fit, fixed: Mapping[str, int]) -> tuple[float, np.ndarray] | None:
    """Return the mean chance of a seat given the levels `fixed`, and how it moves with the effects."""
    data, effects = fitted.data, fitted.effects
    total, rows, gradient = 0.0, 0, np.zeros(len(effects))
    games = slice(0, AVERAGED)
    others = {column: level for column, level in fixed.items() if column != "seat"}
    twice = {column: repeats(data, column) for column in others}
    for place in range(data.share.shape[1]):
        here = data.codes["seat"][games][:, place] == fixed["seat"] if "seat" in fixed else slice(None)
        put = {c: _put(data.codes[c][games], place, level, twice[c]) for c, level in others.items()}
        slots = [slot[here] for slot in _slots(data, fitted.terms, games, put)]
        if not len(slots[0]):
            continue
        chance = np.exp(sum(effects[slot] for slot in slots))
        chance /= chance.sum(axis=1, keepdims=True)
        own = chance[:, place]
        total += float(own.sum())
        rows += len(own)
        slope = -own[:, None] * chance
        slope[:, place] += own
        gradient += _summed(slots, slope, len(effects))
    return (total / rows, gradient / rows) if rows else None


def _put(codes: np.ndarray, place: int, level: int, repeats: bool) -> np.ndarray:
    """Give the seat at `place` this level; who had it takes the seat's own, unless levels repeat."""
    put = codes.copy()
    if not repeats:
        put = np.where(codes == level, codes[:, place, None], put)
    put[:, place] = level
    return put


def repeats(data: Data, column: str) -> bool:
    """Say whether two seats of a game ever have the same level of `column`."""
    ordered = np.sort(data.codes[column], axis=1)
    return bool((ordered[:, 1:] == ordered[:, :-1]).any())


# --- what the data do not tell ----------------------------------------------------------------------


def _refuse_endless(data: Data, terms: Sequence[Term]) -> None:
    for term in terms:
        if len(term.columns) > 1 or term.opponents:
            continue
        column = term.columns[0]
        size = len(data.levels[column])
        won = np.bincount(data.codes[column].ravel(), weights=data.share.ravel(), minlength=size)
        games = np.bincount(data.codes[column].ravel(), minlength=size)
        for level in range(size):
            name = data.levels[column][level]
            if games[level] and won[level] == 0:
                raise Unidentified(
                    f"{column} {name} never wins, so its effect has no end",
                    where="the model",
                    remedy="leave it out, or play more games",
                )
            if size > 1 and won[level] >= _games_with(data, column, level):
                raise Unidentified(
                    f"{column} {name} wins whenever it plays, so its effect has no end",
                    where="the model",
                    remedy="leave it out, or play more games",
                )


def _games_with(data: Data, column: str, level: int) -> int:
    return int((data.codes[column] == level).any(axis=1).sum())


def _confused(fitted: Fit, term: Term, lost: np.ndarray) -> str:
    """Name what cannot be told apart from `term`."""
    direction = np.abs(fitted.blind @ lost)
    names = []
    for other in fitted.terms:
        here = direction[fitted.part(other)]
        if other != term and here.max(initial=0.0) > 0.05 * direction.max():
            names.append(other.name)
    return f"the data cannot tell it from {' and '.join(names)}" if names else "the data do not tell it"
