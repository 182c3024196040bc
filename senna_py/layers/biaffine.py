"""A biaffine layer: scores of pairs of words, from their units and their distance."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.kernels.decoding.arborescence import score_heads
from senna_py.layers.blocks import PackedLinear
from senna_py.layers.distance import distance_rows
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Floats = NDArray[np.floating[Any]]


class Biaffine(Layer):
    """score(i, j) = d_i · (U h_j + v[j - i]) + u · h_j, for word j as i's head.

    d_i are the units of word i as a dependent, and h_j those of word j as a head. The
    root, which is the last of the heads, has no distance. This is the biaffine form of
    Dozat and Manning (2017), Deep biaffine attention for neural dependency parsing,
    section 3.2, plus vectors of distances, because the states of convolutions do not
    contain distances. Fan-in: n.
    """

    def __init__(self, weight: Floats, bias: Floats, distances: Floats) -> None:
        """Hold the arrays.

        Args:
            weight: float32[n, n], U transposed.
            bias: float32[n], u.
            distances: float32[2 * m + 1, n], v for distances from -m to m; larger ones
                are clipped.
        """
        self.weight, self.bias, self.distances = weight, bias, distances

    @staticmethod
    def declare(n: str, n_distances: str) -> list[Array]:
        """Declare the arrays of a layer of these sizes."""
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
    def _packed(self) -> list[PackedLinear]:
        """The products with U beside u, and with v; the arrays must not change."""
        weights = np.column_stack([self.weight, self.bias]), self.distances.T
        return [
            PackedLinear(np.ascontiguousarray(weight), np.zeros(weight.shape[1], "f4"))
            for weight in weights
        ]

    def outputs(self, dependents: Any, heads: Any, starts: Any) -> Any:
        """Return the scores at inference; see `forward`."""
        of_heads, of_distances = self._packed
        scores = np.empty(score_bounds(starts)[-1], np.float32)
        near = of_distances(dependents)
        score_heads(dependents, of_heads(heads), near, starts, scores)
        return scores

    def forward(self, dependents: Any, heads: Any, starts: Any) -> Any:
        """Return the scores of all arcs, and the trace.

        The scores of each sentence are float32[n, n + 1], one sentence after the other.
        A row is a word as a dependent. The first column is the root as its head, and
        the others are the words, including the word itself.

        Args:
            dependents: float32[n_words, n].
            heads: float32[n_words + 1, n], with the root at the end.
            starts: int32[n_sentences + 1].
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
            d_scores: d(cost)/d(scores).
            trace: The trace of `forward`.
            gradients: The Gradients to which those of the parameters are added.
            onto: The same two gradients from other layers, to which these are added in
                place.
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
        """Return the row of the distance from each of n words to each: int32[n, n]."""
        words = np.arange(n)
        return distance_rows(self.distances, words, words[:, None])


def score_bounds(starts: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return where the scores of each sentence begin: int64[n_sentences + 1]."""
    n_words = np.diff(starts).astype(np.int64)
    return np.append(0, np.cumsum(n_words * (n_words + 1)))


def score_blocks(
    scores: NDArray[Any], starts: NDArray[np.int32]
) -> Iterator[tuple[tuple[int, int], NDArray[Any]]]:
    """Yield the words of each sentence, and its scores of arcs: float32[n, n + 1]."""
    bounds = score_bounds(starts).tolist()
    words = pairwise(starts.tolist())
    for (a, b), (first, last) in zip(words, pairwise(bounds), strict=True):
        yield (a, b), scores[first:last].reshape(b - a, b - a + 1)
