"""The network of equation (1): words' vectors, a hidden layer, and output units over both."""

import numpy as np

from senna_py.kernels.lookup import lookup

__all__ = ["Dropout", "Network", "look_up"]


def look_up(vectors, context):
    """Word features x = (C(w_{t-1}), ..., C(w_{t-n+1})): float32[n, (order - 1) * dim]."""
    n, width = context.shape
    out = np.empty((n * width, vectors.shape[1]), vectors.dtype)
    lookup(vectors, context.reshape(-1), out, np.int64(0))
    return out.reshape(n, -1)


class Dropout:
    """Units left out at random while training, the others scaled up (Srivastava et al. 2014)."""

    def __init__(self, share, rng):
        """Take the share of units to leave out and a Generator."""
        self._share, self._rng = share, rng

    def __call__(self, values):
        """Change `values`: float32[n, width] in place; returns the factors, or None for 1."""
        if not self._share:
            return None
        kept = self._rng.random(values.shape, np.float32) >= self._share
        factors = kept * values.dtype.type(1 / (1 - self._share))
        values *= factors
        return factors


class Network:
    """y = b + Wx + U tanh(d + Hx), W only with direct connections; then a softmax over words.

    vectors: float32[n_words + 1, dim], C, whose last row stands before the beginning of text;
    hidden_weight: float32[(order - 1) * dim, hidden], the transpose of H, `hidden` may be 0;
    hidden_bias: float32[hidden], d; output: Softmax or ClassSoftmax, fed by (x,) tanh(d + Hx).
    """

    def __init__(self, vectors, hidden_weight, hidden_bias, direct, output):
        """Take the arrays, which training changes in place."""
        self.vectors, self.hidden_weight, self.hidden_bias = vectors, hidden_weight, hidden_bias
        self.direct, self.output = direct, output

    @property
    def order(self):
        """Words that a prediction depends on, the predicted one included: n."""
        return 1 + len(self.hidden_weight) // self.vectors.shape[1]

    def parameters(self):
        """Arrays by their names in files."""
        return {
            "vectors": self.vectors, "hidden_weight": self.hidden_weight,
            "hidden_bias": self.hidden_bias, **self.output.parameters(),
        }  # fmt: skip

    def _features(self, x):
        hidden = np.tanh(x @ self.hidden_weight + self.hidden_bias)
        return hidden, np.concatenate([x, hidden], 1) if self.direct else hidden

    def log_probabilities(self, context, target):
        """log P(target | context): context: int32[n, order - 1]; target: int32[n]; float64[n]."""
        return self.output.log_probabilities(self._features(look_up(self.vectors, context))[1],
                                             target)  # fmt: skip

    def probabilities(self, context):
        """P of all words: float32[n, n_words]."""
        return self.output.probabilities(self._features(look_up(self.vectors, context))[1])

    def step(self, context, target, step, dropout):
        """Train a minibatch; returns log P of its targets: float64[n].

        step: of an Optimizer; dropout: Dropout, of vectors and hidden units.
        """
        x = look_up(self.vectors, context)
        kept_x = dropout(x)
        hidden = np.tanh(x @ self.hidden_weight + self.hidden_bias)
        slope = 1 - hidden * hidden
        kept_hidden = dropout(hidden)
        features = np.concatenate([x, hidden], 1) if self.direct else hidden
        log_p, d_features = self.output.step(features, target, step)
        first = x.shape[1] if self.direct else 0
        d_hidden = d_features[:, first:] * slope
        if kept_hidden is not None:
            d_hidden *= kept_hidden
        d_x = d_hidden @ self.hidden_weight.T
        if self.direct:
            d_x += d_features[:, :first]
        if kept_x is not None:
            d_x *= kept_x
        step.dense("hidden_weight", self.hidden_weight, x.T @ d_hidden)
        step.dense("hidden_bias", self.hidden_bias, d_hidden.sum(0))
        dim = self.vectors.shape[1]
        step.rows("vectors", self.vectors, context.reshape(-1), d_x.reshape(-1, dim))
        return log_p
