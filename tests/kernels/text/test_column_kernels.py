import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.kernels.text.columns import Layout, Roles, Texts, Trees, write_rows

pytestmark = pytest.mark.usefixtures("each_way")

LABELS = ["\tA", "\t        O", "\tB-é"]
LEFT, RIGHT = ["", "(NP", "", "(S(VP"], ["", "", ")", "))"]
words = st.text("aé字x\udcff\udca9", min_size=1, max_size=18)  # some outside UTF-8


def as_texts(strings):
    encoded = [string.encode() for string in strings]
    start = np.cumsum([0, *map(len, encoded)]).astype(np.int32)
    return Texts(np.frombuffer(b"".join(encoded), np.uint8), start)


def random_batch(rng, sentences):
    """Arrays of a batch, and per sentence (offsets, columns, predicates with roles, levels)."""
    flat = [word.encode("utf-8", "surrogateescape") for sentence in sentences for word in sentence]
    raw = b" ".join(flat)
    end = (np.cumsum([len(word) + 1 for word in flat]) - 1).astype(np.int32)
    begin = (end - [len(word) for word in flat]).astype(np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    offset = rng.choice([0, 7, 10, 99, 100, 123456], (len(flat), 2)).astype(np.int32)
    column = rng.integers(len(LABELS), size=(len(flat), 2)).astype(np.int32)
    is_predicate = rng.random(len(flat)) < 0.4
    first = np.append(0, np.cumsum(is_predicate))[starts].astype(np.int32)
    lengths = np.repeat(np.diff(starts), np.diff(first))
    role_begin = np.append(0, np.cumsum(lengths)).astype(np.int64)
    role = rng.integers(len(LABELS), size=role_begin[-1]).astype(np.int32)
    levels = rng.integers(0, 3, len(sentences))
    rows = np.append(0, np.cumsum(levels * np.diff(starts))).astype(np.int64)
    label = rng.integers(len(LEFT), size=rows[-1]).astype(np.int32)
    level_begin = np.append(0, np.cumsum(levels)).astype(np.int32)
    whole = rng.random(len(sentences)) < 0.5
    return raw, begin, end, starts, offset, column, (
        is_predicate, first, role_begin, role
    ), (label, rows, level_begin, whole)  # fmt: skip


def naive_rows(sentences, batch, layout, roles_shown, trees_shown):
    """The same rows from Python's formatting."""
    _, _, _, starts, offset, column, roles, trees = batch
    is_predicate, first, role_begin, role = roles
    label, rows, level_begin, whole = trees
    text = ""
    for s, sentence in enumerate(sentences):
        n = len(sentence)
        levels = label[rows[s] : rows[s + 1]].reshape(level_begin[s + 1] - level_begin[s], n)
        for i, word in enumerate(sentence):
            t = starts[s] + i
            text += f"{word:>{layout.width}}" if layout.words else ""
            if layout.offsets:
                text += f"\t{offset[t, 0]}{chr(layout.between)}{offset[t, 1]}"
            n_first = len(column[t]) - layout.n_last
            text += "".join(LABELS[index] for index in column[t, :n_first])
            if roles_shown:
                text += f"\t{word if is_predicate[t] else '-':>{layout.width}}"
                labels = [LABELS[role[role_begin[p] + i]] for p in range(first[s], first[s + 1])]
                if layout.width == 0:
                    labels = ["\t", "|".join(label[1:] for label in labels) or "-"]
                text += "".join(labels)
            if trees_shown:
                text += "\t"
                if i == 0:
                    text += "(S1" if whole[s] else "(S1(S"
                text += "".join(LEFT[index] for index in levels[::-1, i]) + "*"
                text += "".join(RIGHT[index] for index in levels[:, i])
                if i == n - 1:
                    text += ")" if whole[s] else "))"
            text += "".join(LABELS[index] for index in column[t, n_first:])
            text += "\n"
        text += "\n"
    return text.encode("utf-8", "surrogateescape")


@given(
    st.lists(st.lists(words, min_size=1, max_size=4), min_size=1, max_size=3),
    st.booleans(), st.sampled_from([0, 15]), st.booleans(), st.sampled_from(" \t"),
    st.booleans(), st.booleans(), st.integers(0, 2), st.integers(0, 999),
)  # fmt: skip
def test_write_rows(
    sentences, shown, width, offsets, between, roles_shown, trees_shown, n_last, seed
):
    batch = random_batch(np.random.default_rng(seed), sentences)
    raw, begin, end, starts, offset, column, roles, trees = batch
    layout = Layout(shown, width, offsets, ord(between), n_last)
    expected = naive_rows(sentences, batch, layout, roles_shown, trees_shown)
    out = np.zeros(len(expected) + 10, np.uint8)
    size = write_rows(
        np.frombuffer(raw, np.uint8), begin, end, starts, layout, offset, column,
        as_texts(LABELS), Roles(roles_shown, *roles),
        Trees(trees_shown, *trees, as_texts(LEFT), as_texts(RIGHT)), out,
    )  # fmt: skip
    assert out[:size].tobytes() == expected
    assert not out[size:].any()
