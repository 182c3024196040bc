"""Functions that commands for language models and word vectors share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from senna_py.cli.options import all_of, file_option, flag, number
from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.progress import Progress, say

if TYPE_CHECKING:
    from senna_py.cli.run_options import RunOptions
    from senna_py.lm.nplm.training import NplmTraining
    from senna_py.lm.ranking.training import RankingTraining
    from senna_py.lm.text.streams import Streams
    from senna_py.training.trainable import Trainable

# The argument PATHS and the options for text, which are the arguments of `read`.
text_options = all_of(
    click.argument("paths", nargs=-1, required=True, type=click.Path(allow_dash=True)),
    file_option("--valid", "Validation text; may be repeated.", multiple=True),
    flag("--one-stream", "Read all text as one stream, without sentence boundaries."),
    file_option(
        "--vocabulary", "Vocabulary, one word per line; all other words are <unk>."
    ),
    number(
        "--min-count",
        "Minimum count of words in the vocabulary; rarer ones are <unk>.",
        default=1,
    ),
    number("--size", "Vocabulary size: keep the N most frequent words."),
)


def read(
    paths: Sequence[str],
    valid: Sequence[str],
    one_stream: bool,
    vocabulary: str | None,
    min_count: int,
    size: int | None,
    opened: bool = False,
) -> Streams:
    """Read the training and validation text of a command, with progress and a summary.

    See `read_streams` for the arguments.

    Raises:
        UsageError: If standard input occurs more than once.
        SennaError: If a file cannot be read, or if a text has no words.
    """
    from senna_py.lm.text.streams import read_streams

    if [*map(str, (*paths, *valid))].count("-") > 1:
        raise UsageError("standard input can be read only once: `-` occurs twice")
    progress = Progress(total=None)

    def report(n_words: int) -> None:
        progress.show(n_words, f"{counted(n_words, 'word')} read")

    streams = read_streams(
        paths, valid, not one_stream, vocabulary, min_count, size, report, opened
    )
    begin = streams.word_list.begin  # It is not predicted, so it does not count.
    n_train = int((streams.train != begin).sum())
    n_valid = int((streams.valid != begin).sum())
    say(
        f"{n_train:,} training and {n_valid:,} validation words, "
        f"{len(streams.word_list):,} different"
    )
    return streams


def threads_for_blas(n: int | None = None) -> None:
    """Set the number of BLAS threads; this must precede the import of NumPy.

    Args:
        n: The number of threads. None means the number that the environment sets or,
            if it sets none, one thread.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        if n is not None:
            os.environ[variable] = str(n)
        else:
            os.environ.setdefault(variable, "1")


def start_from(
    training: NplmTraining | RankingTraining,
    init: str,
    note: Callable[[str], object] = say,
) -> None:
    """Initialize the word vectors of a training from a file.

    Raises:
        SennaError: If the file cannot be read, or its vectors have another dimension.
    """
    from senna_py.models.embeddings import read_embeddings

    embeddings, dim = read_embeddings(init), training.settings()["dim"]
    if embeddings.vectors.shape[1] != dim:
        raise SennaError(
            f"{init}: vectors of {embeddings.vectors.shape[1]} dimensions, not {dim}"
        )
    n_words = training.start_from(embeddings.words, embeddings.vectors)
    note(f"{init}: vectors for {counted(n_words, 'word')}")


def train(
    options: RunOptions,
    training: Trainable,
    directory: str,
    note: Callable[[str], object] = say,
) -> None:
    """Train a model in a directory, and plot the learning curves if --plot is given.

    If the run stops early, the process ends; see `RunOptions.train`.

    Args:
        options: The options of the run.
        training: The model in training.
        directory: The directory of the run.
        note: A callback for lines of text for the user.
    """
    from senna_py.training.run import TrainingRun

    if not training.has_valid:
        note("no sentence is held out: validation uses training sentences")
    run = TrainingRun(training, directory, lambda line, figures: note(line))

    def best() -> str | None:
        perplexity, epoch = run.best
        if not perplexity:
            return None
        return f"best validation perplexity {perplexity:.2f}, after epoch {epoch}"

    if options.train(run, note, best):
        note("done")
    options.draw(run, note)
