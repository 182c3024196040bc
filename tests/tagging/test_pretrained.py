"""Taggers that begin with a pretrained encoder."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.features.protocol import Batch
from senna_py.layers.dropout import Dropout
from senna_py.lm.model_files import open_model
from senna_py.models.embeddings import read_embeddings
from senna_py.text.vocabulary import Vocabulary
from tests.helpers.small_corpora import run, settings
from tests.helpers.small_encoders import SMALL, new_encoder_run, write_text

NETWORK = {"approach": "dilated", "width": 16, "dilations": [1, 2], "encoder": "encoder/model.lm"}
FEATURES = {"pos": 4, "suffix.2": 3, "caps": 2}


@pytest.fixture(scope="module")
def encoders(corpora):
    """The directory of the corpora, with encoders in it: of trained vectors, and of fixed ones."""
    text = [write_text(corpora / "text.txt", 300)]
    found = read_embeddings(corpora / "vectors.txt")
    rows = np.asarray(found.vectors, np.float16).astype(np.float32)
    given = Vocabulary.from_keys(found.words), rows
    for name, vectors in (("encoder", "trained"), ("fixed", "fixed")):
        made = new_encoder_run(corpora / name, text, given=given, vectors=vectors)
        assert made.run()
    return corpora


def config(task="chk", network=(), features=FEATURES, **training):
    return settings(task, features=features, network=NETWORK | dict(network), training=training)


def encoded(model, words, given):
    """States of sentences by an EncoderModel itself."""
    network = model.network(given)
    from senna_py.features.assembly import Assembly
    from senna_py.text.tokens import Tokenizer

    assembly = Assembly(
        ["word", *model.shape.features], (model.vocabularies | {"word": model.words}).get, None,
        model.words,
    )  # fmt: skip
    columns, _ = assembly(Batch(Tokenizer(model.words).pretokenized(words)))
    starts = np.append(0, np.cumsum([len(w) for w in words])).astype(np.int32)
    return network.states(columns, starts, network.encoder_layers())


@pytest.mark.parametrize("file", ["encoder", "fixed"])
@pytest.mark.parametrize(("task", "approach"), [("chk", "dilated"), ("psg", "chart")])
def test_states_are_those_of_the_encoder(task, approach, file, encoders, tmp_path):
    changes = {"encoder": f"{file}/model.lm", "approach": approach}
    given = config(task, changes, {"suffix.2": 3, "caps": 2} if task == "psg" else FEATURES)
    made = run(tmp_path, given, encoders)
    network = made.trainer().trainable.network
    inputs = made._dev_inputs
    states = network.states(inputs.features, inputs.starts, network.encoder_layers())
    model = open_model(encoders / file)
    np.testing.assert_array_equal(states, encoded(model, made.dev.words, made.word_vectors))
    in_training, _ = network.encode(inputs.features, inputs.starts, [Dropout(None)] * 2)
    # Tagging rounds what blocks multiply to 8 bits of precision, training does not.
    np.testing.assert_allclose(in_training, states, atol=3e-2)
    assert len(made.features.vocabularies["suffix.2"]) == len(model.vocabularies["suffix.2"])


def test_it_is_trained_and_resumed(encoders, tmp_path):
    given = config(optimizer="adam", rate=0.01, epochs=6)
    made = run(tmp_path, given, encoders)
    trainer = made.trainer()
    assert not trainer.run(time_limit=0)
    again = run(tmp_path, given, encoders).trainer()
    again.resume()
    assert again.run()
    assert again.best[0] > 95
    assert made.score_saved()[1][0] == pytest.approx(again.best[0])
    other = config(network={"encoder": "fixed/model.lm"}, optimizer="adam", rate=0.01, epochs=6)
    with pytest.raises(SennaError, match=r"made with network.encoder"):
        run(tmp_path, other, encoders).check_checkpoint()


@pytest.mark.parametrize(
    ("network", "features", "message"),
    [
        ({"width": 12}, FEATURES, r"network.width: 12, but .*encoder/model.lm has 16"),
        ({"dilations": [1, 3]}, FEATURES, r"network.dilations: \[1, 3\], but .* has \(1, 2\)"),
        ({"kernel": [3, 5]}, FEATURES, r"network.kernel: \[3, 5\], but .* has 3"),
        ({}, {"caps": 2}, r"features.suffix.2: not given, but .* has vectors of 3"),
        ({}, FEATURES | {"caps": 5}, r"features.caps: 5, but .* has vectors of 2"),
        ({"encoder": "none.lm"}, FEATURES, r"none.lm: No such file"),
    ],
)
def test_sizes_must_agree(network, features, message, encoders, tmp_path):
    with pytest.raises(SennaError, match=message):
        run(tmp_path, config("chk", network, features), encoders)


def test_what_has_no_encoder():
    with pytest.raises(SennaError, match=r"network.encoder: the window approach has no encoder"):
        settings("chk", network={"encoder": "model.lm"})
    with pytest.raises(SennaError, match=r"network.vectors: random, but an encoder"):
        config("chk", {"vectors": "random"})


def test_the_dictionary_must_agree(encoders, tmp_path):
    lines = (encoders / "vectors.txt").read_text().splitlines()
    place = tmp_path / "corpora"
    place.mkdir()
    for name in ("train.tsv", "dev.tsv", "encoder", "fixed"):
        (place / name).symlink_to(encoders / name)
    (place / "vectors.txt").write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(SennaError, match=r"model.lm: made with another dictionary than"):
        run(tmp_path / "run", config(), place)
    changed = [*lines[:-1], lines[-1].replace(" 0.", " 0.1").replace("-0.", "-0.1")]
    (place / "vectors.txt").write_text("\n".join(changed) + "\n")
    run(tmp_path / "run", config(), place)  # the encoder brings its own
    with pytest.raises(SennaError, match=r"model.lm: made with other vectors than"):
        run(tmp_path / "run", config("chk", {"encoder": "fixed/model.lm"}), place)
    assert SMALL["width"] == 16
