"""`senna-py vectors neighbors`: the nearest words."""

import click

from senna_py.cli.common import WholeRange
from senna_py.cli.vectors_words import (
    check_known,
    check_words,
    form_option,
    rows_of,
    source,
    words_of,
)
from senna_py.errors import UsageError

__all__ = ["neighbors"]


@click.command()
@source
@click.argument("words", nargs=-1, required=True)
@form_option
@click.option("-n", "--count", default=10, show_default=True, type=WholeRange(1))
@click.option(
    "--metric", type=click.Choice(("euclidean", "cosine", "both")), default="both",
    show_default=True,
)  # fmt: skip
@click.option("--among", type=WholeRange(1), help="Look at so many most frequent words only.")
@click.option("--columns", default=6, show_default=True, type=WholeRange(1))
@click.option(
    "--model", is_flag=True, help="SOURCE is a model of `senna-lm train char`, `word` or `morph`."
)
@click.option("--before", is_flag=True, help="Vectors before the highway layers (--model).")
def neighbors(source, words, form, count, metric, among, columns, model, before):
    """Print the nearest neighbours of WORDS in the vectors SOURCE, a column for each word.

    `-` reads words from standard input. The number below a word is its place in the dictionary,
    usually by frequency, or `-` if it has none.

    SOURCE: a training run's directory, or vectors in any format of `export`. With --model, WORDS
    may be any words, as a model of `senna-lm train char` spells them; their neighbours are known
    words.
    """
    words = words_of(words)
    metrics = ("euclidean", "cosine") if metric == "both" else (metric,)
    if model:
        if form:
            raise UsageError("--model takes no --from")
        _neighbors_by_model(source, words, count, metrics, among, columns, before)
        return
    if before:
        raise UsageError("--before needs --model")
    from senna_py.lm.neighbors import table
    from senna_py.lm.word_vectors import read_vectors

    embeddings = read_vectors(source, form)
    found = rows_of(embeddings, words)
    rows = [found[word] for word in words if found[word] is not None]
    for name in metrics:
        for first in range(0, len(rows), columns):
            lines = table(embeddings, rows[first : first + columns], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))
    check_known(source, found)


def _neighbors_by_model(source, words, count, metrics, among, columns, before):
    from senna_py.lm.lstm.word_vectors import open_speller

    check_words(words)
    speller = open_speller(source, not before)
    for name in metrics:
        for first in range(0, len(words), columns):
            lines = speller.table(words[first : first + columns], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))
