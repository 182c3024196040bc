"""`senna-lm mix`: mixtures of language models."""

import click

from senna_py.cli.lm_text import say
from senna_py.errors import UsageError

__all__ = ["mix"]


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

    from senna_py.io.overwriting import reads
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.mixture import MixtureModel, learn_mixture
    from senna_py.lm.model_files import check_target, open_model
    from senna_py.lm.text.streams import read_stream

    paths = [str(Path(path) / FILE_NAME) if Path(path).is_dir() else path for path in models]
    for path in paths:
        reads(path)
    check_target(target, kind=MixtureModel.kind)
    parts = [open_model(path) for path in paths]
    read_held_out = partial(read_stream, valid) if valid else None
    learn_mixture(parts, paths, weights, read_held_out, say).write(target)
