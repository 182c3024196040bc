"""Surface tokens that consist of several words: forms, places and look-ups of words."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.text.tokenizer import Tokenizer
from senna_py.text.vocabulary import Vocabulary
from senna_py.text.word_splitting import WordSplitter
from tests.helpers.any_text import any_lines

WORDS = Vocabulary.from_keys(["PADDING", "UNKNOWN", "a", "b", "de", "o", "em", "é"])
SPLITTER = WordSplitter(
    {
        "do": ("de", "o"),
        "no": ("em", "o"),
        "ab": ("a", "b"),
        "éé": ("é", "é"),
        "x": ("é",) * 3,
    }
)
tokenizer = Tokenizer(WORDS, "treebank", word_splitter=SPLITTER)
pieces = st.lists(st.sampled_from(["do", "no", "ab", "éé", "x", "Do", "q.", "a", "\n"]))
texts = st.one_of(pieces.map(" ".join), any_lines)


@st.composite
def batches(draw):
    """Surface tokens, which of them consist of several words, and the words."""
    surface = tokenizer.lines(draw(texts).encode("utf-8", "surrogateescape"))
    if draw(st.booleans()):
        surface = tokenizer.split_sentences(surface)
    size = len(surface)
    mask = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    mask = np.array(mask, bool)
    return surface, mask, tokenizer.expand(surface, mask)


def forms_of(surface, mask):
    """The words of each surface token."""
    whole = map(surface.text, range(len(surface)))
    return [
        (SPLITTER.split(form) if many else None) or (form,)
        for form, many in zip(whole, mask, strict=True)
    ]


def forms(tokens):
    return [tokens.text(i) for i in range(len(tokens))]


@settings(max_examples=60)
@given(batches())
def test_words_stand_where_their_surface_tokens_do(batch):
    surface, mask, words = batch
    expected = forms_of(surface, mask)
    assert forms(words) == [form for each in expected for form in each]
    assert [*words.texts()] == [
        form.encode("utf-8", "surrogateescape") for form in forms(words)
    ]
    again = words.surface_tokens()
    for name in ("begin", "end", "starts", "source", "line_begin"):
        assert getattr(again, name).tolist() == getattr(surface, name).tolist()
    assert forms(again) == forms(surface)
    owner = np.repeat(np.arange(len(surface)), [*map(len, expected)])
    if words.continues is not None:
        assert (np.cumsum(~words.continues) - 1).tolist() == owner.tolist()
    assert np.diff(words.starts).all()
    offsets, outer = words.offsets(), surface.offsets()[owner]
    assert (outer[:, 0] <= offsets[:, 0]).all() and (offsets[:, 1] <= outer[:, 1]).all()
    text = surface.data.decode("utf-8", "surrogateescape")
    lines = np.repeat(words.line_begin, np.diff(words.starts)).tolist()
    for i, (begin, end) in enumerate(offsets.tolist()):
        n_before = len(surface.data[: lines[i]].decode("utf-8", "surrogateescape"))
        token = text[n_before + begin : n_before + end]
        assert token in (words.text(i), surface.text(int(owner[i])))


@settings(max_examples=100)
@given(batches())
def test_words_are_looked_up_by_their_forms(batch):
    words = batch[2]
    alone = tokenizer.pretokenized([forms(words)])
    assert len(alone) == len(words)
    is_word = np.zeros(len(words), bool)
    if words.continues is not None:
        is_word = words.continues | np.append(words.continues[1:], [False])
    for i in np.flatnonzero(is_word).tolist():
        assert words.word[i] == alone.word[i]
        pair = [
            each.folded[each.folded_begin[i] : each.folded_end[i]].tobytes()
            for each in (words, alone)
        ]
        assert pair[0] == pair[1]
    for each in (words, words.with_forms()):
        assert each.first_equal().tolist() == [
            forms(words).index(form) for form in forms(words)
        ]


@settings(max_examples=100)
@given(batches(), st.integers(1, 5))
def test_slices_keep_the_words_of_surface_tokens(batch, size):
    words = batch[2]
    whole = forms(words)
    assert [form for part in words.parts(size) for form in forms(part)] == whole
    surface = [
        form for part in words.parts(size) for form in forms(part.surface_tokens())
    ]
    assert surface == forms(words.surface_tokens())
    cut = words.cut(size)
    assert forms(cut) == whole
    assert forms(cut.surface_tokens()) == forms(words.surface_tokens())
    assert np.diff(cut.surface_tokens().starts).all()
    starts = cut.starts[:-1]
    if words.continues is not None:
        assert not words.continues[starts].any()
    split = words.split(starts)
    assert forms(split.surface_tokens()) == forms(words.surface_tokens())


@settings(max_examples=50)
@given(texts, st.integers(0, 2**32 - 1))
def test_fallbacks_give_the_same_words(text, seed):
    batches = []
    for plain in (False, True):
        with fixed_kernels(plain):
            data = text.encode("utf-8", "surrogateescape")
            surface = tokenizer.lines(data)
            mask = np.random.default_rng(seed).random(len(surface)) < 0.5
            batches.append(tokenizer.expand(surface, mask))
    for name in (
        "word",
        "begin",
        "end",
        "starts",
        "folded",
        "folded_begin",
        "folded_end",
    ):
        compiled, plain = (getattr(each, name).tolist() for each in batches)
        assert compiled == plain


def test_nothing_is_stored_where_every_token_is_one_word():
    surface = tokenizer.lines(b"do a")
    for mask in ([False, False], [False, True]):
        words = tokenizer.expand(surface, np.array(mask))
        assert words is surface
    assert Tokenizer(WORDS, "treebank").expand(surface, np.ones(2, bool)) is surface
    words = tokenizer.expand(tokenizer.lines(b"ab a"), np.array([True, False]))
    assert words.continues.tolist() == [False, True, False]
    assert words.spelling is None
