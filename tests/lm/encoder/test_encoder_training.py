"""Encoders that learn to predict hidden words."""

import json
from dataclasses import replace

import numpy as np
import pytest

from senna_py.errors import SennaError, UsageError
from senna_py.layers.gradients import Gradients
from senna_py.lm.encoder.network import EncoderNetwork, Shape
from senna_py.lm.encoder.training import Settings
from senna_py.lm.encoder.words import FormFeatures
from senna_py.lm.model_files import open_model
from senna_py.lm.text.forms import forms_of
from tests.helpers.finite_differences import slope_of
from tests.helpers.small_encoders import new_encoder_run, vectors, write_text
from tests.helpers.whole_gradients import whole_gradients


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return [write_text(tmp_path_factory.mktemp("text") / "text.txt")]


@pytest.fixture(scope="module")
def trained(text, tmp_path_factory):
    """A finished run."""
    run = new_encoder_run(tmp_path_factory.mktemp("run"), text, passes=6.0)
    assert run.run()
    return run


def test_it_learns_the_language(trained):
    rows = [json.loads(line) for line in trained.log.read_text().splitlines()]
    first, last = rows[0], rows[-1]
    # Of twelve words, a determiner, a noun or a verb has two or three likely ones.
    assert last["valid"] < 3.5 and last["valid"] < first["valid"] and last["rank"] < 2.5
    assert 0.3 < last["first"] <= 1 and last["words"] > 20_000
    assert trained.best[0] == pytest.approx(min(row["valid"] for row in rows), abs=1e-3)
    said = dict(open_model(trained.directory).describe())
    assert said["kind"] == "encoder" and said["features"] == "caps (5 of 2), suffix.2 (11 of 3)"
    assert float(said["validation perplexity"]) == pytest.approx(trained.best[0], abs=1e-3)


def double(network):
    """The EncoderNetwork of the same numbers as float64."""
    inner = network.network
    tables = [table.astype(float) for table in inner.tables]
    arrays = {name: array.astype(float) for name, array in inner.arrays().items()}
    output = type(network.output)(
        network.output.weight.astype(float), network.output.bias.astype(float)
    )
    return EncoderNetwork(inner.with_arrays(tables, arrays), output)


def test_gradients(trained):
    training = trained.trainable
    forms, starts = training._text.sample(3)
    (piece,) = training._pieces(forms, starts, 1000, (9,))
    assert len(piece.hidden) > 2
    network = double(training.network)
    given = np.array([1, 4, 1, 7], np.int32), training._log_expected.astype(float)
    _, gradients = network.cost(piece, *given)
    parameters = network.parameters()
    flat = {n: a[:, None] if n == "output_bias" else a for n, a in parameters.items()}
    found = whole_gradients(gradients, flat)
    for name in ("output_weight", "output_bias", "projection_weight", "projection_bias"):
        expected = slope_of(lambda: network.cost(piece, *given)[0], flat[name])
        np.testing.assert_allclose(found[name], expected, atol=1e-5, err_msg=name)
    for name in ("norm_gain", "block2_bias", "block1_gain"):  # long steps: sums are in float32
        expected = slope_of(lambda: network.cost(piece, *given)[0], flat[name], width=1e-3)
        np.testing.assert_allclose(found[name], expected, atol=1e-4, err_msg=name)
    assert set(parameters) == {*found} and all(found[name].any() for name in found)


def test_a_resumed_run_equals_an_uninterrupted_one(text, tmp_path):
    models = []
    for name, threads in (("whole", 1), ("parts", 2)):
        run = new_encoder_run(tmp_path / name, text, threads=threads)
        if name == "parts":
            for _ in range(3):
                assert not run.run(time_limit=0)  # after a batch
                run = new_encoder_run(tmp_path / name, text, threads=threads)
                run.resume()
        assert run.run()
        arrays = {n: np.asarray(a) for n, a in open_model(run.directory).arrays.items()}
        models.append((arrays, run.best))
    assert models[0][1] == models[1][1]
    for name, array in models[0][0].items():
        assert np.array_equal(array, models[1][0][name]), name


def test_another_text_is_noticed(text, tmp_path):
    run = new_encoder_run(tmp_path, text)
    run.run(time_limit=0)
    with pytest.raises(SennaError, match="made with other weights"):
        new_encoder_run(tmp_path, text, weights=[0.5]).resume()
    with pytest.raises(SennaError, match=r"made with passes 2.0, asked for 1.0"):
        new_encoder_run(tmp_path, text, passes=1.0).resume()


def test_hidden_words_are_seen_as_padding(trained):
    training = trained.trainable
    forms, starts = training._text.sample(200)
    columns = training.features.columns[forms]
    (piece,) = training._pieces(forms, starts, 10_000, (5,))
    assert np.array_equal(piece.starts, starts)
    padded = (piece.features == training.features.padding).all(axis=1)
    changed = (piece.features != columns).any(axis=1)
    assert set(np.flatnonzero(changed)) <= set(piece.hidden)
    assert padded[piece.hidden].mean() == pytest.approx(0.8, abs=0.07)
    assert changed[piece.hidden].mean() == pytest.approx(0.89, abs=0.07)
    assert len(piece.hidden) / len(forms) == pytest.approx(0.3, abs=0.04)
    assert np.array_equal(training.output_words[piece.target], columns[piece.hidden, 0])


def test_fixed_vectors_are_not_stored(text, tmp_path):
    run = new_encoder_run(tmp_path, text, vectors="fixed", passes=0.3)
    assert run.run()
    _, given = vectors()
    assert np.array_equal(run.trainable.network.network.tables[0], given)
    model = open_model(tmp_path)
    assert "vectors" not in model.arrays and model.digest
    network = model.network(given)
    tables = run.trainable.network.network.tables
    assert len(network.tables) == 3
    np.testing.assert_allclose(network.tables[1], tables[1], atol=1e-3)


def test_the_most_frequent_keys_are_known(text, tmp_path):
    corpus, (words, _) = forms_of(text, tmp_path / "forms", 1), vectors()
    features = FormFeatures.of_forms(corpus, words, ["suffix.2"], 3)
    keys = features.vocabularies["suffix.2"].keys()
    assert keys[:2] == ["NOSUFFIX", "PADDING"] and len(keys) == 5 and {"es", "he"} < {*keys}
    row = corpus.forms.index("sees")
    assert features.vocabularies["suffix.2"][features.columns[row, 1]] == "es"
    assert words[features.columns[row, 0]] == "sees"


@pytest.mark.parametrize(
    "name", ["sentence.caps", "pos", "gazetteer.first", "spelling.char", "word"]
)
def test_features_of_more_than_a_word_are_refused(name):
    with pytest.raises(UsageError, match="an encoder cannot use this feature"):
        Settings(Shape(features={name: 3}))


def test_gradients_of_parts_are_summed():
    whole = {"a": np.zeros(3), "t": np.zeros((4, 2))}
    one, other = Gradients(), Gradients()
    one.add("a", np.array([1.0, 2, 3]))
    other.add("a", np.ones(3))
    one.rows("t", 4, np.array([1, 1], np.int32), np.ones((2, 2)))
    other.rows("t", 4, np.array([3, 1], np.int32), np.ones((2, 2)))
    one.take(other)
    assert len(one.by_row) == 1
    one.scale(0.5)
    found = whole_gradients(one, whole)
    assert found["a"].tolist() == [1, 1.5, 2]
    assert found["t"].tolist() == [[0, 0], [1.5, 1.5], [0, 0], [0.5, 0.5]]


def test_damaged_files_are_refused(trained, tmp_path):
    model = open_model(trained.directory)
    for change, message in (
        (
            {"output_bias": np.zeros(3, np.float16)},
            r"float16\[3\], expected float16\[10\]",
        ),
        ({"norm_gain": np.full(16, np.nan, np.float16)}, "'norm_gain': not all"),
        ({"block1_weight": np.zeros((16, 32), np.float16)}, r"expected float16\[48, 32\]"),
        ({"input_weight": np.zeros((11, 17), np.float16)}, "input_weight"),
    ):
        bad = replace(model, arrays=model.arrays | change)
        bad.write(tmp_path / "bad.lm")
        with pytest.raises(SennaError, match=message):
            open_model(tmp_path / "bad.lm")
    with pytest.raises(SennaError, match="it scores no text"):
        model.word_list  # noqa: B018
