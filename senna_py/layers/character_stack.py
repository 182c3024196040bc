"""Words from characters (Kim et al. 2016): a convolution, then highway layers or a plain one."""

from senna_py.layers.character_convolution import Convolution, initial_character_convolution
from senna_py.layers.highway import Highway, Plain, initial_highway, initial_plain
from senna_py.layers.protocol import Layer


def initial_stack(rng, spread, n_characters, dim, n_filters, between):
    """Arrays of a new stack by their names in files; between: see CharacterStack.of_arrays.

    The others: see initial_character_convolution.
    """
    convolution = initial_character_convolution(rng, spread, n_characters, dim, n_filters)
    arrays = Convolution(*convolution).parameters()
    for name in between:
        initial = initial_plain if name == "plain" else initial_highway
        weight, bias = initial(rng, spread, sum(n_filters))
        arrays |= {f"{name}_weight": weight, f"{name}_bias": bias}
    return arrays


class CharacterStack(Layer):
    """A convolution over the characters of words, and a stack of layers on top of it."""

    def __init__(self, convolution, layers):
        """convolution: a Convolution; layers: a list of Highway or Plain, the lowest first."""
        self.convolution, self.layers = convolution, layers

    @classmethod
    def of_arrays(cls, arrays, widths, between):
        """The stack of arrays by their names in files, which are not copied.

        arrays: character_vectors, and for each width W filter_weight.W and filter_bias.W, see
        Convolution; for each name K in `between`, which is plain, or highway with a number,
        K_weight and K_bias, see Highway and Plain.
        """
        weights, biases = (
            [arrays[f"filter_{part}.{width}"] for width in widths] for part in ("weight", "bias")
        )
        convolution = Convolution(arrays["character_vectors"], weights, biases)
        layers = [
            (Plain if name == "plain" else Highway)(
                name, arrays[f"{name}_weight"], arrays[f"{name}_bias"]
            )
            for name in between
        ]
        return cls(convolution, layers)

    @property
    def widest(self):
        """Characters that a word must have, at least: the width of the widest filter."""
        return max(map(len, self.convolution.weights))

    def parameters(self):
        found = self.convolution.parameters()
        for layer in self.layers:
            found |= layer.parameters()
        return found

    def forward(self, characters, starts, after=True):
        """What stands for words, float32[n_words, n_filters of all], and the trace.

        characters: int32[n]; starts: int64[n_words + 1]; after: the layers, or before them.
        """
        y, features = self.convolution.forward(characters, starts)
        traces = []
        for layer in self.layers if after else ():
            y, trace = layer.forward(y)
            traces.append(trace)
        return y, (features, traces)

    def backward(self, d_out, trace, gradients):
        """Give `gradients` those of the parameters; d_out: d(cost)/d(output)."""
        features, traces = trace
        for layer, kept in zip(reversed(self.layers), reversed(traces), strict=True):
            d_out = layer.backward(d_out, kept, gradients)
        self.convolution.backward(d_out, features, gradients)
