"""A layer over pairs of a word and a predicate, which is computed in two steps.

z = W u + P v + D[distance] + (A u) * (B v) + b, for the state u of a word and the state
v of a predicate. PairParts computes the products with each state, and PairUnits
combines them for each pair.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.kernels.nn.pairs import add_pair_gradients, pair_units, score_pairs
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import aligned
from senna_py.layers.int8 import ByteColumns, Int8Weight
from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout
    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.int32]

# The names of the arrays W and A, for words, and P and B, for predicates.
_WEIGHTS = ("hidden_weight", "word_factor"), ("predicate_weight", "predicate_factor")
PAIR_ARRAYS = ("predicate_weight", "word_factor", "predicate_factor")


class PairParts(Layer):
    """Computes W u and A u for each word, and P v + b and B v for each predicate.

    At inference, states and weights are rounded to 8 bits. The fan-in is dim.
    """

    def __init__(self, arrays: dict[str, NDArray]) -> None:
        """Store the arrays.

        Args:
            arrays: The arrays, keyed by their names in files: hidden_weight,
                predicate_weight, word_factor and predicate_factor are the transposes of
                W, P, A and B, float32[dim, n]; hidden_bias is b, float32[n].
        """
        self._arrays = arrays

    @staticmethod
    def declare(dim: str, n: str, group: str = "") -> list[Array]:
        """Declare the arrays of a layer, except for hidden_weight and hidden_bias.

        Args:
            dim: The name of the size of a state.
            n: The name of the number of units.
            group: The group of the arrays; see `Array`.
        """
        return [
            Array(name, (dim, n), "weights", group, rounded=True)
            for name in PAIR_ARRAYS
        ]

    def parameters(self) -> dict[str, NDArray]:
        return self._arrays

    def _layers(self, join: Callable[[Iterable[Any]], Any]) -> list[Linear]:
        """Return the linear layer for words and the linear layer for predicates.

        Args:
            join: A function that concatenates the columns of weights.
        """
        arrays, n = self._arrays, len(self._arrays["hidden_bias"])
        biases = np.zeros((2, 2 * n), arrays["hidden_bias"].dtype)
        biases[1, :n] = arrays["hidden_bias"]
        return [
            Linear(
                weight, join([arrays[weight], arrays[factor]]), bias, blas, Int8Weight
            )
            for (weight, factor), bias in zip(_WEIGHTS, biases, strict=True)
        ]

    @cached_property
    def _inference_layers(self) -> list[Linear]:
        return self._layers(ByteColumns.joined)

    def outputs(self, states: NDArray, predicate: Ints | None = None) -> list[NDArray]:
        """Return the parts at inference; see `forward`.

        The weights are packed on the first call, so they must not change afterwards.
        """
        inputs = states, states if predicate is None else states[predicate]
        layers = zip(self._inference_layers, inputs, strict=True)
        return [layer.outputs(x) for layer, x in layers]

    def forward(
        self, states: NDArray, predicate: Ints | None = None
    ) -> tuple[list[NDArray], Any]:
        """Return the parts of words and of predicates, and the trace.

        Args:
            states: float32[n_words, dim].
            predicate: int32[n_predicates], the word index of each predicate, or None if
                all words are predicates.

        Returns:
            A list of [W u, A u], float32[n_words, 2 * n], and [P v + b, B v],
            float32[n_predicates, 2 * n]; and the trace.
        """
        inputs = states, states if predicate is None else states[predicate]
        layers = zip(self._layers(_side_by_side), inputs, strict=True)
        return [layer.forward(x)[0] for layer, x in layers], (inputs, predicate)

    def backward(self, d_parts: Any, trace: Any, gradients: Gradients) -> NDArray:
        inputs, predicate = trace
        n = len(self._arrays["hidden_bias"])
        gradients.add("hidden_bias", d_parts[1][:, :n].sum(axis=0))
        d_states = []
        layers = self._layers(_side_by_side)
        for layer, (weight, factor), x, d_part in zip(
            layers, _WEIGHTS, inputs, d_parts, strict=True
        ):
            d_both = x.T @ d_part
            gradients.add(weight, np.ascontiguousarray(d_both[:, :n]))
            gradients.add(factor, np.ascontiguousarray(d_both[:, n:]))
            d_states.append(d_part @ layer.weight.T)
        d_words, d_predicates = d_states
        if predicate is None:
            return d_words + d_predicates
        add_to_rows(d_predicates, predicate, d_words)
        return d_words


def _side_by_side(weights: Iterable[NDArray]) -> NDArray:
    return np.concatenate(list(weights), axis=1)


class PairUnits(Layer):
    """Computes z for pairs, from the parts of the word and of the predicate.

    The fan-in is 1.
    """

    def __init__(self, distances: NDArray) -> None:
        """Store D: float32[n_rows, n]; each pair adds one of its rows."""
        self._distances = distances

    @staticmethod
    def declare(n_rows: str, n: str, group: str = "") -> list[Array]:
        """Declare the array of a layer; n_rows and n are names of sizes."""
        return [Array("distances", (n_rows, n), "near", group)]

    def parameters(self) -> dict[str, NDArray]:
        return {"distances": self._distances}

    def forward(self, parts: Any, pairs: Any) -> tuple[NDArray, Any]:
        """Return the units of pairs, float32[n_pairs, n], and the trace.

        Args:
            parts: The outputs of PairParts.
            pairs: Three arrays int32[n_pairs]: the indices of the word, of the
                predicate and of the row of D for each pair.
        """
        out = np.empty((len(pairs[0]), parts[0].shape[1] // 2), parts[0].dtype)
        pair_units(*parts, self._distances, *pairs, out)
        return out, (parts, pairs)

    def backward(
        self, d_out: NDArray, trace: Any, gradients: Gradients
    ) -> list[NDArray]:
        """Return d(cost)/d(parts), and collect the gradient of D.

        Args:
            d_out: float32[n_pairs, n], d(cost)/d(outputs).
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        parts, pairs = trace
        d_parts = [np.zeros_like(part) for part in parts]
        d_distances = np.zeros_like(self._distances)
        add_pair_gradients(d_out, *parts, *pairs, *d_parts, d_distances)
        gradients.add("distances", d_distances)
        return d_parts


class PairScores(Layer):
    """Computes the scores of pairs, out = V max(0, z) + b, for the PairUnits z.

    At inference, max(0, z) and V are rounded to 8 bits.
    """

    def __init__(self, distances: NDArray, output: Linear) -> None:
        """Store the arrays.

        Args:
            distances: See PairUnits.
            output: The linear layer with the transpose of V and b. At inference, it is
                an Int8Weight.
        """
        self._units, self._distances = PairUnits(distances), distances
        self._output = output

    def parameters(self) -> dict[str, NDArray]:
        return self._units.parameters() | self._output.parameters()

    def outputs(self, parts: Any, pairs: Any, dropout: Any = None) -> NDArray:
        weight = self._output.packed.arrays
        out = aligned(len(pairs[0]), len(weight[3]))
        score_pairs(*parts, self._distances, *pairs, weight, out)
        return out

    def forward(self, parts: Any, pairs: Any, dropout: Dropout) -> tuple[NDArray, Any]:
        """Return the scores, float32[n_pairs, n_out], and the trace.

        Args:
            parts: The outputs of PairParts.
            pairs: See PairUnits.
            dropout: The Dropout of max(0, z).
        """
        z, pair_trace = self._units.forward(parts, pairs)
        hidden, slope = Rectifier().forward(z)
        hidden, factors = dropout.forward(hidden)
        out, output_trace = self._output.forward(hidden)
        return out, (pair_trace, slope, dropout, factors, output_trace)

    def backward(
        self, d_out: NDArray, trace: Any, gradients: Gradients
    ) -> list[NDArray]:
        pair_trace, slope, dropout, factors, output_trace = trace
        d_hidden = self._output.backward(d_out, output_trace, gradients)
        d_z = Rectifier().backward(dropout.backward(d_hidden, factors), slope)
        return self._units.backward(d_z, pair_trace, gradients)
