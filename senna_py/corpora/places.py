"""The place of a batch of lines in the input: its document, line and paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from senna_py.text.paragraphs import without_marks
from senna_py.text.tokenizer_kinds import SENNA

if TYPE_CHECKING:
    from senna_py.corpora.records import Records

# Characters that are white space in Python, but tokens for SENNA's tokenizer.
_SENNA_TOKENS = re.compile(rb"[\x1c-\x1f]")


class ColumnLine(NamedTuple):
    """The origin of a line that was made from a sentence of a column file.

    Attributes:
        line: The line number of the sentence's first token in the file.
        name: The sentence's identifier in the file, or None.
        after: The white space after the sentence.
        begins_paragraph: Whether the sentence is the first of a paragraph.
        file_lines: The sentence's lines in the file, if it is CoNLL-U.
        token_rows: The indices in `file_lines` of the tokens' lines.
        begins_document: Whether the file marks the sentence as the first of a document.
    """

    line: int
    name: str | None
    after: bytes
    begins_paragraph: bool
    file_lines: Sequence[str] = ()
    token_rows: Sequence[int] = ()
    begins_document: bool = False


@dataclass(frozen=True)
class BatchPlace:
    """The place where a batch of whole lines begins.

    Attributes:
        document: The name of the input.
        line: The line number of the first line, from 1.
        paragraph: The line number at which the current paragraph began, or 0 if a new
            paragraph begins here.
        blank: The blank lines directly before the batch.
        character: The number of characters in the document before the batch.
        column_lines: The origin of each line, if the lines were made from a column
            file.
        original: The batch before its lines were joined into paragraphs, which has the
            same length; or None if they were not.
        records: The records from which the lines were made, or None.
    """

    document: str
    line: int = 1
    paragraph: int = 0
    blank: bytes = b""
    character: int = 0
    column_lines: tuple[ColumnLine, ...] = ()
    original: bytes | None = None
    records: Records | None = None

    @property
    def has_tokens_before(self) -> bool:
        """Whether the document has a token before the batch."""
        return self.character > len(decode(self.blank))

    def after(self, data: bytes, is_blank: Callable[[bytes], bool]) -> BatchPlace:
        """Return the place directly after this batch.

        Args:
            data: The lines of this batch.
            is_blank: A function that returns whether a line has no token, from
                `blank_test`.
        """
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        last = len(lines)  # the number of lines up to the last line that is not blank
        while last and is_blank(lines[last - 1]):
            last -= 1
        first = last  # the number of lines up to the last blank line before that
        while first and (
            lines[first - 1][:1].isalnum() or not is_blank(lines[first - 1])
        ):
            first -= 1
        paragraph = 0
        if last == len(lines) > 0:
            paragraph = self.line + first
            if first == 0 and self.paragraph:
                paragraph = self.paragraph
        blank = b"".join(line + b"\n" for line in lines[last:])
        if last == 0:
            blank = self.blank + data
        return replace(
            self,
            line=self.line + len(lines),
            paragraph=paragraph,
            blank=blank,
            character=self.character + len(decode(data)),
        )


def decode(data: bytes) -> str:
    """Decode UTF-8; each invalid byte becomes one surrogate escape."""
    return data.decode("utf-8", "surrogateescape")


def blank_test(
    tokenizer: str, usrtokens: bool = False, paragraphs: bool = False
) -> Callable[[bytes], bool]:
    """Return a function that tests whether a line has no tokens.

    Args:
        tokenizer: The `kind` of the Tokenizer.
        usrtokens: Whether tokens are separated by ASCII white space.
        paragraphs: Whether lines are joined into paragraphs, in which quotation marks
            of email (`>`) are not tokens.
    """

    def is_blank(line: bytes) -> bool:
        if paragraphs:
            line = without_marks(line)
        if usrtokens:
            return not line.strip()
        if tokenizer == SENNA and _SENNA_TOKENS.search(line):
            return False
        return not decode(line).strip()

    return is_blank
