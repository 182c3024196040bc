"""Rates of the matrix products of the LSTM language models: of NumPy's OpenBLAS and of our tiles.

python benchmarks/matrix_products.py [--hidden 650] [--words 10001] [--rounds 8]

Gflop/s of one core, by processor time; the best of some rounds counts. Those of tiles have the time
to copy weights in them, but for a step of the LSTM, whose weights were copied before.
"""

import os
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import click
import numpy as np

from senna_py.layers.products import BLAS, Tiles

_STEPS, _BATCH = 35, 20


def best_time(function, rounds):
    """Least processor time of a call, in seconds."""
    function()
    found = []
    for _ in range(rounds):
        begin = time.process_time()
        function()
        found.append(time.process_time() - begin)
    return min(found)


def rates(m, k, n, turn_a, turn_b, rounds):
    """Gflop/s of a product by BLAS and by tiles."""
    rng = np.random.default_rng(0)
    a = rng.random((k, m) if turn_a else (m, k), np.float32)
    b = rng.random((n, k) if turn_b else (k, n), np.float32)
    out = np.empty((m, n), np.float32)
    times = [best_time(lambda p=p: p.times(a, b, turn_a, turn_b, out), rounds)
             for p in (BLAS, Tiles())]  # fmt: skip
    return [2e-9 * m * k * n / seconds for seconds in times]


def step_rates(k, n, turned, rounds):
    """Gflop/s of a step of the recurrence by BLAS and by tiles."""
    rng, times = np.random.default_rng(0), []
    x, out = rng.random((_BATCH, k), np.float32), np.empty((_BATCH, n), np.float32)
    b = rng.random((n, k) if turned else (k, n), np.float32)
    for products in (BLAS, Tiles()):
        multiply = products.by(b, turned)
        times.append(best_time(lambda m=multiply: [m(x, out) for _ in range(_STEPS)], rounds))
    return [2e-9 * _STEPS * _BATCH * k * n / seconds for seconds in times]


@click.command()
@click.option("--hidden", default=650, show_default=True, help="Units of an LSTM layer.")
@click.option("--words", default=10_001, show_default=True, help="Words of the output.")
@click.option("--rounds", default=8, show_default=True)
def main(hidden, words, rounds):
    gates, rows = 4 * hidden, _STEPS * _BATCH
    print(f"{'product':<48} {'BLAS':>6} {'tiles':>6}")
    for name, k, n, turned in (
        ("step", hidden, gates, False), ("step back", gates, hidden, True),
    ):  # fmt: skip
        both = step_rates(k, n, turned, rounds)
        print(f"{f'{name}, {_BATCH} x {k} x {n}':<48} {both[0]:6.0f} {both[1]:6.0f}")
    for name, m, k, n, turn_a, turn_b in (
        ("projection", rows, hidden, gates, False, False),
        ("projection, gradient of inputs", rows, gates, hidden, False, True),
        ("recurrent gradient", hidden, rows, gates, True, False),
        ("output", rows, hidden, words, False, True),
        ("output, gradient of features", rows, words, hidden, False, False),
        ("output, gradient of weights", words, rows, hidden, True, False),
    ):
        both = rates(m, k, n, turn_a, turn_b, rounds)
        print(f"{f'{name}, {m} x {k} x {n}':<48} {both[0]:6.0f} {both[1]:6.0f}")


if __name__ == "__main__":
    main()
