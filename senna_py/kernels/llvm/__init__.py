"""Kernels written in LLVM's terms: products in tiles, bfloat16, AMX."""
