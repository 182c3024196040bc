"""The network of equation (1): words' vectors, a hidden layer, and output units over
both.
"""

import numpy as np

from senna_py.layers.activations import Tanh
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import Lookup


def look_up(vectors, context):
    """Word features x = (C(w_{t-1}), ..., C(w_{t-n+1})): float32[n, (order - 1) *
    dim].
    """
    return (
        Lookup({"vectors": vectors})
        .forward(context.reshape(-1, 1))[0]
        .reshape(len(context), -1)
    )


class NplmNetwork:
    """y = b + Wx + U tanh(d + Hx), W only with direct connections; then a softmax over
    words.

    vectors: float32[n_words + 1, dim], C, whose last row stands before the beginning of
    text;
    hidden_weight: float32[(order - 1) * dim, hidden], the transpose of H, `hidden` may
    be 0;
    hidden_bias: float32[hidden], d; output: Softmax or ClassSoftmax, fed by (x,) tanh(d
    + Hx).
    """

    def __init__(self, vectors, hidden_weight, hidden_bias, direct, output):
        """Hold the arrays themselves, not copies: training changes them in place."""
        self.vectors, self.hidden_weight, self.hidden_bias = (
            vectors,
            hidden_weight,
            hidden_bias,
        )
        self.direct, self.output = direct, output

    def parameters(self):
        """Arrays by their names in files."""
        return {
            "vectors": self.vectors,
            "hidden_weight": self.hidden_weight,
            "hidden_bias": self.hidden_bias,
            **self.output.parameters(),
        }

    @property
    def _hidden(self):
        return Linear("hidden", self.hidden_weight, self.hidden_bias, blas)

    def _features(self, context):
        return self._join(*self._forward(look_up(self.vectors, context))[:2])

    def _forward(self, x):
        """x, tanh(d + Hx), and its slope."""
        return x, *Tanh().forward(self._hidden.forward(x)[0])

    def _join(self, x, hidden):
        """Features that the output units see."""
        return np.concatenate([x, hidden], 1) if self.direct else hidden

    def log_probabilities(self, context, target):
        """log P(target | context): context: int32[n, order - 1]; target: int32[n];
        float64[n].
        """
        return self.output.log_probabilities(self._features(context), target)

    def probabilities(self, context):
        """P of all words: float32[n, n_words]."""
        return self.output.probabilities(self._features(context))

    def forward(self, context, target, dropout):
        """Log P of the targets in training, float64[n], and the trace; the cost is -sum
        log P.

        dropout: a layers.activations.Dropout, of vectors and hidden units.
        """
        x, kept_x = dropout.forward(look_up(self.vectors, context))
        x, hidden, slope = self._forward(x)
        hidden, kept = dropout.forward(hidden)
        log_p, output = self.output.forward(self._join(x, hidden), target)
        return log_p, (context, dropout, x, kept_x, slope, kept, output)

    def backward(self, trace, gradients):
        """Give `gradients` those of the parameters."""
        context, dropout, x, kept_x, slope, kept, output = trace
        d_features = self.output.backward(output, gradients)
        first = x.shape[1] if self.direct else 0
        d_hidden = dropout.backward(Tanh().backward(d_features[:, first:], slope), kept)
        d_x = self._hidden.backward(d_hidden, x, gradients)
        if self.direct:
            d_x += d_features[:, :first]
        d_rows = dropout.backward(d_x, kept_x).reshape(-1, self.vectors.shape[1])
        Lookup({"vectors": self.vectors}).backward(
            d_rows, context.reshape(-1, 1), gradients
        )
