"""Splitting of surface tokens into their syntactic words."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.text.equal_texts import group_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from senna_py.text.tokens import Ints, Tokens
    from senna_py.text.word_splitting import WordSplitter


class Expanded(NamedTuple):
    """The words of a batch of surface tokens.

    Attributes:
        tokens: The words. The words of a multiword token still have its look-up forms.
        rows: int64[n], the indices of the words of multiword tokens.
    """

    tokens: Tokens
    rows: NDArray[np.int64]


class _Divided(NamedTuple):
    """The words of distinct multiword tokens.

    Attributes:
        counts: int64[n_tokens], the number of words of each token, which is 1 if the
            token is not divided.
        begin: int32[n_words], the offset of each word in its token, in bytes.
        end: int32[n_words], the offset after each word.
        spelling: int32[n_words], the index of the form of each word in `spellings`, or
            -1 if the form is the text of this range.
        spellings: The forms of words that are not parts of the text of their token.
    """

    counts: NDArray[np.int64]
    begin: Ints
    end: Ints
    spelling: Ints
    spellings: tuple[bytes, ...]


def expand(
    tokens: Tokens, is_multiword: NDArray[np.bool_], splitter: WordSplitter
) -> Expanded:
    """Return the words of surface tokens.

    Args:
        tokens: The surface tokens.
        is_multiword: bool[n_tokens], whether each token consists of several words.
            Tokens that `splitter` cannot divide are not changed.
        splitter: The splitter for multiword tokens.
    """
    rows = np.flatnonzero(is_multiword)
    surface = tokens.with_forms()
    distinct, number = group_texts(surface.data, surface.begin[rows], surface.end[rows])
    divided = _divide(surface.texts(rows[distinct]), splitter)
    counts = np.ones(len(tokens), np.intp)
    counts[rows] = divided.counts[number]
    if (counts == 1).all():
        return Expanded(tokens, rows[:0])
    # The first row of each token in `divided`.
    first = np.zeros(len(tokens), np.int64)
    first[rows] = (np.cumsum(divided.counts) - divided.counts)[number]
    owner = np.repeat(np.arange(len(tokens)), counts)
    stop = np.cumsum(counts)
    place = np.arange(len(owner)) - (stop - counts)[owner]
    words = np.flatnonzero(counts[owner] > 1)
    of_words = (first[owner] + place)[words]
    begin, end = tokens.begin[owner], tokens.end[owner]
    end[words] = begin[words] + divided.end[of_words]
    begin[words] += divided.begin[of_words]
    begins_sentence = tokens.begins_sentence
    if begins_sentence is not None:
        begins_sentence = begins_sentence[owner] & (place == 0)
    spelling = np.full(len(owner), -1, np.int32)
    spelling[words] = divided.spelling[of_words]
    expanded = replace(
        tokens,
        begin=begin,
        end=end,
        word=tokens.word[owner],
        folded_begin=tokens.folded_begin[owner],
        folded_end=tokens.folded_end[owner],
        starts=np.append(0, stop)[tokens.starts].astype(np.int32),
        continues=place > 0,
        spelling=spelling if divided.spellings else None,
        spellings=divided.spellings,
        begins_sentence=begins_sentence,
    )
    return Expanded(expanded, words)


def _divide(forms: Iterable[bytes], splitter: WordSplitter) -> _Divided:
    """Return the words of distinct multiword tokens."""
    counts: list[int] = []
    places: list[tuple[int, int, int]] = []
    spellings: dict[bytes, int] = {}
    for form in forms:
        words = splitter.split(form.decode("utf-8", "surrogateescape"))
        encoded = [word.encode("utf-8", "surrogateescape") for word in words or ()]
        counts.append(len(encoded) or 1)
        if not encoded:
            places.append((0, len(form), -1))
        elif b"".join(encoded) == form:
            ends = [*accumulate(map(len, encoded))]
            places += zip([0, *ends[:-1]], ends, [-1] * len(ends), strict=True)
        else:
            places += (
                (0, len(form), spellings.setdefault(word, len(spellings)))
                for word in encoded
            )
    begin, end, spelling = np.array(places, np.int32).reshape(-1, 3).T
    return _Divided(np.array(counts, np.int64), begin, end, spelling, tuple(spellings))
