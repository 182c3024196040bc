"""The base class of layers, and the declaration and initialization of their arrays."""

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

    A layer is a cheap object that refers to arrays of a network or a file, without
    copying them. The inputs of `forward` after x and the contents of the trace depend
    on the layer. Most layers of taggers have a function `declare`, which returns an
    Array for each parameter, in the order of initialization.
    """

    def parameters(self) -> dict[str, NDArray]:
        """Return the trained arrays, keyed by their names in files.

        Training changes them in place.
        """
        return {}

    def forward(self, x: Any, *inputs: Any) -> tuple[Any, Any]:
        """Return the output in training and the trace that `backward` needs."""
        raise NotImplementedError

    def outputs(self, x: Any, *inputs: Any) -> Any:
        """Return the output at inference, which may overwrite x."""
        return self.forward(x, *inputs)[0]

    def backward(self, d_out: Any, trace: Any, gradients: Gradients) -> Any:
        """Return d(cost)/d(x), and collect the gradients of the parameters.

        Args:
            d_out: d(cost)/d(output).
            trace: The trace of `forward`.
            gradients: The object that collects the gradients.
        """
        raise NotImplementedError


class Array(NamedTuple):
    """The declaration of an array of a layer.

    Attributes:
        name: The name of the array in files.
        shape: The size of each axis, as an expression of named sizes; see `size_of`.
        begin: The initialization: `weights` (uniform with the variance 1 / fan-in),
            `near` (uniform in [-0.5, 0.5)), `zeros` or `ones`.
        group: The group of the array. A network has all arrays of a group or none of
            them, and always has the arrays of the group "".
        fan_in: The number of inputs of a unit, as an expression of named sizes. Plain
            SGD of taggers divides learning rates by it. If it is empty, the fan-in is
            the number of rows for `weights`, and 1 for other arrays.
        begin_in: The fan-in for the initialization, if it differs from `fan_in`.
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
        """Return the fan-in, which is the number of inputs of a unit.

        Args:
            sizes: The sizes by name.
        """
        text = self.fan_in
        if not text and self.begin == "weights":
            text = self.shape[0]
        return size_of(text, sizes) if text else 1


def size_of(text: str, sizes: Mapping[str, int]) -> int:
    """Evaluate an expression of sizes, such as `window*input+window*dim`.

    Args:
        text: The expression, a sum of products of names.
        sizes: The sizes by name.
    """
    products = (product.split("*") for product in text.split("+"))
    return sum(math.prod(sizes[name] for name in names) for names in products)


def shape_of(array: Array, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of an array.

    Args:
        array: The declaration of the array.
        sizes: The sizes by name.
    """
    return tuple(size_of(text, sizes) for text in array.shape)


def first_values(array: Array, sizes: Mapping[str, int], rng: Generator) -> NDArray:
    """Return a new float32 array with the initialization that `array.begin` names.

    Args:
        array: The declaration of the array.
        sizes: The sizes by name.
        rng: The random number generator.

    Raises:
        SennaError: If a random array does not fit into memory.
    """
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

    The estimate for training is 8 bytes for each number, for the array and its gradient
    in float32, and 4 more bytes for each number of the largest array, whose random
    numbers are drawn in double precision. Without this check, the system may overcommit
    memory, and kill the process later. There must be at least one shape.
    """
    ordered = sorted(shapes, key=math.prod)
    numbers = 2 * sum(map(math.prod, ordered)) + math.prod(ordered[-1])
    sizes = " x ".join(f"{size:,}" for size in ordered[-1])
    check_memory(f"a network with an array of {sizes}", _NUMBER * numbers)


def initial_uniform(rng: Generator, spread: float, *shape: int) -> NDArray:
    """Return a float32 array of uniform random numbers in [-spread, spread).

    Args:
        rng: The random number generator.
        spread: The bound of the numbers.
        *shape: The shape of the array.

    Raises:
        SennaError: If the array does not fit into memory.
    """
    check_new([shape])
    return rng.uniform(-spread, spread, shape).astype(np.float32)


def initial_weight(rng: Generator, fan_in: int, *shape: int) -> NDArray:
    """Return a float32 array of uniform random numbers with the variance 1 / fan_in.

    This is the initialization of Collobert et al. (2011), Remark 7.

    Args:
        rng: The random number generator.
        fan_in: The number of inputs of a unit.
        *shape: The shape of the array.

    Raises:
        SennaError: If the array does not fit into memory.
    """
    return initial_uniform(rng, np.sqrt(3 / fan_in), *shape)
