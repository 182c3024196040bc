"""Products by matrix tiles of x86 (Intel's AMX): 16 by 16 sums of 64 products of 8 bits
at once.
"""

import ctypes
import os
import sys

from senna_py.kernels.llvm.instructions import LANES, generated, has_features

MATRIX_ROWS = 2 * LANES  # two tiles of inputs, which share the weights that are loaded
# Linux on x86-64: the system call arch_prctl, and asking for AMX's tile data.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


def may_use_matrix_tiles():
    """Return whether Linux gave this process, and those it forks, the room for matrix
    tiles.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return False
    arguments = (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA)
    return ctypes.CDLL(None).syscall(*map(ctypes.c_long, arguments)) == 0


def _call(tile, name, *arguments):
    """Call an instruction; Python's integers are numbers of matrix tiles, 0 to 7."""
    arguments = [tile.ir.IntType(8)(a) if isinstance(a, int) else a for a in arguments]
    tile.call(f"llvm.x86.{name}", tile.ir.VoidType(), *arguments)


def _bytes_at(tile, address):
    return tile.builder.bitcast(address, tile.ir.IntType(8).as_pointer())


@generated("void()")
def begin_matrix_tiles(tile):
    """For kernels, before products: all tiles have 16 rows of 64 bytes from here on."""
    if has_features(tile.context, "amx-tile"):
        # Palette 1, then 48 bytes of widths and 16 of rows.
        content = bytearray(
            [1] + [0] * 15 + [64, 0] * 8 + [0] * 16 + [16] * 8 + [0] * 8
        )
        kind = tile.ir.ArrayType(tile.ir.IntType(8), len(content))
        (place,) = tile.results([tile.ir.Constant(kind, content)])
        _call(tile, "ldtilecfg", _bytes_at(tile, place))


@generated("void()")
def end_matrix_tiles(tile):
    """For kernels, after them."""
    if has_features(tile.context, "amx-tile"):
        _call(tile, "tilerelease")


def multiply_matrices(tile, x, x_begin, width, panels, p_begin, out, o_begin, o_width):
    """Generate the code of `int8_tile.multiply_tile` for MATRIX_ROWS rows by two
    panels.
    """
    builder, number = tile.builder, width.type
    rows, begins = (
        [begin, tile.plus(begin, width, number(LANES))] for begin in (x_begin, p_begin)
    )
    x_bytes, p_bytes, o_bytes = (
        builder.mul(n, number(4)) for n in (width, number(LANES), o_width)
    )
    for k in range(4):
        _call(tile, "tilezero", k)

    def move(name, k, array, position, row_bytes):
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
