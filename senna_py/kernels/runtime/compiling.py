"""Compilation of kernels with Numba."""

import contextlib

from senna_py.kernels.runtime.compile_events import listen

try:
    import numba
except (
    Exception
) as error:  # as for a variable NUMBA_* of the environment that it does not take
    raise ImportError(f"Numba cannot be used: {error}") from None
try:
    from senna_py.kernels.runtime.code_cache import KernelCache, cache_directory
except ImportError:  # this Numba lacks what it uses
    KernelCache = None  # type: ignore[assignment, misc]

    def cache_directory():  # type: ignore[misc]
        """There is none: see `code_cache`."""
        raise RuntimeError


listen(cache_directory)


def compile_kernel(function, **options):
    """Numba's dispatcher of `function`, which compiles it at its first call, without
    the GIL.

    options: Numba's, such as `fastmath`, names of LLVM's flags. The machine code is
    cached where a cache can be written, if `code_cache` fits this Numba; else each
    process compiles it.
    """
    dispatcher = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if KernelCache is not None:
        # There may be no directory to cache in, and another Numba may fail in any way.
        with contextlib.suppress(Exception):
            dispatcher._cache = KernelCache(function)
    return dispatcher


def type_of_intrinsic(function):
    """Type by which Numba knows what `function`, a typing function of an intrinsic,
    makes.
    """
    from numba.core.registry import cpu_target  # noqa: PLC0415
    from numba.extending import intrinsic  # noqa: PLC0415

    made, context = intrinsic(function), cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)
