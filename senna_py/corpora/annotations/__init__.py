"""Readers of the files that annotation tools export: texts with labeled spans."""
