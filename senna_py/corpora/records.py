"""Texts of records, such as JSON objects and rows of tables, as lines that know their
record.
"""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from senna_py.corpora.places import Place, sentence_name
from senna_py.io.nesting import parse_json
from senna_py.io.streaming import BATCH_BYTES, InputError, read_lines
from senna_py.text.paragraphs import join_lines

_MEMBER = re.compile(r'[\s{,]*("(?:[^"\\]|\\.)*")\s*:\s*')  # up to the value
_SURROGATE = re.compile("[\ud800-\udfff]")


def utf8_text(text):
    """Text as UTF-8 can hold it: a lone surrogate, as for a byte outside UTF-8, becomes
    U+FFFD.
    """
    return _SURROGATE.sub("\ufffd", text)


@dataclass(frozen=True)
class Records:
    """The records of a batch of lines.

    documents: what each is called, str or int, or None; first: the line of the batch,
    from 0, with which each begins; fields: what else each has: a list of JSON texts, an
    array of structs of Arrow, or None.
    """

    documents: tuple
    first: tuple
    fields: Any = None

    def placed(self, places):
        """SentencePlaces of the batch, as places in their records."""
        return [self._place(at) for at in places]

    def _place(self, at):
        record = bisect_right(self.first, at.line - 1) - 1
        document, before = self.documents[record], self.first[record]
        line = at.line - before
        return at._replace(
            document=document,
            line=line,
            paragraph=max(at.paragraph - before, 1),
            record=record,
            name=None
            if document is None
            else sentence_name(str(document), line, at.sentence),
        )


def split_object(line, field):
    """The text that a JSON object has in a field, and the rest of it as JSON, as it was
    written.

    line: str or bytes. A missing value is an empty text. Raises ValueError for anything
    else.
    """
    line = line if isinstance(line, str) else line.decode()
    found = parse_json(line, parse_int=_no_number)
    if not isinstance(found, dict) or field not in found:
        raise ValueError(f"no object with a field {field!r}")
    if not isinstance(found[field], str | None):
        raise ValueError(f"the field {field!r} is not text")
    decoder, at, others = json.JSONDecoder(parse_int=_no_number), 0, []
    while member := _MEMBER.match(line, at):
        at = decoder.raw_decode(line, member.end())[1]
        if json.loads(member[1]) != field:
            others.append(line[member.start(1) : at])
    return found[field] or "", f"{{{', '.join(others)}}}"


def json_records(source, field, first):
    """Yield a record for `line_batches` of each line, a JSON object; raises
    InputError.
    """
    for number, line in enumerate(read_lines(source), first):
        try:
            if line.strip():
                yield f"{source.name}:{number}", *split_object(line, field)
        except ValueError as error:
            raise InputError(f"{source.name}: line {number}: {error}") from None


def _no_number(digits):
    """A number that is not looked at, however many digits it has."""
    return 0


def line_batches(records, fields, paragraphs):
    """Yield pairs of lines, bytes, and their Place, for the texts of records.

    records: tuples of the name of the document or None, the text, and other fields as
    JSON or None;
    fields: of all records, an array of structs of Arrow, instead of these, or None;
    paragraphs: whether the lines of a text are joined up to an empty one. A surrogate
    in a text becomes U+FFFD.
    """
    taken, begin, n_bytes = [], 0, 0

    def batch():
        if fields is not None:
            return _batch(taken, fields[begin : begin + len(taken)], paragraphs)
        own = [field for _, _, field in taken]
        return _batch(taken, None if None in own else own, paragraphs)

    for document, text, field in records:
        data = utf8_text(text).encode()
        taken.append((document, data if data.endswith(b"\n") else data + b"\n", field))
        n_bytes += len(data)
        if n_bytes >= BATCH_BYTES:
            yield batch()
            begin += len(taken)
            taken, n_bytes = [], 0
    if taken:
        yield batch()


def _batch(taken, fields, paragraphs):
    documents = tuple(document for document, _, _ in taken)
    texts = [data for _, data, _ in taken]
    first = 0, *accumulate(data.count(b"\n") for data in texts[:-1])
    original = b"".join(texts)
    data = b"".join(map(join_lines, texts)) if paragraphs else original
    records = Records(documents, first, fields)
    return data, Place("", original=original if paragraphs else None, records=records)
