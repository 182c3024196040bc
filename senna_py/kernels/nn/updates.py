"""Steps of stochastic gradient descent, on whole arrays and on some rows of a table."""

import numpy as np

from senna_py.kernels.runtime.jit import reordering_kernel


@reordering_kernel
def sum_rows(index, gradient, total, row_of, rows):
    """Add up the gradients of table rows that occur several times in a batch.

    index: int32[n]; gradient: float32[n, dim]; total: float32[n, dim], receives the
    sums; row_of: int32[n_keys], -1 everywhere, scratch that is left as it was; rows:
    int32[n], receives the distinct indices. Returns their number k: `total[:k]` belongs
    to `rows[:k]`.
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
def sgd(x, gradient, rate):
    """Plain step on x: float32[n]: x -= rate * gradient (section 3.4.3); rate:
    float32.
    """
    for i in range(len(x)):
        x[i] -= rate * gradient[i]


@reordering_kernel
def adagrad(x, gradient, square, rate):
    """AdaGrad step (Duchi et al. 2011) on x, with the sum of squares: all
    float32[n].
    """
    for i in range(len(x)):
        square[i] += gradient[i] * gradient[i]
        x[i] -= rate * gradient[i] / (np.sqrt(square[i]) + np.float32(1e-6))


@reordering_kernel
def adam(x, gradient, mean, square, rate):
    """Adam step (Kingma and Ba 2015) on x: float32[n]; `rate` includes the bias
    corrections.
    """
    for i in range(len(x)):
        mean[i] += np.float32(0.1) * (gradient[i] - mean[i])
        square[i] += np.float32(0.001) * (gradient[i] * gradient[i] - square[i])
        x[i] -= rate * mean[i] / (np.sqrt(square[i]) + np.float32(1e-8))


@reordering_kernel
def sgd_rows(x, rows, gradient, rate):
    """`sgd` of the rows of x: float32[n_keys, dim]; rows: int32[k]; gradient:
    float32[k, dim].
    """
    for i in range(len(rows)):
        sgd(x[rows[i]], gradient[i], rate)


@reordering_kernel
def adagrad_rows(x, rows, gradient, square, rate):
    """`adagrad` of the rows of x, with square: float32[n_keys, dim]."""
    for i in range(len(rows)):
        adagrad(x[rows[i]], gradient[i], square[rows[i]], rate)


@reordering_kernel
def adam_rows(x, rows, gradient, mean, square, rate):
    """`adam` of the rows of x; rows that a batch lacks keep their moments."""
    for i in range(len(rows)):
        adam(x[rows[i]], gradient[i], mean[rows[i]], square[rows[i]], rate)
