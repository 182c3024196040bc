"""Rows of vectors with 8 bits a number: a quarter of their size in float32."""

from dataclasses import dataclass

import numpy as np

from senna_py.errors import SennaError

__all__ = ["ByteRows"]

_LARGEST = 127  # of the numbers of a row, but of one that is zero
_SCALES = 512  # between two powers of two there are half as many
_MOST_SCALE = np.finfo(np.float32).max / 128  # its products with any int8 are finite


@dataclass(frozen=True, eq=False)
class ByteRows:
    """Rows float32[n, dim], held as numbers: int8[n, dim] times scales: float32[n]."""

    numbers: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, rows):
        """Round rows: float32[n, dim] or float16, which are finite, to the nearest ByteRows.

        The scale of a row is its largest absolute value / 127, rounded to nine significant bits.
        So a product with a number of seven bits is exact, and rounding such rows again changes
        nothing; nor does it if they were stored as float16 in between (unless they are as small
        as float16 holds with less precision, below 6e-5).
        """
        rows = np.asarray(rows, np.float32)
        largest = np.abs(rows).max(axis=1, initial=0)
        fraction, exponent = np.frexp(largest / np.float32(_LARGEST))
        scales = np.ldexp(np.rint(fraction * _SCALES) / _SCALES, exponent).astype(np.float32)
        scales[scales < np.finfo(np.float32).tiny] = 0  # what has fewer bits: rows of zeros
        divisors = np.where(scales == 0, np.float32(1), scales)
        return cls(np.rint(rows / divisors[:, None]).astype(np.int8), scales)

    def checked(self):
        """The same, which came from a file; raises SennaError, without the file's name."""
        numbers, scales = self.numbers, self.scales
        if scales.dtype != np.float32 or scales.shape != numbers.shape[:1]:
            raise SennaError(
                f"{scales.dtype}{list(scales.shape)}, for int8{list(numbers.shape)}: expected a "
                "float32 for each row"
            )
        if not ((scales >= 0) & (scales <= _MOST_SCALE)).all():
            raise SennaError("a number that is negative, too large or not finite")
        return self

    @property
    def shape(self):
        """Number of rows, and dim."""
        return self.numbers.shape

    def __getitem__(self, which):
        """Some of the rows: ByteRows."""
        return ByteRows(self.numbers[which], self.scales[which])

    def differs(self, other):
        """Which rows are not those of other ByteRows of this shape: bool[n]."""
        return (self.numbers != other.numbers).any(axis=1) | (self.scales != other.scales)

    def dense(self):
        """All rows: float32[n, dim]."""
        return self.numbers * self.scales[:, None]
