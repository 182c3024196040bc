"""Products of 8-bit integers with AVX2, for tiles whose vectors contain words of 8 rows.

`pmaddubsw` multiplies twice as many integers as `pmaddwd`, but its sums have 16 bits. So
sums of two products, and of those of two words, must fit into 16 bits for all inputs.
`kernels.nn.limited_sums` divides weights so that they do. This is the reason why vectors
contain words of rows: what is left over differs between columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from senna_py.kernels.llvm.instructions import Tile, generated, has_features

if TYPE_CHECKING:
    from typing import Any

SIDE = 8  # the number of rows whose words are in a vector
ROWS, COLUMNS = 2 * SIDE, 4  # of a tile
_PMADDUBSW, _PMADDWD = "llvm.x86.avx2.pmadd.ub.sw", "llvm.x86.avx2.pmadd.wd"
# Shuffles of two vectors that transpose a square of words: words, pairs of words, halves.
_WORDS = (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15)
_PAIRS = (0, 1, 8, 9, 4, 5, 12, 13), (2, 3, 10, 11, 6, 7, 14, 15)
_HALVES = (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)


def _vectors(tile: Tile) -> Tile:
    return Tile(tile.context, tile.builder, tile.ir.IntType(32), SIDE)


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
    tile = _vectors(tile)
    builder, number = tile.builder, width.type
    with tile.tools.for_range_slice(
        builder, number(0), width, number(SIDE), number
    ) as (k, _):
        begin = builder.add(x_begin, k)
        rows = [tile.load(x, tile.plus(begin, width, number(r))) for r in range(SIDE)]
        results = tile.results(_transposed(tile, rows))
        tile.store(results, out, tile.plus(o_begin, k, number(SIDE)), number(SIDE))


@generated(
    "void(int32[::1], intp, intp, intp, intp, int32[::1], intp, int32[::1], intp, intp, "
    "int32[::1], intp, intp, int32[::1], intp, intp)"
)
def multiply_turned(
    tile: Tile,
    x: Any,
    x_begin: Any,
    width: Any,
    first: Any,
    end: Any,
    begins: Any,
    b_begin: Any,
    panels: Any,
    p_begin: Any,
    p_width: Any,
    extra: Any,
    e_begin: Any,
    e_end: Any,
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
        first, end: The range of the words that are multiplied by panels, both even.
        begins, b_begin: The sum of column c begins with begins[b_begin + c].
        panels: Words of four integers from -127 to 127, as
            `kernels.nn.limited_sums.limit_sums` returns them: word k of column c is
            panels[p_begin + k * p_width + c].
        p_begin, p_width: See `panels`.
        extra: The steps for what is left over. In a step, column c adds the products of
            word extra[e + c] / SIDE of the rows and the word extra[e + COLUMNS + c].
        e_begin, e_end: The range of the steps in `extra`; a step is 2 * COLUMNS long.
        out: out[o_begin + r * o_width + c] receives the sum of row r and column c.
        o_begin, o_width: See `out`.
    """
    if not has_features(tile.context, "avx2"):
        return
    tile = _vectors(tile)
    builder, number, n_vectors = tile.builder, width.type, ROWS // SIDE
    narrow, wide = tile.integers(16, 2 * SIDE), tile.integers(32, SIDE)
    ones = narrow([1] * (2 * SIDE))
    vectors = [tile.plus(x_begin, width, number(v * SIDE)) for v in range(n_vectors)]

    def products(rows: Any, weight: Any) -> Any:
        taken = (
            builder.bitcast(each, tile.integers(8, 4 * SIDE)) for each in (rows, weight)
        )
        return tile.call(_PMADDUBSW, narrow, *taken)

    def weight(array: Any, position: Any) -> Any:
        return tile.repeat(builder.load(tile.at(array, position)))

    def add(total: Any, sums: Any) -> None:
        found = tile.call(_PMADDWD, wide, sums, ones)
        builder.store(builder.add(builder.load(total), found), total)

    columns = [weight(begins, builder.add(b_begin, number(c))) for c in range(COLUMNS)]
    sums = tile.results([each for each in columns for _ in range(n_vectors)])
    with tile.tools.for_range_slice(builder, first, end, number(2), number) as (
        k,
        _,
    ):
        steps = [builder.add(k, number(j)) for j in range(2)]
        rows = [
            [tile.load(x, tile.plus(begin, step, number(SIDE))) for step in steps]
            for begin in vectors
        ]
        for c in range(COLUMNS):
            weights = [
                weight(
                    panels, builder.add(tile.plus(p_begin, step, p_width), number(c))
                )
                for step in steps
            ]
            for v in range(n_vectors):
                both = map(products, rows[v], weights)
                add(sums[c * n_vectors + v], builder.add(*both))
    with tile.tools.for_range_slice(
        builder, e_begin, e_end, number(2 * COLUMNS), number
    ) as (step, _):
        for c in range(COLUMNS):
            at = builder.load(tile.at(extra, builder.add(step, number(c))))
            at = builder.sext(at, number)
            own = weight(extra, builder.add(step, number(COLUMNS + c)))
            for v, begin in enumerate(vectors):
                row = tile.load(x, builder.add(begin, at))
                add(sums[c * n_vectors + v], products(row, own))
    short = Tile(tile.context, builder, tile.ir.IntType(32), COLUMNS)
    for v in range(n_vectors):
        columns = [builder.load(total) for total in sums[v::n_vectors]]
        words = [tile.pick(w, *columns[k : k + 2]) for k in (0, 2) for w in _WORDS]
        pairs = [tile.pick(p, words[k], words[k + 2]) for k in (0, 1) for p in _PAIRS]
        rows = [
            tile.pick(range(k, k + COLUMNS), pair)
            for k in (0, COLUMNS)
            for pair in pairs
        ]
        begin = tile.plus(o_begin, o_width, number(v * SIDE))
        short.store(short.results(rows), out, begin, o_width)
