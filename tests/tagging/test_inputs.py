"""Labels, features and batches."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna_py.tagging.data import Sentences
from senna_py.tagging.inputs import Inputs, label_keys
from tests.helpers.small_corpora import run, settings


def test_label_keys():
    tags = [["S-NP", "O", "B-VP", "E-VP"], ["S-VP", "B-NP", "E-NP", "S-PP"]]
    sentences = Sentences([list("abcd")] * 2, tags)
    assert label_keys(sentences, "segments") == [
        "O", "B-NP", "B-VP", "E-NP", "E-VP", "S-NP", "S-PP", "S-VP",
    ]  # fmt: skip
    assert "S-PP" not in label_keys(sentences, "segments", 2)
    assert label_keys(Sentences([["a"]], [{0: ["S-V"]}]), "roles") == ["O", "S-V"]
    tags = Sentences([list("abc")], [["I-x", "O", "A"]])
    assert label_keys(tags, "tags", 5) == ["A", "I-x", "O"]


def random_inputs(rng, lengths, roles):
    """Inputs of sentences of given lengths, with up to three predicates in each."""
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    labels = []
    for n in lengths:
        predicates = sorted(rng.choice(n, min(n, rng.integers(4)), replace=False).tolist())
        one = [rng.choice(["A", "B", "C"], n).tolist() for _ in range(max(len(predicates), 1))]
        labels.append(dict(zip(predicates, one, strict=False)) if roles else one[0])
    features = rng.integers(9, size=(starts[-1], 2)).astype(np.int32)
    sentences = Sentences([["w"] * n for n in lengths], labels, place=[("a", 1)] * len(lengths))
    return sentences, Inputs.make(sentences, features, starts, ["A", "B", "C"])


lengths = st.lists(st.integers(1, 5), min_size=1, max_size=8)


@given(lengths, st.booleans(), st.integers(0, 999), st.data())
def test_a_batch_is_its_sentences(lengths, roles, seed, data):
    sentences, inputs = random_inputs(np.random.default_rng(seed), lengths, roles)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(lengths) - 1))))
    batch = inputs.batch(np.array(chosen, np.int64))
    taken = sentences.take(chosen)
    rows = [np.arange(*inputs.starts[i : i + 2]) for i in chosen]
    features = inputs.features[np.concatenate([np.empty(0, int), *rows])]
    again = Inputs.make(
        taken, features, np.append(0, np.cumsum([lengths[i] for i in chosen])).astype(np.int32),
        ["A", "B", "C"],
    )  # fmt: skip
    for name in ("features", "starts", "gold", "row_starts", "sentence", "predicate"):
        found, expected = getattr(batch, name), getattr(again, name)
        if roles and expected is None:
            continue  # without any sentence there is nothing that says what is asked for
        assert (found is None) == (expected is None), name
        if found is not None:
            assert found.tolist() == expected.tolist(), name
            assert name == "row_starts" or found.dtype == np.int32, name


def test_roles_by_hand():
    labels = [{}, {0: ["B", "A"], 1: ["A", "B"]}, {2: ["C", "A", "A"]}]
    sentences = Sentences([["u"], ["v", "w"], ["x", "y", "z"]], labels)
    starts = np.array([0, 1, 3, 6], np.int32)
    features = np.arange(6, dtype=np.int32)[:, None]
    inputs = Inputs.make(sentences, features, starts, ["A", "B", "C"])
    assert inputs.sentence.tolist() == [1, 1, 2]
    assert inputs.predicate.tolist() == [1, 2, 5]
    assert inputs.useful().tolist() == [1, 2]
    batch = inputs.batch(np.array([0, 2]))
    assert batch.features[:, 0].tolist() == [0, 3, 4, 5]
    assert batch.starts.tolist() == [0, 1, 4]
    assert batch.sentence.tolist() == [1]
    assert batch.predicate.tolist() == [3]
    assert batch.gold.tolist() == [2, 0, 0]
    assert batch.row_starts.tolist() == [0, 3]


def test_an_unknown_label_is_the_first():
    sentences = Sentences([["u", "v"]], [["B", "X"]])
    inputs = Inputs.make(sentences, np.zeros((2, 1), np.int32), np.array([0, 2]), ["A", "B"])
    assert inputs.gold.tolist() == [1, 0]


def test_features_of_a_run(corpora, tmp_path):
    features = {"suffix.1": 3, "pos": 4, "shape": 2}
    made = run(tmp_path, settings(features=features), corpora)
    index, starts = made.features.index(made.dev)
    assert made.features.names == ("word", "caps", "suffix.1", "pos", "shape")
    words = [word for sentence in made.dev.words for word in sentence]
    assert [made.words[i] for i in index[:, 0]] == [word.lower() for word in words]
    vocabulary = made.features.vocabularies["pos"]
    tags = [tag for column in made.dev.columns["pos"] for tag in column]
    assert [vocabulary[i] for i in index[:, 3]] == tags
    suffixes = made.features.vocabularies["suffix.1"]
    assert [suffixes[i] for i in index[:, 2]] == [word[-1].lower() for word in words]
    assert np.diff(starts).tolist() == [len(sentence) for sentence in made.dev.words]
    padding = made.features.padding()
    assert made.words[padding[0]] == vocabulary[padding[3]] == "PADDING"
    other = made.dev.take([0])
    other.columns["pos"][0][0] = "never seen"
    assert vocabulary[made.features.index(other)[0][0, 3]] == "UNAVAILABLE"


def test_places_in_a_gazetteer(corpora, tmp_path):
    (corpora / "dogs.lst").write_text("big dog\nAnna\n")
    config = settings(features={"gazetteer.dogs": 2}, gazetteers={"dogs": ["dogs.lst"]})
    made = run(tmp_path, config, corpora)
    index, _ = made.features.index(made.train)
    keys = made.features.vocabularies["gazetteer.dogs"].keys()
    found = [keys[i] for i in index[:, -1]]
    words = [word for sentence in made.train.words for word in sentence]
    for (first, second), (place, next_place) in zip(
        itertools.pairwise(words), itertools.pairwise(found), strict=True
    ):
        assert (place == "S") == (first == "Anna")
        assert (place == "B") == (next_place == "E") == ((first, second) == ("big", "dog"))
    config = settings(
        features={"gazetteer.dogs": 2}, gazetteers={"dogs": ["dogs.lst"]}, gazetteer_places=False
    )
    made = run(tmp_path, config, corpora)
    index, _ = made.features.index(made.train)
    keys = made.features.vocabularies["gazetteer.dogs"].keys()
    assert [keys[i] for i in index[:, -1]] == ["NO" if p == "O" else "YES" for p in found]


def test_word_classes(corpora, tmp_path):
    (corpora / "kinds.tsv").write_text("0110\tdog\t3\n0110\tcat\t2\n010\trome\t9\n1\tThe\t1\n")
    features = {"class.kinds": 2, "class.kinds.2": 3}
    made = run(tmp_path, settings(features=features, classes={"kinds": "kinds.tsv"}), corpora)
    index, _ = made.features.index(made.train)
    kinds = {"dog": "0110", "cat": "0110", "Rome": "010", "the": "1"}
    words = [word for sentence in made.train.words for word in sentence]
    for column, length in ((-2, None), (-1, 2)):
        keys = made.features.vocabularies[made.features.names[column]].keys()
        expected = [kinds[w][:length] if w in kinds else "NOCLASS" for w in words]
        assert [keys[i] for i in index[:, column]] == expected
        assert keys[made.features.padding()[column]] == "PADDING"
