"""SENNA's tree network, which finds constituents level by level, from the words up.

It cannot be trained.
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

# The number of words for which trees are built at a time, in whole sentences.
_WORDS = 8 * BLOCK
# The range of parts of the columns, [first, last), that a word can have, for each place
# of a word in its constituent; see `score_words`.
_PARTS = ((0, 4), (0, 3), (0, 2), (1, 2), (1, 3))


class Level(NamedTuple):
    """The unfinished sentences of a batch, and their constituents so far.

    Attributes:
        words: float32[n_words, n_conv], the contribution of each word of the batch to
            the first layer.
        starts: int32[n_sentences + 1], where each unfinished sentence begins.
        word: int32[n], the row in `words` of each word of these sentences.
        latest: int32[n], the latest label of each word other than O, or O if it has
            none.
        span: int32[n], the number of words of the outermost constituent that begins at
            each word, or 0.
    """

    words: NDArray[np.float32]
    starts: NDArray[np.int32]
    word: NDArray[np.int32]
    latest: NDArray[np.int32]
    span: NDArray[np.int32]

    @classmethod
    def first(cls, words: NDArray[np.float32], starts: NDArray[np.int32]) -> Level:
        """Return the state before the first level, where there are no constituents.

        Args:
            words: float32[n_words, n_conv]; see the class.
            starts: int32[n_sentences + 1], where each sentence begins.
        """
        n = len(words)
        none = np.zeros(n, np.int32), np.zeros(n, np.int32)
        return cls(words, starts, np.arange(n, dtype=np.int32), *none)

    def take(self, chosen: NDArray[np.bool_]) -> Level:
        """Return the state of the chosen sentences only.

        Args:
            chosen: bool[n_sentences], whether each sentence is chosen.
        """
        lengths = np.diff(self.starts)
        rows = np.repeat(chosen, lengths)
        starts = np.append(0, np.cumsum(lengths[chosen])).astype(np.int32)
        arrays = self.word[rows], self.latest[rows], self.span[rows]
        return Level(self.words, starts, *arrays)


def kind_columns(n_labels: int) -> tuple[NDArray[np.int64], int]:
    """Return the column of each label in rows of scores, and the number of columns.

    `kernels.decoding.tree` explains the order of the columns, which are int64[n_labels].
    """
    n_types = n_labels // 4
    width = whole_vectors(n_types + 1)
    label = np.arange(n_labels - 1)
    return np.append(width + n_types, label % 4 * width + label // 4), 4 * width


def lay_out_moves(
    initial: NDArray[np.float32], transition: NDArray[np.float32]
) -> Moves:
    """Return initial scores and transitions in the layout of `kernels.decoding.tree`.

    Args:
        initial: float32[n_labels].
        transition: float32[n_labels, n_labels], from source to destination.
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
    """The last two layers and the transitions of a network, in the kernels' layout."""

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
        """Return the scores of the labels of words: float32[n, n_columns].

        Only the scores of labels that are possible for a word are initialized.

        Args:
            pooled: float32[n, n_conv], the output of the max over time.
            level: The state of the sentences.
        """
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
    """Return a packed layer with the concatenated columns of several layers.

    Args:
        parts: The weight and the bias of each layer.
    """
    weights, biases = zip(*parts, strict=True)
    bias = np.concatenate(biases)
    weight = np.concatenate(weights, axis=1, out=aligned(len(weights[0]), len(bias)))
    return PackedLinear(weight, bias).arrays


class TreeNetwork(TaggerNetwork):
    """Scores the labels of words on the next level of a tree.

    The input is all words of the sentence and their latest labels, whose lookup table
    is the last one. Label 0 is O; it is followed by B, I, E and S for each type of
    constituent. `padding` is only stored.

    Attributes:
        word_weight: float32[sum of dims, n_conv].
        word_bias: float32[n_conv].
        position_bias: float32[K, n_conv], which is added for the distance between two
            words before the max over time. K is odd.
        hidden_weight: float32[n_conv, n_hidden].
        hidden_bias: float32[n_hidden].
        output_weight: float32[n_hidden, n_labels].
        output_bias, initial: float32[n_labels].
        transition: float32[n_labels, n_labels], from source to destination.
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
        """The rows of `word_weight` for all features except the latest label."""
        n_rows = len(self.word_weight) - self.tables[-1].shape[1]
        weight: NDArray[np.float32] = self.word_weight[:n_rows]
        return weight

    def layers(self, cache: Any = None) -> dict[str, Any]:
        weight, bias = self._word_weight, self.word_bias
        # "labels" is the contribution of each latest label to the first layer:
        # float32[n_labels, n_conv].
        labels = self.tables[-1].copy(), self.word_weight[len(weight) :]
        return {
            "words": WindowLayer(self.tables[:-1], weight, bias, cache),
            "labels": apply_linear(*labels, np.zeros_like(bias)),
            "output": _OutputLayers(self),
        }

    def forward(  # type: ignore[override]
        self, forward_pass: ForwardPass, layers: Layers, level: Level
    ) -> Iterator[NDArray[np.float32]]:
        """Yield the scores of labels on the next level: float32[n, n_columns].

        Args:
            forward_pass: The ForwardPass, which is not used.
            layers: The layers of the network.
            level: The state before the next level.
        """
        first = np.empty((len(level.word), len(self.word_bias)), np.float32)
        add_pairs(level.words, level.word, layers["labels"], level.latest, first)
        pooled = np.empty_like(first)
        max_over_sentences(first, level.starts, self.position_bias, pooled)
        yield layers["output"].scores(pooled, level)

    def decode(self, batch: WordBatch, cache: Any = None) -> TreeSpans:
        """Return the constituents of a batch; see `annotate` for the arguments.

        The features of the batch lack the latest label, which changes from level to
        level.
        """
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
        """Raise UsageError, because this network has no probabilities of spans."""
        raise UsageError("of trees, only those of a chart network have probabilities")

    def _grow(
        self, layers: Layers, words: NDArray[np.float32], starts: NDArray[np.int32]
    ) -> TreeSpans:
        """Return the constituents of all levels.

        A sentence is finished when a constituent covers it, or when a level has no new
        constituents.

        Args:
            layers: The layers of the network.
            words: float32[n_words, n_conv]; see `Level`.
            starts: int32[n_sentences + 1], where each sentence begins.
        """
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
    """Return the constituents of one level.

    Args:
        labels: int32[n], the label of each word of some sentences.
        word: int32[n], the indices of these words in the batch.
        level: The index of the level.
    """
    prefix = np.where(labels > 0, (labels - 1) % 4, -1)  # B, I, E, S
    first = np.flatnonzero((prefix == 0) | (prefix == 3))
    last = np.flatnonzero(prefix >= 2)
    label = (labels[first] - 1) // 4
    levels = np.full(len(first), level, np.int32)
    return TreeSpans(word[first], word[last] + np.int32(1), label, levels)
