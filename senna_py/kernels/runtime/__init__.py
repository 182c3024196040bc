"""Tagging before compiled kernels are ready, see docs/develop/jit-and-fallback.md."""
