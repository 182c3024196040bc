"""The cold start: how the first text of a process is tagged before kernels are ready."""
