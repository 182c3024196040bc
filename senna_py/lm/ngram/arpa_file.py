"""Reading and writing of ARPA files, a text format for back-off n-gram models.

A file has a section for each order, with a line for each n-gram: its log10 probability,
its words, and its log10 back-off weight. The weight is left out for the highest order,
and may be left out if it is 0. KenLM, SRILM and IRSTLM also use this format.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io.files import replace_file
from senna_py.io.numbers import float_of, floats_of
from senna_py.io.streaming import Source, decompressing, read_batches
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.blocks import split_block
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from senna_py.io.files import AnyPath
    from senna_py.lm.ngram.backoff import BackoffModel
    from senna_py.lm.text.blocks import Block

_BLOCK = 1 << 22  # the number of bytes that are read at a time
_LINES = 1 << 16  # the number of lines that are written at a time
_COUNT = re.compile(rb"ngram\s+(\d{1,9})\s*=\s*(\d{1,18})\s*")
_HEADER = re.compile(rb"\\(\d{1,9})-grams:")
_WORD = re.compile(rb"[^ \t\r\n]+")
_NEVER = -99
_UNKNOWN, _UPPER_CASE = UNKNOWN.encode(), b"<UNK>"  # both spellings are in use


@dataclass
class Section:
    """The n-grams of one order.

    Attributes:
        words: int32[n, order], the words of each n-gram as indices.
        prob: float32[n], the log10 probabilities.
        backoff: float32[n], the log10 back-off weights.
        line: int64[n], the line number of each n-gram in the file.
    """

    words: NDArray[np.int32]
    prob: NDArray[np.float32]
    backoff: NDArray[np.float32]
    line: NDArray[np.int64]


def read_arpa(path: AnyPath) -> tuple[list[bytes], list[Section]]:
    """Read an ARPA file.

    Files whose names end in .gz, .xz or .bz2 are decompressed. Text before `\\data\\`
    is ignored.

    Args:
        path: The path of the file, or `-` for standard input.

    Returns:
        The words, and the sections in the order of their n-grams' lengths.

    Raises:
        SennaError: If the file is not valid. The message names the file and the line.
    """
    with Source(path) as source:
        parser = _Parser(source.name)
        for data in read_batches(source, _BLOCK):
            parser.take(data)
    return parser.finish()


class _Parser:
    """Parses an ARPA file block by block."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 1
        # The order of the current section, with special values outside the n-grams: -1
        # before \data\, 0 in the section \data\, and None after \end\.
        self._order: int | None = -1
        self._counts: list[int] = []
        self._words: list[bytes] = []
        self._index: dict[bytes, int] = {}
        self._parts: list[Section] = []
        self._sections: list[Section] = []

    def _fail(self, line: int, problem: str) -> NoReturn:
        raise SennaError(f"{self._name}: line {line}: {problem}")

    def take(self, data: bytes) -> None:
        """Parse the next block of whole lines.

        Raises:
            SennaError: If a line is not valid.
        """
        # Vertical tabs and form feeds are not white space in this format.
        free = [byte for byte in map(chr, range(1, 9)) if byte.encode() not in data]
        odd = [
            (byte, other.encode())
            for byte, other in zip((b"\v", b"\f"), free, strict=False)
            if byte in data
        ]
        for byte, other in odd:
            data = data.replace(byte, other)
        block = split_block(data, self._line)
        for byte, other in odd:
            block.words = [word.replace(other, byte) for word in block.words]
        ends = np.flatnonzero(block.numbers == LINE_END)
        begins = np.append(0, ends[:-1] + 1)
        full = np.flatnonzero(begins < ends)  # lines that are not blank
        begins, ends, lines = begins[full], ends[full], full + self._line
        special = np.array([word.startswith(b"\\") for word in block.words], bool)
        heads: list[int] = []
        if len(full):
            heads = np.flatnonzero(special[block.numbers[begins]]).tolist()
        done = 0
        for head in [*heads, len(full)]:
            self._rows(block, begins[done:head], ends[done:head], lines[done:head])
            if head < len(full):
                words = block.numbers[begins[head] : ends[head]]
                self._header(b" ".join(block.words[i] for i in words), int(lines[head]))
            done = head + 1
        self._line += int((block.numbers == LINE_END).sum())

    def _header(self, text: bytes, line: int) -> None:
        """Parse the header of a section, a line that begins with a backslash."""
        if self._order == -1:
            if text == b"\\data\\":
                self._order = 0
            return
        if self._order is None:
            self._fail(line, f"{_show(text)} follows \\end\\")
        self._close(line)
        match = _HEADER.fullmatch(text)
        following = self._order + 1
        if match and int(match[1]) == following and following <= len(self._counts):
            self._order = following
        elif text == b"\\end\\" and self._order == len(self._counts) > 0:
            self._order = None
        else:
            expected = "\\end\\"
            if not self._counts:
                expected = "ngram 1=<count>"
            elif following <= len(self._counts):
                expected = f"\\{following}-grams:"
            self._fail(line, f"{_show(text)}, expected {expected}")

    def _close(self, line: int) -> None:
        """Check and add the current section, which ends before the line `line`."""
        if not self._order:
            return
        parts, self._parts = self._parts, []
        n = sum(len(part.prob) for part in parts)
        announced = self._counts[self._order - 1]
        if n != announced:
            self._fail(
                line,
                f"{n:,} {self._order}-grams before this line; the head of the file "
                f"has {announced:,}",
            )
        none = np.empty(0, np.float32)
        parts.append(
            Section(np.empty((0, self._order), np.int32), none, none, np.empty(0, int))
        )
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        self._sections.append(Section(*map(np.concatenate, columns)))

    def _rows(
        self,
        block: Block,
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        lines: NDArray[np.int64],
    ) -> None:
        """Parse lines that are not headers.

        Args:
            block: The block of the lines.
            begins: int64[n], the offset of each line in the numbers of the block.
            ends: int64[n], the end offset of each line.
            lines: int64[n], the line numbers.
        """
        if not len(begins) or self._order == -1:
            return
        if self._order is None:
            self._fail(lines[0], "text follows \\end\\")
        if self._order == 0:
            for begin, end, line in zip(begins, ends, lines, strict=True):
                words_of_line = (block.words[i] for i in block.numbers[begin:end])
                self._count(b" ".join(words_of_line), line)
            return
        order, n_fields = self._order, ends - begins
        is_wrong = (n_fields != order + 1) & (n_fields != order + 2)
        if is_wrong.any():
            at = int(is_wrong.argmax())
            self._fail(
                lines[at],
                f"{counted(int(n_fields[at]), 'field')}, expected a probability, "
                f"{counted(order, 'word')} and perhaps a weight",
            )
        words = block.numbers[begins[:, None] + np.arange(1, order + 1)]
        prob = self._numbers(block, block.numbers[begins], lines, "a log10 probability")
        if (prob > 0).any():
            at = int((prob > 0).argmax())
            self._fail(lines[at], f"a log10 probability of {prob[at]:g}, more than 0")
        backoff = np.zeros(len(begins), np.float32)
        has = n_fields == order + 2
        places = block.numbers[ends[has] - 1]
        backoff[has] = self._numbers(block, places, lines[has], "a log10 weight")
        self._parts.append(
            Section(self._look_up(block, words, lines), prob, backoff, lines)
        )

    def _count(self, text: bytes, line: int) -> None:
        match = _COUNT.fullmatch(text)
        if not match or int(match[1]) != len(self._counts) + 1:
            self._fail(
                line, f"{_show(text)}, expected ngram {len(self._counts) + 1}=<count>"
            )
        self._counts.append(int(match[2]))

    def _numbers(
        self,
        block: Block,
        places: NDArray[np.int32],
        lines: NDArray[np.int64],
        what: str,
    ) -> NDArray[np.float32]:
        """Parse fields as finite numbers: float32[n].

        Negative infinity becomes -99.

        Args:
            block: The block of the fields.
            places: int32[n], the indices of the fields in the words of the block.
            lines: int64[n], the line number of each field.
            what: A description of the numbers, for messages.
        """
        fields = [block.words[place] for place in places.tolist()]
        try:
            out = np.array(floats_of(fields), np.float32)
        except ValueError:
            out = np.array([*map(_number, fields)], np.float32)
        if (bad := np.flatnonzero(np.isnan(out) | (out == np.inf))).size:
            self._fail(lines[bad[0]], f"{_show(fields[bad[0]])} is not {what}")
        return np.where(np.isneginf(out), np.float32(_NEVER), out)

    def _look_up(
        self, block: Block, words: NDArray[np.int32], lines: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Convert indices in the words of a block to word indices.

        1-grams define new words.

        Args:
            block: The block.
            words: int32[n, order], indices in the words of the block.
            lines: int64[n], the line numbers.

        Returns:
            The word indices: int32[n, order].
        """
        if self._order == 1:
            return self._add_words(
                [block.words[place] for place in words[:, 0].tolist()], lines
            )
        indices = map(self._index.get, block.words, repeat(-1))
        of_rows = np.fromiter(indices, np.int32, len(block.words))[words]
        if (of_rows < 0).any():
            row, column = np.argwhere(of_rows < 0)[0]
            word = _show(block.words[words[row, column]])
            self._fail(lines[row], f"the word {word} is not among the 1-grams")
        return of_rows

    def _add_words(
        self, words: list[bytes], lines: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """Add the words of 1-grams, and return their indices: int32[n, 1]."""
        first = len(self._words)
        for word, line in zip(words, lines.tolist(), strict=True):
            name = _UNKNOWN if word == _UPPER_CASE else word
            if name in self._index:
                self._fail(line, f"the 1-gram {_show(word)} occurs twice")
            self._index[name] = self._index[word] = len(self._words)
            self._words.append(name)
        return np.arange(first, len(self._words), dtype=np.int32)[:, None]

    def finish(self) -> tuple[list[bytes], list[Section]]:
        """Return the words and the sections after the last block has been parsed.

        Raises:
            SennaError: If the file is incomplete.
        """
        if self._order is not None:
            problem = "the file ends before \\end\\"
            if self._order == -1:
                problem = (
                    "\\data\\ is missing: not an ARPA file, nor a model of senna-lm"
                )
            self._fail(self._line, problem)
        return self._words, self._sections


def _number(field: bytes) -> float:
    try:
        return float_of(field)
    except ValueError:
        return np.nan


def _show(text: bytes) -> str:
    return repr(text[:80].decode("utf-8", "backslashreplace"))


def write_arpa(path: AnyPath, model: BackoffModel) -> None:
    """Write a back-off model to an ARPA file.

    The file is compressed if its name ends in .gz, .xz or .bz2. For a model without
    sentence marks, `<s>` and `</s>` are added with the log10 probability -99, because
    other programs need them. Numbers have enough digits to restore float32 exactly.

    Args:
        path: The path of the file.
        model: The model.

    Raises:
        SennaError: If a word cannot be written, or if the file cannot be written.
    """
    opener = decompressing(str(path))

    def write(file: BinaryIO) -> None:
        with opener(file, "wb") if opener else nullcontext(file) as out:
            out.writelines(_arpa_lines(model))

    replace_file(path, write)


def _arpa_lines(model: BackoffModel) -> Iterator[bytes]:
    words = [word.encode("utf-8", "surrogateescape") for word in model.word_list.words]
    if bad := [word for word in words if not _WORD.fullmatch(word)]:
        raise SennaError(f"the word {_show(bad[0])} cannot stand in an ARPA file")
    added = [mark.encode() for mark in (BEGIN, END) if mark.encode() not in words]
    sizes = np.diff(model.starts)[1:].tolist()
    yield b"\\data\\\n"
    for order, size in enumerate(sizes, 1):
        n_ngrams = size + len(added) if order == 1 else size
        yield b"ngram %d=%d\n" % (order, n_ngrams)
    parent = np.repeat(np.arange(len(model.trie.begin) - 1), np.diff(model.trie.begin))
    for order, size in enumerate(sizes, 1):
        yield b"\n\\%d-grams:\n" % order
        if order == 1:
            yield b"".join(b"%d\t%s\n" % (_NEVER, mark) for mark in added)
        first = int(model.starts[order])
        for begin in range(first, first + size, _LINES):
            nodes = np.arange(begin, min(begin + _LINES, first + size))
            yield _rows_as_text(model, words, parent, nodes, order)
    yield b"\n\\end\\\n"


def _rows_as_text(
    model: BackoffModel,
    words: Sequence[bytes],
    parent: NDArray[np.int64],
    nodes: NDArray[np.int64],
    order: int,
) -> bytes:
    """Return the lines of n-grams.

    Args:
        model: The model.
        words: The words as bytes.
        parent: int64[n_nodes - 1], the parent of each node of the trie from node 1 on.
        nodes: int64[n], the nodes of the n-grams.
        order: The order of the n-grams.
    """
    columns: list[list[bytes]] = []
    at = nodes
    for _ in range(order):
        columns.append([words[i] for i in model.trie.word[at].tolist()])
        at = parent[at - 1]
    grams = map(b" ".join, zip(*columns[::-1], strict=True))
    prob = model.prob[nodes].astype("S").tolist()
    if order == model.order:
        return b"".join(b"%s\t%s\n" % row for row in zip(prob, grams, strict=True))
    backoff = model.backoff[nodes].astype("S").tolist()
    return b"".join(
        b"%s\t%s\t%s\n" % row for row in zip(prob, grams, backoff, strict=True)
    )
