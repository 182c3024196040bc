"""Compiled loops over arrays: no classes, no input or output, nothing allocated for a
caller.
"""
