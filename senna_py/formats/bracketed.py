"""Annotations as bracketed trees: one a line."""

import numpy as np

from senna_py.answers.reading import sentences_of_lines
from senna_py.formats.base import Printer
from senna_py.labels.tasks import TREES


class TreePrinter(Printer):
    """Prints one tree per sentence; a line without a token is an empty line."""

    @classmethod
    def tasks(cls, model, asked, predicates):
        return [TREES]

    def print(self, found, place):
        tokens = found.tokens
        begin = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
        n_lines = len(begin) - (
            begin[-1] == len(tokens.data)
        )  # the last may have no end
        _, first = np.unique(
            tokens.source, return_index=True
        )  # a sentence may have several parts
        line = np.searchsorted(begin, tokens.line_begin[first], side="right") - 1
        blank = np.setdiff1d(np.arange(n_lines), line)
        trees = [
            str(sentence.tree).encode("utf-8", "surrogateescape")
            for sentence in sentences_of_lines(found)
        ]
        order = np.argsort(np.append(line, blank), kind="stable").tolist()
        return b"".join((trees[i] if i < len(trees) else b"") + b"\n" for i in order)
