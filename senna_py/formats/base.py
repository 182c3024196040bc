"""The protocol of output formats: what a format may say about itself, and what it
prints when.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model
    from senna_py.tagger import Annotations, Tagger


class Printer:
    """Prints what a Tagger finds, batch by batch; may be shared by threads.

    A file is `header`, then for each document with anything to print `begin`, its
    batches from `print`, and `end`, and at last `footer`: all bytes. A format overrides
    what it has.

    splits_lines: whether sentences are printed the same wherever they stand, which lets
    a long line be tagged in parts; uncertain: tasks whose tags it prints with
    probabilities; between: what parts two batches of a file that have anything to
    print.
    """

    splits_lines = False
    uncertain: tuple[str, ...] = ()
    between = b""

    def __init__(self, tagger: Tagger) -> None:
        """Prepare to print what `tagger` finds; formats take options by name (see
        `registry`).
        """
        self.tagger = tagger

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> Iterable[str] | None:
        """Return the tasks to do where those `asked` for were named; None: the model's
        own.

        predicates: their source, see Tagger. Raises SennaError if the model has nothing
        to print.
        """
        return asked or None

    def header(self) -> bytes:
        """Return what a file begins with."""
        return b""

    def begin(self, document: str) -> bytes:
        """Return what stands before the first sentence of a document, by its name."""
        return b""

    def print(self, found: Annotations, place: BatchPlace) -> Any:
        """Return bytes of a batch: Annotations of whole lines, and where it begins."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return what follows the last sentence of a document."""
        return b""

    def footer(self) -> bytes:
        """Return what a file ends with."""
        return b""

    def writer(self, file: Any, records: bool) -> AbstractContextManager[Any]:
        """Return a context of a function that writes what is printed to a binary file,
        `file`.

        records: whether the text is that of records, see `corpora.records`.
        """
        return nullcontext(file.write)
