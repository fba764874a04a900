"""Linking binds a game's answers to the protocol, and refuses what would run differently compiled."""

from __future__ import annotations

import sys
import types

import pytest

from balance import link
from balance.errors import GameError


@pytest.fixture
def module(monkeypatch):
    """Make a module from source text, findable under its name."""

    def make(text, name="fifth.rules"):
        made = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, made)
        exec(compile(text, name, "exec"), made.__dict__)
        return made

    return make


def rest(pig, *left_out):
    """Pig's modules but for the functions named, as source text to add to."""
    import inspect

    text = "\n".join(inspect.getsource(module) for module in pig.modules)
    text = text.replace("from pig.rules import HOLD, ROLL", "")
    for name in left_out:
        text = text.replace(f"def {name}(", f"def _no_{name}(")
    return text


def test_each_function_has_a_twin_and_the_original_stays_plain(pig):
    lib = link.link(pig.modules)
    rules = pig.modules[0]
    assert lib.apply is not rules.apply
    assert lib.apply.__code__ is rules.apply.__code__
    assert lib.play.__globals__["apply"] is lib.apply


def test_a_missing_answer_is_named(pig, module):
    with pytest.raises(GameError, match=r"no answer to 'redeal'; see protocol\.py"):
        link.link([module(rest(pig, "redeal"))])


def test_two_answers_are_refused(pig, module):
    other = module("def score(state, rules, seat):\n    return 0\n", "fifth.more")
    with pytest.raises(GameError, match="two answers to 'score'; keep one"):
        link.link([module(rest(pig)), other])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(a, *, b=1):\n    return a\n", "keyword-only defaults; pass every argument"),
        ("def outer():\n    x = 1\n    def g():\n        return x\n    return g\nf = outer()\n", "a closure"),
        ("def g():\n    return 1\nT = [g]\ndef f():\n    return T[0]()\n", "'T' is a table of functions"),
        (
            "from balance import dice\ndef f(rng):\n    return dice.below(rng, 2)\n",
            "reaches functions through the module 'dice'; import the function",
        ),
    ],
)
def test_what_numba_takes_differently_is_refused(pig, module, text, message):
    extra = module(text, "fifth.extra")
    with pytest.raises(GameError, match=r"fifth\.extra") as caught:
        link.link([*pig.modules, extra])
    assert message in str(caught.value)


def test_the_digest_sees_code_and_record_types_but_no_comment(tmp_path, monkeypatch):
    def written(text):
        (tmp_path / "tiny.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "tiny", raising=False)
        import importlib
        import linecache

        importlib.invalidate_caches()
        linecache.clearcache()
        return importlib.import_module("tiny")

    first = link.digest([written("COST = 1\n")])
    assert link.digest([written("COST = 1  # a word\n")]) == first
    assert link.digest([written("COST = 23\n")]) != first
    assert link.digest([written("COST = 1\n")], ["i4"]) != first


def test_compiled_code_lies_in_the_users_cache_or_where_asked(monkeypatch, tmp_path):
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path))
    assert link.cache_root() == tmp_path
    monkeypatch.delenv("BALANCE_CACHE")
    assert link.cache_root().name == "boardgame-balance"


def test_a_cache_that_cannot_be_written_is_an_error_with_a_remedy(pig, monkeypatch, tmp_path):
    from balance.games import _compile

    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BALANCE_CACHE", str(tmp_path / "file"))
    with pytest.raises(GameError, match="set BALANCE_CACHE to a folder you may write to"):
        _compile(pig, print)


@pytest.mark.parametrize(
    "text",
    ["def f(n):\n    return f(n - 1)\n", "def f(n):\n    return g(n)\n\n\ndef g(n):\n    return f(n)\n"],
)
def test_functions_that_call_one_another_in_a_circle_are_refused(pig, module, text):
    with pytest.raises(GameError, match="calls itself"):
        link.link([module(rest(pig)), module(text, "fifth.more")])
