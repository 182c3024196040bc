"""Linear layers and HardTanh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import ROWS, fill_tile, fill_wide_tile, has_wide_tiles
from senna_py.kernels.runtime.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from senna_py.kernels.arrays import Floats, Longs

# The inputs and outputs of this many rows stay in the cache while all weights are read.
_BLOCK = 16 * ROWS
_ROWS_TO_PACK = 16 * ROWS  # from this number of rows on, packing the weights pays


@kernel
def _affine_row(x: Floats, weight: Floats, out: Floats) -> None:
    """Add x @ weight to `out`, with the terms in the order of the inputs.

    Args:
        x: float32[n_in].
        weight: float32[n_in, n_out].
        out: float32[n_out].
    """
    n_in, n_out = weight.shape
    for k in range(n_in):
        scale = x[k]
        row = weight[k]
        for j in range(n_out):
            out[j] += scale * row[j]


@kernel
def _affine_rows4(
    x0: Floats,
    x1: Floats,
    x2: Floats,
    x3: Floats,
    weight: Floats,
    out0: Floats,
    out1: Floats,
    out2: Floats,
    out3: Floats,
) -> None:
    """Add x @ weight to `out` for four rows, reading each weight only once.

    See `_affine_row`.
    """
    n_in, n_out = weight.shape
    even = n_in - n_in % 4
    for k in range(0, even, 4):
        w0, w1, w2, w3 = weight[k], weight[k + 1], weight[k + 2], weight[k + 3]
        a0, a1, a2, a3 = x0[k], x0[k + 1], x0[k + 2], x0[k + 3]
        b0, b1, b2, b3 = x1[k], x1[k + 1], x1[k + 2], x1[k + 3]
        c0, c1, c2, c3 = x2[k], x2[k + 1], x2[k + 2], x2[k + 3]
        d0, d1, d2, d3 = x3[k], x3[k + 1], x3[k + 2], x3[k + 3]
        for j in range(n_out):
            p, q, r, s = w0[j], w1[j], w2[j], w3[j]
            out0[j] = (((out0[j] + a0 * p) + a1 * q) + a2 * r) + a3 * s
            out1[j] = (((out1[j] + b0 * p) + b1 * q) + b2 * r) + b3 * s
            out2[j] = (((out2[j] + c0 * p) + c1 * q) + c2 * r) + c3 * s
            out3[j] = (((out3[j] + d0 * p) + d1 * q) + d2 * r) + d3 * s
    for k in range(even, n_in):
        row = weight[k]
        a0, b0, c0, d0 = x0[k], x1[k], x2[k], x3[k]
        for j in range(n_out):
            p = row[j]
            out0[j] += a0 * p
            out1[j] += b0 * p
            out2[j] += c0 * p
            out3[j] += d0 * p


@kernel
def affine(
    flat: Floats, offset: Longs, weight: Floats, out: Floats, target: Longs
) -> None:
    """Add flat[offset[t] : offset[t] + n_in] @ weight to out[target[t]] for all t.

    Args:
        flat: float32[m], the inputs.
        offset: int64[n], the first index of each input in `flat`.
        weight: float32[n_in, n_out].
        out: float32[n_rows, n_out].
        target: int64[n], distinct row indices of `out`.
    """
    n_in = weight.shape[0]
    n = len(offset)
    whole = n - n % 4
    for t in range(0, whole, 4):
        o0, o1, o2, o3 = offset[t], offset[t + 1], offset[t + 2], offset[t + 3]
        _affine_rows4(
            flat[o0 : o0 + n_in],
            flat[o1 : o1 + n_in],
            flat[o2 : o2 + n_in],
            flat[o3 : o3 + n_in],
            weight,
            out[target[t]],
            out[target[t + 1]],
            out[target[t + 2]],
            out[target[t + 3]],
        )
    for t in range(whole, n):
        _affine_row(flat[offset[t] : offset[t] + n_in], weight, out[target[t]])


@kernel
def panels_of(weight: Floats) -> Floats:
    """Copy a weight into panels of 16 columns for `linear_of_rows`.

    The last panel consists of the last 16 columns, so it may overlap with the previous
    one. A weight of fewer than 16 columns has no panels.

    Args:
        weight: float32[n_in, n_out].

    Returns:
        float32[n_panels * n_in * 16].
    """
    n_in, n_out = weight.shape
    n = -(-n_out // LANES) if n_out >= LANES else 0
    flat, panels = weight.ravel(), np.empty(n * n_in * LANES, np.float32)
    for p in range(n):
        first = min(p * LANES, n_out - LANES)
        for k in range(n_in):
            source, target = k * n_out + first, (p * n_in + k) * LANES
            for j in range(LANES):
                panels[target + j] = flat[source + j]
    return panels


@kernel
def _linear_by_tiles(
    x: Floats, rows: Longs, panels: Floats, bias: Floats, out: Floats
) -> None:
    """Compute `linear_of_rows` in tiles, for at least ROWS rows and 16 outputs.

    The last tiles may compute some outputs a second time.
    """
    n, n_in, n_out = len(rows), x.shape[1], len(bias)
    if len(panels) != -(-n_out // LANES) * LANES * n_in or out.shape != (n, n_out):
        raise ValueError("sizes of a layer do not fit")
    inputs, outputs = x.ravel(), out.reshape(-1)
    for block in range(0, n, _BLOCK):
        p = 0
        while p * LANES < n_out:
            first, begin = min(p * LANES, n_out - LANES), p * n_in * LANES
            wide = has_wide_tiles() and (p + 2) * LANES <= n_out
            for t in range(block, min(block + _BLOCK, n), ROWS):
                r = min(t, n - ROWS)
                to = r * n_out + first
                if wide:
                    fill_wide_tile(
                        inputs,
                        n_in,
                        rows,
                        r,
                        panels,
                        begin,
                        bias,
                        first,
                        outputs,
                        to,
                        n_out,
                    )
                else:
                    fill_tile(
                        inputs,
                        n_in,
                        rows,
                        r,
                        panels,
                        begin,
                        bias,
                        first,
                        outputs,
                        to,
                        n_out,
                    )
            p += 2 if wide else 1


@kernel
def linear_of_rows(
    x: Floats, rows: Longs, weight: Floats, panels: Floats, bias: Floats, out: Floats
) -> None:
    """Compute a linear layer for some rows: out[i] = bias + x[rows[i]] @ weight.

    Terms are added in the order of the inputs, with and without panels.

    Args:
        x: float32[n_rows, n_in].
        rows: int64[n], row indices of x.
        weight: float32[n_in, n_out].
        panels: The result of `panels_of`, or an empty array.
        bias: float32[n_out].
        out: float32[n, n_out], which is written.
    """
    if len(panels) and len(rows) >= ROWS:
        _linear_by_tiles(x, rows, panels, bias, out)
        return
    out[:] = bias
    affine(x.ravel(), rows * weight.shape[0], weight, out, np.arange(len(rows)))


@kernel
def linear(x: Floats, weight: Floats, bias: Floats, out: Floats) -> None:
    """Compute a linear layer: out = bias + x @ weight.

    All arrays are contiguous. See Collobert et al. (2011), equation 5.

    Args:
        x: float32[n, n_in].
        weight: float32[n_in, n_out].
        bias: float32[n_out].
        out: float32[n, n_out], which is written.
    """
    panels = panels_of(weight if len(x) >= _ROWS_TO_PACK else weight[:0])
    linear_of_rows(x, np.arange(len(x)), weight, panels, bias, out)


@kernel
def hardtanh(x: Floats) -> None:
    """Clip x: float32[n, m] to [-1, 1] in place (Collobert et al. 2011, equation 7)."""
    flat = x.ravel()
    for i in range(len(flat)):
        value = flat[i]
        value = value if value > np.float32(-1) else np.float32(-1)
        flat[i] = value if value < np.float32(1) else np.float32(1)


@kernel
def score_units(
    units: Floats, output_layer: tuple[NDArray, ...], scores: Floats
) -> None:
    """Apply HardTanh and a linear layer.

    Args:
        units: float32[n, n_hidden], to which HardTanh is applied in place.
        output_layer: The weight, panels and bias for `linear_of_rows`.
        scores: float32[n, n_out], which is written.
    """
    hardtanh(units)
    weight, panels, bias = output_layer
    linear_of_rows(units, np.arange(len(units)), weight, panels, bias, scores)
