"""Scores of trees, with the counts of EVALB (Sekine and Collins, after Black et al.
1991).
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, compress, zip_longest
from math import inf
from typing import NamedTuple

from senna_py.errors import SennaError, counted
from senna_py.evaluation.counts import Counts, Scores, percentage
from senna_py.evaluation.evalb_parameters import COLLINS, EvalbParameters
from senna_py.labels.trees import ROOTS, TOP, Leaf, Phrase, Tree, without_roots_of_parts

VALID, ERROR, SKIP = 0, 1, 2  # EVALB's status of a sentence


class TreePair(NamedTuple):
    """A gold tree and a predicted one, None for an empty parse.

    problem: why they cannot be compared, or None. place: where the predicted one
    stands, such as `pred.mrg: line 7`, for messages; None if it came out of no file.
    tags: the predicted part of speech of each leaf, if the predicted tree has those of
    the gold one, so that the same words of both are deleted; else None.
    """

    gold: Tree | None
    predicted: Tree | None
    problem: str | None = None
    place: str | None = None
    tags: Sequence[str] | None = None


class SentenceScores(NamedTuple):
    """Counts of a sentence, 0 but for `length` if it is left out.

    length: words of the gold tree; status: VALID, ERROR or SKIP. gold, predicted,
    matched: brackets; crossing: predicted brackets that cross a gold one. words: those
    that are compared;
    tags: those of them whose part of speech is right. problem: of an ERROR, or None.
    """

    length: int
    status: int = VALID
    gold: int = 0
    predicted: int = 0
    matched: int = 0
    crossing: int = 0
    words: int = 0
    tags: int = 0
    problem: str | None = None

    @property
    def brackets(self) -> Counts:
        """Counts of the brackets."""
        return Counts(self.gold, self.predicted, self.matched)


class TreeTotals:
    """Sums over SentenceScores that are VALID, percentages of these, and how many there
    are.

    brackets: Counts; complete: percentage of sentences whose brackets are exactly those
    predicted, no_crossing, at_most_2_crossing: of those with so many crossing brackets,
    average_crossing: how many they have; accuracy: percentage of the words whose part
    of speech is right.
    """

    def __init__(self, sentences: Iterable[SentenceScores]) -> None:
        sentences = list(sentences)
        status = Counter(sentence.status for sentence in sentences)
        self.n_sentences, n = len(sentences), status[VALID]
        self.n_valid, self.n_errors, self.n_skipped = n, status[ERROR], status[SKIP]
        valid = [sentence for sentence in sentences if sentence.status == VALID]
        self.brackets = sum((s.brackets for s in valid), Counts())
        self.crossing = sum(s.crossing for s in valid)
        self.words = sum(s.words for s in valid)
        self.tags = sum(s.tags for s in valid)
        self.complete = percentage(
            sum(s.gold == s.predicted == s.matched for s in valid), n
        )
        self.average_crossing = self.crossing / n if n else 0.0
        self.no_crossing = percentage(sum(s.crossing == 0 for s in valid), n)
        self.at_most_2_crossing = percentage(sum(s.crossing <= 2 for s in valid), n)
        self.accuracy = percentage(self.tags, self.words)


@dataclass(frozen=True)
class TreeScores(Scores):
    """Scores of each sentence, of the brackets of each label, {label: Counts}, and of
    mistakes.

    A predicted bracket that is correct counts under the label of the gold one, from
    which it may differ by EvalbParameters.eq_label. confusions: {(gold label, predicted
    label): n} of brackets over the same words; where there is none, the other label is
    counts.NO_LABEL.
    """

    sentences: list[SentenceScores]
    cutoff_len: int

    @property
    def totals(self) -> TreeTotals:
        """Sums over all sentences."""
        return TreeTotals(self.sentences)

    @property
    def short_totals(self) -> TreeTotals:
        """Sums over the sentences of `cutoff_len` words or fewer."""
        return TreeTotals(s for s in self.sentences if s.length <= self.cutoff_len)


# Labels of a gold and a predicted bracket over the same words, equal if correct; None
# for none.
_Match = tuple[str | None, str | None]


def score_trees(
    pairs: Iterable[TreePair], parameters: EvalbParameters = COLLINS
) -> TreeScores:
    """TreeScores of pairs of trees.

    A pair is an ERROR, and left out, if the words that are not deleted differ or it has
    a problem; it is a SKIP if no such word was predicted. A bracket is correct if one
    with its label over its words was predicted; each counts once. The outer bracket may
    be called TOP, ROOT, S1 or nothing; the roots S1 of the parts of a long sentence,
    directly below one, are none. Raises SennaError if more pairs than
    parameters.max_error are an ERROR.
    """
    sentences, n_errors, labels = [], 0, Counter[_Match]()
    for k, pair in enumerate(pairs, 1):
        scores, matches = _score_pair(pair, pair.place or f"sentence {k}", parameters)
        sentences.append(scores)
        n_errors += scores.status == ERROR
        if parameters.max_error is not None and n_errors > parameters.max_error:
            raise SennaError(
                f"{scores.problem}; more than {counted(parameters.max_error, 'pair')} cannot be "
                "compared (MAX_ERROR)"
            )
        labels.update(matches)
    return TreeScores(labels, sentences, parameters.cutoff_len)


def _score_pair(
    pair: TreePair, place: str, parameters: EvalbParameters
) -> tuple[SentenceScores, list[_Match]]:
    """Scores of a pair, and its brackets, matched."""
    gold, predicted = (
        tree.leaves if tree else [] for tree in (pair.gold, pair.predicted)
    )
    length = sum(leaf.tag not in parameters.delete_label_for_length for leaf in gold)
    if pair.problem is not None:
        return SentenceScores(length, ERROR, problem=pair.problem), []
    kept = _kept(gold, predicted, parameters)
    words, found = list(compress(gold, kept[0])), list(compress(predicted, kept[1]))
    if not found:
        return SentenceScores(length, SKIP), []
    if problem := _difference(words, found, parameters):
        return SentenceScores(length, ERROR, problem=f"{place}: {problem}"), []
    gold_brackets = _brackets(pair.gold, kept[0], parameters)
    brackets = _brackets(pair.predicted, kept[1], parameters)
    matches = _matches(gold_brackets, brackets, parameters)
    tags = [leaf.tag for leaf in predicted] if pair.tags is None else pair.tags
    pairs = zip(words, compress(tags, kept[1]), strict=True)
    scores = SentenceScores(
        length,
        VALID,
        len(gold_brackets),
        len(brackets),
        sum(label == other for label, other in matches),
        _n_crossing(brackets, gold_brackets),
        len(words),
        sum(tag in parameters.equal_labels(leaf.tag) for leaf, tag in pairs),
    )
    return scores, matches


def _kept(
    gold: Sequence[Leaf], predicted: Sequence[Leaf], parameters: EvalbParameters
) -> tuple[list[bool], list[bool]]:
    """Mark the leaves of two trees that are compared."""
    in_gold, in_predicted = (
        [leaf.tag not in parameters.delete_label for leaf in leaves]
        for leaves in (gold, predicted)
    )
    quotes = [
        [i for i, leaf in enumerate(leaves) if leaf.tag in parameters.quote_label]
        for leaves in (gold, predicted)
    ]
    if len(quotes[0]) == len(quotes[1]):
        for i, j in zip(*quotes, strict=True):
            in_gold[i] = in_predicted[j] = in_gold[i] or in_predicted[j]
    return in_gold, in_predicted


def _difference(
    gold: Sequence[Leaf], predicted: Sequence[Leaf], parameters: EvalbParameters
) -> str | None:
    """Name a difference between the words to be compared, or None."""
    if len(gold) != len(predicted):
        return (
            f"expected {counted(len(gold), 'word')} to compare, found {len(predicted)}"
        )
    for one, other in zip(gold, predicted, strict=True):
        pair = one.word, other.word
        if pair[0] != pair[1] and parameters.eq_word.isdisjoint((pair, pair[::-1])):
            return f"expected the word {one.word!r}, found {other.word!r}"
    return None


def _brackets(
    tree: Tree | None, kept: list[bool], parameters: EvalbParameters
) -> list[Phrase]:
    """Brackets of a tree that are compared, over the words that are."""
    if tree is None:
        return []
    n_before = [0, *accumulate(kept)]
    phrases = without_roots_of_parts(tree.phrases)
    if phrases[0].label in ROOTS:
        phrases[0] = phrases[0]._replace(label=TOP)
    found = [
        Phrase(re.split("[-=]", label, maxsplit=1)[0], n_before[begin], n_before[end])
        for label, begin, end in phrases
    ]
    return [
        phrase
        for phrase in found
        if phrase.begin < phrase.end and phrase.label not in parameters.delete_label
    ]


def _matches(
    gold: list[Phrase], predicted: list[Phrase], parameters: EvalbParameters
) -> list[_Match]:
    """All brackets: each gold one with the first predicted one that fits and is
    left.
    """
    found: dict[tuple[int, int], tuple[list[str], list[str]]] = defaultdict(
        lambda: ([], [])
    )
    for side, phrases in enumerate((gold, predicted)):
        for label, *place in phrases:
            found[place[0], place[1]][side].append(label)
    return [
        match for pair in found.values() for match in _match_labels(*pair, parameters)
    ]


def _match_labels(
    gold: list[str], predicted: list[str], parameters: EvalbParameters
) -> list[_Match]:
    """Brackets over the same words; those that do not fit are paired in their order."""
    left: dict[str, deque[int]] = {}  # places among the predicted ones
    for i, label in enumerate(predicted):
        left.setdefault(label if parameters.labeled else "", deque()).append(i)
    matches: list[_Match] = []
    missed = []
    taken: set[int] = set()
    for label in gold:
        wanted = parameters.equal_labels(label) if parameters.labeled else [""]
        fitting = min((left[each] for each in wanted if left.get(each)), default=None)
        if fitting is None:
            missed.append(label)
        else:
            taken.add(fitting.popleft())
            matches.append((label, label))
    rest = zip_longest(
        missed, (label for i, label in enumerate(predicted) if i not in taken)
    )
    return [*matches, *rest]


def _n_crossing(predicted: list[Phrase], gold: list[Phrase]) -> int:
    """Predicted brackets that begin within a gold one and end after it, or the other
    way round.
    """
    places = {(begin, end) for _, begin, end in gold}
    first_end = _nearest_ends(places, {begin for _, begin, _ in predicted})
    mirrored = _nearest_ends(
        {(-end, -begin) for begin, end in places}, {-p.end for p in predicted}
    )
    return sum(
        first_end[begin] < end or mirrored[-end] < -begin for _, begin, end in predicted
    )


def _nearest_ends(
    places: set[tuple[int, int]], positions: set[int]
) -> dict[int, float]:
    """Of the places (begin, end) around each position, the first end; infinite without
    one.
    """
    waiting = sorted(places, reverse=True)
    ends: list[int] = []
    found: dict[int, float] = {}
    for position in sorted(positions):
        while waiting and waiting[-1][0] < position:
            heappush(ends, waiting.pop()[1])
        while ends and ends[0] <= position:
            heappop(ends)
        found[position] = ends[0] if ends else inf
    return found
