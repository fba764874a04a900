"""Text of the user's as TOML, or one line that says why not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from balance.errors import BalanceError

DEEPEST = 24  # tables and lists within one another; nothing that anyone writes by hand comes near

_WANTED = {
    "int_type": "give a whole number",
    "int_from_float": "give a whole number",
    "int_parsing_size": "give a smaller number",
    "float_type": "give a number",
    "finite_number": "give a finite number",
    "string_type": "give text, in quotes",
    "string_too_short": "give a name",
    "bool_type": "give true or false",
    "list_type": "give a list, in [ ]",
    "tuple_type": "give a list, in [ ]",
    "dict_type": "give a table",
    "model_type": "give a table",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give {ge} or more",
    "less_than": "give less than {lt}",
    "less_than_equal": "give {le} or less",
    "literal_error": "give {expected}",
}


def read(path: Path, error: type[BalanceError], remedy: str) -> str:
    """Return the text of a file in UTF-8, without the mark that some editors put at its beginning.

    Raises
    ------
    BalanceError
        Of the kind `error`, if it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as failed:
        raise error(f"cannot be read ({failed.strerror})", where=str(path), remedy=remedy) from None
    except UnicodeDecodeError:
        raise error("is not text in UTF-8", where=str(path), remedy="save it as UTF-8") from None
    except ValueError:
        raise error("may not be called so", where=repr(str(path)), remedy=remedy) from None


def parse(text: str, where: str, error: type[BalanceError]) -> dict[str, Any]:
    """Return what `text` says.

    Raises
    ------
    BalanceError
        Of the kind `error`, if it is not TOML, or nested absurdly deep.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failed:
        what = str(failed).replace("at end of document", f"at line {len(text.splitlines())}, the last")
        raise error(f"not TOML: {what}", where=where, remedy="correct that line") from None
    except RecursionError:
        raise too_deep(where, error) from None
    except ValueError as failed:  # a number of thousands of digits
        raise error(f"not TOML: {str(failed).split(':')[0]}", where=where, remedy="shorten it") from None
    refuse_deep(table, where, error)
    return table


def refuse_deep(table: Mapping[str, Any], where: str, error: type[BalanceError]) -> None:
    """Refuse tables and lists that are nested deeper than anyone means."""
    layer: list[Any] = [table]
    for _ in range(DEEPEST):
        layer = [inner for outer in layer for inner in _inside(outer) if isinstance(inner, (dict, list))]
        if not layer:
            return
    raise too_deep(where, error)


def _inside(outer: Any) -> Iterable[Any]:
    return outer.values() if isinstance(outer, Mapping) else outer


def too_deep(where: str, error: type[BalanceError]) -> BalanceError:
    """Return the error for what is nested too deep."""
    return error(
        f"has tables or lists nested more than {DEEPEST} deep", where=where, remedy="write it flatter"
    )


def wanted(problem: Mapping[str, Any]) -> str:
    """Say what to give instead of a value that pydantic refused; `problem` is one of its errors."""
    words = _WANTED.get(problem["type"])
    if words is None:
        return "see what `balance new` writes"
    return words.format(**problem.get("ctx", {}))


def brief(value: Any) -> str:
    """Show a value that was refused, cut short where it is long."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return "that value"
    return text if len(text) <= 60 else f"{text[:57]}..."
