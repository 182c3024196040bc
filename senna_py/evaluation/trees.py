"""Score trees like EVALB (Sekine and Collins, after Black et al. 1991)."""

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
    """A gold tree and a predicted tree.

    Attributes:
        gold: The gold tree, or None for an empty parse.
        predicted: The predicted tree, or None for an empty parse.
        problem: The reason why the trees cannot be compared, or None.
        place: The file and line of the predicted tree, such as `pred.mrg: line 7`, for
            messages; None if it was not read from a file.
        tags: The predicted part of speech of each leaf, if the leaves of `predicted`
            have gold parts of speech (so that the same words of both trees are
            deleted). Otherwise None.
    """

    gold: Tree | None
    predicted: Tree | None
    problem: str | None = None
    place: str | None = None
    tags: Sequence[str] | None = None


class SentenceScores(NamedTuple):
    """The counts of a sentence. If it is not VALID, all counts except `length` are 0.

    Attributes:
        length: The number of words in the gold tree that count for its length.
        status: VALID, ERROR or SKIP.
        gold: The number of brackets in the gold tree.
        predicted: The number of brackets in the predicted tree.
        matched: The number of correct brackets.
        crossing: The number of predicted brackets that cross a gold bracket.
        words: The number of words that are compared.
        tags: The number of compared words with the correct part of speech.
        problem: The problem if the status is ERROR, otherwise None.
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
        """The counts of gold, predicted and correct brackets."""
        return Counts(self.gold, self.predicted, self.matched)


class TreeTotals:
    """Sums and percentages over the VALID sentences.

    Attributes:
        n_sentences: The number of all sentences, whatever their status.
        n_valid: The number of sentences with the status VALID.
        n_errors: The number of sentences with the status ERROR.
        n_skipped: The number of sentences with the status SKIP.
        brackets: The counts of brackets.
        crossing: The number of predicted brackets that cross a gold bracket.
        words: The number of words that are compared.
        tags: The number of compared words with the correct part of speech.
        complete: The percentage of sentences whose brackets are all correct.
        average_crossing: The average number of crossing brackets per sentence.
        no_crossing: The percentage of sentences without crossing brackets.
        at_most_2_crossing: The percentage of sentences with at most two crossing
            brackets.
        accuracy: The percentage of compared words with the correct part of speech.
    """

    def __init__(self, sentences: Iterable[SentenceScores]) -> None:
        sentences = list(sentences)
        status = Counter(sentence.status for sentence in sentences)
        self.n_sentences, n = len(sentences), status[VALID]
        self.n_valid, self.n_errors, self.n_skipped = n, status[ERROR], status[SKIP]
        valid = [sentence for sentence in sentences if sentence.status == VALID]
        n_crossing = [sentence.crossing for sentence in valid]
        n_complete = sum(
            sentence.gold == sentence.predicted == sentence.matched
            for sentence in valid
        )
        self.brackets = sum((sentence.brackets for sentence in valid), Counts())
        self.crossing = sum(n_crossing)
        self.words = sum(sentence.words for sentence in valid)
        self.tags = sum(sentence.tags for sentence in valid)
        self.complete = percentage(n_complete, n)
        self.average_crossing = self.crossing / n if n else 0.0
        self.no_crossing = percentage(n_crossing.count(0), n)
        self.at_most_2_crossing = percentage(sum(k <= 2 for k in n_crossing), n)
        self.accuracy = percentage(self.tags, self.words)


@dataclass(frozen=True)
class TreeScores(Scores):
    """Scores of trees.

    `labels` counts brackets by label. A correct bracket counts under its gold label,
    even if its predicted label differs (`EvalbParameters.eq_label`). `confusions` pairs
    brackets over the same words.

    Attributes:
        sentences: The scores of each sentence.
        cutoff_len: The maximum length of the sentences in `short_totals`.
    """

    sentences: list[SentenceScores]
    cutoff_len: int

    @property
    def totals(self) -> TreeTotals:
        """The sums over all sentences."""
        return TreeTotals(self.sentences)

    @property
    def short_totals(self) -> TreeTotals:
        """The sums over the sentences with a `length` of at most `cutoff_len`."""
        return TreeTotals(
            sentence
            for sentence in self.sentences
            if sentence.length <= self.cutoff_len
        )


# The labels of a gold and a predicted bracket over the same words. They are equal if
# the bracket is correct. The label of a missing bracket is None.
_Match = tuple[str | None, str | None]


def score_trees(
    pairs: Iterable[TreePair], parameters: EvalbParameters = COLLINS
) -> TreeScores:
    """Score predicted trees against gold trees.

    A predicted bracket is correct if a gold bracket has the same label and words. Each
    gold bracket matches at most one predicted bracket. The label of the outermost
    bracket may be TOP, ROOT, S1 or missing. A long sentence may be parsed in parts,
    whose roots S1 directly below another root do not count as brackets.

    The status of a pair is ERROR if it has a problem or if the words that are not
    deleted differ. It is SKIP if all words of the predicted tree are deleted.

    Args:
        pairs: The pairs of trees.
        parameters: The parameters of the comparison.

    Raises:
        SennaError: If more than `parameters.max_error` pairs have the status ERROR.
    """
    sentences, n_errors, labels = [], 0, Counter[_Match]()
    for number, pair in enumerate(pairs, 1):
        place = pair.place or f"sentence {number}"
        scores, matches = _score_pair(pair, place, parameters)
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
    """Return the scores of a pair, and its brackets as pairs of labels.

    Args:
        pair: The pair.
        place: The place of the pair, for messages.
        parameters: The parameters of the comparison.
    """
    gold = pair.gold.leaves if pair.gold else []
    predicted = pair.predicted.leaves if pair.predicted else []
    length = sum(leaf.tag not in parameters.delete_label_for_length for leaf in gold)
    if pair.problem is not None:
        return SentenceScores(length, ERROR, problem=pair.problem), []
    in_gold, in_predicted = _compared_leaves(gold, predicted, parameters)
    gold_words = list(compress(gold, in_gold))
    predicted_words = list(compress(predicted, in_predicted))
    if not predicted_words:
        return SentenceScores(length, SKIP), []
    if problem := _difference(gold_words, predicted_words, parameters):
        return SentenceScores(length, ERROR, problem=f"{place}: {problem}"), []
    gold_brackets = _brackets(pair.gold, in_gold, parameters)
    predicted_brackets = _brackets(pair.predicted, in_predicted, parameters)
    matches = _matches(gold_brackets, predicted_brackets, parameters)
    tags = [leaf.tag for leaf in predicted] if pair.tags is None else pair.tags
    tagged = zip(gold_words, compress(tags, in_predicted), strict=True)
    scores = SentenceScores(
        length=length,
        status=VALID,
        gold=len(gold_brackets),
        predicted=len(predicted_brackets),
        matched=sum(label == other for label, other in matches),
        crossing=_n_crossing(predicted_brackets, gold_brackets),
        words=len(gold_words),
        tags=sum(tag in parameters.equal_labels(leaf.tag) for leaf, tag in tagged),
    )
    return scores, matches


def _compared_leaves(
    gold: Sequence[Leaf], predicted: Sequence[Leaf], parameters: EvalbParameters
) -> tuple[list[bool], list[bool]]:
    """Return whether each leaf of the gold and the predicted tree is compared."""
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
    """Return a message about the first difference between compared words, or None."""
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
    tree: Tree | None, is_compared: list[bool], parameters: EvalbParameters
) -> list[Phrase]:
    """Return the brackets of a tree that are compared.

    Their ranges are indices of compared words. The labels have no function tags.
    """
    if tree is None:
        return []
    n_before = [0, *accumulate(is_compared)]
    phrases = without_roots_of_parts(tree.phrases)
    if phrases[0].label in ROOTS:
        phrases[0] = phrases[0]._replace(label=TOP)
    brackets = [
        Phrase(re.split("[-=]", label, maxsplit=1)[0], n_before[begin], n_before[end])
        for label, begin, end in phrases
    ]
    return [
        phrase
        for phrase in brackets
        if phrase.begin < phrase.end and phrase.label not in parameters.delete_label
    ]


def _matches(
    gold: list[Phrase], predicted: list[Phrase], parameters: EvalbParameters
) -> list[_Match]:
    """Pair gold and predicted brackets over the same words; see `_Match`."""
    # The labels of gold and predicted brackets, by their words.
    labels: dict[tuple[int, int], tuple[list[str], list[str]]] = defaultdict(
        lambda: ([], [])
    )
    for side, phrases in enumerate((gold, predicted)):
        for label, begin, end in phrases:
            labels[begin, end][side].append(label)
    return [
        match for pair in labels.values() for match in _match_labels(*pair, parameters)
    ]


def _match_labels(
    gold: list[str], predicted: list[str], parameters: EvalbParameters
) -> list[_Match]:
    """Return the matches of brackets over the same words.

    Each gold bracket matches the first unmatched predicted bracket with an equal label.
    Gold and predicted brackets without a match are paired in order.
    """
    left: dict[str, deque[int]] = {}  # the indices of predicted brackets by label
    for i, label in enumerate(predicted):
        left.setdefault(label if parameters.labeled else "", deque()).append(i)
    matches: list[_Match] = []
    missed = []
    taken: set[int] = set()
    for label in gold:
        wanted = parameters.equal_labels(label) if parameters.labeled else [""]
        fitting = min((left[name] for name in wanted if left.get(name)), default=None)
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
    """Return the number of predicted brackets that cross a gold bracket.

    Brackets cross if they overlap and neither contains the other.
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
    """Return, for each position, the least end of the spans that strictly contain it.

    It is infinite if no span contains the position.

    Args:
        places: The spans (begin, end).
        positions: The positions.
    """
    waiting = sorted(places, reverse=True)
    ends: list[int] = []
    nearest: dict[int, float] = {}
    for position in sorted(positions):
        while waiting and waiting[-1][0] < position:
            heappush(ends, waiting.pop()[1])
        while ends and ends[0] <= position:
            heappop(ends)
        nearest[position] = ends[0] if ends else inf
    return nearest
