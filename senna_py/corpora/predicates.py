"""Predicate files: a line per token, `-` or a predicate, and an empty line after each
sentence.
"""

import numpy as np

from senna_py.errors import SennaError, counted
from senna_py.io.streaming import Source, read_lines


class PredicateFile:
    """Reads the predicates of one sentence after another, in step with the text."""

    def __init__(self, path):
        """Open the file; raises SennaError naming it."""
        self.path = path
        self._source = Source(path)
        self._lines = read_lines(self._source)
        self._number = 0

    def take(self, lengths):
        """Predicates of the next sentences, which have `lengths` tokens.

        Returns (marks, count, error): bool[n_tokens] for the first `count` sentences,
        as many as the file agrees with, and a SennaError naming the line where it stops
        agreeing, or None.
        """
        marks = []
        for count, length in enumerate(lengths):
            try:
                marks += self._sentence(length)
            except SennaError as error:
                return np.array(marks, bool), count, error
        return np.array(marks, bool), len(lengths), None

    def finish(self):
        """Raise SennaError if the file goes on after the last sentence."""
        while (line := self._next()) is not None:
            if line:
                raise self._error("the text has no more sentences")

    def _sentence(self, length):
        marks = []
        for k in range(length):
            line = self._next()
            if not line:
                what = "the file ends" if line is None else "an empty line"
                raise self._error(
                    f"{what} after {counted(k, 'token')} of a sentence of {length}"
                )
            marks.append(line != b"-")
        if self._next():
            raise self._error(
                f"expected an empty line after a sentence of {counted(length, 'token')}"
            )
        return marks

    def _next(self):
        """Next line without white space around it, or None at the end."""
        self._number += 1
        line = next(self._lines, None)
        return None if line is None else line.strip()

    def _error(self, problem):
        return SennaError(f"{self.path}: line {self._number}: {problem}")
