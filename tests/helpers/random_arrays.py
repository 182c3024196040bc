"""Arrays of random numbers for kernels and layers."""

import numpy as np

__all__ = ["integers", "normal"]


def normal(rng, *shape):
    """float32 of a normal distribution."""
    return rng.standard_normal(shape).astype(np.float32)


def integers(rng, *shape, most=9):
    """Whole numbers of -most to most as float32: small ones have exact sums of
    products.
    """
    return rng.integers(-most, most + 1, shape).astype(np.float32)
