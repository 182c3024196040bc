"""Softmax of two levels: P(word) = P(class) P(word | class), the speed-up of training.

A class of about sqrt(n_words) words makes both levels short, so that an example costs
some 2 sqrt(n_words) output units instead of n_words. Probabilities are exact and sum to
one.
"""

import numpy as np

from senna_py.kernels.lm import class_softmax as kernels
from senna_py.layers.protocol import Layer
from senna_py.layers.softmax import Softmax

_ROWS = 4096  # rows of gradients at once


class ClassSoftmax(Layer):
    """log P(word) = log softmax over classes [its class] + log softmax over that class
    [word].

    word_class: int32[n_words], each of the classes 0 to n_classes - 1 has a word;
    class_weight: float32[n_classes, n_features]; class_bias: float32[n_classes];
    weight: float32[n_words, n_features] and bias: float32[n_words] are in the order of
    the classes.
    """

    def __init__(self, word_class, class_weight, class_bias, weight, bias):
        self.word_class = word_class
        self.classes = Softmax(class_weight, class_bias, name="class")
        self.weight, self.bias = weight, bias
        self._word_of_row = np.argsort(word_class, kind="stable")
        self._row_of_word = np.empty(len(word_class), np.int64)
        self._row_of_word[self._word_of_row] = np.arange(len(word_class))
        self._starts = np.searchsorted(
            word_class[self._word_of_row], np.arange(len(class_bias) + 1)
        ).astype(np.int64)

    def parameters(self):
        own = {"output_weight": self.weight, "output_bias": self.bias}
        return self.classes.parameters() | own

    def log_probabilities(self, features, target):
        """log P of target words: features: float32[n, n_features]; target: int32[n];
        float64[n].
        """
        word_class = self.word_class[target].astype(np.int64)
        room = np.empty(np.diff(self._starts).max(), features.dtype)
        within = np.empty(len(target))
        kernels.class_log_probabilities(
            features,
            self.weight,
            self.bias,
            self._starts,
            word_class,
            self._row_of_word[target],
            room,
            within,
        )
        return self.classes.log_probabilities(features, word_class) + within

    def probabilities(self, features):
        """P of all words: float32[n, n_words]."""
        scores = features @ self.weight.T
        scores += self.bias
        kernels.exp_within(scores, self._starts)
        rows = scores[:, self._row_of_word]
        return rows * self.classes.probabilities(features)[:, self.word_class]

    def forward(self, features, target):
        """Log P of the targets, float64[n], and the trace; see `Softmax.forward`."""
        word_class = self.word_class[target].astype(np.int64)
        sizes = np.diff(self._starts)[word_class]
        at = np.concatenate([[0], np.cumsum(sizes)])
        slopes = np.empty(at[-1], features.dtype)
        log_p, d_features = np.empty(len(target)), np.zeros_like(features)
        kernels.class_slopes(
            features,
            self.weight,
            self.bias,
            self._starts,
            word_class,
            self._row_of_word[target],
            at,
            slopes,
            log_p,
            d_features,
        )
        class_log_p, by_class = self.classes.forward(features, self.word_class[target])
        return log_p + class_log_p, (
            features,
            word_class,
            at,
            slopes,
            d_features,
            by_class,
        )

    def backward(self, trace, gradients):
        features, word_class, at, slopes, d_features, by_class = trace
        d_by_class = self.classes.backward(by_class, gradients)
        order = np.argsort(word_class, kind="stable")
        for part in self._parts(word_class[order]):
            self._within_classes(
                features, word_class, order[part], at, slopes, gradients
            )
        return d_features + d_by_class

    def _parts(self, in_order):
        """Slices of the examples in order of their classes, of whole classes and some
        rows each.
        """
        ends = np.flatnonzero(np.diff(in_order, append=-1)) + 1
        rows = np.cumsum(np.diff(self._starts)[in_order[ends - 1]])
        last = np.append(np.flatnonzero(np.diff(rows // _ROWS)), len(ends) - 1)
        return [
            slice(a, b) for a, b in zip([0, *ends[last[:-1]]], ends[last], strict=True)
        ]

    def _within_classes(self, features, word_class, order, at, slopes, gradients):
        present = np.unique(word_class[order])
        n_rows = int(np.diff(self._starts)[present].sum())
        rows, d_bias = np.empty(n_rows, np.int32), np.empty(n_rows, features.dtype)
        gradient = np.empty((n_rows, features.shape[1]), features.dtype)
        kernels.class_gradients(
            features,
            self._starts,
            word_class,
            order,
            at,
            slopes,
            rows,
            gradient,
            d_bias,
        )
        gradients.distinct_rows("output_weight", rows, gradient)
        gradients.distinct_rows("output_bias", rows, d_bias)
