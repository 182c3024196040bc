"""Examples per second of the ranking language model, on threads and by a plain loop.

python benchmarks/ranking_lm.py [--corpus DIR] [--words N] [--threads N] [--noise-power
P] ...

The model has windows of 11 words, 50 dimensions and 100 hidden units. The text is a
corpus of `senna-py vectors prepare`, or random words with the frequencies of Zipf's law.
The plain loop computes both windows of a pair as a whole, pair by pair, and learns in
the same steps. The roofline is the rate of a float32 matrix product on one core;
`share` is the time that the multiply-adds of the forward pass take at that rate, divided
by the time taken. All are measured alternately on the same trained model, several
times, and the best of each counts, because other programs may be using the cores.
Threads with a model each show how much other programs take.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
from common.roofline import sgemm_rate

from senna_py.kernels.lm.random_numbers import next_random
from senna_py.kernels.lm.ranking import Ranking, train_pairs
from senna_py.kernels.runtime.jit import kernel, reordering_kernel
from senna_py.lm.ranking.training import new_model, new_scratch, noise_words
from senna_py.lm.text.corpus import open_corpus
from senna_py.lm.text.dictionary import UNKNOWN

WINDOW, DIM, HIDDEN = 11, 50, 100
RATES = np.array(
    [0.02, 0.002 / np.sqrt(WINDOW * DIM), 0.002 / np.sqrt(HIDDEN)], np.float32
)


@kernel
def plain_score(model, weight, words, hidden):
    """Return f(x) of a window.

    The rows of the first layer are added word by word; then come HardTanh and the output.
    """
    dim = model.vectors.shape[1]
    hidden[:] = model.bias
    for slot in range(len(words)):
        for i in range(dim):
            x = model.vectors[words[slot], i]
            for j in range(len(hidden)):
                hidden[j] += x * weight[slot * dim + i, j]
    score = np.float32(0)
    for j in range(len(hidden)):
        score += model.output[j] * min(max(hidden[j], np.float32(-1)), np.float32(1))
    return score


@reordering_kernel
def plain_step(model, weight, words, hidden, sign, rates):
    """Make one window's share of the gradient step; `sign` is that of its score in the
    cost.
    """
    dim = model.vectors.shape[1]
    for j in range(len(hidden)):
        inside = -1 < hidden[j] < 1
        value = min(max(hidden[j], np.float32(-1)), np.float32(1))
        hidden[j] = sign * model.output[j] if inside else np.float32(0)
        model.output[j] -= rates[2] * sign * value
        model.bias[j] -= rates[1] * hidden[j]
    for slot in range(len(words)):
        for i in range(dim):
            total = np.float32(0)
            step = rates[1] * model.vectors[words[slot], i]
            for j in range(len(hidden)):
                total += weight[slot * dim + i, j] * hidden[j]
                weight[slot * dim + i, j] -= step * hidden[j]
            model.vectors[words[slot], i] -= rates[0] * total


@kernel
def plain_pairs(
    model, weight, text, unknown, noise, rates, n_pairs, state, words, hidden
):
    """Train like `train_pairs`, but with both windows as a whole, one pair at a time."""
    n_words, half, n_active = len(model.vectors), len(words) // 2, 0
    for _ in range(n_pairs):
        position = half + next_random(state, len(text) - 2 * half)
        if not unknown < text[position] < n_words:
            continue
        for slot in range(len(words)):
            word = text[position + slot - half]
            words[slot] = word if word < n_words else unknown
        positive = plain_score(model, weight, words, hidden[0])
        centre = words[half]
        words[half] = noise[next_random(state, len(noise))]
        if positive - plain_score(model, weight, words, hidden[1]) < 1:
            n_active += 1
            plain_step(model, weight, words, hidden[1], np.float32(1), rates)
            words[half] = centre
            plain_step(model, weight, words, hidden[0], np.float32(-1), rates)
    return n_active


def zipf_text(n_words, n_tokens=3_000_000):
    """Return sentences of 24 random words and an end, int32[n_tokens], and their
    counts.
    """
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, n_words - 1)
    text = 2 + rng.choice(n_words - 2, n_tokens, p=share / share.sum()).astype(np.int32)
    text[::25] = 0
    return text, np.bincount(text, minlength=n_words)


class Bench:
    """A model that has been trained for a while, and functions that train it further."""

    def __init__(self, text, counts, n_words, threads, noise_power):
        self.text, self.threads = text, threads
        self.model = new_model(
            n_words, WINDOW, DIM, HIDDEN, 0.1, np.random.default_rng(1)
        )
        self.noise = noise_words(counts, n_words, noise_power)
        self.scratches = [
            new_scratch(self.model, 2 * seed + 1) for seed in range(threads)
        ]
        self.pool = ThreadPoolExecutor(threads)

    def one(self, n, scratch=None):
        return train_pairs(
            self.model,
            self.text,
            UNKNOWN,
            self.noise,
            RATES,
            n,
            scratch or self.scratches[0],
        )

    def all(self, n):
        return sum(
            self.pool.map(lambda s: self.one(n // self.threads, s), self.scratches)
        )

    def apart(self, n):
        """Train a model in each thread, which is the most that sharing one can reach."""

        def work(k):
            model, scratch = self.apart_models[k], self.scratches[k]
            return train_pairs(
                model, self.text, UNKNOWN, self.noise, RATES, n // self.threads, scratch
            )

        return sum(self.pool.map(work, range(self.threads)))

    def learn(self, n):
        rates = 5 * RATES
        for scratch in self.scratches:
            train_pairs(
                self.model,
                self.text,
                UNKNOWN,
                self.noise,
                rates,
                n // self.threads,
                scratch,
            )
        half = (WINDOW - 1) // 2 * DIM
        parts = [
            self.model.context[:half],
            self.model.center,
            self.model.context[half:],
        ]
        self.weight = np.concatenate(parts)
        self.plain_model, *self.apart_models = (
            Ranking(*(array.copy() for array in self.model))
            for _ in range(1 + self.threads)
        )

    def plain(self, n):
        return plain_pairs(
            self.plain_model,
            self.weight,
            self.text,
            UNKNOWN,
            self.noise,
            RATES,
            n,
            self.scratches[0].state,
            np.zeros(WINDOW, np.int64),
            np.zeros((2, HIDDEN), np.float32),
        )


@click.command()
@click.option("--corpus", type=click.Path(exists=True), help="A prepared corpus.")
@click.option("--words", default=30_000, show_default=True)
@click.option("--threads", default=os.cpu_count(), show_default=True)
@click.option("--noise-power", default=0.0, show_default=True)
@click.option(
    "--learn", default=3_000_000, show_default=True, help="Examples before measuring."
)
@click.option("--seconds", default=30.0, show_default=True)
def main(corpus, words, threads, noise_power, learn, seconds):
    if corpus:
        opened = open_corpus(corpus)
        text, counts = opened.train, opened.counts
    else:
        text, counts = zipf_text(words)
    bench = Bench(text, counts, words, threads, noise_power)
    bench.learn(learn)
    runs = {
        "plain loop": bench.plain,
        "1 thread": bench.one,
        f"{threads} threads": bench.all,
        "as many models": bench.apart,
    }
    best, active = dict.fromkeys(runs, np.inf), {}
    n = 8000 * threads
    for run in runs.values():
        run(n)
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        for name, run in runs.items():
            begin = time.perf_counter()
            active[name] = run(n) / n
            best[name] = min(best[name], time.perf_counter() - begin)
    roof = sgemm_rate() / 2 / (((WINDOW - 1) * DIM + 2 * DIM) * HIDDEN)
    print(f"roofline (forward pass only): {roof:,.0f} examples/s a core")
    for name, took in best.items():
        cores = 1 if name in ("plain loop", "1 thread") else threads
        print(
            f"{name:<14} {n / took:>10,.0f} examples/s   active {active[name]:.3f}   "
            f"share {n / took / roof / cores:.2f}   "
            f"{best['plain loop'] / took:.2f} x plain loop   "
            f"{best['1 thread'] / took:.2f} x 1 thread"
        )


if __name__ == "__main__":
    main()
