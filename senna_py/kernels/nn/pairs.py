"""Units for pairs of words: a term for each word, a product, and a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.int8 import (
    BLOCK,
    multiply_words,
    room_for_rows,
    round_row,
    scale_rows,
)
from senna_py.kernels.runtime.jit import (
    kernel,
    reordering_kernel,
    uncontracted_kernel,
)

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.arrays import Floats, Ints


@kernel
def pair_units(
    firsts: Floats,
    seconds: Floats,
    table: Floats,
    i: Ints,
    j: Ints,
    k: Ints,
    out: Floats,
) -> None:
    """Compute out[t] = a[i[t]] + b[j[t]] + table[k[t]] + p[i[t]] * q[j[t]] for all t.

    Args:
        firsts: float32[n_firsts, 2 n], a and p side by side.
        seconds: float32[n_seconds, 2 n], b and q side by side.
        table: float32[n_keys, n].
        i, j, k: int32[n_pairs], row indices of `firsts`, `seconds` and `table`.
        out: float32[n_pairs, n], which is written.
    """
    n = out.shape[1]
    for t in range(len(out)):
        first, second, row = firsts[i[t]], seconds[j[t]], table[k[t]]
        for d in range(n):
            out[t, d] = (first[d] + second[d] + row[d]) + first[n + d] * second[n + d]


@uncontracted_kernel
def _fill_units(
    firsts: Floats, i: int, seconds: Floats, j: int, table: Floats, k: int, out: Floats
) -> np.uint32:
    """Compute the units of a pair, without negative ones, for `score_pairs`.

    Args:
        firsts, seconds, table: See `pair_units`.
        i, j, k: Row indices of these arrays.
        out: float32[n], which is written.

    Returns:
        The bits of the largest unit. The bits of floats that are not negative have the
        order of their values, with NaN last.
    """
    n, largest = len(out), np.uint32(0)
    for d in range(n):
        unit = firsts[i, d] + seconds[j, d] + table[k, d]
        unit += firsts[i, n + d] * seconds[j, n + d]
        unit = np.float32(0) if unit < 0 else unit
        out[d] = unit
        bits = np.uint32(np.float32(unit).view(np.uint32) & np.uint32(0x7FFFFFFF))
        largest = bits if bits > largest else largest
    return largest


@kernel
def score_pairs(
    firsts: Floats,
    seconds: Floats,
    table: Floats,
    i: Ints,
    j: Ints,
    k: Ints,
    weight: tuple[Any, ...],
    out: Floats,
) -> None:
    """Compute out[t] = bias + max(0, z[t]) @ weight for the units z of `pair_units`.

    Each number of a unit is rounded after each operation, and max(0, z[t]) is quantized
    to 8 bits.

    Args:
        firsts, seconds, table, i, j, k: See `pair_units`.
        weight: The result of `int8.pack` for a weight of n inputs.
        out: float32[n_pairs, n_out], which is written.
    """
    if out.shape[1] != len(weight[3]):
        raise ValueError("sizes of a layer do not fit")
    n_units, way, zero = np.int64(table.shape[1]), np.int64(weight[4]), np.int64(0)
    words, sums, scales = room_for_rows(n_units, weight)
    units = np.empty(n_units, np.float32)
    for first in range(0, len(out), BLOCK):
        end = min(first + BLOCK, len(out))
        for t in range(first, end):
            a, b, c = np.int64(i[t]), np.int64(j[t]), np.int64(k[t])
            largest = _fill_units(firsts, a, seconds, b, table, c, units)
            scales[t - first] = round_row(units, largest, way, words[t - first])
        multiply_words(words, zero, end - first, weight, sums)
        scale_rows(sums, scales, weight, out, first, end)


@kernel
def rows_of_predicates(
    starts: Ints,
    sentence: Ints,
    predicate: Ints,
    first: int,
    reach: int,
    word: Ints,
    owner: Ints,
    distance: Ints,
) -> None:
    """Compute the word, the predicate and the distance of each row of a role network.

    There is a row for each pair of a predicate and a word of its sentence.

    Args:
        starts: int32[n_sentences + 1], where each sentence begins.
        sentence, predicate: int32[n_predicates], the sentence and the token index of
            each predicate.
        first: The index of the first predicate.
        reach: The largest distance in the table; larger ones are clipped.
        word: int32[n_rows], which receives the token index.
        owner: int32[n_rows], which receives the index of the predicate.
        distance: int32[n_rows], which receives the distance from the predicate to the
            word, plus `reach`.
    """
    n = 0
    for p in range(len(predicate)):
        for t in range(starts[sentence[p]], starts[sentence[p] + 1]):
            word[n], owner[n] = t, first + p
            distance[n] = min(max(t - predicate[p], -reach), reach) + reach
            n += 1


@reordering_kernel
def add_pair_gradients(
    d_out: Floats,
    firsts: Floats,
    seconds: Floats,
    i: Ints,
    j: Ints,
    k: Ints,
    d_firsts: Floats,
    d_seconds: Floats,
    d_table: Floats,
) -> None:
    """Backward pass of `pair_units`: add the gradients of its inputs.

    Args:
        d_out: float32[n_pairs, n], d(cost)/d(out).
        firsts, seconds, i, j, k: See `pair_units`.
        d_firsts: float32[n_firsts, 2 n].
        d_seconds: float32[n_seconds, 2 n].
        d_table: float32[n_keys, n].
    """
    n = d_out.shape[1]
    for t in range(len(d_out)):
        first, second = firsts[i[t]], seconds[j[t]]
        d_first, d_second, d_row = d_firsts[i[t]], d_seconds[j[t]], d_table[k[t]]
        for d in range(n):
            slope = d_out[t, d]
            d_first[d] += slope
            d_second[d] += slope
            d_row[d] += slope
            d_first[n + d] += slope * second[n + d]
            d_second[n + d] += slope * first[n + d]
