"""The format `trees`: one bracketed parse tree per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.answers.reading import sentences_of_lines
from senna_py.formats.base import Printer
from senna_py.labels.tasks import TABLE

if TYPE_CHECKING:
    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model


class TreePrinter(Printer):
    """Prints one tree per sentence, and an empty line for each line without tokens."""

    @classmethod
    def tasks(cls, model: Model, asked: tuple[str, ...], predicates: str) -> list[str]:
        """Return the tasks whose layers are trees."""
        return [task.name for task in TABLE.values() if task.shape.nested]

    def format(self, annotations: Annotations, place: BatchPlace) -> bytes:
        """Return the trees and empty lines for a batch, in the order of its lines."""
        tokens = annotations.tokens
        begin = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
        # The last line may not end with a newline.
        n_lines = len(begin) - (begin[-1] == len(tokens.data))
        # A sentence may have been cut into several pieces.
        first = tokens.line_begin[tokens.first_parts]
        line = np.searchsorted(begin, first, side="right") - 1
        blank = np.setdiff1d(np.arange(n_lines), line)
        trees = [
            str(sentence.tree).encode("utf-8", "surrogateescape")
            for sentence in sentences_of_lines(annotations)
        ]
        order = np.argsort(np.append(line, blank), kind="stable").tolist()
        return b"".join((trees[i] if i < len(trees) else b"") + b"\n" for i in order)
