"""Small networks of every kind in double precision, and gradients by finite
differences.
"""

import numpy as np

from senna_py.layers.activations import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.lm.nplm.build import network_of, new_network
from senna_py.lm.nplm.settings import NplmShape
from tests.helpers.finite_differences import whole_gradients

N_WORDS = 11
WORD_CLASS = np.array([0, 2, 1, 1, 0, 2, 2, 3, 0, 1, 2], np.int32)
SHAPES = {
    "direct": NplmShape(4, 3, 5, True),
    "hidden only": NplmShape(4, 3, 5, False),
    "direct only": NplmShape(4, 3, 0, True),
    "classes": NplmShape(3, 3, 4, True, "classes"),
    "energy": NplmShape(3, 3, 4, False, "energy"),
    "energy, own weights": NplmShape(3, 3, 4, False, "energy", True),
}


def small_network(shape, seed=0):
    """A network of N_WORDS words whose weights are large enough to matter, in
    float64.
    """
    rng = np.random.default_rng(seed)
    word_class = WORD_CLASS if shape.output == "classes" else None
    start = new_network(shape, np.arange(N_WORDS), rng, word_class)
    arrays = {
        name: rng.normal(0, 0.7, a.shape) for name, a in start.parameters().items()
    }
    return network_of(shape, arrays, word_class)


def small_batch(shape, n=7, seed=1):
    """Contexts, with repeated words and the place before the beginning, and targets."""
    rng = np.random.default_rng(seed)
    context = rng.integers(0, N_WORDS + 1, (n, shape.order - 1)).astype(np.int32)
    context[0] = N_WORDS
    context[1] = context[2]
    return context, rng.integers(0, N_WORDS, n).astype(np.int32)


def gradients_of(network, context, target):
    """Gradients of -sum log P: dict of name to array."""
    gradients = Gradients()
    network.backward(network.forward(context, target, Dropout(None))[1], gradients)
    return whole_gradients(gradients, network.parameters())


def learn(network, optimizer, rate, context, target, dropout=None):
    """Train a minibatch; returns log P of its targets: float64[n]."""
    log_p, trace = network.forward(context, target, dropout or Dropout(None))
    gradients = Gradients()
    network.backward(trace, gradients)
    optimizer.step(gradients, rate, len(target))
    return log_p
