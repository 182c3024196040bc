"""New networks, and networks out of the arrays of a file."""

import math
from dataclasses import dataclass

import numpy as np

from senna_py.layers.character_stack import CharacterStack, initial_stack
from senna_py.layers.class_softmax import ClassSoftmax, initial_class_softmax
from senna_py.layers.linear import initial_uniform
from senna_py.layers.lstm import LstmLayer, initial_lstm
from senna_py.layers.products import Tiles
from senna_py.layers.softmax import Softmax, initial_softmax
from senna_py.lm.lstm.inputs import CharacterInput, MorphemeInput, WordInput
from senna_py.lm.lstm.network import Network

__all__ = ["INPUTS", "OUTPUTS", "PRESETS", "Parts", "Shape", "network_of", "new_network",
           "random_clusters"]  # fmt: skip

INPUTS, OUTPUTS = ("char", "word", "morph"), ("softmax", "clusters")
# Table 2, and the comparisons with word vectors (section English Penn Treebank).
PRESETS = {
    "small": {
        "char": {"widths": 6, "filters": 25, "most_filters": 150, "highway": 1, "hidden": 300},
        "word": {"dim": 200, "hidden": 200},
        "morph": {"dim": 200, "hidden": 200},
    },
    "large": {
        "char": {"widths": 7, "filters": 50, "most_filters": 200, "highway": 2, "hidden": 650},
        "word": {"dim": 650, "hidden": 650},
        "morph": {"dim": 650, "hidden": 650},
    },
}


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    input: one of INPUTS; dim: of word vectors; char_dim: d; widths: filters have the widths from 1
    to this; filters: how many for each unit of width, but `most_filters` of a width at most;
    highway: layers; plain: whether one plain layer stands in their place; hidden: m, units of an
    LSTM layer; layers: how many of those; output: one of OUTPUTS.
    """

    input: str = "char"
    dim: int = 200
    char_dim: int = 15
    widths: int = 6
    filters: int = 25
    most_filters: int = 200
    highway: int = 1
    plain: bool = False
    hidden: int = 300
    layers: int = 2
    output: str = "softmax"

    def n_filters(self, width):
        """Filters of a width."""
        return min(self.most_filters, self.filters * width)

    def all_filters(self):
        """Filters of each width."""
        return [self.n_filters(w) for w in range(1, self.widths + 1)]

    @property
    def n_features(self):
        """Length of what stands for a word at the input of the LSTM."""
        if self.input != "char":
            return self.dim
        return sum(self.all_filters())

    def arrays(self, n_words, n_characters=0, n_morphemes=0, n_clusters=0):
        """Shapes of the arrays of a network, by name."""
        shapes = self._input_arrays(n_words, n_characters, n_morphemes)
        m = self.hidden
        for k in range(1, self.layers + 1):
            shapes[f"lstm{k}_weight"] = (self.n_features if k == 1 else m, 4 * m)
            shapes[f"lstm{k}_recurrent"] = (m, 4 * m)
            shapes[f"lstm{k}_bias"] = (4 * m,)
        shapes |= {"output_weight": (n_words, m), "output_bias": (n_words,)}
        if self.output == "clusters":
            shapes |= {"class_weight": (n_clusters, m), "class_bias": (n_clusters,)}
        return shapes

    def n_parameters(self, *sizes):
        """How many numbers are learned; sizes: as of `arrays`."""
        return sum(math.prod(size) for size in self.arrays(*sizes).values())

    def _input_arrays(self, n_words, n_characters, n_morphemes):
        if self.input == "word":
            return {"vectors": (n_words, self.dim)}
        if self.input == "morph":
            return {"vectors": (n_words, self.dim),
                    "morpheme_vectors": (n_morphemes, self.dim)}  # fmt: skip
        shapes, n = {"character_vectors": (n_characters, self.char_dim)}, self.n_features
        for w in range(1, self.widths + 1):
            shapes[f"filter_weight.{w}"] = (w, self.char_dim, self.n_filters(w))
            shapes[f"filter_bias.{w}"] = (self.n_filters(w),)
        for name in self.between():
            both = 1 if self.plain else 2
            shapes |= {f"{name}_weight": (n, both * n), f"{name}_bias": (both * n,)}
        return shapes

    def between(self):
        """Names of the layers between the convolution and the LSTM."""
        return ["plain"] if self.plain else [f"highway{k + 1}" for k in range(self.highway)]


@dataclass
class Parts:
    """What a network needs besides its Shape and its parameters.

    words: list of str; alphabet: MarkedAlphabet (char); morphemes: Morphemes (morph); cluster:
    int32[n_words], of each word (clusters); more: list of str, words that are read and not
    predicted, with the indices after those of `words` (char).
    """

    words: list
    alphabet: object = None
    morphemes: object = None
    cluster: np.ndarray = None
    more: list = ()

    def sizes(self):
        """Arguments of Shape.arrays."""
        return (
            len(self.words), len(self.alphabet or ()), len(self.morphemes.names if
            self.morphemes else ()), 0 if self.cluster is None else int(self.cluster.max()) + 1,
        )  # fmt: skip


def random_clusters(n_words, rng):
    """Cluster of each word, ceil(sqrt(n_words)) of about equal size, at random: int32[n_words]."""
    n = int(np.ceil(np.sqrt(n_words)))
    return (rng.permutation(n_words) % n).astype(np.int32)


def new_network(shape, parts, spread, rng, products=None):
    """A network with random weights, uniform in +- spread but for what its layers say.

    products: see `network_of`.
    """
    n_words, n_characters, n_morphemes, _ = parts.sizes()
    if shape.input == "char":
        arrays = initial_stack(
            rng, spread, n_characters, shape.char_dim, shape.all_filters(), shape.between()
        )
    else:
        arrays = {"vectors": initial_uniform(rng, spread, n_words, shape.dim)}
    if shape.input == "morph":
        arrays["morpheme_vectors"] = initial_uniform(rng, spread, n_morphemes, shape.dim)
    for k in range(1, shape.layers + 1):
        n_inputs = shape.n_features if k == 1 else shape.hidden
        made = initial_lstm(rng, spread, n_inputs, shape.hidden)
        arrays |= LstmLayer(f"lstm{k}", *made).parameters()
    if shape.output == "clusters":
        made = initial_class_softmax(rng, spread, parts.cluster, shape.hidden)
        output = ClassSoftmax(parts.cluster, *made)
    else:
        output = Softmax(*initial_softmax(rng, spread, n_words, shape.hidden))
    return network_of(shape, parts, arrays | output.parameters(), products)


def network_of(shape, parts, arrays, products=None):
    """The network of a Shape and Parts with the given arrays by name, which are not copied.

    products: Tiles; None for those of one thread.
    """
    layers, products = [], products or Tiles()
    for k in range(1, shape.layers + 1):
        ends = ("weight", "recurrent", "bias")
        of_layer = (arrays[f"lstm{k}_{end}"] for end in ends)
        layers.append(LstmLayer(f"lstm{k}", *of_layer, products))
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    if shape.output == "clusters":
        output = ClassSoftmax(
            parts.cluster, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        output = Softmax(weight, bias, products=products)
    return Network(_inputs(shape, parts, arrays, products), layers, output)


def _inputs(shape, parts, arrays, products):
    if shape.input == "word":
        return WordInput(arrays["vectors"])
    if shape.input == "morph":
        m = parts.morphemes
        return MorphemeInput(arrays["vectors"], arrays["morpheme_vectors"], m.ids, m.starts)
    widths = range(1, shape.widths + 1)
    stack = CharacterStack.of_arrays(arrays, widths, shape.between(), products)
    return CharacterInput(parts.alphabet, stack, [*parts.words, *parts.more])
