"""Kernels over the bytes of text: tokens, word forms, lists of keys, columns."""
