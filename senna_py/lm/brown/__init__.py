"""Hierarchical word clusters (Brown et al. 1992)."""
