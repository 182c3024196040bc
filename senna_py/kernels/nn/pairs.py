"""Units over pairs of words: what each of the two gives, a product, and a row of a
table.
"""

from senna_py.kernels.runtime.jit import kernel, reordering_kernel


@kernel
def pair_units(firsts, seconds, table, i, j, k, out):
    """Compute out[t] = a[i[t]] + b[j[t]] + table[k[t]] + p[i[t]] * q[j[t]].

    firsts: float32[n_firsts, 2 n], a beside p; seconds: float32[n_seconds, 2 n], b
    beside q;
    table: float32[n_keys, n]; i, j, k: int32[n_pairs]; out: float32[n_pairs, n].
    """
    n = out.shape[1]
    for t in range(len(out)):
        first, second, row = firsts[i[t]], seconds[j[t]], table[k[t]]
        for d in range(n):
            out[t, d] = (first[d] + second[d] + row[d]) + first[n + d] * second[n + d]


@kernel
def rows_of_predicates(
    starts, sentence, predicate, first, reach, word, owner, distance
):
    """Word, predicate and distance of each row: a row for each word beside each
    predicate.

    starts: int32[n_sentences + 1]; sentence, predicate: int32[n_predicates], the
    sentence and word of each; first: the number of the first of them; out,
    int32[n_rows]: word; owner, the number of the predicate; distance: from this to the
    word, -reach to reach and beyond, plus reach.
    """
    n = 0
    for p in range(len(predicate)):
        for t in range(starts[sentence[p]], starts[sentence[p] + 1]):
            word[n], owner[n] = t, first + p
            distance[n] = min(max(t - predicate[p], -reach), reach) + reach
            n += 1


@reordering_kernel
def add_pair_gradients(d_out, firsts, seconds, i, j, k, d_firsts, d_seconds, d_table):
    """Add the gradients of what `pair_units` takes, of d_out: float32[n_pairs, n]."""
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
