import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text import gazetteer
from senna_py.text.characters import KIND, LOWER, cover_characters
from senna_py.text.vocabulary import Vocabulary

pytestmark = pytest.mark.usefixtures("each_way")

tokens = st.lists(st.sampled_from(["a", "A", "b", "É", "é", "5", "Ⱥ"]), max_size=6)
phrases = st.lists(
    st.sampled_from(["a", "b", "é", "5", "ⱥ"]), min_size=1, max_size=3
).map(tuple)


def tables(data):
    cover_characters(data)
    return KIND, LOWER


def join(sentences):
    """Buffer of all tokens as `join_tokens` writes it, and where they stand."""
    flat = [token.encode() for sentence in sentences for token in sentence]
    data = b"".join(flat)
    end = np.cumsum([0, *map(len, flat)]).astype(np.int32)
    size = 2 * len(data) + len(flat) + 1
    joined, kind = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    first, last = np.full(len(flat), -1, np.int32), np.full(len(flat), -1, np.int32)
    raw = np.frombuffer(data, np.uint8)
    gazetteer.join_tokens(
        raw,
        end[:-1],
        end[1:],
        *tables(data),
        joined,
        kind,
        np.empty(size, np.int32),
        first,
        last,
    )
    return joined, first, last


@given(tokens)
def test_join_tokens(sentence):
    joined, first, last = join([sentence])
    lower = [token.lower().encode() for token in sentence]
    expected = b"".join(token + b" " for token in lower)
    assert joined[: len(expected)].tobytes() == expected
    assert [joined[a:b].tobytes() for a, b in zip(first, last, strict=True)] == lower


def test_a_phrase_is_extended_only_while_it_is_listed():
    vocabulary = Vocabulary(b"a\na b c\n")  # the prefix `a b` is missing
    out = np.full(3, -1, np.int32)
    starts = np.array([0, 3], np.int32)
    marks = np.array([0, 1], np.uint8)
    gazetteer.gazetteer_feature(
        *join([["a", "b", "c"]]), starts, vocabulary.table, marks, 3, 5, out
    )
    assert out.tolist() == [3, 3, 3]


def listed(entities):
    """Keys in byte order: phrases of `entities` and their prefixes; which are
    entities.
    """
    prefixes = {phrase[:k] for phrase in entities for k in range(1, len(phrase) + 1)}
    keys = sorted(" ".join(phrase).encode() for phrase in prefixes)
    marks = np.array(
        [tuple(key.decode().split()) in entities for key in keys], np.uint8
    )
    return Vocabulary(b"".join(key + b"\n" for key in keys)), marks


def naive_places(sentence, entities):
    lower, row = tuple(token.lower() for token in sentence), []
    for t in range(len(lower)):
        spans = [
            (a, b)
            for a in range(t + 1)
            for b in range(t + 1, len(lower) + 1)
            if lower[a:b] in entities
        ]
        if not spans:
            row.append("O")
            continue
        a, b = max(spans, key=lambda span: (span[1] - span[0], -span[0]))
        row.append("S" if b - a == 1 else "B" if t == a else "E" if t == b - 1 else "I")
    return row


@given(st.lists(tokens, min_size=1, max_size=3), st.sets(phrases, max_size=5))
def test_places_and_marks_of_entities(sentences, entities):
    vocabulary, marks = listed(entities)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    out, longest = np.full(starts[-1], -1, np.int32), np.full(starts[-1], -1, np.int32)
    keys = np.array([7, 3, 1, 9, 5], np.int32)
    given = *join(sentences), starts, vocabulary.table, marks
    gazetteer.gazetteer_places(*given, keys, longest, out)
    expected = [
        place for sentence in sentences for place in naive_places(sentence, entities)
    ]
    assert out.tolist() == [keys["OBIES".index(place)] for place in expected]
    gazetteer.gazetteer_feature(*given, 3, 5, out)
    assert out.tolist() == [3 if place == "O" else 5 for place in expected]


@given(st.lists(phrases, max_size=6), st.booleans())
def test_enter_phrases(entities, with_empty_lines):
    data = (
        "".join(f"{' '.join(phrase)}\n" for phrase in entities)
        + "\n" * with_empty_lines
    )
    blob = np.frombuffer(data.encode(), np.uint8)
    room = data.count(" ") + data.count("\n")
    begin, end = np.full(room, -1, np.int32), np.full(room, -1, np.int32)
    entity, slots = np.full(room, 9, np.uint8), np.full(64, -1, np.int32)
    n = gazetteer.enter_phrases(blob, begin, end, slots, entity)
    found = [blob[a:b].tobytes() for a, b in zip(begin[:n], end[:n], strict=True)]
    vocabulary, marks = listed(set(entities))
    expected = [vocabulary.key(i) for i in range(len(vocabulary))]
    assert sorted(zip(found, entity[:n], strict=True)) == list(
        zip(expected, marks, strict=True)
    )
    assert sorted(slots[slots >= 0]) == list(range(n))
