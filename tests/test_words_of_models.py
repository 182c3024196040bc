"""A model with a word splitter: networks read the forms of words."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna_py import Document, Tagger
from senna_py.answers.reading import documents
from senna_py.models.native_writer import write_model
from senna_py.text.word_splitting import WordSplitter
from tests.helpers.native_models import arc_parts, model_arguments

SPLITTER = WordSplitter(
    {"zo": ("z", "chicago"), "ab": ("a", "b"), "no": ("reads", "n")}
)
TASKS = "pos", "dep"


@pytest.fixture(scope="module")
def tagger(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "words.safetensors"
    parts = model_arguments(arc_parts(np.random.default_rng(0)))
    write_model(path, *parts, word_splitter=SPLITTER)
    return Tagger(path, TASKS)


def expanded(tagger, text):
    tokens = tagger.tokenizer.lines(text.encode())
    known = [tokens.text(i) in SPLITTER.tokens for i in range(len(tokens))]
    return tagger.tokenizer.expand(tokens, np.array(known, bool))


sentences = st.lists(
    st.sampled_from(["zo", "ab", "no", "he", "Chicago", "."]), min_size=1
)


@settings(max_examples=50, deadline=None)
@given(st.lists(sentences, min_size=1, max_size=3))
def test_words_are_tagged_as_if_they_stood_alone(tagger, lines):
    text = "\n".join(map(" ".join, lines))
    words = [
        [word for token in line for word in SPLITTER.split(token) or (token,)]
        for line in lines
    ]
    tokens = expanded(tagger, text)
    assert [tokens.text(i) for i in range(len(tokens))] == [*chain.from_iterable(words)]
    found = tagger.annotate(tokens)
    alone = tagger.annotate(tagger.tokenizer.pretokenized(words))
    for task in TASKS:
        assert found.layers[task] == alone.layers[task]
    owner = np.zeros(found.tokens.n_sentences, np.int32)
    found.tokens.line_begin = owner  # Offsets are counted in the text.
    (document,) = documents(found, [text], owner)
    assert [span.text for span in document.surface_tokens] == [
        *chain.from_iterable(lines)
    ]
    assert [token.text for token in document] == [*chain.from_iterable(words)]
    for again in (
        Document.from_json(document.to_json()),
        Document.from_bytes(document.to_bytes()),
    ):
        assert again == document


def test_given_tokens_are_not_split(tagger):
    for sentence in (tagger(["zo", "ab"]), tagger("zo ab")):
        assert [token.text for token in sentence] == ["zo", "ab"]
        assert "ranges" not in sentence.to_dict()
