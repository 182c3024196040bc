"""Layers after the convolution over characters: highway or plain (Kim et al. 2016, 7
and 8).
"""

import numpy as np

from senna_py.layers.linear import Linear, blas
from senna_py.layers.protocol import Layer


class _Above(Layer):
    """A linear layer and what follows it.

    name: of its arrays in files; weight: float32[dim, n], transposed; bias: float32[n].
    """

    def __init__(self, name, weight, bias):
        self._linear = Linear(name, weight, bias, blas)

    def parameters(self):
        return self._linear.parameters()


class Highway(_Above):
    """z = t relu(W_H y + b_H) + (1 - t) y, with t = sigmoid(W_T y + b_T).

    weight: float32[dim, 2 * dim], W_H and W_T side by side, transposed; bias: float32[2
    * dim].
    """

    def forward(self, y):
        """z of y: float32[n, dim], and what `backward` needs."""
        both, _ = self._linear.forward(y)
        dim = y.shape[1]
        made = np.maximum(both[:, :dim], 0)
        gate = np.tanh(both[:, dim:] / 2) / 2 + both.dtype.type(0.5)
        return y + gate * (made - y), (y, made, gate)

    def backward(self, d_z, kept, gradients):
        y, made, gate = kept
        d_made = d_z * gate
        d_both = np.concatenate(
            [d_made * (made > 0), d_z * (made - y) * gate * (1 - gate)], 1
        )
        return d_z - d_made + self._linear.backward(d_both, y, gradients)


class Plain(_Above):
    """z = relu(W y + b): the layer of a multilayer perceptron that Table 7 compares
    with.

    weight: float32[dim, dim], W transposed; bias: float32[dim].
    """

    def forward(self, y):
        """z of y: float32[n, dim], and what `backward` needs."""
        z = np.maximum(self._linear.forward(y)[0], 0)
        return z, (y, z)

    def backward(self, d_z, kept, gradients):
        y, z = kept
        return self._linear.backward(d_z * (z > 0), y, gradients)
