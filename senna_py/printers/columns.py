"""Annotations as columns: SENNA's padded ones, or plain tab-separated ones."""

import numpy as np

from senna_py.corpora.escapes import escape_role, quote
from senna_py.kernels.text import columns as kernels
from senna_py.labels.tag_schemes import convert
from senna_py.labels.tasks import ROLES, TREES
from senna_py.printers.base import Printer

__all__ = ["ColumnPrinter", "TabPrinter"]


class ColumnPrinter(Printer):
    """Prints SENNA's columns: one token per line and an empty line after each sentence.

    Words are padded to 15 characters, tags to 10; offsets stand in one column, roles in one for
    each predicate. The columns are in the order of the tagger's tasks; roles and trees stand
    together, in this order, where the first of them does.
    """

    splits_lines = True
    padded = True

    def __init__(self, tagger, words=True, offsets=False, scheme="iobes", header=False):
        """Prepare to print what `tagger` finds.

        words: print the word column; offsets: print character offsets; scheme: one of
        tag_schemes.SCHEMES, for segments and roles; header: begin with a line of names.
        """
        super().__init__(tagger)
        padded = self.padded
        tasks = {name: tagger.task(name) for name in tagger.tasks}
        of_words = [name for name, task in tasks.items() if task.labels == "words"]
        self._roles, self._trees = ROLES in tasks, TREES in tasks
        self._header = header
        order = [*tasks, ROLES]
        first = min(order.index(name) for name in (ROLES, TREES) if name in order)
        self._tasks = [name for name in of_words if order.index(name) < first]
        self._others = of_words[len(self._tasks) :]
        self._layout = kernels.Layout(
            words, 15 if padded else 0, offsets, ord(" \t"[not padded]), len(self._others)
        )
        # One table of all labels, as printed; each task's begin where the one before ends.
        printed, self._base = [], {}
        for task in (*of_words, *([ROLES] if self._roles else [])):
            self._base[task] = len(printed)
            labels = tagger.labels(task)
            used = "iobes" if tasks[task].kind == "tags" else scheme
            width = 10 if padded else 0
            texts = (convert(labels[i], used) for i in range(len(labels)))
            if not padded:
                texts = map(escape_role if task == ROLES else quote, texts)
            printed += [f"\t{text:>{width}}" for text in texts]
        self._texts = _texts(printed)
        brackets = [], []
        if self._trees:
            brackets = [
                [lists[i] for i in range(len(lists))]
                for lists in (tagger.labels(TREES), tagger.closing_brackets)
            ]
        self._left, self._right = map(_texts, brackets)

    def header(self):
        """Return the names of the columns, if they are wanted."""
        if not self._header:
            return b""
        names = [
            *(["word"] if self._layout.words else []),
            *(["start", "end"] if self._layout.offsets else []),
            *self._tasks,
            *(["predicate", "roles"] if self._roles else []),
            *(["tree"] if self._trees else []),
            *self._others,
        ]
        return ("\t".join(names) + "\n").encode()

    def print(self, found, place):
        """Return the rows as a memoryview of bytes."""
        tokens = found.tokens
        offsets = tokens.offsets() if self._layout.offsets else np.empty((0, 2), np.int32)
        of_words = [*self._tasks, *self._others]
        column = np.empty((len(tokens), len(of_words)), np.int32)
        for c, task in enumerate(of_words):
            np.add(found.found[task].labels, self._base[task], out=column[:, c])
        roles = self._role_arrays(found.found[ROLES] if self._roles else None, len(tokens))
        trees = self._tree_arrays(found.found[TREES] if self._trees else None)
        out = np.empty(self._most_bytes(tokens, roles, trees), np.uint8)
        size = kernels.write_rows(
            tokens.raw, tokens.begin, tokens.end, tokens.starts, self._layout, offsets, column,
            self._texts, roles, trees, out,
        )  # fmt: skip
        return memoryview(out)[:size]

    def _role_arrays(self, roles, n_tokens):
        if roles is None:
            int32, int64 = np.empty(0, np.int32), np.empty(0, np.int64)
            return kernels.Roles(False, np.empty(0, bool), int32, int64, int32)
        label = roles.labels + np.int32(self._base[ROLES])
        marks = np.zeros(n_tokens, bool)
        marks[roles.predicate] = True
        return kernels.Roles(True, marks, roles.first, roles.begin, label)

    def _tree_arrays(self, trees):
        if trees is None:
            int32, int64 = np.empty(0, np.int32), np.empty(0, np.int64)
            none = np.empty(0, bool)
            return kernels.Trees(False, int32, int64, int32, none, self._left, self._right)
        return kernels.Trees(
            True, trees.labels, trees.rows, trees.begin, trees.whole, self._left, self._right
        )

    def _most_bytes(self, tokens, roles, trees):
        """Bytes that the rows cannot exceed; pages not written take no memory."""
        label = _widest(self._texts)
        per_token = 2 * (self._layout.width + 1) + 24 + 8
        per_token += (len(self._tasks) + len(self._others)) * label
        words = 2 * int((tokens.end - tokens.begin).sum(dtype=np.int64))
        if not self._layout.width:
            words = 2 * words + 4 * len(tokens)  # quotation marks, around words and doubled
        brackets = len(trees.label) * (_widest(self._left) + _widest(self._right))
        return (
            words + len(tokens) * per_token + len(roles.label) * label + brackets
            + tokens.n_sentences * 16
        )  # fmt: skip


class TabPrinter(ColumnPrinter):
    """Prints a fixed number of columns between single tabs, with fields that CSV readers take."""

    padded = False


def _texts(strings):
    encoded = [string.encode("utf-8", "surrogateescape") for string in strings]
    start = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    return kernels.Texts(np.frombuffer(b"".join(encoded), np.uint8), start)


def _widest(texts):
    return int(np.diff(texts.start).max(initial=0))
