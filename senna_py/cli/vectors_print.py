"""`senna-py vectors print`: the vectors of any words, as a language model reads them."""

import click

from senna_py.cli.common import flag, until_reader_leaves
from senna_py.cli.help import Command
from senna_py.cli.vectors_words import check_words, words_of


@click.command("print", cls=Command, examples=("senna-py vectors print run/ looooook",))
@click.argument("model", type=click.Path())
@click.argument("words", nargs=-1, required=True)
@flag("--before", "Take vectors before the highway layers.")
def print_(model, words, before):
    """Print the vectors of WORDS by an LSTM language model of `senna-lm train`.

    A model that reads characters has a vector for any word. Each line has a word and its numbers,
    as in the format of GloVe. `-` reads words from standard input.
    """
    from senna_py.lm.lstm.word_vectors import open_speller

    words = words_of(words)
    check_words(words)
    found = open_speller(model, not before).vectors(words) if words else ()
    with until_reader_leaves():
        for name, row in zip(words, found, strict=True):
            line = f"{name} {' '.join(row.astype(str).tolist())}\n"
            click.echo(line.encode("utf-8", "surrogateescape"), nl=False)
