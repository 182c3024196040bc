"""Products by matrix tiles of x86 (Intel's AMX): 16 by 16 sums of 64 products of 8 bits at once."""

import functools
import sys
from functools import partial

from senna_py.kernels.llvm.tile import LANES, Tile, has_features
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = [
    "MATRIX_ROWS", "begin_matrix_tiles", "end_matrix_tiles", "may_use_matrix_tiles",
    "multiply_matrices",
]  # fmt: skip

MATRIX_ROWS = 2 * LANES  # two tiles of inputs, which share the weights that are loaded
# Linux on x86-64: the system call arch_prctl, and asking for AMX's tile data.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18


@functools.cache
def may_use_matrix_tiles():
    """Return whether Linux gave this process, and those it forks, the room for matrix tiles."""
    import ctypes  # noqa: PLC0415 - a short start
    import platform  # noqa: PLC0415

    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    try:
        system = ctypes.CDLL(None).syscall
    except (AttributeError, OSError):
        return False
    arguments = (_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA)
    return system(*(ctypes.c_long(number) for number in arguments)) == 0


def _call(tile, name, *arguments):
    """Call an instruction; Python's integers are numbers of matrix tiles, 0 to 7."""
    from llvmlite import ir  # noqa: PLC0415

    arguments = [ir.IntType(8)(a) if isinstance(a, int) else a for a in arguments]
    kind = ir.FunctionType(ir.VoidType(), [a.type for a in arguments])
    function = tile.tools.get_or_insert_function(tile.builder.module, kind, f"llvm.x86.{name}")
    tile.builder.call(function, arguments)


def _bytes_at(tile, address):
    from llvmlite import ir  # noqa: PLC0415

    return tile.builder.bitcast(address, ir.IntType(8).as_pointer())


def _configure(tile):
    """Give all tiles 16 rows of 64 bytes: palette 1, then 48 bytes of widths and 16 of rows."""
    from llvmlite import ir  # noqa: PLC0415

    content = bytearray([1] + [0] * 15 + [64, 0] * 8 + [0] * 16 + [16] * 8 + [0] * 8)
    content_bytes = ir.Constant(ir.ArrayType(ir.IntType(8), len(content)), content)
    place = tile.tools.alloca_once_value(tile.builder, content_bytes)
    _call(tile, "ldtilecfg", _bytes_at(tile, place))


def _release(tile):
    _call(tile, "tilerelease")


def _matrix_state(change):
    from numba.types import void  # noqa: PLC0415

    def change_state(context):
        def generate(context, builder, signature, arguments):
            if has_features(context, "amx-tile"):
                change(Tile(context, builder, signature, arguments))
            return context.get_dummy_value()

        return void(), generate

    return change_state


begin_matrix_tiles, end_matrix_tiles = (
    Intrinsic(partial(_matrix_state, change)) for change in (_configure, _release)
)
"""For kernels: begin_matrix_tiles() before all products and end_matrix_tiles() after them."""


def multiply_matrices(tile, x_begin, width, p_begin, o_begin, o_width):
    """Generate the code of `int8_tile.multiply_tile` for MATRIX_ROWS rows by two panels."""
    builder, number = tile.builder, width.type
    rows, panels = ([begin, tile.plus(begin, width, number(LANES))] for begin in (x_begin, p_begin))
    x_bytes, p_bytes, o_bytes = (builder.mul(n, number(4)) for n in (width, number(LANES), o_width))
    for k in range(4):
        _call(tile, "tilezero", k)
    with tile.tools.for_range_slice(builder, number(0), width, number(LANES), number) as (step, _):
        for k, begin in enumerate(rows):
            at = tile.at(1, builder.add(begin, step))
            _call(tile, "tileloadd64", 4 + k, _bytes_at(tile, at), x_bytes)
        for k, begin in enumerate(panels):
            at = tile.at(4, tile.plus(begin, step, number(LANES)))
            _call(tile, "tileloadd64", 6 + k, _bytes_at(tile, at), p_bytes)
        for k in range(4):
            _call(tile, "tdpbusd", k, 4 + k // 2, 6 + k % 2)
    for k in range(4):
        begin = tile.plus(o_begin, o_width, number(k // 2 * LANES))
        at = tile.at(6, builder.add(begin, number(k % 2 * LANES)))
        _call(tile, "tilestored64", k, _bytes_at(tile, at), o_bytes)
