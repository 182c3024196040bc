"""Tagging of large corpora: inputs are cut into parts, which workers tag."""
