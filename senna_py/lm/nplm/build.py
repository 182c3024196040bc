"""New networks, and networks out of the arrays of a file."""

import numpy as np

from senna_py.layers.class_softmax import ClassSoftmax
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.protocol import initial_uniform
from senna_py.layers.softmax import Softmax
from senna_py.lm.nplm.energy import EnergyNetwork
from senna_py.lm.nplm.network import NplmNetwork

_VECTOR_SPREAD, _OUTPUT_SPREAD, _ENERGY_SPREAD = 0.1, 0.01, 0.3
# Of an energy network whose words share one v: with less, training stays at the
# frequencies.
_SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD = 0.5, 1.0


def new_network(shape, counts, rng, word_class=None, group=ALONE):
    """A network with random weights and vectors, and biases that give the words'
    frequencies.

    shape: NplmShape; counts: int64[n_words], of the training text; word_class:
    int32[n_words], for `classes`; group: of processes, all of which get the same
    numbers from `rng`.
    """
    vectors, energy = _VECTOR_SPREAD, _ENERGY_SPREAD
    if shape.output == "energy" and not shape.own_weights:
        vectors, energy = _SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD
    spread = {
        "vectors": vectors,
        "hidden_weight": 1 / np.sqrt(max(shape.n_inputs, 1)),
        "target_weight": 1 / np.sqrt(shape.dim),
        "energy_weight": energy,
        "output_weight": _OUTPUT_SPREAD,
        "class_weight": _OUTPUT_SPREAD,
    }
    n_classes = 0 if word_class is None else int(word_class.max()) + 1
    arrays = {
        name: initial_uniform(rng, spread[name], *sizes)
        if name in spread
        else np.zeros(sizes, np.float32)
        for name, sizes in shape.arrays(len(counts), n_classes).items()
    }
    frequency = counts + 0.5  # for words that do not occur
    share = np.log(frequency / frequency.sum())
    arrays["output_bias"][:] = share
    if word_class is not None:
        of_class = np.bincount(word_class, frequency)
        arrays["class_bias"][:] = np.log(of_class / of_class.sum())
        within = share - arrays["class_bias"][word_class]
        arrays["output_bias"][:] = within[np.argsort(word_class, kind="stable")]
    return network_of(shape, arrays, word_class, group)


def network_of(shape, arrays, word_class=None, group=ALONE):
    """The network of an NplmShape with the given arrays by name, which are not copied.

    group: of several processes: keep a copy of this one's block of the output units
    (softmax).
    """
    if shape.output == "energy":
        return EnergyNetwork(arrays)
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
        arrays["vectors"],
        arrays["hidden_weight"],
        arrays["hidden_bias"],
        shape.direct,
        output,
    )
