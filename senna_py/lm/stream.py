"""Text as a stream of word indices for language models.

Text is tokenised: one sentence a line, words between white space, case kept. With marks, a stream
is `<s> words </s>` for each line that has words; without, it is the words of all lines and files,
one after the other, as if there were no lines (Bengio et al. 2003 read the Brown corpus so).
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from senna_py.errors import SennaError
from senna_py.io.streaming import BATCH_BYTES, Source, read_batches
from senna_py.kernels.word_stream import LINE_END, number_words
from senna_py.lm.word_list import SPECIAL, WordList, read_word_list

__all__ = [
    "Block",
    "Streams",
    "Text",
    "read_blocks",
    "read_stream",
    "read_streams",
    "read_text",
    "split_block",
]

_LARGE = 1 << 22  # bytes; a few dozen blocks for a large corpus, so that few words are met again
_SPECIAL = tuple(word.encode() for word in SPECIAL)


@dataclass
class Block:
    """Some lines of text.

    words: list of bytes, the different words of the block; numbers: int32[n], for each word of the
    text its place in `words`, and LINE_END (-1) after each line; line: number of the first line.
    """

    words: list
    numbers: np.ndarray
    line: int

    def stream(self, word_list):
        """Word indices of the block by a WordList: int32[m]."""
        return _stream(self.numbers, word_list.indices(self.words), word_list)

    def places(self, word_list):
        """For each place of `stream`, that of its word in `words`, or -1 for a mark: int32[m]."""
        return _stream(self.numbers, np.arange(len(self.words), dtype=np.int32), word_list, -1)

    def lengths(self):
        """How many words each line with words has: int64[n_lines]."""
        found = np.diff(np.flatnonzero(self.numbers == LINE_END), prepend=-1) - 1
        return found[found > 0]


def read_blocks(source, size=BATCH_BYTES):
    """Yield the Blocks of a Source, and None before each read that may have to wait.

    Raises SennaError naming file and line for a mark of sentences among the words.
    """
    line = 1
    for data in read_batches(source, size):
        if data is None:
            yield None
            continue
        block = split_block(data, line)
        for mark in _SPECIAL[1:]:
            if mark in block.words:
                raise SennaError(
                    f"{source.name}: line {_line_of(block, mark)}: {mark.decode()} is "
                    "a mark between sentences and cannot be a word of the text"
                )
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


def _line_of(block, word):
    place = np.flatnonzero(block.numbers == block.words.index(word))[0]
    return block.line + int((block.numbers[:place] == LINE_END).sum())


def _stream(numbers, indices, word_list, mark=None):
    """Look up `numbers` (see Block) in indices: int32[n_words], marks by `word_list`: int32[m].

    mark: stands for both marks instead of their indices.
    """
    if not word_list.marks:
        return indices[numbers[numbers != LINE_END]]
    is_end = numbers == LINE_END
    is_first = ~is_end & np.append(True, is_end[:-1])
    kept = ~is_end | np.append(False, ~is_end[:-1])  # a line without words is none
    begin, end = (word_list.begin, word_list.end) if mark is None else (mark, mark)
    out = np.where(is_end, np.int32(end), np.append(indices, np.int32(0))[numbers])
    firsts = np.cumsum(kept)[is_first] - 1
    return np.insert(out[kept], firsts, np.int32(begin))


@dataclass
class Text:
    """Text that was read once, to make a WordList of it and then its stream.

    name: of its files, for messages; words: list of bytes, the different words; counts:
    int64[n_words]; numbers: int32[n], as in Block.
    """

    name: str
    words: list
    counts: np.ndarray
    numbers: np.ndarray

    def word_list(self, min_count=1, size=None, marks=True):
        """WordList of the words that occur `min_count` times or more, the most frequent first.

        size: how many words at most, `<unk>` and the marks not counted.
        """
        ranked = sorted(zip((-self.counts).tolist(), self.words, strict=True))
        kept = [word for count, word in ranked if -count >= min_count and word not in _SPECIAL]
        words = [word.decode("utf-8", "surrogateescape") for word in kept[:size]]
        return WordList.of_words(words, marks, self.name)

    def stream(self, word_list):
        """Word indices of the text, with the marks that the list has: int32[m]."""
        return _stream(self.numbers, word_list.indices(self.words), word_list)


def read_text(paths, report=None):
    """Text of the files `paths` (`-` is standard input; see `streaming.Source`), in order.

    report: called with the number of words read so far, now and then. Raises SennaError naming the
    file that cannot be read, and if no file has a word.
    """
    types, counts, parts, n_read = {}, np.zeros(1 << 16, np.int64), [], 0
    for path in paths:
        with Source(path) as source:
            for block in filter(None, read_blocks(source, _LARGE)):
                found = (types.setdefault(word, len(types)) for word in block.words)
                to_type = np.fromiter(chain(found, (LINE_END,)), np.int32, len(block.words) + 1)
                if len(counts) < len(types):
                    counts = np.append(counts, np.zeros(2 * len(types) - len(counts), np.int64))
                parts.append(to_type[block.numbers])
                n = np.bincount(block.numbers[block.numbers != LINE_END])
                counts[to_type[: len(n)]] += n
                n_read += int(n.sum())
                if report:
                    report(n_read)
    name = str(paths[0]) if len(paths) == 1 else f"{len(paths)} files"
    if not types:
        raise SennaError(f"{name}: no words in the text")
    return Text(name, list(types), counts[: len(types)], np.concatenate(parts))


def read_stream(paths, word_list, report=None):
    """Word indices of the files `paths` by a WordList: int32[n]; errors as in `read_text`."""
    return read_text(paths, report).stream(word_list)


@dataclass
class Streams:
    """What a model is trained on.

    word_list: WordList; train, valid: int32[n], word indices.
    """

    word_list: WordList
    train: np.ndarray
    valid: np.ndarray


def read_streams(paths, valid, marks, vocabulary=None, min_count=1, size=None, report=None):
    """Streams of the text files `paths` and `valid`; without any of `valid` that stream is empty.

    vocabulary: file of the words, or None to take those of the training text by `min_count` and
    `size` (see `Text.word_list`).
    """
    text = read_text(paths, report)
    if vocabulary is None:
        word_list = text.word_list(min_count, size, marks)
    else:
        word_list = read_word_list(vocabulary, marks)
    held_out = read_stream(valid, word_list, report) if valid else np.empty(0, np.int32)
    return Streams(word_list, text.stream(word_list), held_out)
