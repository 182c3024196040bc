"""The linear layer, and how weights begin."""

from functools import cached_property

from senna_py.layers.blocks import PackedLinear, apply_linear
from senna_py.layers.protocol import Array, Layer


def blas(x, weight, bias):
    """The product x @ weight + bias as BLAS makes it: its last bits depend on the
    number of rows.

    `blocks.apply_linear` is the slower one whose rows do not depend on their company.
    """
    out = x @ weight
    out += bias
    return out


class Linear(Layer):
    """out = bias + x @ weight (Collobert et al. 2011, equation 5).

    name: of its arrays in files; weight: float32[n_in, n_out]; bias: float32[n_out];
    product: makes the output of x and these two: `apply_linear`, for float32, whose
    rows do not depend on their company, as tagging needs, or `blas`, for any float;
    packed: the class that does so in use.
    """

    def __init__(self, name, weight, bias, product=apply_linear, packed=PackedLinear):
        self.name, self.weight, self.bias = name, weight, bias
        self._product, self._packed = product, packed

    @staticmethod
    def declare(name, n_in, n_out, group="", rounded=False):
        """Arrays of a layer of these sizes, see layers.protocol."""
        return [
            Array(f"{name}_weight", (n_in, n_out), "weights", group, rounded=rounded),
            Array(f"{name}_bias", (n_out,), "zeros", group, n_in),
        ]

    @cached_property
    def packed(self):
        """What makes the outputs in use: the arrays must not change after."""
        return self._packed(self.weight, self.bias)

    def outputs(self, x):
        """Outputs in use, whose rows do not depend on their company."""
        return self.packed(x)

    def parameters(self):
        return {f"{self.name}_weight": self.weight, f"{self.name}_bias": self.bias}

    def forward(self, x):
        """Outputs float32[n, n_out] of x: float32[n, n_in], and the trace: x."""
        return self._product(x, self.weight, self.bias), x

    def backward(self, d_out, x, gradients):
        gradients.add(f"{self.name}_weight", x.T @ d_out)
        gradients.add(f"{self.name}_bias", d_out.sum(axis=0))
        return d_out @ self.weight.T
