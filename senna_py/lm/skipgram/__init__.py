"""Word vectors from the structured skip-gram model (Ling et al. 2015)."""
