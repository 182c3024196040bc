"""Redactors, which replace the findings in documents, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from senna_py.redaction.known_names import KnownNames
from senna_py.redaction.mapping import map_of, restore
from senna_py.redaction.spans import find
from senna_py.redaction.stand_ins import StandIns
from senna_py.redaction.styles import BY_TYPE
from senna_py.redaction.type_names import PERSON, check_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from senna_py.answers.document import Document
    from senna_py.redaction.findings import Finding


class Replacement(NamedTuple):
    """A replaced range of a text.

    Attributes:
        start: The offset of its first character in the original text.
        end: The offset after its last character.
        type: The type, such as `PERSON`.
        text: The original text.
        stand_in: The text that replaces it.
    """

    start: int
    end: int
    type: str
    text: str
    stand_in: str


@dataclass(frozen=True)
class Redaction:
    """A redacted text.

    Attributes:
        text: The text after redaction.
        replacements: What was replaced, in text order.
        replace_by: The style of the replacements.

    Example:
        >>> redaction = Redactor(["person"], "number").redact(doc)
        >>> redaction.text
        'PERSON_1 visited Berlin. She gave a speech.'
        >>> redaction.replacements[0].text
        'Angela Merkel'
    """

    text: str
    replacements: tuple[Replacement, ...]
    replace_by: str

    def within(self, row: str, places: Sequence[int]) -> Redaction:
        """Return the redaction of a row that has the original text in one of its cells.

        Args:
            row: The row.
            places: The place in the row of each character of the text, and of its end.
        """
        moved: list[Replacement] = []
        pieces: list[str] = []
        done = 0
        for each in self.replacements:
            start, end = places[each.start], places[each.end]
            moved.append(each._replace(start=start, end=end, text=row[start:end]))
            pieces += row[done:start], each.stand_in
            done = end
        pieces.append(row[done:])
        return Redaction("".join(pieces), tuple(moved), self.replace_by)

    def to_map(self) -> dict[str, Any]:
        """Return the map back to the original, which can be written as JSON.

        Example:
            >>> redaction.to_map()["replace_by"]
            'number'
        """
        return map_of(self.replacements, self.replace_by)

    def restore(self) -> str:
        """Return the original text.

        Example:
            >>> redaction.restore() == doc.text
            True
        """
        return restore(self.text, self.to_map())

    def __str__(self) -> str:
        return self.text


class Redactor:
    """Redacts documents, with the same stand-in for the same name in all of them.

    Attributes:
        types: The names of the types that are redacted, in capitals.
    """

    types: tuple[str, ...]

    def __init__(
        self, types: str | Iterable[str] | None = None, replace_by: str = BY_TYPE
    ) -> None:
        """Begin a run.

        Args:
            types: The names of the types to redact, such as `person`, or labels of
                spans, such as `drug`; `all` stands for all of them. The default is that
                of `Document.redact`.
            replace_by: The style of the replacements: `type`, `number` or `name`.

        Raises:
            UsageError: If there is no such style, or no type is named.
        """
        self.types = check_types(types)
        self._stand_ins = StandIns(replace_by)

    @property
    def replace_by(self) -> str:
        """The style of the replacements."""
        return self._stand_ins.style

    def redact(self, document: Document) -> Redaction:
        """Redact a document.

        Args:
            document: The document.

        Raises:
            UsageError: If there is no such type, or a task that finds one was not run.

        Example:
            >>> redactor = Redactor(["person", "place"], replace_by="number")
            >>> print(redactor.redact(doc))
            PERSON_1 visited PLACE_1. She gave a speech.
        """
        return self.replace(document.text, self.find(document), KnownNames())

    def find(self, document: Document) -> list[Finding]:
        """Return the findings in a document; threads may call it."""
        return find(document, self.types)

    def replace(
        self,
        text: str,
        findings: Sequence[Finding],
        known: KnownNames | None = None,
    ) -> Redaction:
        """Replace findings, and names that were found before.

        Args:
            text: The text.
            findings: The findings in it, in text order, without overlaps.
            known: The names that were found in earlier pieces of the text, to which
                those of this piece are added. None means that only findings are
                replaced.
        """
        if known is not None and PERSON in self.types:
            findings = known.with_missed(text, findings)
        replacements: list[Replacement] = []
        pieces: list[str] = []
        done = 0
        for start, end, type_name in findings:
            original = text[start:end]
            stand_in = self._stand_ins.stand_in(type_name, original)
            replacements.append(Replacement(start, end, type_name, original, stand_in))
            pieces += text[done:start], stand_in
            done = end
        pieces.append(text[done:])
        return Redaction("".join(pieces), tuple(replacements), self.replace_by)
