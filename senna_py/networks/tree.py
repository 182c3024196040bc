"""SENNA's tree network: constituents level by level, from the words up.

It is not trained here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.kernels.decoding.tree import Moves, decode_levels, score_words
from senna_py.kernels.nn.lookup import add_pairs
from senna_py.kernels.nn.max_over_time import max_over_sentences
from senna_py.labels.tree_keys import types_of_brackets
from senna_py.layers.blocks import (
    BLOCK,
    PackedLinear,
    aligned,
    apply_linear,
    whole_vectors,
)
from senna_py.layers.linear import Linear
from senna_py.layers.passes import InferencePass
from senna_py.layers.protocol import Array
from senna_py.layers.window import ProductCache, WindowLayer
from senna_py.networks.base import Context, TaggerNetwork
from senna_py.networks.decoding import TreeSpans, tree_layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task
    from senna_py.layers.passes import ForwardPass
    from senna_py.networks.base import Layers
    from senna_py.networks.batch import WordBatch

_WORDS = 8 * BLOCK  # whose trees grow together, in whole sentences
# Parts of the columns, first and last, that a word can have by its place, see
# `score_words`.
_PARTS = ((0, 4), (0, 3), (0, 2), (1, 2), (1, 3))


class Level(NamedTuple):
    """Sentences whose next level of constituents is to be found.

    words: float32[n_words, n_conv], what the words give the first layer; starts:
    int32[n_sentences + 1]; word: int32[n], the rows of `words`; latest: int32[n], the
    latest label of each word; span: int32[n], the constituent that each word is in.
    """

    words: NDArray[np.float32]
    starts: NDArray[np.int32]
    word: NDArray[np.int32]
    latest: NDArray[np.int32]
    span: NDArray[np.int32]

    @classmethod
    def first(cls, words: NDArray[np.float32], starts: NDArray[np.int32]) -> Level:
        """Make the level below which there is nothing."""
        n = len(words)
        none = np.zeros(n, np.int32), np.zeros(n, np.int32)
        return cls(words, starts, np.arange(n, dtype=np.int32), *none)

    def take(self, chosen: NDArray[np.bool_]) -> Level:
        """Return the level of chosen sentences."""
        lengths = np.diff(self.starts)
        rows = np.repeat(chosen, lengths)
        starts = np.append(0, np.cumsum(lengths[chosen])).astype(np.int32)
        arrays = self.word[rows], self.latest[rows], self.span[rows]
        return Level(self.words, starts, *arrays)


def kind_columns(n_labels: int) -> tuple[NDArray[np.int64], int]:
    """Return the column of each label, see kernels.decoding.tree, and their number."""
    n_types = n_labels // 4
    width = whole_vectors(n_types + 1)
    label = np.arange(n_labels - 1)
    return np.append(width + n_types, label % 4 * width + label // 4), 4 * width


def lay_out_moves(
    initial: NDArray[np.float32], transition: NDArray[np.float32]
) -> Moves:
    """Lay out initial scores and transitions for kernels.decoding.tree."""
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
    """The last two layers and the transitions of a network, laid out for kernels."""

    def __init__(self, network: TreeNetwork) -> None:
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

    def scores(self, pooled: NDArray[np.float32], level: Level) -> NDArray[np.float32]:
        """Score the labels of words: float32[n, n_columns]."""
        scores: NDArray[np.float32] = aligned(len(pooled), self.n_columns)
        score_words(
            pooled,
            level.span,
            level.starts,
            self.hidden,
            self.layers,
            self.rooms,
            scores,
        )
        return scores


def _side_by_side(parts: Sequence[tuple[Any, Any]]) -> Any:
    """Return one layer, as kernels take it, of the weights and biases of its parts."""
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

    kind, tasks, own_feature = "tree", ("trees",), True
    label_noun, label_lists = "types", ("right",)
    label_names = staticmethod(types_of_brackets)
    context = Context.PAIRS

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

    @property
    def _word_weight(self) -> NDArray[np.float32]:
        """The rows of word_weight for all features but the latest label."""
        n_rows = len(self.word_weight) - self.tables[-1].shape[1]
        weight: NDArray[np.float32] = self.word_weight[:n_rows]
        return weight

    def layers(self, cache: Any = None) -> dict[str, Any]:
        weight, bias = self._word_weight, self.word_bias
        # What each latest label gives the first layer: float32[n_labels, n_conv].
        labels = self.tables[-1].copy(), self.word_weight[len(weight) :]
        return {
            "words": WindowLayer(self.tables[:-1], weight, bias, cache),
            "labels": apply_linear(*labels, np.zeros_like(bias)),
            "output": _OutputLayers(self),
        }

    def forward(  # type: ignore[override]
        self, forward_pass: ForwardPass, layers: Layers, level: Level
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the scores of labels of words on the next level: float32[n, n_columns]."""
        first = np.empty((len(level.word), len(self.word_bias)), np.float32)
        add_pairs(level.words, level.word, layers["labels"], level.latest, first)
        pooled = np.empty_like(first)
        max_over_sentences(first, level.starts, self.position_bias, pooled)
        yield layers["output"].scores(pooled, level)

    def decode(self, batch: WordBatch, cache: Any = None) -> TreeSpans:
        """Find the constituents of a batch, whose features lack the tree label."""
        layers, parts, n_words = self.layers(cache), list[TreeSpans](), []
        for part in batch.split(_WORDS):
            every = np.arange(len(part.features), dtype=np.int32)
            words = layers["words"](part.features, every)
            parts.append(self._grow(layers, words, part.starts))
            n_words.append(len(every))
        return TreeSpans.joined(parts, n_words)

    def annotate(
        self,
        batch: WordBatch,
        task: Task,
        names: Sequence[str],
        cache: Any = None,
        scored: bool = False,
    ) -> Layer:
        return tree_layer(task, names, self.decode(batch, cache), batch.starts)

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        """Raise UsageError: it labels words on levels, not spans."""
        raise UsageError("of trees, only those of a chart network have probabilities")

    def _grow(
        self, layers: Layers, words: NDArray[np.float32], starts: NDArray[np.int32]
    ) -> TreeSpans:
        """Find levels until each sentence is one constituent, or nothing is found."""
        n_sentences, level = len(starts) - 1, Level.first(words, starts)
        levels: list[TreeSpans] = []
        while n_sentences:
            (scores,) = self.forward(InferencePass(), layers, level)
            labels = np.empty(len(level.word), np.int32)
            has_any, is_whole = np.empty((2, n_sentences), bool)
            decode_levels(
                scores,
                level.starts,
                layers["output"].moves,
                level.span,
                level.latest,
                labels,
                has_any,
                is_whole,
            )
            labels[~np.repeat(has_any, np.diff(level.starts))] = 0
            levels.append(_spans_of_level(labels, level.word, len(levels)))
            goes_on = has_any & ~is_whole
            n_sentences, level = int(goes_on.sum()), level.take(goes_on)
        return TreeSpans.joined(levels, [0] * len(levels))


def _spans_of_level(
    labels: NDArray[np.int32], word: NDArray[np.int32], level: int
) -> TreeSpans:
    """Return the constituents that the labels of words say; word: of each label."""
    prefix = np.where(labels > 0, (labels - 1) % 4, -1)  # B, I, E, S
    first = np.flatnonzero((prefix == 0) | (prefix == 3))
    last = np.flatnonzero(prefix >= 2)
    label = (labels[first] - 1) // 4
    levels = np.full(len(first), level, np.int32)
    return TreeSpans(word[first], word[last] + np.int32(1), label, levels)
