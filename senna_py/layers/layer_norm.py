"""Layer normalization (Ba et al. 2016)."""

import numpy as np

from senna_py.kernels.nn.layer_norm import normalize, normalize_backward, normalize_rows
from senna_py.layers.protocol import Array, Layer


class LayerNorm(Layer):
    """y = gain * (x - mean of x) / sqrt(variance of x + 1e-5) + shift, row by row.

    name: of its arrays in files; gain, shift: float32[dim]. Fan-in: 1.
    """

    def __init__(self, name, gain, shift):
        self.name, self.gain, self.shift = name, gain, shift

    @staticmethod
    def declare(name, dim):
        """Arrays of a layer of this size, see layers.protocol."""
        return [
            Array(f"{name}_gain", (dim,), "ones"),
            Array(f"{name}_shift", (dim,), "zeros"),
        ]

    def parameters(self):
        return {f"{self.name}_gain": self.gain, f"{self.name}_shift": self.shift}

    def forward(self, x):
        """Outputs float32[n, dim] of x: float32[n, dim], and the trace."""
        out, normal, scale = (
            np.empty_like(x),
            np.empty_like(x),
            np.empty(len(x), x.dtype),
        )
        normalize(x, self.gain, self.shift, out, normal, scale)
        return out, (normal, scale)

    def outputs(self, x):
        out = np.empty_like(x)
        normalize_rows(x, self.gain, self.shift, out)
        return out

    def backward(self, d_out, trace, gradients):
        found = [np.zeros_like(a) for a in (d_out, self.gain, self.shift)]
        normalize_backward(d_out, *trace, self.gain, *found)
        gradients.add(f"{self.name}_gain", found[1])
        gradients.add(f"{self.name}_shift", found[2])
        return found[0]
