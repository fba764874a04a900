"""The games there are, and what a game declares of itself.

A game is a folder here (or a module of another package, by the entry-point group
`balance.games`, or one named in BALANCE_GAMES) that holds `GAMES`, a tuple of `Game`.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
import pkgutil
import tomllib
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from balance import records
from balance.errors import GameError, ScenarioError, nearest

KINDS = ("random", "greedy")  # kinds of bot that every game has; a game may add its own after them


@dataclass(frozen=True)
class Draw:
    """A game's generator of components, for layouts (see `balance.layouts`).

    `entry(seed, layout, place, players, options)` returns the component that place `place` at the
    table has in layout number `layout`, both from 1, as a table like those in `data/*.toml`,
    certainty "generated". `options` are parts from 0 to 1 by name, with their defaults. A layout may
    have more `places` than players, for what belongs to none of them.
    """

    entry: Callable[[int, int, int, int, Mapping[str, float]], dict[str, Any]]
    options: Mapping[str, float] = field(default_factory=dict)
    places: Callable[[int], int] = lambda players: players


def drawn_key(layout: int, place: int) -> str:
    """Return the key of the component that a generator makes for a place of a layout."""
    return f"drawn_{layout}_{place}"


@dataclass(frozen=True)
class Factor:
    """Something that the design assigns to each seat and the analysis compares: a nation, a map.

    `name` is the field in the line-up and the column in the dataset; `components` the kind of
    component whose entries are its levels; `unique` says that no two seats of a game may have the
    same level; `clash(a, b, tables)` refines that for two different levels (two sides of one card);
    `draw` makes levels at random.
    """

    name: str
    components: str
    label: str
    unique: bool = True
    primary: bool = False
    clash: Callable[[str, str, Mapping[str, Any]], bool] | None = None
    draw: Draw | None = None

    def exclusive(self, keys: Sequence[str], entries: Mapping[str, Any]) -> list[list[str]]:
        """Group those of `keys` that cannot be in one game together; each group is in order."""
        groups: list[list[str]] = []
        for key in keys:
            for group in groups:
                if self.clash is not None and self.clash(group[0], key, entries):
                    group.append(key)
                    break
            else:
                groups.append([key])
        return groups


@dataclass(frozen=True)
class Column:
    """A column that a game adds to the dataset, and what it is for.

    `role` is "source" (points; the sources of a seat sum to its score), "count" (how often),
    "stock" (held at the end), "time" (the turn of an achievement, -1 for never), "category"
    (an index into `labels`; stored as text), "flag" (0 or 1), or, for a power of a nation, two columns
    with one label, "chances" (how often it could have been used) and "uses". A category that names a kind of
    `components` goes on after its `labels` with their keys, own content included. `of` names the bar
    or gift whose use the column counts, so that a contrast can say how often it is used.

    A game column that the deal settles before anything is played, a flag or a category, says by
    `deal` what kind of thing it tells of ("Card"): games with it are compared with those without.
    `pays` names the sources that such a flag brings to the seats.
    """

    name: str
    role: str
    label: str
    labels: tuple[str, ...] = ()
    kind: str = "i4"
    components: str = ""
    of: str = ""
    deal: str = ""
    pays: tuple[str, ...] = ()

    def all_labels(self, components: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
        """Return what the numbers of a category stand for, in order, under these components."""
        return (*self.labels, *(components[self.components] if self.components else ()))


@dataclass(frozen=True)
class Weight:
    """A named weight of a game's bots: a field of the bot record and a key in TOML."""

    name: str
    label: str
    default: float = 0.0
    switch: bool = False  # chooses between ways to play, so that tuning leaves it alone


@dataclass(frozen=True)
class Part:
    """A part of a component that can be blanked, to see what it is worth: a level of a nation, say.

    `change` is laid over the component's entry and leaves it without the part; `note` says what the
    part does.
    """

    name: str
    change: Mapping[str, Any]
    note: str = ""


@dataclass(frozen=True)
class Word:
    """A word of the vocabulary in which a game's components are written, with an example in TOML."""

    name: str
    note: str
    example: str


@dataclass(frozen=True)
class Game:
    """What a game declares; its functions answer `balance.protocol`, its `words` speak for it.

    Attributes
    ----------
    modules
        The modules whose functions are linked and may be compiled.
    words
        The module that speaks: `say`, `tell`, `show`, `lay`, `read` (see `balance.words`).
    tables
        Extra fields of the rules record, filled by `prepare` from the components.
    components
        Kind of component -> default entries, by key, as read from `data/*.toml`.
    prepare
        `prepare(rules_record, components, players)` writes the component tables into the record;
        raises ScenarioError for a component that will not do.
    left_out
        `left_out(rules_record)` -> the kinds of components that stay in the box under these rules.
    notes
        `notes(cell, levels)` -> sentences that a reader of the cell's numbers should know, such as
        components that can do nothing under its rules; `levels` holds the keys in play of each factor.
    spell_out
        `spell_out(kind, entry, change, where)` -> `change`, which a scenario lays over the component
        `entry`, with the game's short ways to write it spelt out; raises ScenarioError.
    parts
        `parts(kind, entry)` -> the parts of a component that `[blank]` takes away one by one; none
        for a kind that has no parts.
    sides
        `sides(players)` -> the side of each seat; by default each seat is its own.
    skips
        Player counts between the least and the most that there is no game for.
    bars, gifts
        What a seat can be barred from (`barred` says when) and what it can be given (`setup` finds it in
        the line-up): a name and what it means.
    vocabulary
        Title -> the words in which own components are written; `balance rules` lists them.
    acts
        Acts are integers from 0 below this.
    legal_most
        How many acts can be legal at once, at most; 0 for as many as there are.
    limit
        A game that has not ended after so many acts is a row marked unfinished.
    """

    id: str
    title: str
    version: int
    players: tuple[int, int]
    modules: tuple[types.ModuleType, ...]
    words: types.ModuleType
    state: np.dtype
    rules: tuple[records.Rule, ...]
    streams: tuple[str, ...]
    acts: int
    limit: int
    bots: Mapping[str, Mapping[str, Any]]
    weights: tuple[Weight, ...] = ()
    bars: tuple[tuple[str, str], ...] = ()
    gifts: tuple[tuple[str, str], ...] = ()
    kinds: tuple[str, ...] = KINDS
    tables: tuple[tuple[Any, ...], ...] = ()
    components: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    prepare: Callable[..., None] | None = None
    spell_out: Callable[[str, Mapping[str, Any], Mapping[str, Any], str], Mapping[str, Any]] | None = None
    parts: Callable[[str, Mapping[str, Any]], Sequence[Part]] = lambda kind, entry: ()
    factors: tuple[Factor, ...] = ()
    game_columns: tuple[Column, ...] = ()
    seat_columns: tuple[Column, ...] = ()
    variants: Mapping[str, str] = field(default_factory=dict)
    vocabulary: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    notes: Callable[..., list[str]] = lambda cell, levels: []
    left_out: Callable[[np.record], tuple[str, ...]] = lambda rules: ()
    sides: Callable[[int], list[int]] = lambda players: list(range(players))
    legal_most: int = 0
    skips: tuple[int, ...] = ()
    tiers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def all_bots(self) -> dict[str, Mapping[str, Any]]:
        """The bots that come with the game: its styles and its tiers."""
        return {**self.bots, **self.tiers}

    @property
    def counts(self) -> tuple[int, ...]:
        """The player counts that there is a game for."""
        low, high = self.players
        return tuple(count for count in range(low, high + 1) if count not in self.skips)

    @property
    def usual(self) -> int:
        """The player count to take where nobody says: four, or the nearest there is."""
        return min(self.counts, key=lambda count: (abs(count - 4), count))

    def __post_init__(self) -> None:
        for names in (self.bars, self.gifts):
            if len(names) > records.BITS:
                raise GameError(
                    f"declares {len(names)} bars or gifts", where=self.id, remedy=f"at most {records.BITS}"
                )

    @functools.cached_property
    def rules_type(self) -> np.dtype:
        return records.record(*(rule.column() for rule in self.rules), *self.tables)

    @functools.cached_property
    def bot_type(self) -> np.dtype:
        return records.record(*records.BOT, *((weight.name, "f8") for weight in self.weights))

    @functools.cached_property
    def lineup_type(self) -> np.dtype:
        return records.record(*records.LINEUP, *((factor.name, "i4") for factor in self.factors))

    @functools.cached_property
    def game_row(self) -> np.dtype:
        return records.record(*records.GAME_ROW, *((c.name, c.kind) for c in self.game_columns))

    @functools.cached_property
    def seat_row(self) -> np.dtype:
        factors = ((factor.name, "i4") for factor in self.factors)
        return records.record(*records.SEAT_ROW, *factors, *((c.name, c.kind) for c in self.seat_columns))

    @functools.cached_property
    def turn_row(self) -> np.dtype:
        return records.record(*records.TURN_ROW)

    @functools.cached_property
    def desk_type(self) -> np.dtype:
        legal_most = self.legal_most or self.acts
        return records.desk_type(
            self.state, self.acts, legal_most, len(self.streams), self.game_row, self.seat_row
        )

    @functools.cached_property
    def digest(self) -> str:
        """A digest of the code, the record types and the libraries that shape a result."""
        from balance import link

        types_ = (self.rules_type, self.bot_type, self.desk_type, self.game_row, self.seat_row)
        return link.digest(self.modules, types_)

    @functools.cached_property
    def plain(self) -> types.SimpleNamespace:
        """The game linked as plain Python: for the debugger, for coverage, cases and replays."""
        from balance import link

        return link.link(self.modules)

    def fast(self, tell: Callable[[str], None] = lambda line: None) -> types.SimpleNamespace:
        """Return the game compiled, from the cache if it is there; `tell` hears of a first compile.

        One process compiles at a time, under a file lock beside the cache folder.
        """
        if "_fast" not in self.__dict__:
            self.__dict__["_fast"] = _compile(self, tell)
        return self.__dict__["_fast"]


def _compile(game: Game, tell: Callable[[str], None]) -> types.SimpleNamespace:
    import filelock

    from balance import link

    home = game.modules[0].__name__.removeprefix(f"{__name__}.").partition(".")[0]
    folder = link.cache_root() / f"{home}-{game.digest}"  # games of one code share it
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GameError(
            f"cannot keep compiled code there ({error.strerror})",
            where=str(folder),
            remedy="set BALANCE_CACHE to a folder you may write to",
        ) from None
    if not link.is_cached(folder):
        tell(f"Compiling {game.title} for this machine, once (about half a minute) ...")
    with filelock.FileLock(str(folder) + ".lock"):
        lib = link.fast(game.modules, folder)
        _warm(game, lib)
    return lib


def _warm(game: Game, lib: types.SimpleNamespace) -> None:
    """Have the engine's entry compiled or loaded, by a batch of no games."""
    lib.batch(*empty_batch(game))


def empty_batch(game: Game) -> tuple[Any, ...]:
    """Return arguments for the engine's `batch` that play no game."""
    make = records.make
    return (
        make(game.game_row, 0),
        make(game.seat_row, 0),
        make(game.turn_row, 0),
        make(game.lineup_type, 0),
        make(game.rules_type),
        make(game.bot_type),
        make(game.desk_type),
        np.uint64(0),
        len(game.streams),
        game.limit,
        *records.Watched.nothing(make(game.rules_type)),
    )


def load_components(folder: Path, *kinds: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Read `folder/KIND.toml` for each kind: a table of entries by key."""
    return {kind: tomllib.loads((folder / f"{kind}.toml").read_text(encoding="utf-8")) for kind in kinds}


def load_bots(folder: Path, game: str = "") -> dict[str, dict[str, Any]]:
    """Read the styles of `folder/bots.toml`, and the tuned bot of `tuned.toml` if there is one.

    Where a folder holds several games, `game` is the table of its styles and `tuned_GAME.toml` its tuned bot.
    """
    styles = tomllib.loads((folder / "bots.toml").read_text(encoding="utf-8"))
    tuned = folder / (f"tuned_{game}.toml" if game else "tuned.toml")
    styles = styles[game] if game else styles
    if tuned.exists():
        styles |= tomllib.loads(tuned.read_text(encoding="utf-8"))["bots"]
    return styles


def load_tiers(folder: Path, bots: Mapping[str, Any], game: str = "") -> dict[str, dict[str, Any]]:
    """Read the tiers of `folder/tiers.toml`, the weakest first; each is `like` one of `bots`."""
    path = folder / "tiers.toml"
    tiers = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    chosen = tiers[game] if game else tiers
    return {
        name: {**bots[spec["like"]], **{key: value for key, value in spec.items() if key != "like"}}
        for name, spec in chosen.items()
    }


@functools.cache
def known() -> dict[str, Game]:
    """Find all games, by id: folders here, entry points of other packages, BALANCE_GAMES."""
    names = [f"{__name__}.{found.name}" for found in pkgutil.iter_modules(__path__)]
    names += [point.value for point in importlib.metadata.entry_points(group="balance.games")]
    names += [name for name in os.environ.get("BALANCE_GAMES", "").split(os.pathsep) if name]
    games: dict[str, Game] = {}
    for name in names:
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:
            raise GameError(
                f"cannot import the game '{name}' ({error})", remedy="check BALANCE_GAMES"
            ) from None
        for game in getattr(module, "GAMES", ()):
            games[game.id] = game
    return games


def get(id: str) -> Game:
    """Return the game called `id`, or raise ScenarioError that offers the nearest."""
    games = known()
    if id not in games:
        raise ScenarioError(f"there is no game '{id}'", remedy=nearest(id, games))
    return games[id]
