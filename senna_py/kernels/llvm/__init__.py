"""LLVM instructions for kernels: tiles of products, 8-bit products, and reductions."""
