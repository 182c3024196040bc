"""Training of tree networks: the cost of the levels of trees, and its gradients."""

from typing import NamedTuple

import numpy as np

from senna_py.kernels.nn.lookup import add_pairs, add_to_rows
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import embed
from senna_py.layers.level_likelihood import LevelLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import Lookup, table_name
from senna_py.layers.max_over_time import MaxOverTime

__all__ = ["cost_backward", "cost_of_levels", "fan_in"]


class _Trace(NamedTuple):
    """What the cost leaves for the backward pass: traces of layers."""

    features: np.ndarray
    dropouts: tuple
    examples: tuple
    words: tuple  # looked-up vectors and the factors of dropout
    places: tuple
    pooled: np.ndarray
    hidden: tuple  # the input of the output layer, the slopes and the factors of dropout
    likelihood: tuple


def _layers(network):
    """Hidden and output layer, and the likelihood of levels."""
    return (
        Linear("hidden", network.hidden_weight, network.hidden_bias, blas),
        Linear("output", network.output_weight, network.output_bias, blas),
        LevelLikelihood(network.initial, network.transition),
    )


def fan_in(network):
    """Inputs of a unit, by the parameters' names."""
    found = Lookup.numbered(network.tables).fan_in() | {"position_bias": 1}
    found |= dict.fromkeys(("word_weight", "word_bias"), len(network.word_weight))
    for layer in _layers(network):
        found |= layer.fan_in()
    return found


def _n_word_inputs(network):
    """Number of inputs that words have, beside their label."""
    return len(network.word_weight) - network.tables[-1].shape[1]


def cost_of_levels(network, features, examples, dropouts):
    """Cost of the levels of a batch of sentences, and a trace for `cost_backward`.

    network: a TreeNetwork; features: int32[n_tokens, n_features without the tree label]; examples:
    tree_examples.Examples of the batch; dropouts: two layers.dropout.Dropout, for the looked-up
    vectors of words and for the hidden layer. The part of the first layer that depends on the words
    is the same on all levels of a sentence, so it is computed once.
    """
    hidden_layer, output_layer, likelihood = _layers(network)
    n_words = _n_word_inputs(network)
    x, x_factors = dropouts[0].forward(embed(network.tables[:-1], features))
    word_part = blas(x, network.word_weight[:n_words], network.word_bias)
    label_part = network.tables[-1] @ network.word_weight[n_words:]
    first = np.empty((len(examples.token), word_part.shape[1]), np.float32)
    add_pairs(word_part, examples.token, label_part, examples.latest, first)
    pooled, places = _pool(first, examples.starts, network.position_bias)
    hidden, slope = HardTanh().forward(hidden_layer.forward(pooled)[0])
    hidden, factors = dropouts[1].forward(hidden)
    scores, _ = output_layer.forward(hidden)
    cost, found = likelihood.forward(scores, examples.gold, examples.starts, examples.span)
    return cost, _Trace(
        features, dropouts, examples, (x, x_factors), places, pooled, (hidden, slope, factors),
        found,
    )  # fmt: skip


def _pool(first, starts, position_bias):
    """Max over time for each word of each example, and the trace."""
    each = np.arange(len(starts) - 1, dtype=np.int32)
    nothing = np.zeros_like(position_bias)  # for there is no predicate
    return MaxOverTime().forward(first, (starts, each, starts[:-1]), nothing, position_bias)


def cost_backward(network, trace, gradients, fixed=()):
    """Give `gradients` those of all parameters but the tables whose numbers are in `fixed`."""
    hidden_layer, output_layer, likelihood = _layers(network)
    hidden, slope, factors = trace.hidden
    d_scores = likelihood.backward(trace.likelihood, gradients)
    d_hidden = output_layer.backward(d_scores, hidden, gradients)
    d_hidden = HardTanh().backward(trace.dropouts[1].backward(d_hidden, factors), slope)
    d_pooled = hidden_layer.backward(d_hidden, trace.pooled, gradients)
    d_first, _, d_position = MaxOverTime().backward(d_pooled, trace.places)
    gradients.add("position_bias", d_position)
    _first_backward(network, trace, d_first, gradients, fixed)


def _first_backward(network, trace, d_first, gradients, fixed):
    """Gradients of the first layer and the tables."""
    n_words, labels, (x, x_factors) = _n_word_inputs(network), network.tables[-1], trace.words
    d_words = np.zeros((len(x), d_first.shape[1]), np.float32)
    d_labels = np.zeros((len(labels), d_first.shape[1]), np.float32)
    add_to_rows(d_first, trace.examples.token, d_words)
    add_to_rows(d_first, trace.examples.latest, d_labels)
    gradients.add("word_weight", np.concatenate([x.T @ d_words, labels.T @ d_labels]))
    gradients.add("word_bias", d_words.sum(axis=0))
    d_x = trace.dropouts[0].backward(d_words @ network.word_weight[:n_words].T, x_factors)
    lookup, last = Lookup.numbered(network.tables[:-1]), len(network.tables) - 1
    lookup.backward(d_x, trace.features, gradients, fixed)
    if last not in fixed:
        gradients.add(table_name(last), d_labels @ network.word_weight[n_words:].T)
