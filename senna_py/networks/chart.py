"""Trees from scores of spans: a stack of dilated convolutions, and a chart over its states.

This project's addition to the networks of the paper. Which spans are constituents and what their
labels are is learned span by span, as by Teng and Zhang (2018), Two local models for neural
constituent parsing.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.decoding.chart import best_spans, rows_of_lengths, spans_above
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import BLOCK, PackedLinear, sentence_blocks
from senna_py.layers.likelihood import WordLikelihood
from senna_py.layers.linear import blas, initial_linear, initial_uniform, initial_weight
from senna_py.layers.pairs import OF_PATHS
from senna_py.layers.span_likelihood import SpanLikelihood
from senna_py.networks.base import MOST_TAGS
from senna_py.networks.dilated import OF_PAIRS, DilatedNetwork, DilatedSettings
from senna_py.networks.trees import Spans, join_trees, trees_of_spans

__all__ = ["LEAST", "ChartNetwork", "ChartSettings"]

# What a constituent must be believed to be right for, so that its tree gains by it: about half of
# the F1 that trees reach, as for any set of answers whose expected F1 is to be largest.
LEAST = 0.42
_WORDS, _ROWS = 4 * BLOCK, 4 * BLOCK
_NOT_OF_SPANS = (*OF_PATHS, "initial", "transition", "final")


class ChartSettings(DilatedSettings):
    """Settings of the chart approach: those of the dilated one.

    hidden: units for each span; reach: words of the longest span that has weights of its own.
    """


class _Trace(NamedTuple):
    """What the cost in training leaves for the backward pass."""

    encoder: tuple
    pairs: tuple
    slope: np.ndarray
    factors: np.ndarray | None
    hidden: np.ndarray
    gold: np.ndarray
    d_spans: np.ndarray
    d_labels: np.ndarray


@dataclass
class ChartNetwork(DilatedNetwork):
    """Scores each span of words, from the states of its first and last word; see DilatedNetwork.

    A span's hidden units are those of a PairLayer, of which the first word is the word and the last
    one the predicate, and a rectifier. One linear layer gives from them the span's score: the
    logit of the share that it is a constituent, and the scores of labels, which compete by a
    softmax if it is one. The tree is the set of spans that do not cross with the largest sum of
    share * share of its best label - LEAST, and the span over the sentence.

    hidden_weight, predicate_weight, word_factor, predicate_factor: float32[width, n_hidden];
    hidden_bias: float32[n_hidden]; distances: float32[m, n_hidden], of spans of 1, 2 and so on
    words, the last for all that are longer; output_weight: float32[n_hidden, 1 + n_types], and
    output_bias: float32[1 + n_types], of the span and of its label. Labels in files are O, and B,
    I, E and S of each type of constituent, as a TreeNetwork has them.
    """

    kind, settings = "chart", ChartSettings
    for_roles, for_paths, for_trees = False, False, True
    shapes: ClassVar = {
        name: shape for name, shape in DilatedNetwork.shapes.items() if name not in _NOT_OF_SPANS
    } | {"distances": ("lengths", "hidden")}
    optional = ()

    @classmethod
    def labels_of(cls, names):
        return "trees"

    @classmethod
    def array_names(cls, sizes):
        return [name for name in super().array_names(sizes) if name not in _NOT_OF_SPANS]

    @property
    def n_labels(self):
        return 1 + 4 * (len(self.output_bias) - 1)

    def beyond_senna(self):
        return "its trees are made level by level"

    @classmethod
    def check_settings(cls, settings, roles):
        if not settings.hidden:
            raise SennaError("trees need hidden units: network.hidden is 0")

    @classmethod
    def planned_sizes(cls, settings, roles):
        return super().planned_sizes(settings, roles) | {"lengths": settings.reach + 1}

    @classmethod
    def initialise(cls, settings, tables, padding, n_tags, rng, roles=False):
        """See DilatedNetwork; n_tags: of the labels in files."""
        network = super().initialise(settings, tables, padding, 1, rng)
        width, n_hidden = settings.width, settings.hidden
        for name in OF_PAIRS[:3]:
            setattr(network, name, initial_weight(rng, width, width, n_hidden))
        network.distances = initial_uniform(rng, 0.5, settings.reach + 1, n_hidden)
        output = initial_linear(rng, n_hidden, 1 + n_tags // 4)
        network.output_weight, network.output_bias = output
        network.initial = network.transition = None
        return network

    def check(self):
        super().check()
        if self.n_labels > MOST_TAGS or self.n_labels < 2:
            raise SennaError(f"{self.n_labels:,} labels; there are 2 to {MOST_TAGS:,}")

    def head(self):
        return self.pair_layer()

    # Tagging.

    def tag(self, features, starts, cache=None, states=None):
        """Trees of a batch, see `TreeNetwork.tag`; states: see `DilatedNetwork.tag`."""
        states_of = self._states_of(features, starts, cache, states)
        head = _Head(self)
        found = []
        for s, e in sentence_blocks(starts, _WORDS):
            a, b = starts[s], starts[e]
            own = (starts[s : e + 1] - a).astype(np.int32)
            if a < b:
                found.append(head(states_of(s, e), own))
            else:
                found.append(trees_of_spans(_no_spans(), own))
        return join_trees(found)

    # Training.

    def cost(self, inputs, dropouts, rng):
        """See TaggerNetwork; inputs: with trees. The number of rows is that of words.

        The cost is the negative log likelihood of the spans, each of which is a constituent or
        not, and of the labels of those that are.
        """
        starts = inputs.starts
        states, encoder = self.encode(inputs.features, starts, dropouts)
        every = spans_of(starts, len(self.distances))
        layer = self.pair_layer()
        first, last, length = every
        hidden, pairs = layer.forward(states, states, (first, last, layer.table_rows([length])))
        hidden, slope = Rectifier().forward(hidden)
        hidden, factors = dropouts[1].forward(hidden)
        gold = rows_of_constituents(inputs.trees, starts)
        spans = hidden @ self.output_weight[:, 0] + self.output_bias[0]
        span_cost, d_spans = SpanLikelihood().forward(spans, gold)
        labels = blas(hidden[gold], np.ascontiguousarray(self.output_weight[:, 1:]),
                      self.output_bias[1:])  # fmt: skip
        label_cost, d_labels = WordLikelihood().forward(labels, inputs.trees.label, None)
        trace = _Trace(encoder, pairs, slope, factors, hidden, gold, d_spans, d_labels)
        return span_cost + label_cost, len(inputs.features), (dropouts, trace)

    def cost_backward(self, trace, gradients, fixed=()):
        dropouts, trace = trace
        weight, hidden = self.output_weight, trace.hidden
        d_weight = np.empty_like(weight)
        d_weight[:, 0] = trace.d_spans @ hidden
        d_weight[:, 1:] = hidden[trace.gold].T @ trace.d_labels
        gradients.add("output_weight", d_weight)
        gradients.add("output_bias", np.append(trace.d_spans.sum(), trace.d_labels.sum(axis=0)))
        d_hidden = np.multiply.outer(trace.d_spans, weight[:, 0])
        d_hidden[trace.gold] += trace.d_labels @ weight[:, 1:].T
        d_hidden = Rectifier().backward(dropouts[1].backward(d_hidden, trace.factors), trace.slope)
        d_first, d_last = self.pair_layer().backward(d_hidden, trace.pairs, gradients)
        self.encode_backward(d_first + d_last, trace.encoder, gradients, fixed)


def spans_of(starts, n_lengths):
    """First word, last word and row of the length of all spans of some sentences, in order.

    starts: int32[n_sentences + 1]; n_lengths: of which lengths there are rows. Returns three
    int32[n_spans]; see kernels.decoding.chart for the order.
    """
    found = []
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        i, j = np.triu_indices(b - a)
        found.append(np.stack([i + a, j + a, np.minimum(j - i, n_lengths - 1)]))
    return tuple(np.concatenate(found, axis=1).astype(np.int32))


def rows_of_constituents(trees, starts):
    """Rows of the constituents among `spans_of`: int64[n]; trees: Constituents of the sentences."""
    lengths = np.diff(starts).astype(np.int64)
    before = np.append(0, np.cumsum(lengths * (lengths + 1) // 2))[:-1]
    sentence = np.repeat(np.arange(len(lengths)), np.diff(trees.starts))
    n, i = lengths[sentence], trees.begin.astype(np.int64)
    return before[sentence] + i * n - i * (i - 1) // 2 + trees.end - trees.begin - 1


def _no_spans():
    none = np.empty(0, np.int32)
    return Spans(none, none, none)


class _Head:
    """The layers above the states of a ChartNetwork, laid out for tagging."""

    def __init__(self, network):
        self._layer = network.pair_layer().packed()
        self._distances = network.distances
        weight, bias = network.output_weight, network.output_bias
        self._span_weight, self._span_bias = np.ascontiguousarray(weight[:, 0]), bias[0]
        self._labels = PackedLinear(np.ascontiguousarray(weight[:, 1:]), bias[1:].copy())
        # A constituent's share is that of the span times that of its label.
        self._least = np.float32(np.log(LEAST / (1 - LEAST)))

    def __call__(self, states, starts):
        """Trees of sentences from the states of their words."""
        parts = self._layer.parts(states, states)
        begin, end, score = self._candidates(parts, starts)
        with np.errstate(over="ignore", invalid="ignore"):  # of any weights, as in kernels
            label, gain = self._label(parts, begin, end, score)
        first = np.searchsorted(begin, starts).astype(np.int64)
        chosen = np.empty(len(begin), bool)
        best_spans(begin, end, gain, starts, first, chosen)
        return trees_of_spans(Spans(begin[chosen], end[chosen], label[chosen]), starts)

    def _candidates(self, parts, starts):
        """First word, end and score of the spans that may be in a tree."""
        longest = int(np.diff(starts).max())
        rows = rows_of_lengths(longest)
        lengths = self._distances[np.clip(rows, 0, len(self._distances) - 1)]
        lengths = np.ascontiguousarray(lengths.T)
        room = max(longest * (longest + 1) // 2, 16 * len(parts[0]))
        arrays, found = [np.empty(room, t) for t in (np.int32, np.int32, np.float32)], []
        done = 0
        while done < len(starts) - 1:
            n, n_sentences = spans_above(
                *parts, lengths, self._span_weight, self._span_bias, self._least,
                starts[done:], *arrays,
            )  # fmt: skip
            found.append([array[:n].copy() for array in arrays])
            done += n_sentences
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _label(self, parts, begin, end, score):
        """Best label of each span, int32[n], and what a tree gains by it, float32[n]."""
        label, gain = np.empty(len(begin), np.int32), np.empty(len(begin), np.float32)
        for a in range(0, len(begin), _ROWS):
            i, j = begin[a : a + _ROWS], end[a : a + _ROWS] - np.int32(1)
            length = np.minimum(j - i, np.int32(len(self._distances) - 1))
            scores = self._labels(self._layer.join(parts, (i, j, length[:, None])))
            label[a : a + _ROWS] = scores.argmax(axis=1)
            largest = scores.max(axis=1)
            total = np.exp(scores - largest[:, None]).sum(axis=1)
            share = 1 / (1 + np.exp(-score[a : a + _ROWS].astype(np.float64)))
            gain[a : a + _ROWS] = share / total - LEAST  # no gain where that is no number
        return label, gain
