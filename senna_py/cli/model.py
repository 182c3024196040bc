"""senna-model: work with model directories."""

import click

from senna_py import __version__
from senna_py.cli.common import run

__all__ = ["command", "main"]


@click.group("senna-model", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def command():
    """Work with model directories."""


@command.command("drop-in")
@click.argument("directory", metavar="DIR")
@click.option("-path", "--path", metavar="DIR", help="Model to copy; else $SENNA_PY_MODEL.")
def drop_in(directory, path):
    """Make DIR a stand-in for an installed SENNA.

    DIR gets the model in SENNA's format and launchers under the names of SENNA's programs, so that
    clients of SENNA (NLTK's, for one) run senna-tag without knowing it.
    """
    from senna_py.drop_in import make_drop_in

    make_drop_in(directory, path)


def main():
    """Run senna-model as a process."""
    run(command)
