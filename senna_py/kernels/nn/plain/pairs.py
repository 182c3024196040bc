"""Fallback of the kernel of `kernels.nn.pairs` that tagging uses."""

from senna_py.kernels.nn.plain.multiply_add import multiply_add

__all__ = ["pair_units"]


def pair_units(firsts, seconds, table, i, j, k, out):
    n = out.shape[1]
    first, second = firsts[i], seconds[j]
    linear = first[:, :n] + second[:, :n] + table[k]
    out[:] = multiply_add(first[:, n:], second[:, n:], linear)
