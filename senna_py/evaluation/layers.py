"""Score predicted layers by the standard measure for their shape, or else by F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.evaluation.arcs import score_arcs
from senna_py.evaluation.chunks import score_chunks
from senna_py.evaluation.counts import Counts, Pairs, Scores
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.evaluation.roles import Propositions, score_roles
from senna_py.evaluation.tokens import score_tokens
from senna_py.evaluation.trees import TreePair, score_trees
from senna_py.evaluation.units import score_units
from senna_py.labels.trees import Leaf, Phrase, Tree, build_tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task


class LayerPair(NamedTuple):
    """A gold layer and a predicted layer for the same sentences.

    Attributes:
        gold: The gold layer.
        predicted: The predicted layer.
        starts: int64[n_sentences + 1], the first token of each sentence, and the number
            of tokens.
        trees: If trees are scored, the gold tree of each sentence.
        leaf_tags: If trees are scored, the predicted parts of speech of the tokens, or
            None.
    """

    gold: Layer
    predicted: Layer
    starts: NDArray[np.int64]
    trees: Sequence[Tree] = ()
    leaf_tags: Sequence[str] | None = None

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Yield the range of tokens [begin, end) of each sentence."""
        return pairwise(self.starts.tolist())


@dataclass(frozen=True)
class SpanScores(Scores):
    """Scores of spans; `labels` counts spans by label."""

    @property
    def overall(self) -> Counts:
        """The counts of all spans."""
        return sum(self.labels.values(), Counts())


class Measure(NamedTuple):
    """The functions that score layers of a shape.

    Attributes:
        score: A function that returns the scores of pairs of layers. Its second
            argument is the EVALB parameters, which only trees need.
        headline: A function that returns the main metric of the scores of a task, in
            percent, and its name. Runs are compared by this metric.
    """

    score: Callable[[Iterable[LayerPair], EvalbParameters], Any]
    headline: Callable[[Task, Any], tuple[float, str]]


def measure_of(task: Task) -> Measure:
    """Return the standard measure for the shape of a task; the default is F1 of spans."""
    return MEASURES.get(task.shape.name, _SPANS)


def score_layers(
    task: Task, pairs: Iterable[LayerPair], parameters: EvalbParameters = COLLINS
) -> Any:
    """Return the scores of pairs of layers.

    Args:
        task: The task of the layers.
        pairs: The pairs of layers.
        parameters: The EVALB parameters for trees.
    """
    return measure_of(task).score(pairs, parameters)


def headline(task: Task, scores: Any) -> tuple[float, str]:
    """Return the main metric of a task in percent, and its name, such as `F1`.

    Args:
        task: The task.
        scores: The result of `score_layers`.
    """
    return measure_of(task).headline(task, scores)


def score_spans(pairs: Iterable[LayerPair]) -> SpanScores:
    """Score spans of any shape.

    A predicted span is correct if there is a gold span with the same tokens, label and
    anchor. `confusions` pairs spans that differ only in their labels.
    """
    counts: Pairs = Counter()
    for pair in pairs:
        gold, predicted = _by_place(pair.gold), _by_place(pair.predicted)
        for place in gold.keys() | predicted.keys():
            labels, others = gold.get(place, Counter()), predicted.get(place, Counter())
            same = labels & others
            counts.update({(label, label): n for label, n in same.items()})
            wrong = [*(labels - same).elements()]
            instead = [*(others - same).elements()]
            n_mistaken = min(len(wrong), len(instead))
            counts.update(zip(wrong, instead, strict=False))
            counts.update((label, None) for label in wrong[n_mistaken:])
            counts.update((None, label) for label in instead[n_mistaken:])
    return SpanScores(counts)


def _by_place(layer: Layer) -> dict[tuple[Any, ...], Counter[str | None]]:
    """Return the number of spans with each label, by the spans' tokens and anchors."""
    rows = [*layer.rows()]
    places: dict[tuple[Any, ...], Counter[str | None]] = {}
    for label, begin, end, anchor, _ in rows:
        place: tuple[Any, ...] = begin, end, anchor
        if layer.shape.hangs_on == "span" and anchor >= 0:
            place = begin, end, rows[anchor][1:3]
        places.setdefault(place, Counter())[label] += 1
    return places


def _tags_of_sentences(
    pairs: Iterable[LayerPair],
) -> Iterator[tuple[list[str], list[str]]]:
    for pair in pairs:
        n_tokens = int(pair.starts[-1])
        gold = pair.gold.tag_texts(n_tokens)
        predicted = pair.predicted.tag_texts(n_tokens)
        for begin, end in pair.bounds():
            yield gold[begin:end], predicted[begin:end]


def _propositions(
    layer: Layer, starts: NDArray[np.int64]
) -> list[dict[int, list[tuple[str, int, int]]]]:
    """Return the spans (label, begin, end) of each sentence, by their anchors.

    Anchors without spans have empty lists.
    """
    anchors = layer.anchors
    assert anchors is not None, "these layers know all predicates"
    sentences: list[dict[int, list[tuple[str, int, int]]]] = [
        {} for _ in range(len(starts) - 1)
    ]
    owner = np.searchsorted(starts, anchors, side="right") - 1
    for sentence, anchor in zip(owner.tolist(), anchors.tolist(), strict=True):
        sentences[sentence][anchor] = []
    of_anchor = {anchor: spans for each in sentences for anchor, spans in each.items()}
    for label, begin, end, anchor, _ in layer.rows():
        of_anchor[anchor].append((label, begin, end))
    return sentences


def _propositions_of_sentences(
    pairs: Iterable[LayerPair],
) -> Iterator[tuple[Propositions, Propositions]]:
    for pair in pairs:
        yield from zip(
            _propositions(pair.gold, pair.starts),
            _propositions(pair.predicted, pair.starts),
            strict=True,
        )


def _arcs_of_sentences(pairs: Iterable[LayerPair]) -> Iterator[tuple[Any, Any]]:
    for pair in pairs:
        gold, predicted = (
            [(anchor, label) for label, _, _, anchor, _ in layer.rows()]
            for layer in (pair.gold, pair.predicted)
        )
        for begin, end in pair.bounds():
            yield gold[begin:end], predicted[begin:end]


def trees_of_sentences(
    layer: Layer, starts: NDArray[np.int64], leaves: Sequence[Leaf]
) -> Iterator[Tree]:
    """Yield the tree of each sentence of a layer of nested spans.

    Args:
        layer: The layer.
        starts: int64[n_sentences + 1], the first token of each sentence, and the number
            of tokens.
        leaves: The tokens with their parts of speech.
    """
    owner = np.searchsorted(starts, layer.begin, side="right") - 1
    first = starts[owner]
    begins, ends = (layer.begin - first).tolist(), (layer.end - first).tolist()
    labels = layer.texts()
    rows = pairwise(np.searchsorted(owner, np.arange(len(starts))).tolist())
    tokens = pairwise(starts.tolist())
    for (begin, end), (row, last) in zip(tokens, rows, strict=True):
        spans = slice(row, last)
        phrases = map(Phrase, labels[spans], begins[spans], ends[spans])
        yield build_tree(leaves[begin:end], phrases)


def _tree_pairs(pairs: Iterable[LayerPair]) -> Iterator[TreePair]:
    for pair in pairs:
        leaves = [leaf for tree in pair.trees for leaf in tree.leaves]
        predicted = trees_of_sentences(pair.predicted, pair.starts, leaves)
        trees = zip(pair.trees, predicted, strict=True)
        for (begin, end), (gold, tree) in zip(pair.bounds(), trees, strict=True):
            tags = None if pair.leaf_tags is None else pair.leaf_tags[begin:end]
            yield TreePair(gold, tree, tags=tags)


def _tag_headline(task: Task, scores: Any) -> tuple[float, str]:
    if task.headline and task.headline in scores.labels:
        return scores.labels[task.headline].f1, "F1"
    return scores.accuracy, "accuracy"


def _f1(task: Task, scores: Any) -> tuple[float, str]:
    return scores.overall.f1, "F1"


_SPANS = Measure(lambda pairs, _: score_spans(pairs), _f1)
# The standard measures, by the name of the shape.
MEASURES = {
    "tags": Measure(
        lambda pairs, _: score_tokens(_tags_of_sentences(pairs)), _tag_headline
    ),
    "segments": Measure(lambda pairs, _: score_chunks(_tags_of_sentences(pairs)), _f1),
    "roles": Measure(
        lambda pairs, _: score_roles(_propositions_of_sentences(pairs)), _f1
    ),
    "trees": Measure(
        lambda pairs, parameters: score_trees(_tree_pairs(pairs), parameters),
        lambda task, scores: (scores.totals.brackets.f1, "F1"),
    ),
    "arcs": Measure(
        lambda pairs, _: score_arcs(_arcs_of_sentences(pairs)),
        lambda task, scores: (scores.las, "LAS"),
    ),
    "units": Measure(
        lambda pairs, _: score_units(pairs),
        lambda task, scores: (scores.headline, "F1"),
    ),
}
