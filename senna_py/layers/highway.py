"""Layers after the convolution over characters: highway or plain (Kim et al. 2016, 7 and 8)."""

import numpy as np

__all__ = ["Highway", "Plain"]


def _linear(x, weight, bias):
    out = x @ weight
    out += bias
    return out


class _Layer:
    """Arrays of a layer.

    name: of its arrays in files; weight: float32[dim, n], transposed; bias: float32[n]; linear:
    makes x @ weight + bias of these three.
    """

    def __init__(self, name, weight, bias, linear=_linear):
        """Take the arrays, which training changes in place."""
        self.name, self.weight, self.bias, self._linear = name, weight, bias, linear

    def parameters(self):
        """Arrays by their names in files."""
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}


class Highway(_Layer):
    """z = t relu(W_H y + b_H) + (1 - t) y, with t = sigmoid(W_T y + b_T).

    weight: float32[dim, 2 * dim], W_H and W_T side by side, transposed; bias: float32[2 * dim].
    """

    def forward(self, y):
        """z of y: float32[n, dim], and what `backward` needs."""
        both = self._linear(y, self.weight, self.bias)
        dim = y.shape[1]
        made = np.maximum(both[:, :dim], 0)
        gate = np.tanh(both[:, dim:] / 2) / 2 + both.dtype.type(0.5)
        return y + gate * (made - y), (y, made, gate)

    def backward(self, d_z, kept, gradients):
        """d(cost)/d(y) of d(cost)/d(z); gives `gradients` those of the parameters."""
        y, made, gate = kept
        d_made = d_z * gate
        d_both = np.concatenate([d_made * (made > 0), d_z * (made - y) * gate * (1 - gate)], 1)
        gradients.add(f"{self.name}_weight", y.T @ d_both)
        gradients.add(f"{self.name}_bias", d_both.sum(0))
        return d_z - d_made + d_both @ self.weight.T


class Plain(_Layer):
    """z = relu(W y + b): the layer of a multilayer perceptron that Table 7 compares with.

    weight: float32[dim, dim], W transposed; bias: float32[dim].
    """

    def forward(self, y):
        """z of y: float32[n, dim], and what `backward` needs."""
        z = np.maximum(self._linear(y, self.weight, self.bias), 0)
        return z, (y, z)

    def backward(self, d_z, kept, gradients):
        """d(cost)/d(y) of d(cost)/d(z); gives `gradients` those of the parameters."""
        y, z = kept
        d_z = d_z * (z > 0)
        gradients.add(f"{self.name}_weight", y.T @ d_z)
        gradients.add(f"{self.name}_bias", d_z.sum(0))
        return d_z @ self.weight.T
