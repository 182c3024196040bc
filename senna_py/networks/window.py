"""The window network (Collobert et al. 2011, section 3.3.1)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna_py.kernels.linear import hardtanh
from senna_py.layers.blocks import Decoder, Output, apply_linear, embed, pad, widen
from senna_py.layers.gradients import Gradients
from senna_py.layers.window import ProductCache, WindowLayer

__all__ = ["WindowNetwork"]


class _Trace(NamedTuple):
    """What a forward pass in training leaves for the backward pass."""

    padded: np.ndarray
    first: np.ndarray
    x: np.ndarray
    x_mask: np.ndarray | None
    hidden: np.ndarray | None
    passed: np.ndarray | None  # factors of HardTanh and dropout


@dataclass
class WindowNetwork:
    """Scores tags from a window of words around each: look up, linear, HardTanh, linear.

    window: words in the window, odd. tables: one float32[n_keys, dim] per input feature.
    padding: int32[n_features], what stands outside the sentence. hidden_weight:
    float32[window * sum of dims, n_hidden]; hidden_bias: float32[n_hidden]; output_weight:
    float32[n_hidden, n_tags]; output_bias: float32[n_tags]. Without hidden_weight and hidden_bias
    (None) the network is linear, and output_weight has window * sum of dims rows. initial:
    float32[n_tags] and transition: float32[n_tags, n_tags] (source, destination) are the
    sentence-level scores, or None, where each word takes its best tag by itself; final:
    float32[n_tags] is added at the last word, if there is one.
    """

    window: int
    tables: list[np.ndarray]
    padding: np.ndarray
    hidden_weight: np.ndarray | None
    hidden_bias: np.ndarray | None
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray | None = None
    transition: np.ndarray | None = None
    final: np.ndarray | None = None

    def cache(self, n_rows):
        """A place to keep `n_rows` products of the first layer, for `tag`."""
        return ProductCache(self.tables, self._first[0], n_rows)

    @property
    def row_bytes(self):
        """Bytes of each product that `cache` keeps."""
        return 4 * self.window * self._first[0].shape[1]

    @property
    def _first(self):
        """Weight and bias of the first layer."""
        if self.hidden_weight is None:
            return self.output_weight, self.output_bias
        return self.hidden_weight, self.hidden_bias

    def tag(self, features, starts, cache=None):
        """Best tag of each word: int32[n_tokens].

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; cache: made by
        `cache` since the parameters last changed, or None.
        """
        padded, first = pad(features, starts, self.window, self.padding)
        output = Output(self)
        decoder, layer = Decoder(starts, output), WindowLayer(self.tables, *self._first, cache)
        if self.hidden_weight is None:
            decoder.add(widen(layer(padded, first)))
        else:
            for scores in layer.scores(padded, first, output):
                decoder.add(scores)
        return decoder.tags

    def forward(self, features, starts, dropout):
        """Tag scores float32[n_tokens, n_tags] in training, and a trace for `backward`.

        features, starts: as for `tag`; dropout: a `layers.dropout.Dropout`. Without dropout
        these are the scores that `tag` decodes.
        """
        padded, first = pad(features, starts, self.window, self.padding)
        x = embed(self.tables, padded)
        x_mask = dropout.apply(x, dropout.embedding)
        hidden = WindowLayer(self.tables, *self._first).on_rows(x, first)
        if self.hidden_weight is None:
            return hidden, _Trace(padded, first, x, x_mask, None, None)
        hardtanh(hidden)
        passed = (np.abs(hidden) < 1).astype(np.float32)
        mask = dropout.apply(hidden, dropout.hidden)
        if mask is not None:
            passed *= mask
        scores = apply_linear(hidden, self.output_weight, self.output_bias)
        return scores, _Trace(padded, first, x, x_mask, hidden, passed)

    def backward(self, trace, d_scores, fixed=()):
        """Gradients of layers and tables from those of the scores; see `Gradients.add_tables`."""
        gradients, d_x = Gradients(), np.zeros_like(trace.x)
        output = "output_weight", "output_bias"
        if self.hidden_weight is None:
            weight = self.output_weight
            gradients.add_convolution(output, trace.x, trace.first, d_scores, weight, d_x)
        else:
            d_hidden = gradients.add_linear(output, trace.hidden, d_scores, self.output_weight)
            d_hidden *= trace.passed
            gradients.add_convolution(
                ("hidden_weight", "hidden_bias"), trace.x, trace.first, d_hidden,
                self.hidden_weight, d_x,
            )  # fmt: skip
        if trace.x_mask is not None:
            d_x *= trace.x_mask
        gradients.add_tables(self.tables, fixed, trace.padded, d_x)
        return gradients
