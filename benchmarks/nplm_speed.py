"""Words per second of the neural language model on one core and two.

python benchmarks/nplm_speed.py [--words N] [--order N] [--dim M] [--hidden H]
[--direct] ...

The text is random words with the frequencies of Zipf's law. `share` is the time that the
multiply-adds of the output units alone would take at the rate of a 512 x 512 float32
matrix product (the roofline), divided by the time taken; when it trains one example at a
time or by classes, there are no large matrix products. All are measured alternately
several times, and the best of each counts, because other programs may be using the
cores. `as many runs` is what the threads reach with a network each. `a CPU second` is
the best rate by the time that the process was running, which other programs disturb
less.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
from common.roofline import sgemm_rate

from senna_py.lm.nplm.settings import NplmSettings
from senna_py.lm.nplm.training import NplmTraining
from senna_py.lm.text.streams import Streams
from senna_py.lm.word_list import WordList


def zipf_streams(n_words, n_tokens=200_000):
    """Return streams of random words."""
    rng = np.random.default_rng(0)
    share = 1 / np.arange(1, n_words + 1)
    text = rng.choice(n_words, n_tokens, p=share / share.sum()).astype(np.int32)
    words = WordList.of_words([f"w{i}" for i in range(n_words - 1)], False)
    return Streams(words, text, text[:1])


class Bench:
    """A network that is trained piece by piece."""

    def __init__(self, streams, settings):
        self.training, self.settings = NplmTraining(streams, settings), settings
        self.training.begin_epoch()
        self.text, self.at = streams.train, 0

    def train(self, n):
        """Train on n words; return how many there were."""
        size = 64 if self.settings.one_by_one else self.settings.batch
        for _ in range(0, n, size):
            self.at = (self.at + 1) % (self.training.n_batches() - 1)
            self.training.train(self.at, 0)
        return -(-n // size) * size

    def score(self, n):
        """Score n words; return how many there were."""
        model = self.model = getattr(self, "model", None) or self.training.model()
        model.log10_probabilities(self.text[:n])
        return n


def in_threads(pool, works, n):
    """Run all functions at once; return the number of words."""
    return sum(pool.map(lambda work: work(n), works))


@click.command()
@click.option("--words", default=17_905, show_default=True)
@click.option("--order", default=5, show_default=True)
@click.option("--dim", default=30, show_default=True)
@click.option("--hidden", default=50, show_default=True)
@click.option("--direct/--no-direct", default=True, show_default=True)
@click.option("--batch", default=128, show_default=True)
@click.option("--optimizer", default="adagrad", show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--seconds", default=60.0, show_default=True)
def main(words, order, dim, hidden, direct, batch, optimizer, threads, seconds):
    streams = zipf_streams(words)
    shape = {"order": order, "dim": dim, "hidden": hidden, "direct": direct}

    def bench(**changes):
        settings = {
            **shape,
            "batch": batch,
            "optimizer": optimizer,
            "rate": 0.01,
            "decay": 0.0,
        }
        return Bench(streams, NplmSettings(**{**settings, **changes}))

    one, classes, energy = bench(), bench(output="classes"), None
    single = bench(batch=1, optimizer="sgd")
    apart = [one, *(bench() for _ in range(threads - 1))]
    if not direct:
        energy = bench(output="energy")
    pool = ThreadPoolExecutor(threads)
    # name: work, words at a time, cores, passes over the output weights that are matrix
    # products
    runs = {
        "training": (one.train, 2 * batch, 1, 3),
        f"training, {threads} threads": (
            lambda n: in_threads(pool, [one.train] * threads, n),
            2 * batch,
            threads,
            3,
        ),
        "training, as many runs": (
            lambda n: in_threads(pool, [b.train for b in apart], n),
            2 * batch,
            threads,
            3,
        ),
        "training one by one": (single.train, 64, 1, 3),
        f"one by one, {threads} threads": (
            lambda n: in_threads(pool, [single.train] * threads, n),
            64,
            threads,
            3,
        ),
        "training by classes": (classes.train, 16 * batch, 1, 0),
        f"by classes, {threads} threads": (
            lambda n: in_threads(pool, [classes.train] * threads, n),
            16 * batch,
            threads,
            0,
        ),
        "scoring": (one.score, 1024, 1, 1),
        f"scoring, {threads} threads": (
            lambda n: in_threads(pool, [one.score] * threads, n),
            1024,
            threads,
            1,
        ),
        "scoring by classes": (classes.score, 4096, 1, 0),
    }
    if energy:
        runs["training, energy"] = energy.train, batch, 1, 0
    for work, n, _, _ in runs.values():
        work(n)
    best, by_cpu, roof = dict.fromkeys(runs, 0.0), dict.fromkeys(runs, 0.0), 0.0
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        roof = max(roof, sgemm_rate(0.3))
        for name, (work, n, _, _) in runs.items():
            begin, begin_cpu = time.perf_counter(), time.process_time()
            done = work(n)
            best[name] = max(best[name], done / (time.perf_counter() - begin))
            by_cpu[name] = max(by_cpu[name], done / (time.process_time() - begin_cpu))
    features = one.settings.n_features
    print(
        f"roofline: {roof / 1e9:.1f} Gflop/s a core, {words:,} words, {features} features"
    )
    for name, (_, _, cores, passes) in runs.items():
        line = (
            f"{name:<24} {best[name]:>9,.0f} words/s {by_cpu[name]:>9,.0f} a CPU second"
        )
        if passes:
            share = best[name] * passes * 2 * words * features / roof / cores
            line += f"   share {share:.2f}"
        print(line)


if __name__ == "__main__":
    main()
