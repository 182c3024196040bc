"""Annotations as columns: SENNA's padded ones, or plain tab-separated ones.

What is printed of an answer is said by its kind: a new one is a class here, and a line
in CELLS. A cell is a run of pieces: indices of texts, the word of its row, and numbers.
All but the first one of a row begin with what parts them from the one before.
"""

from typing import NamedTuple

import numpy as np

from senna_py.corpora.escapes import escape_role, quote
from senna_py.formats.base import Printer
from senna_py.kernels.text.columns import (
    NOTHING,
    WORD,
    ZERO,
    Texts,
    gather_pieces,
    write_rows,
)
from senna_py.labels.tag_schemes import convert
from senna_py.labels.tasks import LEMMA, SENNA, TABLE

_DIGITS = 10  # of a number


class Cells(NamedTuple):
    """Pieces of each token, at most one of which is its word.

    piece: int32[n_pieces], as `write_rows` takes them; first: int64[n_tokens + 1],
    those of token t are `piece[first[t]:first[t + 1]]`; own: texts of the batch, whose
    indices follow those of the Table. One column at most has some.
    """

    piece: np.ndarray
    first: np.ndarray
    own: tuple[str, ...] = ()

    @classmethod
    def of_each(cls, n_tokens, pieces):
        """One for each token: the same, or int[n_tokens]."""
        return cls(np.full(n_tokens, pieces, np.int32), np.arange(n_tokens + 1))

    @classmethod
    def of_some(cls, mask, pieces):
        """One for each token of a mask, bool[n_tokens]: the same, or int[n]."""
        first = np.append(0, np.cumsum(mask, dtype=np.int64))
        return cls(np.full(first[-1], pieces, np.int32), first)

    @classmethod
    def of_rows(cls, labels, n_rows, starts, pieces, last_first=False):
        """Those of labels of a token in each of the rows of its sentence, see
        `gather_pieces`.
        """
        out, first = np.empty(len(labels), np.int32), np.empty(starts[-1] + 1, np.int64)
        n = gather_pieces(labels, n_rows, starts, pieces, last_first, out, first)
        return cls(out[:n], first)


class Table:
    """The texts that pieces are indices of.

    padded: whether columns are SENNA's, of 15 characters and 10, or CSV's; scheme: of
    segments.
    """

    def __init__(self, padded, scheme):
        self.padded, self.scheme, self.width, self._texts = (
            padded,
            scheme,
            15 * padded,
            [],
        )

    def add(self, *texts):
        """Add texts, str, and return their pieces: int32[n], NOTHING for those that are
        empty.
        """
        index = np.arange(
            len(self._texts), len(self._texts) + len(texts), dtype=np.int32
        )
        self._texts += texts
        return np.where([*map(bool, texts)], index, np.int32(NOTHING))

    def add_labels(self, vocabulary, scheme, escape=quote, before="\t"):
        """Add labels as printed, with a text before each, and return their pieces:
        int32[n].

        scheme: that they are printed in; escape: makes a field of CSV of one.
        """
        labels = (convert(label, scheme) for label in vocabulary.names)
        return self.add(*self.fields(labels, escape, before))

    def fields(self, labels, escape=quote, before="\t"):
        """Labels as printed: a list of str; see `add_labels`."""
        if self.padded:
            return [f"{before}{label:>10}" for label in labels]
        return [before + escape(label) for label in labels]

    def texts(self, own=()):
        """All of them, and then those of a batch, as the kernel takes them."""
        encoded = [
            text.encode("utf-8", "surrogateescape") for text in (*self._texts, *own)
        ]
        start = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
        return Texts(np.frombuffer(b"".join(encoded), np.uint8), start)

    def __len__(self):
        return len(self._texts)


class TokenCells:
    """The word itself."""

    names = ("word",)

    def cells(self, tokens, found):
        """Return the Cells of Tokens; found: answers by task, see
        `networks.answers`.
        """
        return [Cells.of_each(len(tokens), WORD)]


class _OffsetCells:
    """The characters at which each token begins and ends."""

    names = ("start", "end")

    def __init__(self, table):
        self._tab, self._between = table.add("\t", " " if table.padded else "\t")

    def cells(self, tokens, found):
        start, end = ZERO - tokens.offsets().T
        pieces = self._tab, start, self._between, end
        return [Cells.of_each(len(start), each) for each in pieces]


class _WordCells:
    """A label of each word."""

    def __init__(self, tagger, task, table):
        self.names, self._task, self._table = (task.name,), task.name, table
        scheme = table.scheme if task.segmented else "iobes"
        if task.name != LEMMA:
            self._labels = table.add_labels(tagger.labels(task.name), scheme)

    def cells(self, tokens, found):
        answer = found[self._task]
        if answer.names is None:
            return [Cells.of_each(len(tokens), self._labels[answer.labels])]
        each = Cells.of_each(len(tokens), answer.labels + len(self._table))
        return [each._replace(own=tuple(self._table.fields(answer.names)))]


class _RoleCells:
    """Predicates, and tags beside each of them: padded a column each, otherwise all in
    one.
    """

    names = ("predicate", "roles")

    def __init__(self, tagger, task, table):
        self._task, self._padded = task.name, table.padded
        self._tab, self._none = table.add("\t", f"\t{'-':>{table.width}}")
        # Those beside the first predicate of a sentence, and then those beside the
        # others.
        self._labels = np.append(
            *(
                table.add_labels(
                    tagger.labels(task.name), table.scheme, escape_role, before
                )
                for before in ("\t", "\t" if table.padded else "|")
            )
        )

    def cells(self, tokens, found):
        roles = found[self._task]
        n_predicates, n_labels = np.diff(roles.first), np.int32(len(self._labels) // 2)
        is_predicate, is_later = (
            np.zeros(len(tokens), bool),
            np.ones(len(roles.predicate), bool),
        )
        is_predicate[roles.predicate] = True
        is_later[roles.first[:-1][n_predicates > 0]] = False
        labels = roles.labels + n_labels * np.repeat(is_later, np.diff(roles.begin))
        has_none = np.repeat(
            (n_predicates == 0) & (not self._padded), np.diff(tokens.starts)
        )
        return [
            Cells.of_each(len(tokens), np.where(is_predicate, self._tab, self._none)),
            Cells.of_some(is_predicate, WORD),
            Cells.of_rows(labels, n_predicates, tokens.starts, self._labels),
            Cells.of_some(has_none, self._none),
        ]


class _TreeCells:
    """The brackets that open before a token and close behind it."""

    names = ("tree",)

    def __init__(self, tagger, task, table):
        self._task = task.name
        self._left = table.add(*tagger.labels(task.name).names)
        self._right = table.add(*tagger.model.storage.closing_brackets.names)
        # Within a sentence, and where one begins or ends that has a root of its own, or
        # has none.
        self._begin = table.add("\t", "\t(S1", "\t(S1(S")
        (self._star,) = table.add("*")
        self._end = table.add(")", "))")

    def cells(self, tokens, found):
        trees, starts, n = found[self._task], tokens.starts, len(tokens)
        begin, is_last = np.zeros(n, int), np.zeros(n, bool)
        begin[starts[:-1]], is_last[starts[1:] - 1] = 2 - trees.whole, True
        rows = trees.labels, np.diff(trees.begin), starts
        return [
            Cells.of_each(n, self._begin[begin]),
            Cells.of_rows(*rows, self._left, last_first=True),
            Cells.of_each(n, self._star),
            Cells.of_rows(*rows, self._right),
            Cells.of_some(is_last, self._end[1 - trees.whole]),
        ]


class _ArcCells:
    """The number of each word's head in its sentence, from 1 on, 0 for the root; its
    relation.
    """

    names = ("head", "relation")

    def __init__(self, tagger, task, table):
        self._task = task.name
        (self._tab,) = table.add("\t")
        self._labels = table.add_labels(tagger.labels(task.name), table.scheme)

    def cells(self, tokens, found):
        answer = found[self._task]
        pieces = self._tab, ZERO - (answer.head + 1), self._labels[answer.labels]
        return [Cells.of_each(len(tokens), each) for each in pieces]


CELLS = {
    "words": _WordCells,
    "roles": _RoleCells,
    "trees": _TreeCells,
    "arcs": _ArcCells,
}


class ColumnPrinter(Printer):
    """Prints SENNA's columns: one token per line and an empty line after each sentence.

    Words are padded to 15 characters, tags to 10; offsets stand in one column, roles in
    one for each predicate. The columns are in the order of the tagger's tasks.
    """

    splits_lines = True
    padded = True

    @classmethod
    def tasks(cls, model, asked, predicates):
        """Those asked for, or SENNA's five alone, of a model that does them and
        others.
        """
        own = model.default_tasks(predicates)
        senna = tuple(task for task in SENNA if TABLE[task].default)
        return asked or (senna if {*senna} < {*own} else None)

    def __init__(self, tagger, words=True, offsets=False, scheme="iobes", header=False):
        """words, offsets, header: whether to print these; scheme: one of
        tag_schemes.SCHEMES.
        """
        super().__init__(tagger)
        self._header, table = header, Table(self.padded, scheme)
        self._columns = [TokenCells()] * words + [_OffsetCells(table)] * offsets
        for task in map(tagger.task, tagger.tasks):
            self._columns.append(CELLS[task.labels](tagger, task, table))
        self._table, self._texts, self._width = table, table.texts(), table.width

    def header(self):
        names = (name for column in self._columns for name in column.names)
        return ("\t".join(names) + "\n").encode() if self._header else b""

    def print(self, found, place):
        """Return the rows as a memoryview of bytes."""
        tokens = found.tokens
        cells = [
            run for column in self._columns for run in column.cells(tokens, found.found)
        ]
        own = next((run.own for run in cells if run.own), ())
        texts = self._table.texts(own) if own else self._texts
        piece = np.concatenate([np.empty(0, np.int32), *(run.piece for run in cells)])
        first = np.empty((len(cells), len(tokens) + 1), np.int64)
        for c, before in enumerate(
            np.cumsum([0, *(len(run.piece) for run in cells)])[:-1]
        ):
            first[c] = cells[c].first + before
        out = np.empty(self._most_bytes(tokens, cells, texts), np.uint8)
        size = write_rows(
            tokens.raw,
            tokens.begin,
            tokens.end,
            tokens.starts,
            self._width,
            texts,
            piece,
            first,
            out,
        )
        return memoryview(out)[:size]

    def _most_bytes(self, tokens, cells, texts):
        """Bytes that the rows cannot exceed; pages not written take no memory."""
        size = np.diff(texts.start)
        piece = max(np.diff(self._texts.start).max(initial=0), _DIGITS)
        words = 2 * int((tokens.end - tokens.begin).sum(dtype=np.int64))
        words += len(tokens) * (
            self._width + 2
        )  # padding, or quotation marks around and doubled
        return (
            sum(words * (WORD in run.piece) + piece * len(run.piece) for run in cells)
            + sum(int(size[run.piece].sum(dtype=np.int64)) for run in cells if run.own)
            + len(tokens)
            + tokens.n_sentences
        )


class TabPrinter(ColumnPrinter):
    """Prints a fixed number of columns between single tabs, with fields that CSV
    readers take.
    """

    padded = False
