"""`senna-lm export`: a language model in another format."""

import click

__all__ = ["export"]


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
    from senna_py.io.overwriting import reads
    from senna_py.lm.model_files import check_target, open_model, write_model

    reads(source)
    check_target(target, to == "arpa")
    write_model(target, open_model(source), to == "arpa", half)
