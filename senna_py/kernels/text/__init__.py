"""Kernels on the bytes of text: tokens, sentences, word forms, keys and columns."""
