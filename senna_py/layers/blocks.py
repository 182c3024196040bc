"""Layers of taggers on blocks of rows, by the kernels of tagging."""

import math

import numpy as np

from senna_py.kernels.nn.linear import LANES, linear, linear_of_rows, panels_of
from senna_py.kernels.nn.lookup import lookup, pad_sentences

# Rows computed at once: few enough for their hidden layer to stay in a core's cache,
# and for memory not to grow with the length of a sentence.
BLOCK = 256


def embed(tables, index):
    """Concatenated lookup-table rows: float32[n, sum of dims] for index: int32[n,
    n_features].
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


def pad(features, starts, window, padding):
    """Features with half a window of padding around each sentence, and where windows
    begin.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; padding:
    int32[n_features]. Returns int32[n_rows, n_features] and int32[n_tokens], the first
    row of each token's window.
    """
    half = window // 2
    n_rows = len(features) + 2 * half * (len(starts) - 1)
    padded = np.empty((n_rows, features.shape[1]), np.int32)
    first = np.empty(len(features), np.int32)
    pad_sentences(features, starts, half, padding, padded, first)
    return padded, first


def apply_linear(x, weight, bias):
    """Linear layer: float32[n, n_out] from x: float32[n, n_in]."""
    out = aligned(len(x), len(bias))
    linear(x, weight, bias, out)
    return out


class PackedLinear:
    """The linear layer of `apply_linear` with its weights packed once, for many blocks
    of rows.
    """

    def __init__(self, weight, bias):
        """weight: float32[n_in, n_out]; bias: float32[n_out]."""
        self.arrays = weight, panels_of(weight), bias  # as kernels take them

    def __call__(self, x, out=None):
        """Outputs float32[n, n_out] of x: float32[n, n_in]; out: where to write them,
        or None.
        """
        out = aligned(len(x), len(self.arrays[2])) if out is None else out
        linear_of_rows(x, np.arange(len(x)), *self.arrays, out)
        return out


def aligned(*shape):
    """Uninitialized float32 array that begins where vectors do: reading across costs
    twice.
    """
    n = math.prod(shape)
    raw = np.empty(n + LANES, np.float32)
    first = -raw.__array_interface__["data"][0] // raw.itemsize % LANES
    return raw[first : first + n].reshape(shape)


def whole_vectors(n):
    """n columns, up to a whole number of vectors."""
    return -(-n // LANES) * LANES


def widen(array, value=0):
    """The array with columns of a value up to a whole number of vectors, aligned.

    Rows of scores that are not as wide cost a kernel more than the columns too many.
    """
    n = array.shape[-1]
    out = aligned(*array.shape[:-1], whole_vectors(n))
    out[..., :n], out[..., n:] = array, value
    return out


def wide_linear(weight, bias):
    """PackedLinear that gives scores as wide as kernels want them, see `widen`."""
    return PackedLinear(widen(weight), widen(bias))
