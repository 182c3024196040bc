"""Batches of text: pieces of them know their place, and how far they are in the file."""

import numpy as np
import pytest

from senna_py.corpora.places import BatchPlace, blank_test
from senna_py.corpora.records import Records
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.pipeline.batch import TextBatch
from senna_py.tagger import Tagger
from senna_py.text.paragraphs import join_lines
from tests.helpers.commands import MODEL

LINES = b"One .\n\nTwo\nlines .\n  \nThe end ."
IS_BLANK = blank_test("senna")


@pytest.fixture(scope="module")
def tokens():
    with fixed_kernels(plain=False):
        yield Tagger(MODEL, ()).tokenizer.lines(LINES)


@pytest.mark.parametrize("size", [6, 7, 11, 19, 22])
def test_the_rest_of_a_batch_is_where_its_lines_are(size):
    place = BatchPlace("a", line=5, character=100)
    batch = TextBatch("a.txt", place, LINES, end=1000)
    first, rest = batch.cut(size, IS_BLANK)
    assert first.text + rest.text == LINES
    assert first.place == place
    assert rest.place == place.after(LINES[:size], IS_BLANK)
    assert rest.place.line == 5 + LINES[:size].count(b"\n")
    assert (first.end, rest.end) == (1000 - len(LINES) + size, 1000)


def test_pieces_of_joined_lines_have_the_original_of_each():
    place = BatchPlace("a", original=LINES)
    batch = TextBatch("a.txt", place, join_lines(LINES))
    first, rest = batch.cut(19, IS_BLANK)
    assert (first.place.original, rest.place.original) == (LINES[:19], LINES[19:])
    assert rest.place.line == 5
    assert rest.place.after(LINES[19:], IS_BLANK).line == 7


def test_the_first_sentences_of_a_batch_keep_the_lines_up_to_their_end(tokens):
    batch = TextBatch("a.txt", BatchPlace("a"), LINES, tokens=tokens)
    whole, left = batch.first(9)
    assert (whole, left) == (batch, 5)
    part, left = batch.first(2)
    assert left == 0
    assert part.tokens.n_sentences == 2
    assert part.tokens.data == b"One .\n\nTwo\n"
    assert batch.first(4)[1] == 0


def test_a_sentence_that_was_cut_for_the_networks_counts_once(tokens):
    batch = TextBatch("a.txt", BatchPlace("a"), LINES, tokens=tokens.cut(1))
    part, left = batch.first(2)
    assert left == 0
    assert [*part.tokens.texts()] == [b"One", b".", b"Two"]
    assert batch.first(9)[1] == 5


def test_parts_have_whole_sentences_and_their_predicates(tokens):
    marks = np.arange(len(tokens)) % 2 == 0
    batch = TextBatch("a.txt", BatchPlace("a"), LINES, 1000, tokens, marks)
    parts = [*batch.parts(3)]
    assert [len(part.tokens) for part in parts] == [3, 2, 3]
    assert [*np.concatenate([part.is_predicate for part in parts])] == [*marks]
    ends = [part.end - 1000 + len(LINES) for part in parts]
    assert ends == [10, 18, len(LINES)]
    without = TextBatch("a.txt", BatchPlace("a"), LINES, 1000, tokens)
    assert all(part.is_predicate is None for part in without.parts(3))


@pytest.mark.parametrize(("size", "n"), [(1, 1), (6, 1), (7, 2), (15, 3), (16, 3)])
def test_records_are_not_cut(size, n):
    texts = ("No .\n\n", "a", "Café .\n", "b")
    names = tuple("wxyz")
    records = Records(names, texts, rows=texts, header="text")
    text = b"".join(records.lines)
    assert records.first_byte == (0, 6, 8, 16, 18)
    batch = TextBatch("a.csv", BatchPlace("", records=records), text, end=1000)
    first, rest = batch.cut(size, IS_BLANK)
    assert first.text + rest.text == text
    assert first.place.records.documents + rest.place.records.documents == names
    assert first.place.records.rows == texts[:n]
    assert (first.place.records.header, rest.place.records.header) == ("text", None)
    assert first.text == b"".join(first.place.records.lines)
    assert (first.end, rest.end) == (1000 - len(rest.text), 1000)
