"""Tokens a second of each task, beside the matrix-product rate of this machine.

python benchmarks/tag_speed.py [--tokens N] [--text FILE] [--raw]

The model has the original's sizes and random weights, so labels mean nothing and trees are of
unnatural depth. FILE (one sentence a line, tokens separated by white space) is repeated to N
tokens; without one, sentences are drawn from the model's words. With --raw the Treebank tokens of
the lines are found, not given; the row `tokens` is that alone. Everything runs on one core and in
one process, from bytes in to bytes out. The roofline is the rate of a float32 matrix product: the
column `share` is what the plain network's multiply-adds at that rate would take, divided by the
time taken.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import tempfile
import time

import click
import numpy as np
from real_size_model import HIDDEN, N_LABELS, make_model
from roofline import sgemm_rate

from senna_py import Model, Tagger
from senna_py.formats.columns import ColumnFormat
from senna_py.streaming import BATCH_BYTES
from senna_py.text.tokens import Tokenizer

RUNS = {
    "pos": ["pos"],
    "pos chk": ["pos", "chk"],
    "pos chk ner": ["pos", "chk", "ner"],
    "pos chk ner pt0 srl": ["pos", "chk", "ner", "pt0", "srl"],
    "psg": ["psg"],
}
SLOW = {"pos chk ner pt0 srl": 20, "psg": 20}  # these take a part of the text


def draw_lines(words, n_tokens, seed=1):
    """Lines of about 24 tokens, word frequencies falling as 1/rank."""
    rng = np.random.default_rng(seed)
    rank = np.exp(rng.random(n_tokens) * np.log(len(words))).astype(int) - 1
    drawn = [words[i] for i in rng.permutation(len(words))[rank]]
    return [" ".join(drawn[i : i + 24]) for i in range(0, n_tokens, 24)]


def read_lines(path, n_tokens):
    """Lines of a file, repeated to at least `n_tokens` tokens."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = [" ".join(line.split()) for line in file if line.strip()]
    per_round = sum(line.count(" ") + 1 for line in lines)
    return lines * -(-n_tokens // per_round)


def batches(lines):
    """The lines as the bytes of batches."""
    data = ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", min(begin + BATCH_BYTES, len(data) - 1)) + 1
        yield data[begin:end]
        begin = end


def measure(work, lines):
    """Tokens and seconds of `work`, a function from bytes to their number of tokens."""
    work(b"warm up\n")
    parts = list(batches(lines))
    begin = time.perf_counter()
    n_tokens = sum(map(work, parts))
    return n_tokens, time.perf_counter() - begin


def tagging(tagger, raw):
    """Work for `measure`: tag a batch and print it to bytes."""
    printer = ColumnFormat(tagger)

    def tag(data):
        tokens = tagger.tokenizer.lines(data, whitespace=not raw)
        printer.print(tagger.annotate(tokens))
        return len(tokens)

    return tag


def print_row(name, n_tokens, seconds, share=""):
    """Print a row of the table."""
    print(f"{name:22}{n_tokens:10,}{n_tokens / seconds:12,.0f}{share:>8}")


def window_flops(tagger, tasks):
    """Floating-point operations a token of the window networks of `tasks`, done plainly."""
    total = 0
    for task in tasks:
        network = tagger.model.storage.network(task)
        total += 2 * HIDDEN * (len(network.hidden_weight) + N_LABELS[task])
    return total


@click.command()
@click.option("--tokens", default=1_000_000, show_default=True, help="Tokens to tag.")
@click.option("--text", help="Text to repeat instead of drawing words.")
@click.option("--raw", is_flag=True, help="Find the tokens of the text.")
def main(tokens, text, raw):
    """Print tokens a second of each task."""
    with tempfile.TemporaryDirectory() as directory:
        words = make_model(f"{directory}/model")
        lines = read_lines(text, tokens) if text else draw_lines(words, tokens)
        rate = sgemm_rate()
        print(f"sgemm: {rate / 1e9:.0f} Gflop/s on one core")
        print(f"{'tasks':22}{'tokens':>10}{'tokens/s':>12}{'share':>8}")
        model = Model(f"{directory}/model")
        model.storage.tokenizer = "treebank"
        tokenizer = Tokenizer(model.storage.vocabulary("words"), "treebank")
        print_row("tokens", *measure(lambda data: len(tokenizer.lines(data, not raw)), lines))
        for name, tasks in RUNS.items():
            tagger = Tagger(model, tasks)
            n_tokens, seconds = measure(
                tagging(tagger, raw), lines[: len(lines) // SLOW.get(name, 1)]
            )
            share = ""
            if not {"srl", "psg"} & set(tasks):
                share = f"{window_flops(tagger, tasks) * n_tokens / rate / seconds:.2f}"
            print_row(name, n_tokens, seconds, share)


if __name__ == "__main__":
    main()
