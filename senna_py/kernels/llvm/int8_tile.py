"""Inner loops over tiles of products of 8-bit integers, whose 32-bit sums are exact.

The result does not depend on the order and the instructions that a processor uses for
the additions. An element of an array is a word of 32 bits, int32, which contains four
integers of 8 bits, or two integers of 16 bits.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from senna_py.kernels.llvm.instructions import (
    LANES,
    WIDE,
    Tile,
    generated,
    has_features,
)
from senna_py.kernels.llvm.matrix_tile import (
    MATRIX_ROWS,
    may_use_matrix_tiles,
    multiply_matrices,
)
from senna_py.kernels.llvm.tile import ROWS
from senna_py.kernels.llvm.turned_tile import ROWS as TURNED_ROWS

if TYPE_CHECKING:
    from typing import Any

    from senna_py.kernels.llvm.instructions import Tile


class Way(NamedTuple):
    """Instructions of some processors that multiply integers and add the products."""

    name: str
    features: tuple  # the LLVM features of processors that have the instructions
    bits: int = 8  # the size of the integers in bits
    # The number added to inputs if they must not be negative. It is even, so that ties
    # are rounded to the same integers.
    offset: int = 0
    # The LLVM function, for vectors of `lanes` words that are read as `takes` bits.
    function: str = ""
    lanes: int = LANES
    takes: int = 32
    adds: bool = True  # whether the function adds to its first argument
    rows: int = ROWS  # the number of rows of a tile
    turned: bool = False  # whether `multiply_turned` is used


_SDOT, _PMADDWD = "llvm.aarch64.neon.sdot.v4i32.v16i8", "llvm.x86.avx2.pmadd.wd"
_VPDPBUSD = "llvm.x86.avx512.vpdpbusd"
WAYS = (
    Way("16 bits", (), bits=16),  # the instructions that LLVM chooses
    Way("SDOT", ("dotprod",), function=_SDOT, lanes=4, takes=8),
    Way(
        "AVX2, 16 bits",
        ("avx2",),
        bits=16,
        function=_PMADDWD,
        lanes=8,
        takes=16,
        adds=False,
    ),
    Way(
        "AVX2",
        ("avx2",),
        offset=128,
        lanes=8,
        takes=8,
        rows=TURNED_ROWS,
        turned=True,
    ),
    Way("AVX-VNNI", ("avxvnni",), offset=128, function=f"{_VPDPBUSD}.256", lanes=8),
    Way("AVX-512 VNNI", ("avx512vnni",), offset=128, function=f"{_VPDPBUSD}.512"),
    Way("AMX", ("amx-int8", "avx512vnni"), offset=128, rows=MATRIX_ROWS),
)
"""The supported instructions, from the slowest to the fastest on most processors."""


@functools.cache
def ways_of_processor() -> list[int]:
    """Return the indices in WAYS of the instructions that this processor supports.

    The fastest one is the last. AMX is included only if the operating system permits
    it.
    """
    from numba.core.registry import cpu_target  # noqa: PLC0415

    context = cpu_target.target_context
    found = [k for k, way in enumerate(WAYS) if has_features(context, *way.features)]
    if has_features(context, WIDE):
        # Wide tiles of integers of 16 bits fit into twice as many registers. Turned
        # ones, which do not use them, were only measured without AVX-512.
        found.sort(key=lambda k: not WAYS[k].turned)
    return [k for k in found if WAYS[k].rows != MATRIX_ROWS or may_use_matrix_tiles()]


class _Words(Tile):
    """Helpers for vectors of LANES 32-bit words of packed integers.

    A Way says which instructions multiply the integers.
    """

    def __init__(self, tile: Tile, way: Way) -> None:
        super().__init__(tile.context, tile.builder, tile.ir.IntType(32))
        self._way = way

    def sum_with_product(self, total: Any, a: Any, b: Any) -> Any:
        """Return the sums plus the products of the integers in the words of a and b."""
        if self._way.function:
            if self._way.adds:
                return self._called(total, a, b)
            return self.builder.add(total, self._called(a, b))
        narrow, wide = (self.integers(bits, 2 * LANES) for bits in (16, 32))
        a, b = (
            self.builder.sext(self.builder.bitcast(v, narrow), wide) for v in (a, b)
        )
        products = self.builder.mul(a, b)
        even, odd = (self.pick(range(k, 2 * LANES, 2), products) for k in (0, 1))
        return self.builder.add(total, self.builder.add(even, odd))

    def _called(self, *vectors: Any) -> Any:
        way, n = self._way, vectors[0].type.count
        if n > way.lanes:
            halves = range(n // 2), range(n // 2, n)
            made = [
                self._called(*(self.pick(half, v) for v in vectors)) for half in halves
            ]
            return self.pick(range(n), *made)
        taken = self.integers(way.takes, n * 32 // way.takes)
        words = [self.builder.bitcast(vector, taken) for vector in vectors[-2:]]
        return self.call(way.function, self.integers(32, n), *vectors[:-2], *words)


@generated(
    "void(intp, int32[::1], intp, intp, int32[::1], intp, int32[::1], intp, intp)"
)
def multiply_tile(
    tile: Tile,
    way: Any,
    x: Any,
    x_begin: Any,
    width: Any,
    panels: Any,
    p_begin: Any,
    out: Any,
    o_begin: Any,
    o_width: Any,
) -> None:
    """Multiply rows of integers by panels, for a tile of outputs (an intrinsic).

    For WAYS[way].rows rows, and LANES outputs, or twice as many if `has_wide_tiles`:
    out[o_begin + r * o_width + j] = the sum over k < width of the products of the
    integers in x[x_begin + r * width + k] and panels[p_begin + k * LANES + j]. Outputs
    from LANES on use the next panel, which begins width * LANES words after the first.
    For AMX, width is a multiple of LANES. Array bounds are not checked. If the
    processor does not have these instructions, or WAYS[way] is turned, nothing is done.
    """
    zeros = [tile.integers(32, LANES)([0] * LANES)]
    begins = zeros * (2 if has_features(tile.context, WIDE) else 1)
    for k, each in enumerate(WAYS):
        if each.turned or not has_features(tile.context, *each.features):
            continue
        with tile.builder.if_then(tile.builder.icmp_signed("==", way, way.type(k))):
            if each.rows == MATRIX_ROWS:
                multiply_matrices(
                    tile, x, x_begin, width, panels, p_begin, out, o_begin, o_width
                )
                continue
            rows = [
                tile.at(x, tile.plus(x_begin, width, width.type(r)))
                for r in range(each.rows)
            ]
            words = _Words(tile, each)
            words.multiply(rows, width, panels, p_begin, begins, out, o_begin, o_width)
