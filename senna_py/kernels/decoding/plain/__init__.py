"""NumPy fallbacks for the kernels of the parent package, which run without Numba."""
