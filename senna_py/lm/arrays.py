"""Arrays of a language model's file, checked as they are taken out of it."""

import numpy as np

from senna_py.errors import SennaError

FLOATS = (
    np.dtype(np.float32),
    np.dtype(np.float16),
)  # of weights, which may be kept as halves


def as_lines(names):
    """Words, a list of str without newlines, as an array, one on each line:
    uint8[n].
    """
    text = "".join(f"{name}\n" for name in names)
    return np.frombuffer(text.encode("utf-8", "surrogateescape"), np.uint8)


class Arrays:
    """The arrays of a file by name, of which each must be taken."""

    def __init__(self, tensors):
        """tensors: a dict of arrays, as `models.tensors.read_tensors` gives it."""
        self._tensors, self._taken = tensors, set()

    def take(self, name, dtype, shape):
        """The array `name`; raises KeyError if it is missing, SennaError if it is
        another.

        dtype: its type, or a tuple of those that it may have; shape: sizes, None for
        any. Floats must be finite.
        """
        array = self._tensors[name]
        self._taken.add(name)
        dtypes = dtype if isinstance(dtype, tuple) else (np.dtype(dtype),)
        fits = len(array.shape) == len(shape) and all(
            size in (None, found)
            for size, found in zip(shape, array.shape, strict=True)
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

    def take_floats(self, shapes):
        """Copies of arrays of weights, float32, by their names; shapes: by name, as of
        `take`.
        """
        taken = {name: self.take(name, FLOATS, shape) for name, shape in shapes.items()}
        return {name: np.array(array, np.float32) for name, array in taken.items()}

    def take_within(self, name, shape, least, most):
        """A float32 array whose numbers are from `least` to `most`; see `take`."""
        array = self.take(name, np.float32, shape)
        if array.size and not (array.min() >= least and array.max() <= most):
            bad = array.min() if array.min() < least else array.max()
            raise SennaError(
                f"array {name!r}: a number {bad:g}, expected {least:g} to {most:g}"
            )
        return array

    def take_lines(self, name):
        """The words that `as_lines` made an array of: a list of str; see `take`."""
        text = self.take(name, np.uint8, (None,)).tobytes()
        *words, rest = text.decode("utf-8", "surrogateescape").split("\n")
        if rest:
            raise SennaError(f"{name}: the last one is cut off")
        return words

    def check_all_taken(self):
        """Raise SennaError if there is an array that no such model has."""
        if more := sorted(self._tensors.keys() - self._taken):
            raise SennaError(f"array {more[0]!r}: no such model has one")
