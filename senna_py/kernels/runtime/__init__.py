"""The runtime of kernels: compilation, the cache of machine code, and NumPy fallbacks.

docs/develop/jit-and-fallback.md explains how text is tagged before compiled kernels are
ready.
"""
