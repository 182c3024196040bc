"""Operations on blocks of rows at inference, and arrays as the kernels expect them."""

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

# The number of rows that are computed at once. Their hidden layer fits into the cache
# of a core, and memory does not grow with the length of a sentence.
BLOCK = 256


def embed(tables: Sequence[Any], index: Ints) -> NDArray:
    """Look up a row of each table, and concatenate the rows: float32[n, sum of dims].

    Args:
        tables: The lookup tables, which are arrays or ChangedTables.
        index: int32[n, n_tables], the indices of the rows in each table.
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
    """Pad each sentence with window // 2 rows on both sides.

    Args:
        features: int32[n_tokens, n_features].
        starts: int32[n_sentences + 1], where each sentence begins.
        window: The number of rows in a window.
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
    """Return x @ weight + bias: float32[n, n_out].

    Each row of the result depends only on its own row of x, to the last bit.

    Args:
        x: float32[n, n_in].
        weight: float32[n_in, n_out].
        bias: float32[n_out].
    """
    out = aligned(len(x), len(bias))
    linear(x, weight, bias, out)
    return out


class PackedLinear:
    """A linear layer like `apply_linear`, with weights packed once for many blocks."""

    def __init__(self, weight: Floats, bias: Floats) -> None:
        """Pack the weight, float32[n_in, n_out]; the bias is float32[n_out]."""
        self.arrays = weight, panels_of(weight), bias  # the arguments of the kernels

    def __call__(self, x: Floats, out: Floats | None = None) -> Floats:
        """Return the outputs, float32[n, n_out], for x, float32[n, n_in].

        Args:
            x: The inputs.
            out: The array for the outputs, or None for a new one.
        """
        out = aligned(len(x), len(self.arrays[2])) if out is None else out
        linear_of_rows(x, np.arange(len(x)), *self.arrays, out)
        return out


def aligned(*shape: int) -> Floats:
    """Return an uninitialized float32 array that is aligned for vector instructions.

    Unaligned vectors may cross cache lines, and take twice as long to read.

    Args:
        *shape: The shape of the array.
    """
    n = math.prod(shape)
    raw = np.empty(n + LANES, np.float32)
    first = -raw.__array_interface__["data"][0] // raw.itemsize % LANES
    return raw[first : first + n].reshape(shape)


def whole_vectors(n: int) -> int:
    """Round n, a number of columns, up to a whole number of SIMD vectors."""
    return -(-n // LANES) * LANES


def widen(array: NDArray, value: float = 0) -> Floats:
    """Return an aligned copy whose last axis is padded to whole SIMD vectors.

    Kernels process the additional columns faster than rows that end within a vector.

    Args:
        array: float32[..., n].
        value: The value of the padding.

    Returns:
        The copy: float32[..., n rounded up].
    """
    n = array.shape[-1]
    out = aligned(*array.shape[:-1], whole_vectors(n))
    out[..., :n], out[..., n:] = array, value
    return out


def wide_linear(weight: NDArray, bias: NDArray) -> PackedLinear:
    """Return a PackedLinear whose outputs are padded with zeros; see `widen`."""
    return PackedLinear(widen(weight), widen(bias))
