"""Kernels of layers, forward and backward."""
