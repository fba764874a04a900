"""What a manifest says of a run: what shapes its rows, what its columns mean, and where its data come from.

It names no time, host or number of workers: the same run gives the same bytes everywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from balance import __version__, contrast, games, records, thinking
from balance.cell import GENERATED, OWN, Cell
from balance.games import Column, Game
from balance.manifest import SCHEMA
from balance.rows import labels_of

if TYPE_CHECKING:
    from balance.scenario import Scenario


def describe(scenario: Scenario, cells: Sequence[Cell], designs: Sequence[Any]) -> dict[str, Any]:
    """Return the manifest of a run before its first part: what shapes the rows, and where data come from."""
    game, labels = cells[0].game, labels_of(cells)
    run = _run(scenario, cells, designs)
    return {
        "schema": SCHEMA,
        "game": game.id,
        "title": scenario.title or game.title,
        "question": scenario.question,
        "scenario": _resolved(scenario),
        "scenario_text": scenario.text,
        "seed": scenario.seed,
        "games": scenario.games,
        "players": list(dict.fromkeys(cell.players for cell in cells)),
        "precision": None,
        "run": run,
        "signature": "",
        "versions": versions(),
        "cells": [
            {
                "index": cell.index,
                "label": cell.label,
                "name": cell.name,
                "tier": cell.tier,
                "players": cell.players,
                "bots": list(cell.bot_names),
                "changed": _jsonable(cell.changed),
                "notes": notes(cell, design),
                "block_games": design.block_games,
                "blank": _blank(cell),
                "choice": _jsonable(cell.choice),
                "size": cell.size,
            }
            for cell, design in zip(cells, designs, strict=True)
        ],
        "bots": _bots(cells),
        "varied": _varied(scenario, game),
        "primary": scenario.primary or _primary(cells, designs),
        "contrast": contrast.described(game, cells[0].treatments, cells[0].components),
        "factors": _factors(game, cells, designs),
        "layouts": _layouts(designs),
        "columns": {
            "game": [_column(column, labels) for column in game.game_columns],
            "seat": [_column(column, labels) for column in game.seat_columns],
        },
        "provenance": provenance(cells, designs),
        "controls": {},
        "parts": [],
    }


def versions() -> dict[str, str]:
    """Return the versions of what shapes a dataset's bytes."""
    import platform

    import numba
    import polars

    return {
        "balance": __version__,
        "numba": numba.__version__,
        "numpy": np.__version__,
        "polars": polars.__version__,
        "python": platform.python_version(),
    }


def signature(manifest: Mapping[str, Any], game: Game) -> str:
    """Return the line from which a run can be repeated: game, rules, bots, seed, games, code, versions."""
    bots = dict.fromkeys(name for cell in manifest["cells"] for name in cell["bots"])
    parts = {
        "game": game.id,
        "version": str(game.version),
        "players": "+".join(map(str, manifest["players"])),
        "rules": _digest([cell["changed"] for cell in manifest["cells"]])[:8],
        "bots": "+".join(bots),
        "seed": str(manifest["seed"]),
        "games": f"{len(manifest['cells'])}x{manifest['games']}",
        "run": manifest["run"][:8],
        "code": game.digest[:8],
    } | manifest["versions"]
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def _run(scenario: Scenario, cells: Sequence[Cell], designs: Sequence[Any]) -> str:
    """Digest all that shapes rows, except how many there are."""
    game = cells[0].game
    shape: list[Any] = [game.id, game.version, game.digest, __version__, scenario.seed, scenario.turns]
    for cell, design in zip(cells, designs, strict=True):
        levels = {name: _cell_levels(cell, design, name) for name in design.levels}
        shape.append(
            [
                cell.players,
                cell.label,
                records.fingerprint(cell.rules),
                cell.components,
                cell.bot_names,
                records.fingerprint(cell.hands),
                levels,
                design.block_games,
                [treatment.key for treatment in cell.treatments],
            ]
        )
    return _digest(shape)


def _digest(value: Any) -> str:
    text = json.dumps(_jsonable(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _jsonable(value: Any) -> Any:
    """Return `value` with plain lists, tables with text keys, and numbers."""
    if isinstance(value, Mapping):
        return {str(key): _jsonable(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_jsonable(inner) for inner in value]
    if isinstance(value, np.generic):
        return _jsonable(value.item())
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _cell_levels(cell: Cell, design: Any, name: str) -> list[str]:
    """Return the keys in play of a factor, or the names of the bots."""
    keys = cell.bot_names if name == "bot" else cell.levels(name)
    return [keys[position] for position in design.levels[name]]


def notes(cell: Cell, design: Any) -> list[str]:
    """Return what the game has to say of a cell before its numbers are read."""
    return cell.game.notes(cell, {name: _cell_levels(cell, design, name) for name in design.levels})


def _resolved(scenario: Scenario) -> dict[str, Any]:
    """Return the scenario with its settings laid over it: what `scenario.again` reads."""
    told = ("game", "title", "question", "players", "seed", "until", "primary", "band", "turns")
    plain = (*told, "bots", "rules", "vary", "blank", "components")
    values = {name: getattr(scenario, name) for name in plain}
    if scenario.contrast:
        values["contrast"] = scenario.contrast
    if scenario.tiers:
        values["tiers"] = scenario.tiers
    if scenario.aim:
        values["aim"] = scenario.aim
    if scenario.confirms:
        values["confirms"] = scenario.confirms.model_dump()
    kinds = {factor.components: "all" for factor in games.get(scenario.game).factors}
    variants = [{"name": variant.name} | variant.changes() for variant in scenario.variants]
    return _jsonable(values | {"field": kinds | scenario.field, "variants": variants})


def _varied(scenario: Scenario, game: Game) -> list[dict[str, str]]:
    """List what a scenario varies, and how certain the rulebook's own value is ("" if it is no rule)."""
    certainty = {f"rules.{rule.name}": rule.certainty for rule in game.rules}
    return [
        {"key": key, "certainty": certainty.get(".".join(key.split(".")[:2]), "")} for key in scenario.vary
    ]


def _primary(cells: Sequence[Cell], designs: Sequence[Any]) -> str:
    """Name the family that the run is about: the primary factor, the bots or the seats."""
    for factor in cells[0].game.factors:
        if factor.primary and any(len(design.levels[factor.name]) > 1 for design in designs):
            return factor.name
    return "bot" if any(len(cell.bot_names) > 1 for cell in cells) else "seat"


def _bots(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return what the bots of the run are in full, as the first cell that has each plays it."""
    game = cells[0].game
    found: dict[str, Any] = {}
    searches: dict[str, Any] = {}
    for cell in cells:
        for name, record in zip(cell.bot_names, cell.bots, strict=True):
            if name not in found:
                found[name], searches[name] = record, thinking.told(record["mind"], cell.thinkers)
    return {
        name: {
            "kind": game.kinds[record["kind"]],
            "weights": {weight.name: float(record[weight.name]) for weight in game.weights},
            "bar": [bar for number, (bar, _) in enumerate(game.bars) if int(record["bars"]) >> number & 1],
            "gift": [
                gift for number, (gift, _) in enumerate(game.gifts) if int(record["gifts"]) >> number & 1
            ],
            **({"slip": float(record["slip"])} if record["slip"] else {}),
            **searches[name],
        }
        for name, record in found.items()
    }


def _factors(game: Game, cells: Sequence[Cell], designs: Sequence[Any]) -> list[dict[str, Any]]:
    factors = []
    for factor in game.factors:
        levels: dict[str, dict[str, Any]] = {}
        for cell, design in zip(cells, designs, strict=True):
            for key in _cell_levels(cell, design, factor.name):
                entry = cell.components[factor.components][key]
                levels.setdefault(key, {"key": key} | _name_and_certainty(key, entry))
        factors.append(
            {
                "name": factor.name,
                "label": factor.label,
                "primary": factor.primary,
                "unique": factor.unique,
                "levels": list(levels.values()),
            }
        )
    return factors


def _blank(cell: Cell) -> dict[str, Any] | None:
    """Return what a cell lacks that another has, or nothing."""
    if cell.blank is None:
        return None
    factor = next(one.name for one in cell.game.factors if one.components == cell.blank.kind)
    part = cell.blank.part
    return {
        "factor": factor,
        "level": cell.blank.key,
        "part": part.name,
        "note": part.note,
        "base": cell.blank.base,
    }


def _layouts(designs: Sequence[Any]) -> dict[str, Any] | None:
    """Return the factor that is laid out and all layouts, or nothing."""
    found = [design.layouts for design in designs if design.layouts]
    if not found:
        return None
    levels = {level["key"]: level for layouts in reversed(found) for level in layouts.described()}
    keys = dict.fromkeys(key for layouts in found for key in layouts.keys)
    return {"factor": found[0].factor, "levels": [levels[key] for key in keys]}


def _name_and_certainty(key: str, entry: Mapping[str, Any]) -> dict[str, str]:
    name = entry.get("name", key.replace("_", " ").replace("-", " ").title())
    return {"name": str(name), "certainty": str(entry.get("certainty", ""))}


def _column(column: Column, labels: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    told = {
        "name": column.name,
        "role": column.role,
        "label": column.label,
        "labels": list(labels.get(column.name, ())),
    }
    if column.of:
        told["of"] = column.of
    if column.deal:
        told |= {"deal": column.deal, "pays": list(column.pays)}
    return told


def provenance(cells: Sequence[Cell], designs: Sequence[Any]) -> list[dict[str, str]]:
    """List where the data in play come from, and how certain they are.

    All components in play, none left in the box, that state a source or a certainty, at any depth;
    content of the scenario's own; rules that were changed, or do not stand in the rule text.
    """
    found: dict[tuple[str, str, str], dict[str, str]] = {}  # a cell may change what another plays as printed
    for cell, design in zip(cells, designs, strict=True):
        if cell.blank is not None:
            continue  # what it lacks is told with what it is worth
        played = {factor.components: _cell_levels(cell, design, factor.name) for factor in cell.game.factors}
        lines: list[dict[str, str]] = []
        for kind, entries in cell.components.items():
            if kind in cell.game.left_out(cell.rules[0]):
                continue
            for key in played.get(kind, entries):
                lines += _sources(f"{kind}.{key}", entries[key], key)
        for rule in cell.game.rules:
            path = f"rules.{rule.name}"
            own = path in cell.changed
            entry = {"name": rule.note, "certainty": rule.certainty, "source": rule.source}
            if own or rule.certainty != "seed":
                lines.append(_item(path, entry | (OWN if own else {}), rule.name))
        for line in _drawn_together(lines):
            found.setdefault((line["what"], line["certainty"], line["source"]), line)
    return list(found.values())


def _drawn_together(lines: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield `lines`, those of one kind that a generator made as a single line."""
    made = [line for line in lines if line["certainty"] == GENERATED]
    yield from (line for line in lines if line["certainty"] != GENERATED)
    for kind in dict.fromkeys(line["what"].partition(".")[0] for line in made):
        own = [line for line in made if line["what"].startswith(f"{kind}.")]
        yield own[0] | {"what": f"{kind}.drawn", "name": f"{len(own)} drawn {kind}"}


def _sources(path: str, value: Any, name: str) -> Iterator[dict[str, str]]:
    """Walk through `value` for tables that state a source or a certainty."""
    if isinstance(value, Mapping):
        if "certainty" in value or "source" in value:
            yield _item(path, value, name)
        for key, inner in value.items():
            yield from _sources(f"{path}.{key}", inner, str(key))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value, start=1):
            yield from _sources(f"{path}.{number}", inner, f"{name} {number}")


def _item(path: str, entry: Mapping[str, Any], key: str) -> dict[str, str]:
    return {
        "what": path,
        **_name_and_certainty(key, entry),
        "source": str(entry.get("source", "")),
        "note": str(entry.get("note", "")),
    }
