import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.errors import SennaError
from senna_py.kernels.text.dictionary import EMPTY_HASH, extend_hash, find
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary

lines = st.lists(st.text("aB \t\v\f\r\x00\xe9é", max_size=5), max_size=8)


def look_up(vocabulary, key):
    """Index of `key` in the hash table, or -1."""
    value = EMPTY_HASH
    for byte in key:
        value = np.uint64(extend_hash(value, np.uint8(byte)))
    return find(
        vocabulary.table, value, np.frombuffer(key + b"\0", np.uint8), 0, len(key)
    )


@given(lines, st.booleans())
def test_keys_are_trimmed_lines(lines, ended):
    data = "\n".join(lines).encode("latin-1" if ended else "utf-8")
    data += b"\n" if ended else b""
    expected = data.split(b"\n")
    if expected[-1] == b"":
        del expected[-1]
    vocabulary = Vocabulary(data)
    assert len(vocabulary) == len(expected)
    assert [vocabulary.key(i) for i in range(len(vocabulary))] == [
        line.strip(b" \t\v\f\r") for line in expected
    ]


def test_an_empty_file_has_no_keys():
    vocabulary = Vocabulary(b"", "hash/empty.lst")
    assert len(vocabulary) == 0
    assert look_up(vocabulary, b"a") == -1
    assert look_up(vocabulary, b"") == -1
    with pytest.raises(SennaError, match=r"^hash/empty\.lst: the key 'a' is missing$"):
        vocabulary.position("a")


def test_bytes_beyond_ascii_are_unsigned():
    vocabulary = Vocabulary(b"z\n\x80\n\xc3\xa9\n\xff\n")
    assert look_up(vocabulary, b"\xff") == 3
    assert vocabulary[1] == "\udc80"
    assert vocabulary[2] == "é"
    assert vocabulary.position("é") == 2
    assert vocabulary.position("\udcff") == 3


def test_position():
    # Label lists are in any order.
    vocabulary = Vocabulary(b"b\nbc\n\na\nb\nbb\n", "x.lst")
    assert vocabulary.position("b") == 0
    assert vocabulary.position("bb") == 5
    assert vocabulary.position("") == 2
    assert vocabulary.position("a") == 3
    for key in ("c", "bbb", "B"):
        with pytest.raises(SennaError, match=f"^x.lst: the key '{key}' is missing$"):
            vocabulary.position(key)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nc\nb\n", "l.lst: line 3: 'b' does not follow 'c' in byte order"),
        (b"a\na\n", "l.lst: line 2: 'a' does not follow 'a' in byte order"),
        (b"ab\na\n", "l.lst: line 2: 'a' does not follow 'ab' in byte order"),
        (b"a\n\nb\n", "l.lst: line 2: '' does not follow 'a' in byte order"),
        (
            b"\xff\n\x80\n",
            r"l.lst: line 2: '\udc80' does not follow '\udcff' in byte order",
        ),
    ],
)
def test_disorder(data, message):
    vocabulary = Vocabulary(data, "l.lst")
    with pytest.raises(SennaError) as error:
        vocabulary.check_order()
    assert str(error.value) == message


# Around the eight bytes that are compared at once.
KEYS = st.lists(st.text("ab\0é", max_size=18), max_size=5)


@given(KEYS | KEYS.map(sorted))
def test_the_first_line_out_of_order_is_named(keys):
    keys = [key.encode() for key in keys]
    wrong = [i for i in range(1, len(keys)) if keys[i - 1] >= keys[i]]
    vocabulary = Vocabulary(b"".join(key + b"\n" for key in keys))
    if not wrong:
        vocabulary.check_order()
        return
    with pytest.raises(SennaError, match=f": line {wrong[0] + 1}: "):
        vocabulary.check_order()


def test_keys_in_any_order_are_found_but_not_twice():
    vocabulary = Vocabulary.from_keys(["the", "of", "a"], "made")
    tokens = Tokenizer(Vocabulary.from_keys(["the", "of", "UNKNOWN", "a"])).lines(
        b"a of the"
    )
    assert tokens.word.tolist() == [3, 1, 0]
    assert vocabulary.table.longest == 3
    with pytest.raises(SennaError, match=r"^made: line 3: 'the' occurs twice$"):
        Vocabulary.from_keys(["the", "of", "the"], "made").table  # noqa: B018


def test_from_keys():
    vocabulary = Vocabulary.from_keys(["a", "é", "\udcff"], "made")
    assert vocabulary.data == b"a\n\xc3\xa9\n\xff\n"
    assert [vocabulary[i] for i in range(3)] == ["a", "é", "\udcff"]
    assert repr(vocabulary) == "Vocabulary('made', 3 keys)"
    assert Vocabulary(b" a \nb\n\nb\n").keys() == ["a", "b", "", "b"]
    assert "é" in vocabulary and "c" not in vocabulary
