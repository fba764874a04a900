"""Write rules once, run them two ways: bind the engine to a game, then compile it or not.

Compiled code is cached in the user's cache directory, in a folder for each linked game whose name
is a digest of the game's modules, the engine's and the libraries' versions: Numba's own key sees
neither edits in imported files (numba#1833) nor which functions were linked.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import os
import platform
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from balance import bots as bots_package
from balance import dice, engine, protocol, table
from balance.bots import flat, greedy, halving, playout, search, tree, uniform
from balance.errors import GameError

COMMON = (engine, table, dice, uniform, greedy, search, flat, tree, halving, playout)
ENTRY = "batch"  # the one function that is called from outside
_ASKED = "balance.protocol"


def link(
    modules: Sequence[types.ModuleType],
    compile: Callable[[types.FunctionType, bool], Callable] = lambda function, entry: function,
) -> types.SimpleNamespace:
    """Bind the engine, the common bots and a game's `modules`; pass each function through `compile`.

    Every function gets a twin in a namespace of its own, so the originals stay plain Python. Where
    a module imported a name from `balance.protocol`, its twin finds the game's answer.

    Raises
    ------
    GameError
        If a protocol function has no answer or two, or a function is of a shape that would run
        differently plain and compiled.
    """
    modules = [*COMMON, *modules]
    spaces = {module.__name__: dict(vars(module)) for module in modules}
    asked = _asked(spaces)
    twins: dict[tuple[str, str], Callable] = {}
    answers: dict[str, Callable] = {}
    for home, space in spaces.items():
        for name, value in space.items():
            if not (isinstance(value, types.FunctionType) and value.__module__ == home):
                continue
            if name.startswith("__"):
                continue
            _refuse(value, spaces)
            if name in answers and name in asked:
                raise GameError(
                    f"two answers to '{name}'",
                    where=home,
                    remedy=f"keep one; the other is in {answers[name].__module__}",
                )
            twin = types.FunctionType(value.__code__, space, name, value.__defaults__)
            twin.__module__, twin.__qualname__, twin.__doc__ = home, name, value.__doc__
            twins[home, name] = answers[name] = compile(twin, name == ENTRY and home == engine.__name__)
    for name in protocol.OPTIONAL:
        if name in asked and name not in answers:
            default = vars(protocol)[name]
            answers[name] = compile(types.FunctionType(default.__code__, vars(protocol), name), False)
    missing = sorted(asked - set(answers))
    if missing:
        raise GameError(f"no answer to '{missing[0]}'", where=modules[-1].__name__, remedy="see protocol.py")
    for space in spaces.values():
        for name, value in space.items():
            if isinstance(value, types.FunctionType):
                kin = twins.get((value.__module__, value.__name__), value)
                space[name] = answers[value.__name__] if value.__module__ == _ASKED else kin
    _refuse_circles(twins)
    return types.SimpleNamespace(**answers)


def _refuse_circles(twins: dict[tuple[str, str], Callable]) -> None:
    """Raise GameError for functions that call one another in a circle.

    Numba compiles them, but what it caches of them lacks its ends, and crashes once it is loaded again.
    """
    calls = {key: _calls(key) & set(twins) for key in twins}
    for key in twins:
        waiting = [key]
        met: set[tuple[str, str]] = set()
        while waiting:
            for called in calls[waiting.pop()] - met:
                met.add(called)
                waiting.append(called)
        if key in met:
            where = ".".join(key)
            raise GameError("calls itself, at once or by way of others", where=where, remedy="use a loop")


def _calls(key: tuple[str, str]) -> set[tuple[str, str]]:
    """Return the functions that one names, as (module, name)."""
    space = vars(sys.modules[key[0]])
    function = space[key[1]]
    named = [step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL"]
    values = [space.get(name) for name in named]
    return {(v.__module__, v.__name__) for v in values if isinstance(v, types.FunctionType)}


def _asked(spaces: dict[str, dict]) -> set[str]:
    """Collect the protocol functions that any of the modules calls."""
    return {
        value.__name__
        for space in spaces.values()
        for value in space.values()
        if isinstance(value, types.FunctionType) and value.__module__ == _ASKED
    }


def _refuse(function: types.FunctionType, spaces: dict[str, dict]) -> None:
    """Raise GameError for what Numba and Python would take differently, or Numba not at all."""
    where = f"{function.__module__}.{function.__name__}"
    if function.__kwdefaults__:
        raise GameError("keyword-only defaults", where=where, remedy="pass every argument")
    if function.__closure__:
        raise GameError("a closure", where=where, remedy="pass what it needs as an argument")
    space = spaces[function.__module__]
    for name in function.__code__.co_names:
        value = space.get(name)
        if isinstance(value, types.ModuleType) and value.__name__ in spaces:
            raise GameError(
                f"reaches functions through the module '{name}'", where=where, remedy="import the function"
            )
        if isinstance(value, (list, tuple, dict)) and any(callable(v) for v in value):
            raise GameError(f"'{name}' is a table of functions", where=where, remedy="write an if-chain")


def digest(modules: Sequence[types.ModuleType], dtypes: Sequence[object] = ()) -> str:
    """Name this linked game: a digest of all sources, record types and versions that shape its code."""
    import llvmlite
    import numba
    import numpy

    mark = hashlib.sha256()
    for module in sorted({*COMMON, bots_package, *modules}, key=lambda m: m.__name__):
        mark.update(module.__name__.encode())
        mark.update(_code_only(inspect.getsource(module)).encode())
    for dtype in dtypes:
        mark.update(repr(dtype).encode())
    for version in (numba.__version__, llvmlite.__version__, numpy.__version__, platform.python_version()):
        mark.update(version.encode())
    mark.update(f"{platform.machine()} {os.environ.get('NUMBA_CPU_NAME', '')}".encode())
    return mark.hexdigest()[:16]


def _code_only(source: str) -> str:
    """Return the source as its syntax tree, so that a comment edited costs no compilation."""
    return ast.dump(ast.parse(source))


def cache_root() -> Path:
    """Return the user's cache directory for compiled games (BALANCE_CACHE overrides it)."""
    chosen = os.environ.get("BALANCE_CACHE")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("boardgame-balance"))


def is_cached(folder: Path) -> bool:
    """Say whether compiled code lies in `folder`."""
    return any(folder.rglob("*.nbi"))


def fast(modules: Sequence[types.ModuleType], folder: Path) -> types.SimpleNamespace:
    """Compile; only the engine's entry is kept in `folder`, with all that it calls inside."""
    import numba

    from balance import compiler

    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    common: dict[str, Any] = {"nogil": True, "boundscheck": True, "error_model": "numpy"}

    def compile(function: types.FunctionType, entry: bool) -> Callable:
        return numba.njit(cache=entry, **common, **compiler.options(entry))(function)

    return link(modules, compile)
