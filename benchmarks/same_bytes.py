"""Check that a text is tagged to the same bytes on every path.

python benchmarks/same_bytes.py --text FILE --tokens 50000 [--model PATH] [--tasks
pos,chk]

FILE is as for speed.py; without --model, a model of SENNA's sizes with random weights is
made. The output of one job with compiled kernels, in the batches of senna-tag, is
compared with the output of two jobs, of batches of a few sentences, and of the NumPy
fallbacks on the first --plain-tokens tokens. The exit code is 1 if any byte differs.
"""

import os

from common.processes import ONE_THREAD

os.environ.update(ONE_THREAD)  # before NumPy is imported

import sys
import tempfile
import time
from itertools import islice, zip_longest
from pathlib import Path

import click
from common.real_size_model import make_model
from common.texts import read_sentences, repeat

from senna_py import Model, Tagger
from senna_py.cli.tag_files import tag_files
from senna_py.cli.tag_options import TagOptions
from senna_py.corpora.places import BatchPlace
from senna_py.formats.columns import ColumnPrinter
from senna_py.kernels.runtime.switch import fixed_kernels

FEW = 7  # sentences in a small batch


@click.command()
@click.option("--text", required=True, help="Text, repeated to the number of tokens.")
@click.option("--tokens", default=50_000, show_default=True, help="Tokens to tag.")
@click.option(
    "--plain-tokens",
    default=2000,
    show_default=True,
    help="Tokens for NumPy fallbacks.",
)
@click.option("--model", help="Model, instead of one with random weights.")
@click.option("--tasks", help="Names of tasks, with commas between them; else all.")
def main(text, tokens, plain_tokens, model, tasks):
    """Tag a text on all paths and compare the outputs."""
    with tempfile.TemporaryDirectory() as directory:
        place, sentences = Path(directory), read_sentences(text)
        if model is None:
            model = place / "model"
            sample = sentences[:: max(1, len(sentences) // 400)][:400]
            make_model(
                model, ("\n".join(sample) + "\n").encode("utf-8", "surrogateescape")
            )
        tasks = tasks.split(",") if tasks else list(Model(model).tasks())
        whole = write(place / "whole.txt", repeat(sentences, tokens))
        short = write(place / "short.txt", repeat(sentences, plain_tokens))
        ways = {
            "one job": (tag, whole, {"jobs": 1}),
            "two jobs": (tag, whole, {"jobs": 2}),
            f"batches of {FEW} sentences": (tag_few, whole, {}),
            "NumPy fallbacks": (tag, short, {"jobs": 1, "plain": True}),
        }
        different = 0
        for name, (run, source, how) in ways.items():
            begin = time.process_time()
            run(source, tasks, model, place / name, **how)
            used = time.process_time() - begin
            count, first = compare(place / "one job", place / name)
            n_tokens = len(source.read_bytes().split())
            what = f"{','.join(tasks)}: {name}: {n_tokens:,} tokens"
            print(f"{what}, {count} lines differ, {used:.0f} s", flush=True)
            if count:
                print(*first, sep="\n")
            different += count
    sys.exit(different > 0)


def write(path, sentences):
    """Write sentences, one per line; return the path."""
    path.write_text("".join(f"{s}\n" for s in sentences), "utf-8", "surrogateescape")
    return path


def tag(source, tasks, model, output, jobs, plain=False):
    """Tag as senna-tag does, with compiled kernels only or with fallbacks only."""
    options = TagOptions(path=str(model), tasks=tuple(tasks), usrtokens=True)
    with fixed_kernels(plain):
        tag_files([str(source)], options, print, output=str(output), jobs=jobs)


def tag_few(source, tasks, model, output):
    """Tag in batches of FEW sentences."""
    tagger = Tagger(model, tasks)
    printer = ColumnPrinter(tagger)
    with open(source, "rb") as lines, open(output, "wb") as file:
        while batch := b"".join(islice(lines, FEW)):
            tokens = tagger.tokenizer.lines(batch, True)
            tokens = tokens.cut(tagger.longest_sentence or len(tokens))
            file.write(printer.format(tagger.annotate(tokens), BatchPlace("")))


def compare(expected, found):
    """Return how many lines of `found` differ from those of `expected`, and the first.

    `expected` may have more lines.
    """
    n, first = 0, None
    with open(expected, "rb") as a, open(found, "rb") as b:
        for number, (line, other) in enumerate(zip_longest(a, b), 1):
            if other is None and line is not None and found.name == "NumPy fallbacks":
                break
            if line != other:
                n, first = n + 1, first or (f"line {number}:", line, other)
    return n, first


if __name__ == "__main__":
    main()
