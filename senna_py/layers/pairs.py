"""A layer over pairs of a word and a predicate, in two steps: what is linear, and pair
by pair.

z = W u + P v + D[distance] + (A u) * (B v) + b, of states u of a word, v of a
predicate.
"""

from functools import cached_property

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.kernels.nn.pairs import add_pair_gradients, pair_units
from senna_py.layers.blocks import aligned
from senna_py.layers.int8 import ByteColumns, Int8Weight
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Array, Layer

# Names of what is linear in a word's and in a predicate's state, and of the factors of
# both.
_HALVES = ("hidden_weight", "word_factor"), ("predicate_weight", "predicate_factor")
PAIR_ARRAYS = ("predicate_weight", "word_factor", "predicate_factor")


class PairParts(Layer):
    """What words give, W u beside A u, and predicates, P v + b beside B v.

    arrays: by their names in files: hidden_weight, W transposed, predicate_weight: P;
    word_factor: A; predicate_factor: B: float32[dim, n]; hidden_bias: float32[n], b. In
    use, states and weights are rounded to 8 bits. Fan-in: dim.
    """

    def __init__(self, arrays):
        self._arrays = arrays

    @staticmethod
    def declare(dim, n, group=""):
        """Arrays of a layer of these sizes but for those of Linear, see
        layers.protocol.
        """
        return [
            Array(name, (dim, n), "weights", group, rounded=True)
            for name in PAIR_ARRAYS
        ]

    def parameters(self):
        return self._arrays

    def _layers(self, join=lambda pair: np.concatenate(pair, axis=1)):
        """What is linear of words, and of predicates; join: puts two weights side by
        side.
        """
        a, n = self._arrays, len(self._arrays["hidden_bias"])
        bias = np.zeros((2, 2 * n), a["hidden_bias"].dtype)
        bias[1, :n] = a["hidden_bias"]
        return [
            Linear(first, join([a[first], a[second]]), own, blas, Int8Weight)
            for (first, second), own in zip(_HALVES, bias, strict=True)
        ]

    @cached_property
    def _of_use(self):
        return self._layers(ByteColumns.joined)

    def outputs(self, states, predicate=None):
        """Outputs in use, see `forward`; the arrays must not change after."""
        given = states, states if predicate is None else states[predicate]
        return [layer.outputs(x) for layer, x in zip(self._of_use, given, strict=True)]

    def forward(self, states, predicate=None):
        """Parts float32[n_words, 2 * n] and float32[n_predicates, 2 * n], and the
        trace.

        states: float32[n_words, dim]; predicate: int32[n_predicates], words, all of
        them if None.
        """
        given = states, states if predicate is None else states[predicate]
        parts = [
            layer.forward(x)[0] for layer, x in zip(self._layers(), given, strict=True)
        ]
        return parts, (given, predicate)

    def backward(self, d_parts, trace, gradients):
        given, predicate = trace
        n = len(self._arrays["hidden_bias"])
        gradients.add("hidden_bias", d_parts[1][:, :n].sum(axis=0))
        d_states = []
        for layer, names, x, d_part in zip(
            self._layers(), _HALVES, given, d_parts, strict=True
        ):
            d_weight = x.T @ d_part
            for name, d_half in zip(
                names, (d_weight[:, :n], d_weight[:, n:]), strict=True
            ):
                gradients.add(name, np.ascontiguousarray(d_half))
            d_states.append(d_part @ layer.weight.T)
        d_words, d_predicates = d_states
        if predicate is None:
            return d_words + d_predicates
        add_to_rows(d_predicates, predicate, d_words)
        return d_words


class PairUnits(Layer):
    """z of each pair, from the parts of its word and its predicate.

    distances: float32[n_rows, n], D, of which a row is added. Fan-in: 1.
    """

    def __init__(self, distances):
        self._distances = distances

    @staticmethod
    def declare(n_rows, n, group=""):
        """Arrays of a layer of these sizes, see layers.protocol."""
        return [Array("distances", (n_rows, n), "near", group)]

    def parameters(self):
        return {"distances": self._distances}

    def outputs(self, parts, pairs):
        out = aligned(len(pairs[0]), parts[0].shape[1] // 2)
        pair_units(*parts, self._distances, *pairs, out)
        return out

    def forward(self, parts, pairs):
        """Outputs float32[n_pairs, n] of PairParts, and the trace.

        pairs: int32[n_pairs] each: which word, which predicate, and which row of
        distances.
        """
        out = np.empty((len(pairs[0]), parts[0].shape[1] // 2), parts[0].dtype)
        pair_units(*parts, self._distances, *pairs, out)
        return out, (parts, pairs)

    def backward(self, d_out, trace, gradients):
        """d(cost)/d(parts), a list; gives `gradients` that of the distances."""
        parts, pairs = trace
        d_parts, d_distances = (
            [*map(np.zeros_like, parts)],
            np.zeros_like(self._distances),
        )
        add_pair_gradients(d_out, *parts, *pairs, *d_parts, d_distances)
        gradients.add("distances", d_distances)
        return d_parts
