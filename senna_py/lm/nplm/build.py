"""Construction of networks, with random weights or from stored arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from senna_py.layers.class_softmax import ClassSoftmax
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.protocol import initial_uniform
from senna_py.layers.softmax import Softmax
from senna_py.lm.nplm.energy import EnergyNetwork
from senna_py.lm.nplm.network import NplmNetwork

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from senna_py.lm.nplm.settings import NplmShape

_VECTOR_SPREAD, _OUTPUT_SPREAD, _ENERGY_SPREAD = 0.1, 0.01, 0.3
# The initial ranges for an energy network whose words share one v. With smaller ranges,
# the network learns little more than the frequencies of words.
_SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD = 0.5, 1.0


def new_network(
    shape: NplmShape,
    counts: NDArray[np.int64],
    rng: np.random.Generator,
    word_class: NDArray[np.int32] | None = None,
    group: Any = ALONE,
) -> NplmNetwork | EnergyNetwork:
    """Return a network with random weights and word vectors.

    The output biases are initialized to the log frequencies of words (or of classes,
    and of words within their classes).

    Args:
        shape: The shape of the network.
        counts: int64[n_words], the counts of words in the training text.
        rng: The random generator, which must draw the same numbers in all processes of
            a group.
        word_class: int32[n_words], the class of each word, for a softmax over classes.
        group: The group of processes over which the output units are split.

    Raises:
        SennaError: If the network does not fit into memory.
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
    arrays = {}
    for name, sizes in shape.arrays(len(counts), n_classes).items():
        if name in spread:
            arrays[name] = initial_uniform(rng, spread[name], *sizes)
        else:
            arrays[name] = np.zeros(sizes, np.float32)
    frequency = counts + 0.5  # so that no frequency is 0
    share = np.log(frequency / frequency.sum())
    arrays["output_bias"][:] = share
    if word_class is not None:
        of_class = np.bincount(word_class, frequency)
        arrays["class_bias"][:] = np.log(of_class / of_class.sum())
        within = share - arrays["class_bias"][word_class]
        arrays["output_bias"][:] = within[np.argsort(word_class, kind="stable")]
    return network_of(shape, arrays, word_class, group)


def network_of(
    shape: NplmShape,
    arrays: Mapping[str, NDArray[np.float32]],
    word_class: NDArray[np.int32] | None = None,
    group: Any = ALONE,
) -> NplmNetwork | EnergyNetwork:
    """Return a network with the parameters in `arrays`.

    The arrays are not copied, except that each process of a group copies its block of
    the output units.

    Args:
        shape: The shape of the network.
        arrays: The arrays by name.
        word_class: int32[n_words], the class of each word, for a softmax over classes.
        group: The group of processes over which the units of a full softmax are split.
    """
    if shape.output == "energy":
        return EnergyNetwork(arrays)
    weight, bias = arrays["output_weight"], arrays["output_bias"]
    output: ClassSoftmax | Softmax
    if shape.output == "classes":
        assert word_class is not None, "a softmax over classes needs the words' classes"
        output = ClassSoftmax(
            word_class, arrays["class_weight"], arrays["class_bias"], weight, bias
        )
    else:
        first, n = block_of(group.rank, group.size, len(bias))
        if group.size > 1:  # a view would keep the whole matrix in each process
            weight, bias = (array[first : first + n].copy() for array in (weight, bias))
        output = Softmax(weight, bias, first, group)
    return NplmNetwork(
        arrays["vectors"],
        arrays["hidden_weight"],
        arrays["hidden_bias"],
        shape.direct,
        output,
    )
