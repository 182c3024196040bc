"""The runtime of kernels: compiled code, its cache, and NumPy fallbacks.

docs/develop/jit-and-fallback.md explains how text is tagged before compiled kernels are
ready.
"""
