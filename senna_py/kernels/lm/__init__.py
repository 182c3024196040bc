"""Kernels of language models, word vectors and clusters."""
