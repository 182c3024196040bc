"""Corpora larger than one machine: inputs cut into parts, each tagged once, wherever it
is done.
"""
