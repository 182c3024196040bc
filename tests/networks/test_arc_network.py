"""Networks for dependencies and for trees: their scores, and that no batch changes
them.
"""

import numpy as np
import pytest

from senna_py.answers.layer import ROOT
from senna_py.errors import SennaError
from senna_py.labels.tasks import find_task
from senna_py.networks.arcs import ArcNetwork, ArcSettings
from tests.helpers.naive_int8 import rounded_columns, rounded_rows
from tests.helpers.random_networks import (
    arc_network,
    batch_of,
    random_batch,
    states_of,
    tag,
    tree_network,
)


def naive(network, states):
    """Scores of heads, float64[n, n + 1], and of relations of an arc, by a function."""
    n, m = len(network.root), len(network.distances) // 2
    maps = (
        rounded_rows(states) @ rounded_columns(network.hidden_weight)
        + network.hidden_bias
    )
    maps = np.maximum(maps, 0)
    heads = np.concatenate([network.root[None], maps[:, n:]])

    def near(i, j, table):
        return table[m + int(np.clip(j - i, -m, m))]

    def score(i, j):
        key, head = heads[j + 1] @ network.arc_weight, heads[j + 1]
        distance = near(i, j, network.distances) if j >= 0 else 0
        return maps[i, :n] @ (key + distance) + head @ network.arc_bias

    def relations(i, j):
        a = maps[i, :n] @ network.dependent_weight + network.dependent_bias
        b = heads[j + 1] @ network.head_weight + network.head_bias
        distance = near(i, j if j >= 0 else i, network.relation_distances)
        return (a * b + distance) @ network.output_weight + network.output_bias

    return score, relations


def log_share(scores, label):
    return scores[label] - np.logaddexp.reduce(scores)


def test_scores():
    network = arc_network(np.random.default_rng(2))
    features, starts = random_batch(np.random.default_rng(3), [1, 9])
    states = states_of(network, features, starts)[1:]
    answer = network.decode(batch_of(features, starts), scored=True)
    assert answer.head[0] == -1 and sorted(answer.head)[:2] == [-1, -1]
    score, relations = naive(network, states)
    for i, head in enumerate(answer.head[1:].tolist()):
        scores = np.array([-np.inf if j == i else score(i, j) for j in range(-1, 9)])
        of_relations = relations(i, head)
        assert answer.label[1 + i] == of_relations.argmax()
        expected = log_share(scores, head + 1) + log_share(
            of_relations, of_relations.argmax()
        )
        # Tagging rounds factors to 8 bits.
        assert answer.score[1 + i] == pytest.approx(np.exp(expected), abs=0.1)


def test_heads_are_words_of_their_sentences():
    rng = np.random.default_rng(4)
    network = arc_network(rng)
    names = [f"r{number}" for number in range(network.n_labels)]
    batch = batch_of(*random_batch(rng, [3, 1, 4]))
    layer = network.annotate(batch, find_task("dep"), names)
    decoded = network.decode(batch)
    assert (layer.anchor == ROOT).sum() == 3
    assert np.array_equal(layer.anchor == ROOT, decoded.head == -1)
    for begin, end in ((0, 3), (3, 4), (4, 8)):
        heads = layer.anchor[begin:end]
        assert ((heads == ROOT) | ((begin <= heads) & (heads < end))).all()
        inside = heads[heads != ROOT] - begin
        assert inside.tolist() == [h for h in decoded.head[begin:end] if h >= 0]


def test_halves_of_the_hidden_layer():
    with pytest.raises(SennaError, match="even number of hidden units, found 7"):
        ArcNetwork.plan(ArcSettings(hidden=7), "arcs")
    network = arc_network(np.random.default_rng(1))
    network.check()
    network.hidden_bias = network.hidden_bias[:-1]
    with pytest.raises(SennaError, match="expected an even number"):
        network.check()


def test_a_sentence_may_have_no_constituent():
    rng = np.random.default_rng(7)
    net = tree_network(rng)
    net.output_bias[0] = 1000
    assert not any(map(len, tag(net, *random_batch(rng, [3, 1]))))


def test_one_constituent_over_the_sentence_ends_the_tree():
    rng = np.random.default_rng(8)
    net = tree_network(rng, n_types=1)
    net.output_weight[:] = net.initial[:] = net.transition[:] = 0
    net.output_bias[:] = [0, 5, 6, 5, 1]
    trees = tag(net, *random_batch(rng, [4, 2, 1]))
    assert trees.begin.tolist() == [0, 4, 6]
    assert trees.end.tolist() == [4, 6, 7]
    assert trees.label.tolist() == trees.level.tolist() == [0, 0, 0]
