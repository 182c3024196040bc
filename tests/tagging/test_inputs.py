"""Labels, features and batches; what networks learn of trees."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna_py.corpora.tree_files import parse_tree
from senna_py.errors import SennaError
from senna_py.labels import tree_keys
from senna_py.labels.tasks import find_task
from senna_py.tagging.inputs import Inputs
from senna_py.tagging.sentences import Sentences
from senna_py.tagging.targets import learner_of
from tests.helpers.gold import make_gold, make_learner
from tests.helpers.random_trees import trees
from tests.helpers.small_corpora import run, settings


def keys_of(task, labels, min_count=1, kind=""):
    lengths = [1] * len(labels) if task == "srl" else None
    gold = make_gold(task, labels, lengths, kind)
    learner = learner_of(find_task(task, kind))
    learner.find_keys(gold, min_count)
    return learner.keys


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


def random_labels(rng, lengths, task):
    """Labels of sentences of given lengths, some None, with up to three predicates."""
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
    return labels


def inputs_of(task, labels, lengths, features):
    """Inputs of sentences with the keys A, B and C."""
    ones = [1.0] * len(lengths)
    sentences = Sentences(
        [["w"] * n for n in lengths],
        {task: make_gold(task, labels, lengths)},
        {},
        [("a", 1)] * len(lengths),
        ones,
        ones,
    )
    learners = {task: make_learner(task, ["A", "B", "C"])}
    starts = np.append(0, np.cumsum(lengths)).astype(np.int32)
    return Inputs.make(sentences, features, starts, learners)


lengths = st.lists(st.integers(1, 5), min_size=1, max_size=8)


@given(lengths, st.sampled_from(["pos", "srl"]), st.integers(0, 999), st.data())
def test_a_batch_is_its_sentences(lengths, task, seed, data):
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, lengths, task)
    features = rng.integers(9, size=(sum(lengths), 2)).astype(np.int32)
    inputs = inputs_of(task, labels, lengths, features)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(lengths) - 1), min_size=1)))
    words, batches = inputs.words(np.array(chosen)), inputs.batches(np.array(chosen))
    some = [labels[i] for i in chosen], [lengths[i] for i in chosen]
    expected = inputs_of(task, *some, words.features).batches(np.arange(len(chosen)))
    assert batches.keys() == expected.keys()
    rows = [np.arange(*inputs.starts[i : i + 2]) for i in chosen]
    assert words.features.tolist() == inputs.features[np.concatenate(rows)].tolist()
    for name, batch in batches.items():
        other = expected[name]
        assert (batch.rows is None) == (other.rows is None)
        assert batch.rows is None or batch.rows.tolist() == other.rows.tolist()
        assert batch.words.starts.tolist() == other.words.starts.tolist()
        for ours, theirs in zip(
            batch.targets.arrays(), other.targets.arrays(), strict=False
        ):
            assert ours.tolist() == theirs.tolist()
        if task == "srl":
            assert batch.words.predicate.tolist() == other.words.predicate.tolist()


def test_roles_by_hand():
    labels = [{}, {0: ["B", "A"], 1: ["A", "B"]}, {2: ["C", "A", "A"]}]
    features = np.arange(6, dtype=np.int32)[:, None]
    inputs = inputs_of("srl", labels, [1, 2, 3], features)
    assert inputs.useful().tolist() == [1, 2]
    chosen = np.array([0, 2])
    assert inputs.words(chosen).features[:, 0].tolist() == [0, 3, 4, 5]
    batch = inputs.batches(chosen)["srl"]
    assert batch.words.starts.tolist() == [0, 1, 4]
    assert batch.words.sentence.tolist() == [1]
    assert batch.words.predicate.tolist() == [3]
    assert batch.targets.gold.tolist() == [2, 0, 0]
    assert batch.targets.row_starts.tolist() == [0, 3]


def test_an_unknown_label_is_the_first():
    learner, gold = make_learner("pos", ["A", "B"]), make_gold("pos", [["B", "X"]])
    assert learner.targets(gold, None).gold.tolist() == [1, 0]


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
    other = made.data.dev
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


def learner(trees, min_count=1):
    """A learner of trees with the keys of some."""
    found = learner_of(find_task("psg"))
    found.find_keys(make_gold("psg", trees), min_count)
    return found


def learned(learner, trees):
    """The Constituents that a network learns of trees."""
    return learner.targets(make_gold("psg", trees), None).trees


def test_keys_are_in_the_order_of_the_types():
    keys = learner([TREE]).keys
    assert keys[:5] == ["O", "B-NP", "I-NP", "E-NP", "S-NP"]
    assert keys[1::4] == ["B-NP", "B-S", "B-S(VP", "B-VP"]


def test_rare_chains_are_reduced():
    found = learner([TREE], min_count=2)
    assert found.keys[1::4] == ["B-NP", "B-S", "B-VP"]
    # S(VP is S, the outer one of as frequent parts
    assert learned(found, [TREE]).label.tolist() == [1, 0, 2, 1, 0]


def test_constituents_are_in_order():
    found = learned(learner([TREE]), [TREE, parse_tree("(TOP (X a))"), TREE])
    assert found.starts.tolist() == [0, 5, 5, 10]
    assert found.begin[:5].tolist() == [0, 0, 2, 3, 4]
    assert found.end[:5].tolist() == [5, 2, 5, 5, 5]
    assert found.label[5:].tolist() == [1, 0, 3, 2, 0]
    assert {array.dtype for array in found[1:4]} == {np.dtype(np.int32)}
    assert found.take(np.array([2])).begin.tolist() == found.begin[:5].tolist()


def test_what_training_has_not_seen():
    known = learner([TREE])
    tree = parse_tree("(TOP (S (VP (NP (NN a)))) (QP (CD b)))")
    found = learned(known, [tree])
    assert (found.begin.tolist(), found.end.tolist()) == ([0], [1])
    assert known.keys[1 + 4 * found.label[0]] == "B-S(VP"  # a part of S(VP(NP
    assert known.unknown(make_gold("psg", [tree])) == [("QP", 1)]
    assert known.unknown(make_gold("psg", [TREE])) == []


def test_types_of_another_network():
    known = learner([TREE], min_count=2)
    assert known.missing_from(tree_keys.keys_of_types(["S(VP", "NP", "VP"])) == {"S"}
    known.take_keys(tree_keys.keys_of_types(["S(VP", "NP", "VP", "X"]))
    assert known.keys[1::4] == ["B-S(VP", "B-NP", "B-VP", "B-X"]
    # However rare they are; S is left out.
    assert learned(known, [TREE]).label.tolist() == [1, 2, 0, 1]
    assert known.unknown(make_gold("psg", [TREE])) == []


def test_no_constituents_at_all():
    tree = parse_tree("(TOP (X a))")
    with pytest.raises(SennaError, match="no phrase below the roots"):
        learner([tree])
    assert [len(array) for array in learned(learner([TREE]), [tree])[:4]] == [
        2,
        0,
        0,
        0,
    ]


def test_brackets():
    left, right = tree_keys.brackets_of_keys(
        ["O", "B-S(VP", "I-S(VP", "E-S(VP", "S-S(VP"]
    )
    assert left == ["", "(S(VP", "", "", "(S(VP"]
    assert right == ["", "", "", "))", "))"]


@given(st.lists(trees, min_size=1, max_size=4))
def test_no_label_of_the_training_trees_is_unknown(sentences):
    known = learner([TREE, *sentences])
    assert tree_keys.keys_of_brackets(known.labels_in_model()[0]) == known.keys
    assert not any(known.unknown(make_gold("psg", [tree])) for tree in sentences)
    found = [known.keys[1 + 4 * label] for label in learned(known, sentences).label]
    assert found == [
        f"B-{each.label}"
        for tree in sentences
        for each in tree_keys.constituents_of_tree(tree)
    ]
