"""The LSTM network, applied to several steps of text (Kim et al. 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients
    from senna_py.lm.lstm.lexicon import Lexicon
    from senna_py.lm.lstm.settings import LstmShape

    Floats = NDArray[Any]
    Ints = NDArray[Any]

_GATE_BIAS = -2.0


class LstmNetwork:
    """An input layer, LSTM layers, and an output layer.

    Attributes:
        inputs: The input layer, an instance of a class in `lstm.inputs`.
        layers: The LSTM layers, the lowest first.
        output: The output layer, a softmax over the words.
    """

    def __init__(
        self, inputs: Any, layers: list[LstmLayer], output: Softmax | ClassSoftmax
    ) -> None:
        self.inputs = inputs
        self.layers = layers
        self.output = output

    def parameters(self) -> dict[str, Floats]:
        """Return all parameters of the network, keyed by their names in files."""
        parameters: dict[str, Floats] = self.inputs.parameters()
        for layer in self.layers:
            parameters |= layer.parameters()
        return parameters | self.output.parameters()

    def first_state(self, batch: int) -> Floats:
        """Return the initial state, h and c of each layer.

        Args:
            batch: The number of parallel streams.

        Returns:
            Zeros, float32[n_layers, 2, batch, size].
        """
        layer = self.layers[0]
        return np.zeros((len(self.layers), 2, batch, layer.size), layer.bias.dtype)

    def log_probabilities(
        self,
        words: Ints,
        targets: Ints,
        state: Floats,
        represent: Callable[[Ints], Floats] | None = None,
    ) -> NDArray[np.float64]:
        """Return log P of the targets: float64[n_steps * batch].

        Args:
            words: int32[n_steps, batch], the word before each target.
            targets: int32[n_steps, batch], the targets.
            state: float32[n_layers, 2, batch, size], the state before the first step,
                which is updated in place.
            represent: A function that takes distinct words, int32[n], and returns their
                vectors, float32[n, dim]. None means `inputs.forward`.
        """
        hidden = self.hidden(words, state, represent)
        return self.output.log_probabilities(hidden, targets.reshape(-1))

    def hidden(
        self,
        words: Ints,
        state: Floats,
        represent: Callable[[Ints], Floats] | None = None,
    ) -> Floats:
        """Return the output of the last LSTM layer: float32[n_steps * batch, size].

        See `log_probabilities` for the arguments.
        """
        return self._below_output(words, state, Dropout(None), represent)[0]

    def forward(
        self, words: Ints, targets: Ints, state: Floats, dropout: Dropout
    ) -> tuple[NDArray[np.float64], Any]:
        """Return log P of the targets, float64[n_steps * batch], and the trace.

        The cost is -sum log P.

        Args:
            words: int32[n_steps, batch], the word before each target.
            targets: int32[n_steps, batch], the targets.
            state: float32[n_layers, 2, batch, size], the state, which is updated in
                place.
            dropout: The dropout of the output of each LSTM layer, except in its
                recurrent connections (Kim et al. 2016, section Optimization).
        """
        flat, trace = self._below_output(words, state, dropout)
        log_p, output = self.output.forward(flat, targets.reshape(-1))
        return log_p, (trace, dropout, output)

    def _below_output(
        self,
        words: Ints,
        state: Floats,
        dropout: Dropout,
        represent: Callable[[Ints], Floats] | None = None,
    ) -> tuple[Floats, _Trace]:
        """Return the output of the last LSTM layer after dropout, and the trace.

        The output is float32[n_steps * batch, size].
        """
        different, place = np.unique(words, return_inverse=True)
        if represent:
            inputs, inputs_trace = represent(different), None
        else:
            inputs, inputs_trace = self.inputs.forward(different)
        gates = self.layers[0].projection.forward(inputs)[0][place.reshape(words.shape)]
        traces: list[_LayerTrace] = []
        for layer, layer_state, above in zip(
            self.layers, state, [*self.layers[1:], None], strict=True
        ):
            hidden, trace = layer.forward(gates, layer_state)
            # Dropout works in place, so it gets a copy.
            flat, mask = dropout.forward(hidden.reshape(-1, layer.size).copy())
            traces.append(_LayerTrace(trace, flat, mask))
            if above:
                gates = above.projection.forward(flat)[0].reshape(*words.shape, -1)
        return flat, _Trace(words.shape, different, place, inputs, inputs_trace, traces)

    def backward(self, trace: Any, gradients: Gradients) -> None:
        """Add the gradients of the cost, -sum log P, to `gradients`."""
        below, dropout, output = trace
        d_flat = self.output.backward(output, gradients)
        for k in reversed(range(len(self.layers))):
            layer, of_layer = self.layers[k], below.layers[k]
            d_flat = dropout.backward(d_flat, of_layer.mask)
            d_hidden = d_flat.reshape(*below.shape, -1)
            d_gates = layer.backward(d_hidden, of_layer.trace, gradients)
            d_gates = d_gates.reshape(len(d_flat), -1)
            if k:
                lower = below.layers[k - 1].hidden
                d_flat = layer.projection.backward(d_gates, lower, gradients)
        d_projected = np.zeros((len(below.different), d_gates.shape[1]), d_gates.dtype)
        add_to_rows(d_gates, below.place.reshape(-1).astype(np.int32), d_projected)
        first = self.layers[0].projection
        d_inputs = first.backward(d_projected, below.inputs, gradients)
        self.inputs.backward(d_inputs, below.inputs_trace, gradients)


class _LayerTrace(NamedTuple):
    """The trace of an LSTM layer, its output after dropout, and the dropout mask.

    The output is float32[n_steps * batch, size].
    """

    trace: Any
    hidden: Floats
    mask: NDArray[Any] | None


class _Trace(NamedTuple):
    """The trace of all layers below the output layer.

    Attributes:
        shape: The numbers of steps and of parallel streams.
        different: int32[n], the distinct words.
        place: int64[n_steps * batch], the index of each word in `different`.
        inputs: float32[n, dim], the vectors of the distinct words.
        inputs_trace: The trace of the input layer.
        layers: The traces of the LSTM layers.
    """

    shape: tuple[int, ...]
    different: Ints
    place: Ints
    inputs: Floats
    inputs_trace: Any
    layers: list[_LayerTrace]


def new_network(
    shape: LstmShape, lexicon: Lexicon, spread: float, rng: np.random.Generator
) -> LstmNetwork:
    """Return a network with random parameters, uniform in [-spread, spread].

    The vector of padding is 0. The gate biases of highway layers are lowered by 2, so
    that these layers initially pass their input on (Kim et al. 2016, section Highway
    Network).

    Args:
        shape: The shape of the network.
        lexicon: The vocabulary of the network.
        spread: The bound of the parameters.
        rng: The random generator.

    Raises:
        SennaError: If the network does not fit into memory.
    """
    arrays = {
        name: initial_uniform(rng, spread, *sizes)
        for name, sizes in shape.arrays(lexicon.sizes()).items()
    }
    if shape.input == "char":
        arrays["character_vectors"][PADDING] = 0
        if not shape.plain:
            for name in shape.between():
                arrays[f"{name}_bias"][shape.n_features :] += np.float32(_GATE_BIAS)
    return network_of(shape, lexicon, arrays)


def network_of(
    shape: LstmShape, lexicon: Lexicon, arrays: Mapping[str, Floats]
) -> LstmNetwork:
    """Return a network that uses `arrays` without copying them.

    Args:
        shape: The shape of the network.
        lexicon: The vocabulary of the network.
        arrays: The arrays by name.
    """
    layers = []
    for k in range(1, shape.layers + 1):
        name = f"lstm{k}"
        weight, recurrent = arrays[f"{name}_weight"], arrays[f"{name}_recurrent"]
        layers.append(LstmLayer(name, weight, recurrent, arrays[f"{name}_bias"]))
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    output: Softmax | ClassSoftmax
    if shape.output == "clusters":
        assert lexicon.cluster is not None, "a softmax over clusters needs clusters"
        output = ClassSoftmax(
            lexicon.cluster, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        output = Softmax(weight, bias)
    return LstmNetwork(_inputs(shape, lexicon, arrays), layers, output)


def _inputs(
    shape: LstmShape, lexicon: Lexicon, arrays: Mapping[str, Floats]
) -> WordInput | CharacterInput:
    if shape.input == "word":
        return WordInput(arrays["vectors"])
    if shape.input == "morph":
        morphemes = lexicon.morphemes
        assert morphemes is not None, "this input needs morphemes"
        return MorphemeInput(
            arrays["vectors"],
            arrays["morpheme_vectors"],
            morphemes.ids,
            morphemes.starts,
        )
    widths = range(1, shape.widths + 1)
    weights = [arrays[f"filter_weight.{width}"] for width in widths]
    biases = [arrays[f"filter_bias.{width}"] for width in widths]
    convolution = Convolution(arrays["character_vectors"], weights, biases)
    layer_class = Plain if shape.plain else Highway
    layers = [
        layer_class(name, arrays[f"{name}_weight"], arrays[f"{name}_bias"])
        for name in shape.between()
    ]
    assert lexicon.alphabet is not None, "this input needs characters"
    words = [*lexicon.words, *lexicon.more]
    return CharacterInput(lexicon.alphabet, words, convolution, layers)
