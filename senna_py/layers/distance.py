"""Convolution with distances to the word and the predicate, and its max over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.kernels.nn.max_over_time import (
    locate_maxima,
    spread_maxima,
)
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.int32]


def distance_rows(
    table: NDArray, word: NDArray[np.integer], center: NDArray[np.integer]
) -> Ints:
    """Return the row of a table for each distance from center to word: int32[n].

    Args:
        table: An array with 2 * m + 1 rows, for the distances -m to m. Distances
            outside this range are clipped.
        word: int[n], the indices of words.
        center: int[n], the indices of the words from which distances are measured.
    """
    m = len(table) // 2
    return (np.clip(word - center, -m, m) + m).astype(np.int32)


class DistanceConvolution(Layer):
    """The part of a convolution that depends only on the distance to a word.

    In Collobert et al. (2011, section 3.3.2), distances are features of words. Their
    contribution to a convolution is the same for all sentences, so it is computed once
    per batch.

    Attributes:
        name: The prefix of the names in files: `NAMEs` is the table, and `NAME_weight`
            is the weight.
        table: float32[2 * m + 1, dim], the rows for the distances -m to m. Distances
            outside this range are clipped.
        weight: float32[window * dim, n_out].
    """

    def __init__(self, name: str, table: NDArray, weight: NDArray) -> None:
        self.name, self.table, self.weight = name, table, weight
        self._layer = WindowConvolution((f"{name}_weight", None), weight)

    @staticmethod
    def declare(name: str, dim: str, n_out: str, group: str = "") -> list[Array]:
        """Declare a table of `distances` rows, and a weight for windows of `window`.

        Args:
            name: The prefix of the names of the arrays.
            dim: The name of the size of a row of the table.
            n_out: The name of the number of outputs.
            group: The group of the arrays; see `Array`.
        """
        return [
            Array(f"{name}s", ("distances", dim), "near", group),
            Array(f"{name}_weight", (f"window*{dim}", n_out), "weights", group),
        ]

    def parameters(self) -> dict[str, NDArray]:
        return {f"{self.name}s": self.table, f"{self.name}_weight": self.weight}

    def _rows(self, longest: int) -> NDArray[np.int64]:
        """Return the row of the table for each distance in a window: int64[n].

        Windows reach beyond their center, so the distances go up to half a window
        beyond the distances of the table, and repeat its first and last rows there.
        Distances that do not occur in sentences of `longest` tokens are left out.
        """
        window, reach = len(self.weight) // self.table.shape[1], len(self.table) // 2
        half = window // 2
        m = min(reach + half, longest)
        return np.clip(np.arange(-m - half, m + half + 1), -reach, reach) + reach

    def forward(self, longest: int) -> tuple[NDArray, Any]:
        """Return the outputs for the distances -m to m, and the trace.

        Args:
            longest: The number of tokens of the longest sentence.

        Returns:
            float32[2 * m + 1, n_out], and the trace. m is `longest`, or the largest
            distance of the table plus half a window if that is less.
        """
        rows, window = self._rows(longest), len(self.weight) // self.table.shape[1]
        first = np.arange(len(rows) - window + 1, dtype=np.int32)
        out, trace = self._layer.forward(self.table[rows], first)
        return out, (rows, trace)

    def backward(self, d_out: NDArray, trace: Any, gradients: Gradients) -> None:
        """Collect the gradients of the table and of the weight."""
        rows, trace = trace
        d_rows = self._layer.backward(d_out, trace, gradients)
        d_table = np.zeros_like(self.table)
        add_to_rows(d_rows, rows.astype(np.int32), d_table)
        gradients.add(f"{self.name}s", d_table)


class DistanceParts(Layer):
    """The contributions of distances to a convolution over words."""

    def __init__(self, convolutions: Sequence[DistanceConvolution]) -> None:
        """Store the layers.

        Args:
            convolutions: The layer for distances to the predicate, if there is one,
                followed by the layer for distances to the word.
        """
        self._convolutions = convolutions

    def parameters(self) -> dict[str, NDArray]:
        return {
            name: array
            for convolution in self._convolutions
            for name, array in convolution.parameters().items()
        }

    def forward(self, words: NDArray, longest: int) -> tuple[Any, Any]:
        """Return the input of MaxOverTime, and the trace.

        Args:
            words: float32[n_tokens, n], the convolution of the words.
            longest: The number of tokens of the longest sentence.

        Returns:
            The words, unchanged, and the contribution of each distance to the predicate
            and of each distance to the word, both float32[2 * m + 1, n]. Without
            predicates, the former is 0.
        """
        biases, traces = zip(
            *(convolution.forward(longest) for convolution in self._convolutions),
            strict=True,
        )
        word_bias = biases[-1]
        verb_bias = biases[0] if len(biases) > 1 else np.zeros_like(word_bias)
        return (words, verb_bias, word_bias), traces

    def backward(self, d_parts: Any, traces: Any, gradients: Gradients) -> NDArray:
        d_words, *d_biases = d_parts
        d_biases = d_biases[-len(self._convolutions) :]
        for layer, d_bias, trace in zip(
            self._convolutions, d_biases, traces, strict=True
        ):
            layer.backward(d_bias, trace, gradients)
        return d_words


class MaxOverTime(Layer):
    """The max over time, for each predicate and word (Collobert et al. 2011, 3.3.2).

    out[p, w] = max over t of words[t] + verb_bias[t - v_p] + word_bias[t - w], where
    v_p is the word of predicate p, and w and t are words of its sentence. The layer has
    no parameters.
    """

    def forward(self, parts: Any, batch: Any) -> tuple[NDArray, Any]:
        """Return the maxima, float32[n_rows, n], and the trace.

        There is a row for each word of the sentence of each predicate.

        Args:
            parts: The arrays words, float32[n_tokens, n], and verb_bias and word_bias,
                float32[2 * m + 1, n], whose rows are for the distances -m to m.
            batch: The arrays starts, int32[n_sentences + 1], where each sentence
                begins, and sentence and predicate, int32[n_predicates], the sentence of
                each predicate and its token index in the batch.
        """
        words, verb_bias, word_bias = parts
        starts, sentence, _ = batch
        n_rows = int(np.diff(starts)[sentence].sum())
        out = np.empty((n_rows, words.shape[1]), np.float32)
        place = np.empty(out.shape, np.int32)
        locate_maxima(words, *batch, verb_bias, word_bias, out, place)
        return out, (place, batch, [array.shape for array in parts])

    def backward(
        self, d_out: NDArray, trace: Any, gradients: Gradients | None = None
    ) -> Any:
        """Return d(cost)/d(words), d(cost)/d(verb_bias) and d(cost)/d(word_bias).

        Args:
            d_out: float32[n_rows, n], d(cost)/d(out).
            trace: The trace of `forward`.
            gradients: Not used, because there are no parameters.
        """
        place, batch, shapes = trace
        d_parts = [np.zeros(shape, np.float32) for shape in shapes]
        spread_maxima(d_out, place, *batch, *d_parts)
        return d_parts
