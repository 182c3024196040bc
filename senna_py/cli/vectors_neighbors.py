"""`senna-py vectors neighbors`: the nearest words."""

from functools import partial

import click

from senna_py.cli.common import choice, flag, number
from senna_py.cli.help import Command
from senna_py.cli.vectors_words import (
    check_known,
    check_words,
    form_option,
    rows_of,
    source,
    words_of,
)
from senna_py.errors import UsageError

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
    words = words_of(words)
    metrics = ("euclidean", "cosine") if metric == "both" else (metric,)
    if form == "lm":
        from senna_py.lm.lstm.word_vectors import open_speller

        check_words(words)
        rows, known, table = words, {}, open_speller(source, not before).table
    elif before:
        raise UsageError("--before needs --from lm")
    else:
        from senna_py.lm import neighbors
        from senna_py.lm.word_vectors import read_vectors

        embeddings = read_vectors(source, form)
        known, table = rows_of(embeddings, words), partial(neighbors.table, embeddings)
        rows = [known[word] for word in words if known[word] is not None]
    for name in metrics:
        for first in range(0, len(rows), _COLUMNS):
            lines = table(rows[first : first + _COLUMNS], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))
    check_known(source, known)
