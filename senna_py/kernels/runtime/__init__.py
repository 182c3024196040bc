"""The cold start: tagging the first text of a process before compiled kernels are ready.

See docs/cold-start.md.
"""
