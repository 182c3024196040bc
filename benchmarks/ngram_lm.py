"""Words per second of n-gram models: reading, training, and scoring on threads.

python benchmarks/ngram_lm.py TRAIN... --valid FILE [--one-stream] [--vocabulary FILE]
[--threads N]

Training starts from word indices and ends with a model in memory. Scoring reads word
indices; `printed` is what `senna-lm score` does with a file, which is read again, looked
up and printed as columns. All are measured alternately several times, and the best of
each counts. On one thread the time is that of the processor, so that other programs
change little; on several threads it is that of the clock.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np

from senna_py.lm.ngram.interpolated import train_interpolated
from senna_py.lm.ngram.kneser_ney import train_kneser_ney
from senna_py.lm.scoring import score_text
from senna_py.lm.text.streams import read_streams

_MODELS = (("interpolated", 3), ("kneser-ney", 3), ("kneser-ney", 4), ("kneser-ney", 5))
_SCORED = 2_000_000  # words, of the held-out text again and again


def best(times, name, clock, function):
    """Run a function, keep its least time in `times`, and return its result."""
    begin = clock()
    out = function()
    times[name] = min(times.get(name, np.inf), clock() - begin)
    return out


def score_on(model, ids, threads):
    """Score pieces of a stream on several threads at once."""
    parts = np.array_split(ids, threads)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(model.log10_probabilities, parts))


def train(streams, smoothing, order):
    """Train a model on the training stream."""
    if smoothing == "interpolated":
        return train_interpolated(
            streams.train, streams.valid, order, streams.word_list
        )
    return train_kneser_ney(streams.train, order, streams.word_list)


def measure(times, sizes, streams, model_of, valid, threads):
    """Train and score a model; `model_of` has its smoothing and order."""
    cpu, wall = time.process_time, time.perf_counter
    ids = np.concatenate([streams.valid] * max(_SCORED // len(streams.valid), 1))
    name = " ".join(map(str, model_of))
    keys = [
        f"{name}, training",
        f"{name}, scoring",
        f"{name}, scoring on {threads} threads",
        f"{name}, printed",
    ]
    sizes |= zip(
        keys, (len(streams.train), len(ids), len(ids), len(streams.valid)), strict=True
    )
    model = best(times, keys[0], cpu, lambda: train(streams, *model_of))
    best(times, keys[1], cpu, lambda: model.log10_probabilities(ids))
    best(times, keys[2], wall, lambda: score_on(model, ids, threads))
    best(times, keys[3], cpu, lambda: score_text(model, [valid], output="/dev/null"))


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--valid", required=True, help="Text to score.")
@click.option("--one-stream", is_flag=True)
@click.option("--vocabulary")
@click.option("--threads", default=2, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(paths, valid, one_stream, vocabulary, threads, rounds):
    """Measure all models, and print the rates."""
    times, sizes = {}, {}

    def read():
        return read_streams(paths, [valid], not one_stream, vocabulary)

    for _ in range(rounds):
        streams = best(times, "reading", time.process_time, read)
        sizes["reading"] = len(streams.train) + len(streams.valid)
        for model_of in _MODELS:
            measure(times, sizes, streams, model_of, valid, threads)
    for name, seconds in times.items():
        click.echo(f"{name}: {sizes[name] / seconds:,.0f} words/s")


if __name__ == "__main__":
    main()
