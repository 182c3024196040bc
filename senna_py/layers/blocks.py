"""Operations of taggers on blocks of rows, computed by the kernels for inference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.linear import LANES, linear, linear_of_rows, panels_of
from senna_py.kernels.nn.lookup import lookup, pad_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int32]

# The number of rows that are computed at once. Their hidden layer stays in the cache of
# a core, and memory does not grow with the length of a sentence.
BLOCK = 256


def embed(tables: Sequence[Any], index: Ints) -> NDArray:
    """Look up rows of tables and put them side by side: float32[n, sum of dims].

    Args:
        tables: The lookup tables, which are arrays or ChangedTables.
        index: int32[n, n_features], the row of each table.
    """
    dtype = getattr(tables[0], "dtype", np.float32)
    out = np.empty((len(index), sum(table.shape[1] for table in tables)), dtype)
    column = 0
    for f, table in enumerate(tables):
        if isinstance(table, np.ndarray):
            lookup(table, index[:, f], out, column)
        else:
            table.lookup(index[:, f], out, column)
        column += table.shape[1]
    return out


def pad(features: Ints, starts: Ints, window: int, padding: Ints) -> tuple[Ints, Ints]:
    """Put half a window of padding on both sides of each sentence.

    Args:
        features: int32[n_tokens, n_features].
        starts: int32[n_sentences + 1].
        window: The width of a window.
        padding: int32[n_features], the features of a padding row.

    Returns:
        The padded features, int32[n_rows, n_features], and the first row of each
        token's window, int32[n_tokens].
    """
    half = window // 2
    n_rows = len(features) + 2 * half * (len(starts) - 1)
    padded = np.empty((n_rows, features.shape[1]), np.int32)
    first = np.empty(len(features), np.int32)
    pad_sentences(features, starts, half, padding, padded, first)
    return padded, first


def apply_linear(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Apply a linear layer to x: float32[n, n_in], which gives float32[n, n_out]."""
    out = aligned(len(x), len(bias))
    linear(x, weight, bias, out)
    return out


class PackedLinear:
    """The layer of `apply_linear`, whose weights are packed once for many blocks."""

    def __init__(self, weight: Floats, bias: Floats) -> None:
        """Pack weight: float32[n_in, n_out]; bias is float32[n_out]."""
        self.arrays = weight, panels_of(weight), bias  # the arguments of the kernels

    def __call__(self, x: Floats, out: Floats | None = None) -> Floats:
        """Return the outputs, float32[n, n_out], for x: float32[n, n_in].

        They are written to `out` unless it is None.
        """
        out = aligned(len(x), len(self.arrays[2])) if out is None else out
        linear_of_rows(x, np.arange(len(x)), *self.arrays, out)
        return out


def aligned(*shape: int) -> Floats:
    """Return an uninitialized float32 array that is aligned to whole vectors.

    Reading a vector across such a border takes twice as long.
    """
    n = math.prod(shape)
    raw = np.empty(n + LANES, np.float32)
    first = -raw.__array_interface__["data"][0] // raw.itemsize % LANES
    return raw[first : first + n].reshape(shape)


def whole_vectors(n: int) -> int:
    """Round a number of columns up to a whole number of vectors."""
    return -(-n // LANES) * LANES


def widen(array: NDArray, value: float = 0) -> Floats:
    """Return the array with columns of `value` added up to a whole number of vectors.

    The result is aligned. Kernels process the additional columns faster than rows that
    end within a vector.
    """
    n = array.shape[-1]
    out = aligned(*array.shape[:-1], whole_vectors(n))
    out[..., :n], out[..., n:] = array, value
    return out


def wide_linear(weight: NDArray, bias: NDArray) -> PackedLinear:
    """Return a PackedLinear whose scores are as wide as kernels expect; see `widen`."""
    return PackedLinear(widen(weight), widen(bias))
