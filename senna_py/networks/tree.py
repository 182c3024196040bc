"""SENNA's tree network: constituents level by level, from the words up. It is not
trained here.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.kernels.decoding.tree import Moves, decode_levels, score_words
from senna_py.kernels.nn.lookup import add_pairs
from senna_py.kernels.nn.max_over_time import max_over_sentences
from senna_py.layers.blocks import (
    BLOCK,
    PackedLinear,
    aligned,
    apply_linear,
    whole_vectors,
)
from senna_py.layers.linear import Linear
from senna_py.layers.protocol import Array
from senna_py.layers.window import ProductCache, WindowLayer
from senna_py.networks.answers import TreeLabels, join_trees
from senna_py.networks.base import TaggerNetwork
from senna_py.networks.batch import WordBatch

_WORDS = 8 * BLOCK  # whose trees grow together, in whole sentences
# Parts of the columns, first and last, that a word can have by its place, see
# `score_words`.
_PARTS = ((0, 4), (0, 3), (0, 2), (1, 2), (1, 3))


def kind_columns(n_labels: int) -> tuple[np.ndarray, int]:
    """Column of each label by kind, as decoding.tree has them: int64[n_labels]; and
    their count.
    """
    n_types = n_labels // 4
    width = whole_vectors(n_types + 1)
    label = np.arange(n_labels - 1)
    return np.append(width + n_types, label % 4 * width + label // 4), 4 * width


def lay_out_moves(initial: np.ndarray, transition: np.ndarray) -> Any:
    """Moves of initial: float32[n_labels] and transition: float32[n_labels,
    n_labels].
    """
    n_types, width = len(initial) // 4, kind_columns(len(initial))[1] // 4
    b, i, e, s = (np.arange(1 + kind, len(initial), 4) for kind in range(4))
    closed = np.concatenate(([0], e, s))
    to = np.concatenate((b, [0], s))
    at = np.concatenate((np.arange(n_types + 1), width + np.arange(n_types)))
    moves = Moves(
        aligned(len(closed), 2 * width), aligned(2 * width), aligned(4, width)
    )
    for array in moves:
        array[...] = 0
    moves.closed[:, at] = transition[closed[:, None], to]
    moves.initial[at] = initial[to]
    for row, (source, target) in enumerate(((b, i), (b, e), (i, i), (i, e))):
        moves.inside[row, :n_types] = transition[source, target]
    moves.inside[2, n_types] = transition[0, 0]
    return moves


class _OutputLayers:
    """The last two layers and the sentence-level scores of a network, laid out for
    kernels.
    """

    def __init__(self, network):
        columns, self.n_columns = kind_columns(len(network.output_bias))
        weight = np.zeros((len(network.output_weight), self.n_columns), np.float32)
        bias = np.zeros(self.n_columns, np.float32)
        weight[:, columns], bias[columns] = network.output_weight, network.output_bias
        parts = list(zip(np.split(weight, 4, axis=1), np.split(bias, 4), strict=True))
        self.layers = tuple(_side_by_side(parts[first:last]) for first, last in _PARTS)
        self.hidden = PackedLinear(network.hidden_weight, network.hidden_bias).arrays
        self.rooms = (
            aligned(BLOCK, len(network.hidden_bias)),
            aligned(BLOCK, self.n_columns),
        )
        self.moves = lay_out_moves(network.initial, network.transition)


def _side_by_side(parts):
    """One layer, as kernels take it, of parts of one: weight and bias of each."""
    weights, biases = zip(*parts, strict=True)
    bias = np.concatenate(biases)
    weight = np.concatenate(weights, axis=1, out=aligned(len(weights[0]), len(bias)))
    return PackedLinear(weight, bias).arrays


class TreeNetwork(TaggerNetwork):
    """Scores a label for each word on the next level, from all words and their latest
    labels.

    The table of the latest tree label is the last. word_weight: float32[sum of dims,
    n_conv]; word_bias: float32[n_conv]; position_bias: float32[K, n_conv], K odd, added
    for the distance between two words before max over time; hidden_weight:
    float32[n_conv, n_hidden]; hidden_bias: float32[n_hidden]; output_weight:
    float32[n_hidden, n_labels]; output_bias, initial: float32[n_labels]; transition:
    float32[n_labels, n_labels] (source, destination). Label 0 is O; then come B, I, E
    and S of each constituent type. padding is for the file format only.
    """

    kind, tasks, whole_sentences = "tree", ("trees",), 2
    own_feature = True

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *Linear.declare("word", "input", "conv"),
            Array("position_bias", ("positions", "conv")),
            *Linear.declare("hidden", "conv", "hidden"),
            *Linear.declare("output", "hidden", "tags"),
            Array("initial", ("tags",)),
            Array("transition", ("tags", "tags")),
        ]

    def check(self) -> None:
        super().check()
        n_tags = len(self.output_bias)
        if n_tags % 4 != 1:
            raise SennaError(
                f"{n_tags} tree labels, expected one (O) more than a multiple of four"
            )
        if len(self.tables[-1]) < n_tags:
            raise SennaError(
                f"{n_tags} tree labels, their table has {len(self.tables[-1])} keys"
            )

    def cache(self, n_rows: int) -> Any:
        return ProductCache(self.tables[:-1], self._word_weight, n_rows)

    @property
    def row_bytes(self) -> int:
        return 4 * len(self.word_bias)

    def tag(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> TreeLabels:
        """Trees of a WordBatch, whose features lack the tree label, as TreeLabels."""
        layer = WindowLayer(self.tables[:-1], self._word_weight, self.word_bias, cache)
        output = _OutputLayers(self)
        # The first-layer part of each possible tree label: float32[n_labels, n_conv].
        label_weight = self.word_weight[len(self._word_weight) :]
        no_bias = np.zeros_like(self.word_bias)
        label_part, found = (
            apply_linear(self.tables[-1].copy(), label_weight, no_bias),
            [],
        )
        for piece in batch.pieces(_WORDS):
            words = np.arange(len(piece.features), dtype=np.int32)
            word_part = layer(piece.features, words)
            found.append(self._climb(word_part, label_part, piece.starts, output))
        return join_trees(found)

    def posteriors(self, batch: WordBatch, cache: Any = None) -> Any:
        """Raises UsageError: its labels are those of words on a level, not of spans."""
        raise UsageError("of trees, only those of a chart network have probabilities")

    def _climb(self, word_part, label_part, starts, output):
        """Trees of some sentences, from the parts of the first layer."""
        n_sentences = len(starts) - 1
        active = np.arange(n_sentences)
        token = np.arange(len(word_part), dtype=np.int32)
        latest = np.zeros(len(word_part), np.int32)
        span = np.zeros(len(word_part), np.int32)
        whole = np.zeros(n_sentences, bool)
        levels = []
        while len(active):
            lengths = np.diff(starts)[active]
            bounds = np.append(0, np.cumsum(lengths)).astype(np.int32)
            first_layer = np.empty((len(token), word_part.shape[1]), np.float32)
            add_pairs(word_part, token, label_part, latest, first_layer)
            pooled = np.empty_like(first_layer)
            max_over_sentences(first_layer, bounds, self.position_bias, pooled)
            scores = aligned(len(pooled), output.n_columns)
            score_words(
                pooled, span, bounds, output.hidden, output.layers, output.rooms, scores
            )
            labels = np.empty(len(token), np.int32)
            found, spans = np.empty(len(active), bool), np.empty(len(active), bool)
            decode_levels(
                scores, bounds, output.moves, span, latest, labels, found, spans
            )
            whole[active] = spans
            kept = np.repeat(found, lengths)
            levels.append((active[found], lengths[found], labels[kept]))
            going_on = found & ~spans
            kept = np.repeat(going_on, lengths)
            active, token, latest, span = (
                active[going_on],
                token[kept],
                latest[kept],
                span[kept],
            )
        return trees_of_levels(levels, np.diff(starts), whole)

    @property
    def _word_weight(self):
        return self.word_weight[: len(self.word_weight) - self.tables[-1].shape[1]]


def trees_of_levels(
    levels: Sequence[Any], lengths: np.ndarray, whole: np.ndarray
) -> TreeLabels:
    """TreeLabels from lists of (sentences, their lengths, their labels in a row), one
    per level.
    """
    n_levels = np.zeros(len(lengths), np.int64)
    for sentences, _, _ in levels:
        n_levels[sentences] += 1
    rows = np.append(0, np.cumsum(n_levels * lengths))
    labels = np.empty(rows[-1], np.int32)
    for level, (sentences, level_lengths, level_labels) in enumerate(levels):
        first = rows[sentences] + level * level_lengths
        ends = np.cumsum(level_lengths)
        within = np.arange(len(level_labels)) - np.repeat(
            ends - level_lengths, level_lengths
        )
        labels[np.repeat(first, level_lengths) + within] = level_labels
    return TreeLabels(
        labels, rows, np.append(0, np.cumsum(n_levels)).astype(np.int32), whole
    )
