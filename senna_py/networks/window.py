"""The window network (Collobert et al. 2011, section 3.3.1)."""

from dataclasses import dataclass

import numpy as np

from senna_py.kernels.linear import convolve, hardtanh, linear
from senna_py.networks.blocks import BLOCK, Decoder, embed, pad

__all__ = ["WindowNetwork"]


@dataclass
class WindowNetwork:
    """Scores tags from a window of words around each: look up, linear, HardTanh, linear.

    window: words in the window, odd. tables: one float32[n_keys, dim] per input feature.
    padding: int32[n_features], what stands outside the sentence. hidden_weight:
    float32[window * sum of dims, n_hidden]; hidden_bias: float32[n_hidden]; output_weight:
    float32[n_hidden, n_tags]; output_bias: float32[n_tags]. initial: float32[n_tags] and
    transition: float32[n_tags, n_tags] (source, destination) are the sentence-level scores, or
    None, where each word takes its best tag by itself.
    """

    window: int
    tables: list[np.ndarray]
    padding: np.ndarray
    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray | None = None
    transition: np.ndarray | None = None

    def tag(self, features, starts):
        """Best tag of each word: int32[n_tokens].

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1].
        """
        padded, first = pad(features, starts, self.window, self.padding)
        decoder = Decoder(starts, self.initial, self.transition)
        for begin in range(0, len(first), BLOCK):
            windows = first[begin : begin + BLOCK]
            rows = padded[windows[0] : windows[-1] + self.window]
            decoder.add(self.scores(embed(self.tables, rows), windows - windows[0]))
        return decoder.tags

    def scores(self, embedded, first):
        """Tag scores of the windows that begin at rows `first`: float32[n, n_tags].

        embedded: float32[n_rows, sum of dims]; first: int32[n].
        """
        hidden = np.empty((len(first), len(self.hidden_bias)), np.float32)
        convolve(embedded, first, self.hidden_weight, self.hidden_bias, hidden)
        hardtanh(hidden)
        scores = np.empty((len(first), len(self.output_bias)), np.float32)
        linear(hidden, self.output_weight, self.output_bias, scores)
        return scores
