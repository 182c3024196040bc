"""Kernels for language models, word vectors and Brown clusters."""
