"""Twins of kernels of `llvm.bfloat16`: words are float32, and BLAS adds in another order."""

import numpy as np

__all__ = ["linear_of_words"]


def _processor_has():
    """None of these: BLAS multiplies float32."""
    return False, False, False


def linear_of_words(x, n, weight, out):
    panels, bias, _, _ = weight
    np.matmul(x.view(np.float32), panels.view(np.float32), out=out)
    out += bias
