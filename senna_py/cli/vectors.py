"""The command `senna-py vectors`: train, inspect and convert word vectors."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli import vectors_text
from senna_py.cli.help import Group
from senna_py.cli.options import choice, file_option, flag, number
from senna_py.cli.run_options import run_options
from senna_py.cli.streams import until_reader_leaves
from senna_py.cli.vectors_files import export, form_option, import_, source
from senna_py.cli.vectors_train import ranking, skipgram
from senna_py.errors import SennaError, UsageError
from senna_py.io.progress import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from senna_py.cli.run_options import RunOptions
    from senna_py.lm.text.corpus import Corpus

_COLUMNS = 6  # The number of words whose neighbors are printed side by side.


@click.group(
    "vectors",
    cls=Group,
    examples=(
        "senna-py vectors train skipgram run/ text/",
        "senna-py vectors neighbors run/ france red",
    ),
)
def command() -> None:
    """Train, inspect and convert word vectors, and cluster words."""


@command.group(examples=("senna-py vectors train skipgram -h",))
def train() -> None:
    """Train word vectors, with which taggers can be initialized."""


for trainer in (ranking, skipgram):
    train.add_command(trainer)
for converter in (export, import_):
    command.add_command(converter)


@command.command(
    examples=("senna-py vectors prepare --cover train.conll corpus/ text/",)
)
@click.argument("directory", type=click.Path())
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@vectors_text.size_option("Size of the dictionary that contains the words of --cover.")
@vectors_text.cover_option
@vectors_text.min_count_option
@vectors_text.jobs_option
def prepare(
    directory: str,
    paths: tuple[str, ...],
    size: int,
    cover: tuple[str, ...],
    min_count: int,
    jobs: int | None,
) -> None:
    """Tokenize text files into a corpus in DIRECTORY.

    PATHS are .txt, .gz, .xz or .bz2 files, with one paragraph or sentence per line, or
    directories of such files.
    """
    from senna_py.lm.text.corpus import Preparation

    how = Preparation(cover=cover, size=size, min_count=min_count)
    corpus = vectors_text.new_corpus(directory, paths, how, jobs)
    click.echo(
        f"{len(corpus.train):,} training and {len(corpus.valid):,} validation positions, "
        f"{len(corpus.words):,} words"
    )
    _print_coverage(corpus, cover, size)


def _print_coverage(corpus: Corpus, files: Sequence[str], size: int) -> None:
    from senna_py.lm.text.dictionary import coverage

    words = set(corpus.words[:size])
    for path in files:
        tokens, types = coverage(path, words)
        click.echo(
            f"{path}: {len(words):,} words cover {100 * tokens.known:.2f}% of "
            f"{tokens.n_words:,} tokens, {100 * types.known:.2f}% of "
            f"{types.n_words:,} types"
        )


@command.command(examples=("senna-py vectors coverage corpus/ train.conll",))
@click.argument("corpus", type=click.Path())
@click.argument("files", nargs=-1, required=True, type=click.Path())
@vectors_text.size_option("Dictionary size.")
def coverage(corpus: str, files: tuple[str, ...], size: int) -> None:
    """Print how many words of labeled column FILES a prepared CORPUS covers."""
    from senna_py.lm.text.corpus import open_corpus

    _print_coverage(open_corpus(corpus, "word"), files, size)


@command.command(
    examples=("senna-py vectors cluster --clusters 500 classes.txt text.txt",)
)
@click.argument("out", metavar="TARGET", type=click.Path(dir_okay=False))
@click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True))
@number("--clusters", "Number of clusters.", default=1000)
@flag("--one-stream", "Read all text as one stream, without sentence boundaries.")
@file_option("--vocabulary", "Cluster only these words, one per line.")
@number("--min-count", "Minimum count of words; rarer ones are left out.", default=1)
@number("--size", "Vocabulary size: cluster the N most frequent words.")
@flag("--lower", "Lower-case words and read numbers as 0.")
@number("--tokens", "limit", "Read only the first N tokens of the text.")
@run_options(report_every="10s", plot=False)
def cluster(
    out: str,
    paths: tuple[str, ...],
    clusters: int,
    options: RunOptions,
    **choice_of_words: Any,
) -> None:
    """Cluster the words of a text by Brown clustering.

    PATHS are files of tokenized text, with one sentence per line (`-` is standard
    input), or one corpus that `senna-py vectors prepare` made. TARGET has one line per
    word: the path of its class in the tree of classes, as bits, the word and its count,
    separated by tabs.
    """
    from senna_py.io.class_files import write_word_classes
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.brown.clustering import BrownClustering, read_words
    from senna_py.training.run import TrainingRun

    check_paths([*paths, choice_of_words["vocabulary"]], [out])
    directory = f"{out}.run"
    options.check(directory, None, paths)
    clustering = BrownClustering(read_words(paths, **choice_of_words), clusters)
    words = clustering.words
    say(
        f"{int(words.counts.sum()):,} occurrences of {len(words.words):,} words, "
        f"{clustering.n_classes:,} classes"
    )
    options.train(TrainingRun(clustering, directory, lambda line, figures: say(line)))
    say(f"average mutual information: {clustering.information():.4f} bits")
    write_word_classes(out, clustering.rows())
    shutil.rmtree(directory, ignore_errors=True)


@command.command(
    examples=(
        "senna-py vectors neighbors vectors.npy france red",
        "senna-py vectors neighbors --from lm run/ looooook",
    ),
)
@source
@click.argument("words", nargs=-1, required=True)
@form_option("lm")
@number("-n", "--count", "Number of neighbors.", default=10)
@choice(
    "--metric", ("euclidean", "cosine", "both"), "Distance measure.", default="both"
)
@number("--top", "among", "Look only at the first N words.")
@flag("--before", "With --from lm: use the vectors before the highway layers.")
def neighbors(
    source: str,
    words: tuple[str, ...],
    source_format: str | None,
    count: int,
    metric: str,
    among: int | None,
    before: bool,
) -> None:
    """Print the nearest neighbors of WORDS, in a column for each.

    SOURCE has word vectors in any format, or is the directory of a training run. With
    --from lm, it is an LSTM language model of `senna-lm train`; if it reads characters,
    WORDS may be any words. A number below a word is its rank in the dictionary, usually by
    frequency. `-` reads words from standard input.
    """
    wanted = _words_of(words)
    if source_format == "lm":
        from senna_py.lm.lstm.word_vectors import open_speller

        _check_words(wanted)
        table = open_speller(source, not before).table
        _print_tables(table, wanted, count, metric, among)
        return
    if before:
        raise UsageError("--before needs --from lm")
    from senna_py.lm import neighbors
    from senna_py.models.embeddings import read_embeddings

    embeddings = read_embeddings(source, source_format)
    rows, missing = _rows_of(wanted, embeddings.words)
    table_of_rows = partial(neighbors.table, embeddings)
    _print_tables(table_of_rows, rows, count, metric, among)
    if missing:
        raise SennaError(f"{source}: not in the dictionary: {', '.join(missing)}")


def _print_tables(
    table: Callable[..., list[str]],
    words: Sequence[str] | Sequence[int],
    count: int,
    metric: str,
    among: int | None,
) -> None:
    """Print the neighbors of words for each metric, a few words side by side.

    Args:
        table: A function that makes the lines of a table from words, a number of
            neighbors, a metric and the number of words to search.
        words: The words, in the form that `table` accepts.
        count: The number of neighbors.
        metric: `euclidean`, `cosine` or `both`.
        among: The number of most frequent words to search, or None for all.
    """
    for name in ("euclidean", "cosine") if metric == "both" else (metric,):
        for first in range(0, len(words), _COLUMNS):
            lines = table(words[first : first + _COLUMNS], count, name, among)
            click.echo("\n".join([f"{name}:", *lines, ""]))


def _rows_of(words: list[str], dictionary: list[str]) -> tuple[list[int], list[str]]:
    """Return the row indices of words (or of their folded forms), and missing words."""
    from senna_py.text.characters import fold_words

    index = {word: i for i, word in enumerate(dictionary)}
    rows: list[int] = []
    missing: dict[str, None] = {}
    for word, form in zip(words, fold_words(words), strict=True):
        row = index.get(word, index.get(form))
        if row is None:
            missing[word] = None
        else:
            rows.append(row)
    return rows, [*missing]


@command.command("print", examples=("senna-py vectors print run/ looooook",))
@click.argument("model", type=click.Path())
@click.argument("words", nargs=-1, required=True)
@flag("--before", "Use the vectors before the highway layers.")
def print_(model: str, words: tuple[str, ...], before: bool) -> None:
    """Print the vectors of WORDS in an LSTM language model from `senna-lm train`.

    A model that reads characters has a vector for any word. Each line consists of a
    word and its numbers, as in the format of GloVe. `-` reads words from standard
    input.
    """
    from senna_py.lm.lstm.word_vectors import open_speller

    names = _words_of(words)
    _check_words(names)
    if not names:
        return
    vectors = open_speller(model, not before).vectors(names)
    with until_reader_leaves():
        for name, row in zip(names, vectors, strict=True):
            line = f"{name} {' '.join(row.astype(str).tolist())}\n"
            click.echo(line.encode("utf-8", "surrogateescape"), nl=False)


def _words_of(arguments: Sequence[str]) -> list[str]:
    """Return the words of a command, with `-` replaced by words from standard input."""
    encoded = sys.stdin.buffer.read().split() if "-" in arguments else []
    from_input = [word.decode("utf-8", "surrogateescape") for word in encoded]
    words: list[str] = []
    for argument in arguments:
        words += from_input if argument == "-" else [argument]
    return words


def _check_words(words: Iterable[str]) -> None:
    """Raise UsageError if a word is empty or contains white space."""
    for word in words:
        encoded = word.encode("utf-8", "surrogateescape")
        if encoded.split() != [encoded]:
            raise UsageError(f"{word!r}: not a word: empty, or with white space inside")
