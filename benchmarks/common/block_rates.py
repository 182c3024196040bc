"""Rates of the English model's gated blocks, with the instructions of this process.

Run as a program, it prints a dict as JSON, with operations per second: `alone` is the
rate of the instructions that multiply integers, with all numbers in registers or in the
first cache; `products` is the rate of the products of the blocks; and `blocks` the rate
of the whole blocks, with norms, rounding, scales, gates and residuals, of which only the
products count as operations. `way` is the name of the instructions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import numba
import numpy as np

from senna_py.kernels.llvm.instructions import LANES, WIDE, generated, has_features
from senna_py.kernels.llvm.int8_tile import WAYS
from senna_py.kernels.llvm.matrix_tile import MATRIX_ROWS
from senna_py.kernels.nn.int8 import BLOCK, multiply_words, room_for_rows, ways_here
from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.gated_convolution import GatedBlock
from senna_py.layers.int8 import Int8Weight

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from senna_py.kernels.llvm.instructions import Tile
    from senna_py.kernels.llvm.int8_tile import Way

__all__ = ["NUMPY", "instruction_sets", "measure_blocks"]

NUMPY = "NumPy"
_WIDTH, _SIZE, _DILATIONS = 256, 3, (1, 2, 4, 8, 1, 2, 4)  # the English model's
_SENTENCE = 25  # words
_STEPS = 20_000  # of the loop of products alone, a millisecond or a few
_UNROLLED = 4


class _Instructions(NamedTuple):
    """A set of instructions that a processor may have."""

    feature: str  # the LLVM feature of processors that have it
    without: tuple[str, ...]  # how the features begin that are switched off


_SETS = {
    "AMX": _Instructions("amx-int8", ()),
    "AVX-512 VNNI": _Instructions("avx512vnni", ("amx",)),
    "AVX-512": _Instructions("avx512f", ("amx", "avx512vnni", "avxvnni")),
    "AVX-VNNI": _Instructions("avxvnni", ("amx", "avx512")),
    "AVX2": _Instructions("avx2", ("amx", "avx512", "avxvnni")),
    "ARM dot products": _Instructions("dotprod", ()),
}


def instruction_sets() -> dict[str, dict[str, str]]:
    """Return the instruction sets of this processor, the fastest first.

    Returns:
        Their names, each with the environment of a process that is to use no faster
        ones. The last one is NUMPY.
    """
    import llvmlite.binding

    here = llvmlite.binding.get_host_cpu_features()
    found = {}
    for name, (feature, without) in _SETS.items():
        if here.get(feature):
            kept = {key: on and not key.startswith(without) for key, on in here.items()}
            features = ",".join(
                f"{'+' if on else '-'}{key}" for key, on in kept.items()
            )
            found[name] = {
                "NUMBA_CPU_NAME": llvmlite.binding.get_host_cpu_name(),
                "NUMBA_CPU_FEATURES": features,
            }
    return {**found, NUMPY: {}}


def measure_blocks(name: str, rows: int, rounds: int) -> dict[str, Any]:
    """Measure an instruction set in a process of its own; return what that prints.

    Args:
        name: One of `instruction_sets`.
        rows: The number of words.
        rounds: The number of times that each loop is measured; the best counts.
    """
    environment = os.environ | instruction_sets()[name]
    command = [sys.executable, "-m", "common.block_rates", name, str(rows), str(rounds)]
    done = subprocess.run(
        command,
        cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


@generated("void(intp, intp, int32[::1], int32[::1])")
def _repeat_products(tile: Tile, way: Any, n: Any, x: Any, out: Any) -> None:
    """Add products of integers of x to sums in registers, n times (an intrinsic).

    The sums are written to `out`, so that they are not optimized away. The number of
    products of a step is that of `_vectors` times LANES words.
    """
    builder, number = tile.builder, n.type
    words = type(tile)(tile.context, builder, tile.ir.IntType(32))
    n_left, n_right = _vectors(has_features(tile.context, WIDE))
    zeros = words.integers(32, LANES)([0] * LANES)
    for k, each in enumerate(WAYS):
        can_run = has_features(tile.context, *each.features)
        if not (can_run and (each.function or each.turned)):
            continue
        with builder.if_then(builder.icmp_signed("==", way, way.type(k))):
            sums = words.results([zeros] * (n_left * n_right))
            right = [words.load(x, number(j * LANES)) for j in range(n_right)]
            with words.tools.for_range(builder, n) as loop:
                place = builder.and_(loop.index, number(7))
                for step in range(_UNROLLED):
                    for i in range(n_left):
                        begin = number((1 + n_right + step * n_left + i) * LANES)
                        left = words.load(x, words.plus(begin, place, number(LANES)))
                        for j in range(n_right):
                            total = sums[i * n_right + j]
                            added = _added(
                                words, each, builder.load(total), left, right[j]
                            )
                            builder.store(added, total)
            words.store(sums, out, number(0), number(LANES))


def _vectors(is_wide: bool) -> tuple[int, int]:
    """Return how many vectors are multiplied by how many others in each step."""
    return (6, 2) if is_wide else (6, 1)


def _added(words: Tile, way: Way, total: Any, *factors: Any) -> Any:
    """Generate sums plus products of vectors of LANES words.

    If the way is turned, they are the products of two pairs of vectors.
    """
    halves = [range(k, k + way.lanes) for k in range(0, LANES, way.lanes)]
    made = []
    for half in halves:
        taken = words.integers(way.takes, way.lanes * 32 // way.takes)
        pair = [words.builder.bitcast(words.pick(half, v), taken) for v in factors]
        kind, before = words.integers(32, way.lanes), words.pick(half, total)
        if way.turned:
            made.append(_turned_sums(words, before, *pair))
        elif way.adds:
            made.append(words.call(way.function, kind, before, *pair))
        else:
            products = words.call(way.function, kind, *pair)
            made.append(words.builder.add(before, products))
    while len(made) > 1:
        n = 2 * made[0].type.count
        made = [words.pick(range(n), *made[k : k + 2]) for k in range(0, len(made), 2)]
    return made[0]


def _turned_sums(words: Tile, total: Any, a: Any, b: Any) -> Any:
    """Generate sums plus products of two words each, as `multiply_turned` adds them."""
    narrow = words.integers(16, a.type.count // 2)
    both = (
        words.call("llvm.x86.avx2.pmadd.ub.sw", narrow, *pair)
        for pair in ((a, b), (b, a))
    )
    ones = narrow([1] * narrow.count)
    sums = words.call(
        "llvm.x86.avx2.pmadd.wd", total.type, words.builder.add(*both), ones
    )
    return words.builder.add(total, sums)


@numba.njit
def _products_alone(way: int, n: int, x: Any, out: Any) -> None:
    _repeat_products(way, n, x, out)


def _best(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the least seconds of processor time of each run, after one that compiles.

    They take turns, because the speed of a processor changes.
    """
    best = dict.fromkeys(runs, np.inf)
    for k in range(1 + rounds):
        for name, run in runs.items():
            begin = time.process_time()
            run()
            if k:
                best[name] = min(best[name], time.process_time() - begin)
    return best


def _rates(rows: int, rounds: int) -> dict[str, Any]:
    """Return what the program prints, for compiled kernels."""
    way = ways_here()[-1]
    weights = _weights()
    blocks = _blocks(weights)
    packed = [Int8Weight(*weight).arrays for weight in weights]
    words, sums, _ = room_for_rows(_SIZE * _WIDTH, packed[0])
    words[:] = np.random.default_rng(1).integers(0, 1 << 30, words.shape)
    x, starts = _text(rows)

    def products() -> None:
        for weight in packed:
            for first in range(0, rows, BLOCK):
                n = min(BLOCK, rows - first)
                multiply_words(words, np.int64(0), n, weight, sums)

    runs: dict[str, Callable[[], object]] = {
        "products": products,
        "blocks": lambda: _run(blocks, x, starts),
    }
    work = dict.fromkeys(runs, _work(rows))
    if WAYS[way].rows != MATRIX_ROWS and (WAYS[way].function or WAYS[way].turned):
        runs["alone"], work["alone"] = _alone(way)
    seconds = _best(runs, rounds)
    return {"way": WAYS[way].name, **{key: work[key] / seconds[key] for key in runs}}


def _alone(way: int) -> tuple[Callable[[], object], float]:
    """Return a function that runs the instructions alone, and its operations."""
    from numba.core.registry import cpu_target

    n_left, n_right = _vectors(has_features(cpu_target.target_context, WIDE))
    x = np.arange(64 * LANES, dtype=np.int32)
    out = np.empty(n_left * n_right * LANES, np.int32)
    per_word = 2 * 32 // WAYS[way].bits * (2 if WAYS[way].turned else 1)
    work = float(_STEPS * _UNROLLED * len(out) * per_word)
    return lambda: _products_alone(way, _STEPS, x, out), work


def _rates_of_numpy(rows: int, rounds: int) -> dict[str, Any]:
    """Return what the program prints, for fallbacks."""
    rng = np.random.default_rng(1)
    square = rng.random((512, 512), np.float32)
    windows = rng.random((rows, _SIZE * _WIDTH), np.float32)
    x, starts = _text(rows)
    with fixed_kernels(plain=True):
        weights = _weights()
        blocks = _blocks(weights)
        runs: dict[str, Callable[[], object]] = {
            "products": lambda: [windows @ w for w, _ in weights],
            "blocks": lambda: _run(blocks, x, starts),
            "alone": lambda: square @ square,
        }
        seconds = _best(runs, rounds)
    work = dict.fromkeys(runs, _work(rows)) | {"alone": 2.0 * 512**3}
    rates = {key: work[key] / seconds[key] for key in runs}
    return {"way": "BLAS, float32", **rates}


def _work(rows: int) -> float:
    """Return the operations of the products of all blocks, two per multiply-add."""
    return 2.0 * rows * len(_DILATIONS) * _SIZE * _WIDTH * 2 * _WIDTH


def _weights() -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the weight and the bias of each block, drawn at random."""
    return [
        (
            _normal(k, 0.03, _SIZE * _WIDTH, 2 * _WIDTH),
            _normal(100 + k, 0.1, 2 * _WIDTH),
        )
        for k in range(1, len(_DILATIONS) + 1)
    ]


def _blocks(weights: list[tuple[np.ndarray, np.ndarray]]) -> list[GatedBlock]:
    norm = 1 + _normal(0, 0.1, _WIDTH), _normal(0, 0.1, _WIDTH)
    return [
        GatedBlock("block", *norm, *weight, dilation)
        for weight, dilation in zip(weights, _DILATIONS, strict=True)
    ]


def _normal(seed: int, spread: float, *shape: int) -> np.ndarray:
    """Return an array of float32, drawn from a normal distribution."""
    return np.random.default_rng(seed).normal(0, spread, shape).astype(np.float32)


def _text(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the states of words, and where their sentences begin."""
    starts = np.append(np.arange(0, rows, _SENTENCE), rows).astype(np.int32)
    return _normal(200, 1, rows, _WIDTH), starts


def _run(blocks: list[GatedBlock], x: np.ndarray, starts: np.ndarray) -> np.ndarray:
    for block in blocks:
        x = block.outputs(x, starts)
    return x


def _main(name: str, rows: str, rounds: str) -> None:
    measure = _rates_of_numpy if name == NUMPY else _rates
    print(json.dumps(measure(int(rows), int(rounds))))


if __name__ == "__main__":
    _main(*sys.argv[1:])
