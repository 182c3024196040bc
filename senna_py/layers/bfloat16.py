"""Layers whose inputs and weights are rounded to bfloat16, for tagging with large networks.

Rounding and sums are the same on every processor and whichever way kernels run. See
`kernels.llvm.bfloat16`.
"""

from senna_py.kernels.llvm.bfloat16 import linear_of_words, pack, words_of_rows
from senna_py.layers.blocks import aligned

__all__ = ["RoundedWeight"]


class RoundedWeight:
    """A weight and its bias, rounded and laid out once for many batches of rows.

    Called, it is the linear layer. For one thread, which made it: it has scratch, and is laid out
    as that thread's kernels run.
    """

    def __init__(self, weight, bias, size=1):
        """weight: float32[size * dim, n_out]; bias: float32[n_out], which is not rounded."""
        self.arrays = pack(weight, bias, len(weight) // size)  # as kernels take them
        self._n_out = len(bias)

    def words(self, x):
        """Inputs as kernels take them, of x: float32[n, dim]."""
        return words_of_rows(x, self.arrays)

    def __call__(self, x):
        """Outputs float32[n, n_out] of x: float32[n, dim], for a weight of size 1."""
        out = aligned(len(x), self._n_out)
        linear_of_words(self.words(x), len(x), self.arrays, out)
        return out
