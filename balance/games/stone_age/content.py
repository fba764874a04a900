"""Cards, buildings and markets: from the words of TOML to the tables of the rules record.

Every mistake is found here, before a game is played, and told in one line: the dotted key, what is
wrong with it, the remedy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import ScenarioError, nearest
from balance.games import Word, load_components
from balance.games.stone_age import state as table

RESOURCE_NAMES = ("wood", "brick", "stone", "gold")
GOOD_NAMES = (*RESOURCE_NAMES, "jewellery")
SYMBOL_NAMES = (
    "healing",
    "art",
    "writing",
    "pottery",
    "time",
    "transport",
    "music",
    "weaving",
    "ring",
)
PEOPLE_NAMES = ("farmer", "toolmaker", "builder", "shaman", "trader")
SETS = ("base", "expansion", "new_huts")
CERTAINTIES = ("seed", "public", "reconstructed", "unknown", "own", "ruling")
MOST = 20  # of anything that a card or a building names


@dataclass(frozen=True)
class Effect:
    """A word for what cards, buildings and markets give: its number, its bounds, whether it names a resource."""

    gives: int
    note: str
    most: int = 0  # 0: it takes no amount
    resource: bool = False
    of: tuple[str, ...] = ("cards", "buildings", "markets")


EFFECTS = {
    "food": Effect(table.GAIN_FOOD, "that much food", MOST),
    "resource": Effect(table.GAIN_RESOURCE, "that many of a resource", MOST, True),
    "choice": Effect(table.GAIN_CHOICE, "that many resources of choice, at once", 5),
    "choice_kept": Effect(
        table.KEEP_CHOICE, "that many resources of choice, all at once, now or later", 5, of=("cards",)
    ),
    "jewellery": Effect(table.GAIN_JEWELLERY, "that much jewellery", MOST),
    "tool": Effect(table.GAIN_TOOL, "that many steps of tools", 3),
    "one_use_tool": Effect(table.GAIN_ONE_USE, "a tool of that value, to be used once", 6, of=("cards",)),
    "figure": Effect(table.GAIN_FIGURE, "that many figures", 5),
    "points": Effect(table.GAIN_POINTS, "that many points", MOST),
    "agriculture": Effect(table.STEP_FIELD, "that many steps of agriculture", 5),
    "trade": Effect(table.STEP_TRADE, "an advance on the trade track by that many steps", 5),
    "card": Effect(table.DRAW_CARD, "the top card of the deck, its lower half only"),
    "roll": Effect(table.ROLL_RESOURCE, "a roll of that many dice for a resource", 10, True, of=("cards",)),
    "market": Effect(table.MARKET, "a market: a die for each player", of=("cards", "buildings")),
    "style_market": Effect(
        table.STYLE_MARKET, "a style market: a die for each player", of=("cards", "buildings")
    ),
    "private": Effect(
        table.PRIVATE_PLACE,
        "a private place: so many pips for each of a resource",
        36,
        True,
        of=("buildings",),
    ),
    "income": Effect(
        table.INCOME,
        "each round, before figures are resolved, that many of a resource",
        5,
        True,
        ("buildings",),
    ),
}
_ABOUT = ("certainty", "source", "note")
FOLDER = Path(__file__).parent / "data"
COMPONENTS = load_components(FOLDER, "cards", "buildings", "markets")


def _card_bars() -> dict[str, str]:
    """Name each card that can be barred; two copies of a card are one."""
    found: dict[str, str] = {}
    for key, card in COMPONENTS["cards"].items():
        copies = ", copy " in card["name"]
        found[key[:-2] if copies else key] = f"never takes {card['name'].split(', copy ')[0]}"
    return found


CARD_BARS = _card_bars()
OTHER_BARS = {
    "hut": "never goes to the hut",
    "tool_maker": "never goes to the tool maker",
    "field": "never goes to the field",
    "trader": "never goes to the trader",
    "trade": "never trades",
    "extra_card": "never buys the extra card of the fifth place",
    "cards": "never takes a civilization card",
    "green_cards": "never takes a card with a symbol",
    "sand_cards": "never takes a card with people",
    "buildings": "never builds",
    "fixed_buildings": "never builds for a fixed cost",
    "open_buildings": "never builds for 1 to 7 resources",
    "kinds_buildings": "never builds for 4 or 5 resources of so many kinds",
    "jewellery_house": "never builds the jewellery house",
    "card_houses": "never builds a card house",
    "style_houses": "never builds a style market house",
    "private_places": "never builds a private place",
    "income_huts": "never builds the New Huts that bring resources each round",
    "gift_huts": "never builds the New Huts that bring a figure, a tool or agriculture",
}
BARS = (*OTHER_BARS.items(), *CARD_BARS.items())
BAR_NAMES = [name for name, _ in BARS]
TITLE = "What cards (top), buildings (effect) and markets (faces) give"


def vocabulary() -> tuple[Word, ...]:
    """Return each effect with its note and an example that can be pasted."""
    return tuple(
        Word(name, f"{effect.note} ({', '.join(effect.of)})", _example(name, effect))
        for name, effect in EFFECTS.items()
    )


def _example(name: str, effect: Effect) -> str:
    parts = [f'effect = "{name}"']
    if effect.resource:
        parts.append('resource = "wood"')
    if effect.most:
        parts.append("amount = 2")
    return f"{{ {', '.join(parts)} }}"


def prepare(
    target: np.record, components: Mapping[str, Mapping[str, Mapping[str, Any]]], players: int
) -> None:
    """Write cards, buildings and markets into the rules record, in place.

    Raises
    ------
    ScenarioError
        For an entry that will not do, five players without the expansion, or too few components.
    """
    expansion = bool(target["expansion"])
    if players == table.SEATS and not expansion:
        raise ScenarioError(
            "the base game takes 2 to 4 players", where="rules.expansion", remedy="leave it true for five"
        )
    sets = {"base": True, "expansion": expansion, "new_huts": bool(target["new_huts"])}
    cards, tiles = components["cards"], components["buildings"]
    for kind, entries, room in (("cards", cards, table.CARDS), ("buildings", tiles, table.TILES)):
        if len(entries) > room:
            raise ScenarioError(
                f"{len(entries)} are too many", where=kind, remedy=f"there is room for {room}"
            )
    target["cards_all"], target["tiles_all"] = len(cards), len(tiles)
    for index, (key, entry) in enumerate(cards.items()):
        _write_card(target["cards"][index], entry, f"cards.{key}", sets)
    for index, (key, entry) in enumerate(tiles.items()):
        _write_tile(target["tiles"][index], entry, f"buildings.{key}", sets)
    _write_card_prices(target)
    for market, key in enumerate(("market", "style_market")):
        _write_faces(target["faces"][market], components["markets"][key], f"markets.{key}")
    for key in components["markets"]:
        if key not in ("market", "style_market"):
            raise ScenarioError(
                f"there is no market '{key}'",
                where=f"markets.{key}",
                remedy=nearest(key, ("market", "style_market")),
            )
    _check_numbers(target, players, expansion)


def _write_card_prices(target: np.record) -> None:
    """Write what the places of the cards cost, as tiles that give nothing."""
    prices = target["tiles"][table.TILES :]
    for place, number in enumerate(target["card_price"]):
        prices[place]["least"] = prices[place]["most"] = number
    prices[table.CARD_PLACES - 1]["cost"][table.JEWELLERY] = target["fifth_price"]
    prices[table.CARD_PLACES]["cost"][table.JEWELLERY] = target["extra_price"]


def _check_numbers(target: np.record, players: int, expansion: bool) -> None:
    """Refuse too few cards or buildings, and more private places or one-use tools than there is room for."""
    cards, tiles = target["cards"], target["tiles"]
    shown = table.CARD_PLACES if expansion else table.CARD_PLACES - 1
    needed = {
        "cards": (shown, int(cards["in_play"].sum())),
        "buildings": (players * int(target["stack_height"]), int(tiles["in_play"].sum())),
    }
    for kind, (least, there) in needed.items():
        if there < least:
            raise ScenarioError(
                f"{there} are in play", where=kind, remedy=f"{least} are needed; see rules.stack_height"
            )
    for kind, gives, most in (
        ("buildings", table.PRIVATE_PLACE, table.PRIVATE),
        ("cards", table.GAIN_ONE_USE, table.ONE_USE),
    ):
        entries = target["cards" if kind == "cards" else "tiles"]
        there = int(((entries["gives"] == gives) & (entries["in_play"] != 0)).sum())
        if there > most:
            name = next(name for name, effect in EFFECTS.items() if effect.gives == gives)
            raise ScenarioError(
                f"{there} have the effect '{name}'", where=kind, remedy=f"at most {most} may be in play"
            )


def _write_card(target: np.record, entry: Mapping[str, Any], where: str, sets: Mapping[str, bool]) -> None:
    _only(entry, ("name", "set", "bottom", "people", "top", *_ABOUT), where)
    bottom = _word(entry, "bottom", (*SYMBOL_NAMES, *PEOPLE_NAMES), where)
    target["in_play"] = sets[_word(entry, "set", SETS, where)]
    target["symbol"] = target["person"] = table.NONE
    if bottom in SYMBOL_NAMES:
        target["symbol"] = SYMBOL_NAMES.index(bottom)
        if "people" in entry:
            raise ScenarioError(
                "a green card has none", where=f"{where}.people", remedy="take it out, or name people"
            )
    else:
        target["person"] = PEOPLE_NAMES.index(bottom)
        target["people"] = _whole(entry, "people", 1, MOST, where)
    _write_effect(target, entry.get("top"), f"{where}.top", "cards")
    target["bar"] = bar_of_card(where.removeprefix("cards."))


def _write_tile(target: np.record, entry: Mapping[str, Any], where: str, sets: Mapping[str, bool]) -> None:
    known = ("name", "set", "cost", "any", "kinds", "jewellery", "jewellery_points", "points", "effect")
    _only(entry, (*known, *_ABOUT), where)
    target["in_play"] = sets[_word(entry, "set", SETS, where)]
    cost = entry.get("cost", {})
    if not isinstance(cost, Mapping):
        raise ScenarioError(f"{cost!r} will not do", where=f"{where}.cost", remedy="write { wood = 2 }")
    _only(cost, GOOD_NAMES, f"{where}.cost")
    target["cost"] = [_whole(cost, good, 0, 7, f"{where}.cost", 0) for good in GOOD_NAMES]
    free = entry.get("any", [0, 0])
    right = isinstance(free, Sequence) and len(free) == 2 and all(type(n) is int for n in free)
    if not right or not 0 <= free[0] <= free[1] <= 7:
        raise ScenarioError(
            f"{free!r} will not do", where=f"{where}.any", remedy="give fewest and most, as [1, 7]"
        )
    target["least"], target["most"] = free
    target["kinds"] = _whole(entry, "kinds", 0, table.RESOURCES, where, 0)
    target["jewels"] = _whole(entry, "jewellery", 0, 7, where, 0)
    target["jewel_points"] = _whole(entry, "jewellery_points", 0, MOST, where, 0)
    target["points"] = _whole(entry, "points", 0, 50, where, 0)
    target["points_follow"] = free[1] > 0 or target["jewels"] > 0
    ways = [any(cost.values()), free[1] > 0, target["jewels"] > 0]
    if sum(ways) > 1:
        raise ScenarioError(
            "has several ways of being paid", where=where, remedy="keep one of cost, any and jewellery"
        )
    if target["kinds"] > free[0]:
        raise ScenarioError(
            f"{free[0]} resources have no {target['kinds']} kinds", where=f"{where}.kinds", remedy="lower it"
        )
    if "effect" in entry:
        _write_effect(target, entry["effect"], f"{where}.effect", "buildings")
    target["bar"] = BAR_NAMES.index(_bar_of_tile(target))


def bar_of_card(key: str) -> int:
    """Return the number of the bar that a card falls under, by its key; copies share one."""
    for name in (key, key[:-2]):
        if name in CARD_BARS:
            return BAR_NAMES.index(name)
    return table.NONE


def _bar_of_tile(tile: np.record) -> str:
    """Return the bar that a building falls under: by what it does, or how it is paid."""
    by_effect = {
        table.PRIVATE_PLACE: "private_places",
        table.DRAW_CARD: "card_houses",
        table.STYLE_MARKET: "style_houses",
        table.INCOME: "income_huts",
    }
    if tile["gives"] in by_effect:
        return by_effect[int(tile["gives"])]
    if tile["gives"] != table.NOTHING:
        return "gift_huts"
    if tile["jewels"]:
        return "jewellery_house"
    if tile["kinds"]:
        return "kinds_buildings"
    return "open_buildings" if tile["most"] else "fixed_buildings"


def _write_faces(target: np.recarray, entry: Mapping[str, Any], where: str) -> None:
    _only(entry, ("name", "faces", *_ABOUT), where)
    faces = entry.get("faces")
    if not isinstance(faces, list) or len(faces) != table.FACES:
        raise ScenarioError("has not six faces", where=f"{where}.faces", remedy="list an effect for each")
    for index, face in enumerate(faces):
        _write_effect(target[index], face, f"{where}.faces.{index}", "markets")


def _write_effect(target: np.record, entry: Any, where: str, kind: str) -> None:
    """Write what `entry` gives, in the words of EFFECTS."""
    known = [name for name, effect in EFFECTS.items() if kind in effect.of]
    if not isinstance(entry, Mapping) or not isinstance(entry.get("effect"), str):
        raise ScenarioError(
            "does not name its effect", where=where, remedy='write { effect = "food", amount = 2 }'
        )
    if entry["effect"] not in known:
        raise ScenarioError(
            f"there is no effect '{entry['effect']}' of {kind}",
            where=f"{where}.effect",
            remedy=nearest(entry["effect"], known),
        )
    effect = EFFECTS[entry["effect"]]
    _only(entry, ("effect", "amount", "resource"), where)  # what `like` leaves over does no harm
    target["gives"] = effect.gives
    target["amount"] = _whole(entry, "amount", 1, effect.most, where) if effect.most else 1
    if effect.resource:
        target["resource"] = RESOURCE_NAMES.index(_word(entry, "resource", RESOURCE_NAMES, where))


def _only(entry: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in entry:
        if key not in known:
            raise ScenarioError(
                f"there is no key '{key}'", where=f"{where}.{key}", remedy=nearest(key, known)
            )
    if "certainty" in entry and entry["certainty"] not in CERTAINTIES:
        raise ScenarioError(
            f"{entry['certainty']!r} will not do",
            where=f"{where}.certainty",
            remedy=nearest(str(entry["certainty"]), CERTAINTIES),
        )


def _word(entry: Mapping[str, Any], key: str, menu: Sequence[str], where: str) -> str:
    if key not in entry:
        raise ScenarioError(f"'{key}' is missing", where=where, remedy=f"one of: {', '.join(menu)}")
    if entry[key] not in menu:
        raise ScenarioError(
            f"there is no {key} {entry[key]!r}", where=f"{where}.{key}", remedy=nearest(str(entry[key]), menu)
        )
    return entry[key]


def _whole(
    entry: Mapping[str, Any], key: str, low: int, high: int, where: str, default: int | None = None
) -> int:
    value = entry.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        what = f"'{key}' is missing" if value is None else f"{value!r} will not do"
        raise ScenarioError(what, where=f"{where}.{key}", remedy=f"give a whole number from {low} to {high}")
    return value
