"""The largest value of each unit over the words of a sentence, for one word beside a predicate."""

import numpy as np

from senna_py.kernels.nn.max_over_time import locate_maxima, max_over_predicates, spread_maxima
from senna_py.layers.protocol import Layer


class MaxOverTime(Layer):
    """out[p, w] = max over t of words[t] + verb_bias[t - v_p] + word_bias[t - w] (section 3.3.2).

    p counts predicates, each at a word v_p; w and t go over the words of its sentence. It has no
    parameters.
    """

    def outputs(self, parts, batch):
        """Outputs in use, by a faster kernel that keeps no places; see `forward`."""
        out = _rows(parts[0], *batch[:2])
        max_over_predicates(parts[0], *batch, *parts[1:], out)
        return out

    def forward(self, parts, batch):
        """Maxima float32[n_rows, n], a row for each word beside each predicate, and the trace.

        parts: words: float32[n_tokens, n], verb_bias, word_bias: float32[2 * m + 1, n] for
        distances -m to m; batch: starts: int32[n_sentences + 1], sentence and predicate:
        int32[n_predicates].
        """
        words, verb_bias, word_bias = parts
        out = _rows(words, *batch[:2])
        place = np.empty(out.shape, np.int32)
        locate_maxima(words, *batch, verb_bias, word_bias, out, place)
        return out, (place, batch, [a.shape for a in (words, verb_bias, word_bias)])

    def backward(self, d_out, trace, gradients=None):
        """d(cost)/d(words), /d(verb_bias) and /d(word_bias)."""
        place, batch, shapes = trace
        found = [np.zeros(shape, np.float32) for shape in shapes]
        spread_maxima(d_out, place, *batch, *found)
        return found


def _rows(words, starts, sentence):
    return np.empty((int(np.diff(starts)[sentence].sum()), words.shape[1]), np.float32)
