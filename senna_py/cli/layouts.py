"""Options of the commands that read files of a layout, see `corpora.layouts`."""

import click

from senna_py.corpora.conllu import MULTIWORDS
from senna_py.corpora.layouts import LAYOUTS

__all__ = ["layout_option", "multiwords_option"]

layout_option = click.option(
    "--layout", type=click.Choice(LAYOUTS), callback=lambda context, option, value: value or "",
    help="What column files FILEs are; *.conllu is known by its name.",
)  # fmt: skip
multiwords_option = click.option(
    "--multiwords", type=click.Choice(MULTIWORDS), default=MULTIWORDS[0], show_default=True,
    help="Tokens of CoNLL-U: syntactic words, or the surface tokens of ranges such as 3-4.",
)  # fmt: skip
