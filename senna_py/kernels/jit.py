"""The decorators of kernels."""

import numba

__all__ = ["kernel", "reordering_kernel"]


def kernel(function):
    """Compile `function` with Numba at its first call, without the GIL.

    Multiply-adds may be contracted (one rounding instead of two) but never reordered, so that
    a result does not depend on how tokens were batched. The machine code is cached where a
    cache can be written; a read-only installation without a home directory compiles anew.

    Every combination of argument types is compiled by itself, literal and 32-bit integers
    included, so kernels that call others pass 64-bit positions (`np.int64(0)`, not `0`).
    """
    return _compile(function, {"contract"})


def reordering_kernel(function):
    """Compile like `kernel`, but let sums be reordered, so that they vectorise.

    For training, where no printed byte depends on the last bit of a sum.
    """
    return _compile(function, {"contract", "reassoc", "nsz"})


def _compile(function, fastmath):
    options = {"nogil": True, "error_model": "numpy", "fastmath": fastmath}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no directory to cache in
        return numba.njit(**options)(function)
