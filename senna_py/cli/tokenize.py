"""The verb `tokenize`: find tokens and sentences."""

import click

from senna_py.cli.tag import annotate, file_options, program
from senna_py.cli.tag_options import tag_options

__all__ = ["command"]

_READING = ("path", "usrtokens", "layout", "multiwords", "paragraphs", "abbreviations", "encoding",
            "limit")  # fmt: skip


@program("tokenize")
@tag_options(only=_READING)
@click.option("--lines", is_flag=True, help="A line is a sentence, not running text.")
@file_options
def command(lines, **options):
    """Print the tokens of FILEs or standard input: a sentence a line, tokens between spaces.

    White space inside a token is an underscore. Language models read text of this kind.
    """
    annotate(options | {"format": "tokens"}, lines)
