import numpy as np
from test_lstm_model import small_model

from senna_py.lm.lstm.lexicon import Alphabet
from senna_py.lm.lstm.ngrams import (
    kind_of,
    ngram_vectors,
    ngrams_of,
    principal_components,
)


def test_ngrams_of_two_words_and_their_kinds():
    alphabet = Alphabet(["-", "a", "b"])
    hyphen, a, b = 6, 7, 8
    found = ngrams_of(alphabet, ["<unk>", "ab", "a-b", "aa"], 3)
    # Of "ab" = ^ab$, "a-b" = ^a-b$ and "aa" = ^aa$; ^ is 1, $ is 2. A hyphen is in one word only.
    assert found == [(1, a), (a,), (b,), (b, 2)]
    found = ngrams_of(alphabet, ["b-a", "ab-a"], 2)
    kinds = {ngram: kind_of(ngram, alphabet) for ngram in found}
    assert kinds == {
        (hyphen,): "hyphenated", (hyphen, a): "hyphenated", (b, hyphen): "hyphenated",
        (a,): "other", (b,): "other", (a, 2): "suffix",
    }  # fmt: skip
    assert kind_of((1, a), alphabet) == "prefix"


def test_vectors_are_those_of_words_with_the_same_characters():
    model = small_model("char")
    convolution, alphabet = model.network.inputs.stack.convolution, model.lexicon.alphabet
    spelled = tuple(alphabet.spell(["at"], 0)[0].tolist())
    expected = model.network.inputs.represent(["at"], after=False)
    np.testing.assert_allclose(ngram_vectors(convolution, [(9,), spelled])[1:], expected, rtol=1e-5)


def test_principal_components_keep_the_most_variance():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 4)) * [1, 9, 0.1, 3] + 5
    found = principal_components(points)
    for axis, column in enumerate((1, 3)):
        correlation = np.corrcoef(found[:, axis], points[:, column])[0, 1]
        assert abs(correlation) > 0.99
    np.testing.assert_allclose(found.mean(0), 0, atol=1e-9)
