"""The command `senna-lm`, which trains, mixes and applies language models."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from senna_py import __version__
from senna_py.cli.help import Group
from senna_py.cli.lm_train import char, morph, ngram, nplm, word
from senna_py.cli.options import (
    check_output,
    choice,
    file_option,
    flag,
    live_option,
    number,
    option,
    progress_option,
)
from senna_py.cli.parameter_types import WORKERS, FiniteRange
from senna_py.cli.streams import until_reader_leaves
from senna_py.errors import UsageError
from senna_py.io.overwriting import check_paths
from senna_py.io.progress import say


@click.group(
    "senna-lm",
    cls=Group,
    examples=(
        "senna-lm train ngram news.arpa news.txt",
        "senna-lm score news.arpa other.txt",
    ),
)
@click.version_option(__version__)
def command() -> None:
    """Train language models, score text with them, and mix them."""


@command.group(examples=("senna-lm train ngram -h",))
def train() -> None:
    """Train a language model.

    N-grams take minutes. Neural models (nplm, char, word, morph) take hours and predict
    better; mix them with n-grams for the best result. A char model has vectors for any
    word.
    """


for trainer in (char, morph, ngram, nplm, word):
    train.add_command(trainer)


@command.command(examples=("senna-lm info run/",))
@click.argument("model", type=click.Path(allow_dash=True))
def info(model: str) -> None:
    """Describe a language model: its kind, its size, and how it was trained."""
    from senna_py.lm.model_files import open_model

    for name, value in open_model(model).describe():
        click.echo(f"{name}: {value}")


@command.command(examples=("senna-lm export --to arpa news.lm news.arpa",))
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@choice(
    "--to",
    ("arpa", "lm"),
    "The ARPA format, for back-off n-grams; or the format of this program.",
    required=True,
)
@flag("--half", "Store float16, which halves the size (neural models).")
def export(source: str, target: str, to: str, half: bool) -> None:
    """Convert a language model to another format.

    SOURCE is a language model, or the directory of its training run. TARGET is the file
    that is written.
    """
    from senna_py.lm.model_files import check_target, open_model, write_model

    check_paths([source], [target])
    check_target(target, to == "arpa")
    write_model(target, open_model(source), to == "arpa", half)


@command.command(
    examples=("senna-lm mix --weights learned --valid dev.txt mix.lm run/ news.lm",)
)
@click.argument("target", type=click.Path())
@click.argument("models", nargs=-1, required=True, type=click.Path())
@choice(
    "--weights",
    ("fixed", "learned", "frequency"),
    "Equal weights; learned by EM on --valid; or learned separately by frequency of "
    "context.",
    default="fixed",
)
@file_option("--valid", "Validation text; may be repeated.", multiple=True)
def mix(
    target: str, models: tuple[str, ...], weights: str, valid: tuple[str, ...]
) -> None:
    """Interpolate MODELS with the same vocabulary, such as a neural one and a trigram.

    The weights and the relative paths of the models, which must not be moved, are
    written to TARGET. An existing TARGET that is not a mixture is not overwritten.
    """
    if len(models) < 2:
        raise UsageError("a mixture needs at least two models: TARGET MODEL MODEL...")
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.mixture import MixtureModel, learn_mixture
    from senna_py.lm.model_files import check_target, open_model
    from senna_py.lm.text.streams import read_stream

    paths = [
        str(Path(path) / FILE_NAME) if Path(path).is_dir() else path for path in models
    ]
    check_paths([*paths, *valid], [target])
    check_target(target, kind=MixtureModel.kind)
    parts = [open_model(path) for path in paths]
    read_held_out = partial(read_stream, valid) if valid else None
    learn_mixture(parts, paths, weights, read_held_out, say).write(target)


@command.command(examples=('senna-lm generate --seed 7 run/ "the market"',))
@click.argument("model", type=click.Path())
@click.argument("prompt", default="")
@option(
    "--temperature",
    "Sampling temperature; 0: always the most likely word.",
    default=1.0,
    type=FiniteRange(0, 100),
)
@number("--seed", "Random seed.", default=1, least=0)
@number("--length", "Maximum number of words.", default=50)
def generate(
    model: str, prompt: str, temperature: float, seed: int, length: int
) -> None:
    """Sample a sentence from a language model, beginning with the words of PROMPT.

    MODEL is any language model, or the directory of its training run.
    """
    from senna_py.lm import generation
    from senna_py.lm.model_files import open_model

    # Split bytes rather than text, because no-break spaces are part of words.
    encoded = prompt.encode("utf-8", "surrogateescape").split()
    words = [word.decode("utf-8", "surrogateescape") for word in encoded]
    opened = open_model(model)
    following = generation.generate(opened, words, length, temperature, seed)
    click.echo(" ".join([*words, *following]))


@command.command(
    examples=(
        "senna-lm score --format summary news.arpa test.txt",
        "senna-lm score run/ --raw-text",
    ),
)
@click.argument("model", type=click.Path())
@click.argument("text", nargs=-1, type=click.Path(allow_dash=True))
@choice(
    "--format",
    "output_format",
    ("columns", "jsonl", "summary"),
    "Print columns, JSON lines (default for -o *.json and *.jsonl), or only the "
    "summary.",
)
@option("-o", "--output", "Write to FILE instead of standard output.", metavar="FILE")
@live_option
@progress_option("lines")
@flag("--independent-lines", "Reset the context at each line.")
@flag(
    "--raw-text",
    "raw",
    "Split TEXT into sentences and tokens first, as `senna-py tokenize` does.",
)
@option(
    "--jobs",
    "Cores to use; the output is the same. LSTM models use one.",
    type=WORKERS,
    default=1,
)
@flag(
    "--unknown-vectors",
    "Assign a vector to each unknown word when it first occurs (nplm).",
)
def score(
    model: str,
    text: tuple[str, ...],
    output_format: str | None,
    output: str | None,
    live: bool,
    progress: bool | None,
    independent_lines: bool,
    raw: bool,
    jobs: int,
    unknown_vectors: bool,
) -> None:
    """Print the probability of each word of the TEXT files or standard input (also: -).

    MODEL is a language model, or the directory of its training run. TEXT is tokenized,
    with one sentence per line; it is one stream if the model was trained with
    --one-stream.

    Columns are the word, the log10 of its probability, and 1 if it is unknown. After
    each line, a row without a word has the sum, the number of unknown words, and the
    perplexity without and with them. A summary goes to standard error.
    """
    if model == "-" and ("-" in text or not text):
        raise UsageError("the model and the text cannot both be standard input")
    check_output(output, live)
    if output_format is None:
        is_json = str(output).lower().endswith((".json", ".jsonl"))
        output_format = "jsonl" if is_json else "columns"
    with until_reader_leaves():
        from senna_py.lm.model_files import files_of, open_model
        from senna_py.lm.scoring import score_text

        tokenize = _raw_tokenizer() if raw else None
        opened = open_model(model)
        check_paths(files_of(opened), [output])
        if unknown_vectors:
            from senna_py.lm.nplm.unknown_words import OpenModel

            opened = OpenModel(opened)
        totals = score_text(
            opened,
            text or ("-",),
            output_format,
            output,
            jobs,
            live=live,
            progress=progress,
            independent=independent_lines,
            tokenize=tokenize,
        )
        show = click.echo if output_format == "summary" else say
        show(str(totals))


def _raw_tokenizer() -> Callable[[bytes], bytes]:
    """Return a function that tokenizes lines of raw text with the default model."""
    from senna_py.formats.token_text import token_lines
    from senna_py.model import Model
    from senna_py.text.tokenizer import Tokenizer

    storage = Model().storage
    tokenizer = Tokenizer(storage.words, storage.tokenizer, finder=storage.finder)
    return lambda data: token_lines(tokenizer.split_sentences(tokenizer.lines(data)))
