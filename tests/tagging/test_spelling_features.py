"""Taggers that see the spelling of new words: from a language model to tags."""

import numpy as np
import pytest

from senna_py.errors import SennaError
from senna_py.kernels.runtime.jit import plain_way
from senna_py.lm.lstm.word_vectors import Speller
from senna_py.models.build import build_model
from senna_py.models.exchange import export_senna
from senna_py.models.native import FILE_NAME, NativeModel
from senna_py.tagger import Tagger
from senna_py.tagging.cascade import Predictor, add_predictions, decode
from senna_py.tagging.spelling_of_lm import principal_components, read_spelling
from tests.helpers.small_corpora import (
    WORDS,
    run,
    settings,
    write_columns,
    write_corpora,
    write_vectors,
)
from tests.helpers.small_spellings import write_char_model

NEW = ["the", "wuggs", "sees", "Xanna", "xanna", "."]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Directory with corpora, of which dev has new words, vectors and a language model."""
    directory = write_corpora(tmp_path_factory.mktemp("spelling"))
    write_vectors(directory / "vectors.txt", [w for w in WORDS if w not in ("cat", "anna")])
    write_char_model(directory / "char.lm")
    return directory


def config(task="pos", dim=7, **changes):
    training = {"epochs": 3, "batch": 4, "optimizer": "adagrad", "rate": 0.1, "unknown": 0.3}
    training |= changes.pop("training", {})
    features = {"caps": 2, "spelling.char": dim, **changes.pop("features", {})}
    return settings(
        task, features=features, spelling={"char": "char.lm"}, training=training, **changes
    )


@pytest.fixture(scope="module")
def trained(place, tmp_path_factory):
    """A finished Run, and its directory."""
    directory = tmp_path_factory.mktemp("run")
    made = run(directory, config(training={"epochs": 12}), place)
    assert made.trainer().run()
    return made, directory


def test_what_is_read_is_the_model_projected(place, tmp_path):
    model = write_char_model(tmp_path / "m.lm")
    words, vectors = ["the", "dog", "cat", "sees", "wug", "stars", "gus"], np.full((2, 3), 0.5)
    vectors[0] *= -1
    spelling = read_spelling(tmp_path / "m.lm", 3, words, vectors)
    features = Speller(model, "m").vectors(words).astype(float)
    weight, bias = principal_components(features, 3, 0.5)
    np.testing.assert_allclose(spelling.features(words), features, atol=0.02)  # float16
    found = spelling.vectors(words)
    np.testing.assert_allclose(found, features @ weight + bias, atol=0.05)
    assert abs(found.std() - 0.5) < 0.01
    assert {array.dtype.name for array in spelling.arrays.values()} == {"uint8", "float16"}


def test_principal_components():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((400, 5)) @ rng.standard_normal((5, 5)) + 3
    weight, bias = principal_components(x, 3, 2.0)
    y = x @ weight + bias
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-4)
    assert abs(y.std() - 2) < 1e-4
    covariance = np.cov(y.T)
    np.testing.assert_allclose(covariance, np.diag(np.diag(covariance)), atol=1e-3)
    singular = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)[:3] ** 2
    np.testing.assert_allclose(np.diag(covariance) / covariance[0, 0], singular / singular[0],
                               rtol=1e-4)  # fmt: skip
    same, _ = principal_components(np.ones((4, 3)), 2, 1.0)  # nothing varies
    assert np.isfinite(same).all()


def test_the_tagger_does_what_was_scored(trained):
    made, directory = trained
    network = made.features.with_tables(NativeModel(directory).network("pos"))
    expected = decode(network, made._inputs(made.dev), made.keys)
    tagger = Tagger(directory, ["pos"])
    assert [[t.pos for t in s] for s in tagger.pipe(made.dev.words)] == expected
    assert Predictor(directory, "pos")(made.dev) == expected
    assert made.score_saved()[1][0] > 95
    assert made.trainer().trainable.network.tables[2].rows[0].tolist() == [0] * 7


def test_new_words_are_told_apart_by_their_spelling(place, tmp_path):
    """With nothing else to go by: no capitals, and a window of one word."""
    sentences = [[(word, label)] for word in ("dog", "dogs", "star", "stars", "cat", "cats")
                 for label in ["X" if word.endswith("s") else "Y"]]  # fmt: skip
    for name in ("train.tsv", "dev.tsv"):
        write_columns(tmp_path / name, sentences)
    write_vectors(tmp_path / "vectors.txt", ["PADDING", "UNKNOWN"])
    words = ["<unk>", "<s>", "</s>", *(row[0][0] for row in sentences)]
    write_char_model(tmp_path / "char.lm", words)
    data = [{"files": ["train.tsv"], "columns": ["word", "kind"]}]
    dev = [{"files": ["dev.tsv"], "columns": ["word", "kind"]}]
    for features, right in (({}, False), ({"spelling.char": 9}, True)):
        given = settings(
            "kind", kind="tags", train=data, dev=dev, network={"window": 1}, training={
            "epochs": 60}, spelling={"char": "char.lm"},
        )  # fmt: skip
        given.features = features
        made = run(tmp_path / str(right), given, tmp_path)
        made.trainer().run()
        assert (made.score_saved()[1][0] == 100) == right


def test_tags_do_not_depend_on_batches(trained):
    _, directory = trained
    rng = np.random.default_rng(1)
    letters = list("abcdehgiorstuwxyé")
    words = ["".join(rng.choice(letters, rng.integers(1, 9))) for _ in range(60)]
    sentences = [list(rng.choice([*words, "the", "dog", "."], 7)) for _ in range(80)]

    def scores(tagger, batch):
        tokens = tagger.tokenizer.pretokenized(batch)
        return tagger.annotate(tokens).tags["pos"].tolist()

    whole = scores(Tagger(directory, ["pos"]), sentences)
    for size in (1, 3, 33):
        tagger = Tagger(directory, ["pos"])
        for _ in range(2):
            parts = [scores(tagger, sentences[i : i + size]) for i in range(0, 80, size)]
            assert [tag for part in parts for tag in part] == whole
    with plain_way():
        assert scores(Tagger(directory, ["pos"]), sentences) == whole


def test_resumed_run_equals_an_uninterrupted_one(place, tmp_path):
    whole = run(tmp_path / "whole", config(), place).trainer()
    assert whole.run()
    first = run(tmp_path / "parts", config(), place).trainer()
    first.run(show=lambda done, total: first.stop() if done == 4 else None)
    again = run(tmp_path / "parts", config(), place).trainer()
    again.resume()
    assert again.run()
    models = [(tmp_path / name / FILE_NAME).read_bytes() for name in ("parts", "whole")]
    assert models[0] == models[1]
    other = tmp_path / "corpora"
    other.mkdir()
    for name in ("train.tsv", "dev.tsv", "vectors.txt"):
        (other / name).symlink_to(place / name)
    write_char_model(other / "char.lm", seed=1)
    with pytest.raises(SennaError, match=r"made with other spelling char$"):
        run(tmp_path / "parts", config(), other).trainer().resume()


def test_only_the_spelling_of_hidden_words_is_seen(place, tmp_path):
    made = run(tmp_path, config(), place)
    trainer, inputs = made.trainer(), made._inputs(made.train)
    new = [word.lower() not in WORDS or word.lower() in ("cat", "anna")
           for words in made.train.words for word in words]  # fmt: skip
    assert any(new) and ((inputs.features[:, 2] > 0) == new).all()
    features = trainer.trainable._hide_words(inputs, np.random.default_rng(0))
    hidden = features[:, 0] != inputs.features[:, 0]
    assert 0.2 < hidden.mean() < 0.4
    assert np.array_equal(features[hidden, 2], inputs.spelled[hidden])
    assert np.array_equal(features[~hidden], inputs.features[~hidden])
    part = inputs.batch(np.array([3, 7]))
    words = made.train.words[3] + made.train.words[7]
    rows = made.features.spelled_tables["spelling.char"].rows[part.spelled]
    assert np.array_equal(rows, made.resources["spellings"]["char"].vectors(words))


def test_roles_and_cascades_see_it(place, trained, tmp_path):
    made = run(tmp_path / "srl", config("srl", network={"direct": True}), place)
    assert made.trainer().run()
    tagger = Tagger(tmp_path / "srl", ["srl"], predicates="given")
    assert len(tagger(NEW, predicates=[2])) == len(NEW)
    chk = config("chk", features={"pos": 2}, cascade={"pos": str(trained[1])})
    made = run(tmp_path / "chk", chk, place)
    add_predictions(trained[1], "pos", made.dev, held_out=False)
    assert made.trainer().run()
    build_model(tmp_path / "both", [trained[1], tmp_path / "chk"])
    both = NativeModel(tmp_path / "both")
    assert both.resources("spellings") == ("char",)
    paths = (tmp_path / "both", trained[1])
    tags = [[token.pos for token in Tagger(path, ["pos"])(NEW)] for path in paths]
    assert tags[0] == tags[1]
    with pytest.raises(SennaError, match=r"cannot hold the feature spelling\.char of pos"):
        export_senna(NativeModel(trained[1]), tmp_path / "senna")
    short = run(tmp_path / "ner", config("ner", dim=3), place)
    assert short.trainer().run()
    with pytest.raises(SennaError, match="its spelling char is not that of the others"):
        build_model(tmp_path / "all", [trained[1], tmp_path / "ner"])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"dim": 25}, "char.lm: 25 numbers asked for, it represents words by 24"),
        ({"spelling": {"char": "none.lm"}}, "none.lm: No such file"),
        ({"spelling": {"char": "train.tsv"}}, "train.tsv: "),
        ({"spelling": {"char": "words.lm"}}, "words.lm: a model of word vectors, not one of"),
        ({"spelling": {}}, "features: spelling.char, but there is no spelling char"),
        ({"spelling": {"char": ["char.lm"]}}, "spelling.char: expected a model's path"),
    ],
)
def test_unusable_spellings(given, problem, place, tmp_path):
    write_char_model(place / "words.lm", kind="word")
    values = {"features": {"spelling.char": given.pop("dim", 3)}, "spelling": {"char": "char.lm"}}
    with pytest.raises(SennaError, match=problem) as error:
        run(tmp_path, settings("pos", **values | given), place)
    assert "\n" not in str(error.value)
