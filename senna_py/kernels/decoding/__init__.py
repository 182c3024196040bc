"""Kernels over scores: best paths, likelihoods, charts, levels of trees."""
