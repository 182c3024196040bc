"""Layers of what networks decide in a batch, in the forms of `networks.answers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.labels.tree_keys import constituent_rows, phrases_of_rows
from senna_py.labels.trees import SENTENCE
from senna_py.networks.answers import ArcLabels, RoleLabels, TreeLabels, WordLabels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from senna_py.labels.tasks import Task
    from senna_py.networks.answers import Answer
    from senna_py.text.tokens import Tokens

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
    _, rows = constituent_rows(answer, starts)
    phrases = phrases_of_rows(rows.tolist(), brackets, SENTENCE)
    numbers: dict[str, int] = {}
    label = [numbers.setdefault(phrase.label, len(numbers)) for phrase in phrases]
    bounds = np.array([phrase[1:] for phrase in phrases], np.int32).reshape(-1, 2)
    begin, end = bounds.T.copy()
    return Layer(task, tuple(numbers), np.array(label, np.int32), begin, end)


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
