"""Functions on arrays that Numba compiles, with NumPy fallbacks."""
