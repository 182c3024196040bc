"""Rounding to bfloat16 by its definition, a number at a time."""

import struct

import numpy as np


def nearest(number):
    """The bfloat16 nearest to a float32, of two the one whose last bit is 0, as a float32.

    Numbers that are then below the smallest normal one are 0: products of bfloat16 take them so.
    """
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    if np.isnan(number):
        return np.float32(np.nan)
    below, rest = divmod(bits, 1 << 16)
    if rest > 1 << 15 or (rest == 1 << 15 and below % 2):
        below += 1  # of the largest number, this makes infinity
    if below & 0x7F80 == 0:
        below &= 0x8000
    return np.float32(struct.unpack("<f", struct.pack("<I", below << 16))[0])


def rounded(array):
    """The same for each number of an array: float32 of its shape."""
    flat = np.array([nearest(number) for number in np.float32(array).ravel()], np.float32)
    return flat.reshape(np.shape(array))
