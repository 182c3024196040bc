"""Dropout (Srivastava et al. 2014)."""

__all__ = ["Dropout"]


class Dropout:
    """y = m x / (1 - share), with m = 0 for a share of the units at random, else 1; in training.

    It has no parameters.
    """

    def __init__(self, rng, share=0.0):
        """rng: a numpy.random.Generator, or None if share is 0; share: of the units, below 1."""
        self._rng, self._share = rng, share

    def parameters(self):
        """An empty dict."""
        return {}

    def forward(self, x):
        """Drop units of x: float32[n, width] in place; returns x and the factors, or None for 1."""
        if not self._share:
            return x, None
        kept = self._rng.random(x.shape, "float32") >= x.dtype.type(self._share)
        factors = kept * x.dtype.type(1 / (1 - self._share))
        x *= factors
        return x, factors

    def backward(self, d_out, factors, gradients=None):
        """d(cost)/d(x), which is written over d_out: float32[n, width]."""
        if factors is not None:
            d_out *= factors
        return d_out
