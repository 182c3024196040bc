"""Constituents above words in trees, and between two words."""

from senna_py.kernels.runtime.jit import borrowing_kernel, kernel

__all__ = ["FARTHEST_UP", "N_STEPS", "labels_above", "path_rows", "shared_with_previous"]

FARTHEST_UP = 7  # steps up from a predicate that are told apart
N_STEPS = 2 * (FARTHEST_UP + 1)  # for words up to the predicate, and for those after it


@kernel
def labels_above(labels, rows, begin, starts, out):
    """Write the labels of the constituents above each word, the innermost first, then zeros.

    labels, rows, begin: of `networks.batch.Trees`; starts: int32[n_sentences + 1]; out:
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


@borrowing_kernel
def _height(labels, t):
    """Number of constituents above word t."""
    n = 0
    while n < labels.shape[1] and labels[t, n] != 0:
        n += 1
    return n


@kernel
def shared_with_previous(labels, goes_on, starts, out):
    """Write how many constituents above each word are above the word before it, too.

    labels: int32[n_tokens, n_above], as `labels_above` writes them; goes_on: bool[n_labels],
    whether a label is that of a word inside or at the end of a constituent; starts:
    int32[n_sentences + 1]; out: int32[n_tokens].
    """
    for s in range(len(starts) - 1):
        for t in range(starts[s], starts[s + 1]):
            n, shared = _height(labels, t), 0
            while t > starts[s] and shared < n and goes_on[labels[t, n - 1 - shared]]:
                shared += 1
            out[t] = shared


@kernel
def path_rows(labels, shared, starts, sentence, predicate, out):
    """Write what stands between each predicate and each word of its sentence in the tree.

    labels, shared, starts: see `shared_with_previous`; sentence, predicate: int32[n_predicates];
    out: int32[n_rows, 3], a row for each word of the sentence of each predicate. The first column
    is the label, at the word, of the largest constituent above it that is not above the predicate,
    the second that, at the predicate, of the smallest one above both: 0 where there is none. The
    third is the number of constituents above the predicate that are not above the word, at most
    FARTHEST_UP, and FARTHEST_UP + 1 more for words after it.
    """
    row = 0
    for q in range(len(predicate)):
        p, first, end = predicate[q], starts[sentence[q]], starts[sentence[q] + 1]
        height = common = _height(labels, p)
        for t in range(p, end):
            if t > p:
                common = min(common, shared[t])
            _write_path(labels, p, t, height, common, out[row + t - first])
        common = height
        for t in range(p - 1, first - 1, -1):
            common = min(common, shared[t + 1])
            _write_path(labels, p, t, height, common, out[row + t - first])
        row += end - first


@borrowing_kernel
def _write_path(labels, p, t, height, common, out):
    n = _height(labels, t)
    out[0] = labels[t, n - 1 - common] if common < n else 0
    out[1] = labels[p, height - common] if common > 0 else 0
    out[2] = min(height - common, FARTHEST_UP) + (FARTHEST_UP + 1 if t > p else 0)
