"""Annotations as columns: SENNA's padded ones, or plain tab-separated ones."""

import numpy as np

from senna_py.kernels.text.columns import WORD, write_rows
from senna_py.printers.base import Printer
from senna_py.printers.cells import CELLS, OffsetCells, Table, TokenCells

__all__ = ["ColumnPrinter", "TabPrinter"]

_DIGITS = 10  # of a number


class ColumnPrinter(Printer):
    """Prints SENNA's columns: one token per line and an empty line after each sentence.

    Words are padded to 15 characters, tags to 10; offsets stand in one column, roles in one for
    each predicate. The columns are in the order of the tagger's tasks.
    """

    splits_lines = True
    padded = True

    def __init__(self, tagger, words=True, offsets=False, scheme="iobes", header=False):
        """Prepare to print what `tagger` finds.

        words: print the word column; offsets: print character offsets; scheme: one of
        tag_schemes.SCHEMES, for segments and roles; header: begin with a line of names.
        """
        super().__init__(tagger)
        self._header, table = header, Table(self.padded, scheme)
        self._columns = [TokenCells()] * words + [OffsetCells(table)] * offsets
        for task in map(tagger.task, tagger.tasks):
            self._columns.append(CELLS[task.labels](tagger, task, table))
        self._table, self._texts, self._width = table, table.texts(), table.width

    def header(self):
        """Return the names of the columns, if they are wanted."""
        names = (name for column in self._columns for name in column.names)
        return ("\t".join(names) + "\n").encode() if self._header else b""

    def print(self, found, place):
        """Return the rows as a memoryview of bytes."""
        tokens = found.tokens
        cells = [run for column in self._columns for run in column.cells(tokens, found.found)]
        own = next((run.own for run in cells if run.own), ())
        texts = self._table.texts(own) if own else self._texts
        piece = np.concatenate([np.empty(0, np.int32), *(run.piece for run in cells)])
        first = np.empty((len(cells), len(tokens) + 1), np.int64)
        for c, before in enumerate(np.cumsum([0, *(len(run.piece) for run in cells)])[:-1]):
            first[c] = cells[c].first + before
        out = np.empty(self._most_bytes(tokens, cells, texts), np.uint8)
        size = write_rows(
            tokens.raw, tokens.begin, tokens.end, tokens.starts, self._width, texts, piece,
            first, out,
        )  # fmt: skip
        return memoryview(out)[:size]

    def _most_bytes(self, tokens, cells, texts):
        """Bytes that the rows cannot exceed; pages not written take no memory."""
        size = np.diff(texts.start)
        piece = max(np.diff(self._texts.start).max(initial=0), _DIGITS)
        words = 2 * int((tokens.end - tokens.begin).sum(dtype=np.int64))
        words += len(tokens) * (self._width + 2)  # padding, or quotation marks around and doubled
        return (
            sum(words * (WORD in run.piece) + piece * len(run.piece) for run in cells)
            + sum(int(size[run.piece].sum(dtype=np.int64)) for run in cells if run.own)
            + len(tokens) + tokens.n_sentences
        )  # fmt: skip


class TabPrinter(ColumnPrinter):
    """Prints a fixed number of columns between single tabs, with fields that CSV readers take."""

    padded = False
