"""Steps of SGD, AdaGrad and Adam on whole arrays and on rows of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.runtime.jit import reordering_kernel

if TYPE_CHECKING:
    from senna_py.kernels.arrays import Floats, Ints


@reordering_kernel
def sum_rows(
    index: Ints, gradient: Floats, total: Floats, row_of: Ints, rows: Ints
) -> int:
    """Add up the gradients of table rows that occur several times in a batch.

    Args:
        index: int32[n], the table row of each gradient.
        gradient: float32[n, dim].
        total: float32[n, dim], which receives the sums.
        row_of: int32[n_keys], scratch that is -1 everywhere before and after.
        rows: int32[n], which receives the distinct indices.

    Returns:
        The number k of distinct indices. The sum for table row `rows[i]` is `total[i]`,
        for i < k.
    """
    count = 0
    for i in range(len(index)):
        place = row_of[index[i]]
        if place < 0:
            place = count
            row_of[index[i]] = place
            rows[place] = index[i]
            total[place] = gradient[i]
            count += 1
        else:
            into, row = total[place], gradient[i]
            for d in range(len(row)):
                into[d] += row[d]
    for i in range(count):
        row_of[rows[i]] = -1
    return count


@reordering_kernel
def sgd(x: Floats, gradient: Floats, rate: float) -> None:
    """Take an SGD step, x -= rate * gradient, on float32[n].

    See Collobert et al. (2011), section 3.4.3.
    """
    for i in range(len(x)):
        x[i] -= rate * gradient[i]


@reordering_kernel
def adagrad(x: Floats, gradient: Floats, square: Floats, rate: float) -> None:
    """Take an AdaGrad step (Duchi et al. 2011).

    Args:
        x: The parameters; all arrays are float32[n].
        gradient: The gradient.
        square: The running sum of the squared gradients, which is updated.
        rate: The learning rate, float32.
    """
    for i in range(len(x)):
        square[i] += gradient[i] * gradient[i]
        x[i] -= rate * gradient[i] / (np.sqrt(square[i]) + np.float32(1e-6))


@reordering_kernel
def adam(
    x: Floats, gradient: Floats, mean: Floats, square: Floats, rate: float
) -> None:
    """Take an Adam step (Kingma and Ba 2015); `rate` includes the bias corrections.

    Args:
        x: The parameters; all arrays are float32[n].
        gradient: The gradient.
        mean, square: The running means of the gradient and of its square, which are
            updated.
        rate: The learning rate, float32.
    """
    for i in range(len(x)):
        mean[i] += np.float32(0.1) * (gradient[i] - mean[i])
        square[i] += np.float32(0.001) * (gradient[i] * gradient[i] - square[i])
        x[i] -= rate * mean[i] / (np.sqrt(square[i]) + np.float32(1e-8))


@reordering_kernel
def sgd_rows(x: Floats, rows: Ints, gradient: Floats, rate: float) -> None:
    """Take an SGD step on some rows of a table.

    Args:
        x: float32[n_keys, dim].
        rows: int32[k], distinct row indices.
        gradient: float32[k, dim].
        rate: The learning rate, float32.
    """
    for i in range(len(rows)):
        sgd(x[rows[i]], gradient[i], rate)


@reordering_kernel
def adagrad_rows(
    x: Floats, rows: Ints, gradient: Floats, square: Floats, rate: float
) -> None:
    """Take an AdaGrad step on some rows of a table.

    Args:
        x: float32[n_keys, dim].
        rows: int32[k], distinct row indices.
        gradient: float32[k, dim].
        square: float32[n_keys, dim], the running sum of the squared gradients, which is
            updated.
        rate: The learning rate, float32.
    """
    for i in range(len(rows)):
        adagrad(x[rows[i]], gradient[i], square[rows[i]], rate)


@reordering_kernel
def adam_rows(
    x: Floats, rows: Ints, gradient: Floats, mean: Floats, square: Floats, rate: float
) -> None:
    """Take an Adam step on some rows of a table; other rows keep their moments.

    Args:
        x: float32[n_keys, dim].
        rows: int32[k], distinct row indices.
        gradient: float32[k, dim].
        mean, square: float32[n_keys, dim], the running means of the gradient and of its
            square, which are updated.
        rate: The learning rate, float32, with the bias corrections.
    """
    for i in range(len(rows)):
        adam(x[rows[i]], gradient[i], mean[rows[i]], square[rows[i]], rate)
