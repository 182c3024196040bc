"""Units for pairs of words: a term for each word, a product, and a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.runtime.jit import kernel, reordering_kernel

if TYPE_CHECKING:
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
