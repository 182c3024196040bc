"""Training of energy networks on a few words instead of all (Bengio and Senécal 2003).

The gradient of log P(target) is that of the target's negative energy, less the mean gradient of
all words' under the model. Importance sampling estimates this mean by words drawn from a
distribution Q that is at hand, each weighted by exp(-energy) / Q. Bengio et al. (2003), section
5.1, report that training becomes a hundred times as fast.
"""

import numpy as np

from senna_py.kernels.lm.energy import energy_gradients, energy_scores
from senna_py.lm.nplm.network import look_up

_UNIFORM = 0.1  # part of Q, so that no word's weight is without bound


class ImportanceSampling:
    """An EnergyNetwork in training, whose normalizer is estimated from n words drawn for a batch.

    The estimate is exp(-energy) of the target, which is known to count, and the mean of
    exp(-energy) / (n Q) over the drawn words other than it. So no weight exceeds 1, which with few
    words keeps training from running away. Q is mostly the frequency of words in the text.
    """

    def __init__(self, network, counts, n):
        """counts: int64[n_words], in the training text, 0 for words that are never predicted."""
        self.network, self._n = network, n
        self._q = (1 - _UNIFORM) * counts / counts.sum() + _UNIFORM / len(counts)
        self._below = np.cumsum(self._q)

    def draw(self, rng):
        """Draw words by Q: int64[n]."""
        found = np.searchsorted(self._below, rng.random(self._n) * self._below[-1], "right")
        return np.minimum(found, len(self._q) - 1)

    def forward(self, context, target, dropout, words):
        """Log P of the targets, an estimate, and the trace; words: int64[n], from `draw`."""
        network, target = self.network, target.astype(np.int64)
        x, kept = dropout.forward(look_up(network.vectors, context))
        forward = shift, *_ = network.terms(x, words)
        scores = np.empty((len(x), len(words)), shift.dtype)
        energy_scores(*forward, network.output_bias[words], scores)
        unit = np.tanh(shift + network.vectors[target] @ network.target_weight)
        reached = network.output_bias[target] + (unit * network.weights_of(target)).sum(1)

        scores -= np.log(len(words) * self._q[words]).astype(scores.dtype)
        scores[target[:, None] == words] = -np.inf
        largest = np.maximum(reached, scores.max(1))
        slopes = np.exp(scores - largest[:, None])
        log_z = largest + np.log(np.exp(reached - largest) + slopes.sum(1))
        slopes *= np.exp(largest - log_z)[:, None]
        log_p = (reached - log_z).astype(np.float64)
        own_slope = np.exp(reached - log_z) - 1
        return log_p, (context, target, words, dropout, x, kept, forward, slopes, unit, own_slope)

    def backward(self, trace, gradients):
        """Give `gradients` estimates of those of the parameters."""
        context, target, words, dropout, x, kept, forward, slopes, unit, own_slope = trace
        network = self.network
        d_shift, d_word_part, d_weight = (np.zeros_like(array) for array in forward)
        energy_gradients(*forward, slopes, d_shift, d_word_part, d_weight)
        d_own_weight = own_slope[:, None] * unit
        d_own = own_slope[:, None] * network.weights_of(target) * (1 - unit * unit)
        d_shift += d_own
        d_x = dropout.backward(d_shift @ network.hidden_weight.T, kept)

        predicted = np.concatenate([words, target])
        d_part = np.concatenate([d_word_part.T, d_own])
        d_vectors = [d_part @ network.target_weight.T, d_x.reshape(-1, network.vectors.shape[1])]
        rows = np.concatenate([predicted, context.reshape(-1)]).astype(np.int32)
        gradients.rows("vectors", len(network.vectors), rows, np.concatenate(d_vectors))
        gradients.add("target_weight", network.vectors[predicted].T @ d_part)
        gradients.add("hidden_weight", x.T @ d_shift)
        gradients.add("hidden_bias", d_shift.sum(0))
        d_energy = np.concatenate([d_weight.T, d_own_weight])
        if len(network.energy_weight) == 1:
            gradients.add("energy_weight", d_energy.sum(0)[None])
        else:
            n_words, rows = len(network.energy_weight), predicted.astype(np.int32)
            gradients.rows("energy_weight", n_words, rows, d_energy)
        d_bias = np.zeros_like(network.output_bias)
        np.add.at(d_bias, predicted, np.concatenate([slopes.sum(0), own_slope]))
        gradients.add("output_bias", d_bias)
