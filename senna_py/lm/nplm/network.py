"""The network of equation (1) in Bengio et al. (2003), with a softmax output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.activations import Tanh
from senna_py.layers.linear import Linear, blas
from senna_py.layers.lookup import Lookup

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.layers.activations import Dropout
    from senna_py.layers.class_softmax import ClassSoftmax
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.softmax import Softmax


def look_up(vectors: NDArray[Any], context: NDArray[Any]) -> NDArray[Any]:
    """Return the concatenated vectors of the context words.

    This is x = (C(w_{t-1}), ..., C(w_{t-n+1})) in the paper.

    Args:
        vectors: float32[n_words + 1, dim], C.
        context: int32[n, order - 1], the context words, the nearest first.

    Returns:
        The vectors: float32[n, (order - 1) * dim].
    """
    rows, _ = Lookup({"vectors": vectors}).forward(context.reshape(-1, 1))
    return rows.reshape(len(context), -1)


class NplmNetwork:
    """A network with one hidden layer, whose output is a softmax over all words.

    The softmax is over y = b + W x + U tanh(d + H x). Without direct connections, W is
    0. x is the concatenation of the vectors of the context words.

    Attributes:
        vectors: float32[n_words + 1, dim], C; the last row is for positions before the
            beginning of the text.
        hidden_weight: float32[(order - 1) * dim, hidden], the transpose of H; `hidden`
            may be 0.
        hidden_bias: float32[hidden], d.
        direct: Whether there are direct connections from x to the output units.
        output: The output layer. Its input is tanh(d + H x), preceded by x if there are
            direct connections.
    """

    def __init__(
        self,
        vectors: NDArray[Any],
        hidden_weight: NDArray[Any],
        hidden_bias: NDArray[Any],
        direct: bool,
        output: Softmax | ClassSoftmax,
    ) -> None:
        """Use the arrays without copying them; training changes them in place."""
        self.vectors = vectors
        self.hidden_weight = hidden_weight
        self.hidden_bias = hidden_bias
        self.direct = direct
        self.output = output

    def parameters(self) -> dict[str, NDArray[Any]]:
        """Return all parameters of the network, keyed by their names in files."""
        return {
            "vectors": self.vectors,
            "hidden_weight": self.hidden_weight,
            "hidden_bias": self.hidden_bias,
            **self.output.parameters(),
        }

    @property
    def _hidden(self) -> Linear:
        return Linear("hidden", self.hidden_weight, self.hidden_bias, blas)

    def _features(self, context: NDArray[Any]) -> NDArray[Any]:
        """Return the input of the output layer: float32[n, n_features]."""
        return self._join(*self._forward(look_up(self.vectors, context))[:2])

    def _forward(
        self, x: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return x, tanh(d + H x), and the derivative of the tanh.

        x is float32[n, n_inputs], and the other two are float32[n, hidden].
        """
        hidden, slope = Tanh().forward(self._hidden.forward(x)[0])
        return x, hidden, slope

    def _join(self, x: NDArray[Any], hidden: NDArray[Any]) -> NDArray[Any]:
        """Return the input of the output layer: float32[n, n_features].

        It consists of the hidden units, preceded by x if there are direct connections.
        """
        return np.concatenate([x, hidden], 1) if self.direct else hidden

    def log_probabilities(
        self, context: NDArray[Any], target: NDArray[Any]
    ) -> NDArray[Any]:
        """Return log P(target | context): float64[n].

        Args:
            context: int32[n, order - 1], the context words.
            target: int32[n], the predicted words.
        """
        return self.output.log_probabilities(self._features(context), target)

    def probabilities(self, context: NDArray[Any]) -> NDArray[Any]:
        """Return the probabilities of all words after each context.

        Args:
            context: int32[n, order - 1], the context words.

        Returns:
            The probabilities: float32[n, n_words].
        """
        return self.output.probabilities(self._features(context))

    def forward(
        self, context: NDArray[Any], target: NDArray[Any], dropout: Dropout
    ) -> tuple[NDArray[Any], Any]:
        """Return log P of the targets in training, float64[n], and the trace.

        The cost is -sum log P.

        Args:
            context: int32[n, order - 1], the context words.
            target: int32[n], the predicted words.
            dropout: The dropout of the word vectors and the hidden units.
        """
        x, mask_of_x = dropout.forward(look_up(self.vectors, context))
        x, hidden, slope = self._forward(x)
        hidden, mask = dropout.forward(hidden)
        log_p, output = self.output.forward(self._join(x, hidden), target)
        return log_p, (context, dropout, x, mask_of_x, slope, mask, output)

    def backward(self, trace: Any, gradients: Gradients) -> None:
        """Add the gradients of the cost, -sum log P, to `gradients`."""
        context, dropout, x, mask_of_x, slope, mask, output = trace
        d_features = self.output.backward(output, gradients)
        first = x.shape[1] if self.direct else 0
        d_hidden = dropout.backward(Tanh().backward(d_features[:, first:], slope), mask)
        d_x = self._hidden.backward(d_hidden, x, gradients)
        if self.direct:
            d_x += d_features[:, :first]
        d_rows = dropout.backward(d_x, mask_of_x).reshape(-1, self.vectors.shape[1])
        Lookup({"vectors": self.vectors}).backward(
            d_rows, context.reshape(-1, 1), gradients
        )
