"""Which level and which bot sits where: line-ups that are balanced block by block.

A **block** is one deal played in all its line-ups. One factor rotates within the block (the game's
primary factor; the bots where that has nothing to compare): with N levels a block has N games, and
each level sits exactly once in each seat. Every other factor (territories, bots) keeps its seat
for the whole block, so that each rotating level meets the same seats, maps and rivals' bots.

Over the blocks three things keep every prefix balanced to within one block:

- The rotation's base decides who meets whom. Bases are ordered so that all differences between
  seats, hence all pairs of levels, occur equally often (a difference family; R. C. Bose, "On the
  construction of balanced incomplete block designs", Annals of Eugenics 9, 1939).
- A factor that keeps its seats walks round a circle of its levels, a block's seats at a time, and
  shifts seats on the way (a Youden design; W. J. Youden, Contributions from Boyce Thompson
  Institute 9, 1937): all levels come into play, and sit in each seat, equally often.
- Each such turn is relabelled at random, by the best of a few draws for what is left:
  who meets whom, and which levels of two factors meet in one seat.

In a contrast (`balance.contrast`) a block is one line-up of that design, played untreated and then once
for each treatment of a seat drawn by lot, each seat equally often.

Line-ups follow from (seed, block) alone: more games change no earlier game, and all cells with the
same field of play share them, which makes their games comparable pair by pair.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import itertools
import math
import threading
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import cell as cells_
from balance import contrast, dice, games, layouts, records
from balance.cell import Blank, Cell
from balance.errors import ScenarioError, nearest
from balance.games import Factor, Game
from balance.layouts import Layouts

if TYPE_CHECKING:
    import polars as pl

    from balance.scenario import Scenario, Variant

LOTS = 2047  # the random stream that draws who is treated in a contrast
MAPS = 512  # of these streams, the one that orders layouts
PURPOSE = 2048  # random streams from here on belong to the design; the engine uses others
PERIOD = 8192  # about so many blocks are laid out; then the same come again, with other deals
POOL = 512  # most rotation bases to choose from
STARTS = 32  # orders of rotation bases to choose from
TRIES = 32
COUNTED = 50_000  # blocks that `Design.counts` counts at most: more would take memory, and tell no more
SAMPLE = 200  # blocks looked through for the most that one adds to a count
STRETCH = 8  # fewest blocks relabelled at once
BATCH = 16  # stretches drawn at once, for speed alone

BASE = "base"  # the label of a cell that differs from no other

Groups = Sequence[tuple[int, ...]]  # levels that exclude one another


# --- cells ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What one cell is made of, before it is validated: the scenario with one choice of each variation."""

    label: str
    players: int
    rules: Mapping[str, Any]
    components: Mapping[str, Mapping[str, Any]]
    bots: Mapping[str, Mapping[str, Any]]
    field: Mapping[str, Any]
    name: str  # the label without player counts and tiers
    changes: Mapping[str, str]  # key -> what the scenario calls it: "rules.cap" -> "vary.rules.cap"
    blank: Blank | None = None
    choice: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    tier: str = ""


def plans(scenario: Scenario) -> list[Plan]:
    """List the cells: for each player count and tier, for the rules and each variant, all of `vary`.

    After them come, for each of them in turn, those in which a part is blanked.
    """
    varied = [[(key, value) for value in values] for key, values in scenario.vary.items()]
    found = [
        _plan(scenario, players, variant, choice, tier)
        for players in scenario.players
        for tier in scenario.tiers or [""]
        for variant in (None, *scenario.variants)
        for choice in itertools.product(*varied)
    ]
    if not scenario.blank:
        return found
    game = games.get(scenario.game)
    return found + [one for base, plan in enumerate(found) for one in _blanked(game, scenario, plan, base)]


def _blanked(game: Game, scenario: Scenario, plan: Plan, base: int) -> Iterator[Plan]:
    """Yield the cells like `plan`, number `base`, each without one part of what `[blank]` names."""
    try:
        merged = cells_.merge(game, plan.components)
        for kind, wanted in scenario.blank.items():
            played = _chosen(plan.field.get(kind, "all"), list(merged[kind]), kind)
            for key in _chosen(wanted, played, kind, "blank"):
                for part in game.parts(kind, merged[kind][key]):
                    label = f"{key} without {part.name}"
                    label = label if plan.label == BASE else f"{plan.label}, {label}"
                    yield dataclasses.replace(plan, label=label, blank=Blank(kind, key, part, base))
    except ScenarioError as error:
        raise ScenarioError(
            error.what, where=f"{scenario.where}: {_key(error.where, plan)}", remedy=error.remedy
        ) from None


def _plan(
    scenario: Scenario,
    players: int,
    variant: Variant | None,
    choice: Sequence[tuple[str, Any]],
    tier: str,
) -> Plan:
    """Lay a variant and then the values chosen of `vary` over the scenario."""
    tree: dict[str, Any] = {
        "players": players,
        "rules": scenario.rules,
        "bots": {tier: scenario.bots[tier]} if tier else scenario.bots,
        "field": scenario.field,
        **scenario.components,
    }
    counted = [f"{players} players"] if len(scenario.players) > 1 else []
    counted += [tier] if tier else []
    parts: list[str] = []
    changes = {}
    if variant:
        tree = laid_over(tree, variant.changes(), f"variant.{variant.name}")
        parts.append(variant.name)
        changes = {key: f"variant.{variant.name}.{key}" for key in variant.changes()}
    for key, value in choice:
        tree = laid_over(tree, nest(key, value), "vary")
        (counted if key == "players" else parts).append(f"{key.removeprefix('rules.')} = {_short(value)}")
        changes[key] = f"vary.{key}"
    plain = {name: tree.pop(name) for name in ("players", "rules", "bots", "field")}
    chosen = ({"variant": variant.name} if variant else {}) | dict(choice)
    label, name = ", ".join([*counted, *parts]) or BASE, ", ".join(parts)
    return Plan(label=label, name=name, components=tree, changes=changes, choice=chosen, tier=tier, **plain)


def size_of(game: Game, scenario: Scenario, plan: Plan) -> float:
    """Return how far a cell is from the scenario's own rules, to find the smallest change that will do.

    Rules count by their numbers: the sum of all differences (a named choice that is another counts
    1). What else is varied counts by its distance from the first value given, or by its place in
    the list if it is no number; a variant's own components and bots by the numbers they give.
    """
    size = 0.0
    for rule in game.rules:
        before, after = (
            rule.read(rules[rule.name], plan.players, f"rules.{rule.name}")
            if rule.name in rules
            else rule.at(plan.players)
            for rules in (scenario.rules, plan.rules)
        )
        if rule.choices and not isinstance(before, tuple):
            size += before != after
        else:
            size += float(np.abs(np.subtract(after, before, dtype=float)).sum())
    for key, value in plan.choice.items():
        if key == "variant":
            variant = next(one for one in scenario.variants if one.name == value)
            tables = {kind: table for kind, table in variant.changes().items() if kind != "rules"}
            size += len(cells_.leaves(tables)) if tables else 0
        elif key.partition(".")[0] not in ("rules", "players"):
            size += _distance(value, scenario.vary[key])
    return size


def _distance(value: Any, values: Sequence[Any]) -> float:
    first = values[0]
    if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (value, first)):
        return float(abs(value - first))
    return float(values.index(value))


def laid_over(tree: Mapping[str, Any], changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return `tree` with `changes` laid over it; one number of a rule's list changes that list."""
    rules = dict(changes.get("rules", {}))
    for name, change in rules.items():
        before = tree["rules"].get(name)
        one_number = isinstance(change, Mapping) and not any(
            isinstance(value, (str, list, Mapping)) for value in change.values()
        )
        if one_number and isinstance(before, str):
            raise ScenarioError(
                f"'{before}' stands under [rules], so one number of it cannot be changed",
                where=f"{where}.rules.{name}",
                remedy="give the whole list in both places",
            )
        if one_number and isinstance(before, list) and all(place.isdecimal() for place in change):
            whole = dict(enumerate(before, start=1)) | {int(place): one for place, one in change.items()}
            rules[name] = [whole[place] for place in sorted(whole)]
    return cells_.overlay(tree, dict(changes) | ({"rules": rules} if rules else {}))


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else str(value).replace("'", "")


def nest(key: str, value: Any) -> dict[str, Any]:
    """Turn a dotted key and its value into tables within tables."""
    for part in reversed(key.split(".")):
        value = {part: value}
    return value


def cells(scenario: Scenario) -> list[Cell]:
    """Prepare and validate every cell of `scenario`, its rules, components, bots and field of play.

    Raises
    ------
    ScenarioError
        Names file, key and remedy.
    """
    game = games.get(scenario.game)
    prepared, marks = [], []
    found = plans(scenario)
    for index, plan in enumerate(found):
        try:
            bots = in_play(game, plan)
            cell = cells_.prepare(
                game,
                plan.players,
                rules=plan.rules,
                components=plan.components,
                bots=bots,
                treatments=contrast.named(game, scenario.contrast),
                drawn=layouts.drawn(game, plan.field, plan.players),
                blank=plan.blank,
                index=index,
                label=plan.label,
            )
            field = fields(cell, plan)
            Design(cell, field, scenario.seed)
            if field.layouts is not None and scenario.until:
                raise ScenarioError(
                    "layouts have to be played equally often, so a sweep of them cannot stop at any time",
                    where="until",
                    remedy="give games, or a precision",
                )
        except ScenarioError as error:
            raise ScenarioError(
                error.what, where=f"{scenario.where}: {_key(error.where, plan)}", remedy=error.remedy
            ) from None
        size = size_of(game, scenario, plan)
        prepared.append(
            dataclasses.replace(cell, name=plan.name, tier=plan.tier, choice=plan.choice, size=size)
        )
        marks.append(_mark(cell, field))
    _refuse_same(scenario, found, marks)
    return prepared


def _mark(cell: Cell, field: Field) -> bytes:
    """Return a digest of what makes two cells of one game the same."""
    marks = records.fingerprint(cell.rules), records.fingerprint(cell.bots)
    what = (cell.players, cell.components, cell.bot_names, field, *marks)
    return hashlib.sha256(repr(what).encode()).digest()


def _refuse_same(scenario: Scenario, found: Sequence[Plan], marks: Sequence[bytes]) -> None:
    """Refuse two rule sets that are the same at every player count: they would be played twice.

    One variant may change nothing: compared with the rules as written it must give exact zeros.
    """
    alike: dict[str, list[bytes]] = {}
    for plan, mark in zip(found, marks, strict=True):
        alike.setdefault(plan.name, []).append(mark)
    first: dict[tuple[bytes, ...], Plan] = {}
    for plan in found:
        key = tuple(alike[plan.name])
        before = first.setdefault(key, plan)
        if before.name == plan.name:
            continue
        if "variant" in plan.choice and "variant" not in before.choice:
            first[key] = plan  # the control; another like it is one too many
            continue
        changed = [f"variant.{plan.name}", *plan.changes.values()][-1]
        raise ScenarioError(
            f"'{plan.name}' is the same as '{before.name or BASE}'",
            where=f"{scenario.where}: {changed}",
            remedy="take one of them out: it would be played twice",
        )


def _key(key: str, plan: Plan) -> str:
    """Call `key` as the scenario's file does, if a variation or a variant put it there."""
    for put, shown in plan.changes.items():
        if key == put or key.startswith(put + "."):
            return shown + key.removeprefix(put)
        if put.startswith(key + "."):
            return shown
    return key


def in_play(game: Game, plan: Plan) -> dict[str, Mapping[str, Any]]:
    """Return the bots in the field of play, by name; a style of the game needs no table of its own."""
    wanted = plan.field.get("bots", list(plan.bots))
    known: dict[str, Mapping[str, Any]] = {name: {} for name in game.all_bots} | dict(plan.bots)
    return {name: known[name] for name in _chosen(wanted, list(known), "bots")}


def fields(cell: Cell, plan: Plan) -> Field:
    """Find the levels in play of each factor, as positions among the cell's components."""
    levels: dict[str, tuple[int, ...]] = {}
    laid = None
    for factor in cell.game.factors:
        keys = list(cell.components[factor.components])
        wanted = plan.field.get(factor.components, "all")
        if not layouts.is_asked(wanted):
            chosen = _chosen(wanted, keys, factor.components)
            levels[factor.name] = tuple(keys.index(key) for key in chosen)
            continue
        if laid is not None:
            raise ScenarioError(
                "another factor has layouts already",
                where=f"field.{factor.components}",
                remedy='give "all" or a list of names',
            )
        laid = layouts.of(cell, factor, wanted)
        levels[factor.name] = tuple(sorted({level for row in laid.levels for level in row}))
    return Field(levels, bool(plan.field.get("repeat", False)), laid)


def _chosen(wanted: Any, keys: list[str], kind: str, table: str = "field") -> list[str]:
    """Return the entries of `kind` that `wanted` names under `table`: "all" or a list of keys."""
    where = f"{table}.{kind}"
    if wanted == "all":
        return keys
    if not isinstance(wanted, list) or not all(isinstance(key, str) for key in wanted):
        raise ScenarioError(f"{wanted!r} will not do", where=where, remedy='give "all" or a list of names')
    for key in wanted:
        if key not in keys:
            raise ScenarioError(f"there is no '{key}'", where=where, remedy=nearest(key, keys))
    if not wanted:
        raise ScenarioError("nothing is in play", where=where, remedy='name at least one, or "all"')
    if len(set(wanted)) < len(wanted):
        twice = next(key for key in wanted if wanted.count(key) > 1)
        raise ScenarioError(f"names '{twice}' twice", where=where, remedy="name each once")
    return list(wanted)


@dataclass(frozen=True)
class Field:
    """The field of play: factor -> positions of its levels among the components; may levels repeat?"""

    levels: Mapping[str, tuple[int, ...]]
    repeat: bool = False
    layouts: Layouts | None = None


def lineups(scenario: Scenario, cell: Cell) -> Design:
    """Return the design of `cell`, one of `cells(scenario)`."""
    return Design(cell, fields(cell, plans(scenario)[cell.index]), scenario.seed)


def designs(scenario: Scenario, prepared: Sequence[Cell]) -> list[Design]:
    """Return the designs of all `prepared` cells of `scenario`, in order."""
    found = plans(scenario)
    return [Design(cell, fields(cell, found[cell.index]), scenario.seed) for cell in prepared]


# --- random numbers -----------------------------------------------------------------------------


def draws(seed: int, purpose: int, numbers: np.ndarray, count: int) -> np.ndarray:
    """Draw `count` 32-bit words for each of `numbers`, as `balance.dice` does, all at once.

    Returns
    -------
    np.ndarray
        uint64, shape (len(numbers), count).
    """
    stream = types.SimpleNamespace(key=[0, 0], counter=[0] * 4, block=[0] * 4, left=0)
    dice.start(stream, seed, np.asarray(numbers, dtype=np.uint64), purpose)
    words: list[np.ndarray] = []
    while len(words) < count:
        dice.refill(stream)
        words += stream.block
    return np.stack(words[:count], axis=-1)


def permutations(seed: int, purpose: int, numbers: np.ndarray, size: int) -> np.ndarray:
    """Return a random order of 0 to `size - 1` for each of `numbers`, shape (len(numbers), size)."""
    if size == 0:
        return np.zeros((len(numbers), 0), dtype=np.int64)
    return np.argsort(draws(seed, purpose, numbers, size), axis=-1, kind="stable")


# --- the factor that rotates --------------------------------------------------------------------


class Rotation:
    """The factor that rotates within a block: in game g seat s has level base[s] + g, relabelled.

    Parameters
    ----------
    levels
        How many levels there are; with fewer levels than seats, they repeat as evenly as can be.
    sides
        The side of each seat; levels on one side are partners, not opponents.
    """

    def __init__(self, levels: int, sides: Sequence[int], seed: int, purpose: int) -> None:
        self.levels, self.seats, self.seed, self.purpose = levels, len(sides), seed, purpose
        self.teams = len(set(sides)) < len(sides)
        self.bases = self._pool()
        self.order = _best_order(_differences(self.bases, levels, sides))

    def _pool(self) -> np.ndarray:
        """Collect bases, shape (bases, seats): sets of levels up to rotation, for teams in several orders."""
        copies, rest = divmod(self.seats, self.levels)
        common = list(range(self.levels)) * copies
        free = math.comb(self.levels - 1, max(rest - 1, 0))
        if free <= POOL:
            sets = np.array(
                [
                    [*common, *((0, *more) if rest else ())]
                    for more in itertools.combinations(range(1, self.levels), max(rest - 1, 0))
                ]
            )
        else:
            others = 1 + permutations(self.seed, self.purpose, np.arange(POOL), self.levels - 1)
            sets = np.zeros((POOL, self.seats), dtype=np.int64)
            sets[:, : len(common)] = common
            sets[:, len(common) + 1 :] = others[:, : rest - 1]
        shuffled = permutations(self.seed, self.purpose + 1, np.arange(1), len(sets))[0]
        sets = sets[shuffled]
        if self.teams:
            sets = np.repeat(sets, max(1, min(POOL // len(sets), math.factorial(self.seats))), axis=0)
            seats = permutations(self.seed, self.purpose + 2, np.arange(len(sets)), self.seats)
            sets = np.take_along_axis(sets, seats, axis=1)
        return sets

    def of(self, blocks: np.ndarray) -> np.ndarray:
        """Return the levels of `blocks`, shape (blocks, games of a block, seats)."""
        base = self.bases[self.order[blocks % len(self.order)]]
        if not self.teams:
            seats = permutations(self.seed, self.purpose + 3, blocks, self.seats)
            base = np.take_along_axis(base, seats, axis=1)
        turned = (base[:, None, :] + np.arange(self.levels)[None, :, None]) % self.levels
        cycles, which = np.unique(blocks // len(self.order), return_inverse=True)
        labels = permutations(self.seed, self.purpose + 4, cycles, self.levels)
        return labels[which[:, None, None], turned]


def _differences(bases: np.ndarray, levels: int, sides: Sequence[int]) -> np.ndarray:
    """Count for each base how often each difference of levels is that of opponents, and of partners.

    Returns whole numbers that sum to zero over each kind, shape (bases, 2 * (levels - 1)).
    """
    kinds = []
    for partners in (False, True):
        counts = np.zeros((len(bases), levels), dtype=np.int64)
        for one, other in _pairs(sides, partners):
            np.add.at(counts, (np.arange(len(bases)), (bases[:, one] - bases[:, other]) % levels), 1)
        counts = counts[:, 1:]
        weight = 1 if partners else 2
        kinds.append(weight * (counts * max(levels - 1, 1) - counts.sum(axis=1, keepdims=True)))
    return np.concatenate(kinds, axis=1)


def _best_order(parts: np.ndarray) -> np.ndarray:
    """Return the best of some even orders, from different first rows: the lowest peak, then the shortest.

    The peak is the widest range of a running sum; no order has a lower one than its first row.
    """
    if parts.shape[1] == 0:
        return np.zeros(1, dtype=np.int64)
    ranges = np.ptp(parts, axis=1)
    best, least, steps = np.zeros(0, dtype=np.int64), (math.inf, math.inf), 0
    for first in np.argsort(ranges, kind="stable")[:STARTS]:
        order = _even_order(parts, int(first))
        peak = int(np.ptp(parts[order].cumsum(axis=0), axis=1).max())
        if (peak, len(order)) < least:
            best, least = order, (peak, len(order))
        steps += len(order)
        if peak == ranges.min() or steps > PERIOD:
            break
    return best


def _even_order(parts: np.ndarray, first: int) -> np.ndarray:
    """Order rows of `parts`, each as often as need be, so that all running sums stay near zero.

    From row `first` on takes the row that leaves the smallest sum of squares, the least used of
    equals, until the sum is exactly zero, which makes a cycle; or PERIOD rows.
    """
    gram = parts @ parts.T
    worth = gram.diagonal().copy()
    used = np.zeros(len(parts), dtype=np.int64)
    total = np.zeros(parts.shape[1], dtype=np.int64)
    order: list[int] = []
    best = first
    while len(order) < PERIOD:
        order.append(best)
        used[best] += 1
        total += parts[best]
        worth += 2 * gram[best]
        if not total.any():
            break
        best = int(np.argmin(worth * 2 * PERIOD + used))
    return np.array(order)


# --- the factors that keep their seats ----------------------------------------------------------


class Circle:
    """A factor that keeps its seats within a block: its levels come round in turn, seat by seat.

    A trip is as many blocks as there are groups: each group sits once in each seat. A turn is a
    trip for each level of a group, so that each level sits equally often in each seat. A trip is
    made of rounds in which each group is in play equally often; groups that share their seats in
    a round (a class) change places from round to round, so that ever others meet.

    Parameters
    ----------
    groups
        Levels that exclude one another (two sides of a card) form a group; a group is in play once.
    sides
        The side of each seat.
    others
        Factors already laid out; levels meet theirs in one seat equally often.
    """

    def __init__(
        self, groups: Groups, sides: Sequence[int], others: list[Circle], seed: int, purpose: int
    ) -> None:
        self.groups, self.seats, self.others = groups, len(sides), others
        self.seed, self.purpose = seed, purpose
        self.levels = sum(len(group) for group in groups)
        self.sizes = np.array([len(group) for group in groups])
        self.members = np.array(
            [[group[i % len(group)] for i in range(self.sizes.max())] for group in groups]
        )
        self.classes = math.gcd(len(groups), len(sides))
        self.place, self.lap, self.trip, self.round = self._pattern(math.lcm(*map(len, groups)))
        self.turns = -(-STRETCH // len(self.place))
        self.rivals = np.array(_pairs(sides, partners=False), dtype=np.int64).reshape(-1, 2)
        self.tables = [np.zeros(self.levels * wide, dtype=np.int64) for wide in self._widths()]
        self.laid = np.zeros((0, self.seats), dtype=np.int64)

    def _pattern(self, trips: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Lay out a turn before it is labelled.

        Returns
        -------
        place, lap
            Where on the circle, and how often round it, shape (blocks, seats).
        trip, round
            Numbers of the block's, shape (blocks, 1).
        """
        circle, seats = len(self.groups), self.seats
        rounds = np.arange(circle)[:, None] // (circle // self.classes)
        steps = (np.arange(seats) - rounds) % seats
        lap, place = np.divmod(np.arange(circle)[:, None] * seats + steps, circle)
        trip = np.repeat(np.arange(trips), circle)[:, None]
        return np.tile(place, (trips, 1)), np.tile(lap, (trips, 1)), trip, np.tile(rounds, (trips, 1))

    def _widths(self) -> list[int]:
        return [self.levels, *(other.levels for other in self.others)]

    def of(self, blocks: np.ndarray) -> np.ndarray:
        """Return the levels of `blocks`, shape (blocks, seats), in play for the whole block."""
        if self.levels == 1:
            return np.zeros((len(blocks), self.seats), dtype=np.int64)
        step = len(self.place) * self.turns
        places = blocks % (step * -(-PERIOD // step))
        wanted = int(places.max(initial=-1)) + 1
        if wanted > len(self.laid):
            self._grow(wanted)
        return self.laid[places]

    def _grow(self, blocks: int) -> None:
        """Lay out at least so many blocks, a stretch of turns at a time, by the best of a few drafts."""
        step = len(self.place) * self.turns
        while len(self.laid) < blocks:
            first = len(self.laid)
            met = [other.of(np.arange(first, first + step * BATCH)) for other in self.others]
            pieces = [self.laid]
            for number, drafts in enumerate(self._drafts(first // step)):
                here = slice(number * step, (number + 1) * step)
                pieces.append(drafts[self._choose(drafts, [levels[here] for levels in met])])
            self.laid = np.concatenate(pieces)

    def _choose(self, drafts: np.ndarray, met: list[np.ndarray]) -> int:
        """Return which draft leaves the tables most even, and count it in."""
        tallies = self._tallies(drafts, met)
        costs = sum(
            weight * ((table + tally) ** 2).sum(axis=1)
            for weight, table, tally in zip(self._weights(), self.tables, tallies, strict=True)
        )
        best = int(np.argmin(costs))
        self.tables = [table + tally[best] for table, tally in zip(self.tables, tallies, strict=True)]
        return best

    def _weights(self) -> list[int]:
        """Return the weight of each table: opponents meet both ways and in many pairs of seats."""
        return [1, *(max(1, len(self.rivals) // self.seats) for _ in self.others)]

    def _drafts(self, stretch: int) -> np.ndarray:
        """Draw relabelled turns to choose from, from `stretch` on, shape (BATCH, TRIES, blocks, seats)."""
        count = BATCH * TRIES * self.turns
        numbers = stretch * TRIES * self.turns + np.arange(count)
        labels = permutations(self.seed, self.purpose, numbers, len(self.groups))
        seats = permutations(self.seed, self.purpose + 1, numbers, self.seats)
        phases = draws(self.seed, self.purpose + 2, numbers, len(self.groups)).astype(np.int64)
        own = np.arange(count)[:, None, None]
        place = self._mix(numbers)[own, self.round, self.place[:, seats].transpose(1, 0, 2)]
        visit = self.lap[:, seats].transpose(1, 0, 2) + self.seats * self.trip
        group = labels[own, place]
        size = self.sizes[group]
        visit = visit + self.trip // (size // np.gcd(size, self.seats)) + phases[own, group]
        return self.members[group, visit % size].reshape(BATCH, TRIES, -1, self.seats)

    def _mix(self, numbers: np.ndarray) -> np.ndarray:
        """Draw who changes places within a class, for each turn and round, shape (turns, rounds, places)."""
        shape = (len(numbers), self.classes, self.classes)
        keys = numbers[:, None] * self.classes**2 + np.arange(self.classes**2)
        within = permutations(
            self.seed, self.purpose + 3, keys.ravel(), len(self.groups) // self.classes
        ).reshape(*shape, -1)
        mixed = within * self.classes + np.arange(self.classes)[:, None]
        return mixed.swapaxes(2, 3).reshape(len(numbers), self.classes, -1)

    def _tallies(self, drafts: np.ndarray, met: list[np.ndarray]) -> list[np.ndarray]:
        """Count what each draft adds to each table, shape (TRIES, pairs): rivals, then other factors."""
        one, other = self.rivals.T
        cells = [drafts[:, :, one] * self.levels + drafts[:, :, other]]
        cells += [drafts * wide + levels for wide, levels in zip(self._widths()[1:], met, strict=True)]
        sizes = [self.levels * wide for wide in self._widths()]
        return [
            np.bincount(
                (cell.reshape(TRIES, -1) + np.arange(TRIES)[:, None] * size).ravel(), minlength=TRIES * size
            ).reshape(TRIES, size)
            for cell, size in zip(cells, sizes, strict=True)
        ]


def _pairs(sides: Sequence[int], partners: bool) -> list[tuple[int, int]]:
    """List the ordered pairs of seats that are partners, or opponents."""
    pairs = itertools.permutations(range(len(sides)), 2)
    return [(one, other) for one, other in pairs if (sides[one] == sides[other]) == partners]


# --- the whole design ---------------------------------------------------------------------------


class Maps:
    """A factor that is laid out: which layout a block has, and the levels of its seats.

    Each layout comes once in every round of as many blocks as there are layouts, in random order;
    from round to round its levels move on by a seat.

    Parameters
    ----------
    layouts
        Levels by layout and place, shape (layouts, seats).
    """

    def __init__(self, layouts: Sequence[Sequence[int]], seed: int) -> None:
        self.layouts, self.seed = np.array(layouts), seed

    def layout_of(self, blocks: np.ndarray) -> np.ndarray:
        """Return the layout of each of `blocks`, as a number from 0."""
        rounds, which = np.unique(blocks // len(self.layouts), return_inverse=True)
        orders = permutations(self.seed, PURPOSE + MAPS, rounds, len(self.layouts))
        return orders[which, blocks % len(self.layouts)]

    def of(self, blocks: np.ndarray) -> np.ndarray:
        """Return the levels of `blocks`, shape (blocks, seats)."""
        seats = self.layouts.shape[1]
        moved = (np.arange(seats)[None, :] + (blocks // len(self.layouts))[:, None]) % seats
        return self.layouts[self.layout_of(blocks)[:, None], moved]


class Seating:
    """What sits where, in numbers alone: the factor that rotates, and those that keep their seats.

    Cells with the same field of play share one seating. It may be asked from several threads.
    `laid` names a factor that is laid out, with its levels by layout and place.
    """

    def __init__(
        self,
        rotates: str,
        levels: int,
        kept: Sequence[tuple[str, Groups]],
        sides: Sequence[int],
        seed: int,
        laid: tuple[str, tuple[tuple[int, ...], ...]] | None = None,
    ) -> None:
        self.rotates = rotates
        self.rotation = Rotation(levels, sides, seed, PURPOSE)
        self.circles: dict[str, Circle] = {}
        self.lock = threading.Lock()
        for number, (name, groups) in enumerate(kept, start=1):
            others = [other for other in self.circles.values() if other.levels > 1]
            self.circles[name] = Circle(groups, sides, others, seed, PURPOSE + 8 * number)
        self.laid = laid[0] if laid else ""
        self.maps = Maps(laid[1], seed) if laid else None

    def of(self, blocks: np.ndarray) -> dict[str, np.ndarray]:
        """Return the levels of each factor, shape (blocks, games of a block, seats)."""
        seated = {self.rotates: self.rotation.of(blocks)}
        shape = seated[self.rotates].shape
        with self.lock:
            for name, circle in self.circles.items():
                seated[name] = np.broadcast_to(circle.of(blocks)[:, None, :], shape)
        if self.maps is not None:
            seated[self.laid] = np.broadcast_to(self.maps.of(blocks)[:, None, :], shape)
        return seated


_seating = functools.lru_cache(maxsize=64)(Seating)


class Design:
    """The line-ups of a cell.

    Attributes
    ----------
    turned
        Games in which what rotates comes round once: a block, if nothing is contrasted.
    block_games
        Games of a block.
    rotates
        The name of what rotates within a block: a factor's, or "bot".
    layouts
        The layouts of a factor, if the field of play has them.
    """

    def __init__(self, cell: Cell, field: Field, seed: int) -> None:
        self.cell = cell
        self.sides = list(cell.game.sides(cell.players))
        self.levels = {name: np.array(levels) for name, levels in field.levels.items()}
        self.levels["bot"] = np.arange(len(cell.bot_names))
        self.rotates = self._rotating()
        self.turned = len(self.levels[self.rotates])
        self.treatments = len(cell.treatments)
        self.block_games = 1 + self.treatments if self.treatments else self.turned
        self.seed = seed
        self.layouts = field.layouts
        laid = self._laid()
        groups = {
            factor.name: self._groups(factor, field.repeat)
            for factor in cell.game.factors
            if not laid or factor.name != laid[0]
        }
        groups["bot"] = [(level,) for level in range(len(cell.bot_names))]
        kept = tuple((name, tuple(groups[name])) for name in groups if name != self.rotates)
        self.seating = _seating(self.rotates, self.turned, kept, tuple(self.sides), seed, laid)

    def _laid(self) -> tuple[str, tuple[tuple[int, ...], ...]] | None:
        """Return the factor that is laid out, and its levels in play by layout and place."""
        if self.layouts is None:
            return None
        level_of = {int(position): level for level, position in enumerate(self.levels[self.layouts.factor])}
        rows = tuple(tuple(level_of[position] for position in row) for row in self.layouts.levels)
        return self.layouts.factor, rows

    def layout_of(self, blocks: np.ndarray) -> np.ndarray | None:
        """Return which of `layouts` each of `blocks` has, as a number from 0; none without layouts."""
        if self.seating.maps is None:
            return None
        blocks = np.asarray(blocks, dtype=np.int64)
        return self.seating.maps.layout_of(blocks // self.turned if self.treatments else blocks)

    def _rotating(self) -> str:
        """Choose what rotates: the primary factor if it has levels to compare, else the bots."""
        for factor in self.cell.game.factors:
            if factor.primary and len(self.levels[factor.name]) > 1:
                return factor.name
        return "bot"

    def _groups(self, factor: Factor, repeat: bool) -> list[tuple[int, ...]]:
        """Group the levels in play that exclude one another; refuse what cannot seat everyone."""
        keys = self.cell.levels(factor.name)
        chosen = [keys[position] for position in self.levels[factor.name]]
        level_of = {key: level for level, key in enumerate(chosen)}
        entries = self.cell.components[factor.components]
        groups = [[level_of[key] for key in group] for group in factor.exclusive(chosen, entries)]
        if factor.unique and len(groups) < self.cell.players:
            if not repeat:
                raise ScenarioError(
                    f"{self.cell.players} players need as many {factor.components}, "
                    f"and only {len(groups)} can be in play together",
                    where=f"field.{factor.components}",
                    remedy="name more, or set repeat = true in [field] (a mirror match)",
                )
            return [(level,) for level in range(len(chosen))]
        if factor.name == self.rotates and len(groups) < len(chosen):
            raise ScenarioError(
                "two of them exclude one another, so they cannot rotate through the seats",
                where=f"field.{factor.components}",
                remedy="name one of each pair",
            )
        return [tuple(group) for group in groups]

    def of(self, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.recarray]:
        """Return the line-ups of `blocks`.

        Parameters
        ----------
        blocks
            Numbers of blocks, from 0, shape (n,).

        Returns
        -------
        numbers, block_of_game, lineups
            The games' numbers and blocks, shape (n * block_games,), and the line-up records,
            `cell.players` rows a game, in the games' order.
        """
        blocks = np.asarray(blocks, dtype=np.int64)
        seated = self.seated(blocks)
        lineup = records.make(self.cell.game.lineup_type, len(blocks) * self.block_games * self.cell.players)
        for name, levels in seated.items():
            lineup[name] = self.levels[name][levels].ravel()
        if self.treatments:
            lineup["bot"] += len(self.cell.bots) * self.treated(blocks).ravel()
            lineup["echo"] = np.tile(np.repeat(np.arange(self.block_games), self.cell.players), len(blocks))
        numbers = (blocks[:, None] * self.block_games + np.arange(self.block_games)).ravel()
        return numbers, np.repeat(blocks, self.block_games), lineup

    def seated(self, blocks: np.ndarray) -> dict[str, np.ndarray]:
        """Return the levels of each factor, shape (blocks, games of a block, seats)."""
        if not self.treatments:
            return self.seating.of(blocks)
        turn, place = np.divmod(blocks, self.turned)
        once = {name: levels[np.arange(len(blocks)), place] for name, levels in self.seating.of(turn).items()}
        return {
            name: np.repeat(levels[:, None, :], self.block_games, axis=1) for name, levels in once.items()
        }

    def treated(self, blocks: np.ndarray) -> np.ndarray:
        """Return the number of each seat's treatment, 0 for none, shape (blocks, games of a block, seats)."""
        players = self.cell.players
        number = np.arange(1, self.block_games)
        lots = (blocks // players)[:, None] * self.treatments + number - 1
        orders = permutations(self.seed, LOTS, lots.ravel(), players).reshape(*lots.shape, players)
        drawn = orders[np.arange(len(blocks)), :, blocks % players]
        treated = np.zeros((len(blocks), self.block_games, players), dtype=np.int32)
        treated[np.arange(len(blocks))[:, None], number, drawn] = number
        return treated

    def counts(self, games: int) -> pl.DataFrame:
        """Count how evenly the first `games` games (in whole blocks, at most `COUNTED`) are spread.

        Returns
        -------
        pl.DataFrame
            A row for each pair of things that meet: `what`, `against`, `pairs` (how many there
            are), `low` and `high` (games of the rarest and the commonest pair), `spread` (their
            difference) and `block` (the most that one block adds to a pair).
        """
        import polars as pl

        blocks = min(COUNTED, -(-games // self.block_games))
        seated = self.seated(np.arange(max(blocks, SAMPLE)))
        names = [self.rotates, *self.seating.circles]
        rows = []
        for place, name in enumerate(names):
            if len(self.levels[name]) == 1:
                continue
            rest = [other for other in names[place + 1 :] if len(self.levels[other]) > 1]
            for against in ("seat", f"opponent's {name}", *rest):
                rows.append(self._row(name, against, seated, blocks))
        return pl.DataFrame(
            [row for row in rows if row is not None],
            schema={
                "what": pl.String,
                "against": pl.String,
                "pairs": pl.Int64,
                "low": pl.Int64,
                "high": pl.Int64,
                "spread": pl.Int64,
                "block": pl.Int64,
            },
            orient="row",
        )

    def _row(
        self, name: str, against: str, seated: Mapping[str, np.ndarray], blocks: int
    ) -> tuple[Any, ...] | None:
        """Count the pairs of one table in the first `blocks` blocks."""
        one, size = seated[name], len(self.levels[name])
        if against == "seat":
            wide, two = self.cell.players, np.broadcast_to(np.arange(self.cell.players), one.shape)
        elif against in seated:
            wide, two = len(self.levels[against]), seated[against]
        else:
            first, second = np.array(_pairs(self.sides, partners=False), dtype=np.int64).reshape(-1, 2).T
            wide, one, two = size, one[:, :, first], one[:, :, second]
        possible = self._may_meet(name) if one is not seated[name] else np.ones((size, wide), dtype=bool)
        flat = (one * wide + two).reshape(len(one), -1)
        counts = np.bincount(flat[:blocks].ravel(), minlength=size * wide)[possible.ravel()]
        if not len(counts):
            return None
        block = max(int(np.bincount(row, minlength=1).max()) for row in flat[:SAMPLE])
        low, high = int(counts.min()), int(counts.max())
        return (name, against, len(counts), low, high, high - low, block)

    def _may_meet(self, name: str) -> np.ndarray:
        """Say which levels of a factor the design lets meet as opponents."""
        size = len(self.levels[name])
        if name == self.rotates:
            return ~np.eye(size, dtype=bool)
        possible = np.ones((size, size), dtype=bool)
        groups = self.seating.circles[name].groups
        for group in groups:
            for one, other in itertools.product(group, group):
                possible[one, other] = len(groups) < self.cell.players and one != other
        return possible
