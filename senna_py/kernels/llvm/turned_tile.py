"""Products of 8-bit integers with AVX2, for tiles whose vectors contain words of 8 rows.

`pmaddubsw` multiplies twice as many integers as `pmaddwd`, but its sums have 16 bits. So
sums of two products, and of those of GROUP words, must fit into 16 bits for all inputs.
`kernels.nn.limited_sums` divides weights so that they do. This is the reason why vectors
contain words of rows: which words are added differs between tiles.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import Tile, generated, has_features

if TYPE_CHECKING:
    from typing import Any

SIDE = 8  # the number of rows whose words are in a vector
_VECTORS = 2  # of rows in a tile
ROWS, COLUMNS = _VECTORS * SIDE, 4  # of a tile
GROUP = 2  # the number of words whose products are added in 16 bits
_PMADDUBSW, _PMADDWD = "llvm.x86.avx2.pmadd.ub.sw", "llvm.x86.avx2.pmadd.wd"
# Shuffles of two vectors that transpose a square of words: words, pairs of words, halves.
_WORDS = (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)
_PAIRS = (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)
_HALVES = (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)


class _Words(Tile):
    """Helpers for vectors that contain a word of each of SIDE rows."""

    def __init__(self, tile: Tile) -> None:
        super().__init__(tile.context, tile.builder, tile.ir.IntType(32), SIDE)

    def repeated(self, array: Any, position: Any) -> Any:
        """Load a word of a column, and repeat it for all rows."""
        return self.repeat(self.builder.load(self.at(array, position)))

    def products(self, rows: Any, weight: Any) -> Any:
        """Return the products of two vectors, of which each two are added in 16 bits."""
        kind = self.integers(8, 4 * SIDE)
        taken = (self.builder.bitcast(each, kind) for each in (rows, weight))
        return self.call(_PMADDUBSW, self.integers(16, 2 * SIDE), *taken)

    def add(self, total: Any, sums: Any) -> None:
        """Add the sums of 16 bits of each row to the variable `total`."""
        ones = sums.type([1] * sums.type.count)
        found = self.call(_PMADDWD, self.vector, sums, ones)
        self.builder.store(self.builder.add(self.builder.load(total), found), total)


def _transposed(tile: Tile, rows: Any) -> list[Any]:
    """Return the columns of a square of SIDE vectors."""
    words = [tile.pick(w, rows[k], rows[k + 1]) for k in (0, 2, 4, 6) for w in _WORDS]
    pairs = [tile.pick(p, words[k], words[k + 2]) for k in (0, 1, 4, 5) for p in _PAIRS]
    return [tile.pick(h, pairs[k], pairs[k + 4]) for h in _HALVES for k in range(4)]


@generated("void(int32[::1], intp, intp, int32[::1], intp)")
def turn_rows(
    tile: Tile, x: Any, x_begin: Any, width: Any, out: Any, o_begin: Any
) -> None:
    """Copy the words of SIDE rows so that those of a column are a vector (an intrinsic).

    out[o_begin + k * SIDE + r] = x[x_begin + r * width + k] for k < width, which is a
    multiple of SIDE. Array bounds are not checked.
    """
    tile = _Words(tile)
    builder, number = tile.builder, width.type
    with tile.tools.for_range_slice(
        builder, number(0), width, number(SIDE), number
    ) as (k, _):
        begin = builder.add(x_begin, k)
        rows = [tile.load(x, tile.plus(begin, width, number(r))) for r in range(SIDE)]
        results = tile.results(_transposed(tile, rows))
        tile.store(results, out, tile.plus(o_begin, k, number(SIDE)), number(SIDE))


@generated(
    "void(int32[::1], intp, intp, int32[::1], intp, int32[::1], intp, intp, "
    "int32[::1], intp, int32[::1], intp, intp)"
)
def multiply_turned(
    tile: Tile,
    x: Any,
    x_begin: Any,
    width: Any,
    panels: Any,
    p_begin: Any,
    places: Any,
    first: Any,
    end: Any,
    begins: Any,
    b_begin: Any,
    out: Any,
    o_begin: Any,
    o_width: Any,
) -> None:
    """Multiply ROWS rows by COLUMNS columns (an intrinsic).

    Array bounds are not checked. If the processor does not have AVX2, nothing is done.

    Args:
        tile: The generator.
        x, x_begin: The results of `turn_rows` for the rows, one behind the other, and
            their first element. A word contains four integers from 0 to 255.
        width: The number of words of a row.
        panels, p_begin, places, first, end: The words of the weight, which
            `kernels.nn.limited_sums.limit_sums` returns. For each k from `first` to
            `end`, word places[k] / SIDE of the rows is multiplied by word
            panels[p_begin + k * COLUMNS + c] of column c. Their number is a multiple
            of GROUP.
        begins, b_begin: The sum of column c begins with begins[b_begin + c].
        out: out[o_begin + r * o_width + c] receives the sum of row r and column c.
        o_begin, o_width: See `out`.
    """
    if not has_features(tile.context, "avx2"):
        return
    words, number = _Words(tile), width.type
    columns = [
        words.repeated(begins, tile.builder.add(b_begin, number(c)))
        for c in range(COLUMNS)
    ]
    sums = words.results([each for each in columns for _ in range(_VECTORS)])
    vectors = [words.plus(x_begin, width, number(v * SIDE)) for v in range(_VECTORS)]
    _add_panels(words, x, vectors, panels, p_begin, places, first, end, sums)
    _store_rows(words, sums, out, o_begin, o_width)


def _add_panels(
    words: _Words,
    x: Any,
    vectors: list[Any],
    panels: Any,
    p_begin: Any,
    places: Any,
    first: Any,
    end: Any,
    sums: list[Any],
) -> None:
    """Generate the loop of `multiply_turned` over panels, GROUP words at a time.

    Args:
        words: The generator.
        x, panels, p_begin, places, first, end: See `multiply_turned`.
        vectors: The positions in x where the rows of each vector begin.
        sums: The variables that are added to; see `_store_rows`.
    """
    builder, number = words.builder, first.type
    step = number(GROUP)
    with words.tools.for_range_slice(builder, first, end, step, number) as (k, _):
        each = [builder.add(k, number(j)) for j in range(GROUP)]
        taken = [builder.sext(builder.load(words.at(places, j)), number) for j in each]
        rows = [
            [words.load(x, builder.add(begin, place)) for place in taken]
            for begin in vectors
        ]
        begins = [words.plus(p_begin, j, number(COLUMNS)) for j in each]
        for c in range(COLUMNS):
            weights = [
                words.repeated(panels, builder.add(begin, number(c)))
                for begin in begins
            ]
            for v in range(_VECTORS):
                products = map(words.products, rows[v], weights)
                words.add(sums[c * _VECTORS + v], reduce(builder.add, products))


def _store_rows(
    words: _Words, sums: list[Any], out: Any, o_begin: Any, o_width: Any
) -> None:
    """Generate the end of `multiply_turned`, which stores the sums of each row.

    Args:
        words: The generator.
        sums: The variables with the sums of each column and each vector of rows:
            vector v of column c is sums[c * _VECTORS + v].
        out, o_begin, o_width: See `multiply_turned`.
    """
    builder = words.builder
    short = Tile(words.context, builder, words.ir.IntType(32), COLUMNS)
    for v in range(_VECTORS):
        columns = [builder.load(total) for total in sums[v::_VECTORS]]
        mixed = [words.pick(w, *columns[k : k + 2]) for k in (0, 2) for w in _WORDS]
        pairs = [words.pick(p, mixed[k], mixed[k + 2]) for k in (0, 1) for p in _PAIRS]
        rows = [
            words.pick(range(k, k + COLUMNS), pair)
            for k in (0, COLUMNS)
            for pair in pairs
        ]
        begin = words.plus(o_begin, o_width, o_width.type(v * SIDE))
        short.store(short.results(rows), out, begin, o_width)
