"""Places of sentences: document, paragraph, line and number, whatever the batches are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.corpora.places import decode

if TYPE_CHECKING:
    from senna_py.corpora.places import BatchPlace, ColumnLine
    from senna_py.text.tokens import Tokens

_NOT_IN_IDS = re.compile(r"[\s/]")  # characters that identifiers of UD may not have


class SentencePlace(NamedTuple):
    """The place of a sentence.

    Attributes:
        document: The name of the document.
        paragraph: The number of the line with which the sentence's paragraph begins.
        line: The number of the line of its first token.
        sentence: Its number in the line, or in the paragraph if lines were joined,
            from 1.
        name: Its identifier: the one in its file, or one made of the above.
        begins_paragraph: Whether it is the first sentence of its paragraph.
        before: The white space before its first token that belongs to no other
            sentence.
        after: The white space after its last token.
        character: The number of characters of the document before its line.
        original: Its text before lines were joined, or None if they were not.
        column_line: Its place in a column file, or None.
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
        """Return the keys of the JSON format that say where the sentence stands."""
        return {
            "id": self.name,
            "document": self.document,
            "paragraph": self.paragraph,
            "line": self.line,
            "sentence": self.sentence,
        }


def document_id(name: str) -> str:
    """Return the name of a document as it stands in the identifiers of its sentences."""
    return _NOT_IN_IDS.sub("_", name)


def sentence_name(document: str, line: int, number: int) -> str:
    """Return the identifier of a sentence: its document, line and number in the line."""
    return f"{document_id(document)}-{line}-{number}"


def sentence_places(
    tokens: Tokens, place: BatchPlace, line_is_paragraph: bool = False
) -> list[SentencePlace]:
    """List the places of the sentences of a batch.

    The parts of a sentence that was cut for the networks count as one sentence.

    Args:
        tokens: The tokens of a batch of whole lines.
        place: The place of the batch.
        line_is_paragraph: Whether each line is a paragraph; otherwise blank lines
            separate paragraphs.
    """
    if not tokens.n_sentences:
        return []
    data = tokens.data if place.original is None else place.original
    # The parts with which the sentences begin and end, and the bytes of their text.
    first = np.unique(tokens.source, return_index=True)[1]
    last = np.append(first[1:], tokens.n_sentences) - 1
    start = tokens.begin[tokens.starts[first]].tolist()
    stop = tokens.end[tokens.starts[last + 1] - 1].tolist()
    # The lines of the batch, which may be joined ones, and those of the document.
    begins = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
    lines = (np.searchsorted(begins, tokens.line_begin[first], "right") - 1).tolist()
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    document_lines = (place.line + np.searchsorted(newlines, start)).tolist()
    line_starts = [*begins.tolist(), len(data)]

    places: list[SentencePlace] = []
    previous, paragraph, number, character = -1, place.paragraph, 0, place.character
    for i, line in enumerate(lines):
        is_new_line = line != previous
        number = 1 if is_new_line else number + 1
        before = b""
        if is_new_line:
            character += len(
                decode(data[line_starts[max(previous, 0)] : line_starts[line]])
            )
            before = data[line_starts[previous + 1] : start[i]]
            if i == 0:
                before = place.blank + before
        ends_line = i + 1 == len(lines) or lines[i + 1] != line
        after = data[stop[i] : line_starts[line + 1] if ends_line else start[i + 1]]
        document_line, name = document_lines[i], None
        column_line = place.column_lines[line] if place.column_lines else None
        if column_line is not None:
            document_line, name = column_line.line, column_line.name
            before, after = b"", column_line.after
            begins_paragraph = column_line.begins_paragraph
        else:
            begins_paragraph = is_new_line and (
                line_is_paragraph
                or line > previous + 1
                or (line == 0 and not place.paragraph)
            )
        if begins_paragraph:
            paragraph = document_line
        original = None
        if place.original is not None:
            part = int(first[i])
            original = decode(data[tokens.text_begin[part] : tokens.text_end[part]])
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
