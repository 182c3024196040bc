"""The network unrolled over some steps of text (Kim et al. 2016, equations 2 and 3)."""

import numpy as np

from senna_py.kernels.nn.lookup import add_to_rows
from senna_py.layers.activations import Dropout
from senna_py.layers.character_convolution import Convolution
from senna_py.layers.class_softmax import ClassSoftmax
from senna_py.layers.highway import Highway, Plain
from senna_py.layers.lstm import LstmLayer
from senna_py.layers.protocol import initial_uniform
from senna_py.layers.softmax import Softmax
from senna_py.lm.lstm.inputs import CharacterInput, MorphemeInput, WordInput
from senna_py.lm.lstm.lexicon import PADDING

_GATE_BIAS = -2.0


class LstmNetwork:
    """Inputs of words, LSTM layers over them, and output units over the last one.

    inputs: a class of `lstm.inputs`; layers: list of LstmLayer; output: Softmax or
    ClassSoftmax.
    """

    def __init__(self, inputs, layers, output):
        self.inputs, self.layers, self.output = inputs, layers, output

    def parameters(self):
        """Arrays by their names in files."""
        found = self.inputs.parameters()
        for layer in self.layers:
            found |= layer.parameters()
        return found | self.output.parameters()

    def first_state(self, batch):
        """h and c of the layers at the beginning of text: float32[n_layers, 2, batch,
        size].
        """
        layer = self.layers[0]
        return np.zeros((len(self.layers), 2, batch, layer.size), layer.bias.dtype)

    def log_probabilities(self, words, targets, state, represent=None):
        """log P of the targets, each the word after `words`: int32[n_steps, batch]
        both.

        state: as of `first_state`, is changed to that after the last step; represent:
        gives the inputs of different words: int32[n], in place of `inputs.forward`.
        Returns float64 [n_steps * batch].
        """
        hidden = self.hidden(words, state, represent)
        return self.output.log_probabilities(hidden, targets.reshape(-1))

    def hidden(self, words, state, represent=None):
        """Output of the last layer after each of `words`: float32[n_words, size].

        words: int32[n_steps, batch]; the others as of `log_probabilities`.
        """
        return self._below_output(words, state, Dropout(None), represent)[0]

    def forward(self, words, targets, state, dropout):
        """Like `log_probabilities`, with the trace besides; the cost is -sum log P.

        dropout: a Dropout, of what each LSTM layer gives to the layer above it and to
        the output units; what it gives to its next step is left whole (section
        Optimization).
        """
        flat, trace = self._below_output(words, state, dropout)
        log_p, output = self.output.forward(flat, targets.reshape(-1))
        return log_p, (*trace, dropout, output)

    def _below_output(self, words, state, dropout, represent=None):
        """Output of the last layer, and the trace of all layers."""
        different, place = np.unique(words, return_inverse=True)
        found, kept_inputs = (
            (represent(different), None)
            if represent
            else self.inputs.forward(different)
        )
        gates = self.layers[0].projection.forward(found)[0][place.reshape(words.shape)]
        kept = []
        for layer, own_state, above in zip(
            self.layers, state, [*self.layers[1:], None], strict=True
        ):
            hidden, kept_layer = layer.forward(gates, own_state)
            # A copy, for dropout changes it.
            flat, factors = dropout.forward(hidden.reshape(-1, layer.size).copy())
            kept.append((kept_layer, flat, factors))
            if above:
                gates = above.projection.forward(flat)[0].reshape(*words.shape, -1)
        return flat, (words.shape, different, place, found, kept_inputs, kept)

    def backward(self, trace, gradients):
        """Give `gradients` those of the parameters."""
        shape, different, place, found, kept_inputs, kept, dropout, output = trace
        d_flat = self.output.backward(output, gradients)
        for k in reversed(range(len(self.layers))):
            layer, (kept_layer, _, factors) = self.layers[k], kept[k]
            d_flat = dropout.backward(d_flat, factors)
            d_gates = layer.backward(d_flat.reshape(*shape, -1), kept_layer, gradients)
            d_gates = d_gates.reshape(len(d_flat), -1)
            if k:
                d_flat = layer.projection.backward(d_gates, kept[k - 1][1], gradients)
        d_projected = np.zeros((len(different), d_gates.shape[1]), d_gates.dtype)
        add_to_rows(d_gates, place.reshape(-1).astype(np.int32), d_projected)
        d_found = self.layers[0].projection.backward(d_projected, found, gradients)
        self.inputs.backward(d_found, kept_inputs, gradients)


def new_network(shape, lexicon, spread, rng):
    """A network with random weights, uniform in +- spread but for padding and gates.

    The gates of highway layers are around -2 below, so that these begin by carrying
    what they are given (Kim et al. 2016, section Highway Network).
    """
    arrays = {
        name: initial_uniform(rng, spread, *sizes)
        for name, sizes in shape.arrays(*lexicon.sizes()).items()
    }
    if shape.input == "char":
        arrays["character_vectors"][PADDING] = 0
        for name in shape.between() if not shape.plain else ():
            arrays[f"{name}_bias"][shape.n_features :] += np.float32(_GATE_BIAS)
    return network_of(shape, lexicon, arrays)


def network_of(shape, lexicon, arrays):
    """The network of an LstmShape and a Lexicon; arrays: by name, which are not
    copied.
    """
    layers = []
    for k in range(1, shape.layers + 1):
        ends = ("weight", "recurrent", "bias")
        of_layer = (arrays[f"lstm{k}_{end}"] for end in ends)
        layers.append(LstmLayer(f"lstm{k}", *of_layer))
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    if shape.output == "clusters":
        output = ClassSoftmax(
            lexicon.cluster, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        output = Softmax(weight, bias)
    return LstmNetwork(_inputs(shape, lexicon, arrays), layers, output)


def _inputs(shape, lexicon, arrays):
    if shape.input == "word":
        return WordInput(arrays["vectors"])
    if shape.input == "morph":
        m = lexicon.morphemes
        return MorphemeInput(
            arrays["vectors"], arrays["morpheme_vectors"], m.ids, m.starts
        )
    weights, biases = (
        [arrays[f"filter_{part}.{width}"] for width in range(1, shape.widths + 1)]
        for part in ("weight", "bias")
    )
    convolution = Convolution(arrays["character_vectors"], weights, biases)
    layers = [
        (Plain if shape.plain else Highway)(
            name, arrays[f"{name}_weight"], arrays[f"{name}_bias"]
        )
        for name in shape.between()
    ]
    words = [*lexicon.words, *lexicon.more]
    return CharacterInput(lexicon.alphabet, words, convolution, layers)
