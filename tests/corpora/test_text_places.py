"""Where the characters of a text stand in a row of records."""

import csv
import io
import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.csv_records import CsvFile
from senna_py.corpora.json_records import JsonObjects
from senna_py.io.streaming import Source

TEXTS = st.text('ab "\\,;\n\tä😀\u2028', max_size=12)


def parts_of(row, places):
    return [row[a:b] for a, b in pairwise(places)]


@given(TEXTS, TEXTS, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_cells(text, other, quoting):
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=quoting, lineterminator="\n")
    writer.writerows([["other", "text", "more"], [other, text, other]])
    data = io.BytesIO(out.getvalue().encode())
    with Source("a.csv", raw=data) as source:
        file = CsvFile(source, "text")
        (record,) = file.records("a")
    parts = parts_of(record.row, file.table.text_places(record.row))
    assert record.text == text
    assert [part.replace('""', '"') for part in parts] == [*text]


@given(TEXTS, TEXTS, st.booleans())
def test_fields(text, other, is_ascii):
    values = {"other": other, "text": text, "more": [other]}
    row = json.dumps(values, ensure_ascii=is_ascii)
    parts = parts_of(row, JsonObjects("text").text_places(row))
    assert [json.loads(f'"{part}"') for part in parts] == [*text]


def test_a_field_that_is_there_twice():
    row = '{"text": "a", "text" : "b\\/"}'
    places = JsonObjects("text").text_places(row)
    assert parts_of(row, places) == ["b", "\\/"]
