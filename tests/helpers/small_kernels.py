"""Two kernels that compile fast, one of which calls the other."""

from senna_py.kernels.runtime.jit import kernel


@kernel
def total(x):
    """Sum of the numbers of an array."""
    out = 0.0
    for k in range(len(x)):
        out += x[k]
    return out


@kernel
def mean(x):
    """Their mean."""
    return total(x) / len(x)
