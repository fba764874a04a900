"""From words to records: dominoes and building tiles, read from data files and scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from balance.errors import ScenarioError, nearest
from balance.games.queendomino.state import (
    BUILDING,
    DECK,
    DECKS,
    DOMINO,
    KINDS,
    KINGDOMINO,
    LINE,
    PER_KNIGHT,
    PER_TERRITORY,
    PER_TOWER,
    QUEENDOMINO,
    TERRAIN_NAMES,
    TILES,
)

LETTERS = "WFLGSMT"
ICONS = ("option_b", "option_a", "option_a2", "minimal")
PER = {name: PER_TERRITORY + number for number, name in enumerate(TERRAIN_NAMES)}
PER |= {"tower": PER_TOWER, "knight": PER_KNIGHT}
BUILDING_KEYS = (
    *("name", "copies", "points", "crowns", "each", "per", "tax", "at_once"),
    *("certainty", "source", "note"),
)
MOST_CROWNS = 3
MOST_POINTS = 99

TABLES = (
    ("dominoes", DOMINO, (DECKS * DECK,)),
    ("first_deck", "i4"),  # lines are drawn from these in turn
    ("second_deck", "i4"),
    ("town", "i4"),  # Queendomino's parts are in the game
    ("kingdoms", "i4"),
    ("tiles", "i4", (TILES,)),  # kind of each building tile
    ("tile_count", "i4"),
    ("kind_count", "i4"),
    ("buildings", BUILDING, (KINDS,)),
)


def kingdomino(record: np.record, components: Mapping[str, Any], players: int) -> None:
    """Fill the record for Kingdomino."""
    _table(record, players, players, (KINGDOMINO, KINGDOMINO))
    _deck(record, components, "kingdomino", KINGDOMINO)


def queendomino(record: np.record, components: Mapping[str, Any], players: int) -> None:
    """Fill the record for Queendomino."""
    _table(record, players, players, (QUEENDOMINO, QUEENDOMINO))
    _deck(record, components, "queendomino", QUEENDOMINO)
    _buildings(record, components["buildings"])


def wedding(record: np.record, components: Mapping[str, Any], players: int) -> None:
    """Fill the record for the Royal Wedding: lines come from both boxes in turn."""
    _wedding(record, components, players, players)


def pairs(record: np.record, components: Mapping[str, Any], players: int) -> None:
    """Fill the record for the Royal Wedding in pairs, two players to a kingdom."""
    _wedding(record, components, players, players // 2)


def _wedding(record: np.record, components: Mapping[str, Any], players: int, kingdoms: int) -> None:
    _table(record, players, kingdoms, (QUEENDOMINO, KINGDOMINO))
    _deck(record, components, "kingdomino", KINGDOMINO)
    _deck(record, components, "queendomino", QUEENDOMINO)
    _buildings(record, components["buildings"])


def _table(record: np.record, players: int, kingdoms: int, decks: tuple[int, int]) -> None:
    """Note the decks, and refuse lines that do not come out even."""
    record["first_deck"], record["second_deck"] = decks
    record["town"] = int(QUEENDOMINO in decks)
    record["kingdoms"] = kingdoms
    kings, line = players * int(record["kings"]), int(record["line"])
    if kings > line or kings > LINE:
        raise ScenarioError(
            f"{kings} kings cannot stand on a line of {line}",
            where="rules.line",
            remedy=f"give {kings} to {LINE}" if kings <= LINE else "give fewer kings",
        )
    used, most = int(record["dominoes_used"]), DECK * len(set(decks))
    lines = used // line
    per_deck = -(-lines // len(set(decks))) * line
    if used % line or used > most or per_deck > DECK or lines < 1:
        raise ScenarioError(
            f"{used} dominoes do not make lines of {line}",
            where="rules.dominoes_used",
            remedy=f"give a multiple of {line}, at most {most // line * line}",
        )
    if int(record["grid"]) % 2 == 0 and record["middle_kingdom"]:
        raise ScenarioError("has no middle", where="rules.grid", remedy="give 3, 5 or 7 for Middle Kingdom")


def _deck(record: np.record, components: Mapping[str, Any], key: str, deck: int) -> None:
    """Write one deck's dominoes, in the order of their numbers."""
    where, entry = f"decks.{key}", components["decks"][key]
    dominoes = entry.get("dominoes")
    if not isinstance(dominoes, (list, tuple)) or len(dominoes) != DECK:
        raise ScenarioError(
            "is no deck", where=f"{where}.dominoes", remedy=f'give {DECK} dominoes such as "W0 F1"'
        )
    numbers = range(1, DECK + 1)
    if deck == QUEENDOMINO and record["domino_numbers"] == 1:
        numbers = entry.get("numbers", {}).get("sheet", numbers)
    for place, (text, number) in enumerate(zip(dominoes, numbers, strict=True)):
        target = record["dominoes"][DECK * deck + place]
        halves = [half(one, f"{where}.dominoes") for one in str(text).split()]
        if len(halves) != 2:
            raise ScenarioError(f"'{text}' is no domino", where=f"{where}.dominoes", remedy='write "W0 F1"')
        target["number"] = number
        for side, (terrain, crowns) in enumerate(halves):
            target["terrain"][side], target["crowns"][side] = terrain, crowns
        target["double"] = int(halves[0] == halves[1])


def half(text: str, where: str) -> tuple[int, int]:
    """Read half a domino, "W1": its terrain and crowns."""
    letter, crowns = text[:1].upper(), text[1:]
    if letter not in LETTERS or not letter or not crowns.isdecimal() or int(crowns) > 9:
        raise ScenarioError(
            f"'{text}' is no half of a domino",
            where=where,
            remedy=f"write one of {LETTERS} and its crowns: W1",
        )
    return LETTERS.index(letter), int(crowns)


def _buildings(record: np.record, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the kinds of building and the tiles of the pile."""
    if len(entries) > KINDS:
        raise ScenarioError("are too many kinds", where="buildings", remedy=f"give at most {KINDS}")
    tiles: list[int] = []
    for kind, (key, entry) in enumerate(entries.items()):
        _building(record, record["buildings"][kind], entry, f"buildings.{key}")
        copies = _whole(entry, "copies", f"buildings.{key}", TILES)
        tiles += [kind] * copies
    if len(tiles) > TILES:
        raise ScenarioError(
            f"make {len(tiles)} tiles", where="buildings", remedy=f"give at most {TILES} copies in all"
        )
    record["kind_count"] = len(entries)
    record["tile_count"] = len(tiles)
    record["tiles"][: len(tiles)] = tiles


def _building(record: np.record, target: np.record, entry: Mapping[str, Any], where: str) -> None:
    for key in entry:
        if key not in BUILDING_KEYS:
            raise ScenarioError("unknown key", where=f"{where}.{key}", remedy=nearest(key, BUILDING_KEYS))
    target["points"] = _whole(entry, "points", where, MOST_POINTS)
    target["crowns"] = _whole(entry, "crowns", where, MOST_CROWNS)
    target["each"] = _whole(entry, "each", where, MOST_POINTS)
    target["per"] = _named(entry, "per", where, PER)
    taxes = _named(entry, "tax", where, {"knight": 0, "tower": 1})
    target["tax_knights"], target["tax_towers"] = int(taxes == 0), int(taxes == 1)
    gains = entry.get("at_once", {})
    if not isinstance(gains, Mapping):
        raise ScenarioError(f"{gains!r} is no table", where=f"{where}.at_once", remedy="write seen = [1, 0]")
    at_once = gains.get("seen", gains.get(ICONS[int(record["icons"])], [0, 0]))
    if not isinstance(at_once, (list, tuple)) or len(at_once) != 2:
        raise ScenarioError(
            f"{at_once!r} will not do", where=f"{where}.at_once", remedy="give [knights, towers]"
        )
    pair = dict(zip(("knights", "towers"), at_once, strict=True))
    for name in pair:
        target[name] = _whole(pair, name, f"{where}.at_once", 9)


def _whole(entry: Mapping[str, Any], key: str, where: str, most: int) -> int:
    value = entry.get(key, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ScenarioError(
            f"{value!r} will not do", where=f"{where}.{key}", remedy=f"give a whole number from 0 to {most}"
        )
    return value


def _named(entry: Mapping[str, Any], key: str, where: str, known: Mapping[str, int]) -> int:
    if key not in entry:
        return -1
    if entry[key] not in known:
        raise ScenarioError(
            f"'{entry[key]}' will not do", where=f"{where}.{key}", remedy=nearest(str(entry[key]), known)
        )
    return known[entry[key]]
