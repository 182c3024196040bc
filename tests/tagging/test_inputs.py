"""Labels, features and batches; what networks learn of trees."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import parse_tree
from senna_py.errors import SennaError
from senna_py.labels import tree_keys
from senna_py.tagging.data import Sentences
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.kinds import kind_of
from tests.helpers.random_trees import trees
from tests.helpers.small_corpora import run, settings


def keys_of(task, labels, min_count=1, kind=""):
    found = kind_of(task, kind)
    found.find_keys(labels, min_count)
    return found.keys


def test_keys():
    tags = [["S-NP", "O", "B-VP", "E-VP"], ["S-VP", "B-NP", "E-NP", "S-PP"]]
    assert keys_of("chk", tags) == [
        "O",
        "B-NP",
        "B-VP",
        "E-NP",
        "E-VP",
        "S-NP",
        "S-PP",
        "S-VP",
    ]
    assert "S-PP" not in keys_of("chk", tags, 2)
    assert keys_of("srl", [{0: ["S-V"]}]) == ["O", "S-V"]
    assert keys_of("mine", [["I-x", "O", "A"]], 5, "tags") == ["A", "I-x", "O"]


def random_inputs(rng, lengths, task):
    """Inputs of sentences of given lengths, some without labels, with up to three
    predicates.
    """
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    labels = []
    for n in lengths:
        predicates = sorted(
            rng.choice(n, min(n, rng.integers(4)), replace=False).tolist()
        )
        one = [
            rng.choice(["A", "B", "C"], n).tolist()
            for _ in range(max(len(predicates), 1))
        ]
        found = dict(zip(predicates, one, strict=False)) if task == "srl" else one[0]
        labels.append(found if rng.random() < 0.8 else None)
    features = rng.integers(9, size=(starts[-1], 2)).astype(np.int32)
    ones = [1.0] * len(lengths)
    sentences = Sentences(
        [["w"] * n for n in lengths],
        {task: labels},
        {},
        [("a", 1)] * len(lengths),
        ones,
        ones,
    )
    kind = kind_of(task)
    kind.keys = ["A", "B", "C"]
    return (
        sentences,
        Inputs.make(sentences, features, starts, {task: kind}),
        {task: kind},
    )


lengths = st.lists(st.integers(1, 5), min_size=1, max_size=8)


@given(lengths, st.sampled_from(["pos", "srl"]), st.integers(0, 999), st.data())
def test_a_batch_is_its_sentences(lengths, task, seed, data):
    sentences, inputs, kinds = random_inputs(np.random.default_rng(seed), lengths, task)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(lengths) - 1), min_size=1)))
    words, lessons = inputs.words(np.array(chosen)), inputs.lessons(np.array(chosen))
    again = Inputs.make(sentences.take(chosen), words.features, words.starts, kinds)
    expected = again.lessons(np.arange(len(chosen)))
    assert lessons.keys() == expected.keys()
    rows = [np.arange(*inputs.starts[i : i + 2]) for i in chosen]
    assert words.features.tolist() == inputs.features[np.concatenate(rows)].tolist()
    for name, lesson in lessons.items():
        other = expected[name]
        assert (lesson.rows is None) == (other.rows is None)
        assert lesson.rows is None or lesson.rows.tolist() == other.rows.tolist()
        assert lesson.words.starts.tolist() == other.words.starts.tolist()
        for ours, theirs in zip(
            lesson.targets.arrays(), other.targets.arrays(), strict=False
        ):
            assert ours.tolist() == theirs.tolist()
        if task == "srl":
            assert lesson.words.predicate.tolist() == other.words.predicate.tolist()


def test_roles_by_hand():
    labels = [{}, {0: ["B", "A"], 1: ["A", "B"]}, {2: ["C", "A", "A"]}]
    kind = kind_of("srl")
    kind.keys = ["A", "B", "C"]
    sentences = Sentences(
        [["u"], ["v", "w"], ["x", "y", "z"]],
        {"srl": labels},
        {},
        [],
        [1.0] * 3,
        [1.0] * 3,
    )
    features = np.arange(6, dtype=np.int32)[:, None]
    inputs = Inputs.make(
        sentences, features, np.array([0, 1, 3, 6], np.int32), {"srl": kind}
    )
    assert inputs.useful().tolist() == [1, 2]
    chosen = np.array([0, 2])
    assert inputs.words(chosen).features[:, 0].tolist() == [0, 3, 4, 5]
    lesson = inputs.lessons(chosen)["srl"]
    assert lesson.words.starts.tolist() == [0, 1, 4]
    assert lesson.words.sentence.tolist() == [1]
    assert lesson.words.predicate.tolist() == [3]
    assert lesson.targets.gold.tolist() == [2, 0, 0]
    assert lesson.targets.row_starts.tolist() == [0, 3]


def test_an_unknown_label_is_the_first():
    kind = kind_of("pos")
    kind.keys = ["A", "B"]
    assert kind.targets([["B", "X"]], None).gold.tolist() == [1, 0]


def test_features_of_a_run(corpora, tmp_path):
    features = {"suffix.1": 3, "pos": 4, "shape": 2}
    made = run(tmp_path, settings(features=features), corpora)
    index, starts = made.data.features.index(made.data.dev)
    assert made.data.features.names == ("word", "caps", "suffix.1", "pos", "shape")
    words = [word for sentence in made.data.dev.words for word in sentence]
    assert [made.data.words[i] for i in index[:, 0]] == [word.lower() for word in words]
    vocabulary = made.data.features.vocabularies["pos"]
    tags = [tag for column in made.data.dev.columns["pos"] for tag in column]
    assert [vocabulary[i] for i in index[:, 3]] == tags
    suffixes = made.data.features.vocabularies["suffix.1"]
    assert [suffixes[i] for i in index[:, 2]] == [word[-1].lower() for word in words]
    assert np.diff(starts).tolist() == [
        len(sentence) for sentence in made.data.dev.words
    ]
    padding = made.data.features.padding()
    assert made.data.words[padding[0]] == vocabulary[padding[3]] == "PADDING"
    other = made.data.dev.take([0])
    other.columns["pos"][0][0] = "never seen"
    assert vocabulary[made.data.features.index(other)[0][0, 3]] == "UNAVAILABLE"


def test_places_in_a_gazetteer(corpora, tmp_path):
    (corpora / "dogs.lst").write_text("big dog\nAnna\n")

    def found_with(**changes):
        lists = {
            "features": {"gazetteer.dogs": 2},
            "gazetteers": {"dogs": ["dogs.lst"]},
        }
        made = run(tmp_path, settings(**lists, **changes), corpora)
        index, _ = made.data.features.index(made.data.train)
        keys = made.data.features.vocabularies["gazetteer.dogs"].keys()
        return [keys[i] for i in index[:, -1]], made

    found, made = found_with()
    words = [word for sentence in made.data.train.words for word in sentence]
    for (first, second), (place, next_place) in zip(
        itertools.pairwise(words), itertools.pairwise(found), strict=True
    ):
        assert (place == "S") == (first == "Anna")
        assert (
            (place == "B") == (next_place == "E") == ((first, second) == ("big", "dog"))
        )
    places, _ = found_with(gazetteer_places=False)
    assert places == ["NO" if place == "O" else "YES" for place in found]


TREE = parse_tree(
    "(TOP (S (NP (DT a) (NN b)) (VP (VB c) (S (VP (TO d) (NP (NN e)))))))"
)


def kind(labels, min_count=1):
    """The kind of trees with the keys of some."""
    found = kind_of("psg")
    found.find_keys(labels, min_count)
    return found


def learned(kind, labels):
    """The Constituents that a network learns of trees."""
    return kind.targets(labels, None).trees


def test_keys_are_in_the_order_of_the_types():
    keys = kind([TREE]).keys
    assert keys[:5] == ["O", "B-NP", "I-NP", "E-NP", "S-NP"]
    assert keys[1::4] == ["B-NP", "B-S", "B-S(VP", "B-VP"]


def test_rare_chains_are_reduced():
    found = kind([TREE], min_count=2)
    assert found.keys[1::4] == ["B-NP", "B-S", "B-VP"]
    # S(VP is S, the outer one of as frequent parts
    assert learned(found, [TREE]).label.tolist() == [1, 0, 2, 1, 0]


def test_constituents_are_in_order():
    found = learned(kind([TREE]), [TREE, parse_tree("(TOP (X a))"), TREE])
    assert found.starts.tolist() == [0, 5, 5, 10]
    assert found.begin[:5].tolist() == [0, 0, 2, 3, 4]
    assert found.end[:5].tolist() == [5, 2, 5, 5, 5]
    assert found.label[5:].tolist() == [1, 0, 3, 2, 0]
    assert {array.dtype for array in found[1:4]} == {np.dtype(np.int32)}
    assert found.take(np.array([2])).begin.tolist() == found.begin[:5].tolist()


def test_what_training_has_not_seen():
    known = kind([TREE])
    tree = parse_tree("(TOP (S (VP (NP (NN a)))) (QP (CD b)))")
    found = learned(known, [tree])
    assert (found.begin.tolist(), found.end.tolist()) == ([0], [1])
    assert known.keys[1 + 4 * found.label[0]] == "B-S(VP"  # a part of S(VP(NP
    assert known.unknown(tree) == [("QP", 1)]
    assert known.unknown(TREE) == []


def test_types_of_another_network():
    known = kind([TREE], min_count=2)
    assert known.lacking(tree_keys.keys_of_types(["S(VP", "NP", "VP"])) == {"S"}
    known.take_keys(tree_keys.keys_of_types(["S(VP", "NP", "VP", "X"]))
    assert known.keys[1::4] == ["B-S(VP", "B-NP", "B-VP", "B-X"]
    # However rare they are; S is left out.
    assert learned(known, [TREE]).label.tolist() == [1, 2, 0, 1]
    assert known.unknown(TREE) == []


def test_no_constituents_at_all():
    tree = parse_tree("(TOP (X a))")
    with pytest.raises(SennaError, match="no phrase below the roots"):
        kind([tree])
    assert [len(array) for array in learned(kind([TREE]), [tree])[:4]] == [2, 0, 0, 0]


def test_brackets():
    left, right = tree_keys.brackets_of_keys(
        ["O", "B-S(VP", "I-S(VP", "E-S(VP", "S-S(VP"]
    )
    assert left == ["", "(S(VP", "", "", "(S(VP"]
    assert right == ["", "", "", "))", "))"]


@given(st.lists(trees, min_size=1, max_size=4))
def test_no_label_of_the_training_trees_is_unknown(sentences):
    known = kind([TREE, *sentences])
    assert tree_keys.keys_of_brackets(known.of_model()[0]) == known.keys
    assert not any(known.unknown(tree) for tree in sentences)
    found = [known.keys[1 + 4 * label] for label in learned(known, sentences).label]
    assert found == [
        f"B-{each.label}"
        for tree in sentences
        for each in tree_keys.constituents_of_tree(tree)
    ]
