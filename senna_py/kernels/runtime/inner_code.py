"""Compilation of kernels that only other kernels call.

By default, Numba optimizes each function and generates its machine code, and then does
so again for the copy in each function that calls it. Here, such functions are only
translated to LLVM's language. A kernel that Python calls contains all of them, and is
optimized as a whole. This depends on internals of Numba, as `code_cache` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

if TYPE_CHECKING:
    from typing import Any


class _Codegen:
    """Numba's code generator for functions without machine code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing, because there is no code that could use the environment."""


class _InnerLibrary(JITCodeLibrary):
    """The code of a function and of those that it calls, to be linked into others."""

    @property
    def codegen(self) -> Any:
        """The code generator, which is asked for an environment at the end."""
        return _Codegen(self._codegen)

    def add_llvm_module(self, module: Any) -> None:
        """Add code, which is optimized where it is called."""
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Link the functions that this one calls."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, because there is no machine code."""
        self._ensure_finalized()
        return 0


class InnerCompiler(Compiler):
    """Numba's compiler, which puts functions into an `_InnerLibrary`."""

    def __init__(
        self, typing_context: Any, target_context: Any, library: Any, *rest: Any
    ) -> None:
        """Make the library, unless the caller passes one."""
        if library is None:
            library = _InnerLibrary(target_context.codegen(), "inner")
        super().__init__(typing_context, target_context, library, *rest)
