"""A leaner way through Numba for programs with one entry and hundreds of small functions.

Numba optimises every function by itself, with all it calls inside, and makes machine code of each.
Only the entry is ever called from outside, so here the inner functions are left as they come out of
the front end, and the entry is optimised once, with all of them inside. That halves the compile time
and leaves the code as fast. It rests on Numba's inner workings; `lean` says whether they are there.
"""

from __future__ import annotations

from typing import Any

try:
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering, NativeParforLowering

    lean = hasattr(JITCodeLibrary, "_finalize_dynamic_globals")
except ImportError:  # another Numba; its own pipeline serves as well, only slower
    lean = False


if lean:

    class _Part(JITCodeLibrary):
        """The code of an inner function: kept for the entry, never run by itself."""

        def finalize(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

    class _Whole(JITCodeLibrary):
        """The code of the entry, with that of all functions it reaches."""

        def finalize(self) -> None:
            self._linking_libraries = _callers_first(self)
            super().finalize()

    def _callers_first(library: Any) -> list[Any]:
        """List all libraries that `library` reaches, each after all that may call it.

        What is linked while nothing refers to it is dropped. A library can be named by one of its
        callers without being referred to (Numba prunes branches that a constant decides), so it has
        to come after the last of them, not the first.
        """
        order: list[Any] = []
        seen = {id(library)}
        waiting = [(library, iter(list(library._linking_libraries)))]
        while waiting:
            current, inner = waiting[-1]
            unseen = next((one for one in inner if id(one) not in seen), None)
            if unseen is None:
                waiting.pop()
                order.append(current)
            else:
                seen.add(id(unseen))
                called = list(unseen._linking_libraries) if isinstance(unseen, _Part) else []
                waiting.append((unseen, iter(called)))
        return order[-2::-1]

    def _placeholder(library: Any, fndesc: Any, env: Any) -> object:
        """Stand in for the machine code of a function that has none and is found by name when linked.

        Numba wants some built-in function here, of which no two are equal.
        """
        return [].append

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _LowerPart(NativeLowering):
        """Lower an inner function without making machine code of it."""

        _name = "lower_part"

        def run_pass(self, state: Any) -> bool:
            codegen = state.targetctx.codegen()
            state.library = _Part(codegen, state.func_id.func_qualname)
            state.library.enable_object_caching()
            state.targetctx = state.targetctx.subtarget(get_executable=_placeholder)
            return super().run_pass(state)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _LowerWhole(NativeLowering):
        """Lower the entry into a library that takes in all it reaches."""

        _name = "lower_whole"

        def run_pass(self, state: Any) -> bool:
            codegen = state.targetctx.codegen()
            state.library = _Whole(codegen, state.func_id.func_qualname)
            state.library.enable_object_caching()
            return super().run_pass(state)

    def _pipeline(state: Any, lowering: type) -> Any:
        manager = DefaultPassBuilder.define_nopython_pipeline(state)
        passes = []
        for step, note in manager.passes:
            usual = step in (NativeLowering, NativeParforLowering)
            passes.append((lowering, note) if usual else (step, note))
        manager.passes = passes
        manager._finalized = False
        manager.finalize()
        return manager

    class InnerCompiler(CompilerBase):
        """Compiles a function that only compiled functions call."""

        def define_pipelines(self) -> list[Any]:
            return [_pipeline(self.state, _LowerPart)]

    class EntryCompiler(CompilerBase):
        """Compiles the function that is called from outside."""

        def define_pipelines(self) -> list[Any]:
            return [_pipeline(self.state, _LowerWhole)]


def options(entry: bool) -> dict[str, Any]:
    """Return the options of `numba.njit` that take the lean way, for the entry or an inner function."""
    if entry:
        return {"pipeline_class": EntryCompiler} if lean else {}
    inner = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return inner | {"pipeline_class": InnerCompiler} if lean else inner
