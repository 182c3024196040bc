"""NumPy fallbacks of the kernels beside them, which run without Numba."""
