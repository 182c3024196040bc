"""Twins of the kernels beside them, which run without Numba."""
