"""Networks called with arrays, as tests have them."""

from senna_py.layers.passes import TrainingPass
from senna_py.networks.batch import WordBatch


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
