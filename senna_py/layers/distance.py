"""Convolution with distances to a word and a predicate, and its maximum over a
sentence.
"""

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.kernels.nn.max_over_time import (
    locate_maxima,
    max_over_predicates,
    spread_maxima,
)
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.protocol import Array, Layer


def distance_rows(table, word, centre):
    """Row of a table for distances -m to m and beyond, from center to word: int32[n]
    all three.
    """
    m = len(table) // 2
    return (np.clip(word - centre, -m, m) + m).astype(np.int32)


class DistanceConvolution(Layer):
    """The part of a convolution that depends on nothing but the distance to a word.

    name: of its arrays in files, table `NAMEs` and weight `NAME_weight`; table:
    float32[2 * m + 1, dim], rows for distances -m to m and beyond; weight:
    float32[window * dim, n_out]. Collobert et al. (2011), section 3.3.2: the distances
    are features of words, but their part of the sum is the same for all sentences, so
    it is computed once a batch.
    """

    def __init__(self, name, table, weight):
        self.name, self.table, self.weight = name, table, weight
        self._layer = WindowConvolution((f"{name}_weight", None), weight)

    @staticmethod
    def declare(name, dim, n_out, group=""):
        """Table, of `distances` rows, and weight, of `window` rows; see
        layers.protocol.
        """
        return [
            Array(f"{name}s", ("distances", dim), "near", group),
            Array(f"{name}_weight", (f"window*{dim}", n_out), "weights", group),
        ]

    def parameters(self):
        return {f"{self.name}s": self.table, f"{self.name}_weight": self.weight}

    def _rows(self, longest):
        """Row of the table at each position of the windows around distances -m to m:
        int64[...].

        A window reaches further than its center, so distances differ up to half a
        window beyond the table's; those that no sentence of `longest` tokens has are
        left out.
        """
        window, reach = len(self.weight) // self.table.shape[1], len(self.table) // 2
        half = window // 2
        m = min(reach + half, longest)
        return np.clip(np.arange(-m - half, m + half + 1), -reach, reach) + reach

    def forward(self, longest):
        """The part of each distance -m to m: float32[2 * m + 1, n_out], and the trace.

        longest: tokens of the longest sentence; m: that, if the table does not end
        before.
        """
        rows, window = self._rows(longest), len(self.weight) // self.table.shape[1]
        first = np.arange(len(rows) - window + 1, dtype=np.int32)
        out, trace = self._layer.forward(self.table[rows], first)
        return out, (rows, trace)

    def backward(self, d_out, trace, gradients):
        """Give `gradients` those of table and weight."""
        rows, trace = trace
        d_rows = self._layer.backward(d_out, trace, gradients)
        d_table = np.zeros_like(self.table)
        add_to_rows(d_rows, rows.astype(np.int32), d_table)
        gradients.add(f"{self.name}s", d_table)


class DistanceParts(Layer):
    """What distances add to the convolution of words: to a predicate, if there is any,
    and a word.

    convolutions: DistanceConvolutions of the predicate and of the word, or of the word
    alone.
    """

    def __init__(self, convolutions):
        self._convolutions = convolutions

    def parameters(self):
        return {
            name: a
            for each in self._convolutions
            for name, a in each.parameters().items()
        }

    def forward(self, words, longest):
        """What MaxOverTime takes, and the trace.

        words: float32[n_tokens, n], as they are; longest: tokens of the longest
        sentence. Returns them with what each distance to the predicate and to the word
        adds, float32[2 * m + 1, n] both; without predicates the former is 0.
        """
        made, traces = zip(
            *(each.forward(longest) for each in self._convolutions), strict=True
        )
        of_verbs = made[0] if len(made) > 1 else np.zeros_like(made[-1])
        return (words, of_verbs, made[-1]), traces

    def backward(self, d_parts, traces, gradients):
        d_words, *d_biases = d_parts
        d_biases = d_biases[-len(self._convolutions) :]
        for layer, d_bias, trace in zip(
            self._convolutions, d_biases, traces, strict=True
        ):
            layer.backward(d_bias, trace, gradients)
        return d_words


class MaxOverTime(Layer):
    """out[p, w] = max over t of words[t] + verb_bias[t - v_p] + word_bias[t - w]
    (section 3.3.2).

    p counts predicates, each at a word v_p; w and t go over the words of its sentence.
    It has no parameters.
    """

    def outputs(self, parts, batch):
        """Outputs in use, by a faster kernel that keeps no places; see `forward`."""
        out = _rows(parts[0], *batch[:2])
        max_over_predicates(parts[0], *batch, *parts[1:], out)
        return out

    def forward(self, parts, batch):
        """Maxima float32[n_rows, n], a row for each word beside each predicate, and the
        trace.

        parts: words: float32[n_tokens, n], verb_bias, word_bias: float32[2 * m + 1, n]
        for distances -m to m; batch: starts: int32[n_sentences + 1], sentence and
        predicate: int32[n_predicates].
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
