"""Twins of kernels of `kernels.bfloat16`: words are float32, and BLAS adds in another order."""

import numpy as np

__all__ = ["linear_of_words", "pack_weight", "round_rows"]


def _rounded(array):
    """Round float32 to bfloat16, as `kernels.bfloat16._rounded` does."""
    bits = array.view(np.uint32)
    found = bits >> np.uint32(16)
    found &= np.uint32(1)
    found += np.uint32(0x7FFF)
    found += bits
    found &= np.uint32(0xFFFF0000)
    exponent = bits & np.uint32(0x7F800000)
    if exponent.max(initial=0) == 0x7F800000:
        no_number = np.isnan(array)
        found[no_number] = bits[no_number] & np.uint32(0xFFFF0000) | np.uint32(0x400000)
    tiny = found & np.uint32(0x7F800000) == 0
    found[tiny] &= np.uint32(0x80000000)
    return found


def round_rows(x, way):
    """See `kernels.bfloat16.round_rows`."""
    return _rounded(x)


def pack_weight(weight, dim, way):
    """See `kernels.bfloat16.pack_weight`: BLAS makes its own panels."""
    return _rounded(weight)


def linear_of_words(x, n, panels, bias, way, sums, out):
    """See `kernels.bfloat16.linear_of_words`."""
    np.matmul(x.view(np.float32), panels.view(np.float32), out=out)
    out += bias
