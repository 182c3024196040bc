import json
from types import SimpleNamespace

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.lm.lstm import model as model_module
from senna_py.lm.lstm import training
from senna_py.lm.lstm.lexicon import random_clusters
from senna_py.lm.lstm.model import LstmModel, average_unknown
from senna_py.lm.lstm.network import new_network
from senna_py.lm.lstm.word_vectors import Speller, open_speller
from senna_py.lm.model_files import open_model
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.word_list import WordList
from tests.helpers.small_lstms import SHAPES, WORDS, parts_of, small_network
from tests.helpers.small_text import streams
from tests.helpers.small_trainers import lstm_run


def small_model(name):
    shape = SHAPES[name]
    network = small_network(shape, np.float32)
    return LstmModel(shape, parts_of(shape), network, WordList(WORDS), {})


@pytest.mark.parametrize("name", SHAPES)
def test_a_network_begins_with_small_numbers_but_for_padding_and_gates(name):
    shape, parts = SHAPES[name], parts_of(SHAPES[name])
    arrays = new_network(shape, parts, 0.05, np.random.default_rng(0)).parameters()
    assert {key: array.shape for key, array in arrays.items()} == shape.arrays(
        parts.sizes()
    )
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
    model.network.inputs.forward = lambda words: (
        calls.append(words.tolist()),
        forward(words),
    )[1]
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
        among = [
            line.split()[0] for line in speller.table([word], 20, "cosine", among=5)[3:]
        ]
        assert among == [w for w in near if w in WORDS[:5]]
        many = [
            line.split()[0]
            for line in speller.table([word], 20, "cosine", among=999)[3:]
        ]
        assert many == near


def test_only_these_models_spell(tmp_path):
    text = streams()
    train_kneser_ney(text.train, 2, text.word_list).write(tmp_path / "n.lm")
    with pytest.raises(SennaError, match=r"n\.lm: of kind ngram, not of"):
        open_speller(tmp_path / "n.lm")


def test_clusters_are_of_about_equal_size():
    clusters = random_clusters(10, np.random.default_rng(0))
    assert sorted(np.bincount(clusters)) == [2, 2, 3, 3]


def test_the_rate_falls_linearly_over_the_run(tmp_path):
    trainer = lstm_run(tmp_path, epochs=3, least_gain=1e9, final_rate=0.1)
    training, rates, step = trainer.trainable, [], trainer.trainable.step
    training.step = lambda *given: (
        rates.append(training.scheduled_rate()),
        step(*given),
    )
    assert trainer.run()
    n = 3 * training.n_batches()
    expected = 0.5 * (1 - 0.9 * np.arange(n) / n)
    np.testing.assert_allclose(rates, expected)
    model = open_model(tmp_path)
    assert dict(model.describe())["final_rate"] == "0.1"
    with pytest.raises(SennaError, match="made with epochs 3, asked for 4"):
        lstm_run(tmp_path, epochs=4, least_gain=1e9, final_rate=0.1).resume()


def test_the_rate_goes_by_the_epoch_before_and_not_by_the_best(tmp_path, monkeypatch):
    course = iter([100.0, 90.0, 95.0, 93.5, 93.0])
    monkeypatch.setattr(
        training, "score_stream", lambda *_: SimpleNamespace(perplexity=next(course))
    )
    trainer = lstm_run(tmp_path, epochs=5, rate=0.5, least_gain=1.0)
    trainer.run()
    rows = [json.loads(line) for line in trainer.log.read_text().splitlines()]
    assert [row["rate"] for row in rows] == [0.5, 0.5, 0.5, 0.25, 0.25]
    assert trainer.trainable.schedule.rate == 0.125 and trainer.best == (90.0, 2)


def test_the_state_is_carried_from_piece_to_piece_and_zero_where_an_epoch_begins(
    tmp_path,
):
    run = lstm_run(tmp_path, rate=0.0, dropout=0.0, epochs=2)
    training = run.trainable

    def state_after(n_pieces):
        state, n = training.network.first_state(2), 6 * n_pieces
        training.network.log_probabilities(
            training._words[:n], training._targets[:n], state
        )
        return state

    train, states = training.train, []

    def watched(number, worker):
        result = train(number, worker)
        states.append(training._state.copy())
        return result

    training.train = watched
    assert run.run()
    np.testing.assert_allclose(states[1], state_after(2), atol=1e-5)
    assert np.abs(state_after(2) - state_after(1)).max() > 1e-3
    np.testing.assert_allclose(states[training.n_batches()], state_after(1), atol=1e-5)


def test_gradients_are_averaged_over_the_batch_and_clipped(tmp_path):
    def step(**changes):
        training = lstm_run(tmp_path, dropout=0.0, **changes).trainable
        before = {name: a.copy() for name, a in training.network.parameters().items()}
        training.train(0, 0)
        moved = [a - before[name] for name, a in training.network.parameters().items()]
        return np.concatenate([array.ravel() for array in moved])

    free, clipped = step(clip=1e9), step(clip=0.01)
    assert np.linalg.norm(free) > 0.02
    assert np.linalg.norm(clipped) == pytest.approx(0.5 * 0.01, rel=1e-3)
    cosine = free @ clipped / np.linalg.norm(free) / np.linalg.norm(clipped)
    assert cosine == pytest.approx(1, abs=1e-4)


def test_the_stretches_of_the_text_lie_side_by_side(tmp_path):
    text = streams(50, marks=True)
    trainer = lstm_run(tmp_path, text)
    words = text.train[text.train != text.word_list.begin]
    n = len(words) // 2
    np.testing.assert_array_equal(
        trainer.trainable._targets.T.reshape(-1), words[: 2 * n]
    )
    np.testing.assert_array_equal(
        trainer.trainable._words[1:], trainer.trainable._targets[:-1]
    )
    assert trainer.trainable._words[0, 0] == text.word_list.end
    np.testing.assert_array_equal(
        trainer.trainable._words[0, 1:], trainer.trainable._targets[-1, :-1]
    )


def test_the_same_morphemes_may_come_from_another_file(tmp_path):
    trainer = lstm_run(tmp_path, input="morph", epochs=1)
    trainer.run()
    moved = lstm_run(tmp_path, input="morph", epochs=2, segmentation="elsewhere")
    moved.resume()
    assert moved.progress.epoch == 1


def test_a_text_shorter_than_the_batch(tmp_path):
    with pytest.raises(SennaError, match="too few for --batch 4"):
        lstm_run(tmp_path, streams(1), batch=4)
