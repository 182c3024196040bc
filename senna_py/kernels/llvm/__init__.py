"""Kernels written in LLVM's terms: products in tiles, sums and maxima of rows, bfloat16, AMX."""
