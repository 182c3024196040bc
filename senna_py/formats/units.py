"""The base class of formats whose output is a sequence of independent units."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.answers.reading import documents
from senna_py.formats.base import Printer
from senna_py.formats.sentences import SentencePrinter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from senna_py.answers.annotations import Annotations
    from senna_py.answers.document import Document, Sentence
    from senna_py.corpora.places import BatchPlace
    from senna_py.corpora.records import Records
    from senna_py.tagger import Tagger

SCORE = "score"
_DECIMALS = 4  # The decimals of probabilities in cells.


class Unit(NamedTuple):
    """A part of the output, such as a line, which may stand anywhere in a file.

    Attributes:
        data: The bytes.
        score: The smallest probability of a label in it; infinite without any.
    """

    data: bytes
    score: float = inf


class UnitPrinter(SentencePrinter):
    """Prints units, such as the lines of sentences, which can be sorted by their scores.

    Attributes:
        scores: Whether probabilities are wanted.
    """

    def __init__(
        self,
        tagger: Tagger,
        scheme: str = "iobes",
        split: bool = False,
        scores: bool = False,
    ) -> None:
        """Set the options; see the attributes."""
        super().__init__(tagger, scheme, split)
        self.scores = scores

    def units(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the units of a batch."""
        raise NotImplementedError

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the units of a batch, with the separator between them."""
        return self.between.join(unit.data for unit in self.units(annotations, place))

    def least_score(self, sentences: Iterable[Sentence]) -> float:
        """Return the smallest probability of a label; infinite if none is known."""
        if not self.scores:
            return inf
        return min(map(_least_score, sentences), default=inf)

    def documents(self, annotations: Annotations, records: Records) -> list[Document]:
        """Return a document for each record of a batch, even if it has no token."""
        tokens = annotations.tokens
        first, begin = tokens.first_parts, np.array(records.first_byte, np.int32)
        owner = np.searchsorted(begin, tokens.line_begin, "right") - 1
        # A sentence that was cut for the networks has several parts.
        n_parts = np.diff(np.append(first, tokens.n_sentences))
        placed = replace(
            tokens,
            source=np.repeat(np.arange(len(first), dtype=np.int32), n_parts),
            line_begin=begin[owner],
        )
        return documents(
            replace(annotations, tokens=placed),
            records.texts,
            owner[first],
            self.scheme,
        )


def _least_score(sentence: Sentence) -> float:
    least = inf
    for task in sentence.tasks:
        if task.shape.gives_tags:
            scores = sentence.tag_scores(task)
        else:
            scores = [r.score for r in sentence.rows(task) if r.score is not None]
        least = min([least, *scores])
    return least


class SeparateUnits(Printer):
    """Prints units without joining them, so that they can be sorted."""

    def __init__(self, printer: UnitPrinter) -> None:
        """Store the printer of the units."""
        super().__init__(printer.tagger)
        self._printer = printer
        self.between = printer.between

    def header(self) -> bytes:
        """Return the beginning of a file."""
        return self._printer.header()

    def head(self, place: BatchPlace) -> bytes:
        """Return the bytes before the batch at a place."""
        return self._printer.head(place)

    def format(self, annotations: Annotations, place: BatchPlace) -> list[Unit]:
        """Return the units of a batch."""
        return self._printer.units(annotations, place)

    def footer(self) -> bytes:
        """Return the end of a file."""
        return self._printer.footer()


def score_text(score: float | None) -> str:
    """Return a probability as text, or an empty string for None."""
    return "" if score is None else f"{score:.{_DECIMALS}f}"


def csv_row(cells: Sequence[object]) -> bytes:
    """Return a row of CSV; invalid UTF-8 is written as it was read."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode("utf-8", "surrogateescape")
