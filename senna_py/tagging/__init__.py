"""Training and scoring of taggers.

See Collobert et al. 2011, sections 3, 5 and 6, and Appendix A.
"""
