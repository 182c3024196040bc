"""Layers of what heads decide in a batch: tags, constituents, and dependencies."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.labels.trees import SENTENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Task
    from senna_py.layers.likelihood import PathScores
    from senna_py.networks.batch import WordBatch

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float32]

LEAST_SHARE = 0.01  # of the labels in layers of likely labels
_FROM_ONE = 0.01  # how far sums of probabilities may be from 1 by rounding
_CLAUSE = "S"


class DecodedTags(NamedTuple):
    """Tags of rows: int32[n_rows], and how likely they are, or None."""

    tags: Ints
    scores: PathScores | None


def tag_layer(
    task: Task, names: Sequence[str], batch: WordBatch, decoded: DecodedTags
) -> Layer:
    """Return the layer of the tags of words, or of roles beside predicates."""
    names, scores = tuple(names), decoded.scores
    if task.shape.each_token:
        score = None if scores is None else scores.tag
        return Layer(task, names, decoded.tags, score=score)
    first = batch.starts[:-1]
    if batch.sentence is not None:
        first = first[batch.sentence]
    tags = Tags(names, decoded.tags, batch.begin, first, scores)
    return Layer.from_tags(task, tags, batch.predicate)


def likely_tags(
    task: Task, names: Sequence[str], batch: WordBatch, shares: Floats
) -> Layer:
    """Return the likely tags of each token, with probabilities.

    shares: float32[n_rows, n_labels]. What does not add up to 1 has a score that is no
    number.
    """
    sums = shares.sum(axis=1, keepdims=True)
    shares = np.where(np.abs(sums - 1) < _FROM_ONE, shares, np.float32(np.nan))
    largest = shares.max(axis=1, keepdims=True, initial=0)
    # The negation holds for what is no number, too.
    row, label = np.nonzero(~(shares < np.minimum(LEAST_SHARE, largest)))
    lengths = np.diff(batch.begin)
    sentence = np.arange(len(lengths)) if batch.sentence is None else batch.sentence
    to_token = np.repeat(batch.starts[sentence] - batch.begin[:-1], lengths)
    begin = (row + to_token[row]).astype(np.int32)
    anchor = None
    if batch.predicate is not None:
        anchor = np.repeat(batch.predicate, lengths)[row]
    return Layer(
        task,
        names,
        label.astype(np.int32),
        begin,
        begin + np.int32(1),
        anchor=anchor,
        score=shares[row, label],
        anchors=batch.predicate,
    )


class TreeSpans(NamedTuple):
    """Constituents of a batch, without those over whole sentences that every tree has.

    Attributes:
        begin: int32[n], the first word of each, among all words of the batch.
        end: int32[n], the word after its last one.
        label: int32[n], the number of its type.
        level: int32[n], of constituents over the same words, the outer one's is larger.
    """

    begin: Ints
    end: Ints
    label: Ints
    level: Ints

    @classmethod
    def joined(cls, parts: Sequence[TreeSpans], n_words: Sequence[int]) -> TreeSpans:
        """Join the constituents of parts of a batch, which have so many words."""
        none = np.empty(0, np.int32)
        offsets = np.cumsum([0, *n_words], dtype=np.int32).tolist()
        begin, end = (
            [each[k] + np.int32(at) for each, at in zip(parts, offsets, strict=False)]
            for k in (0, 1)
        )
        label, level = ([each[k] for each in parts] for k in (2, 3))
        columns = begin, end, label, level
        return cls(*(np.concatenate([none, *column]) for column in columns))


def tree_layer(
    task: Task, brackets: Sequence[str], spans: TreeSpans, starts: Ints
) -> Layer:
    """Return the phrases of trees, with a root over each sentence of a batch.

    A sentence that is no constituent is an S. brackets: Labels of the network, see
    `labels.tree_keys.brackets_of_keys`; starts: int32[n_sentences + 1].
    """
    begin, end, label, level = spans
    n, sentence = len(starts) - 1, np.searchsorted(starts, begin, side="right") - 1
    whole = np.zeros(n, bool)
    whole[sentence[(begin == starts[sentence]) & (end == starts[sentence + 1])]] = True
    clauses = np.flatnonzero(~whole)
    added = np.append(np.arange(n), clauses)  # roots, and an S where nothing is whole
    number = np.append(np.repeat([1, 0], [n, len(clauses)]), label + _N_FIXED)
    begin, end = np.append(starts[added], begin), np.append(starts[added + 1], end)
    top = level.max(initial=0) + 1
    level = np.append(np.full(len(added), top), level)
    sentence = np.append(added, sentence)
    order = np.lexsort((-level, -end, begin, sentence))  # keeps a root before its S
    names, first, phrase = _phrases(tuple(brackets[1::4]))
    counts = np.diff(first)[number[order]]
    ends = np.cumsum(counts)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    phrases = phrase[np.repeat(first[number[order]], counts) + within]
    begin, end = (
        np.repeat(array[order], counts).astype(np.int32) for array in (begin, end)
    )
    return Layer(task, names, phrases, begin, end)


_N_FIXED = 2  # types before those of a network: S, and the root of a sentence


@lru_cache(maxsize=16)
def _phrases(
    brackets: tuple[str, ...],
) -> tuple[tuple[str, ...], NDArray[np.int64], Ints]:
    """Return names of phrases, and the phrases that each type of constituents stands for.

    These are int64[n_types + 1], where the phrases of each begin, and int32[n_phrases].
    """
    numbers: dict[str, int] = {}
    phrases, first = list[int](), [0]
    for parts in ([_CLAUSE], [SENTENCE], *(each.split("(")[1:] for each in brackets)):
        phrases += [numbers.setdefault(part, len(numbers)) for part in parts]
        first.append(len(phrases))
    return tuple(numbers), np.array(first), np.array(phrases, np.int32)


class DecodedArcs(NamedTuple):
    """Dependency trees of a batch.

    Attributes:
        head: int32[n_words], the head of each word in its sentence, -1 for the root.
        label: int32[n_words], the relation to it.
        score: float32[n_words], the probability of both, or None.
    """

    head: Ints
    label: Ints
    score: Floats | None


def arc_layer(
    task: Task, names: Sequence[str], starts: Ints, decoded: DecodedArcs
) -> Layer:
    """Return the layer of dependency trees; starts: int32[n_sentences + 1]."""
    head, label, score = decoded
    anchor = head + np.repeat(starts[:-1], np.diff(starts))
    anchor[head < 0] = ROOT
    return Layer(task, names, label, anchor=anchor, score=score)
