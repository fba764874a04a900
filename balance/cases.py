"""Rule cases: a position, what is done, what must follow, each with its source, in TOML.

`docs/cases.md` describes the format. Every case runs in the plain lane. A case that cannot be read
(an unknown key, words that name no act, dice that do not fit) raises CaseError; a case that comes
out otherwise than it says is a `Result` that did not pass.
"""

from __future__ import annotations

import difflib
import re
import types
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from balance import cell as cells
from balance import dice, games, link, records, toml, words
from balance.cell import Cell
from balance.errors import BalanceError, CaseError, nearest

COMMON = ("over", "seat", "turn", "score", "rank", "winner", "winners")  # paths that every game has
# Keys that a file may give all its cases, beside own components.
SHARED = ("game", "players", "rules", "lineup", "position", "source")
_PREFIX = re.compile(r"^seat (\d+)(?: \([^:]*\))?: ", re.IGNORECASE)


@dataclass(frozen=True)
class Result:
    """What came of a case: its name, file and source, whether it passed, and if not, why."""

    name: str
    file: Path
    source: str
    passed: bool
    message: str = ""


class Step(BaseModel):
    """Acts to play, then what must hold."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    play: list[str] = []
    expect: dict[str, Any] = {}
    legal: list[str] = []
    illegal: list[str] = []
    only: list[str] | None = None


class Case(Step):
    """One rule case as its file gives it; `content` holds own components by kind."""

    name: str
    source: str
    note: str = ""
    game: str
    players: int
    rules: dict[str, Any] = {}
    lineup: dict[str, list[str]] = {}
    position: dict[str, Any] | None = None
    dice: list[int | float] | None = None
    step: list[Step] = []
    content: dict[str, dict[str, dict[str, Any]]] = {}
    file: Path

    @property
    def where(self) -> str:
        return f"{self.file}: case '{self.name}'"

    def steps(self) -> list[Step]:
        """Return all steps, the case's own first."""
        own = Step(**{key: getattr(self, key) for key in Step.model_fields})
        return [own, *self.step]


def run(paths: Sequence[Path | str]) -> list[Result]:
    """Run every case of the files `paths`, and of all `*.toml` in folders among them, in order.

    Raises
    ------
    CaseError
        If a file cannot be read as cases, or a case cannot be played as it is written.
    """
    found = [case for path in find(paths) for case in load(path)]
    return [check(case) for case in found]


def find(paths: Sequence[Path | str]) -> list[Path]:
    """List the case files that `paths` stand for."""
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(path.rglob("*.toml"))
            if not inside:
                raise CaseError("no case file (*.toml) in there", where=str(path))
            files += inside
        elif path.is_file():
            files.append(path)
        else:
            raise CaseError(
                "no such file or folder", where=str(path), remedy="give files or folders of cases"
            )
    return files


def load(path: Path | str) -> list[Case]:
    """Read the cases of one file; raises CaseError that names file, case, key and remedy."""
    path = Path(path)
    document = toml.parse(toml.read(path, CaseError, "give files of cases"), str(path), CaseError)
    entries = document.pop("case", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CaseError("'case' is not a list of tables", where=str(path), remedy="write [[case]]")
    if not entries:
        raise CaseError("holds no case", where=str(path), remedy="write [[case]]")
    loaded = [_case(path, number, document, entry) for number, entry in enumerate(entries, 1)]
    for name, times in Counter(case.name for case in loaded).items():
        if times > 1:
            raise CaseError(f"{times} cases are called '{name}'", where=str(path), remedy="rename one")
    return loaded


def _case(path: Path, number: int, shared: Mapping[str, Any], entry: Mapping[str, Any]) -> Case:
    """Read one case, what the file says for all of them below it."""
    where = f"{path}: case {number}"
    if isinstance(entry.get("name"), str):
        where = f"{path}: case '{entry['name']}'"
    table = cells.overlay(shared, entry)
    if not isinstance(table.get("game"), str):
        raise CaseError("says no game", where=where, remedy='write game = "..." at the top of the file')
    game = _within(where, games.get, table["game"])
    own = set(Case.model_fields) - {"content", "file"}
    _known(str(path), shared, {*SHARED, *game.components})
    _known(where, entry, {*own, *game.components})
    table["content"] = {kind: table.pop(kind) for kind in game.components if kind in table}
    factors = [factor.name for factor in game.factors]
    if isinstance(table.get("lineup"), dict):
        _known(f"{where}, lineup", table["lineup"], set(factors))
    for name in factors:
        if isinstance(table.get("position"), dict) and name in table["position"]:
            raise CaseError(
                "belongs to the line-up",
                where=f"{where}, position.{name}",
                remedy=f"write lineup.{name} = [...]",
            )
    steps = table.get("step", [])
    for index, step in enumerate(steps if isinstance(steps, list) else [], 1):
        if isinstance(step, dict):
            _known(f"{where}, step {index}", step, set(Step.model_fields))
    try:
        case = Case(**table, file=path)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"] if part not in ("content", "int", "float"))
        if first["type"] == "missing":
            raise CaseError(f"{key} is missing", where=where, remedy="see docs/cases.md") from None
        what = f"{key}: {toml.brief(first['input'])} will not do"
        raise CaseError(what, where=where, remedy=toml.wanted(first)) from None
    if not any(step.expect or step.legal or step.illegal or step.only for step in case.steps()):
        raise CaseError("expects nothing", where=where, remedy="add 'expect', 'legal', 'illegal' or 'only'")
    return case


def _known(where: str, table: Mapping[str, Any], known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise CaseError(f"unknown key '{key}'", where=where, remedy=nearest(key, known))


def _within(where: str, function: Any, *arguments: Any, **named: Any) -> Any:
    """Call `function`; an error of its own is one of the case at `where`."""
    try:
        return function(*arguments, **named)
    except BalanceError as error:
        inner = f"{where}, {error.where}" if error.where else where
        raise CaseError(error.what, where=inner, remedy=error.remedy) from None


def _worded(where: str, function: Any, *arguments: Any) -> Any:
    """Call a function of a game's words; what it cannot make of the case's values is an error of the case."""
    try:
        return _within(where, function, *arguments)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, OverflowError) as error:
        raise CaseError(f"a value will not do ({error})", where=where, remedy="see docs/cases.md") from error


def check(case: Case) -> Result:
    """Play one case and compare.

    Raises
    ------
    CaseError
        If the case cannot be played as it is written.
    """
    table = _Table(case)
    message = ""
    try:
        for index, step in enumerate(case.steps()):
            table.at = f"step {index}: " if index else ""
            table.take(step)
    except _Differs as difference:
        message = f"{difference}\nThe position:\n{table.drawn()}"
    else:
        table.dice.spent(case.where)
    return Result(case.name, case.file, case.source, not message, message)


class _Differs(Exception):
    """The case came out otherwise than it says."""


@dataclass
class _Dice:
    """What `dice.below` and `dice.unit` give while a case is played: its own numbers, in order."""

    free: bool = True
    queue: deque = field(default_factory=deque)

    def below(self, stream: np.record, n: int) -> Any:
        if self.free:
            return dice.below(stream, n)
        number = self.draw(f"a number below {n}")
        if not isinstance(number, (int, np.integer)) or not 0 <= number < n:
            raise CaseError(f"the dice give {number}, the game draws from {n}")
        return np.int64(number)

    def unit(self, stream: np.record) -> Any:
        if self.free:
            return dice.unit(stream)
        number = self.draw("a number from 0 to 1")
        if not 0 <= number < 1:
            raise CaseError(f"the dice give {number}, the game draws from 0 to 1")
        return np.float64(number)

    def draw(self, what: str) -> Any:
        if not self.queue:
            raise CaseError(f"the game draws {what}, but no dice are left", remedy="add it to 'dice'")
        return self.queue.popleft()

    def spent(self, where: str) -> None:
        if self.queue:
            left = words.listed(str(number) for number in self.queue)
            raise CaseError(f"dice are left over: {left}", where=where, remedy="take them out of 'dice'")

    def linked(self, game: games.Game) -> types.SimpleNamespace:
        """Link the game plain, with these dice in place of the streams."""
        own = {"below": self.below, "unit": self.unit}

        def compile(function: types.FunctionType, entry: bool) -> Any:
            if function.__module__ == dice.__name__:
                return own.get(function.__name__, function)
            return function

        return link.link(game.modules, compile)


class _Table:
    """A case's position and the means to play on from it."""

    def __init__(self, case: Case) -> None:
        self.case, self.at = case, ""
        self.words_here: dict[str, tuple[int, str]] = {}
        self.cell = _cell(case)
        game = self.cell.game
        words.check(self.cell)
        self.words = game.words
        self.dice = _Dice()
        self.lib = self.dice.linked(game)
        self.lineup = _lineup(case, self.cell)
        self.desk = records.make(game.desk_type)[0]
        self.state = self.desk.state
        self.state.seats = case.players
        if case.position is None:
            self._fix()
            self._open()
        else:
            self._open()
            _worded(f"{case.where}, position", self.words.lay, self.state, case.position, self.cell)
            self._fix()
        self.dice.free = False

    def _fix(self) -> None:
        if self.case.dice is None:
            return
        numbers = list(self.case.dice)
        if hasattr(self.words, "fix"):
            numbers = _worded(f"{self.case.where}, dice", self.words.fix, numbers, self.cell)
        self.dice.queue, self.dice.free = deque(numbers), False

    def _open(self) -> None:
        _within(
            f"{self.case.where}, set-up",
            self.lib.open_table,
            self.state,
            self.cell.rules[0],
            self.cell.hands,
            self.lineup,
            self.desk.rng,
            self.desk,
            len(self.cell.game.streams),
            np.uint64(0),
            0,
            0,
        )

    def take(self, step: Step) -> None:
        """Play the step's acts, then compare all it expects; raise _Differs for what differs."""
        self.offered()
        for text in step.play:
            self.play(text)
        differences = [*self._acts(step), *self._fields(step.expect)]
        if differences:
            raise _Differs("\n".join(f"{self.at}{line}" for line in differences))

    def play(self, text: str) -> None:
        if self.state.over:
            raise _Differs(f"{self.at}the game is over before '{text}'")
        act = self.act(text)
        if act not in self.offered():
            raise _Differs(f"{self.at}'{text}' is not legal; legal: {self._said(self.offered())}")
        where = f"{self.case.where}, '{text}'"
        _within(where, self.lib.apply, self.state, self.cell.rules[0], act, self.desk.rng)
        self.words_here.clear()
        self.offered()

    def offered(self) -> list[int]:
        """Return the legal acts; none once the game is over. Every act must be offered once."""
        if self.state.over:
            return []
        count = self.lib.legal(self.state, self.cell.rules[0], self.desk.acts)
        acts = [int(act) for act in self.desk.acts[:count]]
        for act, times in Counter(acts).items():
            if times > 1:
                raise _Differs(f"{self.at}'{self.say(act)}' is offered {times} times")
        if not acts:
            raise _Differs(f"{self.at}no act is offered")
        return acts

    def say(self, act: int) -> str:
        return self.words.say(self.state, act, self.cell)

    def _said(self, acts: Sequence[int]) -> str:
        return "; ".join(f"'{self.say(act)}'" for act in acts) or "none, the game is over"

    def act(self, text: str) -> int:
        """Return the act that `text` names for the seat that decides.

        Raises
        ------
        CaseError
            If no act of the game reads so here; offers the nearest.
        """
        bare = self._bare(text)
        legal = self.offered()
        same = [act for act in legal if _plain(self.say(act)) == bare]
        if len(same) > 1:
            raise CaseError(f"'{text}' names {len(same)} legal acts", where=self.case.where)
        if same:
            return same[0]
        if bare not in self.named():
            close = difflib.get_close_matches(bare, self.named(), n=1)
            remedy = (
                f"did you mean '{self.named()[close[0]][1]}'?" if close else f"legal: {self._said(legal)}"
            )
            raise CaseError(f"no act reads '{text}' here", where=self.case.where, remedy=remedy)
        return self.named()[bare][0]

    def named(self) -> dict[str, tuple[int, str]]:
        """Return every act that can be named in this position, by its plain words."""
        if not self.words_here:
            for act in range(self.cell.game.acts):
                if said := self.say(act):
                    self.words_here[_plain(said)] = (act, said)
        return self.words_here

    def _bare(self, text: str) -> str:
        """Strip from a replay's line the actor, who must be the one to decide, and what came of the act."""
        text = text.strip().split(words.OUTCOME, 1)[0]
        prefix = _PREFIX.match(text)
        if prefix and int(prefix[1]) != self.state.seat + 1:
            raise _Differs(f"{self.at}seat {self.state.seat + 1} decides, not the seat of '{text}'")
        return _plain(_PREFIX.sub("", text))

    def _acts(self, step: Step) -> Iterator[str]:
        offered = self.offered()
        for text in step.legal:
            if self.act_or_over(text) not in offered:
                yield f"expected '{text}' to be legal, but legal are: {self._said(offered)}"
        for text in step.illegal:
            if self.act_or_over(text) in offered:
                yield f"expected '{text}' to be illegal, but it is legal"
        if step.only is not None:
            wanted = [self.act_or_over(text) for text in step.only]
            missing = [text for text, act in zip(step.only, wanted, strict=True) if act not in offered]
            more = [act for act in offered if act not in wanted]
            if missing:
                yield f"expected to be legal, but are not: {words.listed(repr(text) for text in missing)}"
            if more:
                yield f"expected nothing else to be legal, but there is: {self._said(more)}"

    def act_or_over(self, text: str) -> int:
        return -1 if self.state.over else self.act(text)

    def _fields(self, expected: Mapping[str, Any]) -> Iterator[str]:
        for path, wanted in _flat(expected):
            came = self.value(path)
            if not _equal(wanted, came):
                yield f"expected {path} = {_toml(wanted)}, but it is {_toml(came)}"

    def value(self, path: str) -> Any:
        """Return what stands at `path`: of every game, of its dataset's columns, or of its words."""
        if path in COMMON:
            return self._common(path)
        game = self.cell.game
        for column in game.game_columns:
            if column.name == path:
                return _labelled(column, self._result()[0][path], self.cell)
        for column in game.seat_columns:
            if column.name == path:
                return [_labelled(column, value, self.cell) for value in self._result()[1][path]]
        return _worded(f"{self.case.where}, expect", self.words.read, self.state, path, self.cell)

    def _common(self, path: str) -> Any:
        """Return what every game has at one of the paths `COMMON`."""
        if path == "over":
            return bool(self.state.over)
        if path in ("seat", "turn"):
            return int(self.state[path]) + 1
        if path == "score":
            score, rules = self.lib.score, self.cell.rules[0]
            return [int(score(self.state, rules, seat)) for seat in range(self.case.players)]
        if not self.state.over:
            return "not known before the end"
        ranks = [int(rank) for rank in self._result()[1]["rank"]]
        winners = [seat + 1 for seat, rank in enumerate(ranks) if rank == 1]
        if path == "winner":
            return winners[0] if len(winners) == 1 else winners
        return winners if path == "winners" else ranks

    def _result(self) -> tuple[np.record, np.recarray]:
        game, players = self.cell.game, self.case.players
        row, seat_rows = records.make(game.game_row)[0], records.make(game.seat_row, players)
        row.seats, row.finished = players, self.state.over
        seat_rows.seat, seat_rows.side = np.arange(players), game.sides(players)
        for factor in game.factors:
            seat_rows[factor.name] = self.lineup[factor.name]
        self.lib.tally(self.state, self.cell.rules[0], row, seat_rows)
        return row, seat_rows

    def drawn(self) -> str:
        lines = self.words.show(self.state, self.cell).splitlines()
        return "\n".join(f"  {line}" for line in lines)


def _cell(case: Case) -> Cell:
    return _within(
        case.where,
        cells.prepare,
        games.get(case.game),
        case.players,
        rules=case.rules,
        components=case.content,
    )


def _lineup(case: Case, cell: Cell) -> np.recarray:
    """Give each seat the levels that the case names, the first free ones where it names none."""
    lineup = records.make(cell.game.lineup_type, case.players)
    for factor in cell.game.factors:
        levels = cell.levels(factor.name)
        where = f"{case.where}, lineup.{factor.name}"
        named = case.lineup.get(factor.name, [])
        for key in named:
            if key not in levels:
                raise CaseError(
                    f"there is no {factor.label.lower()} '{key}'", where=where, remedy=nearest(key, levels)
                )
        if len(named) > case.players:
            raise CaseError(f"{len(named)} are named for {case.players} seats", where=where)
        chosen = list(named)
        while len(chosen) < case.players:
            chosen.append(_next(factor, levels, chosen, cell))
        lineup[factor.name] = [levels.index(key) for key in chosen]
    return lineup


def _next(factor: games.Factor, levels: list[str], chosen: list[str], cell: Cell) -> str:
    """Return the first level that may stand beside those `chosen`."""
    entries = cell.components[factor.components]
    for key in levels:
        clashes = factor.unique and any(
            key == other or (factor.clash is not None and factor.clash(key, other, entries))
            for other in chosen
        )
        if not clashes:
            return key
    raise CaseError(f"too few levels of {factor.label.lower()} for all seats")


def _plain(text: str) -> str:
    """Return `text` in lower case, with single spaces and without a full stop."""
    return " ".join(text.casefold().split()).rstrip(".")


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted paths and values of nested tables."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value


def _labelled(column: games.Column, value: Any, cell: Cell) -> Any:
    if column.role == "category":
        return column.all_labels(cell.components)[int(value)]
    if column.role == "flag":
        return bool(value)
    return value.item()


def _equal(wanted: Any, came: Any) -> bool:
    if isinstance(wanted, list) and isinstance(came, (list, tuple)):
        return len(wanted) == len(came) and all(map(_equal, wanted, came))
    if isinstance(wanted, bool) != isinstance(came, bool):
        return False
    return bool(wanted == came)


def _toml(value: Any) -> str:
    """Write `value` as a case would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)
