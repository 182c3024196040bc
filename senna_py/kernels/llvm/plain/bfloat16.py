"""Fallbacks of kernels of `llvm.bfloat16`: words are float32."""

import numpy as np

__all__ = ["linear_of_words", "multiply_words"]

_PIECE = 1 << 16  # sums at once, in the cache


def _processor_has():
    """None of these: products are of float32."""
    return False, False, False


def linear_of_words(x, n, weight, out):
    multiply_words(x[:n].view(np.float32), weight, out)


def multiply_words(x, weight, out):
    """Compute out = bias + x @ weight, added up as matrix tiles do, see `llvm.bfloat16_tile`.

    x: float32[n, height], rounded; weight: see `plain.bfloat16_words.pack_weight`; out: float32[n,
    n_out].
    """
    halves, bias, _, _ = weight  # halves: float32[n_halves, inputs of a half step, n_out]
    n_halves, size, n_out = halves.shape
    columns = np.ascontiguousarray(x.T).reshape(n_halves, size, len(x), 1)
    out[:] = bias
    rows = max(1, min(len(x), _PIECE // (2 * n_out)))
    step = 2 * max(1, _PIECE // (2 * rows * n_out))
    for begin in range(0, len(x), rows):
        target = out[begin : begin + rows]
        sums = np.empty((min(step, n_halves), *target.shape), np.float32)
        products = np.empty_like(sums)
        for h in range(0, n_halves, step):
            inputs, weights = columns[h : h + step, :, begin : begin + rows], halves[h : h + step]
            total, product = sums[: len(weights)], products[: len(weights)]
            np.multiply(inputs[:, 0], weights[:, 0, None], out=total)
            for i in range(1, size):
                np.multiply(inputs[:, i], weights[:, i, None], out=product)
                total += product
            for both in total[::2] + total[1::2]:
                target += both
