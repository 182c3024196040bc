"""The sentence network (Collobert et al. 2011, section 3.3.2)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.io.settings import setting
from senna_py.kernels.nn.products import score_predicates
from senna_py.layers.activations import HardTanh
from senna_py.layers.blocks import BLOCK, aligned, pad, wide_linear
from senna_py.layers.distance import DistanceConvolution, DistanceParts, MaxOverTime
from senna_py.layers.likelihood import SentenceLikelihood
from senna_py.layers.linear import Linear
from senna_py.layers.passes import ForwardPass
from senna_py.layers.protocol import Array
from senna_py.networks.base import Context, Layers
from senna_py.networks.batch import WordBatch
from senna_py.networks.checks import WIDEST_WINDOW
from senna_py.networks.stored import Plan
from senna_py.networks.tags import TagNetwork
from senna_py.networks.window import WindowSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The number of rows that are scored at a time at inference, for whole predicates.
_ROWS = 8 * BLOCK


@dataclass
class SentenceSettings(WindowSettings):
    """The settings of the sentence approach."""

    window: int = setting(
        5, "words under the convolution, odd", least=1, most=WIDEST_WINDOW
    )
    hidden: int = setting(300, "units of the layer after the maximum", least=1)
    conv: int = setting(300, "units of the convolution", least=1)
    distance: int = setting(5, "size of the vectors of distances", least=1)
    reach: int = setting(20, "the largest distance with a vector of its own", least=1)


class SentenceNetwork(TagNetwork):
    """Scores roles of words for each predicate of their sentence, or tags of words.

    The convolution is linear, so it is computed in three parts: for the words, once per
    sentence, and for the distances to the predicate and to the word, once per batch.
    Their sum goes through a max over time, a linear layer, HardTanh and a linear layer.
    A network without verb_distances and verb_distance_weight has no predicates: it tags
    words like a WindowNetwork, but sees the whole sentence for each word.

    Attributes:
        window: The number of words in a window, which is odd.
        verb_distances, word_distances: float32[2 * m + 1, dim], the vectors of the
            distances -m to m. Distances outside this range are clipped.
        word_weight: float32[window * sum of dims, n_conv].
        verb_distance_weight, word_distance_weight: float32[window * dim, n_conv].
        conv_bias: float32[n_conv].
        hidden_weight: float32[n_conv, n_hidden].
        hidden_bias: float32[n_hidden].
        output_weight, output_bias, initial, transition, final: See WindowNetwork.
    """

    kind, settings, header = "sentence", SentenceSettings, ("window",)
    tasks = "words", "roles"
    context = Context.PAIRS
    input_names = "word_weight", "conv_bias"

    @classmethod
    def declare(cls, header: Mapping[str, Any]) -> list[Array]:
        verbs = DistanceConvolution.declare(
            "verb_distance", "verb_dim", "conv", "roles"
        )
        words = DistanceConvolution.declare("word_distance", "word_dim", "conv")
        # For the initialization, the inputs of a unit of the convolution are words and
        # both distances. For the rates of plain SGD, they are the words alone.
        of_words = "window*input"
        inputs = f"{of_words}+window*word_dim+predicates*window*verb_dim"
        weight = Array("word_weight", (of_words, "conv"))
        tables, weights = zip(verbs, words, strict=True)
        return [
            *tables,
            *(
                each._replace(fan_in=of_words, begin_in=inputs)
                for each in (weight, *weights)
            ),
            Array("conv_bias", ("conv",), "zeros", fan_in=of_words),
            *Linear.declare("hidden", "conv", "hidden"),
            *Linear.declare("output", "hidden", "tags"),
            *SentenceLikelihood.declare(),
        ]

    @classmethod
    def plan(cls, settings: Any, labels: str) -> Plan:
        roles = labels == "roles"
        sizes = {
            "hidden": settings.hidden,
            "conv": settings.conv,
            "distances": 2 * settings.reach + 1,
            "word_dim": settings.distance,
            "verb_dim": settings.distance,
            "predicates": int(roles),
        }
        return {"window": settings.window}, sizes, ["roles"] if roles else []

    def trunk_arrays(self, depth: int | None = None) -> tuple[str, ...]:
        return "word_weight", "conv_bias", "word_distances", "word_distance_weight"

    @classmethod
    def labels_of(cls, names: Collection[str], entry: Mapping[str, Any]) -> str:
        return "roles" if "verb_distances" in names else "words"

    @property
    def beyond_senna(self) -> str | None:
        return None if self.labels == "roles" else "only srl has it"

    def layers(self, cache: Any = None) -> dict[str, Any]:
        distances = [
            DistanceConvolution(name, table, getattr(self, f"{name}_weight"))
            for name in ("verb_distance", "word_distance")
            if (table := getattr(self, f"{name}s")) is not None
        ]
        return {
            "windows": self.input_layer(cache),
            "distances": DistanceParts(distances),
            "hidden": Linear("hidden", self.hidden_weight, self.hidden_bias),
            "output": Linear(
                "output", self.output_weight, self.output_bias, packed=wide_linear
            ),
        }

    def encode(
        self,
        forward_pass: ForwardPass,
        layers: Layers,
        batch: WordBatch,
        hidden: Any,
        begin: int,
        end: int,
    ) -> Any:
        """Return the convolution of words without distances: float32[n_tokens, n_conv].

        See TaggerNetwork for the arguments.
        """
        padded = pad(batch.features, batch.starts, self.window, self.padding)
        return forward_pass(layers["windows"], *padded, forward_pass.dropouts[0])

    def forward(
        self, forward_pass: ForwardPass, layers: Layers, batch: WordBatch
    ) -> "Iterator[NDArray[np.float32]]":
        states = self.states(forward_pass, layers, batch)
        longest = int(np.diff(batch.starts).max(initial=0))
        parts = forward_pass(layers["distances"], states, longest)
        if not forward_pass.trains:
            yield from self._scores(layers, batch, parts, max(longest, BLOCK))
            return
        ((_, *sequences),) = batch.sequences()
        pooled = forward_pass(MaxOverTime(), parts, (batch.starts, *sequences))
        hidden = forward_pass(HardTanh(), forward_pass(layers["hidden"], pooled))
        yield forward_pass(layers["output"], forward_pass.drop(hidden))

    def _scores(
        self, layers: Layers, batch: WordBatch, parts: Any, n_block: int
    ) -> "Iterator[NDArray[np.float32]]":
        """Yield the scores of tags at inference, computed by a single kernel.

        Args:
            layers: The layers of the network.
            batch: The words.
            parts: The input of MaxOverTime.
            n_block: The number of rows that are computed at once, at least the number
                of words of the longest sentence.
        """
        words, *biases = parts
        hidden, output = layers["hidden"].packed.arrays, layers["output"].packed.arrays
        rooms = aligned(n_block, words.shape[1]), aligned(n_block, len(hidden[2]))
        lengths = np.diff(batch.starts)
        for _, *sequences in batch.sequences(_ROWS):
            scores = aligned(int(lengths[sequences[0]].sum()), len(output[2]))
            score_predicates(
                words,
                (batch.starts, *sequences),
                tuple(biases),
                hidden,
                output,
                rooms,
                scores,
            )
            yield scores
