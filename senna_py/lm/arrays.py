"""Checked access to the arrays in the file of a language model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from senna_py.errors import SennaError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    _Shape: TypeAlias = Sequence[int | None]

# Weights may be stored in half precision.
FLOATS = (np.dtype(np.float32), np.dtype(np.float16))


def as_lines(names: Iterable[str]) -> NDArray[np.uint8]:
    """Return names as the bytes of a text with one name per line: uint8[n_bytes].

    No name may contain a newline.
    """
    text = "".join(f"{name}\n" for name in names)
    return np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)


class Arrays:
    """The arrays of a file by name, which are checked when a reader takes them.

    A reader takes every array that it knows, and then calls `check_all_taken`.
    """

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Wrap the arrays that `models.tensors.read_tensors` returns."""
        self._tensors = tensors
        self._taken: set[str] = set()

    def take(
        self, name: str, dtype: DTypeLike | tuple[np.dtype, ...], shape: _Shape
    ) -> NDArray[Any]:
        """Return an array after checking its dtype, its shape and its values.

        Args:
            name: The name of the array.
            dtype: The dtype of the array, or a tuple of allowed dtypes.
            shape: The size of each dimension, or None for any size.

        Raises:
            KeyError: If the array is missing.
            SennaError: If the array has another dtype or shape, or contains a number
                that is not finite.
        """
        array = self._tensors[name]
        self._taken.add(name)
        dtypes = dtype if isinstance(dtype, tuple) else (np.dtype(dtype),)
        fits = len(array.shape) == len(shape) and all(
            expected in (None, size)
            for expected, size in zip(shape, array.shape, strict=True)
        )
        if array.dtype not in dtypes or not fits:
            sizes = ", ".join("any" if size is None else str(size) for size in shape)
            raise SennaError(
                f"array {name!r}: {array.dtype}{list(array.shape)}, expected "
                f"{' or '.join(map(str, dtypes))}[{sizes}]"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise SennaError(f"array {name!r}: not all of its numbers are finite")
        return array

    def take_floats(
        self, shapes: Mapping[str, _Shape]
    ) -> dict[str, NDArray[np.float32]]:
        """Return float32 copies of arrays, keyed by name.

        The arrays may be stored as float32 or float16.

        Args:
            shapes: The shape of each array, keyed by name; see `take`.

        Raises:
            KeyError: If an array is missing.
            SennaError: If an array is not valid; see `take`.
        """
        taken = {name: self.take(name, FLOATS, shape) for name, shape in shapes.items()}
        return {name: np.array(array, np.float32) for name, array in taken.items()}

    def take_within(
        self, name: str, shape: _Shape, least: float, most: float
    ) -> NDArray[np.float32]:
        """Return a float32 array whose values must be within limits.

        Args:
            name: The name of the array.
            shape: The size of each dimension, or None for any size.
            least: The minimum value.
            most: The maximum value.

        Raises:
            KeyError: If the array is missing.
            SennaError: If the array has another dtype or shape, or contains a number
                that is out of range or not finite.
        """
        array = self.take(name, np.float32, shape)
        if array.size and not (array.min() >= least and array.max() <= most):
            bad = array.min() if array.min() < least else array.max()
            raise SennaError(
                f"array {name!r}: a number {bad:g}, expected {least:g} to {most:g}"
            )
        return array

    def take_lines(self, name: str) -> list[str]:
        """Return the names in an array that `as_lines` made.

        Args:
            name: The name of the array.

        Raises:
            KeyError: If the array is missing.
            SennaError: If the array is not valid.
        """
        text = self.take(name, np.uint8, (None,)).tobytes()
        *words, rest = text.decode("utf-8", "surrogateescape").split("\n")
        if rest:
            raise SennaError(f"{name}: the last line is cut off")
        return words

    def check_all_taken(self) -> None:
        """Check that all arrays of the file were taken.

        Raises:
            SennaError: If an array was not taken.
        """
        if more := sorted(self._tensors.keys() - self._taken):
            raise SennaError(f"array {more[0]!r}: no such model has one")
