"""The energy minimization network (Bengio et al. 2003, section 5.1).

The gradient of log P(target) is the gradient of the target's negative energy, minus the
expected gradient of the negative energy of a word under the model. Importance sampling
(Bengio and Senécal 2003) estimates this expectation from words that are drawn from a
known distribution Q and weighted by exp(-energy) / Q. Bengio et al. (2003) report that
it speeds up training a hundredfold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.kernels.lm.energy import energy_gradients, energy_scores
from senna_py.kernels.nn.softmax import exp_rows, subtract_targets, target_scores
from senna_py.layers.softmax import scores_buffer
from senna_py.lm.nplm.network import look_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout
    from senna_py.layers.gradients import Gradients

    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]


class Terms(NamedTuple):
    """The arguments of `energy_scores` except the biases.

    Attributes:
        shift: float32[n, hidden], d plus the contribution to H x of each context.
        word_part: float32[hidden, n_words], the contribution to H x of each predicted
            word.
        weight: float32[hidden, n_words], the vector v of each predicted word.
    """

    shift: Floats
    word_part: Floats
    weight: Floats


class _Exponentials(NamedTuple):
    """The unnormalized probabilities of words in their contexts, and log P of targets.

    Attributes:
        scores: float32[n, n_words], exp(-energy), up to a factor for each context.
        total: float64[n], the sum of each row of `scores`.
        log_p: float64[n], log P of the targets.
        log_normalizer: float64[n], the logarithm of the normalizer of each context.
    """

    scores: Floats
    total: NDArray[np.float64]
    log_p: NDArray[np.float64]
    log_normalizer: NDArray[np.float64]


class EnergyNetwork:
    """A network that computes the energy E of a word in its context.

    P(w) is proportional to exp(-E), where -E = b_w + v . tanh(d + H x), and x is the
    concatenation of the vectors C of the context words and of the predicted word. In
    contrast to the paper, v and b define the negative energy.

    Attributes:
        vectors: float32[n_words + 1, dim], C; the last row is for padding.
        hidden_weight: float32[(order - 1) * dim, hidden], the rows of H's transpose for
            the context words.
        target_weight: float32[dim, hidden], the rows of H's transpose for the predicted
            word.
        hidden_bias: float32[hidden], d.
        energy_weight: float32[1, hidden], v, or float32[n_words, hidden] if each word
            has its own v.
        output_bias: float32[n_words], b.
    """

    names = (
        "vectors",
        "hidden_weight",
        "target_weight",
        "hidden_bias",
        "energy_weight",
        "output_bias",
    )

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        """Use arrays by name without copying them; training changes them in place."""
        self.vectors = arrays["vectors"]
        self.hidden_weight = arrays["hidden_weight"]
        self.target_weight = arrays["target_weight"]
        self.hidden_bias = arrays["hidden_bias"]
        self.energy_weight = arrays["energy_weight"]
        self.output_bias = arrays["output_bias"]

    def parameters(self) -> dict[str, Floats]:
        """Return all parameters of the network, keyed by their names in files."""
        return {name: getattr(self, name) for name in self.names}

    def terms(self, x: Floats, words: Any) -> Terms:
        """Return the arguments of `energy_scores` for some contexts and words.

        Args:
            x: float32[n, (order - 1) * dim], the vectors of the context words.
            words: int64[n_words], the predicted words, or a slice of the vocabulary.
        """
        shift = x @ self.hidden_weight + self.hidden_bias
        word_part = self.vectors[words] @ self.target_weight
        weight = np.broadcast_to(self.weights_of(words), word_part.shape)
        return Terms(
            shift, np.ascontiguousarray(word_part.T), np.ascontiguousarray(weight.T)
        )

    def weights_of(self, words: Any) -> Floats:
        """Return v of each word: float32[n_words, hidden].

        If all words share one v, the result is float32[1, hidden].
        """
        if len(self.energy_weight) == 1:
            return self.energy_weight
        return self.energy_weight[words]

    def _forward(self, x: Floats) -> Terms:
        """Return the terms of all words; see `terms`."""
        return self.terms(x, slice(len(self.output_bias)))

    def _exponentials(self, forward: Terms, target: Ints) -> _Exponentials:
        """Compute unnormalized probabilities of all words, and log P of the targets.

        Args:
            forward: The terms of all words.
            target: int[n], the targets, or -1 where log P is not needed.
        """
        shift, word_part, weight = forward
        scores = scores_buffer(len(shift), len(self.output_bias), shift.dtype)
        energy_scores(shift, word_part, weight, self.output_bias, scores)
        reached, total = np.empty((2, len(shift)))
        target_scores(scores, target.astype(np.int64), reached)
        largest = scores.max(1)
        exp_rows(scores, largest, total)
        log_normalizer = largest + np.log(total)
        return _Exponentials(scores, total, reached - log_normalizer, log_normalizer)

    def scores_of(self, context: Ints, vectors: Floats, bias: float) -> Floats:
        """Return the negative energies of words outside the vocabulary.

        If each word of the vocabulary has its own v, the mean of all v is used.

        Args:
            context: int32[n, order - 1], the context words.
            vectors: float32[n_others, dim], the vectors of the words to score.
            bias: The value of b for all these words.

        Returns:
            The negative energy of each word in each context: float32[n, n_others].
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

    def log_probabilities(self, context: Ints, target: Ints) -> NDArray[np.float64]:
        """Return log P(target | context): float64[n].

        Args:
            context: int32[n, order - 1], the context words.
            target: int32[n], the predicted words.
        """
        return self.normalized(context, target).log_p

    def normalized(self, context: Ints, target: Ints) -> _Exponentials:
        """Return unnormalized probabilities, log P of the targets, and log normalizers.

        log P is meaningless where the target is -1.

        Args:
            context: int32[n, order - 1], the context words.
            target: int32[n], the predicted words, or -1.
        """
        forward = self._forward(look_up(self.vectors, context))
        return self._exponentials(forward, target)

    def probabilities(self, context: Ints) -> Floats:
        """Return the probabilities of all words after each context.

        Args:
            context: int32[n, order - 1], the context words.

        Returns:
            The probabilities: float32[n, n_words].
        """
        forward = self._forward(look_up(self.vectors, context))
        nothing = np.full(len(context), -1, np.int32)
        scores, total, _, _ = self._exponentials(forward, nothing)
        return scores / total[:, None].astype(scores.dtype)

    def forward(
        self, context: Ints, target: Ints, dropout: Dropout
    ) -> tuple[NDArray[np.float64], Any]:
        """Return log P of the targets in training, float64[n], and the trace.

        Args:
            context: int32[n, order - 1], the context words.
            target: int32[n], the predicted words.
            dropout: The dropout of the vectors of the context words.
        """
        x, mask = dropout.forward(look_up(self.vectors, context))
        forward = self._forward(x)
        slopes, total, log_p, _ = self._exponentials(forward, target)
        subtract_targets(slopes, total, target.astype(np.int64))
        return log_p, (context, dropout, x, mask, forward, slopes)

    def backward(self, trace: Any, gradients: Gradients) -> None:
        """Add the gradients of the cost, -sum log P, to `gradients`."""
        context, dropout, x, mask, forward, slopes = trace
        d_shift, d_word_part, d_weight = (np.zeros_like(array) for array in forward)
        energy_gradients(*forward, slopes, d_shift, d_word_part, d_weight)
        d_x = dropout.backward(d_shift @ self.hidden_weight.T, mask)
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


# The weight of the uniform distribution in Q, which bounds the importance weights.
_UNIFORM = 0.1


class _SampledTrace(NamedTuple):
    """The values of a forward pass that `ImportanceSampling.backward` needs."""

    context: Ints
    target: Ints
    words: NDArray[np.int64]
    dropout: Dropout
    x: Floats
    mask: NDArray[Any] | None
    terms: Terms
    slopes: Floats
    unit: Floats
    target_slope: Floats


class ImportanceSampling:
    """Trains an energy network with normalizers that are estimated from sampled words.

    The estimate for n sampled words is exp(-energy) of the target, plus the sum of
    exp(-energy) / (n Q) over the sampled words other than the target. Since the target
    is always included, no weight exceeds 1; otherwise, training with few samples would
    diverge. Q is a mixture of the frequencies of words and the uniform distribution.
    """

    def __init__(
        self, network: EnergyNetwork, counts: NDArray[np.int64], n: int
    ) -> None:
        """Prepare the distribution Q.

        Args:
            network: The network.
            counts: int64[n_words], the counts of words in the training text, 0 for
                words that are never predicted.
            n: The number of words to sample for a batch.
        """
        self.network = network
        self._n = n
        self._q = (1 - _UNIFORM) * counts / counts.sum() + _UNIFORM / len(counts)
        self._below = np.cumsum(self._q)

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample words from Q: int64[n]."""
        draws = rng.random(self._n) * self._below[-1]
        words = np.searchsorted(self._below, draws, "right")
        return np.minimum(words, len(self._q) - 1)

    def forward(
        self, context: Ints, target: Ints, dropout: Dropout, words: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], Any]:
        """Return estimates of log P of the targets in training, and the trace.

        Args:
            context: int32[n_examples, order - 1], the context words.
            target: int32[n_examples], the predicted words.
            dropout: The dropout of the vectors of the context words.
            words: int64[n], the sampled words, from `draw`.

        Returns:
            The estimates, float64[n_examples], and the trace.
        """
        network, target = self.network, target.astype(np.int64)
        x, mask = dropout.forward(look_up(network.vectors, context))
        terms = network.terms(x, words)
        scores = np.empty((len(x), len(words)), terms.shift.dtype)
        energy_scores(*terms, network.output_bias[words], scores)
        unit = np.tanh(terms.shift + network.vectors[target] @ network.target_weight)
        weighted = (unit * network.weights_of(target)).sum(1)
        reached = network.output_bias[target] + weighted

        scores -= np.log(len(words) * self._q[words]).astype(scores.dtype)
        scores[target[:, None] == words] = -np.inf
        largest = np.maximum(reached, scores.max(1))
        slopes = np.exp(scores - largest[:, None])
        log_z = largest + np.log(np.exp(reached - largest) + slopes.sum(1))
        slopes *= np.exp(largest - log_z)[:, None]
        log_p = (reached - log_z).astype(np.float64)
        target_slope = np.exp(reached - log_z) - 1
        return log_p, _SampledTrace(
            context,
            target,
            words,
            dropout,
            x,
            mask,
            terms,
            slopes,
            unit,
            target_slope,
        )

    def backward(self, trace: _SampledTrace, gradients: Gradients) -> None:
        """Add estimates of the gradients of the cost, -sum log P, to `gradients`."""
        context, target, words, slopes = (
            trace.context,
            trace.target,
            trace.words,
            trace.slopes,
        )
        unit, x, target_slope = trace.unit, trace.x, trace.target_slope
        network = self.network
        d_shift, d_word_part, d_weight = (np.zeros_like(array) for array in trace.terms)
        energy_gradients(*trace.terms, slopes, d_shift, d_word_part, d_weight)
        d_target_weight = target_slope[:, None] * unit
        d_target = (
            target_slope[:, None] * network.weights_of(target) * (1 - unit * unit)
        )
        d_shift += d_target
        d_x = trace.dropout.backward(d_shift @ network.hidden_weight.T, trace.mask)

        predicted = np.concatenate([words, target])
        d_part = np.concatenate([d_word_part.T, d_target])
        d_vectors = [
            d_part @ network.target_weight.T,
            d_x.reshape(-1, network.vectors.shape[1]),
        ]
        rows = np.concatenate([predicted, context.reshape(-1)]).astype(np.int32)
        gradients.rows("vectors", len(network.vectors), rows, np.concatenate(d_vectors))
        gradients.add("target_weight", network.vectors[predicted].T @ d_part)
        gradients.add("hidden_weight", x.T @ d_shift)
        gradients.add("hidden_bias", d_shift.sum(0))
        d_energy = np.concatenate([d_weight.T, d_target_weight])
        if len(network.energy_weight) == 1:
            gradients.add("energy_weight", d_energy.sum(0)[None])
        else:
            n_words, rows = len(network.energy_weight), predicted.astype(np.int32)
            gradients.rows("energy_weight", n_words, rows, d_energy)
        d_bias = np.zeros_like(network.output_bias)
        np.add.at(d_bias, predicted, np.concatenate([slopes.sum(0), target_slope]))
        gradients.add("output_bias", d_bias)
