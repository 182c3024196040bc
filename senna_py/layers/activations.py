"""Elementwise functions without parameters: HardTanh, tanh and the rectifier."""

import numpy as np

from senna_py.kernels.nn.linear import hardtanh

__all__ = ["HardTanh", "Rectifier", "Tanh"]


class _Activation:
    def parameters(self):
        """An empty dict."""
        return {}

    def backward(self, d_out, slope, gradients=None):
        """d(cost)/d(x), a new array."""
        return d_out * slope


class HardTanh(_Activation):
    """y = min(max(x, -1), 1) (Collobert et al. 2011, equation 7)."""

    def forward(self, x):
        """Apply it to x: float32[n, m] in place; returns x and the trace: the slope, 0 or 1."""
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

    def forward(self, x):
        """Outputs of x: float[n, m], and the trace: the slope, a bool."""
        y = np.maximum(x, 0)
        return y, y > 0
