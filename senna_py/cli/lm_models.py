"""Commands of `senna-lm` about models that are there: info, export, mix and generate."""

import click

from senna_py.cli import common
from senna_py.cli.help import Command
from senna_py.errors import UsageError


@click.command(cls=Command, examples=("senna-lm info run/",))
@click.argument("model", type=click.Path(allow_dash=True))
def info(model):
    """Describe a language model: its kind, its size, and how it was trained."""
    from senna_py.lm.model_files import open_model

    for name, value in open_model(model).describe():
        click.echo(f"{name}: {value}")


@click.command(cls=Command, examples=("senna-lm export --to arpa news.lm news.arpa",))
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@common.choice(
    "--to", ("arpa", "lm"), "The ARPA format, for back-off n-grams; or the format of this program.",
    required=True,
)  # fmt: skip
@common.flag("--half", "Store float16, which halves the size (neural models).")
def export(source, target, to, half):
    """Convert a language model to another format.

    SOURCE: a language model, or the directory of its training run. TARGET: the file to write.
    """
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.model_files import check_target, open_model, write_model

    check_paths([source], [target])
    check_target(target, to == "arpa")
    write_model(target, open_model(source), to == "arpa", half)


@click.command(
    cls=Command, examples=("senna-lm mix --weights learned --valid dev.txt mix.lm run/ news.lm",)
)
@click.argument("target", type=click.Path())
@click.argument("models", nargs=-1, required=True, type=click.Path())
@common.choice(
    "--weights", ("fixed", "learned", "frequency"),
    "Equal weights; learned by EM on --valid; or learned separately by frequency of context.",
    default="fixed",
)  # fmt: skip
@common.file_option("--valid", "Validation text; may be repeated.", multiple=True)
def mix(target, models, weights, valid):
    """Interpolate MODELS with the same vocabulary, such as a neural one and a trigram.

    TARGET gets the weights and the relative paths of the models, which have to stay there. An
    existing TARGET that is not a mixture is not overwritten.
    """
    if len(models) < 2:
        raise UsageError("a mixture needs at least two models: TARGET MODEL MODEL...")
    from functools import partial
    from pathlib import Path

    from senna_py.io.overwriting import check_paths
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.mixture import MixtureModel, learn_mixture
    from senna_py.lm.model_files import check_target, open_model
    from senna_py.lm.text.streams import read_stream

    paths = [str(Path(path) / FILE_NAME) if Path(path).is_dir() else path for path in models]
    check_paths([*paths, *valid], [target])
    check_target(target, kind=MixtureModel.kind)
    parts = [open_model(path) for path in paths]
    read_held_out = partial(read_stream, valid) if valid else None
    learn_mixture(parts, paths, weights, read_held_out, common.say).write(target)


@click.command(cls=Command, examples=('senna-lm generate --seed 7 run/ "the market"',))
@click.argument("model", type=click.Path())
@click.argument("prompt", default="")
@common.option(
    "--temperature", "Sampling temperature; 0: always the most likely word.",
    default=1.0, type=common.FiniteRange(0, 100),
)  # fmt: skip
@common.number("--seed", "Random seed.", default=1, least=0)
@common.number("--length", "Maximum number of words.", default=50)
def generate(model, prompt, temperature, seed, length):
    """Sample a sentence from a language model, beginning with the words of PROMPT.

    MODEL: a language model of any kind, or the directory of its training run.
    """
    from senna_py.lm.generation import generate as made_up
    from senna_py.lm.model_files import open_model

    text = prompt.encode("utf-8", "surrogateescape")  # bytes: no-break spaces are part of words
    words = [word.decode("utf-8", "surrogateescape") for word in text.split()]
    click.echo(" ".join([*words, *made_up(open_model(model), words, length, temperature, seed)]))
