"""The network in training: states of words of a sentence, and a softmax over the hidden ones."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from senna_py.layers.dropout import Dropout
from senna_py.layers.gradients import Gradients
from senna_py.layers.linear import Linear, blas, initial_uniform
from senna_py.layers.sampled_softmax import SampledSoftmax
from senna_py.networks.dilated import DilatedNetwork

__all__ = ["FEATURES", "EncoderNetwork", "Piece", "Shape", "new_network"]

# Sizes of the vectors of what else is seen of a word, so that new words are not all alike.
FEATURES = {"caps": 5, "shape": 10, "suffix.2": 10, "suffix.3": 15, "prefix.3": 15}


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    features: size of each feature's vectors by its name, but `word`; width, kernel, dilations: as
    of a DilatedNetwork; projection: numbers that a state is brought down to before the softmax.
    """

    features: dict = field(default_factory=lambda: dict(FEATURES))
    width: int = 192
    kernel: int = 3
    dilations: tuple = (1, 2, 4, 8, 1, 2)
    projection: int = 64
    # What DilatedNetwork.initialise wants to know besides: its output layer is the projection.
    hidden = 0
    criterion = "word"


class Piece(NamedTuple):
    """Some sentences with hidden words.

    features: int32[n_words, n_features], with PADDING for what is hidden; starts:
    int32[n_sentences + 1]; hidden: int64[n_hidden], the places of the words to predict; target:
    int32[n_hidden], their numbers among the output words.
    """

    features: np.ndarray
    starts: np.ndarray
    hidden: np.ndarray
    target: np.ndarray


class EncoderNetwork:
    """A DilatedNetwork whose output layer is a projection, and a SampledSoftmax above that."""

    def __init__(self, network, output, fixed=()):
        """network: DilatedNetwork; output: SampledSoftmax; fixed: numbers of tables to leave."""
        self.network, self.output, self._fixed = network, output, fixed

    def parameters(self):
        """All arrays that training changes, by name; the projection's begin with `projection_`."""
        found = self.network.parameters(self._fixed)
        for end in ("weight", "bias"):
            found[f"projection_{end}"] = found.pop(f"output_{end}")
        return found | self.output.parameters()

    def _projection(self):
        network = self.network
        return Linear("projection", network.output_weight, network.output_bias, blas)

    def features_of(self, piece):
        """What the softmax takes of the hidden words: float32[n_hidden, projection], and a trace.

        Nothing is dropped.
        """
        none = Dropout(None), Dropout(None)
        states, trace = self.network.encode(piece.features, piece.starts, none)
        found, _ = self._projection().forward(states[piece.hidden])
        return found, (states, trace)

    def cost(self, piece, drawn, log_expected):
        """Sum of -log P of the hidden words, see SampledSoftmax, and Gradients of that sum."""
        gradients, layer = Gradients(), self._projection()
        found, (states, trace) = self.features_of(piece)
        log_p, softmax_trace = self.output.forward(found, piece.target, drawn, log_expected)
        d_found = self.output.backward(softmax_trace, gradients)
        d_states = np.zeros_like(states)
        d_states[piece.hidden] = layer.backward(d_found, states[piece.hidden], gradients)
        self.network.encode_backward(d_states, trace, gradients, self._fixed)
        return -float(log_p.sum()), gradients


def new_network(shape, tables, padding, output_words, log_share, fixed, rng):
    """A new EncoderNetwork; the words' vectors begin the rows of the softmax.

    tables: float32[n_keys, dim], of words and of the features; padding: int32[n_features];
    output_words: int32[n_output], their rows in the words' table; log_share: float[n_output],
    logarithm of the share that each has of the text, with which biases begin.
    """
    network = DilatedNetwork.initialise(shape, tables, padding, shape.projection, rng)
    vectors = tables[0][output_words, : shape.projection]
    weight = initial_uniform(rng, 0.05, len(vectors), shape.projection)
    scale = 1 / (np.sqrt(shape.projection) * max(float(vectors.std()), 1e-6))
    weight[:, : vectors.shape[1]] = vectors * scale
    # A projection of random directions would make scores that say nothing but are large.
    network.output_weight *= np.float32(0.1)
    output = SampledSoftmax(weight, log_share.astype(np.float32))
    return EncoderNetwork(network, output, fixed)
