"""Layers: parameters, forward and backward, of taggers and language models alike."""
