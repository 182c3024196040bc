"""A layer over pairs of a word and a predicate."""

import numpy as np

from senna_py.kernels.nn.pairs import add_pair_gradients, pair_units
from senna_py.layers.bfloat16 import RoundedWeight
from senna_py.layers.blocks import aligned
from senna_py.layers.linear import Linear, blas

__all__ = ["OF_PATHS", "PackedPairs", "PairLayer"]

# Names of the tables for paths between a word and a predicate, see kernels.text.phrases.path_rows.
OF_PATHS = ("constituents", "ancestors", "steps")

# Names of what is linear in a word's and in a predicate's state, and of the factors of both.
_HALVES = ("hidden_weight", "word_factor"), ("predicate_weight", "predicate_factor")


class PairLayer:
    """z = W u + P v + D[distance] + (A u) * (B v) + b, of states u of a word, v of a predicate.

    weight: float32[dim, n], W transposed; predicate_weight: P; word_factor: A; predicate_factor: B,
    all of that shape; distances: float32[2 * m + 1, n], D; bias: float32[n]; paths: none or three
    more tables, float32[n_keys, n], of which a row each is added, see OF_PATHS. Fan-in:
    dim, and 1 for tables.
    """

    def __init__(self, weight, bias, predicate_weight, word_factor, predicate_factor, distances,
                 paths=()):  # fmt: skip
        """Hold the arrays themselves, not copies: training changes them in place."""
        self._tables = {"distances": distances}
        if paths:
            self._tables |= dict(zip(OF_PATHS, paths, strict=True))
        self._arrays = {
            "hidden_weight": weight, "hidden_bias": bias, "predicate_weight": predicate_weight,
            "word_factor": word_factor, "predicate_factor": predicate_factor, **self._tables,
        }  # fmt: skip

    def packed(self):
        """The layer for tagging: what is linear in it is of states and weights in bfloat16."""
        linear = [RoundedWeight(layer.weight, layer.bias) for layer in self._layers()]
        return PackedPairs(linear, self._table(), self.table_rows)

    def _table(self):
        """All tables, one below the other."""
        return np.concatenate(list(self._tables.values()))

    def table_rows(self, rows):
        """Rows of all tables, one below the other: int32[n_pairs, n_tables].

        rows: int32[n_pairs] of distances, and int32[n_pairs, 3] of the tables for paths, if any.
        """
        sizes = [len(table) for table in self._tables.values()]
        begin = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
        return np.ascontiguousarray(np.column_stack(rows) + begin)

    def _layers(self):
        """What is linear: of words, W beside A, and of predicates, P beside B."""
        a, n = self._arrays, len(self._arrays["hidden_bias"])
        bias = np.zeros((2, 2 * n), a["hidden_bias"].dtype)
        bias[1, :n] = a["hidden_bias"]
        return [
            Linear(first, np.concatenate([a[first], a[second]], axis=1), own, blas)
            for (first, second), own in zip(_HALVES, bias, strict=True)
        ]

    def parameters(self):
        """Arrays by their names in files."""
        return self._arrays

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        weight = self._arrays["hidden_weight"]
        return dict.fromkeys(self._arrays, len(weight)) | dict.fromkeys(self._tables, 1)

    def parts(self, words, predicates):
        """What words give, W u beside A u, and predicates, P v + b beside B v.

        words: float32[n_words, dim] and predicates: float32[n_predicates, dim], their states.
        Returns float32[n_words, 2 * n] and float32[n_predicates, 2 * n].
        """
        return [f.forward(x)[0] for f, x in zip(self._layers(), (words, predicates), strict=True)]

    def join(self, parts, pairs):
        """Outputs float32[n_pairs, n] of `parts`; pairs: see `forward`."""
        out = np.empty((len(pairs[0]), parts[0].shape[1] // 2), parts[0].dtype)
        pair_units(*parts, self._table(), *pairs, out)
        return out

    def forward(self, words, predicates, pairs):
        """Outputs float32[n_pairs, n] of states, see `parts`, and the trace.

        pairs: int32[n_pairs] twice: which word, which predicate; and the `table_rows`.
        """
        parts = self.parts(words, predicates)
        return self.join(parts, pairs), (words, predicates, parts, pairs)

    def backward(self, d_out, trace, gradients):
        """d(cost)/d(words) and d(cost)/d(predicates); gives `gradients` those of the arrays."""
        words, predicates, parts, pairs = trace
        d_parts = [np.zeros_like(part) for part in parts]
        d_table, n = np.zeros_like(self._table()), d_out.shape[1]
        add_pair_gradients(d_out, *parts, *pairs, *d_parts, d_table)
        for name, table in self._tables.items():
            gradients.add(name, np.ascontiguousarray(d_table[: len(table)]))
            d_table = d_table[len(table) :]
        gradients.add("hidden_bias", d_parts[1][:, :n].sum(axis=0))
        given = zip(self._layers(), _HALVES, (words, predicates), d_parts, strict=True)
        d_states = []
        for layer, own, x, d_part in given:
            d_weight = x.T @ d_part
            for name, d_half in zip(own, (d_weight[:, :n], d_weight[:, n:]), strict=True):
                gradients.add(name, np.ascontiguousarray(d_half))
            d_states.append(d_part @ layer.weight.T)
        return tuple(d_states)


class PackedPairs:
    """A PairLayer and a rectifier for tagging, with weights laid out once for many blocks."""

    def __init__(self, layers, table, table_rows):
        """layers: two RoundedWeight, what is linear of words and of predicates; table: of rows.

        table_rows: that of the PairLayer.
        """
        self._layers, self._table, self.table_rows = layers, table, table_rows

    def parts(self, words, predicates):
        """Linear parts of words and of predicates, as `PairLayer.parts` gives them."""
        return [layer(x) for layer, x in zip(self._layers, (words, predicates), strict=True)]

    def join(self, parts, pairs):
        """Outputs float32[n_pairs, n], none below 0; parts, pairs: see `PairLayer`."""
        out = aligned(len(pairs[0]), parts[0].shape[1] // 2)
        pair_units(*parts, self._table, *pairs, out)
        return np.maximum(out, 0, out=out)
