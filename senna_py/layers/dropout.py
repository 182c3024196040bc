"""Dropout (Srivastava et al. 2014)."""

__all__ = ["Dropout"]


class Dropout:
    """y = m x / (1 - share), with m = 0 for a share of the units at random, else 1; in training.

    It has no parameters.
    """

    def __init__(self, rng, share=0.0):
        """Take a numpy.random.Generator, or None where nothing is dropped, and the share."""
        self._rng, self._share = rng, share

    def parameters(self):
        """None."""
        return {}

    def forward(self, x):
        """Change x: float32[n, width] in place; returns it and the factors, or None for 1."""
        if not self._share:
            return x, None
        kept = self._rng.random(x.shape, "float32") >= x.dtype.type(self._share)
        factors = kept * x.dtype.type(1 / (1 - self._share))
        x *= factors
        return x, factors

    def backward(self, d_out, factors, gradients=None):
        """Change d_out in place to d(cost)/d(x), which is returned."""
        if factors is not None:
            d_out *= factors
        return d_out
