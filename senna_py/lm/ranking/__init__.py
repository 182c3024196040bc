"""The ranking language model (Collobert et al. 2011, section 4)."""
