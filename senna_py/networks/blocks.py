"""What the networks share: layers in blocks of rows, and decoding that follows the blocks."""

import numpy as np

from senna_py.kernels.linear import convolve, hardtanh, linear
from senna_py.kernels.lookup import lookup, pad_sentences
from senna_py.kernels.viterbi import viterbi
from senna_py.networks.tables import ChangedTable

__all__ = [
    "BLOCK", "Decoder", "apply_convolution", "apply_linear", "embed", "pad", "score_rows",
]  # fmt: skip

# Rows computed at once: few enough for their hidden layer to stay in a core's cache, and for
# memory not to grow with the length of a sentence.
BLOCK = 256


def embed(tables, index):
    """Concatenated lookup-table rows: float32[n, sum of dims] for index: int32[n, n_features]."""
    out = np.empty((len(index), sum(table.shape[1] for table in tables)), np.float32)
    column = 0
    for f, table in enumerate(tables):
        if isinstance(table, ChangedTable):
            table.lookup(index[:, f], out, column)
        else:
            lookup(table, index[:, f], out, column)
        column += table.shape[1]
    return out


def pad(features, starts, window, padding):
    """Features with half a window of padding around each sentence, and where windows begin.

    features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; padding:
    int32[n_features]. Returns int32[n_rows, n_features] and int32[n_tokens], the first row of each
    token's window.
    """
    half = window // 2
    n_rows = len(features) + 2 * half * (len(starts) - 1)
    padded = np.empty((n_rows, features.shape[1]), np.int32)
    first = np.empty(len(features), np.int32)
    pad_sentences(features, starts, half, padding, padded, first)
    return padded, first


def apply_linear(x, weight, bias):
    """Linear layer: float32[n, n_out] from x: float32[n, n_in]."""
    out = np.empty((len(x), len(bias)), np.float32)
    linear(x, weight, bias, out)
    return out


def apply_convolution(x, first, weight, bias=None):
    """Linear layer on the windows of rows of x that begin at rows `first`: float32[n, n_out]."""
    out = np.empty((len(first), weight.shape[1]), np.float32)
    bias = np.zeros(weight.shape[1], np.float32) if bias is None else bias
    convolve(x, first, weight, bias, out)
    return out


def score_rows(x, hidden_weight, hidden_bias, output_weight, output_bias):
    """Linear, HardTanh, linear: float32[n, n_tags] from x: float32[n, n_in]."""
    hidden = apply_linear(x, hidden_weight, hidden_bias)
    hardtanh(hidden)
    return apply_linear(hidden, output_weight, output_bias)


class Decoder:
    """Turns blocks of tag scores, given in order, into the tags of a batch."""

    def __init__(self, starts, initial=None, transition=None, final=None):
        """Take starts: int32[n_sentences + 1] and the sentence-level scores, if there are any."""
        self.tags = np.empty(starts[-1], np.int32)
        self._done = 0
        self._starts, self._initial, self._transition = starts, initial, transition
        if initial is not None:
            self._final = np.zeros_like(initial) if final is None else final
            longest = int(np.diff(starts).max(initial=0))
            self._score = np.empty(len(initial), np.float32)
            self._back = np.empty((longest, len(initial)), np.int16)

    def add(self, scores):
        """Take the scores of the next tokens: float32[n, n_tags]."""
        if self._initial is None:
            self.tags[self._done : self._done + len(scores)] = scores.argmax(axis=1)
        else:
            viterbi(
                scores, self._done, self._starts, self._initial, self._transition, self._final,
                self._score, self._back, self.tags,
            )  # fmt: skip
        self._done += len(scores)
