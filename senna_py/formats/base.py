"""The base class of output formats."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from senna_py.answers.annotations import Annotations
    from senna_py.corpora.places import BatchPlace
    from senna_py.model import Model
    from senna_py.tagger import Tagger


class Printer:
    """The base class of formats, which turn the layers of batches into output.

    A file consists of `header`; then `begin`, the batches from `format`, and `end` for
    each document with output; and finally `footer`. Each batch follows its `head`. All
    of them return bytes, except that `format` may return another type if `writer`
    accepts it. Subclasses override the methods that they need. Threads may share a
    printer.

    Attributes:
        tagger: The tagger whose tasks are printed.
        splits_lines: Whether the output for a sentence does not depend on its position,
            so that a long line can be tagged in pieces.
        uncertain: The tasks that are printed with the probabilities of all likely
            labels.
        between: The separator between two batches of a file, if both have output.
    """

    splits_lines = False
    uncertain: tuple[str, ...] = ()
    between = b""

    def __init__(self, tagger: Tagger) -> None:
        """Store the tagger. Subclasses add options by name; see `registry`."""
        self.tagger = tagger

    @classmethod
    def tasks(
        cls, model: Model, asked: tuple[str, ...], predicates: str
    ) -> Iterable[str] | None:
        """Return the tasks to run for this format, or None for the model's defaults.

        Args:
            model: The model.
            asked: The tasks that the user named; empty if there are none.
            predicates: The source of predicates; see Tagger.

        Raises:
            SennaError: If the format cannot show any of the model's tasks.
        """
        return asked or None

    def header(self) -> bytes:
        """Return the beginning of a file."""
        return b""

    def begin(self, document: str) -> bytes:
        """Return the text before the first sentence of a document, given its name."""
        return b""

    def head(self, place: BatchPlace) -> bytes:
        """Return the bytes before the batch at a place, such as a header from a file."""
        return b""

    def format(self, annotations: Annotations, place: BatchPlace) -> Any:
        """Return the output for a batch of whole lines, which begins at a place."""
        raise NotImplementedError

    def end(self) -> bytes:
        """Return the text after the last sentence of a document."""
        return b""

    def footer(self) -> bytes:
        """Return the end of a file."""
        return b""

    def writer(self, file: Any, records: bool) -> AbstractContextManager[Any]:
        """Return a context manager that yields a function for writing output to a file.

        Args:
            file: A binary file.
            records: Whether the text comes from records; see `corpora.records`.
        """
        return nullcontext(file.write)
