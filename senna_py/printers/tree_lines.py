"""Annotations as bracketed trees: one a line."""

import numpy as np

from senna_py.reading import sentences_of_lines

__all__ = ["TreeFormat"]


class TreeFormat:
    """Prints batches as bytes, one tree per sentence; may be shared by threads.

    A line without a token is an empty line.
    """

    splits_lines = False  # a line that was cut for the networks is one tree all the same
    wants_places = False

    def __init__(self, tagger):
        """Prepare to print the trees that `tagger` finds, which must be among its tasks."""
        self._tagger = tagger

    def header(self):
        """Nothing: every line is a tree."""
        return b""

    def print(self, found):
        """Lines of the trees of Annotations, whose tokens are those of whole lines."""
        tokens = found.tokens
        begin = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
        n_lines = len(begin) - (begin[-1] == len(tokens.data))  # the last may have no end
        _, first = np.unique(tokens.source, return_index=True)  # a sentence may have several parts
        line = np.searchsorted(begin, tokens.line_begin[first], side="right") - 1
        blank = np.setdiff1d(np.arange(n_lines), line)
        trees = [
            str(sentence.tree).encode("utf-8", "surrogateescape")
            for sentence in sentences_of_lines(self._tagger, found)
        ]
        order = np.argsort(np.append(line, blank), kind="stable").tolist()
        return b"".join((trees[i] if i < len(trees) else b"") + b"\n" for i in order)
