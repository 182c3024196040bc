"""Networks called with arrays, as tests have them."""

import numpy as np

from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.passes import TrainingPass
from senna_py.networks.batch import WordBatch
from tests.helpers.finite_differences import check_directions


def batch_of(features, starts, sentence=None, predicate=None):
    """A WordBatch."""
    return WordBatch(features, starts, sentence, predicate)


def tag(network, *batch, cache=None):
    """Labels of words; of roles with where they begin; or TreeLabels."""
    words = batch_of(*batch)
    found = network.tag(words, cache)
    if network.labels == "trees":
        return found
    return found.labels if words.predicate is None else (found.labels, found.begin)


def forward(network, features, starts, dropouts, *more):
    """Scores in training, and the pass that made them."""
    run = TrainingPass(dropouts)
    (scores,) = network.forward(run, network.layers(), batch_of(features, starts, *more))
    return scores, run


def check_cost(network, words, targets, dropout, rng):
    """Compare the gradients of a network's cost on a WordBatch with slopes of that."""

    def run():  # in which the same units are left out each time
        same = np.random.default_rng(5)
        return network.cost(words, targets, (Dropout(same, dropout), Dropout(same, dropout)))

    cost, n_rows, trace = run()
    assert n_rows == words.begin[-1] and cost > 0
    gradients, arrays = Gradients(), network.parameters()
    network.cost_backward(trace, gradients)
    assert network.fan_in().keys() >= arrays.keys()
    assert {*gradients.by_name, *(name for name, *_ in gradients.by_row)} == set(arrays)
    check_directions(gradients, arrays, lambda: run()[0], rng)
