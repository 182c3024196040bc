"""The decoded output of networks, and its conversion to layers of a batch."""

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

LEAST_SHARE = 0.01  # the least probability of labels in layers of likely labels
_FROM_ONE = 0.01  # the tolerance for sums of probabilities, which should be 1
_CLAUSE = "S"


class DecodedTags(NamedTuple):
    """The decoded tags of a batch.

    Attributes:
        tags: int32[n_rows], the tag of each row.
        scores: The probabilities of the tags, or None if they were not requested.
    """

    tags: Ints
    scores: PathScores | None


def tag_layer(
    task: Task, names: Sequence[str], batch: WordBatch, decoded: DecodedTags
) -> Layer:
    """Return the layer for the decoded tags of words, or of the roles of predicates.

    Args:
        task: The task of the layer.
        names: The names of the tags.
        batch: The batch.
        decoded: The tags.
    """
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
    """Return a layer of the likely tags of each row, with their probabilities.

    The likely tags are the best tag of the row, and all tags whose probability is at
    least LEAST_SHARE.

    Args:
        task: The task of the layer.
        names: The names of the tags.
        batch: The batch.
        shares: float32[n_rows, n_labels], the probabilities of the tags. If the
            probabilities of a row do not sum to 1, all its tags get the score NaN.
    """
    sums = shares.sum(axis=1, keepdims=True)
    shares = np.where(np.abs(sums - 1) < _FROM_ONE, shares, np.float32(np.nan))
    largest = shares.max(axis=1, keepdims=True, initial=0)
    # The negated comparison is also true for NaN.
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
    """The constituents of a batch, without the roots of trees.

    Attributes:
        begin: int32[n], the index in the batch of the first word of each constituent.
        end: int32[n], the index after the last word.
        label: int32[n], the index of the type.
        level: int32[n]. If constituents have the same words, the outer one has a larger
            level.
    """

    begin: Ints
    end: Ints
    label: Ints
    level: Ints

    @classmethod
    def joined(cls, parts: Sequence[TreeSpans], n_words: Sequence[int]) -> TreeSpans:
        """Concatenate the constituents of parts of a batch.

        Args:
            parts: The constituents of each part, with word indices in this part.
            n_words: The number of words of each part.
        """
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
    """Return the layer of the phrases of trees, with a root over each sentence.

    If no constituent covers the whole sentence, an S is added below the root.

    Args:
        task: The task of the layer.
        brackets: The opening brackets of each label of the network; see
            `labels.tree_keys.brackets_of_keys`.
        spans: The constituents.
        starts: int32[n_sentences + 1], where each sentence begins.
    """
    begin, end, label, level = spans
    n, sentence = len(starts) - 1, np.searchsorted(starts, begin, side="right") - 1
    whole = np.zeros(n, bool)
    whole[sentence[(begin == starts[sentence]) & (end == starts[sentence + 1])]] = True
    clauses = np.flatnonzero(~whole)
    added = np.append(np.arange(n), clauses)  # the sentences of the roots and added Ss
    number = np.append(np.repeat([1, 0], [n, len(clauses)]), label + _N_FIXED)
    begin, end = np.append(starts[added], begin), np.append(starts[added + 1], end)
    top = level.max(initial=0) + 1
    level = np.append(np.full(len(added), top), level)
    sentence = np.append(added, sentence)
    order = np.lexsort((-level, -end, begin, sentence))  # stable: a root before its S
    names, first, phrase = _phrases(tuple(brackets[1::4]))
    counts = np.diff(first)[number[order]]
    ends = np.cumsum(counts)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    phrases = phrase[np.repeat(first[number[order]], counts) + within]
    begin, end = (
        np.repeat(array[order], counts).astype(np.int32) for array in (begin, end)
    )
    return Layer(task, names, phrases, begin, end)


_N_FIXED = 2  # the number of types before a network's own: S, and the root of trees


@lru_cache(maxsize=16)
def _phrases(
    brackets: tuple[str, ...],
) -> tuple[tuple[str, ...], NDArray[np.int64], Ints]:
    """Split types of constituents into phrases; a type may consist of nested phrases.

    Args:
        brackets: The opening brackets of each type of the network.

    Returns:
        The names of phrases; int64[n_types + 1], where the phrases of each type begin,
        with S and the root as the first types; and int32, the indices of the names of
        these phrases, from the outermost to the innermost.
    """
    numbers: dict[str, int] = {}
    phrases, first = list[int](), [0]
    for parts in ([_CLAUSE], [SENTENCE], *(each.split("(")[1:] for each in brackets)):
        phrases += [numbers.setdefault(part, len(numbers)) for part in parts]
        first.append(len(phrases))
    return tuple(numbers), np.array(first), np.array(phrases, np.int32)


class DecodedArcs(NamedTuple):
    """The dependency trees of a batch.

    Attributes:
        head: int32[n_words], the index of each word's head within its sentence, or -1
            for the root.
        label: int32[n_words], the relation of each word to its head.
        score: float32[n_words], the probability of head and relation, or None if it was
            not requested.
    """

    head: Ints
    label: Ints
    score: Floats | None


def arc_layer(
    task: Task, names: Sequence[str], starts: Ints, decoded: DecodedArcs
) -> Layer:
    """Return the layer for decoded dependency trees.

    Args:
        task: The task of the layer.
        names: The names of the relations.
        starts: int32[n_sentences + 1], where each sentence begins.
        decoded: The trees.
    """
    head, label, score = decoded
    anchor = head + np.repeat(starts[:-1], np.diff(starts))
    anchor[head < 0] = ROOT
    return Layer(task, names, label, anchor=anchor, score=score)
