"""New networks, and networks out of the arrays of a file."""

from dataclasses import dataclass

import numpy as np

from senna_py.layers.character_stack import CharacterStack, initial_stack
from senna_py.layers.class_softmax import ClassSoftmax, initial_class_softmax
from senna_py.layers.linear import initial_uniform
from senna_py.layers.lstm import LstmLayer, initial_lstm
from senna_py.layers.softmax import Softmax, initial_softmax
from senna_py.lm.lstm.inputs import CharacterInput, MorphemeInput, WordInput
from senna_py.lm.lstm.network import LstmNetwork

__all__ = ["Parts", "network_of", "new_network", "random_clusters"]


@dataclass
class Parts:
    """What a network needs besides its LstmShape and its parameters.

    words: list of str; alphabet: Alphabet (char); morphemes: Morphemes (morph); cluster:
    int32[n_words], of each word (clusters); more: list of str, words that are read and not
    predicted, with the indices after those of `words` (char).
    """

    words: list
    alphabet: object = None
    morphemes: object = None
    cluster: np.ndarray = None
    more: list = ()

    def sizes(self):
        """Arguments of LstmShape.arrays."""
        return (
            len(self.words), len(self.alphabet or ()), len(self.morphemes.names if
            self.morphemes else ()), 0 if self.cluster is None else int(self.cluster.max()) + 1,
        )  # fmt: skip


def random_clusters(n_words, rng):
    """Cluster of each word, ceil(sqrt(n_words)) of about equal size, at random: int32[n_words]."""
    n = int(np.ceil(np.sqrt(n_words)))
    return (rng.permutation(n_words) % n).astype(np.int32)


def new_network(shape, parts, spread, rng):
    """A network with random weights, uniform in +- spread but for what its layers say."""
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
    return network_of(shape, parts, arrays | output.parameters())


def network_of(shape, parts, arrays):
    """The network of an LstmShape and Parts with the given arrays by name, which are not copied."""
    layers = []
    for k in range(1, shape.layers + 1):
        ends = ("weight", "recurrent", "bias")
        of_layer = (arrays[f"lstm{k}_{end}"] for end in ends)
        layers.append(LstmLayer(f"lstm{k}", *of_layer))
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    if shape.output == "clusters":
        output = ClassSoftmax(
            parts.cluster, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        output = Softmax(weight, bias)
    return LstmNetwork(_inputs(shape, parts, arrays), layers, output)


def _inputs(shape, parts, arrays):
    if shape.input == "word":
        return WordInput(arrays["vectors"])
    if shape.input == "morph":
        m = parts.morphemes
        return MorphemeInput(arrays["vectors"], arrays["morpheme_vectors"], m.ids, m.starts)
    widths = range(1, shape.widths + 1)
    stack = CharacterStack.of_arrays(arrays, widths, shape.between())
    return CharacterInput(parts.alphabet, stack, [*parts.words, *parts.more])
