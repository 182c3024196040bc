"""How training multiplies matrices: as NumPy's BLAS does, or by tiles of our own."""

from itertools import pairwise

import numpy as np

from senna_py.kernels.llvm.matrix_product import (
    WIDTH,
    multiply_columns,
    multiply_packed,
    pack_columns,
)

__all__ = ["BLAS", "Blas", "Tiles"]


class Blas:
    """Products as NumPy makes them, for any float: their last bits depend on its library."""

    def times(self, a, b, turn_a=False, turn_b=False, out=None):
        """The product of a and b, or of their transposes if `turn_a` or `turn_b`.

        out: where to write it, or None for a new array.
        """
        return np.matmul(a.T if turn_a else a, b.T if turn_b else b, out=out)

    def linear(self, x, weight, bias):
        """The linear layer x @ weight + bias."""
        out = self.times(x, weight)
        out += bias
        return out

    def by(self, b, turned=False, room=None):
        """A function that writes x @ b, or x @ b.T if `turned`, to `out`: of x and out.

        It is for many products of few rows; b must not change meanwhile. room: a dict that is kept
        between calls, for scratch.
        """
        if turned:
            b = np.ascontiguousarray(b.T)  # few rows times it: nearly twice as fast
        return lambda x, out: np.matmul(x, b, out=out)

    def add_gradient(self, gradients, name, left, right):
        """Give `gradients` left.T @ right: float[n, n_rows] and float[n, n_columns]."""
        gradients.product(name, left, right)


class Tiles(Blas):
    """Products of float32 by `kernels.llvm.matrix_product`, of other dtypes by NumPy.

    A sum has the same bits with any number of threads.
    """

    def __init__(self, threads=1):
        """threads: that share the columns of each product."""
        self._threads, self._pool = threads, None
        if threads > 1:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - tagging needs none

            self._pool = ThreadPoolExecutor(threads - 1)

    def times(self, a, b, turn_a=False, turn_b=False, out=None):
        """See Blas."""
        if a.dtype != np.float32 or b.dtype != np.float32:
            return super().times(a, b, turn_a, turn_b, out)
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
        if out is None:
            out = np.empty((a.shape[turn_a], b.shape[not turn_b]), np.float32)
        self._share(multiply_columns, (a, turn_a, b, turn_b, out), out.shape[1])
        return out

    def by(self, b, turned=False, room=None):
        """See Blas."""
        if b.dtype != np.float32:
            return super().by(b, turned)
        room, n = {} if room is None else room, b.shape[not turned]
        if turned not in room:
            room[turned] = np.empty(-(-n // WIDTH) * WIDTH * b.shape[turned], np.float32)
        panels = room[turned]
        pack_columns(b, turned, panels)
        return lambda x, out: self._share(multiply_packed, (x, panels, out), n)

    def add_gradient(self, gradients, name, left, right):
        """See Blas."""
        gradients.add(name, self.times(left, right, turn_a=True))

    def _share(self, kernel, arguments, n):
        """Call a kernel for all of n columns, some of them on each thread."""
        if self._pool is None or n < 2 * WIDTH:
            kernel(*arguments, 0, n)
            return
        panels, k = -(-n // WIDTH), self._threads
        ends = [min(panels * part // k * WIDTH, n) for part in range(k)] + [n]
        own, *others = pairwise(ends)
        others = [self._pool.submit(kernel, *arguments, *part) for part in others]
        kernel(*arguments, *own)
        for other in others:
            other.result()


BLAS = Blas()
