"""Scenarios: a question in TOML, read into a frozen value or refused in one line.

Every error names the file, the dotted key and the remedy. A scenario that loads can be played: all
of its cells have been prepared, with their rules, components, bots and field of play.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field as Bounds

from balance import bot_files, contrast, games, toml
from balance.cell import BOT_KEYS, span
from balance.errors import ScenarioError, nearest
from balance.games import Game

GAMES = 10_000  # games a cell where a scenario names neither `games` nor `precision`
BAND = 0.1  # half-width of the band, as a part of the fair share
Table = dict[str, Any]
Width = Annotated[float, Bounds(gt=0, lt=0.5)]


class _Frozen(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid", strict=True)


class Variant(_Frozen):
    """A named rule set, compared with the scenario's own."""

    name: Annotated[str, Bounds(min_length=1)]
    rules: Table = {}
    bots: dict[str, Table] = {}
    components: dict[str, dict[str, Table]] = {}

    def changes(self) -> dict[str, Any]:
        """Return what differs from the scenario, as tables by kind."""
        tables = {"rules": self.rules, "bots": self.bots, **self.components}
        return {kind: table for kind, table in tables.items() if table}


class Confirms(_Frozen):
    """What a run confirms on fresh seeds: the digest of the run that found it, and for which levels."""

    run: str
    levels: list[str] = []


class Scenario(_Frozen):
    """A question to the simulation: a game, what is varied, and how sure the answer must be.

    Attributes
    ----------
    players
        One or several player counts.
    seed
        Decides every deal and line-up.
    games
        Games per cell; with `precision`, the most.
    precision
        Half-width of the widest 95 % interval (all of a family at once) at which the sweep may stop:
        a number for the primary family, or a table of family -> half-width. Of a contrast, a number for
        what a thing is worth.
    until
        "verdicts": play until every level of the primary family has one; `games` is the most.
    aim
        The levels of the primary family that a change is to bring into the band; by default those whose
        own content is changed, or else all.
    primary
        The family that the run is about: a factor, "seat" or "bot"; by default the game's own.
    band
        Half-width of the band within which a share is balanced, as a part of the fair share.
    bots
        Name -> `kind`, `like`, `weights`, `bar`, `gift`.
    tiers
        Tiers of the game's bots: each plays all that is asked in cells of its own, in every seat.
    field
        The field of play: kind of component -> "all" or keys; `bots`; `repeat` (levels may repeat).
    rules
        House rules by name, only what differs from the rulebook.
    vary
        Dotted key -> values; each combination is a cell.
    blank
        Kind of component -> "all" or keys: each part of each of them is taken away in a cell of its
        own, on the same deals, to see what it is worth.
    variants
        Named rule sets, each a cell beside the rules as written.
    contrast
        `bar`, `gift` -> "all" or names: what one seat of a block is barred from or given, see
        `balance.contrast`.
    turns
        Also record the running score turn by turn.
    confirms
        The run whose smallest change this one plays on fresh seeds, see `balance.confirm`.
    components
        Own content: kind -> key -> entry.
    text, where
        The TOML as read, and the name of its file.
    """

    game: str
    title: str = ""
    question: str = ""
    players: Annotated[tuple[int, ...], Bounds(min_length=1)]
    seed: Annotated[int, Bounds(ge=0, lt=2**63)] = 1
    games: Annotated[int, Bounds(ge=1, lt=2**40)] | None = None
    precision: Width | dict[str, Width] | None = None
    until: Literal["", "verdicts"] = ""
    primary: str = ""
    aim: list[str] = []
    band: Annotated[float, Bounds(ge=0, lt=1)] = BAND
    turns: bool = False
    bots: dict[str, Table] = {}
    tiers: list[str] = []
    field: Table = {}
    rules: Table = {}
    vary: dict[str, Annotated[list[Any], Bounds(min_length=1)]] = {}
    contrast: Table = {}
    blank: Table = {}
    variants: tuple[Variant, ...] = ()
    confirms: Confirms | None = None
    components: dict[str, dict[str, Table]] = {}
    text: str = ""
    where: str = "scenario"


def load(path: Path | str, settings: Sequence[str] = ()) -> Scenario:
    """Read and validate a scenario.

    Parameters
    ----------
    settings
        Changes such as ``"rules.x=5"``, laid over the file.

    Raises
    ------
    ScenarioError
        Names file, key and remedy.
    """
    path = Path(path)
    return parse(toml.read(path, ScenarioError, "give a scenario's file"), where=str(path), settings=settings)


def parse(text: str, where: str = "scenario", settings: Sequence[str] = ()) -> Scenario:
    """Validate the text of a scenario; `where` stands for the file in errors. See `load`."""
    table = toml.parse(text, where, ScenarioError)
    try:
        for setting in settings:
            _set(table, setting)
        toml.refuse_deep(table, "--set", ScenarioError)
        scenario = _build(table, text, where)
    except ScenarioError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise ScenarioError(error.what, where=place, remedy=error.remedy) from None
    from balance import design

    design.cells(scenario)
    return scenario


def change(scenario: Scenario, **changes: Any) -> Scenario:
    """Return `scenario` with some of its plain fields changed (`games`, `precision`, `seed`), checked anew.

    Raises
    ------
    ScenarioError
        If a value will not do.
    """
    try:
        return _model(dict(scenario) | changes)
    except ScenarioError as error:
        raise ScenarioError(
            error.what, where=f"{scenario.where}: {error.where}", remedy=error.remedy
        ) from None


def _set(table: Table, setting: str) -> None:
    """Lay one `key=value` over `table`, in place."""
    key, equals, written = setting.partition("=")
    key = key.strip()
    if not equals or not key or not all(key.split(".")):
        raise ScenarioError(
            f"'{setting}' is no setting", where="--set", remedy="write --set rules.NAME=VALUE"
        )
    path = key.split(".")
    inner = table
    for part in path[:-1]:
        inner = inner.setdefault(part, {})
        if not isinstance(inner, dict):
            raise ScenarioError(
                f"'{part}' is not a table", where=f"--set {key}", remedy="give its whole value"
            )
    inner[path[-1]] = _value(written.strip(), key)


def _value(written: str, key: str) -> Any:
    """Read a value as TOML; bare words are text."""
    try:
        return tomllib.loads(f"value = {written}")["value"]
    except (ValueError, RecursionError):
        if written and (written[0].isalpha() or written[0] == "_") and "\n" not in written:
            return written
        raise ScenarioError(
            f"{toml.brief(written)} is no value",
            where=f"--set {key}",
            remedy='write a number, true, "text" or [a, list]',
        ) from None


def _build(table: Table, text: str, where: str) -> Scenario:
    """Turn a table into a Scenario, as far as that needs no cell prepared."""
    if "game" not in table:
        raise ScenarioError("names no game", where="game", remedy=f"write game = one of: {_known_games()}")
    if not isinstance(table["game"], str):
        raise ScenarioError(f"{table['game']!r} is no game", where="game", remedy=f"known: {_known_games()}")
    try:
        game = games.get(table["game"])
    except ScenarioError as error:
        raise ScenarioError(error.what, where="game", remedy=error.remedy) from None
    plain = [
        name for name in Scenario.model_fields if name not in ("variants", "components", "text", "where")
    ]
    _refuse_unknown(table, [*plain, "variant", *game.components], "")
    values = {key: table[key] for key in plain if key in table}
    values["components"] = {kind: table[kind] for kind in game.components if kind in table}
    if isinstance(table.get("vary"), dict):
        values["vary"] = _dotted(table["vary"])
    if isinstance(table.get("bots"), dict):
        values["bots"] = bot_files.taken(table["bots"], game, Path(where).parent)
    values["variants"] = _variants(game, table.get("variant", []))
    players = table.get("players", game.players[0])
    values["players"] = tuple(players) if isinstance(players, list) else (players,)
    scenario = _model(values | {"text": text, "where": where})
    scenario = scenario.model_copy(update={"bots": _bots(game, scenario)})
    _check_field(game, scenario)
    if not contrast.named(game, scenario.contrast) and "contrast" in table:
        raise ScenarioError("names nothing", where="contrast", remedy='write bar = "all" or a list of names')
    _check_players(game, scenario)
    _check_families(game, scenario)
    for key in scenario.vary:
        _check_varied(game, scenario, key)
    _check_blank(game, scenario)
    return scenario


def _dotted(table: Mapping[str, Any], head: str = "") -> Table:
    """Flatten tables within tables to dotted keys: `[vary.rules] cap = [...]` is `"rules.cap" = [...]`."""
    flat: Table = {}
    for key, value in table.items():
        flat |= _dotted(value, f"{head}{key}.") if isinstance(value, dict) else {f"{head}{key}": value}
    return flat


def _known_games() -> str:
    return ", ".join(sorted(games.known()))


def _refuse_unknown(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ScenarioError("unknown key", where=f"{where}{key}", remedy=nearest(key, known))


def _model(values: Table) -> Scenario:
    try:
        return Scenario(**values)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        same = [one for one in error.errors() if one["loc"][0] == first["loc"][0]]
        first = max(same, key=lambda one: len(one["loc"]))  # of two ways to write a value, the one meant
        parts = [str(part) for part in first["loc"]]
        key = ".".join(p for p in parts if p != "constrained-float" and not p.startswith("dict["))
        remedy = toml.wanted(first)
        if key.startswith("vary.") and first["input"] == []:
            remedy = "give a list of values; the one value [] is written [[]]"
        raise ScenarioError(
            f"{toml.brief(first['input'])} will not do", where=key.removeprefix("components."), remedy=remedy
        ) from None


def _variants(game: Game, tables: Any) -> tuple[Variant, ...]:
    """Read the `[[variant]]` tables."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ScenarioError("is not a list of tables", where="variant", remedy="write [[variant]]")
    variants: list[Variant] = []
    for number, table in enumerate(tables, start=1):
        where = f"variant.{table.get('name', number)}"
        if "name" not in table:
            raise ScenarioError("has no name", where=where, remedy='write name = "..." under [[variant]]')
        _refuse_unknown(table, ["name", "rules", "bots", *game.components], f"{where}.")
        own = {kind: table[kind] for kind in game.components if kind in table}
        plain = {key: table[key] for key in ("name", "rules", "bots") if key in table}
        try:
            variants.append(Variant(**plain, components=own))
        except pydantic.ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"]).removeprefix("components.")
            raise ScenarioError(
                f"{toml.brief(first['input'])} will not do", where=f"{where}.{key}", remedy=toml.wanted(first)
            ) from None
        if [variant.name for variant in variants].count(table["name"]) > 1:
            raise ScenarioError("two variants have this name", where=where, remedy="give each its own")
    return tuple(variants)


def _bots(game: Game, scenario: Scenario) -> dict[str, Table]:
    """Return the scenario's bots; where it names none, those of the field, or the game's first style."""
    for name, spec in scenario.bots.items():
        _refuse_unknown(spec, BOT_KEYS, f"bots.{name}.")
    if scenario.tiers:
        return _tiers(game, scenario)
    if scenario.bots:
        return scenario.bots
    named = scenario.field.get("bots")
    if isinstance(named, list):
        for name in named:
            if not isinstance(name, str) or name not in game.all_bots:
                raise ScenarioError(
                    f"there is no bot {name!r}", where="field.bots", remedy=nearest(str(name), game.all_bots)
                )
        return {name: {} for name in named}
    styles = [name for name, spec in game.bots.items() if spec.get("kind") != "random"]
    return {(styles or list(game.bots))[0]: {}}


def _tiers(game: Game, scenario: Scenario) -> dict[str, Table]:
    """Return the bots of the tiers that the scenario names."""
    known = {**game.tiers, **scenario.bots}
    for name in scenario.tiers:
        if name not in known:
            remedy = nearest(name, known) if known else f"{game.title} has none; write [bots] instead"
            raise ScenarioError(f"there is no tier '{name}'", where="tiers", remedy=remedy)
        if scenario.tiers.count(name) > 1:
            raise ScenarioError(f"names '{name}' twice", where="tiers", remedy="name each once")
    if "bots" in scenario.field:
        raise ScenarioError(
            "with tiers, one bot plays in every seat",
            where="field.bots",
            remedy="take it out",
        )
    for name in scenario.bots:
        if name not in scenario.tiers:
            raise ScenarioError(
                "is no tier, so it would not play",
                where=f"bots.{name}",
                remedy="name it in tiers too",
            )
    return {name: scenario.bots.get(name, {"like": name}) for name in scenario.tiers}


def _check_field(game: Game, scenario: Scenario) -> None:
    kinds = [factor.components for factor in game.factors]
    _refuse_unknown(scenario.field, [*kinds, "bots", "repeat"], "field.")
    repeat = scenario.field.get("repeat", False)
    if not isinstance(repeat, bool):
        raise ScenarioError(f"{repeat!r} will not do", where="field.repeat", remedy="give true or false")


def _check_families(game: Game, scenario: Scenario) -> None:
    """Refuse families that are none, a band in which nothing can lie, and two ways to stop."""
    families = [*(factor.name for factor in game.factors), "seat", "bot"]
    named = scenario.precision if isinstance(scenario.precision, dict) else {}
    for name, where in [(scenario.primary or "seat", "primary"), *((n, f"precision.{n}") for n in named)]:
        if name not in families:
            raise ScenarioError(f"there is no family '{name}'", where=where, remedy=nearest(name, families))
    named_levels = _levels(game, scenario)
    for name in scenario.aim:
        if name not in named_levels:
            raise ScenarioError(f"there is no '{name}' here", where="aim", remedy=nearest(name, named_levels))
    if scenario.band == 0:
        raise ScenarioError(
            "no interval fits into a band of 0, so nothing could ever be called balanced",
            where="band",
            remedy="give a part of the fair share, such as 0.1",
        )
    if scenario.until and scenario.precision is not None:
        raise ScenarioError(
            "'until' and 'precision' exclude each other", where="until", remedy="take one of them out"
        )


def _levels(game: Game, scenario: Scenario) -> list[str]:
    """List the levels of the primary family, as far as a scenario names it."""
    if scenario.primary in ("seat", "bot"):
        bots, seats = list(scenario.bots), [str(n) for n in range(1, max(scenario.players) + 1)]
        return bots if scenario.primary == "bot" else seats
    factors = [one for one in game.factors if one.name == scenario.primary or one.primary]
    kinds = [one.components for one in factors[-1:]]
    own = [key for kind in kinds for key in scenario.components.get(kind, {})]
    return [*(key for kind in kinds for key in game.components[kind]), *own, *scenario.bots]


def _check_players(game: Game, scenario: Scenario) -> None:
    for count in scenario.players:
        if count not in game.counts:
            raise ScenarioError(
                f"{game.title} has no game for {count}", where="players", remedy=f"give {span(game)}"
            )
    if len(set(scenario.players)) < len(scenario.players):
        raise ScenarioError("names a player count twice", where="players", remedy="name each once")


def _check_blank(game: Game, scenario: Scenario) -> None:
    """Refuse to blank what has no parts."""
    whole = [
        factor.components
        for factor in game.factors
        if any(game.parts(factor.components, entry) for entry in game.components[factor.components].values())
    ]
    for kind in scenario.blank:
        if kind not in whole:
            remedy = nearest(kind, whole) if whole else "take it out"
            raise ScenarioError("has no parts to blank", where=f"blank.{kind}", remedy=remedy)


def _check_varied(game: Game, scenario: Scenario, key: str) -> None:
    """Refuse a key of `vary` that names nothing, or something that stands elsewhere too."""
    where = f"vary.{key}"
    values = [repr(value) for value in scenario.vary[key]]
    for value in values:
        if values.count(value) > 1:
            raise ScenarioError(f"names {value} twice", where=where, remedy="name each once")
    root, _, rest = key.partition(".")
    if root == "players":
        if rest or not all(isinstance(v, int) and not isinstance(v, bool) for v in scenario.vary[key]):
            raise ScenarioError("will not do", where=where, remedy="give whole numbers")
        if "players" in tomllib.loads(scenario.text):
            raise ScenarioError("stands under 'players' too", where=where, remedy="take one of them out")
        return
    tables: dict[str, Any] = {
        "rules": {rule.name: 0 for rule in game.rules},
        "field": {factor.components: 0 for factor in game.factors} | {"bots": 0},
        "bots": scenario.bots,
        **{kind: {**game.components[kind], **scenario.components.get(kind, {})} for kind in game.components},
    }
    if root not in tables:
        raise ScenarioError("cannot be varied", where=where, remedy=nearest(root, [*tables, "players"]))
    name = rest.partition(".")[0]
    if not name:
        example = next(iter(tables[root]), "NAME")
        raise ScenarioError("names nothing in it", where=where, remedy=f"write {root}.{example} = [...]")
    if name not in tables[root]:
        remedy = nearest(name, tables[root])
        raise ScenarioError(f"there is no '{name}' in {root}", where=where, remedy=remedy)
    if root == "rules" and name in scenario.rules:
        raise ScenarioError("stands under [rules] too", where=where, remedy="take one of them out")


def as_run(resolved: Mapping[str, Any]) -> str:
    """Return the scenario that a dataset's manifest holds as it was run, as TOML, settings included."""
    import tomlkit

    table = {key: value for key, value in resolved.items() if key not in ("variants", "components")}
    for key in ("contrast", "confirms", "aim"):
        if not table.get(key):
            table.pop(key, None)
    if "players" in table["vary"]:
        del table["players"]
    return tomlkit.dumps(table | {"variant": resolved["variants"], **resolved["components"]})


def again(resolved: Mapping[str, Any]) -> Scenario:
    """Return the scenario that a dataset's manifest holds as it was run, settings and defaults included.

    Raises
    ------
    ScenarioError
        If this version or its games no longer take it.
    """
    return parse(as_run(resolved), where="the dataset's scenario")
