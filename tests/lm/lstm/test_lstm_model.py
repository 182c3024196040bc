import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.lstm import model as model_module
from senna_py.lm.lstm.lexicon import random_clusters
from senna_py.lm.lstm.model import LstmModel, average_unknown
from senna_py.lm.lstm.network import new_network
from senna_py.lm.lstm.word_vectors import Speller, open_speller
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import WordList
from tests.helpers.small_lstms import SHAPES, WORDS, parts_of, small_network
from tests.helpers.small_text import streams


def small_model(name):
    shape = SHAPES[name]
    network = small_network(shape, np.float32)
    return LstmModel(shape, parts_of(shape), network, WordList(WORDS), {})


@pytest.mark.parametrize("name", SHAPES)
def test_a_network_begins_with_small_numbers_but_for_padding_and_gates(name):
    shape, parts = SHAPES[name], parts_of(SHAPES[name])
    arrays = new_network(shape, parts, 0.05, np.random.default_rng(0)).parameters()
    assert {key: array.shape for key, array in arrays.items()} == shape.arrays(*parts.sizes())
    for key, array in arrays.items():
        assert array.dtype == np.float32, key
        if key.startswith("highway") and array.ndim == 1:
            array[shape.n_features :] += 2
        if key == "character_vectors":
            assert not array[0].any()
            array[0] = 0.05
    values = np.abs(np.concatenate([array.ravel() for array in arrays.values()]))
    assert values.all() and 0.045 < values.max() <= 0.05 + 1e-6


@pytest.mark.parametrize("name", ["char", "morph", "word"])
def test_inputs_of_frequent_words_are_computed_once(name, monkeypatch):
    monkeypatch.setattr(model_module, "_KEPT", 5)
    model, words = small_model(name), np.array([0, 3, 4, 5, 8], np.int32)
    expected = model.network.inputs.forward(words)[0]
    np.testing.assert_allclose(model.represent(words), expected, atol=1e-6)
    calls, forward = [], model.network.inputs.forward
    model.network.inputs.forward = lambda words: (calls.append(words.tolist()), forward(words))[1]
    model.represent(words)
    assert calls == ([[5, 8]] if name != "word" else [words.tolist()])


def test_vectors_by_spelling(tmp_path):
    model = small_model("char")
    model.write(tmp_path / "m.lm")
    after, before = (open_speller(tmp_path / "m.lm", which) for which in (True, False))
    index = np.array([4, 5], np.int32)
    expected = model.network.inputs.forward(index)[0]
    np.testing.assert_allclose(after.vectors(["cat", "cats"]), expected, atol=1e-6)
    highway = model.network.inputs.layers[0]
    made = highway.forward(before.vectors(["cat", "cats"]))[0]
    np.testing.assert_allclose(made, expected, atol=1e-6)
    new = after.vectors(["cta", "tac", "xyz"])
    assert not np.allclose(new[0], new[1])
    np.testing.assert_allclose(after.vectors(["猫"]), after.vectors(["犬"]))


def test_an_unknown_character_is_the_mean_of_the_known():
    network = small_model("char").network
    average_unknown(network)
    vectors = network.parameters()["character_vectors"]
    np.testing.assert_allclose(vectors[3], vectors[6:].mean(0), atol=1e-6)


def test_neighbours_are_known_words_and_never_the_word_itself():
    speller, known = Speller(small_model("char")), WORDS[3:]  # without the marks
    for word, number in (("cat", "4"), ("catt", "-"), ("</s>", "2")):
        lines = [line.split() for line in speller.table([word, "cattt"], 20, "cosine")]
        assert lines[:2] == [[word, "cattt"], [number, "-"]]
        near = [line[0] for line in lines[3:]]
        near = near[: len(known) - (word in known)]
        assert sorted(near) == sorted(set(known) - {word})
        among = [line.split()[0] for line in speller.table([word], 20, "cosine", among=5)[3:]]
        assert among == [w for w in near if w in WORDS[:5]]
        many = [line.split()[0] for line in speller.table([word], 20, "cosine", among=999)[3:]]
        assert many == near


def test_only_these_models_spell(tmp_path):
    text = streams()
    train_kneser_ney(text.train, 2, text.word_list).write(tmp_path / "n.lm")
    with pytest.raises(SennaError, match=r"n\.lm: of kind ngram, not of"):
        open_speller(tmp_path / "n.lm")


def test_clusters_are_of_about_equal_size():
    clusters = random_clusters(10, np.random.default_rng(0))
    assert sorted(np.bincount(clusters)) == [2, 2, 3, 3]
