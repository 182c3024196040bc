"""What holds for any text, whatever a learned tokenizer has learned."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.models import unit_network
from tests.helpers.small_treebanks import learn_tokens, learned_tokenizer

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"])
    | st.sampled_from("aZ éßاअกຂ中か1٣ \u00a0\u2003.\n\t'-\u0301\u200d\ufe0f👩"),
    max_size=60,
)


@pytest.fixture(scope="module", params=["caps", "rules.unicode"])
def tokenizer(request, tmp_path_factory):
    """A tokenizer that has learned little, and so cuts text in odd places."""
    place = tmp_path_factory.mktemp("tokens")
    features = {"form": 16, "gap": 4, "shape": 8, request.param: 4}
    learn_tokens(place, training={"epochs": 1}, features=features)
    return learned_tokenizer(place / "run")


def same(one, other):
    for name in ("begin", "end", "starts", "text_begin", "text_end"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def tokens_of(tokenizer, data):
    return tokenizer.split_sentences(tokenizer.lines(data))


@given(TEXTS)
@example("")
@example(" \n\n ")
@example("\u0301")
@example("ab\x00\x1f.")
def test_tokens_and_gaps_are_the_text(tokenizer, text):
    data = text.encode()
    tokens = tokens_of(tokenizer, data)
    place, pieces = 0, []
    for begin, end in zip(tokens.begin.tolist(), tokens.end.tolist(), strict=True):
        gap, token = data[place:begin], data[begin:end]
        assert not gap.decode().strip() and token.decode().strip() == token.decode()
        assert token and b"\n" not in token
        pieces += [gap, token]
        place = end
    assert not data[place:].decode().strip()
    assert b"".join([*pieces, data[place:]]) == data


@given(st.binary(max_size=40))
def test_tokens_of_any_bytes(tokenizer, data):
    tokens = tokens_of(tokenizer, data)
    inside = np.zeros(len(data), bool)
    for begin, end in zip(tokens.begin.tolist(), tokens.end.tolist(), strict=True):
        assert begin < end and not inside[begin:end].any()
        inside[begin:end] = True
    rest = bytes(np.frombuffer(data, np.uint8)[~inside])
    assert not rest.decode("utf-8", "surrogateescape").strip()


@given(st.lists(TEXTS.map(lambda text: text.replace("\n", " ")), max_size=8))
def test_lines_do_not_depend_on_each_other(tokenizer, lines):
    each = [tokenizer.document(line) for line in lines]
    texts = [[tokens.text(i) for i in range(len(tokens))] for tokens in each]
    together, owner = tokenizer.documents(lines)
    assert [together.text(i) for i in range(len(together))] == [*chain(*texts)]
    counts = [tokens.n_sentences for tokens in each]
    assert np.bincount(owner, minlength=len(lines)).tolist() == counts


@settings(deadline=None)
@given(TEXTS)
def test_fallbacks_find_the_same(tokenizer, text):
    data = text.encode()
    with fixed_kernels(plain=False):
        compiled = tokens_of(tokenizer, data)
    with fixed_kernels(plain=True):
        same(compiled, tokens_of(tokenizer, data))


def test_long_lines_are_labeled_in_pieces(tokenizer, monkeypatch):
    monkeypatch.setattr(unit_network, "_LONGEST", 5)
    line = "Anna sees dela dog (12). " * 9
    alone = tokens_of(tokenizer, line.encode())
    twice = tokens_of(tokenizer, f"{line}\n{line}".encode())
    n = len(alone)
    np.testing.assert_array_equal(alone.begin, twice.begin[:n])
    np.testing.assert_array_equal(alone.begin, twice.begin[n:] - len(line) - 1)


def test_texts_are_one_sentence_each(tokenizer):
    tokens = tokenizer.texts(["Anna sees.\nHe sees.", "", "Rome"])
    assert tokens.n_sentences == 2 and tokens.source.tolist() == [0, 2]
