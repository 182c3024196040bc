"""What stands above words in trees."""

from senna_py.kernels.cold_start.jit import kernel

__all__ = ["labels_above"]


@kernel
def labels_above(labels, rows, begin, starts, out):
    """Write the labels of the constituents above each word, the innermost first, then zeros.

    labels, rows, begin: of `networks.trees.Trees`; starts: int32[n_sentences + 1]; out:
    int32[n_tokens, n_above].
    """
    for s in range(len(starts) - 1):
        length = starts[s + 1] - starts[s]
        for t in range(length):
            n = 0
            for level in range(begin[s + 1] - begin[s]):
                label = labels[rows[s] + level * length + t]
                if label != 0 and n < out.shape[1]:
                    out[starts[s] + t, n] = label
                    n += 1
            out[starts[s] + t, n:] = 0
