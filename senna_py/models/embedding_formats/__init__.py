"""Formats of word vectors, one module each."""
