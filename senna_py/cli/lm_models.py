"""Commands of `senna-lm` about models that are there: info, export, mix and generate."""

import click

from senna_py.cli.common import FiniteRange, WholeRange, say
from senna_py.errors import UsageError

__all__ = ["export", "generate", "info", "mix"]


@click.command()
@click.argument("model", type=click.Path(allow_dash=True))
def info(model):
    """Describe a language model: its kind, its sizes, and how it was trained."""
    from senna_py.lm.model_files import open_model

    for name, value in open_model(model).describe():
        click.echo(f"{name}: {value}")


@click.command()
@click.argument("source", type=click.Path())
@click.argument("target", type=click.Path())
@click.option(
    "--to", required=True, type=click.Choice(("arpa", "lm")),
    help="Text, of a back-off n-gram model; or the format of this program, of any model.",
)  # fmt: skip
@click.option("--half", is_flag=True, help="Store float16, half the size (lm of networks).")
def export(source, target, to, half):
    """Write the language model SOURCE, or that of a training run's directory, to TARGET."""
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.model_files import check_target, open_model, write_model

    check_paths([source], [target])
    check_target(target, to == "arpa")
    write_model(target, open_model(source), to == "arpa", half)


@click.command()
@click.argument("target", type=click.Path())
@click.argument("models", nargs=-1, required=True, type=click.Path())
@click.option(
    "--weights", type=click.Choice(("fixed", "learned", "frequency")), default="fixed",
    show_default=True,
    help="Alike; by EM on --valid; or those for each frequency of the context.",
)  # fmt: skip
@click.option(
    "--valid", multiple=True, type=click.Path(), metavar="FILE",
    help="Text held out for validation; may be repeated.",
)  # fmt: skip
def mix(target, models, weights, valid):
    """Mix MODELS of the same words, such as a neural one and a trigram (Bengio et al. 2003).

    TARGET gets the weights and the paths of the models' files relative to TARGET, where they have
    to stay. An existing TARGET that is not a mixture is not overwritten.
    """
    if len(models) < 2:
        raise UsageError("a mixture needs two models at least: TARGET MODEL MODEL...")
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
    learn_mixture(parts, paths, weights, read_held_out, say).write(target)


@click.command()
@click.argument("model", type=click.Path())
@click.argument("prompt", default="")
@click.option(
    "--temperature", default=1.0, show_default=True, type=FiniteRange(0, 100),
    help="Below 1: likelier words; 0: always the likeliest.",
)  # fmt: skip
@click.option("--seed", default=1, show_default=True, type=WholeRange(0))
@click.option("--length", default=50, show_default=True, type=WholeRange(1), help="Words at most.")
def generate(model, prompt, temperature, seed, length):
    """Print a sentence that MODEL makes up, beginning with the words PROMPT.

    MODEL: a language model of any kind, or the directory of its training run.
    """
    from senna_py.lm.generation import generate as made_up
    from senna_py.lm.model_files import open_model

    text = prompt.encode("utf-8", "surrogateescape")  # bytes: no-break spaces are part of words
    words = [word.decode("utf-8", "surrogateescape") for word in text.split()]
    click.echo(" ".join([*words, *made_up(open_model(model), words, length, temperature, seed)]))
