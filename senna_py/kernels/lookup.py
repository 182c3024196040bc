"""Lookup tables and the padding of sentences for windows."""

from senna_py.kernels.jit import kernel

__all__ = ["lookup", "pad_sentences"]


@kernel
def pad_sentences(index, starts, half, padding, padded, first):
    """Put `half` padding indices before and after each sentence (section 3.3.1).

    index: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; padding:
    int32[n_features]; padded: int32[n_tokens + 2 * half * n_sentences, n_features];
    first: int32[n_tokens], row of `padded` where the window of each token begins.
    """
    n_features = index.shape[1]
    row = 0
    for s in range(len(starts) - 1):
        for k in range(half):
            for f in range(n_features):
                padded[row + k, f] = padding[f]
        row += half
        for t in range(starts[s], starts[s + 1]):
            for f in range(n_features):
                padded[row, f] = index[t, f]
            first[t] = row - half
            row += 1
        for k in range(half):
            for f in range(n_features):
                padded[row + k, f] = padding[f]
        row += half


@kernel
def lookup(table, index, out, column):
    """Write row `index[i]` of a lookup table into `out[i]` from `column` on (equation 1).

    table: float32[n_keys, dim]; index: int32[n]; out: float32[n, at least column + dim].
    """
    dim = table.shape[1]
    for i in range(len(index)):
        row = index[i]
        for d in range(dim):
            out[i, column + d] = table[row, d]
