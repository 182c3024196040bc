"""Kernels in LLVM's terms: products in tiles and in 8 bits, sums and maxima of rows."""
