import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.nplm.build import new_network
from senna_py.lm.nplm.model import NeuralModel, Unseen
from senna_py.lm.nplm.training import classes_by_frequency, classes_of_file
from senna_py.lm.nplm.unknown_words import OpenModel
from senna_py.lm.word_list import WordList
from tests.helpers.small_networks import SHAPES
from tests.helpers.small_text import streams


def new_model(name, unseen=()):
    words = streams().word_list
    counts = np.arange(len(words)) + 1
    classes = classes_by_frequency(counts, 3) if name == "classes" else None
    network = new_network(SHAPES[name], counts, np.random.default_rng(2), classes)
    for key, array in network.parameters().items():
        if key != "output_bias":
            array[...] = (2 if name == "energy" else 10) * array  # which begins wide
    unseen = Unseen(np.array(unseen, np.int32), 0.2, len(words))
    return NeuralModel(SHAPES[name], network, unseen, words, {})


@pytest.mark.parametrize("name", SHAPES)
def test_biases_of_a_new_network_give_words_their_frequencies(name):
    counts = np.array([3, 0, 10, 1, 7, 2, 0])
    classes = np.array([1, 0, 1, 2, 2, 1, 0], np.int32) if name == "classes" else None
    network = new_network(SHAPES[name], counts, np.random.default_rng(0), classes)
    for key, array in network.parameters().items():
        if key not in ("output_bias", "class_bias"):
            array[...] = 0
        assert array.dtype == np.float32, key
    p = network.probabilities(np.zeros((1, SHAPES[name].order - 1), np.int32))
    np.testing.assert_allclose(p[0], (counts + 0.5) / (counts + 0.5).sum(), rtol=1e-5)


def test_values_too_large_for_half_precision(tmp_path):
    model = new_model("direct")
    model.network.vectors[0, 0] = 1e6
    with pytest.raises(SennaError, match="do not fit into float16"):
        model.write(tmp_path / "m.lm", half=True)


def test_the_share_of_unseen_words_is_the_best_one():
    target = np.repeat(np.arange(4), [50, 40, 7, 3])
    log_p = np.log(np.array([0.6, 0.398, 1e-3, 1e-3]))[target]
    unseen = Unseen(np.array([2, 3], np.int32), 0.5, 4)
    unseen.learn(log_p, target)
    best, learned = unseen.smooth(log_p, target).sum(), unseen.share
    assert learned == pytest.approx(0.1, abs=0.005)
    for share in np.linspace(0.01, 0.5, 50):
        unseen.share = share
        assert unseen.smooth(log_p, target).sum() < best + 1e-3
    none = Unseen(np.array([], np.int32), 0.5, 4)
    none.learn(log_p, target)
    assert none.share == 0 and none.smooth(log_p, target) is log_p


def test_a_word_that_the_network_rules_out_has_a_share():
    unseen = Unseen(np.array([1], np.int32), 0.5, 3)
    unseen.learn(np.array([-0.1, -800.0, -900.0]), np.array([0, 0, 1]))
    assert unseen.share == pytest.approx(1 / 2, abs=0.2)


def open_ids(model, text):
    return model.word_list.indices([word.encode() for word in text.split()])


@pytest.mark.parametrize("name", ["direct", "classes", "energy"])
def test_known_words_are_scored_as_ever(name):
    model, ids = new_model(name, unseen=[0, 5]), streams().valid
    found = OpenModel(model).log10_probabilities(ids[2:], ids[:2])
    np.testing.assert_allclose(
        found, model.log10_probabilities(ids[2:], ids[:2]), atol=1e-6
    )


@pytest.mark.parametrize("name", ["direct", "classes"])
def test_an_unknown_word_has_the_mean_vector_of_what_could_stand_there(name):
    model = new_model(name)
    opened = OpenModel(model)
    ids = open_ids(opened, "cat sees qux dog qux milk")
    assert opened.word_list.are_unknown(ids).tolist() == [
        False,
        False,
        True,
        False,
        True,
        False,
    ]
    log10 = opened.scorer().take(ids)
    known = model.word_list.indices([b"cat", b"sees"])
    mean = model.probabilities(known) @ model.network.vectors[:-1]
    unknown = model.word_list.unknown
    ids_known = np.where(ids > len(model.word_list), unknown, ids).astype(np.int32)
    plain = model.log10_probabilities(ids_known)
    # Nothing new in the context yet.
    np.testing.assert_allclose(log10[:3], plain[:3], atol=1e-6)
    assert np.abs(log10[3:] - plain[3:]).max() > 1e-3
    model.network.vectors[unknown] = mean  # what now every unknown word has
    np.testing.assert_allclose(log10, model.log10_probabilities(ids_known), atol=1e-5)


def test_an_energy_network_takes_unknown_words_into_its_vocabulary():
    model = new_model("energy")
    opened, network = OpenModel(model), model.network
    ids = open_ids(opened, "cat qux sees qux")
    log10 = opened.scorer().take(ids)
    context = np.array([[ids[0], len(model.word_list)]], np.int32)
    vector = network.probabilities(context) @ network.vectors[:-1]
    shift = (
        network.vectors[context].reshape(1, -1) @ network.hidden_weight
        + network.hidden_bias
    )
    units = np.tanh(
        shift + np.concatenate([network.vectors[:-1], vector]) @ network.target_weight
    )
    scores = units @ network.energy_weight[0] + np.append(
        network.output_bias, np.median(network.output_bias)
    )
    expected = np.log10(np.exp(scores[-1]) / np.exp(scores).sum())
    assert log10[1] == pytest.approx(expected, abs=1e-5)
    assert np.isfinite(log10).all() and (log10 < 0).all()
    # What the words of the vocabulary have lost is what the new word has.
    total = sum(
        10 ** OpenModel(model).scorer().take(np.append(ids[:3], w).astype(np.int32))[-1]
        for w in (*range(len(model.word_list)), ids[1])
    )
    assert total == pytest.approx(1, rel=1e-4)


@pytest.mark.parametrize("name", ["energy", "energy, own weights"])
def test_scores_of_other_words_by_energies(name):
    network = new_network(SHAPES[name], np.arange(9) + 1, np.random.default_rng(3))
    vectors = np.random.default_rng(4).normal(size=(600, 3)).astype(np.float32)
    context = np.array([[1, 2], [3, 9]], np.int32)
    shift = (
        network.vectors[context].reshape(2, -1) @ network.hidden_weight
        + network.hidden_bias
    )
    units = np.tanh(shift[:, None] + vectors @ network.target_weight)
    expected = units @ network.energy_weight.mean(0) - 0.5
    np.testing.assert_allclose(
        network.scores_of(context, vectors, -0.5), expected, atol=1e-5
    )


def test_many_unknown_words_are_scored_some_at_a_time(monkeypatch):
    text = "cat qux sees zap qux sees foo milk zap bar qux foo"
    opened = OpenModel(new_model("energy"))
    whole = opened.scorer().take(open_ids(opened, text))
    monkeypatch.setattr("senna_py.lm.nplm.unknown_words._NEW_WORDS", 3)
    opened = OpenModel(new_model("energy"))
    np.testing.assert_allclose(
        opened.scorer().take(open_ids(opened, text)), whole, atol=1e-6
    )


def test_parts_of_a_text_share_their_unknown_words():
    opened = OpenModel(new_model("energy"))
    ids = open_ids(opened, "cat qux sees zap qux sees zap milk zap")
    whole, scorer = opened.scorer().take(ids), opened.scorer()
    parts = [scorer.take(part) for part in np.split(ids, [1, 2, 5])]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)


@pytest.mark.parametrize("n_classes", [1, 2, 7, 50, 500])
def test_classes_by_frequency_have_words_and_equal_shares(n_classes):
    counts = (1000 / np.arange(1, 301)).astype(np.int64)
    np.random.default_rng(0).shuffle(counts)
    classes = classes_by_frequency(counts, n_classes)
    assert set(classes.tolist()) == set(range(classes.max() + 1))
    assert classes.max() < min(n_classes, 300)
    share = np.bincount(classes, np.sqrt(counts + 0.5))
    if n_classes == 7:
        assert len(share) == 7 and share.max() < 1.5 * share.mean()
    order = np.argsort(-counts, kind="stable")
    assert (np.diff(classes[order]) >= 0).all()


def test_classes_of_a_file(write):
    path = write("001\tcat\t7\n001\tdog\t3\n01\tsees\t9\n1\telsewhere\t1\n")
    words = WordList.of_words(["dog", "cat", "sees", "milk", "corn"], False)
    classes = dict(zip(words.words, classes_of_file(path, words).tolist(), strict=True))
    assert classes["cat"] == classes["dog"] != classes["sees"]
    assert classes["milk"] == classes["corn"]
    assert len({classes[word] for word in ("cat", "sees", "milk", "<unk>")}) == 4
    assert sorted(set(classes.values())) == [0, 1, 2, 3]
    with pytest.raises(SennaError, match="none of its words"):
        classes_of_file(path, WordList.of_words(["ant"], False))
