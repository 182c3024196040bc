"""A stack of dilated gated convolutions for words or roles, added to the paper's
networks.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from senna_py.errors import SennaError, UsageError
from senna_py.io.settings import Settings, setting
from senna_py.kernels.nn.pairs import rows_of_predicates
from senna_py.layers.activations import Rectifier
from senna_py.layers.blocks import BLOCK, wide_linear
from senna_py.layers.gated_convolution import GatedBlock
from senna_py.layers.int8 import Int8Weight
from senna_py.layers.layer_norm import LayerNorm
from senna_py.layers.likelihood import SentenceLikelihood
from senna_py.layers.linear import Linear, blas
from senna_py.layers.pairs import PAIR_ARRAYS, PairParts, PairUnits
from senna_py.layers.protocol import Array
from senna_py.networks.base import WIDEST_WINDOW, Layers, Planned, TaggerNetwork
from senna_py.networks.batch import WordBatch

_MOST_BLOCKS, _FARTHEST = 64, 1024
_TOP = "norm_gain", "norm_shift"
_OF_BLOCKS = "gain", "shift", "weight", "bias"
_ROWS = 2 * BLOCK  # computed at once in use, whole predicates'


@dataclass
class BlockSettings(Settings):
    """Settings of a stack of dilated convolutions."""

    width: int = setting(192, "units of each block", least=1)
    kernel: int | list = setting(3, "words that each block's convolution sees, odd")
    dilations: list = setting([1, 2, 4, 8, 1, 2], "a block for each, with its spacing")

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
        """Size of each block's convolution, a list."""
        if isinstance(self.kernel, list):
            return self.kernel
        return [self.kernel] * len(self.dilations)


@dataclass
class DilatedSettings(BlockSettings):
    """Settings of the dilated approach."""

    width: int = setting(128, "units of each block; for roles 192", least=1)
    dilations: list = setting(
        [1, 2, 4], "a block for each, with its spacing; for roles `[1, 2, 4, 8, 1, 2]`"
    )
    hidden: int = setting(
        0, "units of the layer after the blocks, or none; for roles 192", least=0
    )
    reach: int = setting(
        20, "for roles: the largest distance with weights of its own", least=1
    )


def _check_dilations(dilations):
    """Raise UsageError if that is no list of how far blocks look."""
    right = type(dilations) is list and 1 <= len(dilations) <= _MOST_BLOCKS
    if not right or not all(type(d) is int and 1 <= d <= _FARTHEST for d in dilations):
        raise UsageError(
            f"dilations: expected 1 to {_MOST_BLOCKS} numbers from 1 to {_FARTHEST:,}, "
            f"found {dilations}"
        )


class BlockNetwork(TaggerNetwork):
    """States of words, which a stack of GatedBlocks makes of the whole sentence.

    The rows of the lookup tables go through a linear layer, the blocks and a layer
    norm: these are the states, made once a sentence. padding is for files: beyond a
    sentence are zeros.

    dilations: list of int, of each block. input_weight: float32[sum of dims, width];
    input_bias: float32[width]; for each K from 1 on, blockK_gain, blockK_shift:
    float32[width]; blockK_weight: float32[kernel * width, 2 * width], kernel odd;
    blockK_bias: float32[2 * width], see GatedBlock;
    norm_gain, norm_shift: float32[width].
    """

    header = ("dilations",)
    first = "input_weight", "input_bias"
    beyond_senna = "it has window and sentence networks"

    @property
    def whole_sentences(self) -> int:
        return 1

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        """Arrays of the layers below the head."""
        blocks = range(1, 1 + len(header["dilations"]))
        return [
            *Linear.declare("input", "input", "width"),
            *(
                a
                for k in blocks
                for a in GatedBlock.declare(f"block{k}", f"kernel{k}", "width", "gates")
            ),
            *LayerNorm.declare("norm", "width"),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Planned:
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

    @property
    def depth(self) -> int:
        """Number of the blocks."""
        return len(self.dilations)

    def trunk(self, depth: int | None = None) -> tuple[str, ...]:
        dilations = self.dilations[:depth]
        names = (a.name for a in BlockNetwork.declare({"dilations": dilations}))
        return tuple(name for name in names if depth is None or name not in _TOP)

    def below(self, depth: int) -> Any:
        return self.dilations[:depth]

    def _known_sizes(self):
        sizes, width = super()._known_sizes(), 1
        if self.input_bias is not None:
            width = max(self.input_bias.size, 1)
        sizes |= {"width": width, "gates": 2 * width}
        for k in range(1, len(self.dilations) + 1):
            weight = getattr(self, f"block{k}_weight")
            n = 0 if weight is None else prod(weight.shape)
            size = sizes[f"kernel{k}"] = n // (2 * width**2)
            if weight is not None and (size % 2 == 0 or size > WIDEST_WINDOW):
                raise SennaError(
                    f"block{k}_weight: a window of {size:,} words; it must be odd and at most "
                    f"{WIDEST_WINDOW:,}"
                )
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        found: dict[str, Any] = {"input": self.first_layer(cache)}
        for k, dilation in enumerate(self.dilations, 1):
            name = f"block{k}"
            gain, shift, weight, bias = (
                getattr(self, f"{name}_{part}") for part in _OF_BLOCKS
            )
            found[name] = GatedBlock(name, gain, shift, weight, bias, dilation)
        return found

    def pair_layers(self) -> dict[str, Any]:
        """The layers of a head over pairs of words."""
        names = "hidden_weight", "hidden_bias", *PAIR_ARRAYS
        return {
            "parts": PairParts({name: getattr(self, name) for name in names}),
            "pairs": PairUnits(self.distances),
        }

    def climb(
        self, run: Any, layers: Layers, batch: WordBatch, h: Any, done: int, depth: int
    ) -> Any:
        if h is None:
            every = np.arange(len(batch.features), dtype=np.int32)
            h = run(layers["input"], batch.features, every, run.dropouts[0])
        for k in range(done + 1, depth + 1):
            h = run(layers[f"block{k}"], h, batch.starts, run.dropouts[1])
        return h

    def top(self, run: Any, h: Any) -> Any:
        return run.drop(run(LayerNorm("norm", self.norm_gain, self.norm_shift), h))

    @property
    def top_key(self) -> tuple[int, ...]:
        return id(self.norm_gain), id(self.norm_shift)


class DilatedNetwork(BlockNetwork):
    """Scores tags from the states of words: linear, rectifier, linear; or one linear
    layer.

    Roles: the same from each pair of a word and a predicate, by PairParts and
        PairUnits.

    Arrays of a BlockNetwork, and hidden_weight: float32[width, n_hidden] and
    hidden_bias: float32[n_hidden], or neither; output_weight: float32[n_hidden,
    n_tags], or width in place of n_hidden; output_bias, initial, transition and final:
    as of a WindowNetwork. For roles: predicate_weight, word_factor, predicate_factor:
    float32[width, n_hidden] and distances: float32[2 * m + 1, n_hidden].
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
    def plan(cls, settings: Any, labels: str) -> Planned:
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
    def whole_sentences(self) -> int:
        """More beside predicates, see TaggerNetwork."""
        return 1 + (self.distances is not None)

    def _known_sizes(self):
        sizes = super()._known_sizes()
        roles = self.distances is not None
        if self.hidden_weight is None:
            sizes["hidden"] = sizes["width"]
            if roles:
                raise SennaError("hidden_weight is missing")
        return sizes

    def layers(self, cache: Any = None) -> dict[str, Any]:
        found = super().layers(cache)
        if self.distances is not None:
            found |= self.pair_layers()
        elif self.hidden_weight is not None:
            arrays = self.hidden_weight, self.hidden_bias
            found["hidden"] = Linear("hidden", *arrays, blas, packed=Int8Weight)
        arrays = self.output_weight, self.output_bias
        return found | {"output": Linear("output", *arrays, blas, packed=wide_linear)}

    def forward(
        self, run: Any, layers: Layers, batch: WordBatch
    ) -> Iterator[np.ndarray]:
        states = self.states(run, layers, batch)
        if self.distances is not None:
            parts = run(layers["parts"], states, batch.predicate)
            for first, *which in batch.sequences(None if run.trains else _ROWS):
                hidden = run(layers["pairs"], parts, self._pairs(batch, first, *which))
                yield run(layers["output"], run.drop(run(Rectifier(), hidden)))
        elif self.hidden_weight is not None:
            hidden = run(Rectifier(), run(layers["hidden"], states))
            yield run(layers["output"], run.drop(hidden))
        else:
            yield run(layers["output"], states)

    def _pairs(self, batch, first, sentence, predicate):
        """Word, predicate and rows of tables of each row of some predicates, from
        `first` on.
        """
        rows = np.empty((3, np.diff(batch.starts)[sentence].sum()), np.int32)
        reach = len(self.distances) // 2
        rows_of_predicates(batch.starts, sentence, predicate, first, reach, *rows)
        return rows
