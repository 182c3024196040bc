"""A two-level softmax, P(word) = P(class) P(word | class), which is faster to train.

With classes of about sqrt(n_words) words, an example costs about 2 sqrt(n_words) output
units instead of n_words. The probabilities of all words sum to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.lm import class_softmax as kernels
from senna_py.layers.cost import Cost
from senna_py.layers.softmax import Softmax

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

    Ints = NDArray[np.integer]

_ROWS = 4096  # the number of rows of gradients that are computed at once


class ClassSoftmax(Cost):
    """A softmax over classes, followed by a softmax over the words of one class.

    Attributes:
        word_class: int32[n_words], the class of each word. Each of the classes 0 to
            n_classes - 1 has at least one word.
        classes: The Softmax over classes.
        weight: float32[n_words, n_features], the weights of the second softmax. Rows
            are sorted by class, and by word within a class.
        bias: float32[n_words], in the order of the rows of `weight`.
    """

    def __init__(
        self,
        word_class: NDArray[np.int32],
        class_weight: NDArray,
        class_bias: NDArray,
        weight: NDArray,
        bias: NDArray,
    ) -> None:
        """Store the arrays.

        Args:
            word_class: See the class.
            class_weight: float32[n_classes, n_features], the weights of the softmax
                over classes.
            class_bias: float32[n_classes], the biases of this softmax.
            weight: See the class.
            bias: See the class.
        """
        self.word_class = word_class
        self.classes = Softmax(class_weight, class_bias, name="class")
        self.weight, self.bias = weight, bias
        self._word_of_row = np.argsort(word_class, kind="stable")
        self._row_of_word = np.empty(len(word_class), np.int64)
        self._row_of_word[self._word_of_row] = np.arange(len(word_class))
        self._starts = np.searchsorted(
            word_class[self._word_of_row], np.arange(len(class_bias) + 1)
        ).astype(np.int64)

    def parameters(self) -> dict[str, NDArray]:
        words = {"output_weight": self.weight, "output_bias": self.bias}
        return self.classes.parameters() | words

    def log_probabilities(self, features: NDArray, target: Ints) -> NDArray:
        """Return log P of target words: float64[n].

        Args:
            features: float32[n, n_features].
            target: int32[n], one word for each row of features.
        """
        word_class = self.word_class[target].astype(np.int64)
        scratch = np.empty(np.diff(self._starts).max(), features.dtype)
        within_class = np.empty(len(target))
        kernels.class_log_probabilities(
            features,
            self.weight,
            self.bias,
            self._starts,
            word_class,
            self._row_of_word[target],
            scratch,
            within_class,
        )
        return self.classes.log_probabilities(features, word_class) + within_class

    def probabilities(self, features: NDArray) -> NDArray:
        """Return P of all words: float32[n, n_words].

        features is float32[n, n_features].
        """
        scores = features @ self.weight.T
        scores += self.bias
        kernels.exp_within(scores, self._starts)
        rows = scores[:, self._row_of_word]
        return rows * self.classes.probabilities(features)[:, self.word_class]

    def forward(self, features: NDArray, target: Ints) -> tuple[NDArray, Any]:
        """Return log P of the targets, float64[n], and the trace.

        The cost is the negated sum. Any later use of a Softmax in the same thread
        overwrites the trace. See `log_probabilities` for the arguments.
        """
        word_class = self.word_class[target].astype(np.int64)
        sizes = np.diff(self._starts)[word_class]
        begin = np.concatenate([[0], np.cumsum(sizes)])
        slopes = np.empty(begin[-1], features.dtype)
        log_p, d_features = np.empty(len(target)), np.zeros_like(features)
        kernels.class_slopes(
            features,
            self.weight,
            self.bias,
            self._starts,
            word_class,
            self._row_of_word[target],
            begin,
            slopes,
            log_p,
            d_features,
        )
        class_log_p, class_trace = self.classes.forward(
            features, self.word_class[target]
        )
        trace = features, word_class, begin, slopes, d_features, class_trace
        return log_p + class_log_p, trace

    def backward(self, trace: Any, gradients: Gradients) -> NDArray:
        features, word_class, begin, slopes, d_features, class_trace = trace
        d_by_class = self.classes.backward(class_trace, gradients)
        order = np.argsort(word_class, kind="stable")
        for block in self._class_blocks(word_class[order]):
            self._within_classes(
                features, word_class, order[block], begin, slopes, gradients
            )
        return d_features + d_by_class

    def _class_blocks(self, in_order: Ints) -> list[slice]:
        """Split examples into slices whose gradients have about `_ROWS` rows each.

        The examples of a class stay together.

        Args:
            in_order: int64[n], the class of each example, in ascending order.
        """
        ends = np.flatnonzero(np.diff(in_order, append=-1)) + 1
        rows = np.cumsum(np.diff(self._starts)[in_order[ends - 1]])
        last = np.append(np.flatnonzero(np.diff(rows // _ROWS)), len(ends) - 1)
        return [
            slice(a, b) for a, b in zip([0, *ends[last[:-1]]], ends[last], strict=True)
        ]

    def _within_classes(
        self,
        features: NDArray,
        word_class: Ints,
        order: Ints,
        begin: Ints,
        slopes: NDArray,
        gradients: Gradients,
    ) -> None:
        """Collect the gradients of the weights within the classes of some examples.

        Args:
            features: float32[n, n_features].
            word_class: int64[n], the class of the target of each example.
            order: int64[k], the indices of some examples, grouped by class.
            begin: int64[n + 1], where the derivatives of each example begin.
            slopes: float32[begin[-1]], d(cost)/d(scores within the class).
            gradients: The object that collects the gradients.
        """
        present = np.unique(word_class[order])
        n_rows = int(np.diff(self._starts)[present].sum())
        rows, d_bias = np.empty(n_rows, np.int32), np.empty(n_rows, features.dtype)
        gradient = np.empty((n_rows, features.shape[1]), features.dtype)
        kernels.class_gradients(
            features,
            self._starts,
            word_class,
            order,
            begin,
            slopes,
            rows,
            gradient,
            d_bias,
        )
        gradients.distinct_rows("output_weight", rows, gradient)
        gradients.distinct_rows("output_bias", rows, d_bias)
