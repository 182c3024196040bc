"""Layers of what networks decide in a batch, in the forms of `networks.answers`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.labels.tree_keys import constituent_rows
from senna_py.labels.trees import SENTENCE
from senna_py.networks.answers import ArcLabels, RoleLabels, TreeLabels, WordLabels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.labels.tasks import Task
    from senna_py.networks.answers import Answer
    from senna_py.text.tokens import Tokens

_CLAUSE = "S"
_SIDE_BY_SIDE = "parataxis"  # The relation between parts of a sentence that was cut.


def layer_of(task: Task, answer: Answer, names: Sequence[str], tokens: Tokens) -> Layer:
    """Return the layer of an answer; names: of the network's labels."""
    starts = tokens.starts.astype(np.int32)
    names = tuple(names)
    if isinstance(answer, WordLabels):
        if task.shape.each_token:
            score = None if answer.scores is None else answer.scores.tag
            return Layer(task, names, answer.labels, score=score)
        tags = Tags(names, answer.labels, answer.begin, starts[:-1], answer.scores)
        return Layer.from_tags(task, tags)
    if isinstance(answer, RoleLabels):
        first = np.repeat(starts[:-1], np.diff(answer.first))
        tags = Tags(names, answer.labels, answer.begin, first, answer.scores)
        return Layer.from_tags(task, tags, answer.predicate)
    if isinstance(answer, TreeLabels):
        return _tree_layer(task, answer, names, starts)
    assert isinstance(answer, ArcLabels), type(answer)
    anchor = answer.head + np.repeat(starts[:-1], np.diff(starts))
    anchor[answer.head < 0] = ROOT
    return Layer(task, names, answer.labels, anchor=anchor, score=answer.probabilities)


def _tree_layer(
    task: Task, answer: TreeLabels, brackets: tuple[str, ...], starts: np.ndarray
) -> Layer:
    """Return the phrases of trees, with a root over each sentence of the batch."""
    names, first, phrase = _phrases_of_brackets(brackets)
    _, rows = constituent_rows(answer, starts)
    at = rows[:, 0] + _N_FIXED
    counts = np.diff(first)[at]
    ends = np.cumsum(counts)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
    label = phrase[np.repeat(first[at], counts) + within]
    begin, end = (np.repeat(rows[:, column], counts) for column in (1, 2))
    return Layer(task, names, label, begin, end)


_N_FIXED = (
    2  # Labels below 0 of `constituent_rows`: an S over a sentence, and its root.
)


@lru_cache(maxsize=16)
def _phrases_of_brackets(
    brackets: tuple[str, ...],
) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Return names of phrases, and which of them each label of constituents stands for.

    These are int64[n + 1], where the phrases of each begin, and int32[n_phrases]; the
    labels are those of `constituent_rows`, from the least on.
    """
    numbers: dict[str, int] = {}
    phrases, first = list[int](), [0]
    for parts in ([_CLAUSE], [SENTENCE], *(each.split("(")[1:] for each in brackets)):
        phrases += [numbers.setdefault(part, len(numbers)) for part in parts]
        first.append(len(phrases))
    return tuple(numbers), np.array(first), np.array(phrases, np.int32)


def join_parts(layer: Layer, tokens: Tokens) -> Layer:
    """Return a layer in which sentences that were cut for the networks are whole again.

    A root holds the trees of their parts. The roots of the dependencies of further parts
    hang on that of the first one.
    """
    counts = np.bincount(np.unique(tokens.source, return_inverse=True)[1])
    if (counts <= 1).all():
        return layer
    first = np.cumsum(counts) - counts  # the first part of each sentence
    if layer.shape.nested:
        return _with_roots(layer, tokens, first[counts > 1], counts[counts > 1])
    if layer.shape.each_token and layer.shape.hangs_on == "token":
        return _with_one_root(layer, tokens, first[counts > 1], counts[counts > 1])
    return layer


def _with_roots(
    layer: Layer, tokens: Tokens, first: np.ndarray, counts: np.ndarray
) -> Layer:
    begin = tokens.starts[first].astype(np.int32)
    end = tokens.starts[first + counts].astype(np.int32)
    at = np.searchsorted(layer.begin, begin)
    root = np.full(len(at), layer.names.index(SENTENCE), np.int32)
    return Layer(
        layer.task,
        layer.names,
        np.insert(layer.label, at, root),
        np.insert(layer.begin, at, begin),
        np.insert(layer.end, at, end),
    )


def _with_one_root(
    layer: Layer, tokens: Tokens, first: np.ndarray, counts: np.ndarray
) -> Layer:
    names = layer.names
    if _SIDE_BY_SIDE not in names:
        names = (*names, _SIDE_BY_SIDE)
    assert layer.anchor is not None, "each token hangs on its head"
    anchor, label = layer.anchor.copy(), layer.label.copy()
    for sentence, n_parts in zip(first.tolist(), counts.tolist(), strict=True):
        tokens_of = slice(tokens.starts[sentence], tokens.starts[sentence + n_parts])
        roots = np.flatnonzero(anchor[tokens_of] == ROOT) + tokens_of.start
        anchor[roots[1:]] = roots[0]
        label[roots[1:]] = names.index(_SIDE_BY_SIDE)
    return Layer(layer.task, names, label, anchor=anchor, score=layer.score)
