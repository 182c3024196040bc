"""Tokenized text as numbered words: a sentence per line, words between white space,
case kept.
"""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import BATCH_BYTES, PAUSE, arriving_batches, check_text
from senna_py.kernels.lm.word_stream import LINE_END, number_words
from senna_py.lm.text.counts import by_count
from senna_py.lm.word_list import BEGIN, END, SPECIAL, WordList


@dataclass
class Block:
    """Some lines of text.

    words: list of bytes, the different words of the block; numbers: int32[n], for each
    word of the text its place in `words`, and LINE_END (-1) after each line; line:
    number of the first line.
    """

    words: list
    numbers: np.ndarray
    line: int

    def stream(self, word_list):
        """Word indices of the block by a WordList: int32[m]."""
        marks = word_list.marks and (word_list.begin, word_list.end)
        return _mark_sentences(self.numbers, word_list.indices(self.words), marks)

    def places(self, word_list):
        """For each place of `stream`, that of its word in `words`, or -1 for a mark:
        int32[m].
        """
        places = np.arange(len(self.words), dtype=np.int32)
        return _mark_sentences(self.numbers, places, word_list.marks and (-1, -1))

    def lengths(self):
        """Number of words in each line that has any: int64[n_lines]."""
        found = np.diff(np.flatnonzero(self.numbers == LINE_END), prepend=-1) - 1
        return found[found > 0]

    def check_marks(self, name):
        """Raise SennaError, which names a file and the line, for a mark among the
        words.
        """
        for mark in (BEGIN, END):
            if (word := mark.encode()) in self.words:
                place = np.flatnonzero(self.numbers == self.words.index(word))[0]
                line = self.line + int((self.numbers[:place] == LINE_END).sum())
                raise SennaError(
                    f"{name}: line {line}: {mark} is a mark between sentences and cannot be a "
                    "word of the text"
                )


@dataclass
class Text(Block):
    """A whole text as one Block, with what it takes to choose a WordList for it.

    name: of its files, for messages; counts: int64[n_words], how often each of `words`
    occurs.
    """

    name: str
    counts: np.ndarray

    def word_list(self, min_count=1, size=None, marks=True):
        """WordList of the words that occur `min_count` times or more, the most frequent
        first.

        size: how many words at most, `<unk>` and the marks not counted.
        """
        ranked = (self.words[i] for i in by_count(self.words, self.counts, min_count))
        words = [word.decode("utf-8", "surrogateescape") for word in ranked]
        return WordList.of_words(
            [w for w in words if w not in SPECIAL][:size], marks, self.name
        )


def _mark_sentences(numbers, indices, marks):
    """Indices of the words of a text, with marks around its sentences: int32[m].

    numbers: int32[n], as in Block; indices: int32[n_words], of each different word;
    marks: the indices that begin and end each sentence that has words, or a false value
    for no marks.
    """
    is_end = numbers == LINE_END
    if not marks:
        return indices[numbers[~is_end]]
    begin, end = marks
    is_first = ~is_end & np.append(True, is_end[:-1])
    kept = ~is_end | np.append(
        False, ~is_end[:-1]
    )  # a line without words is no sentence
    out = np.where(is_end, np.int32(end), np.append(indices, np.int32(0))[numbers])
    firsts = np.cumsum(kept)[is_first] - 1
    return np.insert(out[kept], firsts, np.int32(begin))


def read_blocks(source, size=BATCH_BYTES, tokenize=None):
    """Yield the Blocks of a Source, and PAUSE before each read that may have to wait.

    size: bytes of a block, about; tokenize: function from the bytes of whole lines to
    those of tokenized ones, or None if they are; errors then count these lines. Raises
    SennaError naming file and line for a mark of sentences among the words, and for a
    binary file.
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


def split_block(data, line):
    """Block of `data`: bytes, whole lines, of which the first has the number `line`."""
    raw = np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)
    begin, end = np.empty((2, len(raw) // 2 + 1), np.int32)
    slots = np.full(1 << (len(raw) + 2).bit_length(), -1, np.int32)
    out = np.empty(len(raw), np.int32)
    n_out, n_words = number_words(raw, slots, begin, end, out)
    spans = zip(begin[:n_words].tolist(), end[:n_words].tolist(), strict=True)
    return Block([data[i:j] for i, j in spans], out[:n_out].copy(), line)
