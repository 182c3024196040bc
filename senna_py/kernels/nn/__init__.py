"""Kernels for the forward and backward passes of layers."""
