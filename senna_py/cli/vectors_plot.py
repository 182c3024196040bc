"""`senna-py vectors plot`: a map of words."""

import click

from senna_py.cli.common import WholeRange
from senna_py.cli.vectors_words import check_known, form_option, rows_of, source, words_of
from senna_py.errors import counted

__all__ = ["plot"]


@click.command()
@source
@click.argument("picture", metavar="FILE.png", type=click.Path())
@click.argument("words", nargs=-1)
@form_option
@click.option(
    "--top", default=200, show_default=True, type=WholeRange(2),
    help="Without WORDS: so many of the first words.",
)  # fmt: skip
def plot(source, picture, words, form, top):
    """Draw the vectors SOURCE of WORDS as a map, on their two axes of greatest variance.

    `-` reads words from standard input. SOURCE: as for `neighbors`.
    """
    from senna_py.io.overwriting import check_paths
    from senna_py.io.pictures import check_plotting
    from senna_py.lm.neighbors import draw_map
    from senna_py.lm.word_vectors import read_vectors
    from senna_py.models.embeddings import files_of

    check_plotting(picture)
    check_paths(files_of(source), [picture])
    words = words_of(words)
    embeddings = read_vectors(source, form)
    rows = list(range(min(top, len(embeddings.words))))
    if words:
        found = rows_of(embeddings, words)
        check_known(source, found)
        rows = list(dict.fromkeys(found.values()))
    draw_map(embeddings, rows, picture)
    click.echo(f"{picture}: {counted(len(rows), 'word')}")
