"""Layers of what networks decide in a batch, in the forms of `networks.answers`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.layer import ROOT, Layer
from senna_py.answers.tags import Tags
from senna_py.labels.tree_keys import constituent_rows
from senna_py.labels.trees import SENTENCE
from senna_py.networks.answers import (
    LEAST_SHARE,
    ArcLabels,
    RoleLabels,
    TreeLabels,
    WordLabels,
    types_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.labels.tasks import Task
    from senna_py.networks.answers import Answer
    from senna_py.text.tokens import Tokens

_CLAUSE = "S"


class LayersOfAnswers(Mapping[str, Layer]):
    """The layers of the answers of networks, each of which is made when it is read."""

    def __init__(
        self,
        answers: Mapping[str, Answer],
        tokens: Tokens,
        task_of: Callable[[str], Task],
        names_of: Callable[[str, Answer], Sequence[str]],
        uncertain: Iterable[str] = (),
    ) -> None:
        """Prepare to make layers.

        Args:
            answers: The answers by the names of the networks.
            tokens: The tokens of the batch.
            task_of: Returns the task of a network.
            names_of: Returns the names of the labels of a network and its answer.
            uncertain: The networks whose answers have the probabilities of all labels.
        """
        self._uncertain = {*uncertain}
        self._answers, self._tokens = answers, tokens
        self._task_of, self._names_of = task_of, names_of
        self._made: dict[str, Layer] = {}

    def __getitem__(self, name: str) -> Layer:
        if name not in self._made:
            answer = self._answers[name]
            task, names = self._task_of(name), self._names_of(name, answer)
            make = likely_layer if name in self._uncertain else layer_of
            self._made[name] = make(task, answer, names, self._tokens)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)


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


def likely_layer(
    task: Task, answer: Answer, names: Sequence[str], tokens: Tokens
) -> Layer:
    """Return the layer of an answer with probabilities: a row for each likely label.

    The labels of sequence networks are tags, and each row is one token. The likeliest
    label of a token is there in any case.

    Args:
        task: The task.
        answer: An answer that has probabilities.
        names: The labels of the network.
        tokens: The tokens of the batch.
    """
    if isinstance(answer, ArcLabels):
        return layer_of(task, answer, names, tokens)
    if isinstance(answer, TreeLabels):
        spans = answer.probabilities
        assert spans is not None, "an answer with probabilities"
        types = types_of(names)
        return Layer(
            task, types, spans.label, spans.begin, spans.end, score=spans.share
        )
    shares = answer.probabilities
    assert shares is not None, "an answer with probabilities"
    largest = shares.max(axis=1, keepdims=True, initial=0)
    row, label = np.nonzero(shares >= np.minimum(LEAST_SHARE, largest))
    token, anchor, anchors = row, None, None
    if isinstance(answer, RoleLabels):
        starts = tokens.starts
        first = np.repeat(starts[:-1], np.diff(answer.first))
        owner = np.searchsorted(answer.begin, row, side="right") - 1
        token = row - answer.begin[owner] + first[owner]
        anchors = answer.predicate
        anchor = anchors[owner]
    begin = token.astype(np.int32)
    return Layer(
        task,
        names,
        label.astype(np.int32),
        begin,
        begin + np.int32(1),
        anchor=anchor,
        score=shares[row, label],
        anchors=anchors,
    )


def _tree_layer(
    task: Task, answer: TreeLabels, brackets: tuple[str, ...], starts: NDArray[np.int32]
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
) -> tuple[tuple[str, ...], NDArray[np.int64], NDArray[np.int32]]:
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
