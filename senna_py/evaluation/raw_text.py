"""Score analyses of raw text: tokens, sentences, words, tags and dependencies.

The CoNLL 2018 shared task defines the scores (Zeman et al. 2018, section 5). A token or
sentence is correct if a gold token or sentence has the same characters, apart from
white space. A tag is correct if the aligned gold word has the same tag (see
`word_alignment`). Only universal features are compared, in any order. Any lemma is
correct if the gold lemma is `_`. A head is correct if it is aligned with the gold head.
Subtypes of relations, which follow a colon, are ignored. CLAS is explained in `arcs`.
MLAS and BLEX are stricter forms of CLAS: for BLEX, the lemma must be correct, too; for
MLAS, the universal part of speech and the universal features of the word must be
correct, and so must its function words with their relations, parts of speech and
features.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from senna_py.corpora.raw_text import RawSentence, Word
from senna_py.errors import SennaError
from senna_py.evaluation.arcs import is_content, is_functional
from senna_py.evaluation.counts import Counts, percentage
from senna_py.evaluation.word_alignment import PlacedWord, Words, aligned_words
from senna_py.io.numbers import int_up_to
from senna_py.labels.dependencies import depths
from senna_py.labels.explanations import meanings

Span = tuple[int, int]  # a range of characters [begin, end)
Pair = tuple[PlacedWord, PlacedWord]  # an aligned gold and predicted word

_ROOT, _NO_HEAD = -1, -2  # special values for the index of a head
_NOT_ALIGNED = -3  # the index of the gold word of a word that is not aligned
_SHOWN = 30  # how many characters a message shows where texts differ
_AROUND = 2  # how many tokens confusions show on both sides of a sentence boundary


@dataclass(frozen=True)
class TextScores:
    """Scores of an analysis of raw text.

    Attributes:
        counts: The counts of `tokens`, `sentences`, `words` and annotations. The
            annotations are `upos` and `xpos`, if gold words have them; and `feats`,
            `all` (tags and features), `lemma`, `uas`, `las`, `clas`, `mlas` and `blex`,
            if predicted words have them, too.
        aligned: The number of aligned words that are compared, by annotation.
        confusions: The number of occurrences of each pair of different gold and
            predicted texts. A pair is either the tokens of both analyses between two
            token boundaries that they share, or the tokens around a sentence boundary
            of only one analysis, with a bar at the boundary.
    """

    counts: dict[str, Counts]
    aligned: dict[str, int]
    confusions: Counter[tuple[str, str]]

    def aligned_accuracy(self, name: str) -> float:
        """Return the percentage of aligned words with a correct annotation.

        Args:
            name: The annotation, such as `upos`.
        """
        return percentage(self.counts[name].correct, self.aligned[name])


class _Text:
    """The sentences, tokens and words of a text; offsets do not count white space."""

    def __init__(self, sentences: Iterable[RawSentence]) -> None:
        self.tokens: list[Span] = []
        self.forms: list[str] = []  # the characters of the tokens
        self.sentences: list[Span] = []
        self.places: list[str] = []  # the file and line of each sentence
        self.words: list[PlacedWord] = []
        end = 0
        for sentence in sentences:
            first_character, first_word = end, len(self.words)
            n_words = sum(map(len, sentence.words))
            for form, words in zip(sentence.forms, sentence.words, strict=True):
                begin, characters = end, "".join(form.split())
                if not characters:
                    raise SennaError(
                        f"{sentence.place}: a sentence with a token of white space"
                    )
                end += len(characters)
                self.forms.append(characters)
                self.tokens.append((begin, end))
                for word in words:
                    head = _parse_head(word.head, first_word, n_words, sentence.place)
                    self.words.append(
                        PlacedWord(
                            begin, end, word, len(words) > 1, len(self.words), head
                        )
                    )
            heads = [word.head for word in self.words[first_word:]]
            _check_tree(heads, first_word, sentence.place)
            self.sentences.append((first_character, end))
            self.places.append(sentence.place)
        self.characters = "".join(self.forms)

    def has(self, name: str) -> bool:
        """Return whether any word has the annotation `name`, an attribute of Word."""
        return any(getattr(each.word, name) != "_" for each in self.words)

    def place_of(self, character: int) -> str:
        """Return the file and line of the sentence that has a character.

        Characters after the last sentence count as part of it.
        """
        i = bisect_right(self.sentences, (character, len(self.characters))) - 1
        return self.places[max(i, 0)] if self.places else "the text"


def _parse_head(cell: str, first_word: int, n_words: int, place: str) -> int:
    """Return the index of a head among all words of the text, or _ROOT or _NO_HEAD.

    Args:
        cell: The number of the head in its sentence, 0 for the root, or `_`.
        first_word: The index of the first word of the sentence.
        n_words: The number of words in the sentence.
        place: The place of the sentence, for messages.

    Raises:
        SennaError: If the cell is not valid.
    """
    if cell == "_":
        return _NO_HEAD
    if (head := int_up_to(cell, n_words)) is None:
        raise SennaError(
            f"{place}: expected heads from 0, the root, to {n_words}, found {cell!r}"
        )
    return first_word + head - 1 if head else _ROOT


def _check_tree(heads: list[int], first_word: int, place: str) -> None:
    """Raise SennaError if the heads of a sentence do not form a tree with one root.

    If heads are missing, the others must be part of such a tree.

    Args:
        heads: For each word, the index of its head, _ROOT or _NO_HEAD.
        first_word: The index of the first word of the sentence.
        place: The place of the sentence, for messages.
    """
    parents = [-1 if head in (_ROOT, _NO_HEAD) else head - first_word for head in heads]
    roots = [str(i) for i, head in enumerate(heads, 1) if head == _ROOT]
    if len(roots) > 1 or not (roots or _NO_HEAD in heads):
        actual = f"roots in words {' and '.join(roots)}" if roots else "no root"
        raise SennaError(f"{place}: no tree: expected one root, found {actual}")
    if None in (depth := depths(parents)):
        word = depth.index(None)
        problem = "depends on itself by way of its head"
        if parents[word] == word:
            problem = "is its own head"
        raise SennaError(f"{place}: no tree: word {word + 1} {problem}")


def _universal_features(word: Word) -> list[str]:
    universal = meanings()["feature"]
    return sorted(
        pair for pair in word.feats.split("|") if pair.partition("=")[0] in universal
    )


# The functions that return the compared value of a word, given the word and the aligned
# gold word.
_COMPARED: dict[str, Callable[[Word, Word], Any]] = {
    "upos": lambda word, _: word.upos,
    "xpos": lambda word, _: word.xpos,
    "feats": lambda word, _: _universal_features(word),
    "all": lambda word, _: (word.upos, word.xpos, _universal_features(word)),
    "lemma": lambda word, gold: word.lemma if gold.lemma != "_" else "_",
}


def score_text(
    gold: Iterable[RawSentence], predicted: Iterable[RawSentence]
) -> TextScores:
    """Score an analysis of raw text.

    Args:
        gold: The gold sentences of the text.
        predicted: The predicted sentences of the same text.

    Raises:
        SennaError: If the texts differ in more than white space, a token consists of
            white space, the heads of a sentence do not form a tree, or multiword tokens
            overlap over too long a stretch.
    """
    one, other = _Text(gold), _Text(predicted)
    _check_same_text(one, other)
    pairs = list(aligned_words(one.words, other.words, other.place_of))
    n_words = len(one.words), len(other.words)
    counts = {
        "tokens": _common(one.tokens, other.tokens),
        "sentences": _common(one.sentences, other.sentences),
        "words": Counts(*n_words, len(pairs)),
    }
    aligned = {}
    for name, compared in _COMPARED.items():
        needed = "feats" if name == "all" else name
        texts = (one,) if name in ("upos", "xpos") else (one, other)
        if all(text.has(needed) for text in texts):
            n_correct = sum(
                compared(a.word, a.word) == compared(b.word, a.word) for a, b in pairs
            )
            counts[name], aligned[name] = Counts(*n_words, n_correct), len(pairs)
    if one.has("head") and other.has("head"):
        counts |= _arc_counts(one.words, other.words, pairs)
        n_content = sum(is_content(a.word.relation) for a, _ in pairs)
        aligned |= {"uas": len(pairs), "las": len(pairs), "clas": n_content}
        content = _content_counts(one.words, other.words, pairs, {*counts})
        counts |= content
        aligned |= dict.fromkeys(content, n_content)
    confusions = Counter(_different_tokens(one, other))
    confusions.update(_different_ends(one, other))
    return TextScores(counts, aligned, confusions)


def _arc_counts(
    gold: Words, predicted: Words, pairs: Sequence[Pair]
) -> dict[str, Counts]:
    """Return the counts for UAS, LAS and CLAS.

    Args:
        gold: The gold words.
        predicted: The predicted words.
        pairs: The aligned words.
    """
    with_head = _pairs_with_correct_head(pairs)
    correct = [a for a, b in with_head if _relation(a) == _relation(b)]
    n_content = [
        sum(is_content(each.word.relation) for each in words)
        for words in (gold, predicted, correct)
    ]
    return {
        "uas": Counts(len(gold), len(predicted), len(with_head)),
        "las": Counts(len(gold), len(predicted), len(correct)),
        "clas": Counts(*n_content),
    }


def _gold_numbers(pairs: Sequence[Pair]) -> dict[int, int]:
    """Return the index of the aligned gold word of each aligned predicted word."""
    return {b.number: a.number for a, b in pairs} | {_ROOT: _ROOT}


def _pairs_with_correct_head(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the aligned words whose heads are aligned, or that are both roots."""
    gold_number = _gold_numbers(pairs)
    return [
        (a, b)
        for a, b in pairs
        if a.head != _NO_HEAD and a.head == gold_number.get(b.head, _NO_HEAD)
    ]


def _content_counts(
    gold: Words, predicted: Words, pairs: Sequence[Pair], scored: set[str]
) -> dict[str, Counts]:
    """Return the counts for MLAS and BLEX.

    Args:
        gold: The gold words.
        predicted: The predicted words.
        pairs: The aligned words.
        scored: The annotations that both analyses have.
    """
    arcs = [
        (a, b)
        for a, b in _pairs_with_correct_head(pairs)
        if is_content(a.word.relation) and _relation(a) == _relation(b)
    ]
    n_gold, n_predicted = (
        sum(is_content(each.word.relation) for each in words)
        for words in (gold, predicted)
    )
    counts = {}
    if {"upos", "feats"} <= scored:
        gold_number = _gold_numbers(pairs)
        ones = _function_words(gold, {a.number: a.number for a in gold})
        others = _function_words(predicted, gold_number)
        n_correct = sum(
            _morphology(a) == _morphology(b)
            and ones.get(a.number) == others.get(b.number)
            for a, b in arcs
        )
        counts["mlas"] = Counts(n_gold, n_predicted, n_correct)
    if "lemma" in scored:
        compared = _COMPARED["lemma"]
        n_correct = sum(
            compared(a.word, a.word) == compared(b.word, a.word) for a, b in arcs
        )
        counts["blex"] = Counts(n_gold, n_predicted, n_correct)
    return counts


def _function_words(
    words: Words, gold_number: dict[int, int]
) -> dict[int, list[tuple[Any, ...]]]:
    """Return the function words of each head that has any, in text order.

    Args:
        words: The words of an analysis.
        gold_number: The index of the aligned gold word of each aligned word.

    Returns:
        By the index of the head: for each function word, the index of the aligned gold
        word or -3, the relation, the universal part of speech and the features.
    """
    children: dict[int, list[tuple[Any, ...]]] = {}
    for each in words:
        if is_functional(each.word.relation):
            number = gold_number.get(each.number, _NOT_ALIGNED)
            key = (number, _relation(each), *_morphology(each))
            children.setdefault(each.head, []).append(key)
    return children


def _morphology(placed: PlacedWord) -> tuple[str, list[str]]:
    return placed.word.upos, _universal_features(placed.word)


def _relation(placed: PlacedWord) -> str:
    return placed.word.relation.partition(":")[0]


def _check_same_text(gold: _Text, predicted: _Text) -> None:
    """Raise SennaError if two texts differ in more than white space."""
    a, b = gold.characters, predicted.characters
    if a == b:
        return
    different = (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    i = next(different, min(len(a), len(b)))
    expected, actual = (
        repr(text[i : i + _SHOWN]) if text[i:] else "the end" for text in (a, b)
    )
    raise SennaError(
        f"{predicted.place_of(i)}: expected {expected} as in {gold.place_of(i)}, "
        f"found {actual}"
    )


def _common(gold: Sequence[Span], predicted: Sequence[Span]) -> Counts:
    return Counts(len(gold), len(predicted), len({*gold} & {*predicted}))


def _different_tokens(gold: _Text, predicted: _Text) -> Iterator[tuple[str, str]]:
    """Yield the gold and the predicted tokens of each stretch in which they differ.

    A stretch lies between two token boundaries that both texts have. Its tokens are
    joined by spaces.
    """
    ends = {end for _, end in gold.tokens} & {end for _, end in predicted.tokens}
    for pair in zip(_groups(gold, ends), _groups(predicted, ends), strict=True):
        if pair[0] != pair[1]:
            yield pair


def _groups(text: _Text, ends: set[int]) -> Iterator[str]:
    """Yield the tokens between successive offsets of `ends`, joined by spaces."""
    group = []
    for form, (_, end) in zip(text.forms, text.tokens, strict=True):
        group.append(form)
        if end in ends:
            yield " ".join(group)
            group = []


def _different_ends(gold: _Text, predicted: _Text) -> Iterator[tuple[str, str]]:
    """Yield the tokens around each sentence boundary that only one text has.

    Each pair has the tokens of the gold and of the predicted text. A bar marks the
    boundary in one of them.
    """
    gold_ends, predicted_ends = (
        {end for _, end in text.sentences} for text in (gold, predicted)
    )
    for text, only in (
        (gold, gold_ends - predicted_ends),
        (predicted, predicted_ends - gold_ends),
    ):
        for i, (_, end) in enumerate(text.tokens, 1):
            if end in only:
                before = text.forms[max(0, i - _AROUND) : i]
                after = text.forms[i : i + _AROUND]
                divided = " ".join([*before, "|", *after])
                joined = " ".join([*before, *after])
                yield (divided, joined) if text is gold else (joined, divided)
