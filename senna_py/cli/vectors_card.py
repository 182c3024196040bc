"""`senna-py vectors card`: a run described in Markdown."""

import click

__all__ = ["card"]


@click.command()
@click.argument("run_directory", metavar="RUN", type=click.Path())
@click.argument("words", nargs=-1)
def card(run_directory, words):
    """Describe a run of `vectors train` in Markdown: settings, course, neighbours.

    WORDS: whose neighbours are shown.
    """
    from senna_py.lm.card import describe_run

    click.echo("\n".join(describe_run(run_directory, words)))
