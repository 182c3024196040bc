"""Networks as compositions of layers: those of Collobert et al. (2011), and one of this
project.
"""
