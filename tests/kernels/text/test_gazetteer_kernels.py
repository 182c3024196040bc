import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.features.gazetteer import phrase_lines
from senna_py.kernels.runtime.switch import runs_fallbacks
from senna_py.kernels.text import gazetteer
from senna_py.kernels.text.plain.search import PhraseSearch
from senna_py.text.characters import KIND, LOWER, cover_characters

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


def order(joined, first, last):
    """The tokens in the byte order of their texts."""
    texts = [joined[a:b].tobytes() for a, b in zip(first, last, strict=True)]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int32)


def phrases_of(joined, first, last, entities):
    """A gazetteer as `gazetteer_places` searches it."""
    lines = phrase_lines(" ".join(phrase) for phrase in entities)
    blob = np.frombuffer(lines, np.uint8)
    if runs_fallbacks():
        return PhraseSearch(blob)
    found = np.full((len(first), 3), -1, np.int32)
    gazetteer.find_phrases(joined, first, last, order(joined, first, last), blob, found)
    place = np.arange(len(first), dtype=np.int32)
    place[1::2] = -1 - place[1::2]
    return gazetteer.Phrases(blob, place, found, found)


def check_places(sentences, entities):
    """Check what both kernels write for the tokens of sentences."""
    joined = join(sentences)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    out, longest = np.full((2, starts[-1]), -1, np.int32)
    keys = np.array([7, 3, 1, 9, 5], np.int32)
    found = phrases_of(*joined, entities)
    gazetteer.gazetteer_places(*joined, starts, found, keys, longest, out)
    expected = [
        place for sentence in sentences for place in naive_places(sentence, entities)
    ]
    assert out.tolist() == [keys["OBIES".index(place)] for place in expected]


@given(st.lists(tokens, min_size=1, max_size=3), st.sets(phrases, max_size=5))
def test_places(sentences, entities):
    check_places(sentences, entities)


def test_places_in_a_long_list():
    rng = np.random.default_rng(0)
    words = [
        "".join(rng.choice([*"ab!"], rng.integers(1, 5))) + "x" * rng.integers(3) * 40
        for _ in range(60)
    ]
    entities = {tuple(rng.choice(words, rng.integers(1, 5))) for _ in range(3000)}
    sentences = [[*rng.choice(words, 12)] for _ in range(60)]
    sentences += [[*phrase, *phrase] for phrase in sorted(entities)[::40]]
    check_places(sentences, entities)


@pytest.mark.parametrize("end", ["", "\n"])
def test_phrases_that_begin_with_a_word(end):
    if runs_fallbacks():
        pytest.skip("fallbacks search with a PhraseSearch")
    lines = ["", "a", "a b", "a b c", "a!", "ab", "ab c", "b", "c d"]
    blob = np.frombuffer(("\n".join(lines) + end).encode(), np.uint8)
    words = ["a", "a!", "ab", "b", "c", "d", "abc", "a\nab", "a b"]
    found = np.full((len(words), 3), -1, np.int32)
    joined = join([words])
    gazetteer.find_phrases(*joined, order(*joined), blob, found)
    for word, (low, high, is_entity) in zip(words, found.tolist(), strict=True):
        assert is_entity == (word in lines)
        following = blob[low:high].tobytes().decode().split("\n")
        expected = [line for line in lines if line.startswith(f"{word} ")]
        assert [line for line in following if line] == expected
