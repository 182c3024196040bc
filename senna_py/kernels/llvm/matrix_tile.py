"""Matrix products with the matrix tiles of x86 processors (Intel AMX).

One instruction adds products of 64 pairs of 8-bit integers to each of 16 by 16 sums.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import LANES, generated, has_features

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.llvm.instructions import Tile

MATRIX_ROWS = 2 * LANES  # two tiles of inputs, for which weights are loaded once
# On Linux x86-64: the system call arch_prctl, the request for permission, and AMX data.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


def may_use_matrix_tiles() -> bool:
    """Request permission to use matrix tiles, and return whether Linux grants it.

    On other systems and processors the result is False.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return False
    arguments = (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA)
    return ctypes.CDLL(None).syscall(*map(ctypes.c_long, arguments)) == 0


def _call(tile: Tile, name: str, *arguments: Any) -> None:
    """Generate an AMX instruction; Python integers are the numbers of tiles, 0 to 7."""
    arguments = [tile.ir.IntType(8)(a) if isinstance(a, int) else a for a in arguments]
    tile.call(f"llvm.x86.{name}", tile.ir.VoidType(), *arguments)


def _bytes_at(tile: Tile, address: Any) -> Any:
    return tile.builder.bitcast(address, tile.ir.IntType(8).as_pointer())


@generated("void()")
def begin_matrix_tiles(tile: Tile) -> None:
    """Configure all matrix tiles as 16 rows of 64 bytes (an intrinsic).

    This must be called before any product.
    """
    if has_features(tile.context, "amx-tile"):
        # The palette 1, then the widths of tiles in bytes, and their numbers of rows.
        content = bytearray(
            [1] + [0] * 15 + [64, 0] * 8 + [0] * 16 + [16] * 8 + [0] * 8
        )
        kind = tile.ir.ArrayType(tile.ir.IntType(8), len(content))
        (place,) = tile.results([tile.ir.Constant(kind, content)])
        _call(tile, "ldtilecfg", _bytes_at(tile, place))


@generated("void()")
def end_matrix_tiles(tile: Tile) -> None:
    """Release the matrix tiles after products (an intrinsic)."""
    if has_features(tile.context, "amx-tile"):
        _call(tile, "tilerelease")


def multiply_matrices(
    tile: Tile,
    x: Any,
    x_begin: Any,
    width: Any,
    panels: Any,
    p_begin: Any,
    out: Any,
    o_begin: Any,
    o_width: Any,
) -> None:
    """Generate the code of `multiply_tile` for MATRIX_ROWS rows and two panels."""
    builder, number = tile.builder, width.type
    rows, begins = (
        [begin, tile.plus(begin, width, number(LANES))] for begin in (x_begin, p_begin)
    )
    x_bytes, p_bytes, o_bytes = (
        builder.mul(n, number(4)) for n in (width, number(LANES), o_width)
    )
    for k in range(4):
        _call(tile, "tilezero", k)

    def move(name: str, k: int, array: Any, position: Any, row_bytes: Any) -> None:
        _call(tile, name, k, _bytes_at(tile, tile.at(array, position)), row_bytes)

    with tile.tools.for_range_slice(
        builder, number(0), width, number(LANES), number
    ) as (step, _):
        for k in range(2):
            move("tileloadd64", 4 + k, x, builder.add(rows[k], step), x_bytes)
            begin = tile.plus(begins[k], step, number(LANES))
            move("tileloadd64", 6 + k, panels, begin, p_bytes)
        for k in range(4):
            _call(tile, "tdpbusd", k, 4 + k // 2, 6 + k % 2)
    for k in range(4):
        begin = tile.plus(o_begin, o_width, number(k // 2 * LANES))
        move("tilestored64", k, out, builder.add(begin, number(k % 2 * LANES)), o_bytes)
