"""`senna-py vectors prepare` and `coverage`: a corpus for several runs, and what it knows."""

import click

from senna_py.cli import vectors_text
from senna_py.cli.help import Command


@click.command(
    cls=Command, examples=("senna-py vectors prepare --cover train.conll corpus/ text/",)
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@vectors_text.size_option("Size of the dictionary that must have the words of --cover.")
@vectors_text.cover_option
@vectors_text.min_count_option
@vectors_text.jobs_option
def prepare(directory, paths, size, cover, min_count, jobs):
    """Tokenize text files into a corpus in DIRECTORY.

    PATHS: .txt, .gz, .xz or .bz2 files, one paragraph or sentence per line, or directories of them.
    """
    from senna_py.lm.text.corpus import Preparation

    how = Preparation(cover=cover, size=size, min_count=min_count)
    corpus = vectors_text.new_corpus(directory, paths, how, jobs)
    click.echo(
        f"{len(corpus.train):,} training and {len(corpus.valid):,} validation positions, "
        f"{len(corpus.words):,} words"
    )
    _print_coverage(corpus, cover, size)


def _print_coverage(corpus, files, size):
    from senna_py.lm.text.dictionary import coverage

    words = set(corpus.words[:size])
    for path in files:
        (n_tokens, tokens), (n_types, types) = coverage(path, words)
        click.echo(
            f"{path}: {len(words):,} words cover {100 * tokens:.2f}% of {n_tokens:,} tokens, "
            f"{100 * types:.2f}% of {n_types:,} types"
        )


@click.command(cls=Command, examples=("senna-py vectors coverage corpus/ train.conll",))
@click.argument("corpus", type=click.Path())
@click.argument("files", nargs=-1, required=True, type=click.Path())
@vectors_text.size_option("Dictionary size.")
def coverage(corpus, files, size):
    """Print how many words of labeled column FILES the dictionary of a prepared CORPUS covers."""
    from senna_py.lm.text.corpus import open_corpus

    _print_coverage(open_corpus(corpus, "word"), files, size)
