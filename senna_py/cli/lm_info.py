"""`senna-lm info`: what a language model is."""

import click

__all__ = ["info"]


@click.command()
@click.argument("model", type=click.Path(allow_dash=True))
def info(model):
    """Describe a language model: its kind, its sizes, and how it was trained."""
    from senna_py.lm.model_files import open_model

    for name, value in open_model(model).describe():
        click.echo(f"{name}: {value}")
