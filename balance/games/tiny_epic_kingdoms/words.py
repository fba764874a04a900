"""Tiny Epic Kingdoms in words: the acts; what comes of them is told in `story`, the table in `positions`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from balance.cell import Cell
from balance.games.tiny_epic_kingdoms import acts
from balance.games.tiny_epic_kingdoms.acts import GOODS
from balance.games.tiny_epic_kingdoms.names import place, resources
from balance.games.tiny_epic_kingdoms.positions import lay, read, show
from balance.games.tiny_epic_kingdoms.powers import ACTION_NAMES, RESOURCE_NAMES
from balance.games.tiny_epic_kingdoms.state import CHOOSE_ACTION, PLACE_TOKEN, PLACES, REGIONS, RESOURCES
from balance.games.tiny_epic_kingdoms.story import tell
from balance.words import titled

__all__ = ["heading", "lay", "read", "say", "show", "tell"]

Words = Callable[[np.record, int, Cell], str]


def heading(state: np.record, cell: Cell) -> str:
    """Name the part of the game: the set-up is none of the turns."""
    playing = state.phase >= CHOOSE_ACTION and state.phase != PLACE_TOKEN
    return f"Turn {state.turn + 1}" if playing else "Set-up"


def say(state: np.record, act: int, cell: Cell) -> str:
    """Name `act` as `state.seat` would play it here; "" for a number that names nothing here."""
    kind = bisect_right(_STARTS, act) - 1
    start, words_of = _KINDS[kind]
    return words_of(state, act - start, cell)


def _side(state: np.record, which: int, cell: Cell) -> str:
    sides = cell.components["territories"]
    dealt = state.players[state.seat].side
    side = dealt if which == 0 else cell.rules[0].sides[dealt].other
    key = list(sides)[side]
    name = sides[key].get("name", titled(key))
    return f"keep the side {name}" if which == 0 else f"turn the card to {name}"


def _spread(state: np.record, index: int, cell: Cell) -> str:
    mana, ore = divmod(index, GOODS)
    food = int(cell.game.plain.spreadable(cell.rules[0], state.seat)) - mana - ore
    return f"start with {resources((mana, ore, food))}" if food >= 0 else ""


def _in_place(verb: str) -> Words:
    """Return the words of an act done in one region."""

    def words_of(state: np.record, region: int, cell: Cell) -> str:
        name = place(state, region, cell)
        return name and f"{verb} {name}"

    return words_of


def _settle(state: np.record, letter: int, cell: Cell) -> str:
    name = place(state, state.seat * REGIONS + letter, cell)
    return name and f"settle in {name}"


def _cover(state: np.record, letter: int, cell: Cell) -> str:
    name = place(state, state.seat * REGIONS + letter, cell)
    return name and f"place a token in {name}"


def _between(first: str, then: str) -> Words:
    """Return the words of an act that joins two regions."""

    def words_of(state: np.record, pair: int, cell: Cell) -> str:
        origin, goal = divmod(pair, PLACES)
        names = place(state, origin, cell), place(state, goal, cell)
        return f"{first} {names[0]} {then} {names[1]}" if all(names) and origin != goal else ""

    return words_of


def _keep(state: np.record, pair: int, cell: Cell) -> str:
    origin, goal = divmod(pair, PLACES)
    names = place(state, origin, cell), place(state, goal, cell)
    if not all(names):
        return ""
    if origin == goal:
        return f"keep the last meeple in {names[0]}"
    return f"keep the last meeple, from {names[0]} to {names[1]}"


def _pay(state: np.record, index: int, cell: Cell) -> str:
    return f"pay {resources((index // GOODS**2, index // GOODS % GOODS, index % GOODS))}"


def _with_mana(text: str, mana: int, resource: str) -> str:
    return f"{text} with {mana} mana for {resource}" if mana else text


def _build(state: np.record, mana: int, cell: Cell) -> str:
    return _with_mana(f"build castle level {state.players[state.seat].castle + 1}", mana, "ore")


def _research(state: np.record, index: int, cell: Cell) -> str:
    return f"research level {state.players[state.seat].magic + 1}"


def _expand(state: np.record, index: int, cell: Cell) -> str:
    region, mana = divmod(index, GOODS)
    name = place(state, region, cell)
    return name and _with_mana(f"expand in {name}", mana, "food")


def _trade(state: np.record, index: int, cell: Cell) -> str:
    pair, number = divmod(index, GOODS)
    given, got = divmod(pair, RESOURCES)
    if given == got or number == 0:
        return ""
    return f"trade {number} {RESOURCE_NAMES[given]} for {RESOURCE_NAMES[got]}"


def _trade_both(state: np.record, index: int, cell: Cell) -> str:
    ore, food = divmod(index, GOODS)
    return f"trade {ore} ore and {food} food for mana" if ore and food else ""


def _fixed(*texts: str) -> Words:
    """Return the words of acts that read the same everywhere."""
    return lambda state, index, cell: texts[index]


_KINDS: tuple[tuple[int, Words], ...] = (
    (acts.PASS, _fixed("do nothing")),
    (acts.COLLECT, _fixed("collect")),
    (acts.TAKE_SIDE, _side),
    (acts.CHOOSE, _fixed(*(f"choose {action}" for action in ACTION_NAMES))),
    (acts.SPREAD, _spread),
    (acts.SETTLE, _settle),
    (acts.GAIN, _fixed(*(f"gain 1 {resource}" for resource in RESOURCE_NAMES))),
    (acts.LOSE, _fixed(*(f"lose 1 {resource}" for resource in RESOURCE_NAMES))),
    (acts.SHOW_FLAG, _fixed("set the die to the flag")),
    (acts.SHOW, lambda state, number, cell: f"set the die to {number}"),
    (acts.STAND_FIRM, _fixed("leave the number")),
    (acts.RAISE, _fixed("raise the number")),
    (acts.PAY, _pay),
    (acts.MOVE, _between("patrol from", "to")),
    (acts.JOURNEY, _between("quest from", "to")),
    (acts.SWAP, _between("swap the meeple in", "with the one in")),
    (acts.STAND_UP, _in_place("stand the meeple up in")),
    (acts.RAISE_CASTLE, _build),
    (acts.LEARN, _research),
    (acts.GROW, _expand),
    (acts.EXCHANGE, _trade),
    (acts.EXCHANGE_BOTH, _trade_both),
    (acts.RETREAT, _between("retreat from", "to")),
    (acts.REMOVE, _in_place("remove the meeple in")),
    (acts.KEEP, _keep),
    (acts.TAKE, _fixed(*(f"take 1 {resource} from the loser" for resource in RESOURCE_NAMES))),
    (acts.LET_LIE, _fixed("let the fallen lie")),
    (acts.RISE, _in_place("raise a meeple in")),
    (acts.COVER, _cover),
    (acts.SPARE, _fixed("let the castle stand")),
    (acts.BURN, _fixed("have the castle fall")),
    (acts.RESCUE, _between("move the meeple in", "to the church in")),
)
_STARTS = [start for start, _ in _KINDS]
