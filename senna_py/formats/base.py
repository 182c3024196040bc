"""The protocol of output formats: the parts of a file, and when each is printed."""

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
    """Prints the layers of batches; may be shared by threads.

    A file is `header`, then for each document with anything to print `begin`, its
    batches from `print`, and `end`, and at last `footer`: all bytes. A format overrides
    the methods that it needs.

    Attributes:
        tagger: The tagger whose tasks are printed.
        splits_lines: Whether sentences are printed the same wherever they stand, so that
            a long line can be tagged in parts.
        uncertain: The tasks that are printed with the probabilities of all labels.
        between: The bytes between two batches of a file that have anything to print.
    """

    splits_lines = False
    uncertain: tuple[str, ...] = ()
    between = b""

    def __init__(self, tagger: Tagger) -> None:
        """Prepare to print; formats take options by name, see `registry`."""
        self.tagger = tagger

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> Iterable[str] | None:
        """Return the tasks to do, or None for the tasks that the model does by itself.

        Args:
            model: The model.
            asked: The tasks that were named.
            predicates: The source of predicates; see Tagger.

        Raises:
            SennaError: If the model has nothing to print.
        """
        return asked or None

    def header(self) -> bytes:
        """Return what a file begins with."""
        return b""

    def begin(self, document: str) -> bytes:
        """Return what stands before the first sentence of a document, by its name."""
        return b""

    def print(self, annotations: Annotations, place: BatchPlace) -> Any:
        """Return the bytes of a batch of whole lines, which begins at a place."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return what follows the last sentence of a document."""
        return b""

    def footer(self) -> bytes:
        """Return what a file ends with."""
        return b""

    def writer(self, file: Any, records: bool) -> AbstractContextManager[Any]:
        """Return a context of a function that writes what is printed.

        Args:
            file: A binary file.
            records: Whether the text is that of records; see `corpora.records`.
        """
        return nullcontext(file.write)
