"""Kernels of layers, for the forward and the backward pass."""
