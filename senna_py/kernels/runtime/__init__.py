"""The cold start: tagging the first text of a process before compiled kernels are ready.

See docs/develop/jit-and-fallback.md.
"""
