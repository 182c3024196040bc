import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text.columns import WORD, ZERO, Texts, write_rows

pytestmark = pytest.mark.usefixtures("each_way")

TEXTS = ["\tA", "", "\t        O", "(é"]
NUMBERS = [0, 7, 10, 99, 100, 123456]
words = st.text('aé字"x\udcff\udca9', min_size=1, max_size=18)  # some outside UTF-8
seeds = st.integers(0, 999)


def as_texts(strings):
    encoded = [string.encode() for string in strings]
    start = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    return Texts(np.frombuffer(b"".join(encoded), np.uint8), start)


def printed(piece, word, width):
    if piece == WORD:
        quoted = '"' + word.replace('"', '""') + '"'
        return quoted if word[0] == '"' and not width else f"{word:>{width}}"
    return TEXTS[piece] if piece >= 0 else str(ZERO - piece)


@given(
    st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=3),
    st.sampled_from([0, 15]),
    st.integers(0, 3),
    seeds,
)
def test_write_rows(sentences, width, n_cells, seed):
    rng = np.random.default_rng(seed)
    flat = [
        word.encode("utf-8", "surrogateescape")
        for sentence in sentences
        for word in sentence
    ]
    end = (np.cumsum([len(word) + 1 for word in flat]) - 1).astype(np.int32)
    begin = (end - [len(word) for word in flat]).astype(np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    first = np.sort(rng.integers(8, size=(n_cells, len(flat) + 1)))
    known = [*range(len(TEXTS)), WORD, *(ZERO - np.array(NUMBERS))]
    piece = rng.choice(known, 8).astype(np.int32)
    expected, token = "", 0
    for sentence in sentences:
        for word in sentence:
            for row in first:
                run = piece[row[token] : row[token + 1]]
                expected += "".join(printed(each, word, width) for each in run)
            expected, token = expected + "\n", token + 1
        expected += "\n"
    expected = expected.encode("utf-8", "surrogateescape")
    out = np.zeros(len(expected) + 10, np.uint8)
    size = write_rows(
        np.frombuffer(b" ".join(flat), np.uint8),
        begin,
        end,
        starts,
        width,
        as_texts(TEXTS),
        piece,
        first,
        out,
    )
    assert out[:size].tobytes() == expected
    assert not out[size:].any()
