"""Inner loops over tiles of arrays whose sums and maxima stay in vector registers.

Numba leaves the choice of registers to LLVM, which would keep the sums in memory. So
these loops are written as LLVM instructions (see `instructions`), for `linear` and
`max_over_time`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import (
    LANES,
    WIDE,
    Tile,
    generated,
    has_features,
)

if TYPE_CHECKING:
    from typing import Any

# On x86, 6 x 16 sums take 12 of the 16 registers of 256 bits, which leaves room for
# weights and inputs. Wide tiles of 6 x 32 sums fit into the 32 registers of 512 bits.
# On a processor that starts two multiply-adds per cycle, six vectors of sums are too
# few: additions would have to wait for each other.
ROWS = 6  # rows of a layer that are computed together
WORDS = 6  # words whose maxima are computed together


@generated("intp()")
def has_wide_tiles(tile: Tile) -> bool:
    """Return whether wide tiles fit into the registers (an intrinsic).

    In compiled code, the result is a constant.
    """
    return tile.ir.IntType(64)(int(has_features(tile.context, WIDE)))


def _fill_tile(
    n_panels: int,
    tile: Tile,
    x: Any,
    n: Any,
    rows: Any,
    t: Any,
    panel: Any,
    p_begin: Any,
    bias: Any,
    b_begin: Any,
    out: Any,
    o_begin: Any,
    width: Any,
) -> None:
    builder, number = tile.builder, n.type
    index = [
        builder.load(tile.at(rows, builder.add(t, number(r)))) for r in range(ROWS)
    ]
    inputs = [tile.at(x, builder.mul(n, row)) for row in index]
    columns = [builder.add(b_begin, number(p * LANES)) for p in range(n_panels)]
    begins = [tile.load(bias, column) for column in columns]
    tile.multiply(inputs, n, panel, p_begin, begins, out, o_begin, width)


fill_tile, fill_wide_tile = (
    generated("""void(float32[::1], intp, int64[::1], intp, float32[::1], intp, float32[::1], intp,
                      float32[::1], intp, intp)""")(partial(_fill_tile, n_panels))
    for n_panels in (1, 2)
)
"""Tiles of a linear layer (intrinsics).

Call fill_tile(x, n, rows, t, panel, p_begin, bias, b_begin, out, o_begin, width). It computes ROWS
rows of LANES of the `width` outputs of a layer with n inputs: out[o_begin + r * width + j] =
bias[b_begin + j] + the sum over k, in this order, of x[rows[t + r] * n + k] * panel[p_begin + k *
LANES + j]. Array bounds are not checked.

fill_wide_tile computes the 2 * LANES columns of this panel and the next one.
"""


@generated(
    "void(float32[::1], intp, intp, float32[::1], intp, float32[::1], intp, intp)"
)
def fill_tile_with_maxima(
    tile: Tile,
    x: Any,
    x_begin: Any,
    n: Any,
    bias: Any,
    b_begin: Any,
    out: Any,
    o_begin: Any,
    width: Any,
) -> None:
    """Compute maxima over rows, for a tile of outputs (an intrinsic).

    For WORDS rows and LANES columns: out[o_begin + w * width + j] = the maximum over i
    < n of x[x_begin + i * width + j] + bias[b_begin + (i - w) * width + j], or -inf if
    n is 0. Array bounds are not checked.
    """
    builder, none = tile.builder, tile.vector([float("-inf")] * LANES)
    maxima = tile.results([none] * WORDS)
    with tile.tools.for_range(builder, n) as loop:
        value = tile.load(x, tile.plus(x_begin, loop.index, width))
        for w, largest in enumerate(maxima):
            at = tile.plus(b_begin, builder.sub(loop.index, n.type(w)), width)
            found = builder.fadd(value, tile.load(bias, at))
            builder.store(tile.larger(found, builder.load(largest)), largest)
    tile.store(maxima, out, o_begin, width)


def _add_rows(
    lanes: int,
    tile: Tile,
    addresses: Any,
    row: Any,
    n_rows: Any,
    n_groups: Any,
    window: Any,
    bias: Any,
    column: Any,
    width: Any,
    out: Any,
    o_begin: Any,
) -> None:
    tile = Tile(tile.context, tile.builder, lanes=lanes)
    builder, number = tile.builder, width.type
    (total,) = tile.results([tile.load(bias, column)])
    with tile.tools.for_range(builder, window) as word:
        at = builder.add(row, word.index)
        first = tile.plus(column, word.index, width)
        with tile.tools.for_range(builder, n_groups) as group:
            address = builder.load(
                tile.at(addresses, tile.plus(at, group.index, n_rows))
            )
            products = builder.inttoptr(
                builder.add(address, builder.mul(first, number(4))),
                tile.vector.as_pointer(),
            )
            added = builder.fadd(builder.load(total), builder.load(products, align=4))
            builder.store(added, total)
    tile.store([total], out, builder.add(o_begin, column), width)


add_rows, add_cells = (
    generated("""void(int64[::1], intp, intp, intp, intp, float32[::1], intp, intp,
                      float32[::1], intp)""")(partial(_add_rows, lanes))
    for lanes in (LANES, 1)
)
"""Sums of the products of the words of a window (intrinsics).

Call add_rows(addresses, row, n_rows, n_groups, window, bias, column, width, out, o_begin). It
computes LANES of the `width` outputs of a layer on a window: out[o_begin + column + j] =
bias[column + j] + the sum, over the words k of the window and the groups g, in this order, of
element k * width + column + j of the array at addresses[g * n_rows + row + k]. Array bounds are not
checked.

add_cells computes a single output.
"""
