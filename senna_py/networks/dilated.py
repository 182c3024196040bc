"""Networks with a stack of dilated gated convolutions, and their head for tags."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.settings import Settings, setting
from senna_py.kernels.nn.pairs import rows_of_predicates
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import BLOCK
from senna_py.layers.cache import LayerCache
from senna_py.layers.first_layer import FirstLayer, InputSums
from senna_py.layers.gated_convolution import GatedBlock
from senna_py.layers.int8 import Int8Weight, wide_int8
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.likelihood import SentenceLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PAIR_ARRAYS, PairParts, PairScores, PairUnits
from senna_py.layers.passes import ForwardPass
from senna_py.layers.protocol import Array
from senna_py.networks.base import Context, Layers, TaggerNetwork
from senna_py.networks.batch import WordBatch
from senna_py.networks.checks import WIDEST_WINDOW
from senna_py.networks.stored import Plan
from senna_py.networks.tags import TagNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_BLOCKS, _FARTHEST = 64, 1024
_NORM = "norm_gain", "norm_shift"
_OF_BLOCKS = "gain", "shift", "weight", "bias"
# The number of rows that are scored at a time at inference, for whole predicates.
_ROWS = 8 * BLOCK


@dataclass
class BlockSettings(Settings):
    """The settings of a stack of dilated convolutions."""

    width: int = setting(192, "units of each block", least=1)
    kernel: int | list = setting(3, "words that each block's convolution sees, odd")
    dilations: list = setting(
        [1, 2, 4, 8, 1, 2], "for each block, the distance of the words that it sees"
    )

    def check(self) -> None:
        _check_dilations(self.dilations)
        kernels = self.kernels()
        if len(kernels) != len(self.dilations):
            raise UsageError(
                f"kernel: {len(kernels)} sizes for {len(self.dilations)} dilations"
            )
        for size in kernels:
            if type(size) is not int or not 1 <= size <= WIDEST_WINDOW or size % 2 == 0:
                raise UsageError(
                    f"kernel: expected odd numbers, {WIDEST_WINDOW:,} at most, found {self.kernel}"
                )

    def kernels(self) -> list[int]:
        """Return the size of the convolution of each block, in words."""
        if isinstance(self.kernel, list):
            return self.kernel
        return [self.kernel] * len(self.dilations)


@dataclass
class DilatedSettings(BlockSettings):
    """The settings of the dilated approach."""

    width: int = setting(128, "units of each block; for roles 192", least=1)
    dilations: list = setting(
        [1, 2, 4],
        "for each block, the distance of the words that it sees; for roles `[1, 2, 4, 8, 1, 2]`",
    )
    hidden: int = setting(
        0, "units of the layer after the blocks, or none; for roles 192", least=0
    )
    reach: int = setting(
        20, "for roles: the largest distance with weights of its own", least=1
    )


def _check_dilations(dilations: Any) -> None:
    """Raise UsageError unless `dilations` is a list of integers in the valid range."""
    right = type(dilations) is list and 1 <= len(dilations) <= _MOST_BLOCKS
    if not right or not all(type(d) is int and 1 <= d <= _FARTHEST for d in dilations):
        raise UsageError(
            f"dilations: expected 1 to {_MOST_BLOCKS} numbers from 1 to {_FARTHEST:,}, "
            f"found {dilations}"
        )


class BlockNetwork(TaggerNetwork):
    """A network whose trunk is a stack of GatedBlocks, which sees the whole sentence.

    The rows of the lookup tables go through a linear layer, the blocks and a layer
    norm, whose output is the states of words. `padding` is only stored: the blocks use
    zeros outside sentences.

    Attributes:
        dilations: The dilation of each block, a list of int.
        input_weight: float32[sum of dims, width].
        input_bias: float32[width].
        blockK_gain, blockK_shift: float32[width], for the blocks K = 1, 2, ...; see
            GatedBlock.
        blockK_weight: float32[kernel * width, 2 * width], where kernel is odd.
        blockK_bias: float32[2 * width].
        norm_gain, norm_shift: float32[width]; see LayerNorm.
    """

    header = ("dilations",)
    input_names = "input_weight", "input_bias"
    has_exact_input = True
    beyond_senna = "it has window and sentence networks"
    rounds_states = True

    @property
    def context(self) -> Context:
        return Context.SENTENCE

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        """Return the arrays of the layers below the head."""
        arrays = Linear.declare("input", "input", "width")
        for k in range(1, 1 + len(header["dilations"])):
            arrays += GatedBlock.declare(f"block{k}", f"kernel{k}", "width", "gates")
        return arrays + LayerNorm.declare("norm", "width")

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        sizes = {"width": settings.width, "gates": 2 * settings.width}
        sizes |= {f"kernel{k}": size for k, size in enumerate(settings.kernels(), 1)}
        sizes["hidden"] = settings.hidden or settings.width
        return {"dilations": list(settings.dilations)}, sizes, []

    @classmethod
    def read_sizes(cls, entry: Mapping[str, Any]) -> dict[str, Any]:
        _check_dilations(entry.get("dilations"))
        return {"dilations": entry["dilations"]}

    @classmethod
    def brief(
        cls, sizes: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]
    ) -> str:
        (width,), hidden = shapes["input_bias"], super().brief(sizes, shapes)
        dilations = " ".join(map(str, sizes["dilations"]))
        return f"blocks of {width:,} units, dilations {dilations}, {hidden}"

    def known_sizes(self) -> dict[str, int]:
        sizes, width = super().known_sizes(), 1
        if self.input_bias is not None:
            width = max(self.input_bias.size, 1)
        sizes |= {"width": width, "gates": 2 * width}
        for k in range(1, len(self.dilations) + 1):
            weight = getattr(self, f"block{k}_weight")
            n = 0 if weight is None else prod(weight.shape)
            size = sizes[f"kernel{k}"] = n // (2 * width**2)
            if weight is not None and (size % 2 == 0 or size > WIDEST_WINDOW):
                raise SennaError(
                    f"block{k}_weight: a window of {size:,} words; it must be odd and "
                    f"at most {WIDEST_WINDOW:,}"
                )
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        layers: dict[str, Any] = {"input": self.input_layer(cache)}
        for k, dilation in enumerate(self.dilations, 1):
            name = f"block{k}"
            gain, shift, weight, bias = (
                getattr(self, f"{name}_{suffix}") for suffix in _OF_BLOCKS
            )
            layers[name] = GatedBlock(name, gain, shift, weight, bias, dilation)
        return layers

    def input_layer(self, cache: Any) -> FirstLayer:
        weight, bias = (getattr(self, name) for name in self.input_names)
        return FirstLayer(self.input_names, weight, bias, self.tables)

    def input_sums(self, cache: Any) -> InputSums:
        sums: InputSums = self.inference_layers(cache)["input"].sums
        return sums

    def cache(self, n_rows: int) -> LayerCache:
        return LayerCache()

    def pair_parts(self) -> PairParts:
        """Return the layer PairParts, for networks whose head scores pairs of words."""
        names = "hidden_weight", "hidden_bias", *PAIR_ARRAYS
        return PairParts({name: getattr(self, name) for name in names})

    # The trunk.

    @property
    def depth(self) -> int:
        """The number of blocks."""
        return len(self.dilations)

    def trunk_arrays(self, depth: int | None = None) -> tuple[str, ...]:
        arrays = BlockNetwork.declare({"dilations": self.dilations[:depth]})
        names = (array.name for array in arrays)
        return tuple(name for name in names if depth is None or name not in _NORM)

    def trunk_sizes(self, depth: int) -> Any:
        return self.dilations[:depth]

    def encode(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        hidden: Any,
        begin: int,
        end: int,
    ) -> Any:
        looked_up, units = forward_pass.dropouts
        if hidden is None:
            every = np.arange(len(batch.features), dtype=np.int32)
            hidden = forward_pass(layers["input"], batch.features, every, looked_up)
        for k in range(begin + 1, end + 1):
            hidden = forward_pass(layers[f"block{k}"], hidden, batch.starts, units)
        return hidden

    def normalize(self, forward_pass: ForwardPass, hidden: Any) -> Any:
        norm = LayerNorm("norm", self.norm_gain, self.norm_shift)
        return forward_pass.drop(forward_pass(norm, hidden))

    @property
    def norm_key(self) -> tuple[int, ...]:
        return id(self.norm_gain), id(self.norm_shift)


class DilatedNetwork(BlockNetwork, TagNetwork):
    """Scores the tags of words, or of roles, from the states of words.

    The head consists of a linear layer, a rectifier and a linear layer, or of a single
    linear layer. For roles, the first layer is a layer over pairs of a word and a
    predicate: PairParts and PairScores.

    BlockNetwork defines the other arrays.

    Attributes:
        hidden_weight: float32[width, n_hidden], or None for a single linear layer.
        hidden_bias: float32[n_hidden], or None for a single linear layer.
        output_weight: float32[n_hidden, n_tags], or float32[width, n_tags] for a single
            linear layer.
        output_bias, initial, transition, final: See WindowNetwork.
        predicate_weight, word_factor, predicate_factor: float32[width, n_hidden], for
            roles; see PairParts.
        distances: float32[2 * m + 1, n_hidden], for roles; see PairUnits.
    """

    kind, settings = "dilated", DilatedSettings
    tasks = "words", "roles"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        return [
            *super().declare(header),
            *Linear.declare("hidden", "width", "hidden", "hidden", rounded=True),
            *PairParts.declare("width", "hidden", "roles"),
            *PairUnits.declare("distances", "hidden", "roles"),
            *Linear.declare("output", "hidden", "tags"),
            *SentenceLikelihood.declare(),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        header, sizes, groups = super().plan(settings, labels)
        if settings.hidden:
            groups.append("hidden")
        if labels == "roles":
            if not settings.hidden:
                raise SennaError("roles need hidden units, found hidden = 0")
            sizes["distances"] = 2 * settings.reach + 1
            groups.append("roles")
        return header, sizes, groups

    @classmethod
    def labels_of(cls, names: Collection[str], entry: Mapping[str, Any]) -> str:
        return "roles" if "distances" in names else "words"

    @property
    def context(self) -> Context:
        return Context.SENTENCE if self.distances is None else Context.PAIRS

    def known_sizes(self) -> dict[str, int]:
        sizes = super().known_sizes()
        if self.hidden_weight is None:
            sizes["hidden"] = sizes["width"]
            if self.distances is not None:
                raise SennaError("hidden_weight is missing")
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        layers = super().layers(cache)
        layers["output"] = Linear(
            "output", self.output_weight, self.output_bias, blas, wide_int8
        )
        if self.distances is not None:
            layers["parts"] = self.pair_parts()
            layers["pairs"] = PairScores(self.distances, layers["output"])
        elif self.hidden_weight is not None:
            layers["hidden"] = Linear(
                "hidden", self.hidden_weight, self.hidden_bias, blas, Int8Weight
            )
        return layers

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> "Iterator[NDArray[np.float32]]":
        hidden = self.states(forward_pass, layers, batch)
        if self.distances is not None:
            yield from self._score_pairs(forward_pass, layers, batch, hidden)
            return
        if self.hidden_weight is not None:
            hidden = forward_pass(Rectifier(), forward_pass(layers["hidden"], hidden))
            hidden = forward_pass.drop(hidden)
        yield forward_pass(layers["output"], hidden)

    def _score_pairs(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch, states: Any
    ) -> "Iterator[NDArray[np.float32]]":
        """Yield the scores of roles in blocks: float32[n_rows, n_tags or more].

        There is a row for each word of the sentence of each predicate.
        """
        parts = forward_pass(layers["parts"], states, batch.predicate)
        n_rows = None if forward_pass.trains else _ROWS
        for first, sentence, predicate in batch.sequences(n_rows):
            pairs = np.empty((3, np.diff(batch.starts)[sentence].sum()), np.int32)
            reach = len(self.distances) // 2
            rows_of_predicates(batch.starts, sentence, predicate, first, reach, *pairs)
            yield forward_pass(layers["pairs"], parts, pairs, forward_pass.dropouts[1])
