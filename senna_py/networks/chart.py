"""The chart network, a constituency parser that scores spans.

It has a head for spans on a stack of dilated convolutions. Spans and their labels are
learned independently of each other, as in Teng and Zhang (2018), Two local models for
neural constituent parsing.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.errors import SennaError
from senna_py.io.settings import setting
from senna_py.kernels.decoding import chart
from senna_py.labels.tasks import Task
from senna_py.labels.tree_keys import Constituents, types_of_brackets
from senna_py.layers.blocks import BLOCK
from senna_py.layers.gradients import Gradients
from senna_py.layers.likelihood import WordLikelihood, span_cost, word_cost
from senna_py.layers.linear import Linear
from senna_py.layers.pairs import PairParts
from senna_py.layers.passes import (
    NO_DROPOUTS,
    Dropouts,
    ForwardPass,
    InferencePass,
    TrainingPass,
)
from senna_py.layers.protocol import Array
from senna_py.layers.spans import SpanHead, SpanScores
from senna_py.networks.base import Context, Cost, Layers
from senna_py.networks.batch import WordBatch
from senna_py.networks.checks import MOST_TAGS
from senna_py.networks.decoding import LEAST_SHARE, TreeSpans, tree_layer
from senna_py.networks.dilated import BlockNetwork, BlockSettings
from senna_py.networks.stored import Plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The probability above which a constituent improves a tree. The threshold that
# maximizes the expected F1 of a set of answers is half of this F1.
LEAST = 0.42
_WORDS = 2 * BLOCK  # so many words that what is computed of them stays in the cache


@dataclass
class ChartSettings(BlockSettings):
    """The settings of the chart approach."""

    hidden: int = setting(300, "units for each span", least=1)
    reach: int = setting(
        20, "words of the longest span with weights of its own", least=1
    )


class ChartNetwork(BlockNetwork):
    """Scores each span of words from the states of its first and last word.

    SpanHead scores spans and labels. The score of a span is the logit of the
    probability that it is a constituent, and the probabilities of its labels are a
    softmax. The tree consists of the sentence's span and of the set of non-crossing
    spans with the largest sum of P(constituent) * P(best label) - LEAST.

    BlockNetwork, PairParts and SpanHead define the arrays. For PairParts, the first
    word of a span is the word, and its last word is the predicate. The labels in files
    are O, followed by B, I, E and S for each type of constituent, as in a TreeNetwork.
    """

    kind, settings = "chart", ChartSettings
    approaches = "chart", "dilated"
    tasks = ("trees",)
    label_noun, label_lists = "types", ("right",)
    label_names = staticmethod(types_of_brackets)
    context = Context.PAIRS
    beyond_senna = "its trees are made level by level"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *super().declare(header),
            *Linear.declare("hidden", "width", "hidden", rounded=True),
            *PairParts.declare("width", "hidden"),
            *SpanHead.declare("hidden", "lengths", "span_and_types"),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
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
        spans = SpanHead(self.distances, self.output_weight, self.output_bias)
        return super().layers(cache) | {"parts": self.pair_parts(), "spans": spans}

    def split(self, batch: WordBatch) -> Iterator[WordBatch]:
        return batch.split(_WORDS)  # Sentences without words also have trees.

    def forward(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        least: float = -math.inf,
        chosen: "NDArray[np.int64] | None" = None,
    ) -> Iterator[SpanScores]:
        """Yield the scores of a batch, as one element.

        Args:
            forward_pass: The ForwardPass.
            layers: The layers of the network.
            batch: The words.
            least: At inference, the minimum score of spans.
            chosen: In training, the indices of the spans whose labels are scored:
                int64[n_chosen].
        """
        parts = [np.empty((0, 2 * len(self.hidden_bias)), np.float32)] * 2
        if batch.starts[-1]:
            states = self.states(forward_pass, layers, batch)
            parts = forward_pass(layers["parts"], states)
        dropout = forward_pass.dropouts[1]
        yield forward_pass(layers["spans"], parts, batch.starts, dropout, least, chosen)

    def _score(
        self, batch: WordBatch, cache: Any, least_share: float
    ) -> "Iterator[tuple[NDArray[np.int32], SpanScores]]":
        """Yield the starts of sentences and the SpanScores for each part of a batch.

        The starts are int32[n_sentences + 1]. The scores include all spans with a
        probability of `least_share` or more, and the span of each sentence.
        """
        forward_pass, layers = InferencePass(), self.inference_layers(cache)
        least = math.log(least_share / (1 - least_share))
        for part in self.split(batch):
            for scores in self.forward(forward_pass, layers, part, least):
                yield part.starts, scores

    # As in kernels, weights of any size are accepted without warnings.
    @np.errstate(over="ignore", invalid="ignore")
    def decode(self, batch: WordBatch, cache: Any = None) -> TreeSpans:
        """Return the constituents of the best tree of each sentence.

        See `annotate` for the arguments.
        """
        parts, n_words = [], []
        for starts, (begin, end, score, labels) in self._score(batch, cache, LEAST):
            first = np.searchsorted(begin, starts).astype(np.int64)
            chosen = np.empty(len(begin), bool)
            best, gain = _best_labels(score, labels)
            chart.best_spans(begin, end, gain, starts, first, chosen)
            label = best[chosen].astype(np.int32)
            level = np.zeros(len(label), np.int32)
            parts.append(TreeSpans(begin[chosen], end[chosen], label, level))
            n_words.append(int(starts[-1]))
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

    @np.errstate(over="ignore", invalid="ignore")
    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        """Return the labeled spans that are likely, with their marginal probabilities.

        These are all spans with a probability of at least LEAST_SHARE. They may cross,
        because each is scored independently. See `annotate` for the arguments.
        """
        none, n_words = np.empty(0, np.int32), np.int32(0)
        columns: list[list[Any]] = [[none], [none], [none], [np.empty(0, np.float32)]]
        for starts, (begin, end, score, labels) in self._score(
            batch, cache, LEAST_SHARE
        ):
            share = WordLikelihood().posteriors(labels, None)
            share /= 1 + np.exp(-score[:, None])
            span, label = np.nonzero(~(share < LEAST_SHARE))  # true for NaN
            rows = label.astype(np.int32), begin[span] + n_words, end[span] + n_words
            for column, values in zip(
                columns, (*rows, share[span, label]), strict=True
            ):
                column.append(values)
            n_words += starts[-1]
        arrays: list[Any] = [np.concatenate(column) for column in columns]
        types = self.label_names(names)
        return Layer(task, types, *arrays[:3], score=arrays[3])

    def cost(
        self, words: WordBatch, targets: Any, dropouts: Dropouts = NO_DROPOUTS
    ) -> Cost:
        """Return the negative log-likelihood of the constituents of a batch.

        The cost is summed over all spans, whether they are constituents or not, and
        over the labels of constituents. For soft targets, it is the cross-entropy
        between the target probabilities and the model. See TaggerNetwork for the
        arguments.
        """
        starts, trees = words.starts, targets.trees
        forward_pass, gold = TrainingPass(dropouts), rows_of_constituents(trees, starts)
        (scores,) = self.forward(forward_pass, self.layers(), words, chosen=gold)
        shares = targets.shares(starts) if targets.is_soft else ()
        cost, d_spans = span_cost(scores.score, gold, *shares)
        label_cost, d_labels = word_cost(scores.labels, trees.label, *shares[:1])
        trace = forward_pass, (d_spans, d_labels)
        return Cost(cost + label_cost, int(starts[-1]), trace)

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        forward_pass, d_scores = trace
        return forward_pass.backward(d_scores, gradients)


def _best_labels(
    score: "NDArray[np.float32]", labels: "NDArray[np.float32]"
) -> "tuple[NDArray[np.int64], NDArray[np.float32]]":
    """Return the best label of each span, and how much the span improves a tree.

    Both have n_spans elements. The improvement is P(constituent) * P(best label) -
    LEAST, which may be NaN.

    Args:
        score: float32[n_spans], the logits of spans.
        labels: float32[n_spans, n_types], the scores of labels, which are overwritten.
    """
    best = labels.argmax(axis=1)
    labels -= labels[np.arange(len(best)), best, None]
    total = np.exp(labels, out=labels).sum(axis=1)
    share = 1 / (1 + np.exp(-score.astype(np.float64)))
    return best, (share / total - LEAST).astype(np.float32)


def rows_of_constituents(
    trees: Constituents, starts: "NDArray[np.int32]"
) -> "NDArray[np.int64]":
    """Return the index of each constituent among all spans of a batch: int64[n].

    `layers.spans.spans_of` defines the order of the spans.

    Args:
        trees: The constituents of the sentences, with word indices within sentences.
        starts: int32[n_sentences + 1], where each sentence begins.
    """
    lengths = np.diff(starts).astype(np.int64)
    before = np.append(0, np.cumsum(lengths * (lengths + 1) // 2))[:-1]
    sentence = np.repeat(np.arange(len(lengths)), np.diff(trees.starts))
    n, i = lengths[sentence], trees.begin.astype(np.int64)
    return before[sentence] + i * n - i * (i - 1) // 2 + trees.end - trees.begin - 1
