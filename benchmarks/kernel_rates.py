"""Kernels of the large networks compared with alternatives, alternately, on one core.

python benchmarks/kernel_rates.py [--rows 1024] [--rounds 30] [--blocks]

It compares layers whose weights are laid out in panels with layers without panels and
with NumPy's matrix product; layers in 8 bits, with all instructions that the processor
has, with float32 in panels; maxima over time of sentences of 29 words with a plain loop
that Numba compiles; and steps of Viterbi over the tags from which a best path may come
with steps over all tags. The best of all rounds counts.

With --blocks, it measures the gated blocks of the English model instead, with each set of
instructions of this processor and with NumPy, in a process each: a loop of products
alone, whose numbers stay in registers; the products of the blocks; and the whole blocks.
"""

import os

_VARIABLES = ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"]
os.environ.update(dict.fromkeys(_VARIABLES, "1"))

import argparse
import time

import numba
import numpy as np
from common.block_rates import instruction_sets, measure_blocks
from common.tables import print_table

from senna_py.kernels.decoding.viterbi import (
    largest_of_sources,
    largest_sums,
    likely_sources,
    make_room,
)
from senna_py.kernels.llvm.int8_tile import WAYS
from senna_py.kernels.nn.int8 import linear_of_int8, pack, ways_here
from senna_py.kernels.nn.linear import linear_of_rows, panels_of
from senna_py.kernels.nn.max_over_time import max_over_sentences
from senna_py.layers.blocks import aligned
from senna_py.layers.decoder import steps_of
from senna_py.layers.int8 import ByteColumns

_WORDS = 29  # of a sentence


def best_times(ways, rounds):
    """Return the least seconds of each function by name; the functions take turns."""
    best = dict.fromkeys(ways, np.inf)
    for way in ways.values():
        way()  # compiles
    for _ in range(rounds):
        for name, way in ways.items():
            begin = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - begin)
    return best


def normal(rng, *shape):
    """Return an aligned array of float32."""
    out = aligned(*shape)
    out[...] = rng.normal(size=shape)
    return out


def layers(rng, rows, n_in, n_out):
    """Return functions that compute a linear layer."""
    x, weight, bias = (
        normal(rng, rows, n_in),
        normal(rng, n_in, n_out),
        normal(rng, n_out),
    )
    out, index, none = aligned(rows, n_out), np.arange(rows), np.empty(0, np.float32)
    panels = panels_of(weight)
    return {
        "panels": lambda: linear_of_rows(x, index, weight, panels, bias, out),
        "no panels": lambda: linear_of_rows(x, index, weight, none, bias, out),
        "NumPy, without bias": lambda: np.matmul(x, weight, out=out),
    }


def rounded_layers(rng, rows, n_in, n_out):
    """Return functions that compute a linear layer in 8 bits, and one in float32."""
    x, weight, bias = (
        normal(rng, rows, n_in),
        normal(rng, n_in, n_out),
        normal(rng, n_out),
    )
    out = aligned(rows, n_out)

    def layer(way):
        rounded = ByteColumns.of(weight)
        packed = pack(rounded.numbers, rounded.scales, bias, way)
        return lambda: linear_of_int8(x, packed, out)

    found = {WAYS[way].name: layer(way) for way in ways_here()}
    return {"float32": layers(rng, rows, n_in, n_out)["panels"], **found}


@numba.njit(fastmath={"contract"}, error_model="numpy")
def _plain_maxima(x, n_words, bias, out):
    m = len(bias) // 2
    out[:] = -np.inf
    for w in range(len(x)):
        first = w - w % n_words
        for i in range(first, first + n_words):
            distance = min(max(i - w, -m), m) + m
            for j in range(x.shape[1]):
                value = x[i, j] + bias[distance, j]
                out[w, j] = value if value > out[w, j] else out[w, j]


def maxima(rng, n_words, n_hidden, m):
    """Return functions that compute maxima over time; `m` is the largest distance."""
    x, bias, out = (normal(rng, n, n_hidden) for n in (n_words, 2 * m + 1, n_words))
    starts = np.arange(0, n_words + 1, _WORDS, dtype=np.int32)
    return {
        "tiles": lambda: max_over_sentences(x, starts, bias, out),
        "plain loop": lambda: _plain_maxima(x, _WORDS, bias, out),
    }


@numba.njit
def _likely_steps(scores, extremes, transition, room, out):
    for k in range(len(scores)):
        n = likely_sources(scores[k], extremes, len(transition), room)
        largest_of_sources(scores[k], transition, room[1][:n], out)


@numba.njit
def _all_steps(scores, transition, out):
    for k in range(len(scores)):
        largest_sums(scores[k], transition, len(transition), out)


def viterbi_steps(rng, rows, n_tags, spread):
    """Return functions that make a step of Viterbi.

    `spread` is the spread of the scores of tags; the spread of transitions is 0.1.
    """
    transition = rng.normal(0, 0.1, (n_tags, n_tags)).astype(np.float32)
    transition, extremes = steps_of(transition)[5:7]
    width = transition.shape[1]
    scores, out, room = normal(rng, rows, width), aligned(width), make_room(width)
    scores *= np.float32(spread)
    return {
        "likely sources": lambda: _likely_steps(
            scores, extremes, transition, room, out
        ),
        "all sources": lambda: _all_steps(scores, transition, out),
    }


def print_blocks(rows, rounds):
    """Print a table of the rates of gated blocks, in processor time."""
    lines = [
        ("instructions", "products alone, Gop/s", "products of blocks", "whole blocks")
    ]
    for name in instruction_sets():
        rates = measure_blocks(name, rows, rounds)
        alone = rates.get("alone")
        cells = [
            f"{rates[key] / 1e9:.0f}"
            + (f" ({rates[key] / alone:.0%})" if alone else "")
            for key in ("products", "blocks")
        ]
        lines.append((name, f"{alone / 1e9:.0f}" if alone else "", *cells))
    print_table(lines)


def main():
    """Print the rates."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument(
        "--blocks", action="store_true", help="measure gated blocks instead"
    )
    given = parser.parse_args()
    if given.blocks:
        print_blocks(given.rows, given.rounds)
        return
    rng, rows = np.random.default_rng(0), given.rows
    words = max(rows // _WORDS, 1) * _WORDS

    def show(what, ways, work, unit):
        times = best_times(ways, given.rounds)
        figures = ", ".join(
            f"{name} {work / seconds:.3g}" for name, seconds in times.items()
        )
        print(f"{what}: {figures} {unit}", flush=True)

    for n_in, n_out in ((300, 500), (500, 192), (300, 48)):
        work = 2e-9 * rows * n_in * n_out
        show(f"layer {n_in} x {n_out}", layers(rng, rows, n_in, n_out), work, "Gflop/s")
    for n_in, n_out in ((192, 800), (576, 384)):
        work = 2e-9 * rows * n_in * n_out
        ways = rounded_layers(rng, rows, n_in, n_out)
        show(f"layer in 8 bits, {n_in} x {n_out}", ways, work, "Gop/s")
    for m in (20, 100):
        ways = maxima(rng, words, 300, m)
        show(
            f"maxima over time, distances to {m}", ways, 1e-6 * words, "million words/s"
        )
    for n_tags, spread in ((186, 1.1), (101, 0.35)):
        ways = viterbi_steps(rng, rows, n_tags, spread)
        show(f"Viterbi, {n_tags} tags", ways, 1e-6 * rows, "million steps/s")


if __name__ == "__main__":
    main()
