"""Twins of kernels in NumPy and plain Python: what short texts are tagged with.

A twin has the name and the parameters of a kernel and fills the same arrays, but needs nothing
compiled. See `kernels.cold_start.jit.Kernel`.
"""
