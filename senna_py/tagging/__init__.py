"""Training of taggers (Collobert et al. 2011, sections 3, 5 and 6; Appendix A)."""
