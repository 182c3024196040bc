"""The sentence network with a predicate, for semantic roles (section 3.3.2)."""

from dataclasses import dataclass

import numpy as np

from senna_py.kernels.linear import convolve
from senna_py.kernels.max_over_time import max_over_predicates
from senna_py.networks.blocks import BLOCK, Decoder, embed, pad, score_rows

__all__ = ["SentenceNetwork"]


@dataclass
class SentenceNetwork:
    """Scores the role of every word for every predicate of its sentence.

    The first layer is linear, so it is computed in three parts: the words' once a sentence, and
    those of the distances to the predicate and to the word, which depend on nothing else, once
    a batch. Their sum goes through max over time, linear, HardTanh, linear.

    window: words in the window, odd. tables: one float32[n_keys, dim] per input feature;
    padding: int32[n_features], what stands outside the sentence. verb_distances, word_distances:
    float32[2 * m + 1, dim], rows for distances -m to m and beyond. word_weight:
    float32[window * sum of dims, n_conv]; verb_distance_weight, word_distance_weight:
    float32[window * dim, n_conv]; conv_bias: float32[n_conv]; hidden_weight: float32[n_conv,
    n_hidden]; hidden_bias: float32[n_hidden]; output_weight: float32[n_hidden, n_tags];
    output_bias, initial: float32[n_tags]; transition: float32[n_tags, n_tags] (source,
    destination).
    """

    window: int
    tables: list[np.ndarray]
    padding: np.ndarray
    verb_distances: np.ndarray
    word_distances: np.ndarray
    word_weight: np.ndarray
    verb_distance_weight: np.ndarray
    word_distance_weight: np.ndarray
    conv_bias: np.ndarray
    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray
    transition: np.ndarray

    def _distance_bias(self, table, weight, longest):
        """First-layer part of each distance -m to m: float32[2 * m + 1, n_conv].

        A window reaches further than its centre, so distances differ up to half a window beyond
        the table's; those that no sentence of `longest` tokens has are left out.
        """
        half, reach = self.window // 2, len(table) // 2
        m = min(reach + half, longest)
        distance = np.clip(np.arange(-m - half, m + half + 1), -reach, reach) + reach
        out = np.empty((2 * m + 1, weight.shape[1]), np.float32)
        first = np.arange(2 * m + 1, dtype=np.int32)
        convolve(table[distance], first, weight, np.zeros(weight.shape[1], np.float32), out)
        return out

    def tag(self, features, starts, sentence, predicate):
        """Roles of all words for each predicate in turn: int32[n_rows], and where each begins.

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; sentence,
        predicate: int32[n_predicates], ascending: the sentence of each predicate and its token,
        counted from the start of the batch. Predicate p owns rows `begin[p]:begin[p + 1]` of the
        result, one per word of its sentence; begin: int64[n_predicates + 1].
        """
        words = self._convolve_words(features, starts)
        longest = int(np.diff(starts).max(initial=0))
        verb_bias = self._distance_bias(self.verb_distances, self.verb_distance_weight, longest)
        word_bias = self._distance_bias(self.word_distances, self.word_distance_weight, longest)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        tags = np.empty(begin[-1], np.int32)
        p = 0
        while p < len(predicate):
            # As many predicates as fill a block, but always one.
            q = max(p + 1, int(np.searchsorted(begin, begin[p] + BLOCK, side="right")) - 1)
            decoder = Decoder(
                (begin[p : q + 1] - begin[p]).astype(np.int32), self.initial, self.transition
            )
            hidden = np.empty((begin[q] - begin[p], len(self.conv_bias)), np.float32)
            max_over_predicates(
                words, starts, sentence[p:q], predicate[p:q],
                verb_bias, word_bias, hidden,
            )  # fmt: skip
            decoder.add(self._scores(hidden))
            tags[begin[p] : begin[q]] = decoder.tags
            p = q
        return tags, begin

    def _convolve_words(self, features, starts):
        """First-layer part of the words, with the bias: float32[n_tokens, n_conv]."""
        padded, first = pad(features, starts, self.window, self.padding)
        words = np.empty((len(features), len(self.conv_bias)), np.float32)
        convolve(embed(self.tables, padded), first, self.word_weight, self.conv_bias, words)
        return words

    def _scores(self, pooled):
        return score_rows(
            pooled, self.hidden_weight, self.hidden_bias, self.output_weight, self.output_bias
        )
