"""New networks, and networks out of the arrays of a file."""

import numpy as np

from senna_py.layers.class_softmax import ClassSoftmax, initial_class_softmax
from senna_py.layers.declarations import initial_uniform
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.softmax import Softmax, initial_softmax, log_shares
from senna_py.lm.nplm.energy import EnergyNetwork
from senna_py.lm.nplm.network import NplmNetwork

_VECTOR_SPREAD, _OUTPUT_SPREAD, _ENERGY_SPREAD = 0.1, 0.01, 0.3
# Of an energy network whose words share one v: with less, training stays at the frequencies.
_SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD = 0.5, 1.0


def new_network(shape, counts, rng, word_class=None, group=ALONE):
    """A network with random weights and vectors, and biases that give the words' frequencies.

    shape: NplmShape; counts: int64[n_words], of the training text; word_class: int32[n_words], for
    `classes`; group: of processes, all of which get the same numbers from `rng`.
    """
    n_words, frequency = len(counts), counts + 0.5  # for words that do not occur
    vectors, energy = _VECTOR_SPREAD, _ENERGY_SPREAD
    if shape.output == "energy" and not shape.own_weights:
        vectors, energy = _SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD
    hidden = 1 / np.sqrt(max(shape.n_inputs, 1))
    arrays = {
        "vectors": initial_uniform(rng, vectors, n_words + 1, shape.dim),
        "hidden_weight": initial_uniform(rng, hidden, shape.n_inputs, shape.hidden),
        "hidden_bias": np.zeros(shape.hidden, np.float32),
    }
    if shape.output == "energy":
        own = n_words if shape.own_weights else 1
        return network_of(shape, arrays | {
            "target_weight": initial_uniform(rng, 1 / np.sqrt(shape.dim), shape.dim, shape.hidden),
            "energy_weight": initial_uniform(rng, energy, own, shape.hidden),
            "output_bias": log_shares(frequency).astype(np.float32),
        })  # fmt: skip
    given = shape.n_features, frequency
    if shape.output == "classes":
        made = initial_class_softmax(rng, _OUTPUT_SPREAD, word_class, *given)
        output = ClassSoftmax(word_class, *made)
    else:
        output = Softmax(*initial_softmax(rng, _OUTPUT_SPREAD, n_words, *given))
    return network_of(shape, arrays | output.parameters(), word_class, group)


def network_of(shape, arrays, word_class=None, group=ALONE):
    """The network of an NplmShape with the given arrays by name, which are not copied.

    group: of several processes: keep a copy of this one's block of the output units (softmax).
    """
    if shape.output == "energy":
        return EnergyNetwork(
            *(arrays[name] for name in ("vectors", "hidden_weight", "target_weight", "hidden_bias",
                                        "energy_weight", "output_bias"))
        )  # fmt: skip
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    if shape.output == "classes":
        output = ClassSoftmax(
            word_class, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        first, n = block_of(group.rank, group.size, len(bias))
        if group.size > 1:  # a view would keep all of the matrix in each process
            weight, bias = (array[first : first + n].copy() for array in (weight, bias))
        output = Softmax(weight, bias, first, group)
    return NplmNetwork(
        arrays["vectors"], arrays["hidden_weight"], arrays["hidden_bias"], shape.direct, output
    )
