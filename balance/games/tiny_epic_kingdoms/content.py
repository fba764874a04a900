"""Nations and territories: from the words of TOML to the tables of the rules record.

Every mistake is found here, before a game is played, and told in one line: the dotted key, what is
wrong with it, the remedy.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from balance import toml
from balance.errors import ScenarioError, nearest
from balance.games.tiny_epic_kingdoms.powers import (
    EFFECTS,
    GROUPS,
    MENUS,
    POWERS,
    TERRAIN_NAMES,
    Effect,
)
from balance.games.tiny_epic_kingdoms.state import MAGIC_LEVELS, NATIONS, REGIONS, SIDES, TERRITORIES, TOKENS
from balance.games.tiny_epic_kingdoms.tokens import TOKEN_EFFECTS
from balance.words import listed

if TYPE_CHECKING:
    from pydantic import BaseModel

    from balance.games.tiny_epic_kingdoms import entries

    Model = TypeVar("Model", bound=BaseModel)

LEVELS = tuple(str(level) for level in range(1, MAGIC_LEVELS + 1))
CARD_SIDES = 2
WATER_ID = "w"  # of the region of water that a side's `water_touches` speaks of
BEGINNERS_SPLIT = 0  # goods_choice
EXTRA_MOST = 30  # regions on the table; nothing an effect counts is more

_WANTED = {"too_short": "give two regions", "too_long": "give two regions"}


def prepare(
    target: np.record, components: Mapping[str, Mapping[str, Mapping[str, Any]]], players: int
) -> None:
    """Write the nations and territory sides of `components` into the rules record, in place.

    Parameters
    ----------
    target
        The rules record; its tables `nations` and `sides` are filled in the order of the entries.
    components
        Own content merged over the game's: "nations" and "territories", each key -> entry.
    players
        At the table; the Lost Kingdom needs a territory's room beside theirs.

    Raises
    ------
    ScenarioError
        For an entry that will not do, or rules that contradict one another.
    """
    if target["lost_kingdom"] and players == TERRITORIES:
        raise ScenarioError(
            f"with {players} players there is no room for it",
            where="rules.lost_kingdom",
            remedy=f"play with 2 to {TERRITORIES - 1}",
        )
    if target["war_lowest"] > target["war_highest"]:
        raise ScenarioError(
            f"{target['war_lowest']} is above war_highest, which is {target['war_highest']}",
            where="rules.war_lowest",
            remedy="let the war die go up, not down",
        )
    if target["goods_choice"] == BEGINNERS_SPLIT and target["start_goods_by_seat"].any():
        raise ScenarioError(
            "the beginners' split leaves nothing to spread",
            where="rules.start_goods_by_seat",
            remedy="give start_mana_by_seat, start_ore_by_seat or start_food_by_seat instead",
        )
    _write_nations(target["nations"], components["nations"])
    _write_sides(target["sides"], components["territories"])
    _write_tokens(target, components["tokens"], players)


def clash(one: str, other: str, sides: Mapping[str, Mapping[str, Any]]) -> bool:
    """Say whether two sides cannot be in one game, being of one card."""
    card = sides[one].get("card")
    return one != other and card is not None and card == sides[other].get("card")


# Nations


def _write_nations(table: np.recarray, nations: Mapping[str, Mapping[str, Any]]) -> None:
    if len(nations) > NATIONS:
        raise ScenarioError(
            f"{len(nations)} nations are too many", where="nations", remedy=f"{NATIONS} have room"
        )
    for index, (key, entry) in enumerate(nations.items()):
        levels = nation_powers(entry, f"nations.{key}")
        table[index]["known"] = 1
        table[index]["level"] = levels
        table[index]["upto"][1:] = np.cumsum(levels, axis=0)


def nation_powers(entry: Mapping[str, Any], where: str) -> np.ndarray:
    """Return what each level of a nation adds to each power: whole numbers, levels by slots.

    Raises
    ------
    ScenarioError
        Names the key below `where` that will not do.
    """
    from balance.games.tiny_epic_kingdoms import entries

    nation = _checked(entries.Nation, entry, where)
    powers = _Powers()
    for number, level in _levels(nation.levels, f"{where}.levels"):
        below = f"{where}.levels.{number}"
        checked = _checked(entries.Level, level, below)
        for position, effect in enumerate(checked.effects):
            powers.add(number, effect, f"{below}.effects.{position}")
    for derived, slots in GROUPS.items():
        powers.level[:, derived] = powers.level[:, list(slots)].any(axis=1)
    return powers.level


def _levels(levels: Any, where: str) -> Iterator[tuple[int, Any]]:
    """Yield the five levels by number, whether they are a table or a list."""
    if isinstance(levels, list):
        levels = _by_number(levels, where)
    if not isinstance(levels, Mapping):
        raise ScenarioError(
            f"{levels!r} will not do",
            where=where,
            remedy=f"write a table for each, [{where}.1] to [{where}.5]",
        )
    for number in levels:
        if number not in LEVELS:
            raise ScenarioError(
                f"there is no level {number}",
                where=f"{where}.{number}",
                remedy=f"magic has levels 1 to {MAGIC_LEVELS}",
            )
    for number in LEVELS:
        if number not in levels:
            raise ScenarioError(
                f"level {number} is missing",
                where=where,
                remedy='write it, with effects = [] if it does nothing, or start by like = "..."',
            )
        yield int(number), levels[number]


def level_table(levels: Any) -> dict[str, Any]:
    """Return the levels of a nation by number, lowest first, whether they are a table or a list."""
    table = _by_number(levels, "levels") if isinstance(levels, list) else levels
    return {number: table[number] for number in LEVELS}


def _by_number(levels: list[Any], where: str) -> dict[str, Any]:
    """Return a list of levels as a table; each may say its `level`, else its place does."""
    table: dict[str, Any] = {}
    for place, level in enumerate(levels, 1):
        number, rest = str(place), level
        if isinstance(level, Mapping) and "level" in level:
            number = str(level["level"])
            rest = {key: value for key, value in level.items() if key != "level"}
        if number in table:
            raise ScenarioError(
                f"level {number} is there twice", where=f"{where}.{place - 1}", remedy="keep one of the two"
            )
        table[number] = rest
    return table


class _Powers:
    """What the levels of one nation add to its powers, gathered effect by effect."""

    def __init__(self) -> None:
        self.level = np.zeros((MAGIC_LEVELS, POWERS), np.int32)
        self.first: dict[int, int] = {}  # slot -> the level that first adds to it

    def add(self, level: int, entry: Mapping[str, Any], where: str) -> None:
        """Add one effect of `level`, as TOML gives it."""
        name = entry.get("effect")
        if not isinstance(name, str):
            raise ScenarioError(
                "does not name its effect", where=where, remedy='write { effect = "vp", amount = 1 }'
            )
        if name not in EFFECTS:
            raise ScenarioError(
                f"there is no effect '{name}'", where=f"{where}.effect", remedy=nearest(name, EFFECTS)
            )
        effect = EFFECTS[name]
        _only_known(entry, name, effect, where)
        first = _slot(entry, name, effect, where)
        for slot in range(first, first + effect.span):
            if effect.flag:
                self._raise_flag(level, slot, effect.repeats, where)
            else:
                self._raise_amount(level, slot, entry, effect, where)
            self.first.setdefault(slot, level)
        if effect.extra is not None:
            self._set_extra(level, entry, effect.extra, where)

    def _raise_flag(self, level: int, slot: int, repeats: bool, where: str) -> None:
        before = level if repeats and self.level[level - 1, slot] else self.first.get(slot, 0)
        if before and (before == level or not repeats):
            raise ScenarioError(
                f"level {before} has this effect already", where=where, remedy="keep one of the two"
            )
        self.level[level - 1, slot] = 1

    def _raise_amount(
        self, level: int, slot: int, entry: Mapping[str, Any], effect: Effect, where: str
    ) -> None:
        low = min(effect.low, 0)
        amount = _whole(entry, "amount", low, effect.high, where)
        total = int(self.level[:, slot].sum()) + amount
        if not low <= total <= effect.high:
            raise ScenarioError(
                f"with level {self.first[slot]} it makes {total}",
                where=f"{where}.amount",
                remedy=f"all levels together may make {low} to {effect.high}",
            )
        self.level[level - 1, slot] += amount

    def _set_extra(
        self, level: int, entry: Mapping[str, Any], extra: tuple[str, int, int], where: str
    ) -> None:
        """Note the further number of an effect: it holds for the nation, so one level has to give it."""
        key, slot, default = extra
        value = _whole({key: default} | dict(entry), key, 1, EXTRA_MOST, where)
        given = int(self.level[level - 1, slot])
        if self.first.setdefault(slot, level) != level or given not in (0, value):
            raise ScenarioError(
                f"level {self.first[slot]} has an effect with another '{key}' already",
                where=f"{where}.{key}",
                remedy="a nation can have one only, at one level",
            )
        self.level[level - 1, slot] = value


def _only_known(entry: Mapping[str, Any], name: str, effect: Effect, where: str) -> None:
    known = ["effect", *effect.keys]
    if not effect.flag:
        known.append("amount")
    if effect.extra is not None:
        known.append(effect.extra[0])
    for key in entry:
        if key not in known:
            remedy = "leave it out" if key == "amount" else nearest(key, known)
            raise ScenarioError(f"'{name}' takes no '{key}'", where=f"{where}.{key}", remedy=remedy)


def _slot(entry: Mapping[str, Any], name: str, effect: Effect, where: str) -> int:
    """Return the slot of an effect, picked by the values of its keys."""
    index = 0
    for key in effect.keys:
        menu = MENUS[key]
        if key not in entry:
            raise ScenarioError(f"'{name}' needs a '{key}'", where=where, remedy=f"{key}s: {', '.join(menu)}")
        if entry[key] not in menu:
            raise ScenarioError(
                f"there is no {key} {entry[key]!r}",
                where=f"{where}.{key}",
                remedy=nearest(str(entry[key]), menu),
            )
        index = index * len(menu) + menu.index(entry[key])
    if effect.keys == ("chosen", "perform") and entry["chosen"] == entry["perform"]:
        raise ScenarioError(
            f"'{entry['perform']}' may be performed anyway",
            where=f"{where}.perform",
            remedy="name another action",
        )
    return effect.slot + index


def _whole(entry: Mapping[str, Any], key: str, low: int, high: int, where: str) -> int:
    """Return the whole number at `key`, between its bounds, both included."""
    remedy = f"give a whole number from {low} to {high}"
    if key not in entry:
        raise ScenarioError(f"'{key}' is missing", where=where, remedy=remedy)
    value = entry[key]
    if not isinstance(value, int) or isinstance(value, bool):
        raise ScenarioError(f"{value!r} is no whole number", where=f"{where}.{key}", remedy=remedy)
    if not low <= value <= high:
        raise ScenarioError(f"{value} is out of range", where=f"{where}.{key}", remedy=remedy)
    return value


# Territories


def _write_sides(table: np.recarray, territories: Mapping[str, Mapping[str, Any]]) -> None:
    from balance.games.tiny_epic_kingdoms import entries

    if len(territories) > SIDES:
        raise ScenarioError(
            f"{len(territories)} sides are too many", where="territories", remedy=f"{SIDES} have room"
        )
    sides = {key: _checked(entries.Side, entry, f"territories.{key}") for key, entry in territories.items()}
    cards = _cards(sides)
    named = any(side.lost_kingdom for side in sides.values())
    for index, (key, side) in enumerate(sides.items()):
        _write_side(table[index], side, f"territories.{key}")
        table[index]["may_be_lost"] = side.lost_kingdom or not named
        table[index]["lost_beside"] = _lost_beside(side, list(sides), f"territories.{key}")
        table[index]["card"] = cards[index]
        table[index]["other"] = next(
            (other for other, card in enumerate(cards) if card == cards[index] and other != index), index
        )


def _lost_beside(side: entries.Side, keys: list[str], where: str) -> int:
    """Return the position of the side that is the Lost Kingdom beside this one, or -1."""
    if not side.lost_beside:
        return -1
    if side.lost_beside not in keys:
        raise ScenarioError(
            f"there is no '{side.lost_beside}'",
            where=f"{where}.lost_beside",
            remedy=nearest(side.lost_beside, keys),
        )
    return keys.index(side.lost_beside)


def _cards(sides: Mapping[str, entries.Side]) -> list[int]:
    """Return the card of each side; those that name none get numbers of their own, below 0."""
    cards: list[int] = []
    seen: dict[int, list[str]] = {}
    for index, (key, side) in enumerate(sides.items()):
        cards.append(-1 - index if side.card is None else side.card)
        fellows = seen.setdefault(cards[-1], [])
        if len(fellows) == CARD_SIDES:
            raise ScenarioError(
                f"card {side.card} has two sides already, {' and '.join(fellows)}",
                where=f"territories.{key}.card",
                remedy="give another number",
            )
        for fellow in fellows:
            if side.side is not None and side.side == sides[fellow].side:
                raise ScenarioError(
                    f"card {side.card} has a side {side.side} already, {fellow}",
                    where=f"territories.{key}.side",
                    remedy="give the other side, or a card of its own",
                )
        fellows.append(key)
    return cards


def _write_side(target: np.record, side: entries.Side, where: str) -> None:
    """Write one side, all but its card, into the table."""
    from balance.games.tiny_epic_kingdoms import entries

    if not 2 <= len(side.regions) <= REGIONS:
        raise ScenarioError(
            f"has {len(side.regions)} regions", where=f"{where}.regions", remedy=f"give 2 to {REGIONS}"
        )
    table = side_regions(dict(side.regions), side.water_touches)
    regions = {id: _checked(entries.Region, entry, f"{where}.regions.{id}") for id, entry in table.items()}
    ids = list(regions)
    near = _near(side, ids, where)
    dry = [region.terrain != "water" for region in regions.values()]
    _connected(ids, near, dry, where)
    target["regions"] = len(ids)
    target["terrain"][: len(ids)] = [TERRAIN_NAMES.index(region.terrain) for region in regions.values()]
    target["edge"][: len(ids)] = [region.edge for region in regions.values()]
    target["wet"][: len(ids)] = _wet(side, ids, near, dry, where)
    target["near"][: len(ids)] = near
    target["across"][: len(ids)] = _across(side, ids, near, dry)


def side_regions(regions: Mapping[str, Any], water_touches: Collection[str]) -> Mapping[str, Any]:
    """Return the regions of a side by id, with that of the water which some of them touch, if it has no name.

    No one stands in water but for nations that may; it counts as inland.
    """
    if not water_touches or len(regions) >= REGIONS or WATER_ID in regions:
        return regions
    return {**regions, WATER_ID: {"terrain": "water", "edge": False}}


def _near(side: entries.Side, ids: list[str], where: str) -> list[int]:
    """Return for each region the set, as a bit mask, of those a Patrol reaches from it."""
    near = [0] * len(ids)
    for position, pair in enumerate(side.adjacent):
        at = f"{where}.adjacent.{position}"
        one, other = (_known(ids, id, at) for id in pair)
        if one == other:
            raise ScenarioError(f"'{pair[0]}' is paired with itself", where=at, remedy="name two regions")
        near[one] |= 1 << other
        near[other] |= 1 << one
    for position, pair in enumerate(side.river_between):
        at = f"{where}.river_between.{position}"
        one, other = (_known(ids, id, at) for id in pair)
        if near[one] >> other & 1:
            raise ScenarioError(
                f"{pair[0]} and {pair[1]} are also in 'adjacent'",
                where=at,
                remedy="a river parts them: keep one",
            )
    for position, id in enumerate(side.crags_touch):
        _known(ids, id, f"{where}.crags_touch.{position}")
    for position, id in enumerate(side.water_touches):
        touching = _known(list(side.regions), id, f"{where}.water_touches.{position}")
        if WATER_ID in ids and WATER_ID not in side.regions:
            water = ids.index(WATER_ID)
            near[touching] |= 1 << water
            near[water] |= 1 << touching
    return near


def _across(side: entries.Side, ids: list[str], near: list[int], dry: list[bool]) -> list[int]:
    """Return for each region the set of those that a river, or one and the same water, parts from it."""
    across = [0] * len(ids)
    banks = [[ids.index(id) for id in pair] for pair in side.river_between]
    banks += [[ids.index(id) for id in side.water_touches]]
    banks += [list(_members(near[water])) for water in range(len(ids)) if not dry[water]]
    for shore in banks:
        for one in shore:
            across[one] |= sum(1 << other for other in shore if other != one and dry[other])
    return across


def _known(ids: list[str], id: str, where: str) -> int:
    if id not in ids:
        raise ScenarioError(f"there is no region '{id}'", where=where, remedy=nearest(id, ids))
    return ids.index(id)


def _connected(ids: list[str], near: list[int], land: list[bool], where: str) -> None:
    """Raise ScenarioError unless every region of land can be reached from the first by Patrols."""
    wanted = sum(1 << region for region, dry in enumerate(land) if dry)
    if wanted == 0:
        raise ScenarioError("is all water", where=f"{where}.regions", remedy="give it a region of land")
    reached, wider = 0, wanted & -wanted
    while wider != reached:
        reached = wider
        for region in _members(reached):
            wider |= near[region] & wanted
    lost = [ids[region] for region in _members(wanted & ~reached)]
    if lost:
        first = ids[next(_members(wanted))]
        raise ScenarioError(
            f"no Patrol leads from {first} to {listed(lost)}",
            where=f"{where}.adjacent",
            remedy="add the pairs that touch",
        )


def _wet(side: entries.Side, ids: list[str], near: list[int], dry: list[bool], where: str) -> list[bool]:
    """Say of each region whether it is water or beside it: it touches sea, lake, river, a water region."""
    water = sum(1 << index for index, land in enumerate(dry) if not land)
    wet = [bool((mask | 1 << index) & water) for index, mask in enumerate(near)]
    for position, id in enumerate(side.water_touches):
        wet[_known(ids, id, f"{where}.water_touches.{position}")] = True
    for pair in side.river_between:
        for id in pair:
            wet[ids.index(id)] = True
    return wet


def _members(mask: int) -> Iterator[int]:
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


# Exploration tokens


def _write_tokens(target: np.record, kinds: Mapping[str, Mapping[str, Any]], players: int) -> None:
    if len(kinds) > TOKENS:
        raise ScenarioError(
            f"{len(kinds)} kinds of token are too many", where="tokens", remedy=f"{TOKENS} have room"
        )
    target["token_kinds"] = len(kinds)
    blanks = 0
    for index, (key, entry) in enumerate(kinds.items()):
        token = _write_token(target["tokens"][index], entry, f"tokens.{key}")
        blanks += 0 if token.effects else token.count
    if not target["exploration"]:
        return
    if target["blanks_out"] > blanks:
        raise ScenarioError(
            f"there are {blanks} blank tokens", where="rules.blanks_out", remedy=f"give at most {blanks}"
        )
    there = int(target["tokens"]["count"].sum() - target["blanks_out"])
    if target["home_tokens"] * players > there:
        raise ScenarioError(
            f"{there} tokens are too few for {players} players",
            where="rules.home_tokens",
            remedy=f"give at most {there // players}, or more tokens",
        )


def _write_token(target: np.record, entry: Mapping[str, Any], where: str) -> entries.Token:
    """Write one kind of token into the table and return its checked entry."""
    from balance.games.tiny_epic_kingdoms import entries

    token = _checked(entries.Token, entry, where)
    target["count"] = token.count
    for position, effect in enumerate(token.effects):
        _add_token_effect(target, effect, f"{where}.effects.{position}")
    if target["keep"] and target["stays"]:
        raise ScenarioError(
            "a token that is kept cannot stay on the map as well",
            where=f"{where}.effects",
            remedy="leave out 'keep', or all effects of a token that lies open",
        )
    return token


def _add_token_effect(target: np.record, entry: Mapping[str, Any], where: str) -> None:
    name = entry.get("effect")
    if not isinstance(name, str):
        raise ScenarioError(
            "does not name its effect", where=where, remedy='write { effect = "gain", amount = 1 }'
        )
    if name not in TOKEN_EFFECTS:
        raise ScenarioError(
            f"there is no effect '{name}'", where=f"{where}.effect", remedy=nearest(name, TOKEN_EFFECTS)
        )
    effect = TOKEN_EFFECTS[name]
    for key in entry:
        if key != "effect" and (effect.flag or key != "amount"):
            raise ScenarioError(f"'{name}' takes no '{key}'", where=f"{where}.{key}", remedy="leave it out")
    if target[name]:
        raise ScenarioError("the token has this effect already", where=where, remedy="keep one of the two")
    target[name] = 1 if effect.flag else _whole(entry, "amount", 1, effect.high, where)
    target["stays"] |= effect.stays


# What Pydantic finds, in one line


def _checked(model: type[Model], entry: Any, where: str) -> Model:
    """Return `entry` as a `model`, or raise its first mistake as a ScenarioError."""
    from pydantic import ValidationError

    try:
        return model.model_validate(entry)
    except ValidationError as error:
        found = error.errors(include_url=False)
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])
    key = ".".join(str(part) for part in first["loc"])
    known = list(model.model_fields)
    if first["type"] == "missing":
        raise ScenarioError(f"'{key}' is missing", where=where, remedy='write it, or start by like = "..."')
    where = f"{where}.{key}" if key else where
    if first["type"] == "extra_forbidden":
        raise ScenarioError(f"there is no key '{key}'", where=where, remedy=nearest(key, known))
    raise ScenarioError(f"{toml.brief(first['input'])} will not do", where=where, remedy=_remedy(first))


def _remedy(error: Mapping[str, Any]) -> str:
    """Say what Pydantic would have taken."""
    if error["type"] == "literal_error":
        return nearest(str(error["input"]), re.findall(r"'([^']+)'", error["ctx"]["expected"]))
    return _WANTED.get(error["type"]) or toml.wanted(error)
