"""The places of sentences in the input, which do not depend on how it is batched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.corpora.places import decode

if TYPE_CHECKING:
    from senna_py.corpora.places import BatchPlace, ColumnLine
    from senna_py.text.tokens import Tokens

_NOT_IN_IDS = re.compile(r"[\s/]")  # characters that UD does not allow in identifiers


class SentencePlace(NamedTuple):
    """The place of a sentence.

    Attributes:
        document: The name of the document; None for a record without a name.
        paragraph: The line number at which its paragraph begins.
        line: The line number of its first token.
        sentence: Its number in the line, or in the paragraph if lines were joined,
            from 1.
        name: Its identifier in the file or, if there is none, an identifier made of its
            document, line and number. It is None if the document has no name.
        begins_paragraph: Whether it is the first sentence of its paragraph.
        before: The white space before its first token, unless it belongs to the
            previous sentence.
        after: The white space after its last token.
        character: The number of characters in the document before its line.
        original: Its text before lines were joined, or None if they were not.
        column_line: Its origin in a column file, or None.
        record: The index of its record in the batch, or None.
    """

    document: str | int | None
    paragraph: int
    line: int
    sentence: int
    name: str | None
    begins_paragraph: bool
    before: bytes
    after: bytes
    character: int
    original: str | None
    column_line: ColumnLine | None = None
    record: int | None = None

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the fields of the JSON format that describe the place."""
        return {
            "id": self.name,
            "document": self.document,
            "paragraph": self.paragraph,
            "line": self.line,
            "sentence": self.sentence,
        }


def document_id(name: str) -> str:
    """Return the name of a document with white space and slashes replaced by `_`.

    Identifiers of sentences begin with it.
    """
    return _NOT_IN_IDS.sub("_", name)


def sentence_name(document: str, line: int, number: int) -> str:
    """Return an identifier for a sentence, such as `news.txt-12-3`.

    Args:
        document: The name of the document.
        line: The line number.
        number: The number of the sentence in the line.
    """
    return f"{document_id(document)}-{line}-{number}"


class _Extents(NamedTuple):
    """Byte offsets and lines of the sentences of a batch.

    Attributes:
        texts: The offsets at which the text of each sentence begins and ends.
        starts: The offset at which the first token of each sentence begins.
        stops: The offset at which the last token of each sentence ends.
        lines: The index of each sentence's line in the batch, after lines were joined.
        document_lines: The index of each sentence's first line in the batch, before
            lines were joined.
        line_starts: The offset of each line of the batch, and the size of the batch.
    """

    texts: list[tuple[int, int]]
    starts: list[int]
    stops: list[int]
    lines: list[int]
    document_lines: list[int]
    line_starts: list[int]


def _find_extents(tokens: Tokens, data: bytes) -> _Extents:
    """Return the extents of the sentences of a batch.

    Args:
        tokens: The tokens of the batch.
        data: The batch before lines were joined.
    """
    # The first and last part of each sentence, which may have been cut into parts.
    first = tokens.first_parts
    last = np.append(first[1:], tokens.n_sentences) - 1
    starts = tokens.begin[tokens.starts[first]]
    stops = tokens.end[tokens.starts[last + 1] - 1]
    line_starts = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
    lines = np.searchsorted(line_starts, tokens.line_begin[first], "right") - 1
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    text_begin, text_end = tokens.text_begin[first], tokens.text_end[first]
    return _Extents(
        texts=[*zip(text_begin.tolist(), text_end.tolist(), strict=True)],
        starts=starts.tolist(),
        stops=stops.tolist(),
        lines=lines.tolist(),
        document_lines=np.searchsorted(newlines, starts).tolist(),
        line_starts=[*line_starts.tolist(), len(data)],
    )


def sentence_places(
    tokens: Tokens, place: BatchPlace, line_is_paragraph: bool = False
) -> list[SentencePlace]:
    """Return the places of the sentences of a batch.

    A long sentence that was cut into parts for the networks has one place.

    Args:
        tokens: The tokens of a batch of whole lines.
        place: The place of the batch.
        line_is_paragraph: Whether each line is a paragraph. Otherwise, blank lines
            separate paragraphs.
    """
    if not tokens.n_sentences:
        return []
    data = tokens.data if place.original is None else place.original
    texts, starts, stops, lines, document_lines, line_starts = _find_extents(
        tokens, data
    )
    places: list[SentencePlace] = []
    previous, paragraph, number, character = -1, place.paragraph, 0, place.character
    for i, line in enumerate(lines):
        is_new_line = line != previous
        number = 1 if is_new_line else number + 1
        before = b""
        if is_new_line:
            skipped = data[line_starts[max(previous, 0)] : line_starts[line]]
            character += len(decode(skipped))
            before = data[line_starts[previous + 1] : starts[i]]
            if i == 0:
                before = place.blank + before
        ends_line = i + 1 == len(lines) or lines[i + 1] != line
        after = data[stops[i] : line_starts[line + 1] if ends_line else starts[i + 1]]
        document_line, name = place.line + document_lines[i], None
        begins_paragraph = is_new_line and (
            line_is_paragraph
            or line > previous + 1
            or (line == 0 and not place.paragraph)
        )
        column_line = place.column_lines[line] if place.column_lines else None
        if column_line is not None:
            document_line, name = column_line.line, column_line.name
            before, after = b"", column_line.after
            begins_paragraph = column_line.begins_paragraph
        if begins_paragraph:
            paragraph = document_line
        original = None
        if place.original is not None:
            begin, end = texts[i]
            original = decode(data[begin:end])
        places.append(
            SentencePlace(
                document=place.document,
                paragraph=paragraph,
                line=document_line,
                sentence=number,
                name=name or sentence_name(place.document, document_line, number),
                begins_paragraph=begins_paragraph,
                before=before,
                after=after,
                character=character,
                original=original,
                column_line=column_line,
            )
        )
        previous = line
    return places if place.records is None else place.records.locate(places)
