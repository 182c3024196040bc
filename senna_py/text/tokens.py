"""The tokens of a batch of sentences, as arrays.

The rows are syntactic words. Most surface tokens consist of one word. In a token of
several words, such as Portuguese *do* (*de* and *o*), `continues` is True for all words
but the first, and `spelling` refers to the forms that are not in the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from senna_py.io.numbers import ints_of
from senna_py.kernels.text import tokens as kernels
from senna_py.kernels.text.dictionary import enter_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    AnyInts = NDArray[np.integer]


# The maximum number of tokens of a document among which equal names are read alike. A
# longer document is divided, to limit memory.
LONGEST_STRETCH = 1 << 13


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
        continues: bool[n_tokens], whether each word belongs to the same surface token
            as the word before it; None if every surface token is one word.
        spelling: int32[n_tokens], the index in `spellings` of the form of each word, or
            -1 if the form is the text from `begin` to `end`; None if all forms are.
            Words with a spelling have the range of their surface token.
        spellings: Forms of words.
        begins_sentence: bool[n_tokens], whether a sentence begins with each token
            according to a learned tokenizer; None if rules find the sentences.
        document: int[n_sentences], the document of each sentence, in ascending order;
            None if every sentence is a document of its own.
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
    continues: NDArray[np.bool_] | None = None
    spelling: Ints | None = None
    spellings: tuple[bytes, ...] = ()
    begins_sentence: NDArray[np.bool_] | None = None
    document: AnyInts | None = None
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
        """Return the form of a word; invalid UTF-8 becomes surrogate escapes."""
        form = self.data[self.begin[token] : self.end[token]]
        if self.spelling is not None and self.spelling[token] >= 0:
            form = self.spellings[self.spelling[token]]
        return form.decode("utf-8", "surrogateescape")

    def texts(self, rows: Any = ...) -> Iterator[bytes]:
        """Return an iterator over the forms of the words.

        Args:
            rows: The indices of words, or a mask; by default, all words.
        """
        forms = self.with_forms()
        data, begin, end = forms.data, forms.begin[rows], forms.end[rows]
        return (data[i:j] for i, j in zip(ints_of(begin), ints_of(end), strict=True))

    def with_forms(self) -> Tokens:
        """Return the same words with a text that contains all of their forms.

        Forms that are not in the current text are appended to it.
        """
        if self.spelling is None:
            return self
        is_spelled = self.spelling >= 0
        stop = np.cumsum([0, *map(len, self.spellings)]) + len(self.data)
        begin, end = self.begin.copy(), self.end.copy()
        begin[is_spelled] = stop[self.spelling[is_spelled]]
        end[is_spelled] = stop[self.spelling[is_spelled] + 1]
        return replace(
            self,
            data=self.data + b"".join(self.spellings),
            begin=begin,
            end=end,
            spelling=None,
            spellings=(),
        )

    def rows(self, which: AnyInts) -> Tokens:
        """Return some words as if they were one sentence, to look at their forms.

        Args:
            which: int[n], the indices of the words.
        """
        zero, spelling = np.zeros(1, np.int32), self.spelling
        return Tokens(
            self.data,
            self.begin[which],
            self.end[which],
            self.word[which],
            self.folded,
            self.kind,
            self.folded_begin[which],
            self.folded_end[which],
            np.array([0, len(which)], np.int32),
            zero,
            zero,
            zero,
            np.array([len(self.data)], np.int32),
            spelling=spelling if spelling is None else spelling[which],
            spellings=self.spellings,
        )

    def surface_tokens(self) -> Tokens:
        """Return the surface tokens, each with the look-up form of its first word."""
        if self.continues is None:
            return self
        return self._merged(np.flatnonzero(~self.continues))

    @property
    def is_in_text(self) -> NDArray[np.bool_]:
        """Whether each word is the first one at its offsets: bool[n_tokens].

        It is False for the second and further words of a surface token whose words are
        not in the text.
        """
        if self.spelling is None or self.continues is None:
            return np.ones(len(self), bool)
        return ~(self.continues & (self.spelling >= 0))

    def tokens_in_text(self) -> Tokens:
        """Return the words, merged where `is_in_text` is False."""
        if self.spelling is None:
            return self
        return self._merged(np.flatnonzero(self.is_in_text))

    def _merged(self, first: NDArray[np.int64]) -> Tokens:
        """Return tokens that begin with the words `first`, up to the next of them."""
        last = np.append(first[1:], len(self)) - 1
        begins_sentence = self.begins_sentence
        return replace(
            self,
            begin=self.begin[first],
            end=self.end[last],
            word=self.word[first],
            folded_begin=self.folded_begin[first],
            folded_end=self.folded_end[first],
            starts=np.searchsorted(first, self.starts).astype(np.int32),
            begins_sentence=None if begins_sentence is None else begins_sentence[first],
            continues=None,
            spelling=None,
            spellings=(),
        )

    def rows_that(self, test: Callable[[str], bool], rows: AnyInts) -> list[int]:
        """Return those of some tokens whose raw text passes a test.

        Args:
            test: Returns whether a text passes.
            rows: int[n], the indices of the tokens.
        """
        texts = (text.decode("utf-8", "replace") for text in self.texts(rows))
        pairs = zip(ints_of(rows), texts, strict=True)
        return [row for row, text in pairs if test(text)]

    def first_equal(self) -> Ints:
        """Return the first word with the same form as each word: int32[n_tokens]."""
        if self.spelling is not None:
            return self.with_forms().first_equal()
        slots = np.full(1 << (2 * len(self)).bit_length(), -1, np.int32)
        first = np.empty(len(self), np.int32)
        enter_words(self.raw, self.begin, self.end, slots, first)
        return first

    def offsets(self) -> Ints:
        """Return the offsets of each word in its line or text: int32[n_tokens, 2].

        They are the first character of the word and the character after it. Words whose
        forms are not in the text have the offsets of their surface token.
        """
        if self.spelling is not None and self.continues is not None:
            # The words of a surface token with the same range are counted once.
            is_counted = self.is_in_text
            counted = np.cumsum(is_counted)
            tokens = replace(
                self,
                begin=self.begin[is_counted],
                end=self.end[is_counted],
                starts=np.append(0, counted)[self.starts].astype(np.int32),
                spelling=None,
                continues=None,
            )
            return tokens.offsets()[counted - 1]
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
        continues, spelling = self.continues, self.spelling
        document = self.document
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
            continues if continues is None else continues[a:b],
            spelling if spelling is None else spelling[a:b],
            self.spellings,
            None if self.begins_sentence is None else self.begins_sentence[a:b],
            document if document is None else document[first:last],
        )

    def parts(self, size: int) -> Iterator[Tokens]:
        """Split the batch into batches of whole stretches with at most `size` tokens.

        A longer stretch is a batch of its own. Without documents, sentences are
        stretches.
        """
        first_sentences = np.append(_first_of_each(self.stretches()), self.n_sentences)
        for first, last in sentence_blocks(self.starts[first_sentences], size):
            yield self.sentences(first_sentences[first], first_sentences[last])

    def stretches(self) -> AnyInts:
        """Return the stretch of each sentence: int[n_sentences], in ascending order.

        A stretch is a document, or whole sentences of a long one: at most
        LONGEST_STRETCH tokens, unless a single sentence has more. Without documents,
        each sentence is a stretch of its own.
        """
        if self.document is None:
            return np.arange(self.n_sentences)
        first_sentences = _first_of_each(self.document)
        bounds = np.append(first_sentences, self.n_sentences)
        begins = np.zeros(self.n_sentences, bool)
        begins[first_sentences] = True
        lengths = np.diff(self.starts[bounds])
        for long in np.flatnonzero(lengths > LONGEST_STRETCH):
            starts = self.starts[bounds[long] : bounds[long + 1] + 1]
            for first, _ in sentence_blocks(starts, LONGEST_STRETCH):
                begins[bounds[long] + first] = True
        return np.cumsum(begins)

    def cut(self, longest: int) -> Tokens:
        """Return the same tokens in sentences of at most `longest` tokens.

        A longer sentence is cut after `longest` tokens or, if the second half of these
        has a token `.`, `!` or `?`, after the last such token. The words of a surface
        token are not separated, so a sentence may have a few tokens more.
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
                if self.continues is not None:
                    end += int(np.argmin(np.append(self.continues[end:stop], False)))
                starts.append(end)
                owner.append(sentence)
        return replace(
            self,
            starts=np.array(starts, np.int32),
            source=self.source[owner],
            line_begin=self.line_begin[owner],
            text_begin=self.text_begin[owner],
            text_end=self.text_end[owner],
            document=None if self.document is None else self.document[owner],
        )

    @property
    def first_parts(self) -> NDArray[np.int64]:
        """The first sentence of each line or text: int64[n_sources].

        A line or text has several sentences if it was cut for the networks.
        """
        return _first_of_each(self.source)

    def split(self, first: AnyInts) -> Tokens:
        """Return the same tokens with some sentences split further.

        The text of each sentence extends from its first token to its last.

        Args:
            first: int[n], the first tokens of the additional sentences, sorted. The
                words of a surface token are not separated.
        """
        if self.continues is not None:
            first = first[~self.continues[first]]
        starts = distinct(self.starts, first).astype(np.int32)
        owner = np.searchsorted(self.starts, starts[:-1], side="right") - 1
        return replace(
            self,
            starts=starts,
            source=np.arange(len(owner), dtype=np.int32),
            line_begin=self.line_begin[owner],
            text_begin=self.begin[starts[:-1]],
            text_end=self.end[starts[1:] - 1],
            document=None if self.document is None else self.document[owner],
        )


def _first_of_each(numbers: AnyInts) -> NDArray[np.int64]:
    """Return the index of the first of each run of equal numbers: int64[n_runs]."""
    return np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1))


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
