"""Kernels that decode scores: best paths, likelihoods, marginals, charts and trees."""
