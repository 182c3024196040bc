"""Words per second of skip-gram: one thread, and all threads on the same vectors.

python benchmarks/skipgram_lm.py [--words N] [--dim N] [--context N] [--threads N] ...

The text is random words with the frequencies of Zipf's law. Rates are per second of a
thread's processor time, so that other programs on the cores count little. The best of
several rounds counts.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
from ranking_lm import zipf_text

from senna_py.kernels.lm.skipgram import Sampling, Scratch, SkipGram, train_sentences
from senna_py.lm.text.counts import words_by_count

LENGTH = 24  # of a sentence
ROUND = 100_000  # words of a thread


def new_training(n_words, dim, context):
    """Return an untrained model, the default Sampling, and the text."""
    text, counts = zipf_text(n_words)
    counts[0] = 0
    keep = (
        np.sqrt(1e-4 * counts.sum() / np.maximum(counts, 1))
        .clip(max=1)
        .astype(np.float32)
    )
    counts[0] = len(text) // LENGTH
    rng = np.random.default_rng(1)
    vectors = rng.uniform(-0.5 / dim, 0.5 / dim, (n_words, dim)).astype(np.float32)
    model = SkipGram(vectors, np.zeros((2 * context, n_words, dim), np.float32))
    sampling = Sampling(keep, words_by_count(counts, 0.75, 1 << 24))
    return model, sampling, text[text != 0]


def new_scratch(seed, dim, negative):
    """Return the scratch arrays of a thread."""
    return Scratch(
        np.array([2 * seed + 1], np.uint64),
        np.empty(1 + negative, np.int32),
        np.empty(1 + negative, np.float32),
        np.empty(dim, np.float32),
    )


@click.command()
@click.option("--words", default=130_000, show_default=True)
@click.option("--dim", default=96, show_default=True)
@click.option("--context", default=5, show_default=True)
@click.option("--negative", default=5, show_default=True)
@click.option("--threads", default=os.cpu_count(), show_default=True)
@click.option("--rounds", default=8, show_default=True)
def main(words, dim, context, negative, threads, rounds):
    model, sampling, text = new_training(words, dim, context)
    starts = np.arange(0, ROUND + 1, LENGTH, dtype=np.int32)
    scratches = [new_scratch(seed, dim, negative) for seed in range(threads)]

    def work(k):
        begin, before = (
            int(scratches[k].state[0] % np.uint64(len(text) - ROUND)),
            time.thread_time(),
        )
        part = text[begin : begin + starts[-1]]
        train_sentences(
            model, part, starts, sampling, np.float32(0.03), scratches[k], np.zeros(3)
        )
        return starts[-1] / (time.thread_time() - before)

    work(0)  # compiles
    with ThreadPoolExecutor(threads) as pool:
        for n in dict.fromkeys((1, threads)):
            best = max(sum(pool.map(work, range(n))) for _ in range(rounds))
            print(f"{n} threads: {best:,.0f} words/s")


if __name__ == "__main__":
    main()
