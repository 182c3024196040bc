"""Read predicate files.

A line has `-` or a predicate for each token, and an empty line ends a sentence.
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna_py.errors import SennaError, counted
from senna_py.io.streaming import Source, read_lines


class PredicateMarks(NamedTuple):
    """The predicates of consecutive sentences.

    Attributes:
        marks: bool[n_tokens], whether each token of the sentences is a predicate.
        n_sentences: The number of sentences that were read. It is lower than requested
            if there is an error.
        error: A SennaError for the first line that does not match the text, or None.
    """

    marks: NDArray[np.bool_]
    n_sentences: int
    error: SennaError | None


class PredicateFile:
    """A file of predicates, which is read in step with the sentences of a text."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the file; raise SennaError if that fails."""
        self.path = path
        self._source = Source(path)
        self._lines = read_lines(self._source)
        self._number = 0

    def take(self, lengths: Sequence[int]) -> PredicateMarks:
        """Read the predicates of the next sentences, up to the first mismatch.

        Args:
            lengths: The number of tokens of each sentence.
        """
        marks: list[bool] = []
        for n_sentences, length in enumerate(lengths):
            try:
                marks += self._read_sentence(length)
            except SennaError as error:
                return PredicateMarks(np.array(marks, bool), n_sentences, error)
        return PredicateMarks(np.array(marks, bool), len(lengths), None)

    def finish(self) -> None:
        """Raise SennaError if the file has more sentences than the text."""
        while (line := self._next()) is not None:
            if line:
                raise self._error("the text has no more sentences")

    def _read_sentence(self, length: int) -> list[bool]:
        marks = []
        for i in range(length):
            line = self._next()
            if not line:
                what = "the file ends" if line is None else "an empty line"
                raise self._error(
                    f"{what} after {counted(i, 'token')} of a sentence of {length}"
                )
            marks.append(line != b"-")
        if self._next():
            raise self._error(
                f"expected an empty line after a sentence of {counted(length, 'token')}"
            )
        return marks

    def _next(self) -> bytes | None:
        """Return the next line without surrounding white space, or None at the end."""
        self._number += 1
        line = next(self._lines, None)
        return None if line is None else line.strip()

    def _error(self, problem: str) -> SennaError:
        return SennaError(f"{self.path}: line {self._number}: {problem}")
