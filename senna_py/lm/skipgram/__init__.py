"""Structured skip-gram (Ling et al. 2015): word vectors from neighboring words."""
