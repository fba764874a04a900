"""Bot files: bots in a TOML file of their own, with a record of how they were made.

A scenario takes one by `[bots.NAME]` with `file = "tuned.toml"`. What the file says becomes the
scenario's own, so that a dataset does not depend on the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from balance import cell, toml
from balance.errors import ScenarioError, nearest
from balance.games import Game

KEYS = ("file", "take")
LONG = 90  # characters of a list from which on each of its values has a line


def read(path: Path, game: Game, name: str = "") -> dict[str, Any]:
    """Return a bot of `game` from a bot file: the one called `name`, or the only one.

    Raises
    ------
    ScenarioError
        If there is no such file or bot, if it is of another game, or if a value will not do.
    """
    place = str(path)
    table = toml.parse(toml.read(path, ScenarioError, "give a bot file"), place, ScenarioError)
    for key in table:
        if key not in ("made", "bots"):
            raise ScenarioError(
                f"a bot file has no '{key}'", where=f"{place}: {key}", remedy=nearest(key, ("made", "bots"))
            )
    made, bots = table.get("made", {}), table.get("bots", {})
    if not isinstance(made, dict) or not isinstance(bots, dict) or not bots:
        raise ScenarioError("holds no bot", where=place, remedy="write [bots.NAME] with its weights")
    if made.get("game", game.id) != game.id:
        raise ScenarioError(
            f"holds bots of {made['game']}", where=f"{place}: made.game", remedy=f"give a file of {game.id}"
        )
    if name and name not in bots:
        raise ScenarioError(f"has no bot '{name}'", where=f"{place}: bots", remedy=nearest(name, bots))
    if not name and len(bots) > 1:
        raise ScenarioError(
            "holds several bots", where=f"{place}: bots", remedy=f"say which: take = {', '.join(bots)}"
        )
    chosen = name or next(iter(bots))
    try:
        cell.resolve_bot(game, chosen, bots[chosen])
    except ScenarioError as error:
        raise ScenarioError(error.what, where=f"{place}: {error.where}", remedy=error.remedy) from None
    return dict(bots[chosen])


def taken(bots: Mapping[str, Any], game: Game, folder: Path) -> dict[str, Any]:
    """Return `bots` with what `file` names put in; paths are taken from `folder`.

    `take` names a bot of the file that holds several; the other keys lie over what the file says.
    """
    found = {}
    for name, spec in bots.items():
        if not isinstance(spec, Mapping) or "file" not in spec:
            found[name] = spec
            continue
        where = f"bots.{name}."
        for key in KEYS:
            if not isinstance(spec.get(key, ""), str):
                raise ScenarioError(
                    f"{spec[key]!r} will not do", where=f"{where}{key}", remedy="give a name, in quotes"
                )
        own = read(folder / spec["file"], game, spec.get("take", ""))
        over = {key: value for key, value in spec.items() if key not in KEYS}
        if isinstance(over.get("weights"), Mapping):
            over["weights"] = {**own.get("weights", {}), **over["weights"]}
        found[name] = {**own, **over}
    return found


def written(bots: Mapping[str, Mapping[str, Any]], made: Mapping[str, Any]) -> str:
    """Return a bot file as text: how its bots were `made`, and each one's kind and weights."""
    lines = ["# Made by `balance tune`. Use it in a scenario: [bots.NAME] with file = ...", "", "[made]"]
    lines += [f"{key} = {_value(value)}" for key, value in made.items()]
    for name, spec in bots.items():
        lines += ["", f"[bots.{name}]", f"kind = {_value(spec['kind'])}", "", f"[bots.{name}.weights]"]
        lines += [f"{key} = {_value(value)}" for key, value in spec["weights"].items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """Write a value of a bot file; numbers, text, and lists of them look the same in JSON and TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list) and len(json.dumps(value)) > LONG:
        return "[\n" + "".join(f"    {_value(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def ready(path: Path) -> None:
    """Refuse a place where no bot file can be written, before any game is played.

    Raises
    ------
    ScenarioError
        If it is a folder, has no folder, or cannot be written.
    """
    place = path if path.exists() else path.parent
    if path.is_dir() or not path.parent.is_dir() or not os.access(place, os.W_OK):
        raise ScenarioError("cannot be written", where=str(path), remedy="give a file in a folder of yours")


def write(path: Path, text: str) -> None:
    """Write a bot file whole or not at all."""
    aside = path.with_name(f".{path.name}.part")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)
