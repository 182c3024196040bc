"""The choice of labels of several tasks together."""

import itertools

import numpy as np
import pytest

from senna_py.answers.layer import Layer
from senna_py.labels.tag_combinations import TagCombinations
from senna_py.labels.tasks import find_task
from senna_py.networks.combinations import CombinationChooser, scores_of_words
from tests.helpers.random_networks import batch_of, dilated_network

NAMES = {"pos": ["a", "b", "c"], "upos": ["x", "y"], "feats": ["_", "m", "n"]}
ROWS = [("a", "x", "_"), ("b", "y", "m"), ("c", "y", "_"), ("c", "x", "n")]


def chosen(scores, labels=None, rows=ROWS, scored=False, decided=None):
    """Return the labels that a chooser gives words with these scores by task."""
    scores = {task: np.array(each, np.float32) for task, each in scores.items()}
    labels = labels or {}
    layers = {}
    for task, of_task in scores.items():
        label = np.array(labels.get(task, of_task.argmax(axis=1)), np.int32)
        score = np.full(len(label), 0.5, np.float32) if scored else None
        layers[task] = Layer(find_task(task), NAMES[task], label, score=score)
    chooser = CombinationChooser(TagCombinations(NAMES, rows), [*NAMES.values()])
    return layers | chooser.apply(
        layers, lambda task, rows: scores[task][rows], decided
    )


def test_the_most_likely_combination_is_chosen():
    rng = np.random.default_rng(0)
    scores = {task: rng.normal(size=(50, len(NAMES[task]))) for task in NAMES}
    scores["pos"] = scores["pos"].clip(-0.5, 0.5)  # no tag is sure
    layers = chosen(scores)
    found = [*zip(*(layers[task].texts() for task in NAMES), strict=True)]
    for i, combination in enumerate(found):
        sums = {
            row: sum(
                scores[task][i][NAMES[task].index(label)]
                for task, label in zip(NAMES, row, strict=True)
            )
            for row in ROWS
        }
        assert combination == max(sums, key=sums.get)


def test_a_label_that_a_rule_decided_stays():
    scores = {"pos": [[1.9, 0, 0]], "upos": [[0, 0.5]], "feats": [[0, 1, 0]]}
    assert [each.texts() for each in chosen(scores).values()] == [["a"], ["x"], ["_"]]
    layers = chosen(scores, {"pos": [2]})
    assert [each.texts() for each in layers.values()] == [["c"], ["y"], ["_"]]
    layers = chosen(scores, decided={"upos": np.array([True])})  # also the likeliest
    assert [each.texts() for each in layers.values()] == [["b"], ["y"], ["m"]]


def test_a_sure_tag_stays():
    scores = {"pos": [[4, 0, 0]], "upos": [[0, 9]], "feats": [[0, 9, 0]]}
    assert [each.texts() for each in chosen(scores).values()] == [["a"], ["x"], ["_"]]
    rows = [row for row in ROWS if row[0] != "a"]  # a sure tag that no combination has
    found = chosen(scores, rows=rows).values()
    assert [each.texts() for each in found] == [["b"], ["y"], ["m"]]
    scores["pos"] = [[1.9, 0, 0]]
    assert [each.texts() for each in chosen(scores).values()] == [["b"], ["y"], ["m"]]


def test_words_without_a_possible_combination_stay():
    scores = {"pos": [[1.9, 0, 0]], "upos": [[0, 1]], "feats": [[0, 2, 0]]}
    labels = {"pos": [1], "upos": [0], "feats": [1]}
    layers = chosen(scores, labels)
    assert [each.texts() for each in layers.values()] == [["b"], ["x"], ["m"]]
    layers = chosen(scores, rows=[("d", "x", "_")])
    assert [each.texts() for each in layers.values()] == [["a"], ["y"], ["m"]]


def test_probabilities_are_those_of_the_new_labels():
    scores = {
        "pos": [[1, 0, 0]] * 2,
        "upos": [[0, 1.5], [9, 0]],
        "feats": [[5, 0, 0]] * 2,
    }
    layers = chosen(scores, scored=True)
    assert [each.texts()[1] for each in layers.values()] == ["a", "x", "_"]
    assert layers["upos"].score[1] == 0.5  # This word was not decided again.
    assert layers["pos"].score[0] == pytest.approx(1 / (np.e + 2), 1e-5)
    assert layers["pos"].texts()[0] == "c"


def test_scores_of_some_words_are_those_of_all():
    rng = np.random.default_rng(1)
    network = dilated_network(rng, predicates=False)
    starts = np.array([0, 3, 4, 9], np.int32)
    features = rng.integers(0, 3, (9, len(network.tables))).astype(np.int32)
    words = batch_of(features, starts)
    every = network.scores(words)
    for rows in itertools.combinations(range(9), 2):
        some = scores_of_words(network, words, np.array(rows), None)
        assert np.array_equal(some, every[[*rows]])
