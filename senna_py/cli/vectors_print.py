"""`senna-py vectors print`: the vectors of any words, as a language model reads them."""

import click

from senna_py.cli.common import until_reader_leaves
from senna_py.cli.vectors_words import check_words, words_of

__all__ = ["print_"]


@click.command("print")
@click.argument("model", type=click.Path())
@click.argument("words", nargs=-1, required=True)
@click.option("--before", is_flag=True, help="Before the highway layers, not after them.")
def print_(model, words, before):
    """Print the vectors of any WORDS by a MODEL of `senna-lm train char`.

    A line a word: the word, then its numbers, as in GloVe's files; `-` reads words from standard
    input. A model of `train word` or `morph` has those of the words that it knows.
    """
    from senna_py.lm.lstm.word_vectors import open_speller

    words = words_of(words)
    check_words(words)
    found = open_speller(model, not before).vectors(words) if words else ()
    with until_reader_leaves():
        for name, row in zip(words, found, strict=True):
            line = f"{name} {' '.join(row.astype(str).tolist())}\n"
            click.echo(line.encode("utf-8", "surrogateescape"), nl=False)
