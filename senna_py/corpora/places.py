"""Places of sentences: document, paragraph, line and number, whatever the batches
are.
"""

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from senna_py.text.paragraphs import without_marks

if TYPE_CHECKING:
    from senna_py.corpora.records import Records

_NOT_IN_IDS = re.compile(r"[\s/]")  # which the identifiers of UD may not have
_TOKENS_OF_SENNA = re.compile(rb"[\x1c-\x1f]")  # which are white space to Python


def id_of_document(name):
    """Name of a document in the identifiers of its sentences."""
    return _NOT_IN_IDS.sub("_", name)


class GivenLine(NamedTuple):
    """A line that was made from a sentence of a column file.

    line: the line of its first token there; name: its identifier, or None; after: white
    space that follows; paragraph: whether a paragraph begins; kept: of CoNLL-U, the
    lines of the file that are the sentence's, str; rows: the indices of the tokens
    among them.
    """

    line: int
    name: str | None
    after: bytes
    paragraph: bool
    kept: list[str] | tuple[()] = ()
    rows: list[int] | tuple[()] = ()


@dataclass(frozen=True)
class Place:
    """Place where a batch of whole lines begins.

    document: name of the input; line: number of the first line, from 1; paragraph:
    number of the line with which the paragraph began that goes on here, or 0; blank:
    the blank lines just before;
    character: characters of the document before; given: a GivenLine for each line of
    the batch, if made from a column file; original: the batch before its lines were
    joined to paragraphs, bytes at the same places, or None; records: the Records of the
    lines, or None.
    """

    document: str
    line: int = 1
    paragraph: int = 0
    blank: bytes = b""
    character: int = 0
    given: tuple = ()
    original: bytes | None = None
    records: "Records | None" = None

    @property
    def has_tokens_before(self):
        """True if a token of the document stands before it."""
        return self.character > len(_text(self.blank))

    def after(self, data, is_blank):
        """Place of the lines that follow the lines `data`: bytes; is_blank: see
        `blank_test`.
        """
        lines = data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        last = len(lines)  # number of lines up to the last that is not blank
        while last and is_blank(lines[last - 1]):
            last -= 1
        first = last  # and up to the last blank one before it
        while first and (
            lines[first - 1][:1].isalnum() or not is_blank(lines[first - 1])
        ):
            first -= 1
        goes_on = self.paragraph if first == 0 else 0
        return replace(
            self,
            line=self.line + len(lines),
            paragraph=(goes_on or self.line + first) if last == len(lines) > 0 else 0,
            blank=b"".join(line + b"\n" for line in lines[last:])
            if last
            else self.blank + data,
            character=self.character + len(_text(data)),
        )


def _text(data):
    return data.decode("utf-8", "surrogateescape")


def blank_test(tokenizer, usrtokens=False, paragraphs=False):
    """The function that says whether a line, bytes, has no token.

    tokenizer: the kind of the Tokenizer; usrtokens: whether ASCII white space separates
    tokens;
    paragraphs: whether lines are joined to these, where marks of quotation (`>`) are no
    tokens.
    """

    def is_blank(line):
        line = without_marks(line) if paragraphs else line
        if usrtokens:
            return not line.strip()
        return not (
            _text(line).strip()
            or (tokenizer == "senna" and _TOKENS_OF_SENNA.search(line))
        )

    return is_blank


class SentencePlace(NamedTuple):
    """Place of a sentence.

    document: its name; paragraph: number of the line with which its paragraph begins;
    line: number of the line of its first token; sentence: its number in the line, from
    1, or in the paragraph if lines were joined; name: identifier made of these, or the
    one that it had; begins: whether it is the first of its paragraph; before, after:
    white space of the text before its first token, as far as no other sentence has it,
    and after its last one; character: the character of the document with which its line
    begins; original: its text as it was, if lines were joined, else None; given: its
    GivenLine, or None; record: number of its record in the batch, or None.
    """

    document: str
    paragraph: int
    line: int
    sentence: int
    name: str
    begins: bool
    before: bytes
    after: bytes
    character: int
    original: str | None
    given: GivenLine | None = None
    record: int | None = None

    def to_dict(self):
        """Keys of the JSON format."""
        return {
            "id": self.name,
            "document": self.document,
            "paragraph": self.paragraph,
            "line": self.line,
            "sentence": self.sentence,
        }


def sentence_name(document, line, number):
    """Identifier of a sentence, by its document, line and number there."""
    return f"{id_of_document(document)}-{line}-{number}"


def places_of(tokens, place, line_is_paragraph=False):
    """A SentencePlace for each sentence of Tokens of whole lines, whose Place is given.

    Parts of a sentence that was cut for the networks are one. line_is_paragraph:
    otherwise paragraphs are what blank lines separate.
    """
    if not tokens.n_sentences:
        return []
    data = tokens.data if place.original is None else place.original
    first = np.unique(tokens.source, return_index=True)[
        1
    ]  # part with which each begins
    last = np.append(first[1:], tokens.n_sentences) - 1
    begins = np.append(0, np.flatnonzero(tokens.raw == ord("\n")) + 1)
    lines = (
        np.searchsorted(begins, tokens.line_begin[first], side="right") - 1
    ).tolist()
    start = tokens.begin[tokens.starts[first]].tolist()
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    n_lines = np.searchsorted(newlines, start).tolist()  # before each first token
    stop = tokens.end[tokens.starts[last + 1] - 1].tolist()
    found, previous, paragraph, number, character = [], -1, place.paragraph, 0, 0
    for i, line in enumerate(lines):
        new_line = line != previous
        number = 1 if new_line else number + 1
        character += len(_text(data[int(begins[max(previous, 0)]) : int(begins[line])]))
        given = place.given[line] if place.given else None
        starts_paragraph = new_line and (
            line_is_paragraph
            or line > previous + 1
            or (line == 0 and not place.paragraph)
        )
        if given:
            starts_paragraph = given.paragraph
        at = given.line if given else place.line + n_lines[i]
        if starts_paragraph:
            paragraph = at
        ends_line = i + 1 == len(lines) or lines[i + 1] != line
        line_end = int(begins[line + 1]) if line + 1 < len(begins) else len(data)
        before = data[int(begins[previous + 1]) : start[i]] if new_line else b""
        after = data[stop[i] : line_end if ends_line else start[i + 1]]
        part = int(first[i])
        original = (
            place.original and data[tokens.text_begin[part] : tokens.text_end[part]]
        )
        found.append(
            SentencePlace(
                place.document,
                paragraph,
                at,
                number,
                (given and given.name) or sentence_name(place.document, at, number),
                starts_paragraph,
                b"" if given else (place.blank if i == 0 else b"") + before,
                given.after if given else after,
                place.character + character,
                original and _text(original),
                given,
            )
        )
        previous = line
    return found if place.records is None else place.records.placed(found)
