"""The verb `tokenize`: find tokens and sentences."""

import click

from senna_py.cli.help import Command
from senna_py.cli.tag import annotate, file_options, lines_option
from senna_py.cli.tag_options import chosen_format, tag_options
from senna_py.errors import UsageError

_READING = ("path", "usrtokens", "layout", "multiwords", "paragraphs", "abbreviations",
            "join_hyphens", "encoding", "limit")  # fmt: skip


@click.command(
    "tokenize", cls=Command, examples=('echo "He can\'t go. She left." | senna-py tokenize',)
)
@tag_options(only=_READING)
@lines_option
@file_options
def command(lines, **options):
    """Print the tokens of FILEs or standard input (also: -), one sentence per line.

    Tokens are separated by spaces; white space inside a token becomes an underscore. Language
    models are trained on text of this kind.
    """
    if name := chosen_format(None, options["output"], ["parquet"]):
        raise UsageError(f"{options['output']}: {name} is a format of senna-py tag")
    annotate(options | {"format": "tokens"}, lines)
