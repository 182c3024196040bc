"""Trees from scores of spans: a stack of dilated convolutions, and a chart over its
states.

This project's addition to the networks of the paper. Which spans are constituents and
what their labels are is learned span by span, as by Teng and Zhang (2018), Two local
models for neural constituent parsing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.settings import setting
from senna_py.kernels.decoding import chart
from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.labels.tree_keys import Constituents
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import BLOCK
from senna_py.layers.likelihood import WordLikelihood, span_cost, word_cost
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PairParts, PairUnits
from senna_py.layers.passes import InferencePass, TrainingPass
from senna_py.layers.protocol import Array
from senna_py.networks.answers import LEAST_SHARE, SpanShares, TreeLabels, join_trees
from senna_py.networks.base import MOST_TAGS, Cost, Planned
from senna_py.networks.batch import WordBatch
from senna_py.networks.dilated import BlockNetwork, BlockSettings

if TYPE_CHECKING:
    from senna_py.layers.gradients import Gradients

# What a constituent must be believed to be right for, so that its tree gains by it:
# about half of the F1 that trees reach, as for any set of answers whose expected F1 is
# to be largest.
LEAST = 0.42
_WORDS, _ROWS = 4 * BLOCK, 4 * BLOCK


@dataclass
class ChartSettings(BlockSettings):
    """Settings of the chart approach."""

    hidden: int = setting(300, "units for each span", least=1)
    reach: int = setting(
        20, "words of the longest span with weights of its own", least=1
    )


class ChartNetwork(BlockNetwork):
    """Scores each span of words, from the states of its first and last word; see
    BlockNetwork.

    A span's hidden units are those of PairUnits, of which the first word is the word
    and the last one the predicate, and a rectifier. One linear layer gives from them
    the span's score: the logit of the probability that it is a constituent, and the
    scores of labels, which compete by a softmax if it is one. The tree is the set of
    spans that do not cross with the largest sum of P(constituent) * probability of its
    best label - LEAST, and the span over the sentence.

    hidden_weight, predicate_weight, word_factor, predicate_factor: float32[width,
    n_hidden];
    hidden_bias: float32[n_hidden]; distances: float32[m, n_hidden], of spans of 1, 2
    and so on words, the last for all that are longer; output_weight: float32[n_hidden,
    1 + n_types], and output_bias: float32[1 + n_types], of the span and of its label.
    Labels in files are O, and B, I, E and S of each type of constituent, as a
    TreeNetwork has them.
    """

    kind, settings = "chart", ChartSettings
    approaches = "chart", "dilated"
    tasks = ("trees",)
    whole_sentences = 2
    beyond_senna = "its trees are made level by level"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *super().declare(header),
            *Linear.declare("hidden", "width", "hidden", rounded=True),
            *PairParts.declare("width", "hidden"),
            *PairUnits.declare("lengths", "hidden"),
            *Linear.declare("output", "hidden", "span_and_types"),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Planned:
        header, sizes, groups = super().plan(settings, labels)
        return header, sizes | {"lengths": settings.reach + 1}, groups

    @classmethod
    def planned_sizes(cls, sizes: dict[str, Any]) -> dict[str, Any]:
        return sizes | {"span_and_types": 1 + sizes["tags"] // 4}

    @property
    def n_labels(self) -> int:
        return 1 + 4 * (len(self.output_bias) - 1)

    def check(self) -> None:
        super().check()
        if self.n_labels > MOST_TAGS or self.n_labels < 2:
            raise SennaError(f"{self.n_labels:,} labels; there are 2 to {MOST_TAGS:,}")

    def layers(self, cache: Any = None) -> dict[str, Any]:
        weight, bias = (
            np.ascontiguousarray(self.output_weight[:, 1:]),
            self.output_bias[1:].copy(),
        )
        labels = Linear("labels", weight, bias, blas)
        return super().layers(cache) | self.pair_layers() | {"labels": labels}

    # Tagging.

    def tag(
        self, batch: WordBatch, cache: Any = None, scored: bool = False
    ) -> TreeLabels:
        """Trees of a WordBatch, as TreeLabels."""
        found, layers = [], self.used_layers(cache)
        for parts, starts in self._parts(batch, layers):
            # A constituent's share is that of the span times that of its label.
            begin, end, score = self._candidates(parts, starts, LEAST)
            with np.errstate(
                over="ignore", invalid="ignore"
            ):  # of any weights, as in kernels
                label, gain = self._label(layers, parts, begin, end, score)
            first = np.searchsorted(begin, starts).astype(np.int64)
            chosen = np.empty(len(begin), bool)
            chart.best_spans(begin, end, gain, starts, first, chosen)
            found.append(
                trees_of_spans(begin[chosen], end[chosen], label[chosen], starts)
            )
        return join_trees(found)

    def posteriors(self, batch: WordBatch, cache: Any = None) -> SpanShares:
        """Probabilities of the spans of a WordBatch, each by itself, as SpanShares."""
        found, done, layers = [SpanShares.none()], 0, self.used_layers(cache)
        for parts, starts in self._parts(batch, layers):
            begin, end, score = self._candidates(parts, starts, LEAST_SHARE)
            with np.errstate(over="ignore", invalid="ignore"):
                for a, scores in self._scores_of_labels(layers, parts, begin, end):
                    share = WordLikelihood().posteriors(scores, None)
                    share /= 1 + np.exp(-score[a : a + len(scores), None])
                    span, label = np.nonzero(
                        ~(share < LEAST_SHARE)
                    )  # what is no number, too
                    at, share, label = (
                        a + span,
                        share[span, label],
                        label.astype(np.int32),
                    )
                    found.append(
                        SpanShares(begin[at] + done, end[at] + done, label, share)
                    )
            done += starts[-1]
        return SpanShares(*map(np.concatenate, zip(*found, strict=True)))

    def _parts(self, batch, layers):
        """Yield the PairParts of a WordBatch in pieces, and where the sentences of each
        begin.
        """
        run = InferencePass()
        for piece in batch.pieces(_WORDS):
            parts = [np.empty((0, 2 * len(self.hidden_bias)), np.float32)] * 2
            if len(piece.features):
                parts = layers["parts"].outputs(self.states(run, layers, piece))
            yield parts, piece.starts

    def _candidates(self, parts, starts, least):
        """First word, end and score of the spans whose share may be `least`, or that
        are whole.
        """
        least = np.float32(np.log(least / (1 - least)))
        longest = int(np.diff(starts).max())
        rows = chart.rows_of_lengths(longest)
        lengths = self.distances[np.clip(rows, 0, len(self.distances) - 1)]
        lengths = np.ascontiguousarray(lengths.T)
        weight, bias = (
            np.ascontiguousarray(self.output_weight[:, 0]),
            self.output_bias[0],
        )
        room = max(longest * (longest + 1) // 2, 16 * len(parts[0]))
        arrays, found = (
            [np.empty(room, t) for t in (np.int32, np.int32, np.float32)],
            [],
        )
        done = 0
        while done < len(starts) - 1:
            n, n_sentences = chart.spans_above(
                *parts, lengths, weight, bias, least, starts[done:], *arrays
            )
            found.append([array[:n].copy() for array in arrays])
            done += n_sentences
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _scores_of_labels(self, layers, parts, begin, end):
        """Yield the first of some spans, and the scores of their labels: float32[n,
        n_types].
        """
        for a in range(0, len(begin), _ROWS):
            i, j = begin[a : a + _ROWS], end[a : a + _ROWS] - np.int32(1)
            length = np.minimum(j - i, np.int32(len(self.distances) - 1))
            hidden = layers["pairs"].outputs(parts, (i, j, length))
            yield a, layers["labels"].outputs(Rectifier().outputs(hidden))

    def _label(self, layers, parts, begin, end, score):
        """Best label of each span, int32[n], and what a tree gains by it,
        float32[n].
        """
        label, gain = np.empty(len(begin), np.int32), np.empty(len(begin), np.float32)
        for a, scores in self._scores_of_labels(layers, parts, begin, end):
            label[a : a + _ROWS] = scores.argmax(axis=1)
            largest = scores.max(axis=1)
            total = np.exp(scores - largest[:, None]).sum(axis=1)
            share = 1 / (1 + np.exp(-score[a : a + _ROWS].astype(np.float64)))
            gain[a : a + _ROWS] = (
                share / total - LEAST
            )  # no gain where that is no number
        return label, gain

    # Training.

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Any = (None, None)
    ) -> Cost:
        """Cost of a batch with trees; the number of rows is that of words.

        It is the negative log likelihood of the spans, each of which is a constituent
        or not, and of the labels of those that are; or, of soft ones, the cross-entropy
        over labels and none.
        """
        run, layers = TrainingPass(dropouts), self.layers()
        starts, trees = words.starts, targets.trees
        parts = run(layers["parts"], self.states(run, layers, words))
        first, last, length = spans_of(starts, len(self.distances))
        hidden = run.drop(
            run(Rectifier(), run(layers["pairs"], parts, (first, last, length)))
        )
        gold = rows_of_constituents(trees, starts)
        spans = hidden @ self.output_weight[:, 0] + self.output_bias[0]
        labels = layers["labels"].forward(hidden[gold])[0]
        shares = targets.shares(starts) if targets.is_soft else ()
        cost, d_spans = span_cost(spans, gold, *shares)
        label_cost, d_labels = word_cost(labels, trees.label, *shares[:1])
        trace = run, hidden, gold, d_spans, d_labels
        return cost + label_cost, int(starts[-1]), trace

    def cost_backward(self, trace: Any, gradients: "Gradients") -> Any:
        run, hidden, gold, d_spans, d_labels = trace
        weight = self.output_weight
        d_weight = np.empty_like(weight)
        d_weight[:, 0] = d_spans @ hidden
        d_weight[:, 1:] = hidden[gold].T @ d_labels
        gradients.add("output_weight", d_weight)
        gradients.add("output_bias", np.append(d_spans.sum(), d_labels.sum(axis=0)))
        d_hidden = np.multiply.outer(d_spans, weight[:, 0])
        add_to_rows(d_labels @ weight[:, 1:].T, gold.astype(np.int32), d_hidden)
        return run.backward(d_hidden, gradients)


def spans_of(
    starts: np.ndarray, n_lengths: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First word, last word and row of the length of all spans of some sentences, in
    order.

    starts: int32[n_sentences + 1]; n_lengths: of which lengths there are rows. Returns
    three int32[n_spans]; see kernels.decoding.chart for the order.
    """
    found = []
    for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        i, j = np.triu_indices(b - a)
        found.append(np.stack([i + a, j + a, np.minimum(j - i, n_lengths - 1)]))
    return tuple(np.concatenate(found, axis=1).astype(np.int32))


def rows_of_constituents(trees: Constituents, starts: np.ndarray) -> np.ndarray:
    """Rows of the constituents among `spans_of`: int64[n]; trees: Constituents of the
    sentences.
    """
    lengths = np.diff(starts).astype(np.int64)
    before = np.append(0, np.cumsum(lengths * (lengths + 1) // 2))[:-1]
    sentence = np.repeat(np.arange(len(lengths)), np.diff(trees.starts))
    n, i = lengths[sentence], trees.begin.astype(np.int64)
    return before[sentence] + i * n - i * (i - 1) // 2 + trees.end - trees.begin - 1


def trees_of_spans(
    begin: np.ndarray, end: np.ndarray, label: np.ndarray, starts: np.ndarray
) -> TreeLabels:
    """TreeLabels of constituents that do not cross, among them one over each sentence
    with words.

    begin, end: int32[n], the first word of each and the one after its last, counted
    among all words of the batch, in the order of kernels.decoding.chart; label:
    int32[n], from 0.
    """
    n_sentences, lengths = len(starts) - 1, np.diff(starts).astype(np.int64)
    first = np.searchsorted(begin, starts).astype(np.int64)
    height, n_levels = np.empty(len(begin), np.int32), np.empty(n_sentences, np.int64)
    chart.heights_of_spans(begin, end, first, height, n_levels)
    rows = np.append(0, np.cumsum(n_levels * lengths))
    labels = np.zeros(rows[-1], np.int32)
    chart.write_levels(begin, end, label, height, first, starts, rows, labels)
    levels = np.append(0, np.cumsum(n_levels)).astype(np.int32)
    return TreeLabels(labels, rows, levels, lengths > 0)
