import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.kernels.text.dictionary import (
    EMPTY_HASH,
    Dictionary,
    enter_words,
    extend_hash,
    find,
)

byte_strings = st.binary(max_size=4) | st.text("ab", max_size=3).map(str.encode)


def hash_of(text):
    value = EMPTY_HASH
    for byte in text:
        value = np.uint64(extend_hash(value, np.uint8(byte)))
    return value


def arrays(keys):
    """Blob, begin and end of `keys`, with other bytes between them."""
    blob = b"|".join(keys) + b"|"
    end = np.cumsum([len(key) + 1 for key in keys]) - 1
    begin = end - [len(key) for key in keys]
    return np.frombuffer(blob, np.uint8), begin.astype(np.int32), end.astype(np.int32)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"", 0xCBF29CE484222325),
        (b"a", 0xAF63DC4C8601EC8C),
        (b"foobar", 0x85944171F73967E8),
    ],
)
def test_hash_is_fnv_1a(text, value):
    assert hash_of(text) == value


@given(
    st.lists(byte_strings, unique=True, min_size=1, max_size=40), st.lists(byte_strings)
)
def test_find(keys, others):
    blob, begin, end = arrays(keys)
    # Fuller than a Vocabulary's.
    slots = np.full(1 << len(keys).bit_length(), -1, np.int32)
    enter_words(blob, begin, end, slots, np.empty(len(keys), np.int32))
    assert sorted(slots[slots >= 0]) == list(range(len(keys)))
    dictionary = Dictionary(blob, begin, end, slots, 4)
    for text in (*keys, *others):
        around = np.frombuffer(b"x" + text + b"y", np.uint8)
        index = find(dictionary, hash_of(text), around, 1, 1 + len(text))
        assert index == (keys.index(text) if text in keys else -1)


@given(st.lists(byte_strings, max_size=40))
def test_enter_words(words):
    for plain in (False, True):
        slots = np.full(1 << len(words).bit_length(), -1, np.int32)
        first = np.full(len(words), -1, np.int32)
        with fixed_kernels(plain):
            enter_words(*arrays(words), slots, first)
        assert first.tolist() == [words.index(word) for word in words]
