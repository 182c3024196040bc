"""The sentence network, for semantic roles or for labels of words (section 3.3.2)."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from senna_py.kernels.linear import hardtanh
from senna_py.kernels.lookup import add_rows, add_to_rows
from senna_py.kernels.max_over_time import locate_maxima, max_over_predicates, spread_maxima
from senna_py.layers.blocks import (
    BLOCK,
    Decoder,
    Layer,
    Output,
    apply_convolution,
    apply_linear,
    embed,
    pad,
    sentence_blocks,
)
from senna_py.layers.gradients import Gradients
from senna_py.layers.window import ProductCache, WindowLayer

__all__ = ["SentenceNetwork"]

# Computed at once: of the parts, words in whole sentences; of what follows, whole predicates' rows.
_WORDS, _ROWS = 4 * BLOCK, 2 * BLOCK


class _Parts(NamedTuple):
    """First-layer parts of a batch, which are computed once and then added.

    words: float32[n_tokens, n_conv]; verb_bias, word_bias: float32[2 * m + 1, n_conv], for
    distances -m to m and beyond; without predicates verb_bias is 0. near_words:
    float32[n_tokens, n_hidden] and near_verbs: float32[n_predicates, n_hidden], what goes to the
    hidden layer directly, or None.
    """

    words: np.ndarray
    verb_bias: np.ndarray
    word_bias: np.ndarray
    near_words: np.ndarray | None
    near_verbs: np.ndarray | None


class _Rows(NamedTuple):
    """What each row stands for, a row being a word beside a predicate of its sentence.

    word: int32[n_rows], token of the batch; owner: int32[n_rows], number of the predicate;
    distance: int32[n_rows], row of the table of direct distances, or None without predicates.
    """

    word: np.ndarray
    owner: np.ndarray
    distance: np.ndarray | None


class _Trace(NamedTuple):
    """What a forward pass in training leaves for the backward pass."""

    batch: tuple
    padded: np.ndarray
    first: np.ndarray
    x: np.ndarray
    x_mask: np.ndarray | None
    parts: _Parts
    rows: _Rows | None
    pooled: np.ndarray
    position: np.ndarray
    hidden: np.ndarray
    passed: np.ndarray  # factors of HardTanh and dropout


@dataclass
class SentenceNetwork:
    """Scores the role of every word for every predicate of its sentence, or a tag of every word.

    The first layer is linear, so it is computed in three parts: the words' once a sentence, and
    those of the distances to the predicate and to the word, which depend on nothing else, once
    a batch. Their sum goes through max over time, linear, HardTanh, linear.

    A network without verb_distances and verb_distance_weight (None) knows no predicates: it tags
    words as a WindowNetwork does, but sees the whole sentence for each.

    window: words in the window, odd. tables: one float32[n_keys, dim] per input feature;
    padding: int32[n_features], what stands outside the sentence. verb_distances, word_distances:
    float32[2 * m + 1, dim], rows for distances -m to m and beyond. word_weight:
    float32[window * sum of dims, n_conv]; verb_distance_weight, word_distance_weight:
    float32[window * dim, n_conv]; conv_bias: float32[n_conv]; hidden_weight: float32[n_conv,
    n_hidden]; hidden_bias: float32[n_hidden]; output_weight: float32[n_hidden, n_tags];
    output_bias: float32[n_tags]. initial: float32[n_tags] and transition: float32[n_tags, n_tags]
    (source, destination) are the sentence-level scores, or None, where each word takes its best
    tag by itself; final: float32[n_tags], added at the last word, or None.

    Direct connections, all three or none (this project's addition): the hidden layer also sees
    the windows around the word and around the predicate, by direct_word_weight and
    direct_verb_weight: float32[window * sum of dims, n_hidden], and their distance, by
    direct_distance: float32[2 * m + 1, n_hidden]. Without predicates there is only the first.
    """

    window: int
    tables: list[np.ndarray]
    padding: np.ndarray
    verb_distances: np.ndarray | None
    word_distances: np.ndarray
    word_weight: np.ndarray
    verb_distance_weight: np.ndarray | None
    word_distance_weight: np.ndarray
    conv_bias: np.ndarray
    hidden_weight: np.ndarray
    hidden_bias: np.ndarray
    output_weight: np.ndarray
    output_bias: np.ndarray
    initial: np.ndarray | None
    transition: np.ndarray | None
    final: np.ndarray | None = None
    direct_word_weight: np.ndarray | None = None
    direct_verb_weight: np.ndarray | None = None
    direct_distance: np.ndarray | None = None

    @property
    def has_predicates(self):
        """Whether it scores roles, not words."""
        return self.verb_distances is not None

    def _distances(self, table, longest):
        """Row of `table` at each position of the windows around distances -m to m: int64[...].

        A window reaches further than its centre, so distances differ up to half a window beyond
        the table's; those that no sentence of `longest` tokens has are left out.
        """
        half, reach = self.window // 2, len(table) // 2
        m = min(reach + half, longest)
        return np.clip(np.arange(-m - half, m + half + 1), -reach, reach) + reach

    def _distance_bias(self, table, weight, longest):
        """First-layer part of each distance -m to m: float32[2 * m + 1, n_conv]."""
        rows = self._distances(table, longest)
        first = np.arange(len(rows) - self.window + 1, dtype=np.int32)
        return apply_convolution(table[rows], first, weight)

    def cache(self, n_rows):
        """A place to keep `n_rows` products of each first layer, for `tag`."""
        return [ProductCache(self.tables, weight, n_rows) for weight in self._first]

    @property
    def row_bytes(self):
        """Bytes of the products that `cache` keeps of one word."""
        return 4 * self.window * sum(weight.shape[1] for weight in self._first)

    @property
    def _first(self):
        """Weights of the layers on the windows around all words."""
        direct = [] if self.direct_word_weight is None else [self.direct_word_weight]
        return [self.word_weight, *direct]

    def _layers(self, caches):
        biases = self.conv_bias, np.zeros_like(self.hidden_bias)
        return [
            WindowLayer(self.tables, weight, bias, cache)
            for weight, bias, cache in zip(self._first, biases, caches, strict=False)
        ]

    def tag(self, features, starts, sentence=None, predicate=None, cache=None):
        """Roles of all words for each predicate in turn: int32[n_rows], and where each begins.

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; sentence,
        predicate: int32[n_predicates], ascending: the sentence of each predicate and its token,
        counted from the start of the batch. Predicate p owns rows `begin[p]:begin[p + 1]` of the
        result, one per word of its sentence; begin: int64[n_predicates + 1]. A network without
        predicates takes and gives what a WindowNetwork does: the tags alone, int32[n_tokens].
        cache: made by `cache` since the parameters last changed, or None.
        """
        if not self.has_predicates:
            sentence, predicate = _one_each(starts)
        layers = self._layers(cache or (None, None))
        hidden_layer, output = Layer(self.hidden_weight, self.hidden_bias), Output(self)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        tags = np.empty(begin[-1], np.int32)
        for first, last in sentence_blocks(starts, _WORDS):
            p, q = np.searchsorted(sentence, (first, last))
            if p < q:
                a, b = starts[first], starts[last]
                self._tag(
                    features[a:b], starts[first : last + 1] - a, sentence[p:q] - np.int32(first),
                    predicate[p:q] - a, layers, hidden_layer, output, tags[begin[p] : begin[q]],
                )  # fmt: skip
        return (tags, begin) if self.has_predicates else tags

    def _tag(self, features, starts, sentence, predicate, layers, hidden_layer, output, tags):
        """Write the tags of some sentences, counted as a batch of their own."""
        padded, first = pad(features, starts, self.window, self.padding)
        words, *near = (layer(padded, first) for layer in layers)
        near_verbs = None
        if self.direct_verb_weight is not None:
            windows = first[predicate, None] + np.arange(self.window, dtype=np.int32)
            x = embed(self.tables, padded[windows.ravel()])
            starting = np.arange(len(predicate), dtype=np.int32) * np.int32(self.window)
            near_verbs = apply_convolution(x, starting, self.direct_verb_weight)
        parts = self._parts(words, near[0] if near else None, near_verbs, starts)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        decoder, p = Decoder(begin.astype(np.int32), output), 0
        while p < len(predicate):
            q = max(p + 1, int(np.searchsorted(begin, begin[p] + _ROWS, side="right")) - 1)
            pooled = np.empty((begin[q] - begin[p], len(self.conv_bias)), np.float32)
            max_over_predicates(
                parts.words, starts, sentence[p:q], predicate[p:q],
                parts.verb_bias, parts.word_bias, pooled,
            )  # fmt: skip
            rows = self._rows(starts, sentence[p:q], predicate[p:q], p)
            decoder.add(output.scores(self._connect(hidden_layer(pooled), parts, rows)))
            p = q
        tags[:] = decoder.tags

    def _parts(self, words, near_words, near_verbs, starts):
        """Parts of a batch, with those of the distances that its sentences have."""
        longest = int(np.diff(starts).max(initial=0))
        word_bias = self._distance_bias(self.word_distances, self.word_distance_weight, longest)
        verb_bias = np.zeros_like(word_bias)
        if self.has_predicates:
            verb_bias = self._distance_bias(self.verb_distances, self.verb_distance_weight, longest)
        return _Parts(words, verb_bias, word_bias, near_words, near_verbs)

    def _rows(self, starts, sentence, predicate, first_owner=0):
        """Rows of some predicates; None without direct connections, which alone need them."""
        if self.direct_word_weight is None:
            return None
        lengths = np.diff(starts)[sentence]
        owner = np.repeat(np.arange(len(predicate), dtype=np.int32), lengths)
        ends = np.cumsum(lengths)
        within = np.arange(len(owner)) - np.repeat(ends - lengths, lengths)
        word = (starts[sentence][owner] + within).astype(np.int32)
        distance = None
        if self.direct_distance is not None:
            m = len(self.direct_distance) // 2
            distance = (np.clip(word - predicate[owner], -m, m) + m).astype(np.int32)
        return _Rows(word, owner + np.int32(first_owner), distance)

    def _connect(self, hidden, parts, rows):
        """Add the direct connections to a hidden layer: float32[n_rows, n_hidden], in place."""
        if rows is not None:
            add_rows(parts.near_words, rows.word, hidden)
            if rows.distance is not None:
                add_rows(parts.near_verbs, rows.owner, hidden)
                add_rows(self.direct_distance, rows.distance, hidden)
        return hidden

    def forward(self, features, starts, dropout, sentence=None, predicate=None):
        """Tag scores float32[n_rows, n_tags] in training, and a trace for `backward`.

        dropout: a `layers.dropout.Dropout`; the other parameters are those of `tag`. Without
        dropout these are the scores that `tag` decodes.
        """
        if not self.has_predicates:
            sentence, predicate = _one_each(starts)
        padded, first = pad(features, starts, self.window, self.padding)
        x = embed(self.tables, padded)
        x_mask = dropout.apply(x, dropout.embedding)
        words, *near = (layer.on_rows(x, first) for layer in self._layers((None, None)))
        near_verbs = None
        if self.direct_verb_weight is not None:
            near_verbs = apply_convolution(x, first[predicate], self.direct_verb_weight)
        parts = self._parts(words, near[0] if near else None, near_verbs, starts)
        n_rows = int(np.diff(starts)[sentence].sum())
        pooled = np.empty((n_rows, len(self.conv_bias)), np.float32)
        position = np.empty(pooled.shape, np.int32)
        locate_maxima(
            parts.words, starts, sentence, predicate, parts.verb_bias, parts.word_bias,
            pooled, position,
        )  # fmt: skip
        rows = self._rows(starts, sentence, predicate)
        hidden = apply_linear(pooled, self.hidden_weight, self.hidden_bias)
        hidden = self._connect(hidden, parts, rows)
        hardtanh(hidden)
        passed = (np.abs(hidden) < 1).astype(np.float32)
        mask = dropout.apply(hidden, dropout.hidden)
        if mask is not None:
            passed *= mask
        scores = apply_linear(hidden, self.output_weight, self.output_bias)
        batch = starts, sentence, predicate
        return scores, _Trace(
            batch, padded, first, x, x_mask, parts, rows, pooled, position, hidden, passed
        )

    def backward(self, trace, d_scores, fixed=()):
        """Gradients of layers and tables from those of the scores; see `Gradients.add_tables`."""
        gradients, d_x = Gradients(), np.zeros_like(trace.x)
        d_hidden = gradients.add_linear(
            ("output_weight", "output_bias"), trace.hidden, d_scores, self.output_weight
        )
        d_hidden *= trace.passed
        if trace.rows is not None:
            self._direct_backward(gradients, trace, d_hidden, d_x)
        d_pooled = gradients.add_linear(
            ("hidden_weight", "hidden_bias"), trace.pooled, d_hidden, self.hidden_weight
        )
        parts, (starts, sentence, predicate) = trace.parts, trace.batch
        d_words, d_verb_bias, d_word_bias = (
            np.zeros_like(part) for part in (parts.words, parts.verb_bias, parts.word_bias)
        )
        spread_maxima(
            d_pooled, trace.position, starts, sentence, predicate,
            d_words, d_verb_bias, d_word_bias,
        )  # fmt: skip
        gradients.add_convolution(
            ("word_weight", "conv_bias"), trace.x, trace.first, d_words, self.word_weight, d_x
        )
        longest = int(np.diff(starts).max(initial=0))
        if self.has_predicates:
            self._distance_backward(gradients, "verb_distance", d_verb_bias, longest)
        self._distance_backward(gradients, "word_distance", d_word_bias, longest)
        if trace.x_mask is not None:
            d_x *= trace.x_mask
        gradients.add_tables(self.tables, fixed, trace.padded, d_x)
        return gradients

    def _direct_backward(self, gradients, trace, d_hidden, d_x):
        parts, rows = trace.parts, trace.rows
        self._near_backward(
            gradients, "direct_word_weight", parts.near_words, rows.word, trace.first, trace.x,
            d_hidden, d_x,
        )  # fmt: skip
        if rows.distance is None:
            return
        predicate = trace.batch[2]
        self._near_backward(
            gradients, "direct_verb_weight", parts.near_verbs, rows.owner,
            trace.first[predicate], trace.x, d_hidden, d_x,
        )  # fmt: skip
        d_distance = np.zeros_like(self.direct_distance)
        add_to_rows(d_hidden, rows.distance, d_distance)
        gradients.layers["direct_distance"] = d_distance

    def _near_backward(self, gradients, name, near, index, first, x, d_hidden, d_x):
        """Gradients of the weights `name`, which gave the rows `near`, added at `index`."""
        d_near = np.zeros_like(near)
        add_to_rows(d_hidden, index, d_near)
        gradients.add_convolution((name, None), x, first, d_near, getattr(self, name), d_x)

    def _distance_backward(self, gradients, name, d_bias, longest):
        """Gradients of a table of distances and of its weights; name: of the fields, in part."""
        table, weight = getattr(self, f"{name}s"), getattr(self, f"{name}_weight")
        rows = self._distances(table, longest)
        first = np.arange(len(d_bias), dtype=np.int32)
        d_rows = np.zeros((len(rows), table.shape[1]), np.float32)
        names = f"{name}_weight", None
        gradients.add_convolution(names, table[rows], first, d_bias, weight, d_rows)
        d_table = np.zeros_like(table)
        add_to_rows(d_rows, rows.astype(np.int32), d_table)
        gradients.layers[f"{name}s"] = d_table


def _one_each(starts):
    """A sentence and a token, its first, for each sentence, as if it were the only predicate."""
    return np.arange(len(starts) - 1, dtype=np.int32), starts[:-1]
