"""Discrete features of tokens for networks (Collobert et al. 2011, section 3.2.1)."""
