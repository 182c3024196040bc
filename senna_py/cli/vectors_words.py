"""`senna-py vectors neighbors` and `print`: vectors of single words."""

import sys
from functools import partial

import click

from senna_py.cli.common import choice, flag, number, until_reader_leaves
from senna_py.cli.help import Command
from senna_py.cli.vectors_files import form_option, source
from senna_py.errors import SennaError, UsageError

_COLUMNS = 6  # words side by side


@click.command(
    cls=Command,
    examples=(
        "senna-py vectors neighbors vectors.npy france red",
        "senna-py vectors neighbors --from lm run/ looooook",
    ),
)
@source
@click.argument("words", nargs=-1, required=True)
@form_option("lm")
@number("-n", "--count", "Number of neighbors.", default=10)
@choice("--metric", ("euclidean", "cosine", "both"), "Distance of words.", default="both")
@number("--top", "among", "Look only at the first N words.")
@flag("--before", "With --from lm: take vectors before the highway layers.")
def neighbors(source, words, form, count, metric, among, before):
    """Print the nearest neighbors of WORDS, in a column for each.

    SOURCE: word vectors in any format, or the directory of a training run. With --from lm, it is an
    LSTM language model of `senna-lm train`; if it reads characters, WORDS may be any words. A
    number below a word is its rank in the dictionary, usually by frequency. `-` reads words from
    standard input.
    """
    words = _words_of(words)
    metrics = ("euclidean", "cosine") if metric == "both" else (metric,)
    if form == "lm":
        from senna_py.lm.lstm.word_vectors import open_speller

        _check_words(words)
        rows, known, table = words, {}, open_speller(source, not before).table
    elif before:
        raise UsageError("--before needs --from lm")
    else:
        from senna_py.lm import neighbors
        from senna_py.models.embeddings import read_embeddings
        from senna_py.text.characters import fold_words

        embeddings = read_embeddings(source, form)
        row = {word: i for i, word in enumerate(embeddings.words)}
        folded = zip(words, fold_words(words), strict=True)
        known = {word: row.get(word, row.get(fold)) for word, fold in folded}
        table = partial(neighbors.table, embeddings)
        rows = [known[word] for word in words if known[word] is not None]
    for name in metrics:
        for first in range(0, len(rows), _COLUMNS):
            lines = table(rows[first : first + _COLUMNS], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))
    if missing := [word for word in known if known[word] is None]:
        raise SennaError(f"{source}: not in the dictionary: {', '.join(missing)}")


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

    words = _words_of(words)
    _check_words(words)
    found = open_speller(model, not before).vectors(words) if words else ()
    with until_reader_leaves():
        for name, row in zip(words, found, strict=True):
            line = f"{name} {' '.join(row.astype(str).tolist())}\n"
            click.echo(line.encode("utf-8", "surrogateescape"), nl=False)


def _words_of(arguments):
    """Words given to a command, with `-` replaced by the words of standard input: list of str.

    Words of standard input are separated by ASCII white space, as in text.
    """
    given = sys.stdin.buffer.read().split() if "-" in arguments else ()
    given = [word.decode("utf-8", "surrogateescape") for word in given]
    return [w for word in arguments for w in (given if word == "-" else [word])]


def _check_words(words):
    """Raise UsageError for what cannot be a word of a text."""
    for word in words:
        encoded = word.encode("utf-8", "surrogateescape")
        if encoded.split() != [encoded]:
            raise UsageError(f"{word!r}: not a word: empty, or with white space inside")
