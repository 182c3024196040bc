"""Dependency trees from scores of arcs: a stack of dilated convolutions, and a biaffine
head.

As by Dozat and Manning (2017), Deep biaffine attention for neural dependency parsing,
but for the relations, whose form is of low rank, and for distances: states of
convolutions do not know them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.settings import setting
from senna_py.kernels.decoding.arborescence import best_trees, score_heads
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import aligned
from senna_py.layers.distance import distance_rows
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.likelihood import IMPOSSIBLE, WordLikelihood, word_cost
from senna_py.layers.linear import Linear, blas
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.layers.protocol import Array
from senna_py.networks.answers import ArcLabels
from senna_py.networks.base import Cost, Planned
from senna_py.networks.batch import WordBatch
from senna_py.networks.dilated import BlockNetwork, BlockSettings

if TYPE_CHECKING:
    from senna_py.layers.gradients import Gradients

_RANK = 64  # units for each arc, of which relations are scored


@dataclass
class ArcSettings(BlockSettings):
    """Settings of the arcs approach."""

    hidden: int = setting(
        256, "units for each word, half of them as dependent, half as head", least=2
    )
    reach: int = setting(20, "the largest distance with weights of its own", least=1)


class ArcNetwork(BlockNetwork):
    """Scores each pair of a word and its head, from the states of both; see
    BlockNetwork.

    A linear layer and a rectifier make two maps of a word's state: d, of the word as a
    dependent, and h, as a head; the root has an h of its own. The score of an arc is d
    @ (k + v) + b, where k = h @ arc_weight, b = h @ arc_bias, and v is of the distance
    from the word to its head, 0 of the root; the heads of a word compete by a softmax.
    Scores of the relation of an arc are linear in the product of a linear layer of d
    and one of h, plus a vector of the distance. The tree is that of the largest sum of
    scores which has exactly one root.

    hidden_weight: float32[width, 2 * n], of d and then h; hidden_bias: float32[2 * n];
    root, arc_bias: float32[n]; arc_weight: float32[n, n]; dependent_weight,
    head_weight: float32[n, rank]; dependent_bias, head_bias: float32[rank];
    output_weight: float32[rank, n_relations];
    output_bias: float32[n_relations]; distances: float32[2 * m + 1, n],
    relation_distances: float32[2 * m + 1, rank], of distances from -m to m and farther;
    the one of 0 is of the root.
    """

    kind, settings = "arcs", ArcSettings
    approaches = "arcs", "dilated"
    tasks = ("arcs",)
    whole_sentences = 2
    beyond_senna = "it has no dependencies"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *super().declare(header),
            *Linear.declare("hidden", "width", "hidden"),
            Array("root", ("maps",), "near"),
            Array("arc_weight", ("maps", "maps")),
            Array("arc_bias", ("maps",), "zeros", "", "maps"),
            Array("distances", ("distances", "maps"), "zeros", "", "maps"),
            *Linear.declare("dependent", "maps", "rank"),
            *Linear.declare("head", "maps", "rank"),
            Array("relation_distances", ("distances", "rank"), "zeros", "", "rank"),
            *Linear.declare("output", "rank", "tags"),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Planned:
        header, sizes, groups = super().plan(settings, labels)
        if sizes["hidden"] % 2:
            raise SennaError(
                f"arcs need an even number of hidden units, found {sizes['hidden']}"
            )
        sizes |= {"distances": 2 * settings.reach + 1, "rank": _RANK}
        return header, sizes | {"maps": sizes["hidden"] // 2}, groups

    def _known_sizes(self):
        sizes = super()._known_sizes()
        if self.hidden_bias is not None:
            if self.hidden_bias.size % 2:
                raise SennaError(
                    f"{self.hidden_bias.size:,} hidden units, expected an even number"
                )
            sizes["maps"] = self.hidden_bias.size // 2
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        found = super().layers(cache)
        for name in ("hidden", "dependent", "head", "output"):
            arrays = getattr(self, f"{name}_weight"), getattr(self, f"{name}_bias")
            found[name] = Linear(name, *arrays, blas)
        maps = (
            np.split(array, 2, axis=-1)
            for array in (self.hidden_weight, self.hidden_bias)
        )
        for name, weight, bias in zip("dh", *maps, strict=True):
            found[name] = Linear(name, weight, bias, packed=Int8Weight)
        keys = np.column_stack([self.arc_weight, self.arc_bias])
        for name, weight in {"keys": keys, "near": self.distances.T}.items():
            bias = np.zeros(weight.shape[1], np.float32)
            found[name] = Linear(name, np.ascontiguousarray(weight), bias)
        return found

    def _rows(self, n):
        """Rows of the distance from each of n words to each other: int32[n, n]."""
        words = np.arange(n)
        return distance_rows(self.distances, words, words[:, None])

    def _row(self, head):
        """Rows of the distance from each word to its head, int[n], less than 0 for the
        root.
        """
        words = np.arange(len(head))
        return distance_rows(self.distances, np.where(head < 0, words, head), words)

    # Tagging.

    @np.errstate(over="ignore", invalid="ignore")  # of any weights, as in kernels
    def tag(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> ArcLabels:
        """Trees of a WordBatch, as ArcLabels; scored: whether to tell how likely the
        arcs are.
        """
        run, layers, found = InferencePass(), self.used_layers(cache), []
        for piece in self.pieces(batch):
            states = self.states(run, layers, piece)
            d, h = layers["d"].outputs(states), aligned(len(states) + 1, len(self.root))
            h[-1], words = self.root, layers["h"].packed(states, h[:-1])
            for units in (d, words):
                Rectifier().outputs(units)
            n_words = np.diff(piece.starts).astype(np.int64)
            sizes = n_words * (n_words + 1)
            ends = np.cumsum(sizes)
            head, scores = np.empty(len(d), np.int32), np.empty(ends[-1], np.float32)
            score_heads(
                d,
                layers["keys"].outputs(h),
                layers["near"].outputs(d),
                piece.starts,
                scores,
            )
            best_trees(scores, ends - sizes, piece.starts, head)
            head_of = np.where(
                head < 0, -1, np.repeat(piece.starts[:-1], n_words) + head
            )
            product = (
                layers["dependent"].outputs(d) * layers["head"].outputs(h)[head_of]
            )
            product += self.relation_distances[self._row(head_of)]
            relations = layers["output"].outputs(product)
            label, share = relations.argmax(axis=1).astype(np.int32), None
            if scored:
                share = _share(relations, label)
                for own, (a, b) in zip(
                    np.split(scores, ends[:-1]),
                    pairwise(piece.starts.tolist()),
                    strict=True,
                ):
                    share[a:b] *= _share(own.reshape(b - a, b - a + 1), head[a:b] + 1)
            found.append(ArcLabels(head, label, piece.starts, share))
        return ArcLabels.joined(found, batch.begin, scored)

    def probabilities(self, batch: WordBatch, cache: Any = None) -> ArcLabels:
        """The best trees, with the probability of each arc and its relation."""
        return self.tag(batch, cache, scored=True)

    # Training.

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Any = (None, None)
    ) -> Cost:
        """Cost of a batch with heads and relations; the number of rows is that of
        words.

        It is the negative log likelihood of the head of each word, and of the relation
        of its right arc, multiplied by the probability of that, of soft ones, and the
        weight of the sentence.
        """
        run, layers = TrainingPass(dropouts), self.layers()
        maps = run.drop(
            run(Rectifier(), run(layers["hidden"], self.states(run, layers, words)))
        )
        d, h = np.split(maps, 2, axis=1)
        n, starts = len(d), words.starts
        keys, bias = h @ self.arc_weight, h @ self.arc_bias
        scores = np.full(
            (n, 1 + np.diff(starts).max(initial=0)), IMPOSSIBLE, np.float32
        )
        near = d @ self.distances.T
        scores[:, 0] = d @ (self.root @ self.arc_weight) + self.root @ self.arc_bias
        for a, b in pairwise(starts.tolist()):
            own = scores[a:b, 1 : 1 + b - a]
            own[:] = d[a:b] @ keys[a:b].T + bias[a:b]
            own += np.take_along_axis(near[a:b], self._rows(b - a), axis=1)
            np.fill_diagonal(own, IMPOSSIBLE)
        share = targets.shares() if targets.is_soft else None
        cost, d_scores = word_cost(scores, targets.head + np.int32(1), share)
        # Of each word its head among the words, or the root, which comes last.
        first = np.repeat(starts[:-1], np.diff(starts))
        head = np.where(targets.head < 0, -1, first + targets.head)
        heads = np.concatenate([h, self.root[None]])[head]
        first, second = (
            layers[name].forward(x)[0]
            for name, x in (("dependent", d), ("head", heads))
        )
        product = first * second + self.relation_distances[self._row(head)]
        relations = layers["output"].forward(product)[0]
        of_relations, d_relations = word_cost(relations, targets.label, share)
        of_arcs = heads, first, second, product
        trace = run, layers, starts, (d, h, head), of_arcs, d_scores, d_relations
        return cost + of_relations, n, trace

    def cost_backward(self, trace: Any, gradients: "Gradients") -> Any:
        run, layers, starts, (d, h, head), of_arcs, d_scores, d_relations = trace
        heads, first, second, product = of_arcs
        d_product = layers["output"].backward(d_relations, product, gradients)
        d_near = np.zeros_like(self.relation_distances)
        np.add.at(d_near, self._row(head), d_product)
        gradients.add("relation_distances", d_near)
        d_d = layers["dependent"].backward(d_product * second, d, gradients)
        d_heads = layers["head"].backward(d_product * first, heads, gradients)
        every = np.concatenate([h, self.root[None]])
        d_every = np.zeros_like(every)
        np.add.at(d_every, head, d_heads)
        keys, d_keys = every @ self.arc_weight, np.zeros_like(every)
        d_bias = np.zeros(len(every), np.float32)
        d_near = np.zeros((len(d), len(self.distances)), np.float32)
        d_d += np.outer(d_scores[:, 0], keys[-1])
        d_keys[-1], d_bias[-1] = d_scores[:, 0] @ d, d_scores[:, 0].sum()
        for a, b in pairwise(starts.tolist()):
            own = d_scores[a:b, 1 : 1 + b - a]
            np.fill_diagonal(own, 0)
            d_d[a:b] += own @ keys[a:b]
            d_keys[a:b], d_bias[a:b] = own.T @ d[a:b], own.sum(axis=0)
            np.add.at(d_near[a:b], (np.arange(b - a)[:, None], self._rows(b - a)), own)
        d_d += d_near @ self.distances
        gradients.add("distances", d_near.T @ d)
        d_every += d_keys @ self.arc_weight.T + np.outer(d_bias, self.arc_bias)
        gradients.add("arc_weight", every.T @ d_keys)
        gradients.add("arc_bias", d_bias @ every)
        gradients.add("root", d_every[-1])
        return run.backward(np.concatenate([d_d, d_every[:-1]], axis=1), gradients)


def _share(scores, label):
    """Probability of a label of each row of scores, float32[n]."""
    return WordLikelihood().path_scores(scores, None, label).tag
