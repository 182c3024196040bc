"""Elementwise layers without parameters: HardTanh, tanh, the rectifier and dropout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.nn.linear import hardtanh
from senna_py.layers.protocol import Layer

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from senna_py.layers.gradients import Gradients


class _Activation(Layer):
    """An elementwise layer whose trace is the derivative dy/dx of each element."""

    def backward(
        self, d_out: NDArray, slope: NDArray, gradients: Gradients | None = None
    ) -> NDArray:
        """Return d(cost)/d(x) as a new array: float[n, m].

        Args:
            d_out: float[n, m], d(cost)/d(y).
            slope: float[n, m], the trace of `forward`.
            gradients: Not used, because there are no parameters.
        """
        return d_out * slope


class HardTanh(_Activation):
    """HardTanh: y = min(max(x, -1), 1) (Collobert et al. 2011, equation 7)."""

    def outputs(self, x: NDArray) -> NDArray:
        hardtanh(x)
        return x

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray]:
        """Apply HardTanh to x, float32[n, m], in place.

        Returns:
            x, and the trace, which is the derivative: float32[n, m], 0 or 1.
        """
        hardtanh(x)
        return x, (np.abs(x) < 1).astype(np.float32)


class Tanh(_Activation):
    """The hyperbolic tangent: y = tanh(x)."""

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray]:
        """Return the outputs for x, float[n, m], and the trace.

        The trace is the derivative 1 - y^2, which has the shape of x.
        """
        y = np.tanh(x)
        return y, 1 - y * y


class Rectifier(_Activation):
    """The rectifier: y = max(x, 0)."""

    def outputs(self, x: NDArray) -> NDArray:
        # np.maximum takes 3 times as long on processors with AVX2.
        return np.clip(x, 0, np.inf, out=x)

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray]:
        """Return the outputs for x, float[n, m], and the trace.

        The trace is bool[n, m], which is true where the derivative is 1.
        """
        y = np.maximum(x, 0)
        return y, y > 0


class Dropout(Layer):
    """Dropout (Srivastava et al. 2014): sets random units to zero in training.

    y = m x / (1 - share), where m is 0 with probability `share` and 1 otherwise. The
    layer has no parameters.
    """

    def __init__(self, rng: Generator | None, share: float = 0.0) -> None:
        """Create the layer.

        Args:
            rng: The random number generator. If it is None, nothing is dropped.
            share: The probability that a unit is dropped, in [0, 1).
        """
        self._rng, self._share = rng, share

    def forward(self, x: NDArray) -> tuple[NDArray, NDArray | None]:
        """Drop units of x, float32[n, width], in place.

        Returns:
            x, and the trace: float32[n, width], the factor of each unit, or None if
            nothing is dropped.
        """
        if not self._share or self._rng is None:
            return x, None
        is_active = self._rng.random(x.shape, "float32") >= x.dtype.type(self._share)
        factors = is_active * x.dtype.type(1 / (1 - self._share))
        x *= factors
        return x, factors

    def backward(
        self,
        d_out: NDArray,
        factors: NDArray | None,
        gradients: Gradients | None = None,
    ) -> NDArray:
        """Return d(cost)/d(x), which overwrites d_out: float32[n, width].

        Args:
            d_out: float32[n, width], d(cost)/d(y).
            factors: The trace of `forward`.
            gradients: Not used, because there are no parameters.
        """
        if factors is not None:
            d_out *= factors
        return d_out
