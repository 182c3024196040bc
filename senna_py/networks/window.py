"""The window network (Collobert et al. 2011, section 3.3.1)."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from senna_py.errors import SennaError
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import pad, widen
from senna_py.layers.convolution import WindowConvolution
from senna_py.layers.linear import Linear, initial_linear
from senna_py.layers.lookup import Lookup
from senna_py.layers.window import ProductCache, WindowLayer
from senna_py.networks.base import (
    WIDEST_WINDOW,
    TaggerNetwork,
    check_least,
    initial_scores,
)

__all__ = ["WindowNetwork", "WindowSettings"]


class WindowSettings:
    """Settings of the window approach.

    window: words in the window, odd; hidden: units of the hidden layer, 0 for the linear variant.
    """

    window: int = 5
    hidden: int = 300

    def check(self):
        """Raise SennaError for a number that is out of range."""
        check_least(self, window=1, hidden=0)
        if self.window % 2 == 0:
            raise SennaError(f"network.window: expected an odd number, found {self.window}")
        if self.window > WIDEST_WINDOW:
            raise SennaError(
                f"network.window: expected {WIDEST_WINDOW:,} at most, found {self.window:,}"
            )


class _Trace(NamedTuple):
    """What a forward pass in training leaves for the backward pass: traces of layers."""

    dropouts: tuple
    padded: np.ndarray
    x_factors: np.ndarray | None
    first: tuple
    hidden: tuple | None  # the input of the output layer, the slopes and the factors of dropout


@dataclass
class WindowNetwork(TaggerNetwork):
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

    kind, settings = "window", WindowSettings
    trunk: ClassVar = ("hidden_weight", "hidden_bias")
    trunk_settings: ClassVar = ("window", "hidden")
    shapes: ClassVar = {
        "hidden_weight": ("window*input", "hidden"),
        "hidden_bias": ("hidden",),
        "output_weight": ("hidden", "tags"),
        "output_bias": ("tags",),
        "initial": ("tags",),
        "transition": ("tags", "tags"),
        "final": ("tags",),
    }
    optional = (("hidden_weight", "hidden_bias"), ("initial", "transition"), ("final",))

    @classmethod
    def initialise(cls, settings, tables, padding, n_tags, rng, roles=False):
        """A new network with the paper's initialisation (Remark 7).

        settings: WindowSettings with the criterion; tables, padding: of the network; rng:
        numpy.random.Generator.
        """
        hidden, n_in = (None, None), settings.window * sum(table.shape[1] for table in tables)
        if settings.hidden:
            hidden, n_in = initial_linear(rng, n_in, settings.hidden), settings.hidden
        return cls(
            settings.window, tables, padding, *hidden, *initial_linear(rng, n_in, n_tags),
            *initial_scores(settings, n_tags),
        )  # fmt: skip

    def _known_sizes(self):
        sizes = super()._known_sizes()
        if self.hidden_weight is None:  # the window itself is scored
            sizes["hidden"] = sizes["window"] * sizes["input"]
        return sizes

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

    def batch_states(self, features, starts, cache=None):
        """What the hidden layer gives: float32[n_tokens, n_hidden]; arguments as for `tag`."""
        padded, first = pad(features, starts, self.window, self.padding)
        return WindowLayer(self.tables, *self._first, cache).hidden(padded, first)

    def feed(self, sink, features, starts, cache=None, states=None):
        if states is not None:
            sink.add(sink.output.layer(states))
            return
        padded, first = pad(features, starts, self.window, self.padding)
        layer = WindowLayer(self.tables, *self._first, cache)
        if self.hidden_weight is None:
            sink.add(widen(layer(padded, first)))
        else:
            for scores in layer.scores(padded, first, sink.output):
                sink.add(scores)

    def _layers(self):
        """The first layer, which sees windows, and the output layer, None if that is the same."""
        weight, bias = self._first
        if self.hidden_weight is None:
            names, output = ("output_weight", "output_bias"), None
        else:
            names = "hidden_weight", "hidden_bias"
            output = Linear("output", self.output_weight, self.output_bias)
        return WindowConvolution(names, weight, bias, self.tables), output

    def fan_in(self):
        """Inputs of a unit, by the parameters' names."""
        layers = [layer for layer in self._layers() if layer]
        found = Lookup.numbered(self.tables).fan_in()
        for layer in layers:
            found |= layer.fan_in()
        return found | {"initial": 1, "transition": 1}

    def forward(self, features, starts, dropouts):
        """Tag scores float32[n_tokens, n_tags] in training, and a trace for `backward`.

        features, starts: as for `tag`; dropouts: two layers.dropout.Dropout, for the looked-up
        vectors and for the hidden layer. Without dropout these are the scores that `tag` decodes.
        """
        padded, first = pad(features, starts, self.window, self.padding)
        x, x_factors = dropouts[0].forward(Lookup.numbered(self.tables).forward(padded)[0])
        first_layer, output_layer = self._layers()
        out, first_trace = first_layer.forward(x, first)
        if output_layer is None:
            return out, _Trace(dropouts, padded, x_factors, first_trace, None)
        hidden, slope = HardTanh().forward(out)
        hidden, factors = dropouts[1].forward(hidden)
        scores, _ = output_layer.forward(hidden)
        return scores, _Trace(dropouts, padded, x_factors, first_trace, (hidden, slope, factors))

    def backward(self, d_scores, trace, gradients, fixed=()):
        """Give `gradients` those of all parameters but the tables whose numbers are in `fixed`.

        d_scores: d(cost)/d(scores): float32[n_tokens, n_tags].
        """
        first_layer, output_layer = self._layers()
        if output_layer is not None:
            hidden, slope, factors = trace.hidden
            d_hidden = output_layer.backward(d_scores, hidden, gradients)
            d_hidden = trace.dropouts[1].backward(d_hidden, factors)
            d_scores = HardTanh().backward(d_hidden, slope)
        d_x = first_layer.backward(d_scores, trace.first, gradients)
        d_x = trace.dropouts[0].backward(d_x, trace.x_factors)
        Lookup.numbered(self.tables).backward(d_x, trace.padded, gradients, fixed)
