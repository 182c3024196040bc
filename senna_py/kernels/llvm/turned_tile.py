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
_VECTORS = 2  # of rows in a tile
ROWS, COLUMNS = _VECTORS * SIDE, 4  # of a tile
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
    words, number = _Words(tile), width.type
    columns = [
        words.repeated(begins, tile.builder.add(b_begin, number(c)))
        for c in range(COLUMNS)
    ]
    sums = words.results([each for each in columns for _ in range(_VECTORS)])
    vectors = [words.plus(x_begin, width, number(v * SIDE)) for v in range(_VECTORS)]
    _add_panels(words, x, vectors, first, end, panels, p_begin, p_width, sums)
    _add_steps(words, x, vectors, extra, e_begin, e_end, sums)
    _store_rows(words, sums, out, o_begin, o_width)


def _add_panels(
    words: _Words,
    x: Any,
    vectors: list[Any],
    first: Any,
    end: Any,
    panels: Any,
    p_begin: Any,
    p_width: Any,
    sums: list[Any],
) -> None:
    """Generate the loop of `multiply_turned` over panels, two words at a time.

    Args:
        words: The generator.
        x, first, end, panels, p_begin, p_width: See `multiply_turned`.
        vectors: The positions in x where the rows of each vector begin.
        sums: The variables that are added to; see `_store_rows`.
    """
    builder, number = words.builder, first.type
    with words.tools.for_range_slice(builder, first, end, number(2), number) as (k, _):
        steps = [builder.add(k, number(j)) for j in range(2)]
        rows = [
            [words.load(x, words.plus(begin, step, number(SIDE))) for step in steps]
            for begin in vectors
        ]
        for c in range(COLUMNS):
            weights = [
                words.repeated(
                    panels, builder.add(words.plus(p_begin, step, p_width), number(c))
                )
                for step in steps
            ]
            for v in range(_VECTORS):
                both = map(words.products, rows[v], weights)
                words.add(sums[c * _VECTORS + v], builder.add(*both))


def _add_steps(
    words: _Words,
    x: Any,
    vectors: list[Any],
    extra: Any,
    e_begin: Any,
    e_end: Any,
    sums: list[Any],
) -> None:
    """Generate the loop of `multiply_turned` over the steps for what is left over.

    Args:
        words: The generator.
        x, extra, e_begin, e_end: See `multiply_turned`.
        vectors, sums: See `_add_panels`.
    """
    builder, number = words.builder, e_begin.type
    with words.tools.for_range_slice(
        builder, e_begin, e_end, number(2 * COLUMNS), number
    ) as (step, _):
        for c in range(COLUMNS):
            at = builder.load(words.at(extra, builder.add(step, number(c))))
            at = builder.sext(at, number)
            own = words.repeated(extra, builder.add(step, number(COLUMNS + c)))
            for v, begin in enumerate(vectors):
                row = words.load(x, builder.add(begin, at))
                words.add(sums[c * _VECTORS + v], words.products(row, own))


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
