"""The window network (Collobert et al. 2011, section 3.3.1)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from senna_py.errors import UsageError
from senna_py.io.settings import Settings, setting
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import pad, wide_linear, widen
from senna_py.layers.likelihood import SentenceLikelihood
from senna_py.layers.linear import Linear
from senna_py.layers.protocol import Array
from senna_py.layers.window import window_blocks
from senna_py.networks.base import WIDEST_WINDOW, Layers, Planned, TaggerNetwork
from senna_py.networks.batch import WordBatch


@dataclass
class WindowSettings(Settings):
    """Settings of the window approach."""

    window: int = setting(5, "words in the window, odd", least=1, most=WIDEST_WINDOW)
    hidden: int = setting(300, "units of the hidden layer; 0: linear", least=0)

    def check(self) -> None:
        if self.window % 2 == 0:
            raise UsageError(f"window: expected an odd number, found {self.window}")


class WindowNetwork(TaggerNetwork):
    """Scores tags from a window of words around each: look up, linear, HardTanh,
    linear.

    window: words in the window, odd. hidden_weight: float32[window * sum of dims,
    n_hidden];
    hidden_bias: float32[n_hidden]; output_weight: float32[n_hidden, n_tags];
    output_bias: float32[n_tags]. Without hidden_weight and hidden_bias the network is
    linear, and output_weight has window * sum of dims rows. initial: float32[n_tags]
    and transition: float32[n_tags, n_tags] (source, destination) are the sentence-level
    scores; without them each word takes its best tag by itself; final: float32[n_tags]
    is added at the last word, if there is one.
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
    def plan(cls, settings: Any, labels: str) -> Planned:
        hidden = {"hidden": settings.hidden or "window*input"}
        return {"window": settings.window}, hidden, ["hidden"] * bool(settings.hidden)

    def trunk(self, depth: int | None = None) -> tuple[str, ...]:
        return "hidden_weight", "hidden_bias"

    def _known_sizes(self):
        sizes = super()._known_sizes()
        if self.hidden_weight is None:  # the window itself is scored
            sizes["hidden"] = sizes["window"] * sizes["input"]
        return sizes

    @property
    def first(self) -> tuple[str, str]:
        if self.hidden_weight is None:
            return "output_weight", "output_bias"
        return "hidden_weight", "hidden_bias"

    def layers(self, cache: Any = None) -> dict[str, Any]:
        layers: dict[str, Any] = {"windows": self.first_layer(cache)}
        if self.hidden_weight is not None:
            output = Linear(
                "output", self.output_weight, self.output_bias, packed=wide_linear
            )
            layers["output"] = output
        return layers

    def pieces(self, batch: WordBatch) -> Iterator[WordBatch]:
        yield batch  # for its windows are taken in blocks

    def _blocks(self, run, batch):
        """Rows of features, and where windows begin in them, in blocks."""
        index, first = pad(batch.features, batch.starts, self.window, self.padding)
        return (
            [(index, first)] if run.trains else window_blocks(index, first, self.window)
        )

    def climb(self, run: Any, layers: Layers, batch: WordBatch, *_: Any) -> Any:
        blocks = self._blocks(run, batch)
        none = np.empty((0, len(self.hidden_bias)), np.float32)
        made = [
            run.drop(run(HardTanh(), run(layers["windows"], *block, run.dropouts[0])))
            for block in blocks
        ]
        return made[0] if run.trains else np.concatenate([none, *made])

    def forward(
        self, run: Any, layers: Layers, batch: WordBatch
    ) -> Iterator[np.ndarray]:
        if batch.states is not None or (run.trains and self.hidden_weight is not None):
            yield run(layers["output"], self.states(run, layers, batch))
            return
        for block in self._blocks(run, batch):
            if self.hidden_weight is None:
                scores = run(layers["windows"], *block, run.dropouts[0])
                yield scores if run.trains else widen(scores)
            else:
                windows, output = layers["windows"].in_use, layers["output"].packed
                yield windows.scores(
                    *block, output
                )  # one kernel, whose units stay in cache
