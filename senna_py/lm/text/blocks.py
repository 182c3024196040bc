"""Tokenized text as numbered words: a sentence per line, words between white space.

The case of words is kept.
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
    """Some lines of text.

    Attributes:
        words: The different words of the block.
        numbers: int32[n], the index of each word of the text in `words`, and LINE_END
            (-1) after each line.
        line: The number of the first line.
    """

    words: list[bytes]
    numbers: NDArray[np.int32]
    line: int

    def stream(self, word_list: WordList) -> NDArray[np.int32]:
        """Return the indices of the block's words in a word list: int32[m]."""
        marks = (word_list.begin, word_list.end) if word_list.marks else None
        return _mark_sentences(self.numbers, word_list.indices(self.words), marks)

    def places(self, word_list: WordList) -> NDArray[np.int32]:
        """Return the index in `words` of each word of `stream`, -1 for a mark."""
        places = np.arange(len(self.words), dtype=np.int32)
        marks = (-1, -1) if word_list.marks else None
        return _mark_sentences(self.numbers, places, marks)

    def lengths(self) -> NDArray[np.int64]:
        """Return the number of words in each line that has any: int64[n_lines]."""
        lengths = np.diff(np.flatnonzero(self.numbers == LINE_END), prepend=-1) - 1
        return lengths[lengths > 0]

    def check_marks(self, name: str) -> None:
        """Check that no mark is among the words.

        Raises:
            SennaError: If one is. The message has the file `name` and the line.
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
    """A whole text as one block, with what is needed to choose a word list for it.

    Attributes:
        name: The name of its files, for messages.
        counts: int64[n_words], the number of occurrences of each of `words`.
    """

    name: str
    counts: NDArray[np.int64]

    def word_list(
        self, min_count: int = 1, size: int | None = None, marks: bool = True
    ) -> WordList:
        """Return a list of frequent words, the most frequent first.

        Args:
            min_count: How often a word must occur.
            size: The most words, without `<unk>` and the marks.
            marks: Whether sentences have marks.
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
    """Return the indices of the words of a text, with marks around sentences: int32[m].

    Args:
        numbers: int32[n], as in Block.
        indices: int32[n_words], the index of each different word.
        marks: The indices that begin and end each sentence with words; None for no
            marks.
    """
    is_end = numbers == LINE_END
    if marks is None:
        return indices[numbers[~is_end]]
    begin, end = marks
    is_first = ~is_end & np.append(True, is_end[:-1])
    # A line without words is not a sentence.
    is_used = ~is_end | np.append(False, ~is_end[:-1])
    out = np.where(is_end, np.int32(end), np.append(indices, np.int32(0))[numbers])
    firsts = np.cumsum(is_used)[is_first] - 1
    return np.insert(out[is_used], firsts, np.int32(begin))


def read_blocks(
    source: Source,
    size: int = BATCH_BYTES,
    tokenize: Callable[[bytes], bytes] | None = None,
) -> Iterator[Block | Pause]:
    """Yield the blocks of a source, and PAUSE before each read that may wait.

    Args:
        source: The source.
        size: The size of a block in bytes, approximately.
        tokenize: Tokenizes the bytes of whole lines; None if they are tokenized. The
            lines in messages are those of its result.

    Raises:
        SennaError: If the file is binary, or a mark of sentences is among the words.
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
    """Return the block of whole lines, the first of which has the number `line`."""
    raw = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)
    begin, end = np.empty((2, len(raw) // 2 + 1), np.int32)
    slots = np.full(1 << (len(raw) + 2).bit_length(), -1, np.int32)
    out = np.empty(len(raw), np.int32)
    n_out, n_words = number_words(raw, slots, begin, end, out)
    spans = zip(begin[:n_words].tolist(), end[:n_words].tolist(), strict=True)
    return Block([data[i:j] for i, j in spans], out[:n_out].copy(), line)
