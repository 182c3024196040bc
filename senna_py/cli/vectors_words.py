"""Vectors and words on the command line of `senna-py vectors`."""

import sys

import click

from senna_py.cli.common import choice
from senna_py.errors import SennaError, UsageError

FORMATS = ("word2vec", "word2vec-binary", "glove", "npy", "senna")
source = click.argument("source", type=click.Path())


def form_option(*others):
    """Make the option --from; others: formats of this command besides those of vectors."""
    return choice(
        "--from", "form", (*FORMATS, "checkpoint", "model", *others),
        "Format of SOURCE; default: by its name and first line.",
    )  # fmt: skip


def words_of(arguments):
    """Words given to a command, with `-` replaced by the words of standard input: list of str.

    Words of standard input are separated by ASCII white space, as in text.
    """
    given = sys.stdin.buffer.read().split() if "-" in arguments else ()
    given = [word.decode("utf-8", "surrogateescape") for word in given]
    return [w for word in arguments for w in (given if word == "-" else [word])]


def check_words(words):
    """Raise UsageError for what cannot be a word of a text."""
    for word in words:
        encoded = word.encode("utf-8", "surrogateescape")
        if encoded.split() != [encoded]:
            raise UsageError(f"{word!r}: not a word: empty, or with white space inside")


def rows_of(embeddings, words):
    """{word: its row, or that of its folded form, or None}."""
    from senna_py.text.characters import fold_words

    row = {word: i for i, word in enumerate(embeddings.words)}
    folded = zip(words, fold_words(words), strict=True)
    return {word: row.get(word, row.get(fold)) for word, fold in folded}


def check_known(source, found):
    """Raise SennaError for words without a row."""
    if missing := [word for word in found if found[word] is None]:
        raise SennaError(f"{source}: not in the dictionary: {', '.join(missing)}")
