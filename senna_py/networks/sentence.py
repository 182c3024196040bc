"""The sentence network, for semantic roles or for labels of words (section 3.3.2)."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.kernels.nn.max_over_time import max_over_predicates
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import (
    BLOCK,
    Decoder,
    Output,
    PackedLinear,
    aligned,
    pad,
    sentence_blocks,
)
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.distance import DistanceConvolution
from senna_py.layers.linear import Linear, initial_linear, initial_uniform, initial_weight
from senna_py.layers.lookup import Lookup
from senna_py.layers.max_over_time import MaxOverTime
from senna_py.layers.window import ProductCache, WindowLayer
from senna_py.networks.base import TaggerNetwork, check_least, initial_scores
from senna_py.networks.window import WindowSettings

__all__ = ["SentenceNetwork", "SentenceSettings"]

# Computed at once: of the parts, words in whole sentences; of what follows, whole predicates' rows.
_WORDS, _ROWS = 4 * BLOCK, 2 * BLOCK


class SentenceSettings(WindowSettings):
    """Settings of the sentence approach.

    conv: units of the convolution; distance: size of the distance vectors; reach: the largest
    distance that has its own. window and hidden are those of the window approach.
    """

    conv: int = 300
    distance: int = 5
    reach: int = 20

    def check(self):
        """Raise SennaError for a number that is out of range."""
        check_least(self, conv=1, distance=1, reach=1)


class _Parts(NamedTuple):
    """First-layer parts of a batch, which are computed once and then added.

    words: float32[n_tokens, n_conv]; verb_bias, word_bias: float32[2 * m + 1, n_conv], for
    distances -m to m and beyond; without predicates verb_bias is 0.
    """

    words: np.ndarray
    verb_bias: np.ndarray
    word_bias: np.ndarray


class _Trace(NamedTuple):
    """What a forward pass in training leaves for the backward pass: traces of layers."""

    batch: tuple
    dropouts: tuple
    padded: np.ndarray
    x_factors: np.ndarray | None
    words: tuple  # of the layer on the windows around words
    distances: list
    pooled: np.ndarray
    places: tuple
    hidden: tuple  # the input of the output layer, the slopes and the factors of dropout


@dataclass
class SentenceNetwork(TaggerNetwork):
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

    kind, settings = "sentence", SentenceSettings
    for_roles = whole_sentences = True
    layers_shown = "conv_bias", "hidden_bias"
    trunk: ClassVar = ("word_weight", "conv_bias", "word_distances", "word_distance_weight")
    trunk_settings: ClassVar = ("window", "conv", "distance", "reach")
    shapes: ClassVar = {
        "verb_distances": ("distances", "verb_dim"),
        "word_distances": ("distances", "word_dim"),
        "word_weight": ("window*input", "conv"),
        "verb_distance_weight": ("window*verb_dim", "conv"),
        "word_distance_weight": ("window*word_dim", "conv"),
        "conv_bias": ("conv",),
        "hidden_weight": ("conv", "hidden"),
        "hidden_bias": ("hidden",),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    }
    optional = (
        ("verb_distances", "verb_distance_weight"),
        ("initial", "transition"),
        ("final",),
    )

    @classmethod
    def check_settings(cls, settings, roles):
        if settings.hidden == 0:
            raise SennaError("the sentence approach needs hidden units: network.hidden is 0")

    @classmethod
    def planned_sizes(cls, settings, roles):
        return super().planned_sizes(settings, roles) | {
            "conv": settings.conv, "distances": 2 * settings.reach + 1,
            "word_dim": settings.distance, "verb_dim": settings.distance,
        }  # fmt: skip

    @classmethod
    def initialise(cls, settings, tables, padding, n_tags, rng, roles=False):
        """A new network with the paper's initialisation (Remark 7).

        settings: SentenceSettings with the criterion; tables, padding: of the network; rng:
        numpy.random.Generator; roles: whether it scores words for predicates.
        """
        n_conv, n_hidden, dim = settings.conv, settings.hidden, settings.distance
        n_input = settings.window * sum(table.shape[1] for table in tables)
        n_distances, n_distance_input = 2 * settings.reach + 1, settings.window * dim
        kinds = ("verb", "word") if roles else ("word",)
        distances = {k: initial_uniform(rng, 0.5, n_distances, dim) for k in kinds}
        n_in = n_input + len(kinds) * n_distance_input
        word_weight = initial_weight(rng, n_in, n_input, n_conv)
        weights = {kind: initial_weight(rng, n_in, n_distance_input, n_conv) for kind in kinds}
        return cls(
            settings.window, tables, padding, distances.get("verb"), distances["word"],
            word_weight, weights.get("verb"), weights["word"], np.zeros(n_conv, np.float32),
            *initial_linear(rng, n_conv, n_hidden), *initial_linear(rng, n_hidden, n_tags),
            *initial_scores(settings, n_tags),
        )  # fmt: skip

    @classmethod
    def labels_of(cls, names):
        return "roles" if "verb_distances" in names else "words"

    def beyond_senna(self):
        return None if self.has_predicates else "only srl has it"

    def cache(self, n_rows):
        """A place to keep `n_rows` products of the first layer, for `tag`."""
        return ProductCache(self.tables, self.word_weight, n_rows)

    @property
    def row_bytes(self):
        """Bytes of the products that `cache` keeps of one word."""
        return 4 * self.window * len(self.conv_bias)

    @property
    def _distances(self):
        """Layers of the distances: to the predicate, if there is any, and to the word."""
        kinds = {
            "verb_distance": (self.verb_distances, self.verb_distance_weight),
            "word_distance": (self.word_distances, self.word_distance_weight),
        }
        return [DistanceConvolution(k, *a) for k, a in kinds.items() if a[0] is not None]

    def _layers(self):
        """Layers on windows around words, hidden and output, as training has them."""
        names = "word_weight", "conv_bias"
        return (
            WindowConvolution(names, self.word_weight, self.conv_bias, self.tables),
            Linear("hidden", self.hidden_weight, self.hidden_bias),
            Linear("output", self.output_weight, self.output_bias),
        )

    def fan_in(self):
        """Inputs of a unit, by the parameters' names.

        The parts of the convolution count the words' inputs alone.
        """
        found = Lookup.numbered(self.tables).fan_in()
        for layer in self._layers():
            found |= layer.fan_in()
        found |= dict.fromkeys(("verb_distance_weight", "word_distance_weight"),
                               len(self.word_weight))  # fmt: skip
        looked_up = ("verb_distances", "word_distances")
        return found | dict.fromkeys((*looked_up, "initial", "transition"), 1)

    def batch_states(self, features, starts, cache=None):
        """The convolution of the words of a batch, without distances: float32[n_tokens, n_conv].

        Arguments as for `tag`.
        """
        layer = WindowLayer(self.tables, self.word_weight, self.conv_bias, cache)
        states = aligned(len(features), len(self.conv_bias))
        for s, e in sentence_blocks(starts, _WORDS):
            a, b = starts[s], starts[e]
            states[a:b] = layer(
                *pad(features[a:b], starts[s : e + 1] - a, self.window, self.padding)
            )
        return states

    def tag(self, features, starts, sentence=None, predicate=None, cache=None, states=None,
            kept=None):  # fmt: skip
        """Roles of all words for each predicate in turn: int32[n_rows], and where each begins.

        features: int32[n_tokens, n_features]; starts: int32[n_sentences + 1]; sentence,
        predicate: int32[n_predicates], ascending: the sentence of each predicate and its token,
        counted from the start of the batch. Predicate p owns rows `begin[p]:begin[p + 1]` of the
        result, one per word of its sentence; begin: int64[n_predicates + 1]. A network without
        predicates takes and gives what a WindowNetwork does: the tags alone, int32[n_tokens].
        cache: made by `cache` since the parameters last changed, or None; states: the
        `batch_states`, from this network or one that it shares them with, or None; kept: of a
        Decoder.
        """
        if not self.has_predicates:
            return super().tag(features, starts, cache, states, kept)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        decoder = Decoder(begin.astype(np.int32), Output(self), kept)
        self._feed(decoder, features, starts, sentence, predicate, cache, states)
        return decoder.tags, begin

    def feed(self, sink, features, starts, cache=None, states=None):
        self._feed(sink, features, starts, *_one_each(starts), cache, states)

    def _feed(self, sink, features, starts, sentence, predicate, cache, states):
        """Give the scores of words for each predicate to a Decoder or Scores."""
        layer = WindowLayer(self.tables, self.word_weight, self.conv_bias, cache)
        hidden_layer = PackedLinear(self.hidden_weight, self.hidden_bias)
        for first, last in sentence_blocks(starts, _WORDS):
            p, q = np.searchsorted(sentence, (first, last))
            if p < q:
                a, b = starts[first], starts[last]
                self._feed_some(
                    sink, features[a:b], starts[first : last + 1] - a,
                    sentence[p:q] - np.int32(first), predicate[p:q] - a, layer, hidden_layer,
                    None if states is None else states[a:b],
                )  # fmt: skip

    def _feed_some(self, sink, features, starts, sentence, predicate, layer, hidden_layer, words):
        """Give the scores of some sentences, counted as a batch of their own.

        words: their `batch_states`, or None.
        """
        if words is None:
            words = layer(*pad(features, starts, self.window, self.padding))
        parts, _ = self._parts(words, starts)
        begin = np.append(0, np.cumsum(np.diff(starts)[sentence], dtype=np.int64))
        p = 0
        while p < len(predicate):
            q = max(p + 1, int(np.searchsorted(begin, begin[p] + _ROWS, side="right")) - 1)
            pooled = np.empty((begin[q] - begin[p], len(self.conv_bias)), np.float32)
            max_over_predicates(
                parts.words, starts, sentence[p:q], predicate[p:q],
                parts.verb_bias, parts.word_bias, pooled,
            )  # fmt: skip
            sink.add(sink.output.scores(hidden_layer(pooled)))
            p = q

    def _parts(self, words, starts):
        """Parts of a batch, with those of the distances in it, and the traces of these."""
        longest = int(np.diff(starts).max(initial=0))
        *verb, word = (layer.forward(longest) for layer in self._distances)
        verb_bias = verb[0][0] if verb else np.zeros_like(word[0])
        traces = [trace for _, trace in (*verb, word)]
        return _Parts(words, verb_bias, word[0]), traces

    def forward(self, features, starts, dropouts, sentence=None, predicate=None):
        """Tag scores float32[n_rows, n_tags] in training, and a trace for `backward`.

        dropouts: two layers.dropout.Dropout, for the looked-up vectors and for the hidden layer;
        the other arguments are those of `tag`. Without dropout these are the scores that `tag`
        decodes.
        """
        if not self.has_predicates:
            sentence, predicate = _one_each(starts)
        batch = starts, sentence, predicate
        padded, first = pad(features, starts, self.window, self.padding)
        x, x_factors = dropouts[0].forward(Lookup.numbered(self.tables).forward(padded)[0])
        word_layer, hidden_layer, output_layer = self._layers()
        words, word_trace = word_layer.forward(x, first)
        parts, distances = self._parts(words, starts)
        pooled, places = MaxOverTime().forward(parts.words, batch, parts.verb_bias, parts.word_bias)
        hidden, slope = HardTanh().forward(hidden_layer.forward(pooled)[0])
        hidden, factors = dropouts[1].forward(hidden)
        scores, _ = output_layer.forward(hidden)
        return scores, _Trace(
            batch, dropouts, padded, x_factors, word_trace, distances, pooled, places,
            (hidden, slope, factors),
        )  # fmt: skip

    def backward(self, d_scores, trace, gradients, fixed=()):
        """Give `gradients` those of all parameters but the tables whose numbers are in `fixed`.

        d_scores: d(cost)/d(scores): float32[n_rows, n_tags].
        """
        word_layer, hidden_layer, output_layer = self._layers()
        hidden, slope, factors = trace.hidden
        d_hidden = output_layer.backward(d_scores, hidden, gradients)
        d_hidden = trace.dropouts[1].backward(d_hidden, factors)
        d_hidden = HardTanh().backward(d_hidden, slope)
        d_pooled = hidden_layer.backward(d_hidden, trace.pooled, gradients)
        d_words, d_verb_bias, d_word_bias = MaxOverTime().backward(d_pooled, trace.places)
        d_x = word_layer.backward(d_words, trace.words, gradients)
        d_biases = (d_verb_bias, d_word_bias) if self.has_predicates else (d_word_bias,)
        for layer, d_bias, kept in zip(self._distances, d_biases, trace.distances, strict=True):
            layer.backward(d_bias, kept, gradients)
        d_x = trace.dropouts[0].backward(d_x, trace.x_factors)
        Lookup.numbered(self.tables).backward(d_x, trace.padded, gradients, fixed)


def _one_each(starts):
    """A sentence and a token, its first, for each sentence, as if it were the only predicate."""
    return np.arange(len(starts) - 1, dtype=np.int32), starts[:-1]
