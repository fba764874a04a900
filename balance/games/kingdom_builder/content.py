"""Sections, locations and cards: from the words of TOML to the tables of the rules record.

Every mistake is found here, before a game is played, and told in one line: the dotted key, what is
wrong with it, the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from balance.errors import ScenarioError, nearest
from balance.games.kingdom_builder.house_rules import CORNERS, IN_PLAY, LEFT_OUT
from balance.games.kingdom_builder.state import (
    BUILDABLE,
    CANYON,
    CARD,
    CARD_TABLE,
    CARDS,
    CASTLE,
    DESERT,
    DIRECTIONS,
    EDGE,
    FLOWER,
    FOREST,
    GRASS,
    HEXES,
    JUMP,
    KINDS,
    LINE,
    LOCATION,
    LOCATION_TABLE,
    MOUNTAIN,
    QUADRANTS,
    SECTION,
    SECTION_TABLE,
    SECTIONS,
    SIDE,
    SPECIALS,
    TERRAINS,
    WATER,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

    Model = TypeVar("Model", bound=BaseModel)

LETTERS = {
    "G": GRASS,
    "L": FLOWER,
    "F": FOREST,
    "C": CANYON,
    "D": DESERT,
    "W": WATER,
    "M": MOUNTAIN,
    "X": LOCATION,
    "K": CASTLE,
}
PLACES = {
    "grass": GRASS,
    "flower": FLOWER,
    "forest": FOREST,
    "canyon": CANYON,
    "desert": DESERT,
    "water": WATER,
    "any": BUILDABLE,
    "card": CARD,
    "edge": EDGE,
    "line": LINE,
    "jump": JUMP,
}
# From even and from odd rows; the opposite of a direction stands beside it.
STEPS = (
    ((0, 1), (0, -1), (-1, 0), (1, -1), (-1, -1), (1, 0)),
    ((0, 1), (0, -1), (-1, 1), (1, 0), (-1, 0), (1, 1)),
)
JUMPS = ((0, 2), (0, -2), (-2, 1), (2, -1), (-2, -1), (2, 1))
TABLES = (
    ("sections", SECTION_TABLE, (2 * SECTIONS,)),  # each upright, then turned
    ("section_count", "i4"),
    ("kinds", LOCATION_TABLE, (KINDS,)),
    ("kind_count", "i4"),
    ("cards", CARD_TABLE, (CARDS,)),
    ("next_to", "i4", (HEXES, DIRECTIONS)),  # neighbours of each hex; -1 beyond the border
    ("jumps", "i4", (HEXES, DIRECTIONS)),  # the hexes exactly two away in a straight line
)


def prepare(
    target: np.record, components: Mapping[str, Mapping[str, Mapping[str, Any]]], players: int
) -> None:
    """Write the sections, locations and cards of `components` into the rules record, in place.

    Parameters
    ----------
    target
        The rules record, its rules filled in already.
    components
        Own content merged over the game's: "quadrants", "locations" and "cards", each key -> entry.
    players
        Not used: the tables are the same for all.

    Raises
    ------
    ScenarioError
        For an entry that will not do, or rules that contradict one another.
    """
    _write_kinds(target, components["locations"])
    _write_sections(target, components["quadrants"], list(components["locations"]))
    _write_cards(target, components["cards"])
    target["next_to"] = neighbours()
    target["jumps"] = jumps()
    _check_cards(target, list(components["cards"]))
    _check_map(target, list(components["quadrants"]))


def neighbours() -> np.ndarray:
    """Return the six neighbours of each hex, -1 beyond the border, shape (HEXES, DIRECTIONS)."""
    return np.array(
        [[_hex(h // SIDE, h % SIDE, step) for step in STEPS[h // SIDE % 2]] for h in range(HEXES)]
    )


def jumps() -> np.ndarray:
    """Return the hexes exactly two away in a straight line, in the same order as the neighbours."""
    return np.array([[_hex(h // SIDE, h % SIDE, jump) for jump in JUMPS] for h in range(HEXES)])


def _hex(row: int, column: int, step: tuple[int, int]) -> int:
    row, column = row + step[0], column + step[1]
    return row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else -1


# Sections


def _write_sections(
    target: np.record, sections: Mapping[str, Mapping[str, Any]], locations: list[str]
) -> None:
    from balance.games.kingdom_builder.entries import Section

    _refuse_too_many("quadrants", sections, SECTIONS)
    target["section_count"] = len(sections)
    for number, (key, entry) in enumerate(sections.items()):
        where = f"quadrants.{key}"
        section = _checked(Section, entry, where)
        if section.location not in locations:
            raise ScenarioError(
                f"there is no location '{section.location}'",
                where=f"{where}.location",
                remedy=nearest(section.location, locations),
            )
        terrain = np.array([[LETTERS[letter] for letter in row] for row in section.rows])
        specials = int((terrain >= LOCATION).sum())
        if specials > SPECIALS:
            raise ScenarioError(
                f"has {specials} locations and castles", where=f"{where}.rows", remedy=f"{SPECIALS} have room"
            )
        kind = locations.index(section.location)
        _write_section(target["sections"][2 * number], terrain, kind)
        _write_section(target["sections"][2 * number + 1], terrain[::-1, ::-1], kind)


def _write_section(table: np.record, terrain: np.ndarray, kind: int) -> None:
    """Write one section as it lies: `terrain` is (SECTION, SECTION) kinds of hex."""
    bits = 1 << np.arange(SECTION)
    table["location"] = kind
    table["terrain"] = terrain.ravel()
    for of in (*range(TERRAINS), WATER, MOUNTAIN, LOCATION, CASTLE):
        table["rows"][of] = ((terrain == of) * bits).sum(axis=1)
    table["rows"][BUILDABLE] = ((terrain < TERRAINS) * bits).sum(axis=1)
    found = np.argwhere(terrain >= LOCATION)
    table["specials"] = len(found)
    table["special_on"] = 0
    table["castles"] = 0
    for special, (row, column) in enumerate(found):
        table["special_at"][special] = row * SECTION + column
        table["castles"] |= int(terrain[row, column] == CASTLE) << special
        table["special_on"][row * SECTION + column] = 1 << special


# Locations and cards


def _write_kinds(target: np.record, locations: Mapping[str, Mapping[str, Any]]) -> None:
    from balance.games.kingdom_builder.entries import Location

    _refuse_too_many("locations", locations, KINDS)
    target["kind_count"] = len(locations)
    for number, (key, entry) in enumerate(locations.items()):
        location = _checked(Location, entry, f"locations.{key}")
        if location.use == "build" and location.on in ("jump", "water"):
            raise ScenarioError(
                f"nothing can be built on '{location.on}'",
                where=f"locations.{key}.on",
                remedy='set use = "move", or name another place',
            )
        target["kinds"][number] = (location.use == "move", PLACES[location.on], location.adjacent)


def _write_cards(target: np.record, cards: Mapping[str, Mapping[str, Any]]) -> None:
    from balance.games.kingdom_builder.entries import Card

    if len(cards) > CARDS:
        raise ScenarioError(
            "what a new card counts cannot be said",
            where=f"cards.{list(cards)[CARDS]}",
            remedy=f"change one of {', '.join(list(cards)[:CARDS])}",
        )
    for number, (key, entry) in enumerate(cards.items()):
        card = _checked(Card, entry, f"cards.{key}")
        target["cards"][number] = (card.gold, card.second, card.per)


# Rules that must fit one another


def _check_cards(target: np.record, cards: list[str]) -> None:
    """Refuse more cards in play than a game has, or too few left to draw from."""
    ways = [int(target[f"card_{card}"]) for card in cards]
    most, inside, left = int(target["cards_in_play"]), ways.count(IN_PLAY), CARDS - ways.count(LEFT_OUT)
    if inside > most:
        raise ScenarioError(
            f"{inside} cards are in play, but a game has {most}",
            where="rules.card_" + cards[ways.index(IN_PLAY)],
            remedy=f"put at most {most} in play, or raise cards_in_play",
        )
    if left < most:
        raise ScenarioError(
            f"only {left} cards are left for a game with {most}",
            where="rules.card_" + cards[ways.index(LEFT_OUT)],
            remedy="leave fewer out, or lower cards_in_play",
        )


def _check_map(target: np.record, sections: list[str]) -> None:
    """Refuse a section that lies in two places."""
    lying: dict[int, str] = {}
    for corner in CORNERS:
        section = int(target[corner])
        if section in lying and section >= 0:
            raise ScenarioError(
                f"{sections[section]} lies at the {lying[section].replace('_', ' ')} already",
                where=f"rules.{corner}",
                remedy="name another section",
            )
        lying[section] = corner
    if len(sections) < QUADRANTS:
        raise ScenarioError("too few sections", where="quadrants", remedy=f"a board has {QUADRANTS}")


# Entries


def _refuse_too_many(kind: str, entries: Mapping[str, Any], most: int) -> None:
    if len(entries) > most:
        raise ScenarioError(f"{len(entries)} {kind} are too many", where=kind, remedy=f"{most} have room")


def _checked(model: type[Model], entry: Mapping[str, Any], where: str) -> Model:
    """Return `entry` as a `model`; the first thing that will not do is the error."""
    from pydantic import ValidationError

    try:
        return model.model_validate(dict(entry))
    except ValidationError as found:
        error = found.errors()[0]
    path = ".".join([where, *map(str, error["loc"])])
    name = str(error["loc"][-1])
    if error["type"] == "extra_forbidden":
        raise ScenarioError(f"there is no '{name}'", where=path, remedy=nearest(name, model.model_fields))
    if error["type"] == "missing":
        raise ScenarioError(f"'{name}' is missing", where=where, remedy='write it, or start by like = "..."')
    raise ScenarioError(f"{error['input']!r} will not do", where=path, remedy="; ".join(_wanted(error)))


def _wanted(error: Any) -> Iterator[str]:
    """Say what would do in place of what `error` found."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":
        yield f"give {context['expected']}"
    elif kind == "string_pattern_mismatch":
        yield f"give ten letters of {''.join(LETTERS)}"
    elif kind in ("too_short", "too_long"):
        yield f"give {SECTION} rows"
    else:
        yield error["msg"].replace("Input should be", "give")
