"""A biaffine layer, which scores the arc between any two words of a sentence."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.kernels.decoding.arborescence import score_heads
from senna_py.kernels.nn.int8 import ways_here
from senna_py.layers.distance import distance_rows
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Floats = NDArray[np.floating[Any]]


class Biaffine(Layer):
    """Scores word j as the head of word i: d_i · (U h_j + v[j - i]) + u · h_j.

    d_i are the units of word i as a dependent, and h_j are the units of word j as a
    head. The root is also a head, but has no distance to a word. This is the biaffine
    form of Dozat and Manning (2017), Deep biaffine attention for neural dependency
    parsing, section 3.2, with additional vectors v for distances, because the states of
    convolutions do not encode distances. The fan-in of all arrays is n.

    At inference, all factors of these products are rounded to 8 bits; see
    `layers.int8`.
    """

    def __init__(self, weight: Floats, bias: Floats, distances: Floats) -> None:
        """Store the arrays.

        Args:
            weight: float32[n, n], the transpose of U.
            bias: float32[n], u.
            distances: float32[2 * m + 1, n], v for the distances -m to m. Distances
                outside this range are clipped.
        """
        self.weight, self.bias, self.distances = weight, bias, distances

    @staticmethod
    def declare(n: str, n_distances: str) -> list[Array]:
        """Declare the arrays of a layer; the arguments are names of sizes."""
        return [
            Array("arc_weight", (n, n)),
            Array("arc_bias", (n,), "zeros", "", n),
            Array("distances", (n_distances, n), "zeros", "", n),
        ]

    def parameters(self) -> dict[str, NDArray[Any]]:
        return {
            "arc_weight": self.weight,
            "arc_bias": self.bias,
            "distances": self.distances,
        }

    @cached_property
    def _packed(self) -> list[Int8Weight]:
        """Two packed layers: one for [U, u], and one for v.

        They are packed on first use, so the arrays must not change afterwards.
        """
        weights = np.column_stack([self.weight, self.bias]), self.distances.T
        return [
            Int8Weight(weight, np.zeros(weight.shape[1], np.float32))
            for weight in weights
        ]

    def outputs(self, dependents: Any, heads: Any, starts: Any) -> Any:
        """Return the scores of all arcs at inference; see `forward`.

        `dependents` and `heads` are RoundedRows.
        """
        of_heads, of_distances = self._packed
        scores = np.empty(score_bounds(starts)[-1], np.float32)
        score_heads(
            dependents.words,
            dependents.scales,
            of_heads(heads),
            of_distances(dependents),
            starts,
            ways_here()[-1],
            scores,
        )
        return scores

    def forward(self, dependents: Any, heads: Any, starts: Any) -> Any:
        """Return the scores of all arcs, float32[n_scores], and the trace.

        The result concatenates the sentences. The scores of a sentence of n words are
        float32[n, n + 1], flattened. Each row is for one word as a dependent. The first
        column is for the root as its head, and column 1 + j is for word j, which may be
        the dependent itself.

        Args:
            dependents: float32[n_words, n], the units of each word as a dependent.
            heads: float32[n_words + 1, n], the units of each word as a head, and of the
                root in the last row.
            starts: int32[n_sentences + 1], where each sentence begins.
        """
        words, root = heads[:-1], heads[-1]
        keys, bias = words @ self.weight, words @ self.bias
        of_root = dependents @ (root @ self.weight) + root @ self.bias
        near = dependents @ self.distances.T
        scores = np.empty(score_bounds(starts)[-1], dependents.dtype)
        for (a, b), block in score_blocks(scores, starts):
            block[:, 0] = of_root[a:b]
            block[:, 1:] = dependents[a:b] @ keys[a:b].T + bias[a:b]
            rows = self._distance_rows(b - a)
            block[:, 1:] += np.take_along_axis(near[a:b], rows, axis=1)
        return scores, (dependents, heads, starts)

    def backward(
        self, d_scores: Any, trace: Any, gradients: Gradients, onto: Any = None
    ) -> Any:
        """Return d(cost)/d(dependents) and d(cost)/d(heads).

        Args:
            d_scores: float32[n_scores], d(cost)/d(scores).
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
            onto: The same two gradients from other layers, to which the results are
                added in place, or None for zeros.
        """
        dependents, heads, starts = trace
        if onto is None:
            onto = np.zeros_like(dependents), np.zeros_like(heads)
        d_dependents, d_heads = onto
        keys, d_keys = heads @ self.weight, np.zeros_like(heads)
        d_bias = np.zeros(len(heads), heads.dtype)
        d_near = np.zeros((len(dependents), len(self.distances)), heads.dtype)
        of_root = np.empty(len(dependents), heads.dtype)
        for (a, b), block in score_blocks(d_scores, starts):
            of_root[a:b] = block[:, 0]
        d_dependents += np.outer(of_root, keys[-1])
        d_keys[-1], d_bias[-1] = of_root @ dependents, of_root.sum()
        for (a, b), block in score_blocks(d_scores, starts):
            d_arcs = block[:, 1:]
            d_dependents[a:b] += d_arcs @ keys[a:b]
            d_keys[a:b], d_bias[a:b] = d_arcs.T @ dependents[a:b], d_arcs.sum(axis=0)
            place = np.arange(b - a)[:, None], self._distance_rows(b - a)
            np.add.at(d_near[a:b], place, d_arcs)
        d_dependents += d_near @ self.distances
        d_heads += d_keys @ self.weight.T + np.outer(d_bias, self.bias)
        gradients.add("distances", d_near.T @ dependents)
        gradients.add("arc_weight", heads.T @ d_keys)
        gradients.add("arc_bias", d_bias @ heads)
        return onto

    def _distance_rows(self, n: int) -> NDArray[np.int32]:
        """Return the row of `distances` for each pair of n words: int32[n, n].

        The first index is the dependent, and the second one is the head.
        """
        words = np.arange(n)
        return distance_rows(self.distances, words, words[:, None])


def score_bounds(starts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the offset of the arc scores of each sentence: int64[n_sentences + 1].

    The last element is the total number of scores. `starts` is int32[n_sentences + 1],
    where the words of each sentence begin.
    """
    n_words = np.diff(starts).astype(np.int64)
    return np.append(0, np.cumsum(n_words * (n_words + 1)))


def score_blocks(
    scores: NDArray[Any], starts: NDArray[np.int32]
) -> Iterator[tuple[tuple[int, int], NDArray[Any]]]:
    """Yield each sentence's range of words, (begin, end), and its scores of arcs.

    The scores are a view of `scores`: float32[n, n + 1]; see `Biaffine.forward`.
    """
    bounds = score_bounds(starts).tolist()
    words = pairwise(starts.tolist())
    for (a, b), (first, last) in zip(words, pairwise(bounds), strict=True):
        yield (a, b), scores[first:last].reshape(b - a, b - a + 1)
