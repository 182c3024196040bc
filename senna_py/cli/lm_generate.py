"""`senna-lm generate`: text that a language model makes up."""

import click

from senna_py.cli.common import FiniteRange, WholeRange

__all__ = ["generate"]


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
