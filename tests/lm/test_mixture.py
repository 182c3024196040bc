import json

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.lm.mixture import learn_mixture, read_mixture
from senna_py.lm.model_files import open_model
from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.word_list import WordList
from tests.helpers.table_model import TableModel

WORDS = WordList.of_words(["a", "b", "c"], False)


def random_table(seed):
    table = np.random.default_rng(seed).random((4, 4)) + 0.05
    return table / table.sum(1, keepdims=True)


@pytest.fixture
def parts():
    return [TableModel(random_table(0), WORDS), TableModel(random_table(1), WORDS)]


@pytest.fixture
def text():
    """Words that follow the first table three times of four, the second else."""
    rng, out = np.random.default_rng(2), [0]
    tables = [random_table(0), random_table(1)]
    for _ in range(4000):
        table = tables[rng.random() < 0.25]
        out.append(rng.choice(4, p=table[out[-1]]))
    return np.array(out, np.int32)


def test_fixed_weights_are_alike(parts, text):
    model = learn_mixture(parts, ["x", "y"], "fixed")
    expected = np.mean([10 ** part.log10_probabilities(text) for part in parts], 0)
    np.testing.assert_allclose(10 ** model.log10_probabilities(text), expected, rtol=1e-6)
    assert model.order == 2


def test_learned_weights_are_those_that_made_the_text(parts, text):
    notes = []
    model = learn_mixture(parts, ["x", "y"], "learned", lambda _: text, notes.append)
    np.testing.assert_allclose(model.weights, [[0.75, 0.25]], atol=0.06)
    mixed = 10 ** -model.log10_probabilities(text).mean()
    assert notes[-1] == f"mixture: held-out perplexity {mixed:.2f}"
    assert mixed < min(10 ** -part.log10_probabilities(text).mean() for part in parts)
    for weight in np.linspace(0, 1, 21):
        model.weights[:] = weight, 1 - weight
        assert 10 ** -model.log10_probabilities(text).mean() > mixed - 1e-3


@pytest.fixture
def files(tmp_path, text):
    """Two n-gram models in files, of which the second has its words in another order."""
    words = WordList(["c", "b", "<unk>", "a"], "other", False)
    to_other = words.indices([word.encode() for word in WORDS.words])
    one = train_interpolated(text[:2000], text[2000:], 2, WORDS)
    other = train_interpolated(to_other[text[:500]], to_other[text[500:900]], 3, words)
    one.write(tmp_path / "one.lm")
    other.write(tmp_path / "other.lm")
    return [str(tmp_path / "one.lm"), str(tmp_path / "other.lm")]


def test_weights_by_frequency_and_words_in_other_orders(tmp_path, files, text):
    parts = [open_model(path) for path in files]
    model = learn_mixture(parts, files, "frequency", lambda _: text)
    assert model.weights.shape == (len(parts[0].weights), 2)
    one = parts[0].log10_probabilities(text)
    to_other = parts[1].word_list.indices([word.encode() for word in WORDS.words])
    other = parts[1].log10_probabilities(to_other[text])
    weights = model.weights[parts[0].bins(text)]
    expected = np.log10(weights[:, 0] * 10**one + weights[:, 1] * 10**other)
    np.testing.assert_allclose(model.log10_probabilities(text), expected, atol=1e-5)
    (tmp_path / "deep").mkdir()
    model.write(tmp_path / "deep" / "mix.lm")
    again = open_model(tmp_path / "deep" / "mix.lm")
    np.testing.assert_allclose(again.log10_probabilities(text), expected, atol=1e-5)
    assert dict(again.describe())["weights"] == "frequency"


@pytest.mark.parametrize(
    ("words", "marks", "message"),
    [
        (["a", "b", "d"], False, "'c'"),
        (["a", "b", "c", "d"], False, "5 words"),
        (["a", "b", "c"], True, "marks"),
    ],
)
def test_models_of_other_words_are_not_mixed(parts, words, marks, message):
    parts[1].word_list = WordList.of_words(words, marks)
    with pytest.raises(SennaError, match=message):
        learn_mixture(parts, ["x", "y"], "fixed")


@pytest.mark.parametrize("name", ["a\0b", "\ud800.lm"])
def test_names_of_parts_are_those_of_files(name):
    found = {"parts": json.dumps([name]), "binner": "null"}
    with pytest.raises(SennaError, match=r"^parts: a (NUL|lone surrogate) in a name"):
        read_mixture(found, None, {}, "mix.lm", None)


def test_mixtures_are_not_mixed(parts):
    mixture = learn_mixture(parts, ["x", "y"], "fixed")
    with pytest.raises(SennaError, match="a mixture within a mixture"):
        learn_mixture([mixture, parts[0]], ["x", "y"], "fixed")


def test_what_weights_need(parts, text):
    with pytest.raises(UsageError, match="interpolated"):
        learn_mixture(parts, ["x", "y"], "frequency", lambda _: text)
