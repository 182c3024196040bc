"""Compiled loops over arrays, without classes, input or output."""
