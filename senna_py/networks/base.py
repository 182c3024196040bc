"""The base class of the networks of taggers.

A network has a trunk, which computes the states of words, and a head, which computes
labels from these states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from senna_py.errors import UsageError
from senna_py.layers.blocks import BLOCK
from senna_py.layers.cache import LayerCache
from senna_py.layers.convolution import Windows
from senna_py.layers.window import ProductCache
from senna_py.networks.stored import StoredNetwork

if TYPE_CHECKING:
    from senna_py.answers.layer import Layer
    from senna_py.labels.tasks import Task
    from senna_py.layers.first_layer import InputSums
    from senna_py.layers.gradients import Gradients
    from senna_py.layers.passes import Dropouts, ForwardPass
    from senna_py.networks.batch import WordBatch

# The number of words that are processed at a time at inference, in whole sentences.
_WORDS = 4 * BLOCK
_Network = TypeVar("_Network", bound="TaggerNetwork")
Layers = Mapping[str, Any]


class Context(IntEnum):
    """The context from which a word is labeled, which determines time and memory."""

    WINDOW = 0  # A window of words: the cost of a word is constant.
    SENTENCE = 1  # The sentence: memory grows with the length of sentences.
    PAIRS = 2  # Pairs of words: time grows with the square of the length.


class Cost(NamedTuple):
    """The cost of a batch in training.

    Attributes:
        value: The cost, summed over the batch.
        n_labels: The number of labels in the sum, or the number of words for trees.
        trace: The trace that `cost_backward` needs.
    """

    value: float
    n_labels: int
    trace: Any


class TaggerNetwork(StoredNetwork):
    """A network of a tagger: its layers, and the order in which they are applied.

    A subclass defines `layers`, which makes the layers; `encode` and `normalize`, which
    apply the layers of the trunk; and `forward`, which applies all layers, both for
    tagging and for training.
    """

    # Whether the first layer at inference consists of exact sums (`input_sums`).
    has_exact_input: ClassVar[bool] = False
    # Whether all layers of the head that read states are Int8Weights at inference.
    rounds_states: ClassVar[bool] = False

    @property
    def context(self) -> Context:
        """The context from which the network labels a word."""
        return Context.WINDOW

    def layers(self, cache: Any = None) -> dict[str, Any]:
        """Return new layers by name, for one pass.

        Args:
            cache: The result of the method `cache`, or None.
        """
        raise NotImplementedError

    def inference_layers(self, cache: Any) -> dict[str, Any]:
        """Return the layers for inference, which a LayerCache keeps for later calls.

        Args:
            cache: The result of the method `cache`, or None.
        """
        if isinstance(cache, LayerCache):
            return cache.layers_of(self)
        return self.layers(cache)

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> Iterator[Any]:
        """Yield the scores of the head in blocks of rows, or in one block in training.

        Args:
            forward_pass: The ForwardPass, at inference or in training.
            layers: The result of `layers` or `inference_layers`.
            batch: The words.
        """
        raise NotImplementedError

    # The input layer, whose input is rows of the lookup tables.

    @property
    def input_names(self) -> tuple[str, str]:
        """The names of the weight and the bias of the input layer."""
        raise NotImplementedError

    def input_layer(self, cache: Any) -> Windows:
        """Return the input layer, whose input is rows of the lookup tables.

        Args:
            cache: The result of the method `cache`, or None.
        """
        weight, bias = (getattr(self, name) for name in self.input_names)
        return Windows(self.input_names, weight, bias, self.tables, cache)

    def input_sums(self, cache: Any) -> InputSums:
        """Return the first layer at inference, if `has_exact_input`.

        Args:
            cache: The result of the method `cache`.
        """
        raise NotImplementedError

    def cache(self, n_rows: int) -> Any:
        """Return a cache for up to `n_rows` products of the input layer."""
        weight = getattr(self, self.input_names[0])
        return ProductCache(self.tables, weight, n_rows)

    @property
    def row_bytes(self) -> int:
        """The size in bytes of the cached products of one word."""
        n_inputs, n_units = getattr(self, self.input_names[0]).shape
        return 4 * n_units * n_inputs // sum(table.shape[1] for table in self.tables)

    # The trunk, which networks can share.

    @property
    def depth(self) -> int:
        """The number of layers of the trunk; a head may follow each of them."""
        return 1

    def states(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> Any:
        """Return the states of the words of a batch: float32[n_tokens, n] or RoundedRows.

        The states are computed unless the batch already has them.

        Args:
            forward_pass: The ForwardPass.
            layers: The layers of the network.
            batch: The words.
        """
        if batch.states is not None:
            return batch.states
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
        """Return the output of layer `end` of the trunk: float32[n_tokens, n].

        Args:
            forward_pass: The ForwardPass.
            layers: The layers of the network.
            batch: The words.
            hidden: The output of layer `begin`, or None if `begin` is 0.
            begin: The number of layers that have already been applied.
            end: The number of layers that will have been applied.
        """
        raise NotImplementedError

    def normalize(self, forward_pass: ForwardPass, hidden: Any) -> Any:
        """Return the states, given the output of the last layer of the trunk.

        By default, the output is returned unchanged.

        Args:
            forward_pass: The ForwardPass.
            hidden: float32[n_tokens, n], the output of the last layer.
        """
        return hidden

    @property
    def norm_key(self) -> tuple[int, ...]:
        """A key that is equal for networks with the same function `normalize`."""
        return ()

    def trunk_arrays(self, depth: int | None = None) -> tuple[str, ...]:
        """Return the names of the arrays of the trunk.

        Args:
            depth: The number of layers whose arrays are named, without the arrays of
                `normalize`; or None for all arrays.
        """
        return ()

    def trunk_sizes(self, depth: int) -> Any:
        """Return the sizes that define the first `depth` layers, besides their arrays.

        Networks can only share layers for which these sizes are equal.
        """
        return self.sizes()

    @property
    def has_trunk(self) -> bool:
        """Whether the network has layers below its head, which it can share."""
        return bool(self.arrays().keys() & {*self.trunk_arrays()})

    def share(
        self: _Network, other: TaggerNetwork, depth: int | None = None
    ) -> _Network:
        """Return a copy of this network that shares another network's trunk.

        The tables, padding and arrays of the trunk are the same objects as in `other`.

        Args:
            other: The other network.
            depth: The number of layers that are shared, or None for all layers that
                both networks have.
        """
        if depth is None and self.depth != other.depth:
            depth = self.depth
        arrays, names = other.arrays(), other.trunk_arrays(depth)
        changes = {name: arrays[name] for name in names if name in arrays}
        changes |= {"tables": list(other.tables), "padding": other.padding}
        return self.changed(**changes)

    def shared_names(self, other: TaggerNetwork) -> list[str]:
        """Return the names of the tables and arrays that two networks share.

        These are the names in files. Shared arrays are the same objects.
        """
        mine, theirs = self.stored_arrays(), other.stored_arrays()
        return [name for name, array in mine.items() if array is theirs.get(name)]

    def common_depth(self, other: TaggerNetwork) -> int:
        """Return the number of layers, from the bottom, that two trunks share.

        The result is 0 if the networks differ in tables or padding.
        """
        if not (
            self.has_trunk
            and [*map(id, self.tables)] == [*map(id, other.tables)]
            and np.array_equal(self.padding, other.padding)
        ):
            return 0
        mine, theirs = self.arrays(), other.arrays()
        # Most networks that share layers share all of them.
        for depth in range(min(self.depth, other.depth), 0, -1):
            names = self.trunk_arrays(depth)
            if (
                self.trunk_sizes(depth) == other.trunk_sizes(depth)
                and names == other.trunk_arrays(depth)
                and all(mine.get(name) is theirs.get(name) for name in names)
            ):
                return depth
        return 0

    # Tagging and training.

    def split(self, batch: WordBatch) -> Iterator[WordBatch]:
        """Split a batch into parts of whole sentences, to bound memory at inference.

        Parts without words are left out.
        """
        return (part for part in batch.split(_WORDS) if len(part.features))

    def annotate(
        self,
        batch: WordBatch,
        task: Task,
        names: Sequence[str],
        cache: Any = None,
        scored: bool = False,
    ) -> Layer:
        """Return the layer of the best labels of a batch.

        Args:
            batch: The words.
            task: The task of the layer.
            names: The names of the network's labels.
            cache: The result of the method `cache` for the current arrays, or None.
            scored: Whether to include the probabilities of labels. Layers of
                constituents never have probabilities.
        """
        raise NotImplementedError

    def likely(
        self, batch: WordBatch, task: Task, names: Sequence[str], cache: Any = None
    ) -> Layer:
        """Return a layer of all likely labels of a batch, with their probabilities.

        A score is NaN if the probabilities of a token do not add up to 1. See
        `annotate` for the arguments.

        Raises:
            UsageError: If the network does not define probabilities.
        """
        raise UsageError(f"{task.name}: {self.kind} networks give no probabilities")

    def cost(self, words: WordBatch, targets: Any, dropouts: Dropouts) -> Cost:
        """Return the cost of a batch in training.

        Args:
            words: The batch. If it has states, only the head is applied.
            targets: The labels to learn, an object of a class in `tagging.targets`.
            dropouts: See TrainingPass.
        """
        raise NotImplementedError

    def cost_backward(self, trace: Any, gradients: Gradients) -> Any:
        """Collect the gradients of the parameters.

        Args:
            trace: The trace of `cost`.
            gradients: The object that collects the gradients.

        Returns:
            d(cost)/d(states), if the batch has states.
        """
        raise NotImplementedError
