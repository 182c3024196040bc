"""NumPy fallbacks of the kernels in the parent package, which run without Numba."""
