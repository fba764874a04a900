"""Short ways to say what changes in a nation: `5.vp = 3` for the amount of one effect of one level.

A scenario that varies a number of a nation, or blanks a level, need not write out a level's whole
list of effects. What is short is spelt out here, before `content` looks at it:

- `5.vp = 3`: level 5 gives 3 VP; where the level had that effect its amount changes, else it is added;
- `2.gain_on_entering.mountain.ore = 2`: the same for an effect with keys of its own, in their order;
- `5.vp_per_full_stock.at_least = 3`: the further number of an effect;
- `1.wins_ties = false`: an effect that takes no amount is added or taken away;
- `2 = []`, or `levels.2.effects = []`: the level does nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.errors import ScenarioError, nearest
from balance.games import Part
from balance.games.tiny_epic_kingdoms.powers import EFFECTS, MENUS, Effect
from balance.games.tiny_epic_kingdoms.state import MAGIC_LEVELS

LEVEL_KEYS = ("effects", "text", "certainty", "source", "note")


def spell_out(kind: str, entry: Mapping[str, Any], change: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return `change`, to be laid over `entry` of this kind, with all that is short spelt out.

    Raises
    ------
    ScenarioError
        For a level or an effect that does not exist; names the key below `where`.
    """
    if kind != "nations":
        return dict(change)
    spelt = {key: value for key, value in change.items() if not _is_number(key)}
    short = {key: value for key, value in change.items() if _is_number(key)}
    longer = change.get("levels")
    if isinstance(longer, Mapping):
        spelt["levels"] = {
            number: _level(entry, number, level, f"{where}.levels.{number}")
            for number, level in longer.items()
        }
    for number, level in short.items():
        if not 1 <= int(number) <= MAGIC_LEVELS:
            raise ScenarioError(
                f"there is no level {number}",
                where=f"{where}.{number}",
                remedy=f"magic has levels 1 to {MAGIC_LEVELS}",
            )
        for key in level if isinstance(level, Mapping) else ():
            if key not in EFFECTS and key not in LEVEL_KEYS:
                raise ScenarioError(
                    f"there is no effect '{key}'",
                    where=f"{where}.{number}.{key}",
                    remedy=nearest(key, [*EFFECTS, *LEVEL_KEYS]),
                )
        if "levels" in spelt and not isinstance(spelt["levels"], Mapping):
            raise ScenarioError(
                "all levels are given as a list too", where=f"{where}.{number}", remedy="keep one of the two"
            )
        if not isinstance(level, (Mapping, list)):
            raise ScenarioError(
                f"{level!r} will not do",
                where=f"{where}.{number}",
                remedy=f"name an effect, {number}.vp = 1, or give a list of effects",
            )
        levels = spelt.setdefault("levels", {})
        before = {**entry, "levels": _table(entry.get("levels")) | levels}
        levels[number] = levels.get(number, {}) | _level(before, number, level, f"{where}.{number}")
    return spelt


def parts(kind: str, entry: Mapping[str, Any]) -> list[Part]:
    """Return the levels of a nation that do something, each of which can be blanked."""
    if kind != "nations":
        return []
    levels = _table(entry.get("levels"))
    rest = levels if isinstance(entry.get("levels"), list) else {}  # a list cannot be changed in part
    return [
        Part(f"level {number}", {"levels": rest | {number: {"effects": []}}}, str(level.get("text", "")))
        for number, level in levels.items()
        if isinstance(level, Mapping) and level.get("effects")
    ]


def _is_number(key: str) -> bool:
    return key.isdecimal()


def _table(levels: Any) -> dict[str, Any]:
    """Return the levels of a nation by number, whether they are a table or a list."""
    if isinstance(levels, list):
        return {str(number): level for number, level in enumerate(levels, start=1)}
    return dict(levels) if isinstance(levels, Mapping) else {}


def _level(entry: Mapping[str, Any], number: str, level: Any, where: str) -> Any:
    """Spell out the change of one level; what is no table is left to be refused by its model."""
    if isinstance(level, list):
        return {"effects": level}
    if not isinstance(level, Mapping):
        return level
    named = {key: value for key, value in level.items() if key in EFFECTS}
    before = _table(entry.get("levels")).get(number, {})
    effects = level.get("effects", before.get("effects", []) if isinstance(before, Mapping) else [])
    if not named or not isinstance(effects, list) or not all(isinstance(one, Mapping) for one in effects):
        return dict(level)
    effects = [dict(effect) for effect in effects]
    for name, value in named.items():
        _change(effects, name, value, f"{where}.{name}")
    return {key: value for key, value in level.items() if key not in EFFECTS} | {"effects": effects}


def _change(effects: list[dict[str, Any]], name: str, value: Any, where: str) -> None:
    """Change the effect `name` among `effects`, in place, or add it."""
    effect = EFFECTS[name]
    for keys, given, below in _named(effect, effect.keys, value, where):
        found = [one for one in effects if one.get("effect") == name and keys.items() <= one.items()]
        if len(keys) < len(effect.keys) and len(found) != 1:
            missing = effect.keys[len(keys)]
            raise ScenarioError(
                f"'{name}' needs a '{missing}'",
                where=below,
                remedy=f"write {'.'.join([name, *(min(MENUS[key], key=len) for key in effect.keys)])} = 1",
            )
        if effect.flag:
            _set_flag(effects, found, {"effect": name} | keys, given, below)
        elif found:
            found[0].update(_numbers(name, given, below))
        else:
            effects.append({"effect": name} | keys | _numbers(name, given, below))


def _named(
    effect: Effect, keys: Sequence[str], value: Any, where: str
) -> Iterator[tuple[dict[str, str], Any, str]]:
    """Yield the words of an effect's keys, what is given for them, and where that stands."""
    words = MENUS[keys[0]] if keys else ()
    if not keys or not isinstance(value, Mapping) or not any(word in words for word in value):
        if keys and isinstance(value, Mapping) and not _is_of_numbers(effect, value):
            word = next(iter(value), "")
            raise ScenarioError(
                f"there is no {keys[0]} '{word}'", where=f"{where}.{word}", remedy=nearest(word, words)
            )
        yield {}, value, where
        return
    for word, inner in value.items():
        if word not in words:
            raise ScenarioError(
                f"there is no {keys[0]} '{word}'", where=f"{where}.{word}", remedy=nearest(word, words)
            )
        for found, given, below in _named(effect, keys[1:], inner, f"{where}.{word}"):
            yield {keys[0]: word} | found, given, below


def _is_of_numbers(effect: Effect, value: Mapping[str, Any]) -> bool:
    """Say whether a table gives the numbers of an effect, rather than the words of its keys."""
    return all(key in _number_keys(effect) for key in value)


def _number_keys(effect: Effect) -> list[str]:
    return ["amount"] + ([effect.extra[0]] if effect.extra else [])


def _numbers(name: str, given: Any, where: str) -> dict[str, Any]:
    """Return the numbers given for an effect, by key; their sums over levels are checked later on."""
    effect = EFFECTS[name]
    numbers = dict(given) if isinstance(given, Mapping) else {"amount": given}
    low, high = min(effect.low, 0), effect.high
    for key, number in numbers.items():
        below = f"{where}.{key}" if isinstance(given, Mapping) else where
        if key not in _number_keys(effect):
            raise ScenarioError(
                f"'{name}' takes no '{key}'", where=below, remedy=nearest(key, _number_keys(effect))
            )
        if not isinstance(number, int) or isinstance(number, bool):
            raise ScenarioError(f"{number!r} is no whole number", where=below, remedy="give a whole number")
        if key == "amount" and not low <= number <= high:
            raise ScenarioError(f"{number} is out of range", where=below, remedy=f"give {low} to {high}")
    return numbers


def _set_flag(
    effects: list[dict[str, Any]], found: list[dict[str, Any]], wanted: dict[str, Any], given: Any, where: str
) -> None:
    if not isinstance(given, bool):
        raise ScenarioError(
            f"'{wanted['effect']}' takes no number", where=where, remedy="give true, or false to take it away"
        )
    if given and not found:
        effects.append(wanted)
    if not given:
        effects[:] = [one for one in effects if not any(one is gone for gone in found)]
