"""Places of batches of lines: their document, line and paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from senna_py.text.paragraphs import without_marks

if TYPE_CHECKING:
    from senna_py.corpora.records import Records

# White space to Python, but tokens of SENNA's tokenizer.
_SENNA_TOKENS = re.compile(rb"[\x1c-\x1f]")


class ColumnLine(NamedTuple):
    """A line of text that was made from a sentence of a column file.

    Attributes:
        line: The number of the line of the sentence's first token in the file.
        name: The sentence's identifier in the file, or None.
        after: The white space that follows the sentence.
        begins_paragraph: Whether the sentence is the first of a paragraph.
        file_lines: The sentence's lines in the file, if it is CoNLL-U.
        token_rows: The indices of the tokens' lines among `file_lines`.
    """

    line: int
    name: str | None
    after: bytes
    begins_paragraph: bool
    file_lines: Sequence[str] = ()
    token_rows: Sequence[int] = ()


@dataclass(frozen=True)
class BatchPlace:
    """The place where a batch of whole lines begins.

    Attributes:
        document: The name of the input.
        line: The number of the first line, from 1.
        paragraph: The number of the line that begins the paragraph which continues
            here, or 0.
        blank: The blank lines just before.
        character: The number of characters of the document before.
        column_lines: For each line of the batch, where it stands in a column file, if
            it was made from one.
        original: The batch before its lines were joined to paragraphs, with the same
            length, or None.
        records: The records that the lines were made from, or None.
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
        """Whether a token of the document stands before the batch."""
        return self.character > len(decode(self.blank))

    def after(self, data: bytes, is_blank: Callable[[bytes], bool]) -> BatchPlace:
        """Return the place after the lines `data`.

        Args:
            data: The lines of this batch.
            is_blank: Whether a line has no token; see `blank_test`.
        """
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        last = len(lines)  # the number of lines up to the last that is not blank
        while last and is_blank(lines[last - 1]):
            last -= 1
        first = last  # the number of lines up to the last blank one before it
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
    """Decode UTF-8; other bytes become lone surrogates, one character each."""
    return data.decode("utf-8", "surrogateescape")


def blank_test(
    tokenizer: str, usrtokens: bool = False, paragraphs: bool = False
) -> Callable[[bytes], bool]:
    """Return the function that says whether a line has no token.

    Args:
        tokenizer: The `kind` of the Tokenizer.
        usrtokens: Whether ASCII white space separates tokens.
        paragraphs: Whether lines are joined to paragraphs, in which quotation marks of
            e-mail (`>`) are not tokens.
    """

    def is_blank(line: bytes) -> bool:
        if paragraphs:
            line = without_marks(line)
        if usrtokens:
            return not line.strip()
        if tokenizer == "senna" and _SENNA_TOKENS.search(line):
            return False
        return not decode(line).strip()

    return is_blank
