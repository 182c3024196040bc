"""The tokens of a batch of sentences, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.io.numbers import ints_of
from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text.dictionary import enter_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    AnyInts = NDArray[np.integer]


def distinct(*arrays: AnyInts) -> AnyInts:
    """Return the distinct numbers of several arrays in ascending order.

    NumPy's own functions first import masked arrays, which is slow for short commands.
    """
    numbers = np.sort(np.concatenate(arrays))
    return numbers[np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]]


@dataclass
class Tokens:
    """The tokens of a batch; sentence s has the tokens `starts[s]:starts[s + 1]`.

    Lines or texts without a token are not among the sentences.

    Attributes:
        data: The raw text.
        begin: int32[n_tokens], the first byte of each token in `data`.
        end: int32[n_tokens], the byte after each token.
        word: int32[n_tokens], the index of each token in the dictionary.
        folded: uint8[n_folded], the text that features read (`kernels.text.tokens`).
        kind: uint8[n_folded], the properties (bits) of the character of each byte of
            `folded`.
        folded_begin: int32[n_tokens], the first byte of each token in `folded`.
        folded_end: int32[n_tokens], the byte after each token in `folded`.
        starts: int32[n_sentences + 1], the first token of each sentence.
        source: int32[n_sentences], the index of the line or text of each sentence.
            After `split`, it is the index of the sentence itself.
        line_begin: int32[n_sentences], the first byte of this line or text in `data`.
        text_begin: int32[n_sentences], the first byte of the sentence in `data`.
        text_end: int32[n_sentences], the byte after the sentence.
        raw: uint8[n_bytes], a view of `data`.
    """

    data: bytes
    begin: Ints
    end: Ints
    word: Ints
    folded: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    folded_begin: Ints
    folded_end: Ints
    starts: Ints
    source: Ints
    line_begin: Ints
    text_begin: Ints
    text_end: Ints
    raw: NDArray[np.uint8] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.raw = np.frombuffer(self.data, np.uint8)

    def __len__(self) -> int:
        return len(self.begin)

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.starts) - 1

    def text(self, token: int) -> str:
        """Return the raw text of a token; invalid UTF-8 becomes surrogate escapes."""
        return self.data[self.begin[token] : self.end[token]].decode(
            "utf-8", "surrogateescape"
        )

    def texts(self, rows: Any = ...) -> Iterator[bytes]:
        """Return an iterator over the raw texts of the tokens.

        Args:
            rows: The indices of tokens, or a mask; by default, all tokens.
        """
        data, begin, end = self.data, self.begin[rows], self.end[rows]
        return (data[i:j] for i, j in zip(ints_of(begin), ints_of(end), strict=True))

    def first_equal(self) -> Ints:
        """Return the first token with the same text as each token: int32[n_tokens]."""
        slots = np.full(1 << (2 * len(self)).bit_length(), -1, np.int32)
        first = np.empty(len(self), np.int32)
        enter_words(self.raw, self.begin, self.end, slots, first)
        return first

    def offsets(self) -> Ints:
        """Return the offsets of each token in its line or text: int32[n_tokens, 2].

        They are the first character of the token and the character after it.
        """
        if self.data.isascii():
            line = np.repeat(self.line_begin, np.diff(self.starts))
            return np.stack([self.begin - line, self.end - line], axis=1)
        out = np.empty((len(self), 2), np.int32)
        kernels.count_characters(
            self.raw, self.begin, self.end, self.line_begin, self.starts, out
        )
        return out

    def sentences(self, first: int, last: int) -> Tokens:
        """Return the sentences from `first` up to `last` (exclusive).

        Most arrays are views; `data` and `folded` are shared.
        """
        a, b = self.starts[first], self.starts[last]
        return Tokens(
            self.data,
            self.begin[a:b],
            self.end[a:b],
            self.word[a:b],
            self.folded,
            self.kind,
            self.folded_begin[a:b],
            self.folded_end[a:b],
            self.starts[first : last + 1] - a,
            self.source[first:last],
            self.line_begin[first:last],
            self.text_begin[first:last],
            self.text_end[first:last],
        )

    def parts(self, size: int) -> Iterator[Tokens]:
        """Split the batch into batches of whole sentences with at most `size` tokens.

        A longer sentence is a batch of its own.
        """
        for first, last in sentence_blocks(self.starts, size):
            yield self.sentences(first, last)

    def cut(self, longest: int) -> Tokens:
        """Return the same tokens in sentences of at most `longest` tokens.

        A longer sentence is cut after `longest` tokens or, if the second half of these
        has a token `.`, `!` or `?`, after the last such token.
        """
        if np.diff(self.starts).max(initial=0) <= longest:
            return self
        is_mark = np.isin(self.raw[self.begin], list(b".!?"))
        final = (self.end - self.begin == 1) & is_mark
        starts = [0]
        owner: list[int] = []
        for sentence in range(self.n_sentences):
            stop = int(self.starts[sentence + 1])
            while starts[-1] < stop:
                end = min(starts[-1] + longest, stop)
                if end < stop:
                    half = starts[-1] + longest // 2
                    marks = np.flatnonzero(final[half:end])
                    if len(marks):
                        end = half + int(marks[-1]) + 1
                starts.append(end)
                owner.append(sentence)
        return replace(
            self,
            starts=np.array(starts, np.int32),
            source=self.source[owner],
            line_begin=self.line_begin[owner],
            text_begin=self.text_begin[owner],
            text_end=self.text_end[owner],
        )

    @property
    def first_parts(self) -> NDArray[np.int64]:
        """The first sentence of each line or text: int64[n_sources].

        A line or text has several sentences if it was cut for the networks.
        """
        source = self.source
        return np.flatnonzero(np.diff(source, prepend=source[:1] - 1))

    def split(self, first: AnyInts) -> Tokens:
        """Return the same tokens with some sentences split further.

        The text of each sentence extends from its first token to its last.

        Args:
            first: int[n], the first tokens of the additional sentences, sorted.
        """
        starts = distinct(self.starts, first).astype(np.int32)
        owner = np.searchsorted(self.starts, starts[:-1], side="right") - 1
        return replace(
            self,
            starts=starts,
            source=np.arange(len(owner), dtype=np.int32),
            line_begin=self.line_begin[owner],
            text_begin=self.begin[starts[:-1]],
            text_end=self.end[starts[1:] - 1],
        )


def sentence_blocks(starts: AnyInts, n_words: int) -> Iterator[tuple[int, int]]:
    """Yield ranges [first, last) of whole sentences with at most `n_words` words.

    A longer sentence is a range of its own.

    Args:
        starts: int[n_sentences + 1], the first word of each sentence.
        n_words: The maximum number of words in a range.
    """
    first = 0
    while first < len(starts) - 1:
        last = int(starts.searchsorted(starts[first] + n_words, side="right")) - 1
        last = max(first + 1, last)
        yield first, last
        first = last
