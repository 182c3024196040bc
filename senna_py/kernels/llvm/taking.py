"""Vectors of numbers that are taken from an array by their indices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import LANES, Tile, generated

if TYPE_CHECKING:
    from typing import Any


@generated("void(float32[::1], intp, float32[::1], intp)")
def copy_vector(tile: Tile, values: Any, first: Any, out: Any, begin: Any) -> None:
    """Copy values[first : first + LANES] to `out`, from `begin` on (an intrinsic).

    Array bounds are not checked.
    """
    tile.store(tile.results([tile.load(values, first)]), out, begin, begin)


@generated("void(float32[::1], intp, float32[::1], intp)")
def repeat_number(tile: Tile, values: Any, first: Any, out: Any, begin: Any) -> None:
    """Write values[first] LANES times to `out`, from `begin` on (an intrinsic).

    Array bounds are not checked.
    """
    value = tile.repeat(tile.builder.load(tile.at(values, first)))
    tile.store(tile.results([value]), out, begin, begin)


@generated("void(float32[::1], uint32[::1], float32[::1], intp)")
def gather_numbers(tile: Tile, values: Any, index: Any, out: Any, begin: Any) -> None:
    """Compute out[j] = values[index[j]] for LANES indices j (an intrinsic).

    `begin` is the first of these. Array bounds are not checked.
    """
    builder = tile.builder
    numbers = tile.ir.Constant(tile.vector, tile.ir.Undefined)
    for lane in range(LANES):
        at = builder.load(tile.at(index, builder.add(begin, begin.type(lane))))
        number = builder.load(tile.at(values, builder.zext(at, begin.type)))
        numbers = builder.insert_element(numbers, number, tile.ir.IntType(32)(lane))
    tile.store(tile.results([numbers]), out, begin, begin)
