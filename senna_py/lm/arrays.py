"""Arrays of a language model's file, which are checked when they are taken from it."""

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
    """Return words without newlines as an array, one per line: uint8[n]."""
    text = "".join(f"{name}\n" for name in names)
    return np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)


class Arrays:
    """The arrays of a file by name, all of which must be taken."""

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Hold the arrays that `models.tensors.read_tensors` returns."""
        self._tensors = tensors
        self._taken: set[str] = set()

    def take(
        self, name: str, dtype: DTypeLike | tuple[np.dtype, ...], shape: _Shape
    ) -> NDArray[Any]:
        """Return an array after it has been checked; floats must be finite.

        Args:
            name: The name of the array.
            dtype: Its dtype, or the dtypes that it may have.
            shape: Its sizes, None for any size.

        Raises:
            KeyError: If the array is missing.
            SennaError: If it has another dtype or shape, or is not finite.
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
        """Return copies of arrays of weights as float32, by name.

        Args:
            shapes: The shape of each array, as for `take`.
        """
        taken = {name: self.take(name, FLOATS, shape) for name, shape in shapes.items()}
        return {name: np.array(array, np.float32) for name, array in taken.items()}

    def take_within(
        self, name: str, shape: _Shape, least: float, most: float
    ) -> NDArray[np.float32]:
        """Return a float32 array with numbers from `least` to `most`; see `take`."""
        array = self.take(name, np.float32, shape)
        if array.size and not (array.min() >= least and array.max() <= most):
            bad = array.min() if array.min() < least else array.max()
            raise SennaError(
                f"array {name!r}: a number {bad:g}, expected {least:g} to {most:g}"
            )
        return array

    def take_lines(self, name: str) -> list[str]:
        """Return the words of an array that `as_lines` made; see `take`."""
        text = self.take(name, np.uint8, (None,)).tobytes()
        *words, rest = text.decode("utf-8", "surrogateescape").split("\n")
        if rest:
            raise SennaError(f"{name}: the last line is cut off")
        return words

    def check_all_taken(self) -> None:
        """Check that all arrays have been taken.

        Raises:
            SennaError: If there is another one, which no such model has.
        """
        if more := sorted(self._tensors.keys() - self._taken):
            raise SennaError(f"array {more[0]!r}: no such model has one")
