"""Inputs, outputs and progress: what every command reads and writes through."""
