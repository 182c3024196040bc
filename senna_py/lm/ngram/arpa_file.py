"""N-gram models in the ARPA format: text, a line an n-gram, from single words to the
highest order.

A line has log10 of the probability, the words, and log10 of the back-off weight unless
it is 0 or the order is the highest. Such files are written by KenLM, SRILM, IRSTLM and
others.
"""

import re
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io.files import replace_file
from senna_py.io.numbers import float_of, floats_of
from senna_py.io.streaming import Source, decompressing, read_batches
from senna_py.kernels.lm.word_stream import LINE_END
from senna_py.lm.text.blocks import split_block
from senna_py.lm.word_list import BEGIN, END, UNKNOWN

_BLOCK = 1 << 22  # bytes read at a time
_LINES = 1 << 16  # written at a time
_COUNT = re.compile(rb"ngram\s+(\d{1,9})\s*=\s*(\d{1,18})\s*")
_HEADER = re.compile(rb"\\(\d{1,9})-grams:")
_WORD = re.compile(rb"[^ \t\r\n]+")
_NEVER = -99
_UNKNOWN, _UPPER_CASE = UNKNOWN.encode(), b"<UNK>"  # SRILM and IRSTLM have either


@dataclass
class Section:
    """The n-grams of one order.

    words: int32[n, order], indices; prob, backoff: float32[n], log10; line: int64[n],
    in the file.
    """

    words: np.ndarray
    prob: np.ndarray
    backoff: np.ndarray
    line: np.ndarray


def read_arpa(path):
    """The words of an ARPA file, a list of bytes, and its Sections by ascending order.

    `-` is standard input; .gz, .xz and .bz2 files are decompressed. Text before
    `\\data\\` is ignored. Raises SennaError naming file and line.
    """
    with Source(path) as source:
        parser = _Parser(source.name)
        for data in read_batches(source, _BLOCK):
            parser.take(data)
    return parser.finish()


class _Parser:
    def __init__(self, name):
        self._name = name
        self._line = 1
        self._order = -1  # of the section: -1 before \data\, 0 in it, None after \end\
        self._counts = []
        self._words, self._index = [], {}
        self._parts, self._sections = [], []

    def _fail(self, line, problem):
        raise SennaError(f"{self._name}: line {line}: {problem}")

    def take(self, data):
        """Parse a block of whole lines."""
        # To other programs, these two are no white space.
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
        heads = np.flatnonzero(special[block.numbers[begins]]) if len(full) else []
        done = 0
        for head in [*heads, len(full)]:
            self._rows(block, begins[done:head], ends[done:head], lines[done:head])
            if head < len(full):
                words = block.numbers[begins[head] : ends[head]]
                self._header(b" ".join(block.words[i] for i in words), int(lines[head]))
            done = head + 1
        self._line += int((block.numbers == LINE_END).sum())

    def _header(self, text, line):
        if self._order == -1:
            if text == b"\\data\\":
                self._order = 0
            return
        if self._order is None:
            self._fail(line, f"{_show(text)} follows \\end\\")
        self._close(line)
        found = _HEADER.fullmatch(text)
        wanted = self._order + 1
        if found and int(found[1]) == wanted and wanted <= len(self._counts):
            self._order = wanted
        elif text == b"\\end\\" and self._order == len(self._counts) > 0:
            self._order = None
        else:
            expected = (
                f"\\{wanted}-grams:" if wanted <= len(self._counts) else "\\end\\"
            )
            expected = expected if self._counts else "ngram 1=<count>"
            self._fail(line, f"{_show(text)}, expected {expected}")

    def _close(self, line):
        if not self._order:
            return
        parts, self._parts = self._parts, []
        n, wanted = sum(len(part.prob) for part in parts), self._counts[self._order - 1]
        if n != wanted:
            self._fail(
                line,
                f"{n:,} {self._order}-grams before this line; the head of the file "
                f"has {wanted:,}",
            )
        none = np.empty(0, np.float32)
        parts.append(
            Section(np.empty((0, self._order), np.int32), none, none, np.empty(0, int))
        )
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        self._sections.append(Section(*map(np.concatenate, columns)))

    def _rows(self, block, begins, ends, lines):
        """Parse lines that are not headers; begins, ends: int64[n], their places in the
        block.
        """
        if not len(begins) or self._order == -1:
            return
        if self._order is None:
            self._fail(lines[0], "text follows \\end\\")
        if self._order == 0:
            for begin, end, line in zip(begins, ends, lines, strict=True):
                self._count(
                    b" ".join(block.words[i] for i in block.numbers[begin:end]), line
                )
            return
        order, n_fields = self._order, ends - begins
        if (
            wrong := np.flatnonzero((n_fields != order + 1) & (n_fields != order + 2))
        ).size:
            self._fail(
                lines[wrong[0]],
                f"{counted(int(n_fields[wrong[0]]), 'field')}, expected a probability, "
                f"{counted(order, 'word')} and perhaps a weight",
            )
        words = block.numbers[begins[:, None] + np.arange(1, order + 1)]
        prob = self._numbers(block, block.numbers[begins], lines, "a log10 probability")
        if (prob > 0).any():
            at = int(np.argmax(prob > 0))
            self._fail(lines[at], f"a log10 probability of {prob[at]:g}, more than 0")
        backoff = np.zeros(len(begins), np.float32)
        has = n_fields == order + 2
        places = block.numbers[ends[has] - 1]
        backoff[has] = self._numbers(block, places, lines[has], "a log10 weight")
        self._parts.append(
            Section(self._look_up(block, words, lines), prob, backoff, lines)
        )

    def _count(self, text, line):
        found = _COUNT.fullmatch(text)
        if not found or int(found[1]) != len(self._counts) + 1:
            self._fail(
                line, f"{_show(text)}, expected ngram {len(self._counts) + 1}=<count>"
            )
        self._counts.append(int(found[2]))

    def _numbers(self, block, places, lines, what):
        """The fields at `places` in the block's words as finite numbers: float32[n]."""
        fields = [block.words[place] for place in places.tolist()]
        try:
            out = np.array(floats_of(fields), np.float32)
        except ValueError:
            out = np.array([*map(_number, fields)], np.float32)
        if (bad := np.flatnonzero(np.isnan(out) | (out == np.inf))).size:
            self._fail(lines[bad[0]], f"{_show(fields[bad[0]])} is not {what}")
        return np.where(np.isneginf(out), np.float32(_NEVER), out)

    def _look_up(self, block, words, lines):
        """Indices of `words`: int32[n, order], places in the block's words."""
        if self._order == 1:
            return self._add_words(
                [block.words[place] for place in words[:, 0].tolist()], lines
            )
        found = map(self._index.get, block.words, repeat(-1))
        found = np.fromiter(found, np.int32, len(block.words))[words]
        if (found < 0).any():
            row, column = np.argwhere(found < 0)[0]
            word = _show(block.words[words[row, column]])
            self._fail(lines[row], f"the word {word} is not among the 1-grams")
        return found

    def _add_words(self, words, lines):
        first = len(self._words)
        for word, line in zip(words, lines.tolist(), strict=True):
            name = _UNKNOWN if word == _UPPER_CASE else word
            if name in self._index:
                self._fail(line, f"the 1-gram {_show(word)} occurs twice")
            self._index[name] = self._index[word] = len(self._words)
            self._words.append(name)
        return np.arange(first, len(self._words), dtype=np.int32)[:, None]

    def finish(self):
        """Words and Sections, once the whole file was given."""
        if self._order is not None:
            what = "the file ends before \\end\\"
            if self._order == -1:
                what = "\\data\\ is missing: not an ARPA file, nor one that senna-lm trains"
            self._fail(self._line, what)
        return self._words, self._sections


def _number(field):
    try:
        return float_of(field)
    except ValueError:
        return np.nan


def _show(text):
    return repr(text[:80].decode("utf-8", "backslashreplace"))


def write_arpa(path, model):
    """Write a BackoffModel to the file `path`, compressed if its name ends in .gz, .xz
    or .bz2.

    A model of one stream gets `<s>` and `</s>` with probability 0 (-99), because other
    programs need them. Numbers have enough digits for float32.
    """
    opener = decompressing(path)

    def write(file):
        with opener(file, "wb") if opener else nullcontext(file) as out:
            out.writelines(_arpa_lines(model))

    replace_file(path, write)


def _arpa_lines(model):
    words = [word.encode("utf-8", "surrogateescape") for word in model.word_list.words]
    if wrong := [word for word in words if not _WORD.fullmatch(word)]:
        raise SennaError(f"the word {_show(wrong[0])} cannot stand in an ARPA file")
    added = [mark.encode() for mark in (BEGIN, END) if mark.encode() not in words]
    sizes = np.diff(model.starts)[1:].tolist()
    yield b"\\data\\\n"
    for order, size in enumerate(sizes, 1):
        yield b"ngram %d=%d\n" % (order, size + len(added) * (order == 1))
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


def _rows_as_text(model, words, parent, nodes, order):
    columns, at = [], nodes
    for _ in range(order):
        columns.append([words[i] for i in model.trie.word[at].tolist()])
        at = parent[at - 1]
    grams = (
        columns[0] if order == 1 else map(b" ".join, zip(*columns[::-1], strict=True))
    )
    prob = model.prob[nodes].astype("S").tolist()
    if order == model.order:
        return b"".join(b"%s\t%s\n" % row for row in zip(prob, grams, strict=True))
    backoff = model.backoff[nodes].astype("S").tolist()
    return b"".join(
        b"%s\t%s\t%s\n" % row for row in zip(prob, grams, backoff, strict=True)
    )
