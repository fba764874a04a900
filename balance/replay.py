"""One game, told in words: the very game that a batch plays, decision by decision.

It runs in the plain lane through the engine's own functions, so a replay can neither drift from
the sweep nor know more than its rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from balance import records, words
from balance.cell import Cell
from balance.errors import DatasetError, ScenarioError

if TYPE_CHECKING:
    from balance.dataset import Dataset
    from balance.scenario import Scenario

REASONS = 4  # acts whose values a bot's reasons show
GAMES = 2**40  # numbers that a game can have


@dataclass(frozen=True)
class Step:
    """One act of a game and the states around it.

    Attributes
    ----------
    before
        A copy of the state in which `act` was chosen.
    after
        The game's own state once `act` is played; the next step changes it.
    valued
        The acts that the bot weighed and what each was worth to it, in the order in which they
        were offered; empty where it had no choice or weighs by other means.
    """

    before: np.record
    act: int
    after: np.record
    valued: tuple[tuple[int, float], ...] = ()


class Table:
    """A game in the plain lane that stops after every act.

    Parameters
    ----------
    lineup
        One line-up record a seat.
    seed, block, game
        As the sweep numbers them: chance follows from seed and block, the bots' from seed and game.
    layout
        What the dataset calls the block's layout, if it has one.
    """

    def __init__(
        self, cell: Cell, lineup: np.recarray, seed: int, block: int, game: int, layout: str = ""
    ) -> None:
        words.check(cell)
        self.cell, self.lineup, self.layout = cell, lineup, layout
        self.seed, self.block, self.game = seed, block, game
        self.lib = cell.game.plain
        self.desk = records.make(cell.game.desk_type)[0]
        self.state = self.desk.state
        self.state.seats = cell.players
        self.rows = records.make(cell.game.game_row), records.make(cell.game.seat_row, cell.players)
        rows, seat_rows = self.rows
        rows.game, rows.block, rows.seats = game, block, cell.players
        seat_rows.game, seat_rows.block = game, block
        seat_rows.seat, seat_rows.side = np.arange(cell.players), cell.game.sides(cell.players)
        for factor in cell.game.factors:
            seat_rows[factor.name] = lineup[factor.name]
        seat_rows.bot = lineup.bot
        for seat in range(cell.players):
            self.desk.ends[seat] = seat_rows[seat]
        self.lib.open_table(
            self.state,
            cell.rules[0],
            cell.hands,
            lineup,
            self.desk.rng,
            self.desk,
            len(cell.game.streams),
            np.uint64(seed),
            block,
            game,
        )

    def steps(self, limit: int = 0) -> Iterator[Step]:
        """Play on, act by act, to the end or for `limit` acts (the game's own limit if 0)."""
        rules = self.cell.rules[0]
        for _ in range(limit or self.cell.game.limit):
            if self.state.over:
                return
            before = copied(self.state, self.cell)
            self.desk["values"][:] = np.nan
            act = int(
                self.lib.decide(self.state, rules, self.cell.hands, self.lineup, self.desk.rng, self.desk)
            )
            if act < 0:  # no act at all: the game stays unfinished
                return
            valued = tuple(self._valued())
            self.lib.apply(self.state, rules, act, self.desk.rng)
            yield Step(before, act, self.state, valued)

    def _valued(self) -> Iterator[tuple[int, float]]:
        for act, worth in zip(self.desk.acts, self.desk["values"], strict=True):
            if np.isnan(worth):
                return
            yield int(act), float(worth)

    def result(self) -> tuple[np.record, np.recarray]:
        """Return the game row and the seat rows, as a batch would fill them."""
        rows, seat_rows = self.rows
        row = rows[0]
        row.turns, row.decisions = self.state.turn, self.desk.decisions
        row.finished = 1 if self.state.over else 0
        self.lib.tally(self.state, self.cell.rules[0], row, seat_rows)
        self.lib.share_win(row, seat_rows, self.cell.players)
        return row, seat_rows


def copied(state: np.record, cell: Cell) -> np.record:
    """Return a copy of `state` that later acts leave alone."""
    copy = records.make(cell.game.state)
    copy[0] = state
    return copy[0]


def tell(
    cell: Cell,
    lineup: np.recarray,
    seed: int,
    block: int,
    game: int,
    *,
    reasons: bool = False,
    limit: int = 0,
) -> Iterator[str]:
    """Tell the game that a sweep plays as number `game`, line by line, turn by turn.

    Parameters
    ----------
    lineup
        This game's line-up records, one a seat.
    reasons
        Add, below each act of a bot that weighs its acts, the best of them with their worth.
    limit
        Most acts, the game's own limit if 0.
    """
    return _told(Table(cell, lineup, seed, block, game), reasons, limit)


def _told(table: Table, reasons: bool, limit: int = 0) -> Iterator[str]:
    yield from _opening(table)
    part = ""
    for step in table.steps(limit):
        if _heading(step.before, table.cell) != part:
            part = _heading(step.before, table.cell)
            yield ""
            yield part
        yield from _act(table, step)
        if reasons and step.valued:
            yield f"      weighed: {_reasons(table.cell, step)}"
    yield ""
    yield from _ending(table)


def from_scenario(scenario: Scenario, number: int, cell: int = 0, *, reasons: bool = False) -> Iterator[str]:
    """Tell game `number` of the scenario's cell `cell`, as a sweep of it would play it.

    Raises
    ------
    ScenarioError
        If there is no such cell or game.
    """
    return _told(_seated(scenario, number, cell), reasons)


def from_dataset(dataset: Dataset, number: int, cell: int = 0, *, reasons: bool = False) -> Iterator[str]:
    """Tell game `number` of the dataset's cell `cell`; say so if the dataset has another end for it.

    Raises
    ------
    DatasetError
        If the dataset holds no such cell or game.
    """
    from balance import scenario

    where, cells = str(dataset.path), dataset.manifest["cells"]
    if not 0 <= cell < len(cells):
        raise DatasetError(f"holds no cell {cell}", where=where, remedy=f"give 0 to {len(cells) - 1}")
    played = dataset.played(cell)
    if not 0 <= number < played:
        remedy = f"give 0 to {played - 1}" if played else "sweep into it first"
        raise DatasetError(f"cell {cell} holds no game {number}", where=where, remedy=remedy)
    table = _seated(scenario.again(dataset.manifest["scenario"]), number, cell)
    return itertools.chain(_told(table, reasons), _difference(table, dataset, number, cell))


def _seated(scenario: Scenario, number: int, cell: int) -> Table:
    from balance import design

    cells = design.cells(scenario)
    if not 0 <= cell < len(cells):
        raise ScenarioError(
            f"there is no cell {cell}", where=scenario.where, remedy=f"give 0 to {len(cells) - 1}"
        )
    if not 0 <= number < GAMES:
        raise ScenarioError(
            f"there is no game {number}", where=scenario.where, remedy=f"give 0 to {GAMES - 1}"
        )
    lineups = design.lineups(scenario, cells[cell])
    block, place = divmod(number, lineups.block_games)
    _, _, seated = lineups.of(np.array([block]))
    players = cells[cell].players
    own = seated[place * players : (place + 1) * players].view(np.recarray)
    laid = lineups.layout_of(np.array([block]))
    layout = lineups.layouts.keys[int(laid[0])] if laid is not None and lineups.layouts else ""
    return Table(cells[cell], own, scenario.seed, block, number, layout)


def _difference(table: Table, dataset: Dataset, number: int, cell: int) -> Iterator[str]:
    """Compare the scores with the dataset's, which another version of the game may have written."""
    kept = dataset.of_game("seats", cell, number).sort("seat").collect()["score"].to_list()
    if kept and kept != table.result()[1].score.tolist():
        scores = words.listed(str(score) for score in kept)
        yield f"The dataset has other scores, {scores}: the code has changed since its sweep"


def _opening(table: Table) -> Iterator[str]:
    cell = table.cell
    numbers = f"game {table.game} of block {table.block}, seed {table.seed}"
    laid = f", layout {table.layout}" if table.layout else ""
    yield f"{cell.game.title}, {cell.label}: {numbers}{laid}"
    for seat in range(cell.players):
        others = [
            f"{factor.label.lower()} {words.level(cell, table.lineup, seat, factor)}"
            for factor in cell.game.factors
            if not factor.primary
        ]
        treatment, bot = divmod(int(table.lineup[seat].bot), len(cell.bot_names))
        treated = [cell.treatments[treatment - 1].words] if treatment else []
        parts = [f"bot '{cell.bot_names[bot]}'", *others, *treated]
        yield f"  {words.actor(cell, table.lineup, seat)}: {', '.join(parts)}"
    yield from (f"  {line}" for line in cell.game.words.show(table.state, cell).splitlines())


def _heading(state: np.record, cell: Cell) -> str:
    if hasattr(cell.game.words, "heading"):
        return cell.game.words.heading(state, cell)
    return f"Turn {state.turn + 1}"


def _act(table: Table, step: Step) -> Iterator[str]:
    speech, cell = table.cell.game.words, table.cell
    said = speech.say(step.before, step.act, cell)
    came, *more = speech.tell(step.before, step.act, step.after, cell) or [""]
    who = words.actor(cell, table.lineup, int(step.before.seat))
    yield f"  {who}: {said}{words.OUTCOME if came else ''}{came}"
    yield from (f"      {line}" for line in more)


def _reasons(cell: Cell, step: Step) -> str:
    best = sorted(step.valued, key=lambda pair: -pair[1])[:REASONS]
    said = [f"{cell.game.words.say(step.before, act, cell)} ({worth:.2f})" for act, worth in best]
    left = len(step.valued) - len(best)
    return "; ".join(said) + (f"; {left} more" if left else "")


def _ending(table: Table) -> Iterator[str]:
    row, seat_rows = table.result()
    end = "Ended" if row.finished else "Not finished"
    turns, decisions = int(row.turns), int(row.decisions)
    yield f"{end} after {words.counted(turns, 'turn')} and {words.counted(decisions, 'decision')}"
    sources = [column for column in table.cell.game.seat_columns if column.role == "source"]
    for seat, result in enumerate(seat_rows):
        parts = [f"{column.label.lower()} {result[column.name]}" for column in sources]
        won = f", wins{_part(float(result.share))}" if result.share else ""
        yield (
            f"  {words.actor(table.cell, table.lineup, seat)}: {words.counted(int(result.score), 'point')}"
            f" ({', '.join(parts) or 'no parts'}), place {result['rank']}{won}"
        )


def _part(share: float) -> str:
    return "" if share == 1 else f" 1/{round(1 / share)}"
