"""Tokenized text as word indices.

Each line of the text is a sentence, whose words are separated by white space. Words are
case-sensitive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import BATCH_BYTES, PAUSE, arriving_batches, check_text
from senna_py.kernels.lm.word_stream import LINE_END, number_words
from senna_py.lm.text.counts import by_count
from senna_py.lm.word_list import BEGIN, END, SPECIAL, WordList

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from senna_py.io.streaming import Pause, Source


@dataclass
class Block:
    """Consecutive lines of a tokenized text.

    Attributes:
        words: The distinct words of the block.
        numbers: int32[n], the text as indices in `words`, with LINE_END (-1) after each
            line.
        line: The line number of the first line.
    """

    words: list[bytes]
    numbers: NDArray[np.int32]
    line: int

    def stream(self, word_list: WordList) -> NDArray[np.int32]:
        """Return the text as indices in a word list: int32[m].

        If the list has marks, each sentence is enclosed in `<s>` and `</s>`.
        """
        marks = (word_list.begin, word_list.end) if word_list.marks else None
        return _mark_sentences(self.numbers, word_list.indices(self.words), marks)

    def places(self, word_list: WordList) -> NDArray[np.int32]:
        """Return the index in `words` of each word of `stream`: int32[m].

        The index of a mark is -1.
        """
        places = np.arange(len(self.words), dtype=np.int32)
        marks = (-1, -1) if word_list.marks else None
        return _mark_sentences(self.numbers, places, marks)

    def lengths(self) -> NDArray[np.int64]:
        """Return the number of words in each line that is not blank: int64[n_lines]."""
        lengths = np.diff(np.flatnonzero(self.numbers == LINE_END), prepend=-1) - 1
        return lengths[lengths > 0]

    def check_marks(self, name: str) -> None:
        """Check that the text does not contain `<s>` or `</s>`.

        Raises:
            SennaError: If the text contains one. The message has the name of the file,
                `name`, and the line number.
        """
        for mark in (BEGIN, END):
            if (word := mark.encode()) in self.words:
                place = np.flatnonzero(self.numbers == self.words.index(word))[0]
                line = self.line + int((self.numbers[:place] == LINE_END).sum())
                raise SennaError(
                    f"{name}: line {line}: {mark} is a mark between sentences and "
                    "cannot be a word of the text"
                )


@dataclass
class Text(Block):
    """A whole text as a single block, with the counts of its words.

    Attributes:
        name: The name of the file or files, for messages.
        counts: int64[n_words], the number of occurrences of each word in `words`.
    """

    name: str
    counts: NDArray[np.int64]

    def word_list(
        self, min_count: int = 1, size: int | None = None, marks: bool = True
    ) -> WordList:
        """Return a list of the frequent words of the text, the most frequent first.

        Args:
            min_count: The minimum number of occurrences of a word.
            size: The maximum number of words, besides `<unk>` and the marks, or None
                for no limit.
            marks: Whether the list has sentence marks.
        """
        ranked = (self.words[i] for i in by_count(self.words, self.counts, min_count))
        words = [word.decode("utf-8", "surrogateescape") for word in ranked]
        chosen = [word for word in words if word not in SPECIAL][:size]
        return WordList.of_words(chosen, marks, self.name)


def _mark_sentences(
    numbers: NDArray[np.int32],
    indices: NDArray[np.int32],
    marks: tuple[int, int] | None,
) -> NDArray[np.int32]:
    """Return a text as word indices, with marks around each sentence: int32[m].

    Blank lines are left out.

    Args:
        numbers: int32[n], the `numbers` of a Block.
        indices: int32[n_words], the index of each distinct word.
        marks: The indices to insert before and after each sentence, or None to insert
            nothing.
    """
    is_end = numbers == LINE_END
    if marks is None:
        return indices[numbers[~is_end]]
    begin, end = marks
    is_first = ~is_end & np.append(True, is_end[:-1])
    # A blank line is not a sentence.
    is_used = ~is_end | np.append(False, ~is_end[:-1])
    out = np.where(is_end, np.int32(end), np.append(indices, np.int32(0))[numbers])
    firsts = np.cumsum(is_used)[is_first] - 1
    return np.insert(out[is_used], firsts, np.int32(begin))


def read_blocks(
    source: Source,
    size: int = BATCH_BYTES,
    tokenize: Callable[[bytes], bytes] | None = None,
) -> Iterator[Block | Pause]:
    """Yield the blocks of a source, and PAUSE before each read that may block.

    Args:
        source: The source.
        size: The approximate size of a block in bytes.
        tokenize: A function that tokenizes the bytes of whole lines, or None if the
            text is already tokenized. Messages contain line numbers of the tokenized
            text.

    Raises:
        SennaError: If the source cannot be read or is binary, or if the text contains a
            sentence mark.
    """
    line = 1
    for data in arriving_batches(source, size):
        if data is PAUSE:
            yield PAUSE
            continue
        if line == 1:
            check_text(source.name, data)
        block = split_block(data if tokenize is None else tokenize(data), line)
        block.check_marks(source.name)
        line += int((block.numbers == LINE_END).sum())
        yield block


def split_block(data: bytes, line: int) -> Block:
    """Return whole lines of text as a block.

    Args:
        data: The bytes of the lines.
        line: The line number of the first line.
    """
    raw = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)
    begin, end = np.empty((2, len(raw) // 2 + 1), np.int32)
    slots = np.full(1 << (len(raw) + 2).bit_length(), -1, np.int32)
    out = np.empty(len(raw), np.int32)
    n_out, n_words = number_words(raw, slots, begin, end, out)
    spans = zip(begin[:n_words].tolist(), end[:n_words].tolist(), strict=True)
    return Block([data[i:j] for i, j in spans], out[:n_out].copy(), line)
