"""Words per second of the LSTM language models, and of their matrix products alone.

python benchmarks/char_lm.py TEXT [--input char] [--preset small] [--threads 1]
[--seconds 30]

The matrix products of a piece of text are those of the output units, the LSTM layers
and the highway layers: one forward and two backward. `share` is the time that they
would take at the rate of a 512 x 512 float32 product (the roofline), divided by the
time taken. Both are measured alternately with the same threads, and the best of each
counts, because other programs may be using the cores. The line of CPU seconds goes by
the time that the process was running (all threads together), which other programs
disturb less.
"""

import os
import sys
import time

_THREADS = sys.argv[sys.argv.index("--threads") + 1] if "--threads" in sys.argv else "1"
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = _THREADS  # before NumPy is imported

import click
import numpy as np
from common.roofline import sgemm_rate

from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.lstm.training import LstmTraining
from senna_py.lm.text.streams import read_streams


def flops_of_piece(shape, n_words, n_tokens, n_different):
    """Count the operations of a piece of n_tokens, of which n_different are different.

    A multiply-add counts as two.
    """
    m, n = shape.hidden, shape.n_features
    by_token = m * n_words + (2 * shape.layers - 1) * 4 * m * m
    between = (
        0
        if shape.input != "char"
        else (1 if shape.plain else 2 * shape.highway) * n * n
    )
    return 3 * 2 * (n_tokens * by_token + n_different * (4 * m * n + between))


@click.command()
@click.argument("text", type=click.Path())
@click.option("--input", "kind", type=click.Choice(("char", "word")), default="char")
@click.option("--preset", type=click.Choice(("small", "large")), default="small")
@click.option("--threads", default=1, show_default=True, help="Of matrix products.")
@click.option("--seconds", default=30.0, show_default=True)
def main(text, kind, preset, threads, seconds):
    streams = read_streams([text], [], True)
    settings = LstmSettings.of_preset(kind, preset, threads=threads)
    training = LstmTraining(streams, settings)
    model, number = training.model(), 0
    scored = streams.train[: 4 * settings.steps * settings.batch]
    training.train(0, 0)
    model.log10_probabilities(scored)
    best, by_cpu, roof, score, share, share_cpu = (0.0,) * 6
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop:
        roof = max(roof, sgemm_rate(0.3))
        for _ in range(3):
            number = (number + 1) % training.n_batches()
            first = number * settings.steps
            words = training._words[first : first + settings.steps]
            flops = flops_of_piece(
                settings, len(streams.word_list), words.size, len(np.unique(words))
            )
            begin, begin_cpu = time.perf_counter(), time.process_time()
            training.train(number, 0)
            took, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
            best, by_cpu = max(best, words.size / took), max(by_cpu, words.size / cpu)
            share = max(share, flops / took)
            share_cpu = max(share_cpu, flops / cpu)
        begin = time.process_time()
        model.log10_probabilities(scored)
        score = max(score, len(scored) / (time.process_time() - begin))
    parameters = sum(array.size for array in training.network.parameters().values())
    n = training._words.size
    print(
        f"{preset} {kind}: {parameters:,} parameters, {len(streams.word_list):,} words of output"
    )
    print(f"roofline {roof / 1e9:.1f} Gflop/s with {threads} threads")
    print(
        f"training {best:,.0f} words/s, share {share / roof:.2f}, epoch {n / best / 60:.1f} min"
    )
    print(
        f"training {by_cpu:,.0f} words a CPU second, share {share_cpu * threads / roof:.2f}, "
        f"epoch {n / by_cpu / 60:.1f} CPU min"
    )
    print(f"scoring  {score:,.0f} words a CPU second")


if __name__ == "__main__":
    main()
