"""Align the words of two analyses of a text.

The CoNLL 2018 shared task defines the alignment (Zeman et al. 2018, section 5).
Single-word tokens are aligned if they have the same characters. In a stretch of text
that is covered by multiword tokens of either analysis, words are aligned by the longest
common subsequence of their lowercase forms.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from senna_py.corpora.raw_text import Word
from senna_py.errors import SennaError

# The maximum product of the numbers of words of both analyses in a stretch.
_LARGEST_STRETCH = 1 << 20


class PlacedWord(NamedTuple):
    """A word, and the range of its token in the text without white space.

    Attributes:
        begin: The offset of the first character of the word's token.
        end: The offset after the last character of the token.
        word: The word.
        is_part: Whether the token consists of several words.
        number: The index of the word among all words of the text.
        head: The index of the word's head, or one of the negative constants in `raw_text`.
    """

    begin: int
    end: int
    word: Word
    is_part: bool
    number: int
    head: int


Words = Sequence[PlacedWord]
WordPairs = Iterator[tuple[PlacedWord, PlacedWord]]


def aligned_words(
    gold: Words, predicted: Words, name_of: Callable[[int], str]
) -> WordPairs:
    """Yield the pairs of aligned gold and predicted words.

    Args:
        gold: The gold words.
        predicted: The predicted words.
        name_of: A function that returns the file and line of a character, for messages.

    Raises:
        SennaError: If multiword tokens overlap over too long a stretch, because the
            alignment takes quadratic time and memory.
    """
    i = j = 0
    while i < len(gold) and j < len(predicted):
        a, b = gold[i], predicted[j]
        if a.is_part or b.is_part:
            # A word that begins before the multiword token is not aligned.
            first, other = i, j
            if b.is_part and not a.is_part and a.begin < b.begin:
                first += 1
            if a.is_part and not b.is_part and b.begin < a.begin:
                other += 1
            end = a.end if a.is_part else b.end
            i, j = _end_of_stretch(gold, predicted, first, other, end)
            if (i - first) * (j - other) > _LARGEST_STRETCH:
                raise SennaError(
                    f"{name_of(b.begin)}: {i - first:,} and {j - other:,} words of tokens "
                    "that overlap, too many to be compared"
                )
            yield from _longest_common(gold[first:i], predicted[other:j])
        elif (a.begin, a.end) == (b.begin, b.end):
            yield a, b
            i, j = i + 1, j + 1
        elif a.begin <= b.begin:
            i += 1
        else:
            j += 1


def _end_of_stretch(
    gold: Words, predicted: Words, i: int, j: int, end: int
) -> tuple[int, int]:
    """Return the end of a stretch of text that is covered by multiword tokens.

    The stretch is extended as long as a word of either analysis ends in it or a
    multiword token begins in it.

    Args:
        gold: The gold words.
        predicted: The predicted words.
        i: The index of the first gold word of the stretch.
        j: The index of the first predicted word.
        end: The end of the first multiword token, in characters.

    Returns:
        The indices after the last gold and the last predicted word.
    """
    while _is_within(gold, i, end) or _is_within(predicted, j, end):
        if i < len(gold) and (
            j == len(predicted) or gold[i].begin <= predicted[j].begin
        ):
            word, i = gold[i], i + 1
        else:
            word, j = predicted[j], j + 1
        if word.is_part:
            end = max(end, word.end)
    return i, j


def _is_within(words: Words, i: int, end: int) -> bool:
    """Return whether word i belongs to a stretch that ends at the offset `end`."""
    if i == len(words):
        return False
    return words[i].begin < end if words[i].is_part else words[i].end <= end


def _longest_common(gold: Words, predicted: Words) -> WordPairs:
    """Yield the pairs of words in a longest common subsequence of lowercase forms."""
    a, b = ([each.word.form.lower() for each in words] for words in (gold, predicted))
    # The length of the longest common subsequence of a[i:] and b[j:].
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            if a[i] == b[j]:
                longest[i][j] = longest[i + 1][j + 1] + 1
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield gold[i], predicted[j]
            i, j = i + 1, j + 1
        elif longest[i + 1][j] == longest[i][j]:
            i += 1
        else:
            j += 1
