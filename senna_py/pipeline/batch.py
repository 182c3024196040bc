"""The batches that the pipeline processes: text, with tokens, and output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from senna_py.corpora.places import BatchPlace
    from senna_py.text.tokens import Tokens


@dataclass(frozen=True)
class TextBatch:
    """A batch of whole lines of an input.

    Attributes:
        source: The name of the input, for messages.
        place: The place where the lines begin.
        text: The lines.
        end: The approximate number of bytes of the file up to the end of the lines.
        tokens: The tokens in sentences, or None before tokenization.
        is_predicate: bool[n_tokens], whether each token is a predicate in the file of
            predicates, or None without such a file.
    """

    source: str
    place: BatchPlace
    text: bytes
    end: int = 0
    tokens: Tokens | None = None
    is_predicate: NDArray[np.bool_] | None = None

    def cut(
        self, size: int, is_blank: Callable[[bytes], bool]
    ) -> tuple[TextBatch, TextBatch]:
        """Cut an untokenized batch into two; the first one has `size` bytes.

        Args:
            size: The size of the first batch, which must end with a line. If the batch
                has records, the first one may be larger, because no record is cut.
            is_blank: Whether a line has no tokens; see `blank_test`.
        """
        if (records := self.place.records) is not None:
            some, others = records.cut(size)
            size = some.first_byte[-1]
            return self._split(
                size,
                replace(self.place, records=some),
                replace(self.place, records=others),
            )
        first = self.place.original and self.place.original[:size]
        after = self.place.after(first or self.text[:size], is_blank)
        return self._split(size, self.place, after)

    def _split(
        self, size: int, place: BatchPlace, after: BatchPlace
    ) -> tuple[TextBatch, TextBatch]:
        """Return the first `size` bytes and the rest, which are at the given places."""
        original = self.place.original
        first, rest = original and original[:size], original and original[size:]
        end = self.end - len(self.text) + size
        return (
            replace(
                self,
                place=replace(place, original=first),
                text=self.text[:size],
                end=end,
            ),
            replace(self, place=replace(after, original=rest), text=self.text[size:]),
        )

    def first(self, limit: int) -> tuple[TextBatch, int]:
        """Return the first sentences, up to `limit`, and the rest of the limit."""
        tokens = self.tokens
        assert tokens is not None, "sentences are counted once they are found"
        # A sentence that was cut for the networks has several pieces.
        first = tokens.first_parts
        if len(first) <= limit:
            return self, limit - len(first)
        tokens = tokens.sentences(0, int(first[limit]))
        end = tokens.data.find(b"\n", tokens.text_end[-1]) + 1 or len(tokens.data)
        return replace(self, tokens=replace(tokens, data=tokens.data[:end])), 0

    def parts(self, size: int) -> Iterator[TextBatch]:
        """Yield batches of whole sentences with at most `size` tokens.

        A longer sentence is a batch of its own.
        """
        assert self.tokens is not None, "a batch has parts once its sentences are found"
        done = 0
        for tokens in self.tokens.parts(size):
            marks = self.is_predicate
            if marks is not None:
                marks = marks[done : done + len(tokens)]
            end = self.end - len(self.text) + int(tokens.text_end[-1])
            yield replace(self, tokens=tokens, is_predicate=marks, end=end)
            done += len(tokens)


@dataclass(frozen=True)
class FormattedBatch:
    """The output of a format for a batch.

    Attributes:
        data: Bytes, or an Arrow record batch.
        n_sentences: The number of sentences.
        n_tokens: The number of tokens.
        end: See `TextBatch.end`.
        head: The bytes before the batch; see `Printer.head`.
    """

    data: Any
    n_sentences: int
    n_tokens: int
    end: int
    head: bytes = b""
