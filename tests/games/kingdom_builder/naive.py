"""The rules once more, slow and obvious, on sets of (row, column): what the fast ones are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Hex = tuple[int, int]
SIDE = 20
LAND = "GLFCD"


def board(sections: Iterable[tuple[list[str], bool]]) -> dict[Hex, str]:
    """Lay four sections, each with whether it is turned: the letter of each hex."""
    laid = {}
    for quadrant, (rows, turned) in enumerate(sections):
        rows = [row[::-1] for row in rows[::-1]] if turned else rows
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                laid[10 * (quadrant // 2) + r, 10 * (quadrant % 2) + c] = letter
    return laid


def middle(spot: Hex) -> tuple[int, int]:
    """The middle of a hex, in half widths from the left and in rows: odd rows are shifted right by half."""
    return 2 * spot[1] + spot[0] % 2, spot[0]


def adjacent(one: Hex, other: Hex) -> bool:
    (x, y), (u, v) = middle(one), middle(other)
    return (abs(x - u), abs(y - v)) in ((2, 0), (1, 1))


def neighbours(spot: Hex) -> Iterator[Hex]:
    row, column = spot
    for r in range(row - 1, row + 2):
        for c in range(column - 1, column + 2):
            if 0 <= r < SIDE and 0 <= c < SIDE and adjacent(spot, (r, c)):
                yield r, c


def groups(own: set[Hex]) -> list[set[Hex]]:
    """Split settlements into connected groups."""
    left, found = set(own), []
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            spot = edge.pop()
            group.add(spot)
            near = {other for other in neighbours(spot) if other in left}
            left -= near
            edge += near
        found.append(group)
    return found


def gold(card: str, seat: int, own: list[set[Hex]], laid: dict[Hex, str]) -> int:
    """The gold that a card, or "castle", pays to a seat, by the words of rulebook p. 6."""
    mine = own[seat]

    def next_to(spot: Hex, letters: str) -> bool:
        return any(laid[other] in letters for other in neighbours(spot))

    def places(group: Iterable[Hex], letters: str) -> set[Hex]:
        return {other for spot in group for other in neighbours(spot) if laid[other] in letters}

    def quadrants(settlements: set[Hex]) -> list[int]:
        return [
            sum((r // 10, c // 10) == (down, right) for r, c in settlements)
            for down in (0, 1)
            for right in (0, 1)
        ]

    lines = [sum(r == row for r, _ in mine) for row in range(SIDE)]
    if card == "castle":
        return 3 * len(places(mine, "K"))
    if card == "fishermen":
        return sum(next_to(spot, "W") and laid[spot] != "W" for spot in mine)
    if card == "miners":
        return sum(next_to(spot, "M") for spot in mine)
    if card == "workers":
        return sum(next_to(spot, "KX") for spot in mine)
    if card == "merchants":
        joined = [places(group, "KX") for group in groups(mine)]
        return 4 * len(set().union(*[met for met in joined if len(met) > 1]))
    if card == "discoverers":
        return sum(count > 0 for count in lines)
    if card == "knights":
        return 2 * max(lines)
    if card == "hermits":
        return len(groups(mine))
    if card == "citizens":
        return max(map(len, groups(mine)), default=0) // 2
    if card == "farmers":
        return 3 * min(quadrants(mine))
    counts = [quadrants(settlements) for settlements in own]
    total = 0
    for quadrant in range(4):
        ranked = sorted({count[quadrant] for count in counts}, reverse=True)
        place = ranked.index(counts[seat][quadrant])
        total += (12, 6, *[0] * len(ranked))[place]
    return total
