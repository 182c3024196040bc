"""What the networks of taggers compute: a trunk makes states of words, a head labels
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from senna_py.layers.blocks import BLOCK
from senna_py.layers.convolution import Windows
from senna_py.layers.window import ProductCache
from senna_py.networks.stored import StoredNetwork

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.passes import Dropouts, ForwardPass
    from senna_py.networks.batch import WordBatch

_WORDS = 4 * BLOCK  # in whole sentences, computed at once in use
_Network = TypeVar("_Network", bound="TaggerNetwork")
Layers = Mapping[str, Any]


class Context(IntEnum):
    """What a network computes a word's labels from, and what long sentences cost."""

    WINDOW = 0  # a window, whatever the length
    SENTENCE = 1  # the sentence: memory grows with the length
    PAIRS = 2  # pairs of words: time grows with the square of the length


class Cost(NamedTuple):
    """The cost of a batch in training.

    value: The cost; n_labels: how many labels it is of; trace: what `cost_backward`
    takes.
    """

    value: float
    n_labels: int
    trace: Any


class TaggerNetwork(StoredNetwork):
    """A network of a tagger: its layers, and in which order they are applied.

    A subclass is wiring: `layers` makes the layers; `encode`, and `normalize`, apply
    those of the trunk; `forward` applies all, the same for tagging and for training.
    """

    @property
    def context(self) -> Context:
        """What it computes a word's labels from."""
        return Context.WINDOW

    def layers(self, cache: Any = None) -> dict[str, Any]:
        """Make the layers, by any names, for one pass; cache: of `cache`, or None."""
        raise NotImplementedError

    def inference_layers(self, cache: Any) -> dict[str, Any]:
        """The `layers` for a cache, which keeps them if it can."""
        if isinstance(cache, ProductCache):
            return cache.layers_of(self)
        return self.layers(cache)

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> Iterator[Any]:
        """Yield the scores of the head, in training all in one block."""
        raise NotImplementedError

    # The layer on the lookup tables.

    @property
    def input_names(self) -> tuple[str, str]:
        """Names of the weight and the bias of the layer on the lookup tables."""
        raise NotImplementedError

    def input_layer(self, cache: Any) -> Windows:
        """The layer on the lookup tables; cache: of `cache`, or None."""
        weight, bias = (getattr(self, name) for name in self.input_names)
        return Windows(self.input_names, weight, bias, self.tables, cache)

    def cache(self, n_rows: int) -> Any:
        """Make a place to keep `n_rows` products of the input layer, for tagging."""
        weight = getattr(self, self.input_names[0])
        return ProductCache(self.tables, weight, n_rows)

    @property
    def row_bytes(self) -> int:
        """Bytes of the products that `cache` keeps of one word."""
        n_inputs, n_units = getattr(self, self.input_names[0]).shape
        return 4 * n_units * n_inputs // sum(table.shape[1] for table in self.tables)

    # The trunk, which networks can share.

    @property
    def depth(self) -> int:
        """The number of layers of the trunk after which a head may follow."""
        return 1

    def states(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> NDArray[np.float32]:
        """Compute the states of the words of a batch, unless it has them."""
        if batch.states is not None:
            states: NDArray[np.float32] = batch.states
            return states
        hidden = self.encode(forward_pass, layers, batch, None, 0, self.depth)
        return self.normalize(forward_pass, hidden)

    def encode(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        hidden: Any,
        begin: int,
        end: int,
    ) -> Any:
        """Apply the layers of the trunk from `begin` to `end`.

        hidden: The output of layer `begin`; None for the first layer.
        """
        raise NotImplementedError

    def normalize(self, forward_pass: ForwardPass, hidden: Any) -> Any:
        """Make states of the output of the last layer of the trunk."""
        return hidden

    @property
    def norm_key(self) -> tuple[int, ...]:
        """A key that is equal for networks that `normalize` in the same way."""
        return ()

    def trunk_arrays(self, depth: int | None = None) -> tuple[str, ...]:
        """Names of the arrays of the trunk.

        depth: Of how many layers, without those of `normalize`; None for all.
        """
        return ()

    def trunk_sizes(self, depth: int) -> Any:
        """What `depth` layers of the trunk depend on besides arrays."""
        return self.sizes()

    @property
    def has_trunk(self) -> bool:
        """Whether it has layers below its head, which networks can share."""
        return bool(self.arrays().keys() & {*self.trunk_arrays()})

    def share(
        self: _Network, other: TaggerNetwork, depth: int | None = None
    ) -> _Network:
        """Return the network with the tables, padding and trunk of another: the same objects.

        depth: How many layers of the trunk; None for all that both have.
        """
        if depth is None and self.depth != other.depth:
            depth = self.depth
        arrays, names = other.arrays(), other.trunk_arrays(depth)
        changes = {name: arrays[name] for name in names if name in arrays}
        changes |= {"tables": list(other.tables), "padding": other.padding}
        return self.changed(**changes)

    def shared_names(self, other: TaggerNetwork) -> list[str]:
        """Names in files of the tables and arrays that are objects of another, too."""
        mine, theirs = self.stored_arrays(), other.stored_arrays()
        return [name for name, array in mine.items() if array is theirs.get(name)]

    def common_depth(self, other: TaggerNetwork) -> int:
        """The number of first layers of the trunk that are those of another, too."""
        if not (
            self.has_trunk
            and [*map(id, self.tables)] == [*map(id, other.tables)]
            and np.array_equal(self.padding, other.padding)
        ):
            return 0
        mine, theirs, depth = self.arrays(), other.arrays(), 0
        while depth < min(self.depth, other.depth):
            names = self.trunk_arrays(depth + 1)
            if not (
                names == other.trunk_arrays(depth + 1)
                and all(mine.get(name) is theirs.get(name) for name in names)
                and self.trunk_sizes(depth + 1) == other.trunk_sizes(depth + 1)
            ):
                break
            depth += 1
        return depth

    # Tagging and training.

    def split(self, batch: WordBatch) -> Iterator[WordBatch]:
        """Yield a batch in parts that have words, and take some memory each."""
        return (part for part in batch.split(_WORDS) if len(part.features))

    def annotate(
        self,
        batch: WordBatch,
        task: Task,
        names: Sequence[str],
        cache: Any = None,
        scored: bool = False,
    ) -> Layer:
        """Find the best labels of a batch.

        Args:
            batch: The words.
            task: The task of the layer.
            names: Names of the network's labels.
            cache: Made by `cache` since the arrays last changed, or None.
            scored: Whether to tell how likely the labels are; trees do not say.
        """
        raise NotImplementedError

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        """Find all likely labels of a batch, with probabilities; see `annotate`.

        A score that is no number stands where probabilities do not add up to 1.
        """
        raise NotImplementedError

    def cost(self, words: WordBatch, targets: Any, dropouts: Dropouts) -> Cost:
        """Compute the cost of a batch in training.

        Args:
            words: The batch; if it has states, the cost is of the head alone.
            targets: The labels to learn, of a class in `tagging.targets`.
            dropouts: See TrainingPass.
        """
        raise NotImplementedError

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        """Fill `gradients`; return d(cost)/d(states) of a batch that has states."""
        raise NotImplementedError
