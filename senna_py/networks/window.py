"""The window network (Collobert et al. 2011, section 3.3.1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import pad, wide_linear, widen
from senna_py.layers.likelihood import SentenceLikelihood
from senna_py.layers.linear import Linear
from senna_py.layers.passes import ForwardPass
from senna_py.layers.protocol import Array
from senna_py.layers.window import window_blocks
from senna_py.networks.base import Layers
from senna_py.networks.batch import WordBatch
from senna_py.networks.checks import WIDEST_WINDOW
from senna_py.networks.stored import Plan
from senna_py.networks.tags import TagNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass
class WindowSettings(Settings):
    """The settings of the window approach."""

    window: int = setting(5, "words in the window, odd", least=1, most=WIDEST_WINDOW)
    hidden: int = setting(300, "units of the hidden layer; 0: linear", least=0)

    def check(self) -> None:
        if self.window % 2 == 0:
            raise UsageError(f"window: expected an odd number, found {self.window}")


class WindowNetwork(TagNetwork):
    """Scores the tags of each word from a window of words around it.

    The layers are a lookup layer, a linear layer, HardTanh and a linear layer. Without
    hidden_weight and hidden_bias, the network is linear.

    Attributes:
        window: The number of words in a window, which is odd.
        hidden_weight: float32[window * sum of dims, n_hidden], or None.
        hidden_bias: float32[n_hidden], or None.
        output_weight: float32[n_hidden, n_tags], or float32[window * sum of dims,
            n_tags] if the network is linear.
        output_bias: float32[n_tags].
        initial: float32[n_tags], the scores of first tags, or None if the network has
            no transition scores and chooses the best tag of each word.
        transition: float32[n_tags, n_tags], the scores of transitions from source to
            destination, or None.
        final: float32[n_tags], the scores of last tags, or None if they are all 0.
    """

    kind, settings, header = "window", WindowSettings, ("window",)

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *Linear.declare("hidden", "window*input", "hidden", "hidden"),
            *Linear.declare("output", "hidden", "tags"),
            *SentenceLikelihood.declare(),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        header = {"window": settings.window}
        if settings.hidden:
            return header, {"hidden": settings.hidden}, ["hidden"]
        return header, {"hidden": "window*input"}, []

    def known_sizes(self) -> dict[str, int]:
        sizes = super().known_sizes()
        if self.hidden_weight is None:  # The output layer is on the window itself.
            sizes["hidden"] = sizes["window"] * sizes["input"]
        return sizes

    @property
    def input_names(self) -> tuple[str, str]:
        if self.hidden_weight is None:
            return "output_weight", "output_bias"
        return "hidden_weight", "hidden_bias"

    def trunk_arrays(self, depth: int | None = None) -> tuple[str, ...]:
        return "hidden_weight", "hidden_bias"

    def layers(self, cache: Any = None) -> dict[str, Any]:
        layers: dict[str, Any] = {"windows": self.input_layer(cache)}
        if self.hidden_weight is not None:
            layers["output"] = Linear(
                "output", self.output_weight, self.output_bias, packed=wide_linear
            )
        return layers

    def split(self, batch: WordBatch) -> Iterator[WordBatch]:
        yield batch  # `_blocks` splits the windows instead.

    def _blocks(
        self, forward_pass: ForwardPass, batch: WordBatch
    ) -> "Iterable[tuple[NDArray[np.int32], NDArray[np.int32]]]":
        """Return blocks of windows, or a single block in training.

        A block has rows of features, int32[n_rows, n_features], and the first row of
        each window, int32[n].
        """
        index, first = pad(batch.features, batch.starts, self.window, self.padding)
        if forward_pass.trains:
            return [(index, first)]
        return window_blocks(index, first, self.window)

    def encode(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        hidden: Any,
        begin: int,
        end: int,
    ) -> Any:
        states = []
        for block in self._blocks(forward_pass, batch):
            units = forward_pass(layers["windows"], *block, forward_pass.dropouts[0])
            states.append(forward_pass.drop(forward_pass(HardTanh(), units)))
        if forward_pass.trains:
            return states[0]
        none = np.empty((0, len(self.hidden_bias)), np.float32)
        return np.concatenate([none, *states])

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> "Iterator[NDArray[np.float32]]":
        is_linear = self.hidden_weight is None
        if batch.states is not None or (forward_pass.trains and not is_linear):
            states = self.states(forward_pass, layers, batch)
            yield forward_pass(layers["output"], states)
            return
        for block in self._blocks(forward_pass, batch):
            if is_linear:
                dropout = forward_pass.dropouts[0]
                scores = forward_pass(layers["windows"], *block, dropout)
                yield scores if forward_pass.trains else widen(scores)
            else:  # One kernel computes all layers, so units stay in the cache.
                windows, output = layers["windows"].in_use, layers["output"].packed
                yield windows.scores(*block, output)
