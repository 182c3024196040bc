"""The energy minimization network (Bengio et al. 2003, section 5.1), and its training
on few words.

The gradient of log P(target) is that of the target's negative energy, less the mean
gradient of all words' under the model. Importance sampling (Bengio and Senécal 2003)
estimates this mean by words drawn from a distribution Q that is at hand, each weighted
by exp(-energy) / Q. Bengio et al. (2003) report that training becomes a hundred times
as fast.
"""

import numpy as np

from senna_py.kernels.lm.energy import energy_gradients, energy_scores
from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores
from senna_py.layers.softmax import scores_buffer
from senna_py.lm.nplm.network import look_up


class EnergyNetwork:
    """P(w) proportional to exp(-E), -E = b_w + v . tanh(d + H x), where x has C(w),
    too.

    vectors: float32[n_words + 1, dim], C, of contexts and of predicted words;
    hidden_weight: float32[(order - 1) * dim, hidden], the rows of H's transpose for the
    context; target_weight: float32[dim, hidden], those for the predicted word;
    hidden_bias: float32[hidden], d;
    energy_weight: float32[1, hidden], v, or float32[n_words, hidden] if each word has
    its own;
    output_bias: float32[n_words], b. The signs of v and b are those of the negative
    energy.
    """

    names = (
        "vectors",
        "hidden_weight",
        "target_weight",
        "hidden_bias",
        "energy_weight",
        "output_bias",
    )

    def __init__(self, arrays):
        """Hold arrays, by their names, not copies: training changes them in place."""
        vars(self).update({name: arrays[name] for name in self.names})

    def parameters(self):
        """Arrays by their names in files."""
        return {name: getattr(self, name) for name in self.names}

    def terms(self, x, words):
        """Arguments of `energy_scores` for contexts x, words and v.

        x: float32[n, (order - 1) * dim]; words: int64[n_words] or a slice of the
        vocabulary. Returns float32[n, hidden], and two float32[hidden, n_words].
        """
        shift = x @ self.hidden_weight + self.hidden_bias
        word_part = self.vectors[words] @ self.target_weight
        weight = np.broadcast_to(self.weights_of(words), word_part.shape)
        return shift, np.ascontiguousarray(word_part.T), np.ascontiguousarray(weight.T)

    def weights_of(self, words):
        """v of words, as of `terms`: float32[n_words, hidden], or float32[1, hidden]
        for all.
        """
        return (
            self.energy_weight
            if len(self.energy_weight) == 1
            else self.energy_weight[words]
        )

    def _forward(self, x):
        return self.terms(x, slice(len(self.output_bias)))

    def _exponentials(self, forward, target):
        """exp of the negative energies, their sums, log P of the targets, log of the
        normalizer.
        """
        shift, word_part, weight = forward
        scores = scores_buffer(len(shift), len(self.output_bias), shift.dtype)
        energy_scores(shift, word_part, weight, self.output_bias, scores)
        reached, total = np.empty((2, len(shift)))
        target_scores(scores, target.astype(np.int64), reached)
        largest = scores.max(1)
        exp_rows(scores, largest, total)
        log_normalizer = largest + np.log(total)
        return scores, total, reached - log_normalizer, log_normalizer

    def scores_of(self, context, vectors, bias):
        """Negative energies of other words: context: int32[n, order - 1]; float32[n,
        n_others].

        vectors: float32[n_others, dim]; bias: b. Where words have their own v, these
        have the mean.
        """
        shift = look_up(self.vectors, context) @ self.hidden_weight + self.hidden_bias
        word_part = np.ascontiguousarray((vectors @ self.target_weight).T)
        weight = np.empty_like(word_part)
        weight[:] = self.energy_weight.mean(0)[:, None]
        scores = np.empty((len(shift), len(vectors)), shift.dtype)
        energy_scores(
            shift, word_part, weight, np.full(len(vectors), bias, shift.dtype), scores
        )
        return scores

    def log_probabilities(self, context, target, with_normalizer=False):
        """log P(target | context): context: int32[n, order - 1]; target: int32[n];
        float64[n].

        with_normalizer: return the log of the normalizer, too: float64[n].
        """
        forward = self._forward(look_up(self.vectors, context))
        found = self._exponentials(forward, target)[2:]
        return found if with_normalizer else found[0]

    def probabilities(self, context):
        """P of all words: float32[n, n_words]."""
        forward = self._forward(look_up(self.vectors, context))
        scores, total, _, _ = self._exponentials(forward, np.full(len(context), -1))
        return scores / total[:, None].astype(scores.dtype)

    def forward(self, context, target, dropout):
        """Log P of the targets in training, float64[n], and the trace; as NplmNetwork
        does.
        """
        x, kept = dropout.forward(look_up(self.vectors, context))
        forward = self._forward(x)
        slopes, total, log_p, _ = self._exponentials(forward, target)
        subtract_targets(slopes, total, target.astype(np.int64))
        return log_p, (context, dropout, x, kept, forward, slopes)

    def backward(self, trace, gradients):
        """Give `gradients` those of the parameters."""
        context, dropout, x, kept, forward, slopes = trace
        d_shift, d_word_part, d_weight = (np.zeros_like(array) for array in forward)
        energy_gradients(*forward, slopes, d_shift, d_word_part, d_weight)
        d_x = dropout.backward(d_shift @ self.hidden_weight.T, kept)
        d_vectors = np.zeros_like(self.vectors)
        np.matmul(d_word_part.T, self.target_weight.T, out=d_vectors[:-1])
        dim = self.vectors.shape[1]
        np.add.at(d_vectors, context.reshape(-1), d_x.reshape(-1, dim))
        d_energy = d_weight.T if len(self.energy_weight) > 1 else d_weight.sum(1)[None]
        gradients.add("target_weight", self.vectors[:-1].T @ d_word_part.T)
        gradients.add("hidden_weight", x.T @ d_shift)
        gradients.add("hidden_bias", d_shift.sum(0))
        gradients.add("energy_weight", np.ascontiguousarray(d_energy))
        gradients.add("output_bias", slopes.sum(0))
        gradients.add("vectors", d_vectors)


_UNIFORM = 0.1  # part of Q, so that no word's weight is without bound


class ImportanceSampling:
    """An EnergyNetwork in training, whose normalizer is estimated from n words drawn
    for a batch.

    The estimate is exp(-energy) of the target, which is known to count, and the mean of
    exp(-energy) / (n Q) over the drawn words other than it. So no weight exceeds 1,
    which with few words keeps training from running away. Q is mostly the frequency of
    words in the text.
    """

    def __init__(self, network, counts, n):
        """counts: int64[n_words], in the training text, 0 for words that are never
        predicted.
        """
        self.network, self._n = network, n
        self._q = (1 - _UNIFORM) * counts / counts.sum() + _UNIFORM / len(counts)
        self._below = np.cumsum(self._q)

    def draw(self, rng):
        """Draw words by Q: int64[n]."""
        found = np.searchsorted(
            self._below, rng.random(self._n) * self._below[-1], "right"
        )
        return np.minimum(found, len(self._q) - 1)

    def forward(self, context, target, dropout, words):
        """Log P of the targets, an estimate, and the trace; words: int64[n], from
        `draw`.
        """
        network, target = self.network, target.astype(np.int64)
        x, kept = dropout.forward(look_up(network.vectors, context))
        forward = shift, *_ = network.terms(x, words)
        scores = np.empty((len(x), len(words)), shift.dtype)
        energy_scores(*forward, network.output_bias[words], scores)
        unit = np.tanh(shift + network.vectors[target] @ network.target_weight)
        reached = network.output_bias[target] + (unit * network.weights_of(target)).sum(
            1
        )

        scores -= np.log(len(words) * self._q[words]).astype(scores.dtype)
        scores[target[:, None] == words] = -np.inf
        largest = np.maximum(reached, scores.max(1))
        slopes = np.exp(scores - largest[:, None])
        log_z = largest + np.log(np.exp(reached - largest) + slopes.sum(1))
        slopes *= np.exp(largest - log_z)[:, None]
        log_p = (reached - log_z).astype(np.float64)
        own_slope = np.exp(reached - log_z) - 1
        return log_p, (
            context,
            target,
            words,
            dropout,
            x,
            kept,
            forward,
            slopes,
            unit,
            own_slope,
        )

    def backward(self, trace, gradients):
        """Give `gradients` estimates of those of the parameters."""
        context, target, words, dropout, x, kept, forward, slopes, unit, own_slope = (
            trace
        )
        network = self.network
        d_shift, d_word_part, d_weight = (np.zeros_like(array) for array in forward)
        energy_gradients(*forward, slopes, d_shift, d_word_part, d_weight)
        d_own_weight = own_slope[:, None] * unit
        d_own = own_slope[:, None] * network.weights_of(target) * (1 - unit * unit)
        d_shift += d_own
        d_x = dropout.backward(d_shift @ network.hidden_weight.T, kept)

        predicted = np.concatenate([words, target])
        d_part = np.concatenate([d_word_part.T, d_own])
        d_vectors = [
            d_part @ network.target_weight.T,
            d_x.reshape(-1, network.vectors.shape[1]),
        ]
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
