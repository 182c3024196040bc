"""The base class of layers, and the declaration of their arrays."""

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

_NUMBER = 4  # the bytes of a float32


class Layer:
    """A function of arrays, with a forward and a backward pass.

    A layer holds arrays that belong to a network or a file, without copying them, and
    is made when it is needed. The inputs of `forward` after x, and the contents of the
    trace, depend on the layer. A layer of taggers has a function `declare`, which
    returns an Array for each parameter in the order in which they are initialized.
    """

    def parameters(self) -> dict[str, NDArray]:
        """Return arrays by their names in files, which training changes in place."""
        return {}

    def forward(self, x: Any, *inputs: Any) -> tuple[Any, Any]:
        """Return the output, and the trace that `backward` needs."""
        raise NotImplementedError

    def outputs(self, x: Any, *inputs: Any) -> Any:
        """Return the output at inference, which may overwrite x."""
        return self.forward(x, *inputs)[0]

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """Return d(cost)/d(x), and collect the gradients of the parameters.

        Args:
            d_out: d(cost)/d(output).
            trace: The trace of `forward`.
            gradients: The Gradients to which those of the parameters are added.
        """
        raise NotImplementedError


class Array(NamedTuple):
    """The declaration of an array of a layer.

    Attributes:
        name: The name in files.
        shape: The sizes by name; see `size_of`.
        begin: How it is initialized: `weights`, uniform with the variance 1 / fan_in;
            `near`, uniform in +- 0.5; `zeros`; or `ones`.
        group: Either all arrays of a group exist or none of them. Those of the group ""
            always exist.
        fan_in: The number of inputs of a unit, as a size. Plain SGD of taggers divides
            rates by it. By default it is the number of rows for weights, and 1 for
            others.
        begin_in: The number of inputs for the initialization, if it is another one.
        rounded: Whether the array is rounded to 8 bits at inference and in files; see
            `layers.int8`.
    """

    name: str
    shape: tuple[str, ...]
    begin: str = "weights"
    group: str = ""
    fan_in: str = ""
    begin_in: str = ""
    rounded: bool = False

    def inputs(self, sizes: Mapping[str, int]) -> int:
        """Return the number of inputs of a unit, given sizes by name."""
        text = self.fan_in
        if not text and self.begin == "weights":
            text = self.shape[0]
        return size_of(text, sizes) if text else 1


def size_of(text: str, sizes: Mapping[str, int]) -> int:
    """Evaluate a size such as `window*input+window*dim`, given sizes by name."""
    products = (product.split("*") for product in text.split("+"))
    return sum(math.prod(sizes[name] for name in names) for names in products)


def shape_of(array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of an Array."""
    return tuple(size_of(text, sizes) for text in array.shape)


def first_values(array: Array, sizes: Mapping[str, int], rng: Generator) -> NDArray:
    """Initialize an Array: float32."""
    shape = shape_of(array, sizes)
    if array.begin == "weights":
        inputs = array.inputs(sizes)
        if array.begin_in:
            inputs = size_of(array.begin_in, sizes)
        return initial_weight(rng, inputs, *shape)
    if array.begin == "near":
        return initial_uniform(rng, 0.5, *shape)
    if array.begin == "ones":
        return np.ones(shape, np.float32)
    return np.zeros(shape, np.float32)


def check_new(shapes: Iterable[tuple[int, ...]]) -> None:
    """Raise SennaError if new arrays of these shapes do not fit into memory.

    This checks the least that training takes: each array has a gradient, and one is
    drawn in double precision. Otherwise the system might grant memory that does not
    exist, and end the process when it is filled.
    """
    ordered = sorted(shapes, key=math.prod)
    numbers = 2 * sum(map(math.prod, ordered)) + math.prod(ordered[-1])
    sizes = " x ".join(f"{size:,}" for size in ordered[-1])
    check_memory(f"a network with an array of {sizes}", _NUMBER * numbers)


def initial_uniform(rng: Generator, spread: float, *shape: int) -> NDArray:
    """Return a uniform float32 array in +- spread.

    Raises:
        SennaError: If it does not fit into memory.
    """
    check_new([shape])
    return rng.uniform(-spread, spread, shape).astype(np.float32)


def initial_weight(rng: Generator, fan_in: int, *shape: int) -> NDArray:
    """Return a uniform float32 array with the variance 1 / fan_in.

    The source is Collobert et al. (2011), Remark 7.
    """
    return initial_uniform(rng, np.sqrt(3 / fan_in), *shape)
