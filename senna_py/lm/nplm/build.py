"""New networks, and networks out of the arrays of a file."""

from dataclasses import dataclass

import numpy as np

from senna_py.layers.class_softmax import ClassSoftmax
from senna_py.layers.process_group import ALONE, block_of
from senna_py.layers.softmax import Softmax
from senna_py.lm.nplm.energy import EnergyNetwork
from senna_py.lm.nplm.network import Network

__all__ = ["OUTPUTS", "Shape", "network_of", "new_network"]

OUTPUTS = ("softmax", "classes", "energy")
_VECTOR_SPREAD, _OUTPUT_SPREAD, _ENERGY_SPREAD = 0.1, 0.01, 0.3
# Of an energy network whose words share one v: with less, training stays at the frequencies.
_SHARED_VECTOR_SPREAD, _SHARED_ENERGY_SPREAD = 0.5, 1.0


@dataclass(frozen=True)
class Shape:
    """What a network is made of.

    order: n; dim: m; hidden: h; direct: connections from x to the output units; output: one of
    OUTPUTS; own_weights: whether each word has its own v (energy).
    """

    order: int = 5
    dim: int = 30
    hidden: int = 50
    direct: bool = False
    output: str = "softmax"
    own_weights: bool = False

    @property
    def n_features(self):
        """Features that an output unit sees."""
        return self.hidden + self.direct * self.n_inputs

    @property
    def n_inputs(self):
        """Length of x, the context's vectors side by side."""
        return (self.order - 1) * self.dim

    def arrays(self, n_words, n_classes=0):
        """Shapes of the arrays of a network, by name."""
        shapes = {
            "vectors": (n_words + 1, self.dim),
            "hidden_weight": (self.n_inputs, self.hidden),
            "hidden_bias": (self.hidden,),
            "output_bias": (n_words,),
        }
        if self.output == "energy":
            own = n_words if self.own_weights else 1
            return shapes | {"target_weight": (self.dim, self.hidden),
                             "energy_weight": (own, self.hidden)}  # fmt: skip
        shapes["output_weight"] = (n_words, self.n_features)
        if self.output == "classes":
            shapes |= {"class_weight": (n_classes, self.n_features), "class_bias": (n_classes,)}
        return shapes


def new_network(shape, counts, rng, word_class=None, group=ALONE):
    """A network with random weights and vectors, and biases that give the words' frequencies.

    shape: Shape; counts: int64[n_words], of the training text; word_class: int32[n_words], for
    `classes`; group: of processes, all of which get the same numbers from `rng`.
    """
    n_classes = 0 if word_class is None else int(word_class.max()) + 1
    spread = {
        "vectors": _VECTOR_SPREAD, "output_weight": _OUTPUT_SPREAD, "class_weight": _OUTPUT_SPREAD,
        "energy_weight": _ENERGY_SPREAD,
        "hidden_weight": 1 / np.sqrt(max(shape.n_inputs, 1)),
        "target_weight": 1 / np.sqrt(shape.dim),
    }  # fmt: skip
    if shape.output == "energy" and not shape.own_weights:
        spread |= {"vectors": _SHARED_VECTOR_SPREAD, "energy_weight": _SHARED_ENERGY_SPREAD}
    arrays = {}
    for name, size in shape.arrays(len(counts), n_classes).items():
        limit = spread.get(name, 0)
        arrays[name] = rng.uniform(-limit, limit, size).astype(np.float32)
    frequency = (counts + 0.5).astype(np.float64)
    by_word = np.log(frequency / frequency.sum())
    if shape.output == "classes":
        mass = np.bincount(word_class, frequency)
        arrays["class_bias"][:] = np.log(mass / mass.sum())
        by_word -= arrays["class_bias"][word_class]
        by_word = by_word[np.argsort(word_class, kind="stable")]
    arrays["output_bias"][:] = by_word
    return network_of(shape, arrays, word_class, group)


def network_of(shape, arrays, word_class=None, group=ALONE):
    """The network of a Shape with the given arrays by name, which are not copied.

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
    return Network(
        arrays["vectors"], arrays["hidden_weight"], arrays["hidden_bias"], shape.direct, output
    )
