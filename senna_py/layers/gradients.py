"""What the networks share in training: dropout, gradients, and the backward pass of layers."""

from dataclasses import dataclass, field

import numpy as np

from senna_py.kernels.lookup import add_windows

__all__ = ["Dropout", "Gradients", "window_rows"]


@dataclass
class Dropout:
    """Random units set to zero in training, the others scaled up (Srivastava et al. 2014).

    rng: numpy.random.Generator; embedding, hidden: the shares of units dropped of what comes from
    the lookup tables, and of hidden layers.
    """

    rng: "np.random.Generator"  # whose module is not imported for tagging
    embedding: float = 0.0
    hidden: float = 0.0

    def mask(self, shape, rate):
        """Factors float32[shape], 0 or 1 / (1 - rate); None if nothing is dropped."""
        if rate == 0:
            return None
        kept = self.rng.random(shape, np.float32) >= np.float32(rate)
        return kept * np.float32(1 / (1 - rate))

    def apply(self, x, rate):
        """Multiply x by a mask, in place; returns the mask or None."""
        mask = self.mask(x.shape, rate)
        if mask is not None:
            x *= mask
        return mask


@dataclass
class Gradients:
    """Gradients of a cost, summed over a batch.

    layers: by the name of the network's field, an array of its shape; tables: for each lookup
    table a pair of int32[n] rows, with repetitions, and float32[n, dim]; None if it is fixed.
    """

    layers: dict[str, np.ndarray] = field(default_factory=dict)
    tables: list = field(default_factory=list)

    def add_linear(self, names, x, d_out, weight):
        """Gradients of a linear layer out = bias + x @ weight; returns that of x.

        names: of the fields of its weight and bias, the latter None if there is none; x:
        float32[n, n_in]; d_out: float32[n, n_out].
        """
        weight_name, bias_name = names
        self.layers[weight_name] = x.T @ d_out
        if bias_name is not None:
            self.layers[bias_name] = d_out.sum(axis=0)
        return d_out @ weight.T

    def add_convolution(self, names, x, first, d_out, weight, d_x):
        """Gradients of a linear layer on windows of rows of x; adds that of x to d_x."""
        windows = window_rows(x, first, len(weight) // x.shape[1])
        add_windows(self.add_linear(names, windows, d_out, weight), first, d_x)

    def add_tables(self, tables, fixed, index, d_x):
        """Gradients of lookup tables whose rows `index` are concatenated in x.

        fixed: set of the numbers of the tables that stay as they are; index: int32[n, n_tables];
        d_x: float32[n, sum of dims].
        """
        column = 0
        for f, table in enumerate(tables):
            end = column + table.shape[1]
            part = None
            if f not in fixed:
                rows = np.ascontiguousarray(index[:, f])
                part = rows, np.ascontiguousarray(d_x[:, column:end])
            self.tables.append(part)
            column = end


def window_rows(x, first, window):
    """Windows of consecutive rows of x, a copy: float32[n, window * dim]; first: int32[n]."""
    return x[first[:, None] + np.arange(window, dtype=np.int32)].reshape(len(first), -1)
