"""The matches of a pattern in a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from senna_py.immutable import refusing_changes
from senna_py.search.pattern import Pattern
from senna_py.search.table import Column, Table

if TYPE_CHECKING:
    from typing import Any

    from senna_py.answers.document import Document, Sentence
    from senna_py.answers.views import Span


@refusing_changes
@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """A match of a pattern in a document.

    `match["subject"]` returns the words of the capture with this name, and `"subject"
    in match` tests whether there are any.

    Attributes:
        span: The words that match.

    Example:
        >>> match = doc.search('verb:[pos="V.*"] >obj object:[]')[0]
        >>> match.text, match["verb"].text, match["object"].text, "subject" in match
        ('visited', 'visited', 'Berlin', False)
    """

    span: Span
    _captures: tuple[tuple[str, Span], ...] = ()

    @property
    def captures(self) -> dict[str, Span]:
        """The captures by name, in the order of the pattern.

        A capture is missing if its part of the pattern is optional and did not match any
        word.
        """
        return dict(self._captures)

    @property
    def text(self) -> str:
        """The text of the match."""
        return self.span.text

    @property
    def start(self) -> int:
        """The index of the match's first token in the document."""
        return self.span.start

    @property
    def end(self) -> int:
        """The index after the match's last token."""
        return self.span.end

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains the match."""
        return self.span.sentence

    def get(self, name: str) -> Span | None:
        """Return the capture with the given name, or None.

        Example:
            >>> match.get("object").text, match.get("subject")
            ('Berlin', None)
        """
        return self.captures.get(name)

    def __getitem__(self, name: str) -> Span:
        """Return the capture with the given name.

        Raises:
            KeyError: If there is none; the message lists the captures.
        """
        span = self.get(name)
        if span is None:
            known = ", ".join(self.captures) or "none"
            raise KeyError(f"{name!r}: the captures of the match are {known}")
        return span

    def __contains__(self, name: object) -> bool:
        """Return whether the match has a capture with the given name."""
        return name in self.captures

    __iter__ = None  # Otherwise Python would iterate with __getitem__(0), and so on.

    def to_dict(self) -> dict[str, Any]:
        """Return the match as a dict that can be serialized as JSON.

        Token indices are relative to the document.

        Example:
            >>> [*match.to_dict()]
            ['start_token', 'end_token', 'start_char', 'end_char', 'text', 'captures']
        """
        captures = {name: _place(span) for name, span in self._captures}
        return _place(self.span) | {"captures": captures}

    def __repr__(self) -> str:
        captures = "".join(f", {name}={s.text!r}" for name, s in self._captures)
        return f"Match({self.start}:{self.end}, {self.text!r}{captures})"


def _place(span: Span) -> dict[str, Any]:
    values = span.to_dict()
    del values["label"]
    return values


def search_document(
    document: Document, first: int, last: int, pattern: str | Pattern
) -> tuple[Match, ...]:
    """Return the matches of a pattern in the sentences `first:last` of a document.

    Raises:
        PatternError: If it is not a pattern, or the document lacks a layer.
    """
    compiled = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    layers = document.layers
    tasks = compiled.check_tasks([*layers], "the text was not tagged with")
    starts = document.sentence_starts[first : last + 1]
    begin, end = int(starts[0]), int(starts[-1])
    words = Column.of_texts(token.text for token in document[begin:end])
    parts = {task: next(layers[task].split(starts[[0, -1]])) for task in tasks}
    hits = compiled.find(Table(starts - begin, words, parts)).shifted(begin)
    return tuple(
        Match(
            document[start:stop],
            tuple((name, document[a:b]) for name, (a, b) in captures.items()),
        )
        for start, stop, captures in hits.places()
    )
