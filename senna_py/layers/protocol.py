"""What a layer is: a forward and a backward pass; and what it declares of its
arrays.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from senna_py.io.system import check_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.random import Generator
    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients

_NUMBER = 4  # bytes


class Layer:
    """A function of arrays, with what training changes of it.

    Layers hold arrays that belong to others (a network, a file), no copies, and are
    made when they are needed. What `forward` gets besides x, and what stands in the
    trace, differ among them. Those of taggers say by `declare` how their parameters
    begin and how many inputs their units have, see `Array`, in the order in which they
    are drawn.
    """

    def parameters(self) -> dict[str, NDArray]:
        """Arrays by their names in files, none by default; training changes them in
        place.
        """
        return {}

    def forward(self, x: Any, *given: Any) -> tuple[Any, Any]:
        """The output, and the trace that `backward` needs."""
        raise NotImplementedError

    def outputs(self, x: Any, *given: Any) -> Any:
        """The output alone, in use; it may be written over x."""
        return self.forward(x, *given)[0]

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """d(cost)/d(x) of d(cost)/d(output); gives `gradients` those of the
        parameters.
        """
        raise NotImplementedError


class Array(NamedTuple):
    """An array of a layer, before there is any.

    name: in files; shape: sizes by name, see `size_of`; begin: `weights`, uniform with
    the variance 1 / fan_in, `near`, uniform in +- 0.5, `zeros` or `ones`; group: all
    arrays of a group are there or none is, those of the group "" always; fan_in: inputs
    of a unit, a size, by which plain SGD of taggers divides its rates; by default the
    rows of weights, and 1 of others; begin_in: those by which the unit begins, where
    they are others; rounded: whether it is in 8 bits in use, and in files, see
    layers.int8.
    """

    name: str
    shape: tuple[str, ...]
    begin: str = "weights"
    group: str = ""
    fan_in: str = ""
    begin_in: str = ""
    rounded: bool = False

    def inputs(self, sizes: Mapping[str, int]) -> int:
        """Inputs of a unit, an int; sizes: int by name."""
        of_weights = self.shape[0] if self.begin == "weights" else ""
        text = self.fan_in or of_weights
        return size_of(text, sizes) if text else 1


def size_of(text: str, sizes: Mapping[str, int]) -> int:
    """Evaluate a size such as `window*input+window*dim`; sizes: int by name."""
    products = (product.split("*") for product in text.split("+"))
    return sum(math.prod(sizes[name] for name in names) for names in products)


def shape_of(array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of an Array."""
    return tuple(size_of(text, sizes) for text in array.shape)


def first_values(array: Array, sizes: Mapping[str, int], rng: Generator) -> NDArray:
    """Make an Array as it begins: float32."""
    shape = shape_of(array, sizes)
    if array.begin == "weights":
        inputs = (
            size_of(array.begin_in, sizes) if array.begin_in else array.inputs(sizes)
        )
        return initial_weight(rng, inputs, *shape)
    if array.begin == "near":
        return initial_uniform(rng, 0.5, *shape)
    return (np.ones if array.begin == "ones" else np.zeros)(shape, np.float32)


def check_new(shapes: Iterable[tuple[int, ...]]) -> None:
    """Raise SennaError if new arrays of these shapes are more than memory holds.

    In training each has a gradient, and one is drawn in double precision: this is the
    least they take. Without it the system may grant what is not there, and end the
    process as it is filled.
    """
    ordered = sorted(shapes, key=math.prod)
    numbers = 2 * sum(map(math.prod, ordered)) + math.prod(ordered[-1])
    sizes = " x ".join(f"{size:,}" for size in ordered[-1])
    check_memory(f"a network with an array of {sizes}", _NUMBER * numbers)


def initial_uniform(rng: Generator, spread: float, *shape: int) -> NDArray:
    """Uniform float32[shape] in +- spread; raises SennaError for more than memory
    holds.
    """
    check_new([shape])
    return rng.uniform(-spread, spread, shape).astype(np.float32)


def initial_weight(rng: Generator, fan_in: int, *shape: int) -> NDArray:
    """Uniform float32[shape] with the variance 1 / fan_in (Collobert et al. 2011,
    Remark 7).
    """
    return initial_uniform(rng, np.sqrt(3 / fan_in), *shape)
