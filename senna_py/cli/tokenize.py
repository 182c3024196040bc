"""The verb `tokenize`: find tokens and sentences."""

from senna_py.cli.tag import annotate, file_options, lines_option, program
from senna_py.cli.tag_options import tag_options

__all__ = ["command"]

_READING = ("path", "usrtokens", "layout", "multiwords", "paragraphs", "abbreviations", "encoding",
            "limit")  # fmt: skip


@program("tokenize")
@tag_options(only=_READING)
@lines_option
@file_options
def command(lines, **options):
    """Print the tokens of FILEs or standard input: a sentence a line, tokens between spaces.

    White space inside a token is an underscore. Language models read text of this kind.
    """
    annotate(options | {"format": "tokens"}, lines)
