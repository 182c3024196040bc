"""What networks find in a batch: one class for each kind of labels, by its name in
ANSWERS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from senna_py.layers.likelihood import PathScores
    from senna_py.networks.batch import WordBatch

LEAST_SHARE = 0.01  # of labels whose probabilities are told
_FROM_ONE = 0.01  # how far sums of probabilities may be from it by rounding
_NO_LABELS = np.empty(0, np.int32)


class WordLabels(NamedTuple):
    """A label for each word.

    labels: int32[n_tokens]; begin: int64[n_sentences + 1], the rows of each sentence;
    scores: the PathScores of the labels, if asked for; probabilities: float32[n_tokens,
    n_labels], of all labels, if these were asked for: then `labels` is empty; names: of
    the labels, a tuple of str, where they are those of the batch alone.
    """

    labels: np.ndarray
    begin: np.ndarray
    scores: PathScores | None = None
    probabilities: np.ndarray | None = None
    names: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls, batch: WordBatch, labels: np.ndarray = _NO_LABELS, **more: Any
    ) -> WordLabels:
        """The answer for a WordBatch; more: scores or probabilities."""
        return cls(labels, batch.begin, **more)

    @classmethod
    def join(cls, parts: Sequence[WordLabels], n_words: list[int]) -> WordLabels:
        """One answer for consecutive parts of a batch; n_words: of each part."""
        labels = np.concatenate([part.labels for part in parts])
        return cls(
            labels, _join_starts(part.begin for part in parts), _join_scores(parts)
        )

    def decided(self, labels: np.ndarray, rows: np.ndarray) -> WordLabels:
        """The answer with other labels: int32[n_tokens]; those of some rows are
        certain.
        """
        scores = self.scores
        if scores is not None:
            scores = replace(
                scores,
                tag=np.where(rows, np.float32(1), scores.tag),
                next=np.where(rows, np.float32(1), scores.next),
            )
        return self._replace(labels=labels, scores=scores)

    def certainty(self) -> np.ndarray | None:
        return _certainty(self.scores, self.probabilities)


class RoleLabels(NamedTuple):
    """A label for each word of the sentence of each predicate.

    labels: int32[n_rows], those of predicate p at `begin[p]:begin[p + 1]`; begin:
    int64[n_predicates + 1]; predicate: int32[n_predicates], the tokens of the
    predicates, counted from the start of the batch; first: int32[n_sentences + 1], the
    predicates of sentence s are `first[s]:first[s + 1]`; scores, probabilities: as of
    WordLabels.
    """

    labels: np.ndarray
    begin: np.ndarray
    predicate: np.ndarray
    first: np.ndarray
    scores: PathScores | None = None
    probabilities: np.ndarray | None = None

    @classmethod
    def of(
        cls, batch: WordBatch, labels: np.ndarray = _NO_LABELS, **more: Any
    ) -> RoleLabels:
        """The answer for a WordBatch of predicates; more: scores or probabilities."""
        predicate = batch.predicate
        assert predicate is not None, "of batches for words there are WordLabels"
        first = np.searchsorted(predicate, batch.starts).astype(np.int32)
        return cls(labels, batch.begin, predicate, first, **more)

    @classmethod
    def join(cls, parts: Sequence[RoleLabels], n_words: list[int]) -> RoleLabels:
        """One answer for consecutive parts of a batch; see `WordLabels.join`.

        Labels are int16 (there are no more than MOST_TAGS): a word may have 1,024 of
        them.
        """
        offsets = accumulate(n_words[:-1], initial=0)
        return cls(
            np.concatenate(
                [part.labels for part in parts], dtype=np.int16, casting="same_kind"
            ),
            _join_starts(part.begin for part in parts),
            np.concatenate(
                [part.predicate + at for part, at in zip(parts, offsets, strict=True)],
                dtype=np.int32,
                casting="same_kind",
            ),
            _join_starts(part.first for part in parts).astype(np.int32),
            _join_scores(parts),
        )

    def certainty(self) -> np.ndarray | None:
        return _certainty(self.scores, self.probabilities)


class TreeLabels(NamedTuple):
    """Trees: sentence s has the levels `begin[s]:begin[s + 1]`, innermost first.

    labels: int32[n_rows], the label of each word on each level, a level's words in a
    row; those of sentence s start at `rows[s]`: int64[n_sentences + 1]. begin:
    int32[n_sentences + 1].
    whole: bool[n_sentences], whether the top level is one constituent over the
    sentence;
    probabilities: SpanShares, if these were asked for: then the rest is of no sentence.
    """

    labels: np.ndarray
    rows: np.ndarray
    begin: np.ndarray
    whole: np.ndarray
    probabilities: SpanShares | None = None

    @classmethod
    def of(cls, batch: WordBatch, *, probabilities: SpanShares) -> TreeLabels:
        """The answer for a WordBatch of which spans were asked for."""
        return join_trees([])._replace(probabilities=probabilities)

    @classmethod
    def join(cls, parts: Sequence[TreeLabels], n_words: list[int]) -> TreeLabels:
        """One answer for consecutive parts of a batch; see `WordLabels.join`."""
        return join_trees(parts)

    def certainty(self) -> np.ndarray | None:
        return None if self.probabilities is None else self.probabilities.share


class SpanShares(NamedTuple):
    """Probabilities of constituents of a batch, of which some cross each other.

    begin, end: int32[n], ascending, the first word of each and the one after its last,
    counted from the start of the batch; label: int32[n], the number of its type, from 0
    on, as in Constituents;
    share: float32[n], LEAST_SHARE or more. What is left of 1 of a span is that of no
    constituent.
    """

    begin: np.ndarray
    end: np.ndarray
    label: np.ndarray
    share: np.ndarray

    @classmethod
    def none(cls) -> SpanShares:
        """Those of no word."""
        return cls(_NO_LABELS, _NO_LABELS, _NO_LABELS, np.empty(0, np.float32))


class ArcLabels(NamedTuple):
    """Dependency trees: the head of each word, and the relation to it.

    head: int32[n_tokens], the head's number in its sentence, -1 for the root; labels:
    int32[n_tokens], relations; begin: int64[n_sentences + 1], the words of each
    sentence; probabilities: float32[n_tokens], of each head and relation, if these were
    asked for.
    """

    head: np.ndarray
    labels: np.ndarray
    begin: np.ndarray
    probabilities: np.ndarray | None = None

    @classmethod
    def joined(
        cls, parts: list[ArcLabels], begin: np.ndarray, scored: bool
    ) -> ArcLabels:
        """One of several, for sentences of a batch; scored: whether they have
        probabilities.
        """
        head = np.concatenate([_NO_LABELS, *(part.head for part in parts)])
        labels = np.concatenate([_NO_LABELS, *(part.labels for part in parts)])
        shares = [
            part.probabilities for part in parts if part.probabilities is not None
        ]
        of_all = np.concatenate([np.empty(0, np.float32), *shares]) if scored else None
        return cls(head, labels, begin, of_all)

    @classmethod
    def join(cls, parts: Sequence[ArcLabels], n_words: list[int]) -> ArcLabels:
        """One answer for consecutive parts of a batch; see `WordLabels.join`."""
        begin = _join_starts(part.begin for part in parts)
        return cls.joined([*parts], begin, parts[0].probabilities is not None)

    def certainty(self) -> np.ndarray | None:
        return self.probabilities


def types_of(brackets: Iterable[str]) -> list[str]:
    """Types of constituents, of the labels of a model: O, and left-hand brackets, four
    of each.
    """
    return [bracket.removeprefix("(") for bracket in [*brackets][1::4]]


# All have `labels`, and `probabilities` where those were asked for instead; `certainty`
# gives numbers that are finite if the probabilities are any, or None if there are none.
Answer = WordLabels | RoleLabels | TreeLabels | ArcLabels


class AnswerKind(NamedTuple):
    """What networks of a kind answer, and what there is to know of their labels.

    made: a class above; by_predicate: whether rows are those of words beside
    predicates, which must be known; noun, names: what users call the labels, and a
    function that gives what they call each from all of them; lists: names of lists that
    a model has beside that of the labels.
    """

    made: Any
    by_predicate: bool = False
    noun: str = "labels"
    names: Callable[[Iterable[str]], list[str]] = list
    lists: tuple[str, ...] = ()


# By what a network labels, see `networks.base.TaggerNetwork.labels`.
ANSWERS = {
    "words": AnswerKind(WordLabels),
    "roles": AnswerKind(RoleLabels, by_predicate=True),
    "trees": AnswerKind(TreeLabels, noun="types", names=types_of, lists=("right",)),
    "arcs": AnswerKind(ArcLabels),
}


def join_trees(parts: Iterable[TreeLabels]) -> TreeLabels:
    """One TreeLabels of several: those of no sentence, too."""
    parts = [*parts]
    return TreeLabels(
        np.concatenate([_NO_LABELS, *(part.labels for part in parts)]),
        _join_starts(part.rows for part in parts),
        _join_starts(part.begin for part in parts).astype(np.int32),
        np.concatenate([np.empty(0, bool), *(part.whole for part in parts)]),
    )


def _join_starts(parts: Iterable[np.ndarray]) -> np.ndarray:
    """Starts of what consecutive parts have, and the end of it: int64[n + 1]."""
    lengths = np.concatenate([np.empty(0, np.int64), *map(np.diff, parts)])
    return np.append(0, np.cumsum(lengths))


def _join_scores(
    parts: Sequence[WordLabels] | Sequence[RoleLabels],
) -> PathScores | None:
    scores = [part.scores for part in parts if part.scores is not None]
    if not scores:
        return None
    columns = ([each.tag for each in scores], [each.next for each in scores])
    return type(scores[0])(*map(np.concatenate, columns))


def _certainty(
    scores: PathScores | None, probabilities: np.ndarray | None
) -> np.ndarray | None:
    if probabilities is None:
        return None if scores is None else scores.tag
    with np.errstate(invalid="ignore"):
        sums = probabilities.sum(1)
    return np.where(np.abs(sums - 1) < _FROM_ONE, sums, np.nan)
