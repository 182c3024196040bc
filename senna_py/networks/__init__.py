"""The networks of Collobert et al. (2011), as compositions of kernels."""
