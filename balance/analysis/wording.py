"""Numbers and lists in words, with sensible digits; one place, so that no two pages disagree."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite, log10

MANY = 20  # a range whose ends differ by more than this factor is none to plan by
VERY_MANY = "very many"
NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def percent(part: float | None) -> str:
    """Write a part of one as "31.2 %"."""
    return "–" if part is None or not isfinite(part) else f"{100 * part:.1f} %"


def bare(part: float | None) -> str:
    """Write a part of one in percent without the sign: "31.2"."""
    return "–" if part is None or not isfinite(part) else f"{100 * part:.1f}"


def short(part: float) -> str:
    """Write a round part of one in percent, without the sign: "25", "33.3"."""
    return f"{100 * part:.3g}"


def span(low: float | None, high: float | None) -> str:
    """Write an interval of parts, in percent: "30.1 to 32.3"; empty if there is none."""
    return "" if low is None or high is None else f"{bare(low)} to {bare(high)}"


def number(value: float | None) -> str:
    """Write a mean with three digits, or as many as stand before the point: "0.31", "14.2", "1,204"."""
    if value is None or not isfinite(value):
        return "–"
    size = abs(value)
    digits = 2 if size < 9.995 else 1 if size < 99.95 else 0
    return f"{value:,.{digits}f}"


def measured(mean: float | None, low: float | None, high: float | None) -> tuple[str, str]:
    """Write a mean and its interval with as many digits as the interval's width bears out."""
    if mean is None or low is None or high is None:
        return number(mean), ""
    width = high - low
    digits = min(max(-floor(log10(width)), 0), 3) if width > 0 else 2
    return f"{mean:,.{digits}f}", f"{low:,.{digits}f} to {high:,.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """Write a difference with its sign: "+1.2", "−0.4", "0.0"."""
    if value is None or not isfinite(value):
        return "–"
    shown = f"{abs(value):,.{digits}f}"
    return shown if not float(shown.replace(",", "")) else f"{'+' if value > 0 else '−'}{shown}"


def whole(count: float | None) -> str:
    """Write a count with thousands apart: "20,000"."""
    return "–" if count is None else f"{count:,.0f}"


def rough(count: int) -> str:
    """Write an estimated number with one digit that counts (two if it begins with 1): "40,000"."""
    if count < 100:
        return "100"
    step = 10 ** (floor(log10(count)) - (1 if str(count)[0] == "1" else 0))
    return f"{-(-count // step) * step:,}"


def roughly(least: int, most: int | None) -> str:
    """Write an estimated range: "about 3,000 to 9,000", "up to about 800"; empty if it has no end.

    A range whose ends lie too far apart to plan by is "very many".
    """
    if most is None:
        return ""
    if most > MANY * max(least, 100):
        return VERY_MANY
    low, high = rough(least), rough(most)
    if least < 100:
        return f"up to about {high}"
    return f"about {low}" if low == high else f"about {low} to {high}"


def several(count: int, one: str, many: str = "") -> str:
    """Write "one game", "three games", "20 games"."""
    numeral = NUMERALS[count] if 0 <= count < len(NUMERALS) else whole(count)
    return f"{numeral} {one if count == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence: "Orcs, Elves and Humans"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def many(names: Sequence[str]) -> bool:
    """Say whether the verb after `names` stands in the plural: two names, or one such as Orcs†."""
    return len(names) > 1 or names[0].rstrip("†‡§◊").endswith("s")
