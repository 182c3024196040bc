"""Fallbacks of kernels of `llvm.bfloat16_words`: words are float32."""

import numpy as np

from senna_py.kernels.llvm.bfloat16_tile import STEP

__all__ = ["pack_weight", "round_rows"]

_PIECE = 1 << 14  # numbers rounded at once, in the nearest cache


def _round_piece(bits, found):
    """Round bits of float32 to those of bfloat16: uint32[n] both."""
    np.right_shift(bits, np.uint32(16), out=found)
    found &= np.uint32(1)
    found += np.uint32(0x7FFF)
    found += bits
    found &= np.uint32(0xFFFF0000)
    size = bits & np.uint32(0x7FFFFFFF)
    if size.max() > 0x7F800000:
        no_number = size > 0x7F800000
        found[no_number] = bits[no_number] & np.uint32(0xFFFF0000) | np.uint32(0x400000)
    if size.min() < 0x800000:
        tiny = found & np.uint32(0x7F800000) == 0
        found[tiny] &= np.uint32(0x80000000)


def _rounded(array):
    """Round float32 to bfloat16, as `bfloat16_rounding` does: uint32 of that shape."""
    bits = array.view(np.uint32).ravel()
    found = np.empty(len(bits), np.uint32)
    for begin in range(0, len(bits), _PIECE):
        _round_piece(bits[begin : begin + _PIECE], found[begin : begin + _PIECE])
    return found.reshape(array.shape)


def _filled(x, own):
    """Columns of x: float32[n, dim], with zeros behind them, up to `own`."""
    return np.pad(x, ((0, 0), (0, own - x.shape[1])))


def round_rows(x, way):
    """See `kernels.llvm.bfloat16_words.round_rows`: uint32[n, dim in whole steps]."""
    return _rounded(_filled(x, -(-x.shape[1] // STEP) * STEP))


def pack_weight(weight, bias, dim, way):
    """See `kernels.llvm.bfloat16_words.pack_weight`.

    Returns float32[n_halves, STEP / 2, n_out], the weights of half steps, with bias and way; there
    is no scratch.
    """
    n_out = weight.shape[1]
    rows = _filled(weight.reshape(-1, dim * n_out), -(-dim // STEP) * STEP * n_out)
    return _rounded(rows).view(np.float32).reshape(-1, STEP // 2, n_out), bias, way, None
