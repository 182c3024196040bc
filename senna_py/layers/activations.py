"""Elementwise functions without parameters: HardTanh, tanh, the rectifier and
dropout.
"""

import numpy as np

from senna_py.kernels.nn.linear import hardtanh
from senna_py.layers.protocol import Layer


class _Activation(Layer):
    def backward(self, d_out, slope, gradients=None):
        """d(cost)/d(x), a new array."""
        return d_out * slope


class HardTanh(_Activation):
    """y = min(max(x, -1), 1) (Collobert et al. 2011, equation 7)."""

    def outputs(self, x):
        hardtanh(x)
        return x

    def forward(self, x):
        """Apply it to x: float32[n, m] in place; returns x and the trace: the slope, 0
        or 1.
        """
        hardtanh(x)
        return x, (np.abs(x) < 1).astype(np.float32)


class Tanh(_Activation):
    """y = tanh(x)."""

    def forward(self, x):
        """Outputs of x: float[n, m], and the trace: the slope 1 - y^2."""
        y = np.tanh(x)
        return y, 1 - y * y


class Rectifier(_Activation):
    """y = max(x, 0)."""

    def outputs(self, x):
        return np.clip(
            x, 0, np.inf, out=x
        )  # with AVX2, np.maximum takes 3 times as long

    def forward(self, x):
        """Outputs of x: float[n, m], and the trace: the slope, a bool."""
        y = np.maximum(x, 0)
        return y, y > 0


class Dropout(Layer):
    """y = m x / (1 - share), with m = 0 with probability `share`, else 1; in training.

    Srivastava et al. (2014). It has no parameters.
    """

    def __init__(self, rng, share=0.0):
        """rng: a numpy.random.Generator, or None if share is 0; share: of the units,
        below 1.
        """
        self._rng, self._share = rng, share

    def forward(self, x):
        """Drop units of x: float32[n, width] in place; returns x and the factors, or
        None for 1.
        """
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
