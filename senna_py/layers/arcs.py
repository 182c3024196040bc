"""The output layers of a dependency parser: scores of arcs and of their relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.kernels.decoding.arborescence import best_trees, relation_units
from senna_py.layers.biaffine import Biaffine, score_bounds
from senna_py.layers.blocks import aligned
from senna_py.layers.distance import distance_rows
from senna_py.layers.int8 import RoundedRows
from senna_py.layers.linear import Linear
from senna_py.layers.protocol import Array, Layer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Floats = NDArray[np.floating[Any]]


class ArcScores(NamedTuple):
    """The scores of arcs in a batch of sentences, and of the relations of some arcs.

    Attributes:
        arcs: float32[n_scores], the scores of all arcs; see `Biaffine.forward`.
        head: int32[n_words], the index of each word's head within its sentence, or -1
            for the root.
        relations: float32[n_words, n_relations], the scores of the relations of the arc
            from each word to its head.
        parts: At inference, the parts of the scores of relations; see
            `Relations.parts`.
    """

    arcs: Any
    head: Any
    relations: Any
    parts: Any = None


class Relations(Layer):
    """Scores the relations of an arc from word i to its head j in bilinear form.

    scores = W((D d_i) * (H h_j) + v[j - i]). D, H and W are Linear layers with biases,
    and `*` is the elementwise product of vectors of `rank` units. The bilinear form
    therefore has a low rank.

    The fan-in of each Linear layer is the size of its input, and the fan-in of v is
    `rank`.
    """

    def __init__(
        self, dependent: Linear, head: Linear, output: Linear, distances: Floats
    ) -> None:
        """Store the layers and the array.

        Args:
            dependent: The Linear layer D.
            head: The Linear layer H.
            output: The Linear layer W.
            distances: float32[2 * m + 1, rank], v for the distances -m to m. Distances
                outside this range are clipped. The row of distance 0 is used for the
                root.
        """
        self._dependent, self._head, self._output = dependent, head, output
        self._distances = distances

    @staticmethod
    def declare(n: str, n_distances: str, rank: str, n_relations: str) -> list[Array]:
        """Declare the arrays of a layer; the arguments are names of sizes."""
        return [
            *Linear.declare("dependent", n, rank),
            *Linear.declare("head", n, rank),
            Array("relation_distances", (n_distances, rank), "zeros", "", rank),
            *Linear.declare("output", rank, n_relations),
        ]

    def parameters(self) -> dict[str, NDArray[Any]]:
        layers = self._dependent, self._head, self._output
        parameters = {"relation_distances": self._distances}
        for layer in layers:
            parameters |= layer.parameters()
        return parameters

    def _distance_rows(self, head: Any) -> NDArray[np.int32]:
        words = np.arange(len(head))
        return distance_rows(self._distances, np.where(head < 0, words, head), words)

    def parts(self, dependents: Any, heads: Any) -> tuple[Any, Any]:
        """Return D d_i for each word and H h_j for each head, at inference.

        They are float32[n_words, rank] and float32[n_words + 1, rank]. See `forward`
        for the arguments, which are RoundedRows.
        """
        return self._dependent.outputs(dependents), self._head.outputs(heads)

    def outputs(self, parts: Any, words: Any, head: Any) -> Any:
        """Return the scores of relations at inference: float32[n_arcs, n_relations].

        Args:
            parts: The result of the method `parts`.
            words: int64[n_arcs], the dependent of each arc.
            head: int64[n_arcs], its head; see `forward`.
        """
        units = aligned(len(words), parts[0].shape[1])
        relation_units(*parts, self._distances, words, head, units)
        return self._output.outputs(units)

    def forward(self, dependents: Any, heads: Any, head: Any) -> Any:
        """Return the scores of relations, float32[n_words, n_relations], and the trace.

        Args:
            dependents: float32[n_words, n], the units of each word as a dependent.
            heads: float32[n_words + 1, n], the units of each word as a head, and of the
                root in the last row.
            head: int[n_words], the index of each word's head in the batch, or -1 for
                the root.
        """
        chosen = heads[head]
        first, _ = self._dependent.forward(dependents)
        second, _ = self._head.forward(chosen)
        units = first * second + self._distances[self._distance_rows(head)]
        trace = dependents, heads, head, chosen, first, second, units
        return self._output.forward(units)[0], trace

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """Return d(cost)/d(dependents) and d(cost)/d(heads); see `Layer.backward`."""
        dependents, heads, head, chosen, first, second, units = trace
        d_units = self._output.backward(d_out, units, gradients)
        d_distances = np.zeros_like(self._distances)
        np.add.at(d_distances, self._distance_rows(head), d_units)
        gradients.add("relation_distances", d_distances)
        d_dependents = self._dependent.backward(d_units * second, dependents, gradients)
        d_chosen = self._head.backward(d_units * first, chosen, gradients)
        d_heads = np.zeros_like(heads)
        np.add.at(d_heads, head, d_chosen)
        return d_dependents, d_heads


class ArcHead(Layer):
    """Scores arcs between words, and the relations of arcs.

    The first half of a word's units represents the word as a dependent, and the second
    half represents it as a head. The fan-in of `root` is 1.
    """

    def __init__(self, root: Floats, arcs: Biaffine, relations: Relations) -> None:
        """Store the layers.

        Args:
            root: float32[n], the units of the root as a head.
            arcs: The layer that scores arcs.
            relations: The layer that scores relations.
        """
        self._root, self._arcs, self._relations = root, arcs, relations

    @staticmethod
    def declare(n: str, n_distances: str, rank: str, n_relations: str) -> list[Array]:
        """Declare the arrays of a layer; the arguments are names of sizes."""
        return [
            Array("root", (n,), "near"),
            *Biaffine.declare(n, n_distances),
            *Relations.declare(n, n_distances, rank, n_relations),
        ]

    def parameters(self) -> dict[str, NDArray[Any]]:
        others = self._arcs.parameters() | self._relations.parameters()
        return {"root": self._root} | others

    def outputs(self, units: Any, starts: Any, head: Any = None) -> ArcScores:
        """Return ArcScores at inference; see `forward`.

        If head is None, the heads are those of the best trees, and the score of each
        word as its own head becomes -inf.
        """
        n, n_units = len(units), len(self._root)
        dependents = RoundedRows.empty(n, n_units)
        dependents.round(0, units)
        heads = RoundedRows.empty(n + 1, n_units)
        heads.round(0, units, n_units)
        heads.round(n, self._root[None])
        arcs = self._arcs.outputs(dependents, heads, starts)
        if head is None:
            head = np.empty(n, np.int32)
            best_trees(arcs, score_bounds(starts)[:-1], starts, head)
        parts, words = self._relations.parts(dependents, heads), np.arange(n)
        relations = self._relations.outputs(parts, words, _in_batch(head, starts))
        return ArcScores(arcs, head, relations, parts)

    def relations_of(self, scores: ArcScores, words: Any, head: Any) -> Any:
        """Return the scores of relations of other arcs: float32[n_arcs, n_relations].

        Args:
            scores: The scores of the sentences at inference.
            words: int64[n_arcs], the index in the batch of the dependent of each arc.
            head: int64[n_arcs], the index of its head, or -1 for the root.
        """
        return self._relations.outputs(scores.parts, words, head)

    def forward(self, units: Any, starts: Any, head: Any) -> tuple[Any, Any]:
        """Return ArcScores and the trace.

        Args:
            units: float32[n_words, 2 * n], the units of all words.
            starts: int32[n_sentences + 1], where each sentence begins.
            head: int[n_words], the index of each word's head within its sentence, or -1
                for the root.
        """
        dependents, words = np.split(units, 2, axis=1)
        heads = np.concatenate([words, self._root[None]])
        arcs, arc_trace = self._arcs.forward(dependents, heads, starts)
        relations, relation_trace = self._relations.forward(
            dependents, heads, _in_batch(head, starts)
        )
        return ArcScores(arcs, head, relations), (arc_trace, relation_trace)

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """Return d(cost)/d(units): float32[n_words, 2 * n].

        Args:
            d_out: d(cost)/d(scores of arcs) and d(cost)/d(scores of relations).
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        d_arcs, d_relations = d_out
        arc_trace, relation_trace = trace
        d_units = self._relations.backward(d_relations, relation_trace, gradients)
        d_units = self._arcs.backward(d_arcs, arc_trace, gradients, onto=d_units)
        d_dependents, d_heads = d_units
        gradients.add("root", d_heads[-1])
        return np.concatenate([d_dependents, d_heads[:-1]], axis=1)


def _in_batch(head: Any, starts: Any) -> Any:
    """Convert heads from indices within sentences to indices within the batch.

    -1, which stands for the root, stays the same.
    """
    first = np.repeat(starts[:-1], np.diff(starts))
    return np.where(head < 0, -1, first + head.astype(np.int64))
