"""Arrays of NumPy's format `.npy`, of which no more is read than the file has."""

import math
from io import BufferedIOBase
from typing import Any

import numpy as np

_LONGEST_HEADER = 10_000
_MOST_DIMENSIONS, _LARGEST = 8, 1 << 48
_PIECE = 1 << 24  # bytes that are read at a time


def read_npy(file: BufferedIOBase, size: int) -> np.ndarray:
    """The array in a file of `size` bytes, open at its start; raises as `read_npy_header` does."""
    dtype, shape, order = read_npy_header(file, size)
    data = bytearray(math.prod(shape) * dtype.itemsize)
    for begin in range(0, len(data), _PIECE):
        wanted = memoryview(data)[begin : begin + _PIECE]
        if file.readinto(wanted) < len(wanted):
            raise EOFError("the file ends in an array")
    return np.ndarray(shape, dtype, data, order=order)


def read_npy_header(file: BufferedIOBase, size: int) -> tuple[np.dtype, tuple[int, ...], Any]:
    """Dtype, shape and order, `C` or `F`, of the array in an open file of `size` bytes.

    The file is left where the numbers begin. Raises ValueError, or what NumPy raises, unless it has
    just as many bytes as they need: so nothing is allocated that the file only speaks of.
    """
    version = np.lib.format.read_magic(file)
    formats = np.lib.format
    readers = {(1, 0): formats.read_array_header_1_0, (2, 0): formats.read_array_header_2_0}
    if version not in readers:
        raise ValueError(f"version {version} of npy")
    try:
        shape, turned, dtype = readers[version](file, _LONGEST_HEADER)
    except OSError:
        raise
    except Exception as error:  # Python's parser and tokenizer, too, raise what is their own
        raise ValueError(f"header: {error}") from None
    if dtype.hasobject or len(shape) > _MOST_DIMENSIONS:
        raise ValueError("objects, or too many dimensions")
    if not all(0 <= n < _LARGEST for n in shape):
        raise ValueError(f"shape {shape}")
    if math.prod(shape) * dtype.itemsize != size - file.tell():
        raise ValueError(f"{size} bytes for {dtype}{list(shape)}")
    return dtype, shape, "F" if turned else "C"
