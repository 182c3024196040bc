"""The output layer of a constituency parser: scores of spans and of their labels."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.kernels.decoding import chart
from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.layers.activations import Rectifier
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PairScores, PairUnits
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Floats = NDArray[np.floating[Any]]


class SpanScores(NamedTuple):
    """The scores of spans in a batch of sentences, and the scores of their labels.

    Attributes:
        begin, end: int32[n_spans], the range of words [begin, end) of each span, as
            indices in the batch.
        score: float32[n_spans], the logit of the probability that the span is a
            constituent.
        labels: The scores of labels: at inference, float32[n_spans, n_types], for all
            spans; in training, float32[n_chosen, n_types], for the chosen spans.
    """

    begin: Any
    end: Any
    score: Any
    labels: Any


class SpanHead(Layer):
    """Scores spans of words as constituents, and scores the labels of spans.

    The score of a span is w · max(0, z) + c, and the scores of its labels are
    V max(0, z) + b. z are the PairUnits of the first and the last word of the span,
    with a vector for its length. The fan-in of weight and bias is n, and the fan-in of
    the vectors of lengths is 1.
    """

    def __init__(self, distances: Floats, weight: Floats, bias: Floats) -> None:
        """Store the arrays.

        Args:
            distances: float32[m, n], the vectors for spans of 1, 2, ... words. The last
                row is for spans of m or more words.
            weight: float32[n, 1 + n_types], w and the transpose of V, side by side.
            bias: float32[1 + n_types], c and b.
        """
        self._distances, self._units = distances, PairUnits(distances)
        self._weight, self._bias = weight, bias

    @staticmethod
    def declare(n: str, n_lengths: str, n_outputs: str) -> list[Array]:
        """Declare the arrays of a layer; the arguments are names of sizes."""
        return [
            *PairUnits.declare(n_lengths, n),
            *Linear.declare("output", n, n_outputs),
        ]

    def parameters(self) -> dict[str, NDArray[Any]]:
        outputs = {"output_weight": self._weight, "output_bias": self._bias}
        return self._units.parameters() | outputs

    def _label_layer(self) -> Linear:
        """Return the linear layer that scores labels, with a copy of the current weights."""
        weight = np.ascontiguousarray(self._weight[:, 1:])
        return Linear("labels", weight, self._bias[1:].copy(), blas, Int8Weight)

    @cached_property
    def _packed(self) -> tuple[NDArray[np.int16], np.float32, PairScores]:
        """The weight of spans as integers, its scale, and the layer for labels.

        They are created on first use, at inference, so the weights must not change
        afterwards.
        """
        weight = np.asarray(self._weight[:, 0], np.float32)
        largest = np.maximum(np.abs(weight).max(), np.finfo(np.float32).tiny)
        scale = largest / np.float32(chart.most_of_weights(len(weight)))
        labels = PairScores(self._distances, self._label_layer())
        return np.rint(weight / scale).astype(np.int16), scale, labels

    def outputs(
        self, parts: Any, starts: Any, dropout: Any, least: Any, chosen: Any = None
    ) -> SpanScores:
        """Return the SpanScores of spans with scores of `least` or more, at inference.

        The span of a whole sentence is always included. Units and
        weights are rounded to integers, of 8 bits for labels. `dropout` and
        `chosen` are ignored. See `forward` for the other arguments.
        """
        numbers, scale, labels = self._packed
        n_words = np.diff(starts).astype(np.int64)
        room = int((n_words * (n_words + 1) // 2).sum())
        begin, end = np.empty((2, room), np.int32)
        score = np.empty(room, np.float32)
        n = chart.spans_above(
            *parts,
            self._distances,
            numbers,
            scale,
            self._bias[0],
            np.float32(least),
            starts,
            begin,
            end,
            score,
        )
        begin, end, score = begin[:n].copy(), end[:n].copy(), score[:n].copy()
        last = end - np.int32(1)
        length = np.minimum(last - begin, np.int32(len(self._distances) - 1))
        scores = labels.outputs(parts, (begin, last, length))
        return SpanScores(begin, end, score, scores)

    def forward(
        self, parts: Any, starts: Any, dropout: Any, least: Any, chosen: Any
    ) -> tuple[Any, Any]:
        """Return the SpanScores of all spans, and the trace.

        Args:
            parts: The outputs of PairParts for first and for last words, both
                float32[n_words, 2 * n].
            starts: int32[n_sentences + 1], where each sentence begins.
            dropout: The Dropout of the units.
            least: Ignored in training.
            chosen: int64[n_chosen], the indices of the spans whose labels are scored.
        """
        first, last, length = spans_of(starts, len(self._distances))
        z, pair_trace = self._units.forward(parts, (first, last, length))
        hidden, slope = Rectifier().forward(z)
        hidden, factors = dropout.forward(hidden)
        score = hidden @ self._weight[:, 0] + self._bias[0]
        labels = self._label_layer().forward(hidden[chosen])[0]
        trace = hidden, chosen, dropout, factors, slope, pair_trace
        return SpanScores(first, last + np.int32(1), score, labels), trace

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """Return d(cost)/d(parts), a list of two arrays.

        Args:
            d_out: d(cost)/d(scores of spans) and d(cost)/d(scores of labels).
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        d_score, d_labels = d_out
        hidden, chosen, dropout, factors, slope, pair_trace = trace
        d_weight = np.empty_like(self._weight)
        d_weight[:, 0] = d_score @ hidden
        d_weight[:, 1:] = hidden[chosen].T @ d_labels
        gradients.add("output_weight", d_weight)
        gradients.add("output_bias", np.append(d_score.sum(), d_labels.sum(axis=0)))
        d_hidden = np.multiply.outer(d_score, self._weight[:, 0])
        d_chosen = d_labels @ self._weight[:, 1:].T
        add_to_rows(d_chosen, chosen.astype(np.int32), d_hidden)
        d_z = Rectifier().backward(dropout.backward(d_hidden, factors), slope)
        return self._units.backward(d_z, pair_trace, gradients)


def spans_of(starts: NDArray[np.int32], n_lengths: int) -> NDArray[np.int32]:
    """Return all spans of a batch, in the order of `kernels.decoding.chart`.

    Args:
        starts: int32[n_sentences + 1], where each sentence begins.
        n_lengths: The number of rows of the table of lengths.

    Returns:
        The first word, the last word and the row of the length of each span:
        int32[3, n_spans].
    """
    columns = [np.empty((3, 0), np.int64)]
    for a, b in _bounds(starts):
        first, last = np.triu_indices(b - a)
        length = np.minimum(last - first, n_lengths - 1)
        columns.append(np.stack([first + a, last + a, length]))
    return np.concatenate(columns, axis=1).astype(np.int32)


def _bounds(starts: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    return zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
