"""Readers of corpora, and the layouts of their columns."""
