"""Territory sides drawn at random, under what is known of the printed ones, and sides in words.

Known: a side has five regions of land, forest and mountain among them; some have a capital, some
ruins; rivers part regions; water and crags cannot be entered; all sides are alike but for small
differences of layout. Assumed beside that, as of the reconstructed sides: at most one region lies
inside, no more than one border is cut, and each side has plains.

A side is drawn as a ring of regions round the card's rim, or as four of them round an inner one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance import dice, records
from balance.games import drawn_key
from balance.games.tiny_epic_kingdoms.state import TERRITORIES
from balance.words import listed, titled

OPTIONS = {"ruins": 0.5, "capitals": 0.3, "plains": 1.0, "inner": 0.4}  # parts of the sides that have them
CUT = 0.7  # part of the sides on which one border is cut
CUTS = ("river", "river", "water", "crags")
CHORD = 0.5  # part of the sides without an inner region on which two regions touch across the middle
SHORE = 0.6  # part of the sides by the sea
LETTERS = "abcde"
PURPOSE = 3584  # the random stream of this generator
SOURCE = "drawn at random under what is known of the printed sides"


def places(players: int) -> int:
    """Return how many sides a layout has: one a player, and one for the Lost Kingdom if there is room."""
    return min(players + 1, TERRITORIES)


def draw(seed: int, layout: int, place: int, players: int, options: Mapping[str, float]) -> dict[str, Any]:
    """Draw the side at `place` of layout number `layout`: an entry as in `data/territories.toml`.

    The place after those of the players is the Lost Kingdom's.

    Parameters
    ----------
    options
        Parts of the sides with `ruins`, with a capital, with `plains` for certain (else by luck),
        and with an inner region.
    """
    chance = _Chance(seed, layout, place)
    ring, inner = list(LETTERS), ""
    if chance.happens(options["inner"]):
        inner = ring.pop()
    regions = {
        region: {"terrain": terrain, "edge": region != inner}
        for region, terrain in zip(LETTERS, _terrain(chance, options), strict=True)
    }
    borders = _borders(ring)
    side: dict[str, Any] = {
        "name": f"Drawn {layout}.{place}",
        "certainty": "generated",
        "source": f"{SOURCE}, seed {seed}",
        "adjacent": [],
        "river_between": [],
        "water_touches": [],
        "crags_touch": [],
        "regions": regions,
    }
    if chance.happens(CUT):
        _cut(chance, side, borders.pop(chance.below(len(borders))))
    if inner:
        borders += [(region, inner) for region in ring]
    elif chance.happens(CHORD):
        first = chance.below(len(ring))
        borders.append((ring[first], ring[(first + 2) % len(ring)]))
    side["adjacent"] = [list(border) for border in borders]
    if chance.happens(SHORE):
        _shore(chance, side, ring)
    if place <= players < places(players):
        side["lost_beside"] = drawn_key(layout, players + 1)
    return side


class _Chance:
    """The random numbers of one side, which follow from seed, layout and place alone."""

    def __init__(self, seed: int, layout: int, place: int) -> None:
        self.stream = records.make(dice.STREAM)[0]
        dice.start(self.stream, seed, layout, PURPOSE + place)

    def below(self, number: int) -> int:
        return int(dice.below(self.stream, number))

    def happens(self, part: float) -> bool:
        return float(dice.unit(self.stream)) < part


def _terrain(chance: _Chance, options: Mapping[str, float]) -> list[str]:
    """Draw five terrains: forest and mountain, what the options ask for, and what falls."""
    terrain = ["forest", "mountain"]
    terrain += [
        word
        for word, option in (("plains", "plains"), ("ruins", "ruins"), ("capital", "capitals"))
        if chance.happens(options[option])
    ]
    while len(terrain) < len(LETTERS):
        terrain.append(("forest", "mountain", "plains")[chance.below(3)])
    dice.shuffle(chance.stream, terrain, len(terrain))
    return terrain


def _borders(ring: Sequence[str]) -> list[tuple[str, str]]:
    return [(one, ring[(place + 1) % len(ring)]) for place, one in enumerate(ring)]


def _cut(chance: _Chance, side: dict[str, Any], border: tuple[str, str]) -> None:
    """Part two neighbours by a river, water or crags."""
    kind = CUTS[chance.below(len(CUTS))]
    if kind == "river":
        side["river_between"] = [list(border)]
    elif kind == "water":
        side["water_touches"] = list(border)
    else:
        side["crags_touch"] = list(border)


def _shore(chance: _Chance, side: dict[str, Any], ring: Sequence[str]) -> None:
    """Let the sea touch one to three neighbours on the rim."""
    first, length = chance.below(len(ring)), 1 + chance.below(3)
    touched = {ring[(first + step) % len(ring)] for step in range(length)}
    side["water_touches"] = sorted(touched | set(side["water_touches"]))


# In words


def described(key: str, side: Mapping[str, Any]) -> str:
    """Draw a side in one line: its regions, who touches whom, what parts them."""
    parts = [listed(_regions(side)), f"borders {', '.join('-'.join(pair) for pair in side['adjacent'])}"]
    parts += [f"a river between {' and '.join(pair)}" for pair in side.get("river_between", [])]
    parts += [f"{what} at {listed(side[where])}" for where, what in _TOUCHED.items() if side.get(where)]
    return f"{side.get('name', titled(key))}: {'; '.join(parts)}"


_TOUCHED = {"water_touches": "water", "crags_touch": "crags"}


def _regions(side: Mapping[str, Any]) -> Iterator[str]:
    for letter, region in side["regions"].items():
        yield f"{letter} {region['terrain']}{'' if region.get('edge', True) else ' (inner)'}"
