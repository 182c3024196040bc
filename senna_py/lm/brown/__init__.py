"""Brown clusters (Brown et al. 1992)."""
