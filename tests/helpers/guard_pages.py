"""Runs kernels of tiles on arrays that touch pages which may not be read or written.

A program of its own, because a step beyond an array ends it by a signal; the last line
that it prints then says where. What kernels allocate for themselves lies so, too.
`guard_pages.py behind`, `before` and `scratch` take such a step.
"""

import ctypes
import mmap
import sys

import numpy as np

from senna_py.kernels.decoding.arborescence import best_trees, score_heads
from senna_py.kernels.decoding.viterbi import viterbi
from senna_py.kernels.llvm.instructions import LANES
from senna_py.kernels.llvm.tile import ROWS, fill_tile
from senna_py.kernels.nn.gated import add_gated_units
from senna_py.kernels.nn.input_sums import (
    BLOCK,
    input_sums,
    pack_for_sums,
    scratch_widths,
)
from senna_py.kernels.nn.int8 import (
    BLOCK as WORD_BLOCK,
)
from senna_py.kernels.nn.int8 import (
    linear_of_int8,
    linear_of_words,
    pack,
    round_to_words,
    ways_here,
    words_of_row,
)
from senna_py.kernels.nn.layer_norm import normalize_rows
from senna_py.kernels.nn.linear import linear_of_rows, panels_of
from senna_py.kernels.nn.max_over_time import max_over_predicates, max_over_sentences
from senna_py.kernels.nn.pairs import score_pairs
from senna_py.kernels.nn.products import add_products
from senna_py.kernels.runtime.jit import kernel
from senna_py.layers.blocks import widen
from senna_py.layers.decoder import steps_of
from senna_py.layers.int8 import ByteColumns

ROW_COUNTS = (*range(1, 41), 95, 96, 97)
WIDTHS = (1, 15, 16, 17, 31, 32, 33, 48, 50)
_PAGE = mmap.PAGESIZE
_ARENA = 1 << 28  # bytes of memory for guarded arrays
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int


class Arena:
    """Memory in which every piece has a page before and behind it that must not be
    touched.
    """

    def __init__(self):
        self._map = mmap.mmap(-1, _ARENA, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.first = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        # whether pieces end where the page behind begins, or begin at the first
        self.behind = True
        self._at, self._closed = 0, {}

    def start_again(self):
        """Give back all pieces; those of before must not be used."""
        self._at = 0

    def take(self, n_bytes):
        """Address of a piece."""
        n_pages = max(-(-n_bytes // _PAGE), 1)
        size = (n_pages + 1) * _PAGE
        if self._at + size + _PAGE > _ARENA:
            raise MemoryError("the arena is full")
        begin = self.first + self._at
        self._open(begin, size + _PAGE)
        for page in (begin, begin + size):
            if _libc.mprotect(page, _PAGE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")
        self._at += size
        return begin + (size - n_bytes if self.behind else _PAGE)

    def _open(self, begin, size):
        _libc.mprotect(begin + _PAGE, size - _PAGE, mmap.PROT_READ | mmap.PROT_WRITE)

    def copy(self, array):
        """A copy of an array that touches a guard page."""
        place = (ctypes.c_char * max(array.nbytes, 1)).from_address(
            self.take(array.nbytes)
        )
        out = np.frombuffer(place, array.dtype, array.size).reshape(array.shape)
        out[...] = array
        return out

    def empty(self, *shape):
        """float32 of a shape, not numbers."""
        return self.copy(np.full(shape, np.nan, np.float32))


arena = Arena()


def guard_what_kernels_allocate():
    """Let arrays that compiled kernels make for themselves lie in the arena, too."""
    import llvmlite.binding
    from numba.core.registry import cpu_target
    from numba.core.runtime import _nrt_python, rtsys

    rtsys.initialize(cpu_target.target_context)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    table = ctypes.CFUNCTYPE(pointer)(_nrt_python.c_helpers["get_api"])()
    manage = ctypes.CFUNCTYPE(pointer, pointer, pointer)(
        ctypes.cast(table, ctypes.POINTER(pointer))[2]
    )
    keeps = ctypes.CFUNCTYPE(None, pointer)(lambda _: None)  # the arena does
    own = ctypes.CFUNCTYPE(pointer, size, ctypes.c_uint32)(
        lambda n, _: manage(arena.take(n), ctypes.cast(keeps, pointer))
    )
    for name in ("NRT_MemInfo_alloc_aligned", "NRT_MemInfo_alloc_safe_aligned"):
        llvmlite.binding.add_symbol(name, ctypes.cast(own, pointer).value)
    return keeps, own


def normal(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def check(out):
    """All of a result was written."""
    assert np.isfinite(out).all()


def run_layer(n, width):
    x, weight, bias = normal(40, 7), normal(7, width), normal(width)
    rows, panels = np.arange(n) % 40, panels_of(weight)
    out = arena.empty(n, width)
    rows[:2] = (0, 39)[: len(rows)]
    linear_of_rows(*map(arena.copy, (x, rows, weight, panels, bias)), out)
    check(out)


def run_maxima(n, width):
    for m in (0, 3, 12):
        x, bias, starts = (
            normal(n, width),
            normal(2 * m + 1, width),
            np.array([0, n], np.int32),
        )
        out = arena.empty(n, width)
        max_over_sentences(*map(arena.copy, (x, starts, bias)), out)
        check(out)
        one = np.zeros(1, np.int32), np.array([n // 2], np.int32)
        out = arena.empty(n, width)
        max_over_predicates(*map(arena.copy, (x, starts, *one, bias, bias)), out)
        check(out)


def run_sums_of_products(n, width):
    nothing = np.empty(0, np.int32)
    where, first = np.arange(n + 2, dtype=np.int32) % 3 - 1, np.arange(n)
    arrays = where, normal(2, 3, width), normal(1, 3, width)
    for more in (arrays, (nothing, *arrays[1:])):
        out = arena.empty(n, width)
        windows = first.astype(np.int32), normal(width), *arrays, *more
        add_products(*map(arena.copy, windows), out)
        check(out)


def packed_copies(weight, bias, size=1):
    """What `pack` makes by all ways, in the arena."""
    rounded = ByteColumns.of(weight)
    for way in ways_here():
        packed = pack(rounded.numbers, rounded.scales, bias, way, size)
        yield *map(arena.copy, packed[:4]), way, *map(arena.copy, packed[5:])


def run_int8_layer(n, width):
    x = normal(n, width)
    for weight in packed_copies(normal(width, width), normal(width)):
        out = arena.empty(n, width)
        linear_of_int8(arena.copy(x), weight, out)
        check(out)
        shape = n + WORD_BLOCK, words_of_row(width, weight[4])
        words, scales = arena.copy(np.zeros(shape, np.int32)), arena.empty(n)
        round_to_words(arena.copy(x), 0, width, weight[4], words[:n], scales)
        later = arena.empty(n, width)
        linear_of_words(words[:n], scales, weight, later)
        assert np.array_equal(out, later)


def run_first_layer(n, width):
    panels, *sizes = pack_for_sums((100 * normal(width, width)).astype(np.int16))
    weight = arena.copy(panels), *sizes
    scratch = [arena.empty(BLOCK, size) for size in scratch_widths(weight)]
    out = arena.copy(np.full((n, width), 1 << 30, np.int32))
    x, scratch = arena.copy(normal(n, width)), [each.view(np.int32) for each in scratch]
    input_sums(x, np.float32(1000), weight, *scratch, out)
    assert (out < 1 << 30).all()


def run_pairs(n, width):
    parts, table = (normal(n, 2 * width), normal(n, 2 * width)), normal(3, width)
    pairs = np.arange(n - 1, -1, -1), np.arange(n), np.arange(n) % 3
    for weight in packed_copies(normal(width, 7), normal(7)):
        out = arena.empty(n, 7)
        rows = map(arena.copy, (np.int32(index) for index in pairs))
        score_pairs(*map(arena.copy, (*parts, table)), *rows, weight, out)
        check(out)


def run_gated(n, width):
    x, weight, bias = normal(n, width), normal(3 * width, 2 * width), normal(2 * width)
    half = np.array([0, n // 2, n], np.int32) if n > 1 else np.array([0, n], np.int32)
    for packed in packed_copies(weight, bias, 3):
        for dilation in (1, 4):
            out = arena.empty(n, width)
            gain, shift = normal(width), normal(width)
            given = *map(arena.copy, (x, gain, shift, half)), dilation, 3
            add_gated_units(*given, packed, out)
            check(out)


def run_norm(n, width):
    out = arena.empty(n, width)
    normalize_rows(
        *map(arena.copy, (normal(n, width), normal(width), normal(width))), out
    )
    check(out)


def run_decoding(n, width):
    for n_tags in (width, width + 95):  # the latter chooses sources
        transition = normal(n_tags, n_tags)
        transition[2:, 1::2] = -2000  # tags within a segment
        last = widen(transition.T, -np.inf), widen(normal(n_tags), -np.inf)
        steps = tuple(map(arena.copy, steps_of(transition)))
        emission, initial = map(
            arena.copy, map(widen, (normal(n, n_tags), normal(n_tags)))
        )
        tags = arena.copy(np.full(n, -1, np.int32))
        starts = arena.copy(np.array([0, n], np.int32))
        viterbi(
            emission,
            0,
            starts,
            initial,
            steps,
            *map(arena.copy, last),
            arena.empty(*emission.shape),
            tags,
        )
        assert ((tags >= 0) & (tags < n_tags)).all()


def run_heads(n, width):
    starts, m = np.array([0, n // 3, n], np.int32), width // 2
    sizes = np.diff(starts).astype(np.int64)
    ends = np.cumsum(sizes * (sizes + 1))
    scores, head = arena.empty(ends[-1]), arena.copy(np.full(n, -2, np.int32))
    given = normal(n + 1, width + 1), normal(n, 2 * m + 1), starts
    for way in ways_here():
        shape = n + WORD_BLOCK, words_of_row(width, way)
        words, scales = arena.copy(np.zeros(shape, np.int32))[:n], arena.empty(n)
        round_to_words(normal(n, width), 0, width, way, words, scales)
        score_heads(words, scales, *map(arena.copy, given), way, scores)
        check(scores)
    best_trees(scores, arena.copy(ends - sizes * (sizes + 1)), arena.copy(starts), head)
    assert ((head >= -1) & (head < n)).all()


RUNS = (
    run_layer,
    run_maxima,
    run_sums_of_products,
    run_int8_layer,
    run_first_layer,
    run_pairs,
    run_gated,
    run_norm,
    run_decoding,
    run_heads,
)


def run_all():
    kept = guard_what_kernels_allocate()
    for behind in (True, False):
        arena.behind = behind
        for run in RUNS:
            for n in ROW_COUNTS:
                # Of more rows than a tile has, some widths each: they end in tiles like
                # the others.
                for width in WIDTHS if n <= 2 * ROWS else WIDTHS[n % 3 :: 3]:
                    print(
                        run.__name__,
                        n,
                        width,
                        "behind" if behind else "before",
                        flush=True,
                    )
                    arena.start_again()
                    run(n, width)
    return kept


@kernel
def _one_tile(x, rows, panel, bias, out, o_begin):
    fill_tile(x, 3, rows, 0, panel, 0, bias, 0, out, o_begin, LANES)


@kernel
def _one_tile_of_scratch(n, rows, panel, bias, out):
    _one_tile(np.ones(n, np.float32), rows, panel, bias, out, 0)


def run_outside(where):
    """A tile of which one number lies outside its arrays, `behind`, `before` or in
    `scratch`.
    """
    kept = guard_what_kernels_allocate()
    arena.behind = where != "before"
    rows, panel, bias = map(
        arena.copy, (np.arange(ROWS), normal(3 * LANES), normal(LANES))
    )
    out = arena.empty(ROWS * LANES)
    _one_tile(arena.copy(normal(3 * ROWS)), rows, panel, bias, out, 0)
    _one_tile_of_scratch(3 * ROWS, rows, panel, bias, out)
    print("inside", flush=True)
    if where == "scratch":
        _one_tile_of_scratch(3 * ROWS - 1, rows, panel, bias, out)
    else:
        _one_tile(
            arena.copy(normal(3 * ROWS)),
            rows,
            panel,
            bias,
            out,
            1 if arena.behind else -1,
        )
    return kept


if __name__ == "__main__":
    print("ways", *ways_here(), flush=True)
    _kept = run_outside(sys.argv[1]) if sys.argv[1:] else run_all()
    print("done")
