"""Scores of tokens, sentences, tags and dependencies found in raw text, as those of UD
parsers.

Zeman et al. (2018), CoNLL 2018 shared task: multilingual parsing from raw text to
universal dependencies, section 5: a token or sentence is right if it has the characters
of a gold one, white space aside. Words are aligned: those outside of multiword tokens
if they have the same characters; in a stretch that multiword tokens of either side
cover, by the longest common subsequence of their forms in small letters. A tag is right
if an aligned word has it. Of features, the universal ones count, in any order; any
lemma is right where the gold one is `_`. A head is right if it is aligned with the gold
one; of relations, what follows a colon does not count. See `arcs` for CLAS.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from senna_py.corpora.raw_text import RawSentence, Word
from senna_py.errors import SennaError
from senna_py.evaluation.arcs import is_content
from senna_py.evaluation.counts import Counts, percentage
from senna_py.io.numbers import int_up_to
from senna_py.labels.dependencies import depths
from senna_py.labels.explanations import meanings

Place = tuple[int, int]

_ROOT, _NO_HEAD = -1, -2
_SHOWN = 30  # characters of a text that differs
_LARGEST_STRETCH = 1 << 20  # words times words
_AROUND = 2  # tokens on both sides of an end of a sentence


@dataclass(frozen=True)
class TextScores:
    """Counts by what they count: tokens, sentences, words, and each tag that gold words
    have.

    `feats`, `all` (tags and features), `lemma`, and of dependencies `uas`, `las` and
    `clas` are counted if words of both texts have any.

    aligned: how many of the aligned words a tag is asked of, by its name; confusions:
    {(gold, found): n} of tokens that differ, between the nearest ends that both have,
    and of ends of sentences, which a bar marks among the tokens around.
    """

    counts: dict[str, Counts]
    aligned: dict[str, int]
    confusions: Counter[tuple[str, str]]

    def aligned_accuracy(self, tag: str) -> float:
        """Percentage of the aligned words whose tag, such as `upos`, is right."""
        return percentage(self.counts[tag].correct, self.aligned[tag])


class _Placed(NamedTuple):
    """A Word at characters begin:end of the text; is_part: whether its token has
    several.

    number: among the words of the text; head: that of its head, or _ROOT or _NO_HEAD.
    """

    begin: int
    end: int
    word: Word
    is_part: bool
    number: int
    head: int


_Words = Sequence[_Placed]
_Pairs = Iterator[tuple[_Placed, _Placed]]


class _Text:
    """Sentences as places in their text without white space."""

    def __init__(self, sentences: Iterable[RawSentence]) -> None:
        self.forms: list[str] = []  # of tokens
        self.tokens: list[Place] = []
        self.sentences: list[Place] = []
        self.words: list[_Placed] = []
        self.names: list[str] = []  # of the places of the sentences
        end = 0
        for sentence in sentences:
            first, before = end, len(self.words)
            n_words = sum(map(len, sentence.words))
            for form, words in zip(sentence.forms, sentence.words, strict=True):
                begin, ink = end, "".join(form.split())
                if not ink:
                    raise SennaError(
                        f"{sentence.place}: a sentence with a token of white space"
                    )
                end += len(ink)
                self.forms.append(ink)
                self.tokens.append((begin, end))
                for word in words:
                    head = _head(word.head, before, n_words, sentence.place)
                    self.words.append(
                        _Placed(begin, end, word, len(words) > 1, len(self.words), head)
                    )
            _check_tree(
                [word.head for word in self.words[before:]], before, sentence.place
            )
            self.sentences.append((first, end))
            self.names.append(sentence.place)
        self.characters = "".join(self.forms)

    def has(self, name: str) -> bool:
        """Whether a word has anything in the part of Word of that name."""
        return any(getattr(each.word, name) != "_" for each in self.words)

    def name_of(self, character: int) -> str:
        """Where the sentence of a character stands, or the last one."""
        k = bisect_right(self.sentences, (character, len(self.characters))) - 1
        return self.names[max(k, 0)] if self.names else "the text"


def _head(cell: str, before: int, n_words: int, place: str) -> int:
    """Number among all words of the head that a cell of a sentence names; before: of
    its first.
    """
    if cell == "_":
        return _NO_HEAD
    if (head := int_up_to(cell, n_words)) is None:
        raise SennaError(
            f"{place}: expected heads from 0, the root, to {n_words}, found {cell!r}"
        )
    return before + head - 1 if head else _ROOT


def _check_tree(heads: list[int], before: int, place: str) -> None:
    """Raise SennaError unless the heads of a sentence make a tree with one root.

    heads: numbers among all words, or _ROOT or _NO_HEAD; before: of the first word. Of
    a sentence in which heads are missing, those that it has must be part of such a
    tree.
    """
    own = [-1 if head in (_ROOT, _NO_HEAD) else head - before for head in heads]
    roots = [str(k) for k, head in enumerate(heads, 1) if head == _ROOT]
    if len(roots) > 1 or not (roots or _NO_HEAD in heads):
        found = f"roots in words {' and '.join(roots)}" if roots else "no root"
        raise SennaError(f"{place}: no tree: expected one root, found {found}")
    if None in (depth := depths(own)):
        word = depth.index(None)
        what = (
            "is its own head"
            if own[word] == word
            else "depends on itself by way of its head"
        )
        raise SennaError(f"{place}: no tree: word {word + 1} {what}")


def _features(word: Word) -> list[str]:
    universal = meanings()["feature"]
    return sorted(
        pair for pair in word.feats.split("|") if pair.partition("=")[0] in universal
    )


# What is compared of a word, which may depend on the gold one.
_TAGS: dict[str, Callable[[Word, Word], Any]] = {
    "upos": lambda word, _: word.upos,
    "xpos": lambda word, _: word.xpos,
    "feats": lambda word, _: _features(word),
    "all": lambda word, _: (word.upos, word.xpos, _features(word)),
    "lemma": lambda word, gold: word.lemma if gold.lemma != "_" else "_",
}


def score_text(gold: Iterable[RawSentence], found: Iterable[RawSentence]) -> TextScores:
    """TextScores of the sentences found in a text.

    Raises SennaError if the texts differ in more than white space, and for a token of
    that alone.
    """
    one, other = _Text(gold), _Text(found)
    _check_same_text(one, other)
    pairs = list(_aligned(one.words, other.words, other.name_of))
    size = len(one.words), len(other.words)
    counts = {
        "tokens": _common(one.tokens, other.tokens),
        "sentences": _common(one.sentences, other.sentences),
        "words": Counts(*size, len(pairs)),
    }
    aligned = {}
    for tag, of in _TAGS.items():
        needed = "feats" if tag == "all" else tag
        texts = (one,) if tag in ("upos", "xpos") else (one, other)
        if all(text.has(needed) for text in texts):
            right = sum(of(a.word, a.word) == of(b.word, a.word) for a, b in pairs)
            counts[tag], aligned[tag] = Counts(*size, right), len(pairs)
    if one.has("head") and other.has("head"):
        arcs, n_content = _arc_counts(one.words, other.words, pairs)
        counts |= arcs
        aligned |= {"uas": len(pairs), "las": len(pairs), "clas": n_content}
    confusions = Counter(_different_tokens(one, other))
    confusions.update(_different_ends(one, other))
    return TextScores(counts, aligned, confusions)


def _arc_counts(
    gold: _Words, found: _Words, pairs: list[tuple[_Placed, _Placed]]
) -> tuple[dict[str, Counts], int]:
    """Counts of dependencies, and how many of the pairs of words are of a gold content
    word.
    """
    gold_of = {b.number: a.number for a, b in pairs} | {_ROOT: _ROOT}
    heads = [
        (a, b) for a, b in pairs if a.head == gold_of.get(b.head, _NO_HEAD) != _NO_HEAD
    ]
    arcs = [a for a, b in heads if _relation(a) == _relation(b)]
    n_gold, n_found, n_pairs, n_right = (
        sum(is_content(word.word.relation) for word in words)
        for words in (gold, found, (a for a, _ in pairs), arcs)
    )
    size = len(gold), len(found)
    return {
        "uas": Counts(*size, len(heads)),
        "las": Counts(*size, len(arcs)),
        "clas": Counts(n_gold, n_found, n_right),
    }, n_pairs


def _relation(placed: _Placed) -> str:
    return placed.word.relation.partition(":")[0]


def _check_same_text(gold: _Text, found: _Text) -> None:
    a, b = gold.characters, found.characters
    if a != b:
        k = next(
            (k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y),
            min(len(a), len(b)),
        )
        wanted, there = (
            repr(text[k : k + _SHOWN]) if text[k:] else "the end" for text in (a, b)
        )
        raise SennaError(
            f"{found.name_of(k)}: expected {wanted} as in {gold.name_of(k)}, found {there}"
        )


def _common(gold: Sequence[Place], found: Sequence[Place]) -> Counts:
    return Counts(len(gold), len(found), len({*gold} & {*found}))


def _aligned(gold: _Words, found: _Words, name_of: Callable[[int], str]) -> _Pairs:
    """Yield the pairs of words that stand for each other.

    name_of: gives the place of a character. Raises SennaError where tokens of several
    words overlap without end: comparing their words takes time and memory by the
    square.
    """
    i = j = 0
    while i < len(gold) and j < len(found):
        a, b = gold[i], found[j]
        if a.is_part or b.is_part:
            # A word that begins before the token of several words is left out.
            first = i + (b.is_part and not a.is_part and a.begin < b.begin)
            other = j + (a.is_part and not b.is_part and b.begin < a.begin)
            i, j = _end_of_stretch(
                gold, found, first, other, a.end if a.is_part else b.end
            )
            if (i - first) * (j - other) > _LARGEST_STRETCH:
                problem = (
                    f"{i - first:,} and {j - other:,} words of tokens that overlap"
                )
                raise SennaError(
                    f"{name_of(b.begin)}: {problem}, too many to be compared"
                )
            yield from _longest_common(gold[first:i], found[other:j])
        elif (a.begin, a.end) == (b.begin, b.end):
            yield a, b
            i, j = i + 1, j + 1
        elif a.begin <= b.begin:
            i += 1
        else:
            j += 1


def _end_of_stretch(
    gold: _Words, found: _Words, i: int, j: int, end: int
) -> tuple[int, int]:
    """The words behind a stretch that tokens of several words cover, from words i and j
    on.

    end: that of the first of them. While there is a word of either text that ends in
    the stretch, or a token of several words that begins there, the word that begins
    first belongs to it.
    """
    while _goes_on(gold, i, end) or _goes_on(found, j, end):
        if i < len(gold) and (j == len(found) or gold[i].begin <= found[j].begin):
            word, i = gold[i], i + 1
        else:
            word, j = found[j], j + 1
        end = max(end, word.end) if word.is_part else end
    return i, j


def _goes_on(words: _Words, i: int, end: int) -> bool:
    if i == len(words):
        return False
    return words[i].begin < end if words[i].is_part else words[i].end <= end


def _longest_common(gold: _Words, found: _Words) -> _Pairs:
    """Yield the pairs of a longest common subsequence of forms in small letters."""
    a, b = ([each.word.form.lower() for each in words] for words in (gold, found))
    longest = [
        [0] * (len(b) + 1) for _ in range(len(a) + 1)
    ]  # of what begins at (i, j)
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1
                if a[i] == b[j]
                else max(longest[i + 1][j], longest[i][j + 1])
            )
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield gold[i], found[j]
            i, j = i + 1, j + 1
        elif longest[i + 1][j] == longest[i][j]:
            i += 1
        else:
            j += 1


def _different_tokens(gold: _Text, found: _Text) -> Iterator[tuple[str, str]]:
    """Yield the tokens of both between the nearest ends that both have, where they
    differ.
    """
    ends = {end for _, end in gold.tokens} & {end for _, end in found.tokens}
    for pair in zip(_groups(gold, ends), _groups(found, ends), strict=True):
        if pair[0] != pair[1]:
            yield pair


def _groups(text: _Text, ends: set[int]) -> Iterator[str]:
    group = []
    for form, (_, end) in zip(text.forms, text.tokens, strict=True):
        group.append(form)
        if end in ends:
            yield " ".join(group)
            group = []


def _different_ends(gold: _Text, found: _Text) -> Iterator[tuple[str, str]]:
    """Yield the tokens around ends of sentences that only one of both has."""
    ends = [{end for _, end in text.sentences} for text in (gold, found)]
    for text, only in ((gold, ends[0] - ends[1]), (found, ends[1] - ends[0])):
        for i, (_, end) in enumerate(text.tokens, 1):
            if end in only:
                before, after = (
                    text.forms[max(0, i - _AROUND) : i],
                    text.forms[i : i + _AROUND],
                )
                pair = " ".join([*before, "|", *after]), " ".join([*before, *after])
                yield pair if text is gold else (pair[1], pair[0])
