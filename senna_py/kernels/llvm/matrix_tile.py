"""Products by matrix tiles of x86 (Intel's AMX): 16 by 16 sums of 32 products of bfloat16 at once.

A row of inputs has words of two numbers: of each step of 32 inputs, k and 16 + k stand in word k.
The processor adds the products of all lower halves from zero, then those of all upper halves, and
both to the sum (Intel's manual, TDPBF16PS). Numbers below 1.2e-38 are taken and given as 0.
"""

import functools
import sys
from functools import partial

from senna_py.kernels.llvm.tile import LANES, Tile, constant_of_features, expect, has_features
from senna_py.kernels.runtime.jit import Intrinsic

__all__ = [
    "MATRIX_ROWS", "add_matrix_tiles", "begin_matrix_tiles", "end_matrix_tiles",
    "has_matrix_tiles", "may_use_matrix_tiles",
]  # fmt: skip

MATRIX_ROWS = 2 * LANES  # two tiles of inputs, which share the weights that are loaded
_MATRIX_TILE = LANES * LANES  # words
_FEATURES = "amx-tile", "amx-bf16"
# Linux on x86-64: the system call arch_prctl, and asking for AMX's tile data.
_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18

has_matrix_tiles = constant_of_features(*_FEATURES)
"""For kernels: has_matrix_tiles(), whether the processor has them: a constant of the code. Whether
a process may use them, Linux decides."""


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


class _Matrices:
    """LLVM's instructions for matrix tiles of 16 rows of 64 bytes, numbered 0 to 7."""

    def __init__(self, context, builder, signature, arguments):
        from llvmlite import ir  # noqa: PLC0415
        from numba.core import cgutils  # noqa: PLC0415

        self._ir, self.tools, self._builder = ir, cgutils, builder
        self._byte = ir.IntType(8)
        self.at = Tile(context, builder, signature, arguments).at

    def _call(self, name, *arguments):
        kind = self._ir.FunctionType(self._ir.VoidType(), [a.type for a in arguments])
        function = self.tools.get_or_insert_function(self._builder.module, kind, f"llvm.x86.{name}")
        self._builder.call(function, arguments)

    def _pointer(self, address):
        return self._builder.bitcast(address, self._byte.as_pointer())

    def configure(self):
        """Give all tiles 16 rows of 64 bytes: palette 1, then 48 bytes of widths and 16 of rows."""
        widths, rows = [64, 0] * 8 + [0] * 16, [16] * 8 + [0] * 8
        content = bytearray([1] + [0] * 15 + widths + rows)
        kind = self._ir.ArrayType(self._byte, len(content))
        place = self.tools.alloca_once_value(self._builder, self._ir.Constant(kind, content))
        self._call("ldtilecfg", self._pointer(place))

    def release(self):
        """Leave no tiles for the system to save."""
        self._call("tilerelease")

    def load(self, tile, address, row_bytes):
        """Load a tile, whose rows lie that far apart."""
        self._call("tileloadd64", self._byte(tile), self._pointer(address), row_bytes)

    def store(self, tile, address, row_bytes):
        """Store a tile."""
        self._call("tilestored64", self._byte(tile), self._pointer(address), row_bytes)

    def multiply(self, sums, inputs, weights):
        """Add to a tile of sums, rows by columns, the products of inputs and weights."""
        self._call("tdpbf16ps", self._byte(sums), self._byte(inputs), self._byte(weights))


def _matrix_state(change):
    from numba.types import void  # noqa: PLC0415

    def change_state(context):
        def generate(context, builder, signature, arguments):
            if has_features(context, *_FEATURES):
                change(_Matrices(context, builder, signature, arguments))
            return context.get_dummy_value()

        return void(), generate

    return change_state


begin_matrix_tiles = Intrinsic(partial(_matrix_state, _Matrices.configure))
end_matrix_tiles = Intrinsic(partial(_matrix_state, _Matrices.release))
"""For kernels: begin_matrix_tiles() before and end_matrix_tiles() after all `add_matrix_tiles`."""


def _add_matrix_tiles():
    from numba.types import float32, intp, uint32, void  # noqa: PLC0415

    def add_matrix_tiles(context, x, x_begin, width, panel, p_begin, height, steps, out, o_begin,
                         o_width):  # fmt: skip
        expect(uint32, x, panel)
        expect(float32, out)

        def generate(context, builder, signature, arguments):
            if not has_features(context, *_FEATURES):
                return context.get_dummy_value()
            tiles = _Matrices(context, builder, signature, arguments)
            _, x_begin, width, _, p_begin, height, steps, _, o_begin, o_width = arguments
            number = width.type
            rows = [x_begin, builder.add(x_begin, builder.mul(width, number(LANES)))]
            panels = [p_begin, builder.add(p_begin, builder.mul(height, number(LANES)))]
            below = builder.add(o_begin, builder.mul(o_width, number(LANES)))
            corners = [builder.add(row, number(c)) for row in (o_begin, below) for c in (0, LANES)]
            sums = [tiles.at(7, corner) for corner in corners]
            x_bytes, o_bytes = (builder.mul(w, number(4)) for w in (width, o_width))
            for k, address in enumerate(sums):
                tiles.load(k, address, o_bytes)
            with tiles.tools.for_range(builder, steps) as loop:
                for k, begin in enumerate(rows):
                    at = builder.add(begin, builder.mul(loop.index, number(LANES)))
                    tiles.load(4 + k, tiles.at(0, at), x_bytes)
                for k, begin in enumerate(panels):
                    at = builder.add(begin, builder.mul(loop.index, number(_MATRIX_TILE)))
                    tiles.load(6 + k, tiles.at(3, at), number(4 * LANES))
                for k in range(4):
                    tiles.multiply(k, 4 + k // 2, 6 + k % 2)
            for k, address in enumerate(sums):
                tiles.store(k, address, o_bytes)
            return context.get_dummy_value()

        return void(x, intp, intp, panel, intp, intp, intp, out, intp, intp), generate

    return add_matrix_tiles


add_matrix_tiles = Intrinsic(_add_matrix_tiles)
"""For kernels: add_matrix_tiles(x, x_begin, width, panel, p_begin, height, steps, out, o_begin,
o_width).

MATRIX_ROWS rows by 2 * LANES columns, where `has_matrix_tiles`; elsewhere nothing. The rows of x
and of out follow each other: row r begins at x[x_begin + r * width] and out[o_begin + r * o_width].
Words of x and of panels are pairs; the second panel begins `height` rows after the first. Arrays
have one dimension; where they end is not checked.
"""
