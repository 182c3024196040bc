"""The joint choice of a word's labels for several tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.answers.layer import Layer
from senna_py.labels.tasks import POS, XPOS
from senna_py.networks.batch import WordBatch, ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from senna_py.labels.tag_combinations import TagCombinations

    Scores = NDArray[np.float32]

# A tag (`pos` or `xpos`) with this probability stays, because tags are learned from more
# text than universal parts of speech and features (chosen on EWT and GUM dev).
SURE = 0.8


@dataclass
class _Labels:
    """The labels of one task for the words whose labels may be replaced.

    Attributes:
        label: int32[n_words], the current labels.
        share: float32[n_words, n_labels], the logarithms of the probabilities.
        is_decided: bool[n_words], whether a label was decided, even if it is the most
            likely one; None if this is not known.
    """

    label: NDArray[np.int32]
    share: Scores
    is_decided: NDArray[np.bool_] | None = None

    def decide_sure(self) -> None:
        """Keep each label whose probability is at least `SURE`."""
        shares = self.share[np.arange(len(self.label)), self.label]
        is_sure = shares >= np.log(SURE)
        if self.is_decided is not None:
            is_sure |= self.is_decided
        self.is_decided = is_sure

    def logs(self) -> Scores:
        """Return `share`, but with probability 1 for each label that was decided.

        These include the labels that are not the most likely ones, because a rule
        decided them. The result is float32[n_words, n_labels].
        """
        rows = np.arange(len(self.label))
        is_decided = self.share[rows, self.label] < self.share.max(axis=1)
        if self.is_decided is not None:
            is_decided |= self.is_decided
        logs = self.share.copy()
        logs[is_decided] = -np.inf
        logs[rows[is_decided], self.label[is_decided]] = 0
        return logs


class CombinationChooser:
    """Replaces unknown combinations of labels by the most likely known combination.

    Known combinations are those of the training data. The probability of a combination
    is the product of the probabilities of its labels. A label that is not the most
    likely one was decided by a rule, and is not replaced. Neither is a tag that is
    `SURE`, if a known combination has it. Known combinations need no check, because the most likely
    labels are also the most likely combination.
    """

    def __init__(
        self, combinations: TagCombinations, labels: Sequence[Sequence[str]]
    ) -> None:
        """Prepare the known combinations.

        Args:
            combinations: The known combinations.
            labels: The names of the labels of each task's network.
        """
        self.tasks = combinations.tasks
        self._numbers = combinations.numbers(labels)
        self._sizes = [len(names) for names in labels]
        self._places = np.sort(self._place(self._numbers.T))

    def _place(self, columns: Any) -> NDArray[np.int64]:
        """Return a number for each combination: int64[n_words].

        Args:
            columns: int32[n_words], the labels of the words, for each task.
        """
        place: NDArray[np.int64] = np.ravel_multi_index(tuple(columns), self._sizes)
        return place

    def _occur(self, place: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each combination is known: bool[n_words]."""
        found = np.searchsorted(self._places, place)
        return self._places[np.minimum(found, len(self._places) - 1)] == place

    def _sums(self, parts: Sequence[_Labels]) -> Scores:
        """Return the logarithm of the probability of each combination for each word.

        The result is float32[n_words, n_combinations].
        """
        sums = np.zeros((len(parts[0].label), len(self._numbers)), np.float32)
        for part, numbers in zip(parts, self._numbers.T, strict=True):
            sums += part.logs()[:, numbers]
        return sums

    def apply(
        self,
        layers: Mapping[str, Layer],
        scores_of: Callable[[str, NDArray[np.int64]], Scores],
        decided: Mapping[str, NDArray[np.bool_]] | None = None,
    ) -> dict[str, Layer]:
        """Return the layers in which labels were replaced, by task.

        The result is empty if no word has an unknown combination.

        Args:
            layers: The layers of the batch by task.
            scores_of: A function that returns the scores of labels, float32[n_words,
                n_labels], given a task and the indices of words.
            decided: For some tasks, bool[n_words], whether a rule decided the label of a
                word, which is then not replaced.
        """
        columns = [layers[task].label for task in self.tasks]
        if not len(self._numbers):
            return {}
        rows = np.flatnonzero(~self._occur(self._place(columns)))
        if not len(rows):
            return {}
        parts = [
            _Labels(
                column[rows],
                _log_shares(scores_of(task, rows)),
                decided[task][rows] if decided and task in decided else None,
            )
            for task, column in zip(self.tasks, columns, strict=True)
        ]
        sums = self._sums(parts)
        if self.tasks[0] in (POS, XPOS):
            parts[0].decide_sure()
            with_sure = self._sums(parts)
            is_possible = np.isfinite(with_sure).any(axis=1)
            sums[is_possible] = with_sure[is_possible]
        best = sums.argmax(axis=1)
        kept = np.isfinite(sums[np.arange(len(rows)), best])
        chosen = self._numbers[best[kept]]
        return {
            task: _changed(layers[task], rows[kept], label, part.share[kept])
            for task, label, part in zip(self.tasks, chosen.T, parts, strict=True)
        }


def scores_of_words(
    network: Any, words: WordBatch, rows: NDArray[np.int64], cache: Any
) -> Scores:
    """Return the scores of the labels of some words: float32[n_words, n_labels].

    Args:
        network: The TagNetwork.
        words: The batch. Without states, the network runs again on the sentences that
            contain these words.
        rows: The indices of the words, in ascending order.
        cache: See `TaggerNetwork.annotate`.
    """
    if words.states is not None:
        starts = np.array([0, len(rows)], np.int32)
        states = words.states[rows]
        part = WordBatch(words.features[rows], starts, states=states)
        scores: Scores = network.scores(part, cache)
        return scores
    owner = np.searchsorted(words.starts, rows, "right") - 1
    sentences = owner[np.append(True, owner[1:] != owner[:-1])]
    places = ranges(words.starts[sentences], words.starts[sentences + 1])
    scores = network.scores(words.of_sentences(sentences), cache)
    return scores[np.searchsorted(places, rows)]


def _log_shares(scores: Scores) -> Scores:
    """Return the logarithms of the probabilities of labels: float32[n_words, n_labels].

    Args:
        scores: float32[n_words, n_labels], the scores of the labels.
    """
    shares: Scores = scores - scores.max(axis=1, keepdims=True)
    return shares - np.log(np.exp(shares).sum(axis=1, keepdims=True))


def _changed(
    layer: Layer,
    rows: NDArray[np.int64],
    labels: NDArray[np.int32],
    log_shares: Scores,
) -> Layer:
    """Return a layer with new labels for some tokens.

    If the layer has scores, the scores of these tokens become the probabilities of
    their new labels.
    """
    label, score = layer.label.copy(), layer.score
    label[rows] = labels
    if score is not None:
        score = score.copy()
        score[rows] = np.exp(log_shares[np.arange(len(rows)), labels])
    return Layer(layer.task, layer.names, label, score=score)
