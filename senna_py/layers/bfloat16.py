"""Layers whose inputs and weights are rounded to bfloat16, for tagging with large networks.

Rounding is the same on every processor and whichever way kernels run. What is left to differ are
sums of float32, in their last bits. See `kernels.llvm.bfloat16`.
"""

import ctypes
import functools
import platform
import sys

import numpy as np

from senna_py.kernels.llvm.bfloat16 import (
    MATRICES,
    NUMBERS,
    PAIRS,
    ROOM,
    STEP,
    compiled_ways,
    linear_of_words,
    pack_weight,
    round_rows,
)
from senna_py.kernels.runtime.jit import plain_way, runs_plain
from senna_py.layers.blocks import aligned

__all__ = ["RoundedLinear", "RoundedWeight", "compiled_ways_here"]

# Linux on x86-64: the system call arch_prctl, and asking for AMX's tile data.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


@functools.cache
def _may_use_matrices():
    """Whether Linux gave this process, and those it forks, the room that matrix tiles need."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    try:
        system = ctypes.CDLL(None).syscall
    except (AttributeError, OSError):
        return False
    arguments = (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA)
    return system(*(ctypes.c_long(number) for number in arguments)) == 0


@functools.cache
def compiled_ways_here():
    """The ways of `kernels.llvm.bfloat16` that compiled kernels have here, the fastest last."""
    with plain_way(False):
        pairs, fast, matrices = compiled_ways()
    ways = [NUMBERS, PAIRS] if fast else [PAIRS, NUMBERS]
    if not pairs:
        ways.remove(PAIRS)
    return [*ways, MATRICES] if matrices and _may_use_matrices() else ways


def _best_way():
    return NUMBERS if runs_plain() else compiled_ways_here()[-1]


class RoundedWeight:
    """A weight and its bias, rounded and laid out once for many batches of rows.

    For one thread, which made it: it has scratch, and is laid out as that thread's kernels run.
    """

    def __init__(self, weight, bias, size=1):
        """weight: float32[size * dim, n_out]; bias: float32[n_out], which is not rounded."""
        self.way, self.bias = _best_way(), bias
        self.panels = pack_weight(np.ascontiguousarray(weight), len(weight) // size, self.way)
        self.sums = aligned(ROOM, -(-len(bias) // STEP) * STEP)

    def words(self, x):
        """Inputs as kernels take them, of x: float32[n, dim]."""
        return round_rows(np.ascontiguousarray(x), self.way)


class RoundedLinear:
    """The linear layer of rounded inputs and weights."""

    def __init__(self, weight, bias):
        """weight: float32[n_in, n_out]; bias: float32[n_out]."""
        self._weight = RoundedWeight(weight, bias)

    def __call__(self, x):
        """Outputs float32[n, n_out] of x: float32[n, n_in]."""
        own, out = self._weight, aligned(len(x), len(self._weight.bias))
        linear_of_words(own.words(x), len(x), own.panels, own.bias, own.way, own.sums, out)
        return out
