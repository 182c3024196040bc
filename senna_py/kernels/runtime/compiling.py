"""Compilation of kernels with Numba."""

from __future__ import annotations

import contextlib

from senna_py.kernels.runtime.compile_events import listen

try:
    import numba
except Exception as error:  # for example an invalid environment variable NUMBA_*
    raise ImportError(f"Numba cannot be used: {error}") from None
try:
    from senna_py.kernels.runtime.code_cache import KernelCache, cache_directory
    from senna_py.kernels.runtime.kernel_compiler import InnerCompiler, KernelCompiler
except ImportError:  # This version of Numba has other internals.
    KernelCache = InnerCompiler = KernelCompiler = None  # type: ignore[assignment, misc]

    def cache_directory() -> str:  # type: ignore[misc]
        """Raise RuntimeError, because there is no cache."""
        raise RuntimeError


TYPE_CHECKING = False  # see `compile_events`
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

listen(cache_directory)


def compile_kernel(
    function: Callable[..., Any], is_inner: bool = False, **options: Any
) -> Any:
    """Return Numba's dispatcher for a function, which is compiled at its first call.

    The kernel releases the GIL. Its machine code is cached if a directory is writable
    and `code_cache` supports this version of Numba. Otherwise each process compiles it.

    Args:
        function: The source of the kernel.
        is_inner: Whether only other kernels call the dispatcher. Then it has no machine
            code of its own: it is optimized as a part of each kernel that Python calls.
        options: Options of `numba.njit`, such as `fastmath` with a set of LLVM flags.
    """
    compile_with: Any = numba.njit  # its annotations do not have all options
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    if is_inner and InnerCompiler is not None:
        return compile_with(
            pipeline_class=InnerCompiler, no_cpython_wrapper=True, **options
        )(function)
    if KernelCompiler is not None:
        options["pipeline_class"] = KernelCompiler
    dispatcher = compile_with(**options)(function)
    if KernelCache is not None:
        # The cache may have no directory, and a new Numba may raise any exception.
        with contextlib.suppress(Exception):
            dispatcher._cache = KernelCache(function)
    return dispatcher


def type_of_intrinsic(function: Callable[..., Any]) -> Any:
    """Return Numba's type of an intrinsic.

    Args:
        function: The typing function of the intrinsic.
    """
    from numba.core.registry import cpu_target  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    made, context = intrinsic(function), cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)
