"""What can do nothing in a game as it is set up: levels of nations that wait for what never comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.games.tiny_epic_kingdoms.content import level_table
from balance.games.tiny_epic_kingdoms.powers import EFFECTS, TERRAIN_NAMES
from balance.games.tiny_epic_kingdoms.scoring import RUINS_LOSE_NONE
from balance.words import listed, titled

Missing = Callable[[np.record, set[str], Mapping[str, Any]], str]


def _always(holds: Callable[[np.record], bool], why: str) -> Missing:
    """Return the test of a need that hangs on the rules alone."""
    return lambda rules, found, effect: "" if holds(rules) else why


NEEDS: dict[str, Missing] = {
    "alliances": _always(lambda rules: rules.two_flags == 0, "two flags make no alliance"),
    "water": lambda rules, found, effect: (
        "" if "near water" in found else "no territory in play has water or a river"
    ),
    "water to stand in": lambda rules, found, effect: (
        "" if "water" in found else "no territory in play has water"
    ),
    "ruins": lambda rules, found, effect: "" if "ruins" in found else "no territory in play has ruins",
    "meeples lost in ruins": _always(
        lambda rules: rules.ruins_score != RUINS_LOSE_NONE, "no meeple is lost in ruins"
    ),
    "a price of retreats": _always(lambda rules: rules.retreat_food > 0, "retreats cost nothing"),
    "mana that pays for war": _always(lambda rules: rules.war_mana > 0, "mana pays for no war"),
    "food worth less in war": lambda rules, found, effect: (
        "" if rules.war_food < effect.get("amount", 1) else f"all food is worth {rules.war_food} in war"
    ),
}
"""Need -> what is missing, in words; "" if nothing is. Each effect names its needs in `EFFECTS`."""


def notes(cell: Cell, levels: Mapping[str, Sequence[str]]) -> list[str]:
    """Say which levels of the nations in play can do nothing in this cell, or only a part of what they say.

    Parameters
    ----------
    levels
        The keys in play of each factor: nations, territories.
    """
    rules = cell.rules[0]
    found = _terrains(cell, levels["territory"])
    lines = []
    for key in levels["nation"]:
        entry = cell.components["nations"][key]
        whole: dict[str, list[str]] = {}
        for number, level in level_table(entry["levels"]).items():
            effects = level.get("effects", [])
            dead = [why for effect in effects if (why := missing(rules, found, effect))]
            if dead:
                reason = listed(dict.fromkeys(dead))
                part = "" if len(dead) == len(effects) else " in part"
                whole.setdefault(reason + part, []).append(number)
        name = entry.get("name", titled(key))
        lines += [_sentence(name, numbers, reason) for reason, numbers in whole.items()]
    return lines


def _sentence(name: str, numbers: Sequence[str], reason: str) -> str:
    part = reason.endswith(" in part")
    levels = f"level{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
    does = "can do only a part of what it says" if part else "can do nothing"
    if len(numbers) > 1 and part:
        does = "can do only a part of what they say"
    return f"{name}: {levels} {does} here, since {reason.removesuffix(' in part')}."


def missing(rules: np.record, found: set[str], effect: Mapping[str, Any]) -> str:
    """Say in words what an effect lacks to do anything; "" if nothing.

    Parameters
    ----------
    found
        The terrains of the territories in play, and "near water".
    """
    word = EFFECTS[effect["effect"]]
    terrain = effect.get("terrain")
    if terrain is not None and terrain not in found:
        return f"no territory in play has {'a ' * (terrain not in PLURALS)}{terrain}"
    return next((why for need in word.needs if (why := NEEDS[need](rules, found, effect))), "")


PLURALS = ("plains", "ruins", "water")


def _terrains(cell: Cell, territories: Sequence[str]) -> set[str]:
    """Return the terrains that can be on the table, and "near water"; a card may be turned."""
    sides, keys = cell.rules[0].sides, list(cell.components["territories"])
    indices = {keys.index(key) for key in territories}
    if cell.rules[0].side_choice:
        indices |= {int(sides[index].other) for index in indices}
    if cell.rules[0].lost_kingdom:
        indices |= {index for index in range(len(keys)) if sides[index].may_be_lost}
    return set(_of_sides(sides[sorted(indices)]))


def _of_sides(sides: np.recarray) -> Iterator[str]:
    for side in sides:
        yield from (TERRAIN_NAMES[terrain] for terrain in side.terrain[: side.regions])
        if side.wet.any():
            yield "near water"
