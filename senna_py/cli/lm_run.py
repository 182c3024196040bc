"""Parts of the commands that train language models and vectors: text, and runs in a
directory.
"""

import os

import click

from senna_py.cli.options import all_of, file_option, flag, number
from senna_py.errors import SennaError, UsageError, counted
from senna_py.io.progress import Progress, say

# The argument PATHS and the options about text; `read` takes them all.
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


def read(paths, valid, one_stream, vocabulary, min_count, size, opened=False):
    """Streams of a command's text, see `read_streams`; raises UsageError if stdin is
    read twice.
    """
    from senna_py.lm.text.streams import read_streams

    if [*map(str, (*paths, *valid))].count("-") > 1:
        raise UsageError("standard input can be read only once: `-` is given twice")
    progress = Progress(total=None)

    def report(n_words):
        progress.show(n_words, f"{counted(n_words, 'word')} read")

    streams = read_streams(
        paths, valid, not one_stream, vocabulary, min_count, size, report, opened
    )
    begin = streams.word_list.begin  # is not predicted
    train, valid = (
        int((stream != begin).sum()) for stream in (streams.train, streams.valid)
    )
    say(
        f"{train:,} training and {valid:,} validation words, {len(streams.word_list):,} different"
    )
    return streams


def threads_for_blas(n=None):
    """Set the threads of matrix products, by default one; call it before NumPy is
    imported.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = os.environ.get(variable, "1") if n is None else str(n)


def start_from(training, init, note=say):
    """Give a model in training the vectors of the file `init`."""
    from senna_py.models.embeddings import read_embeddings

    embeddings, dim = read_embeddings(init), training.settings()["dim"]
    if embeddings.vectors.shape[1] != dim:
        raise SennaError(
            f"{init}: vectors of {embeddings.vectors.shape[1]} dimensions, not {dim}"
        )
    found = training.start_from(embeddings.words, embeddings.vectors)
    note(f"{init}: vectors for {counted(found, 'word')}")


def train(options, training, directory, note=say):
    """Train in a directory as RunOptions want, and draw the run; see
    `RunOptions.train`.
    """
    from senna_py.training.run import TrainingRun

    if not training.has_valid:
        note("no sentence is held out: validation is on sentences that are trained on")
    run = TrainingRun(training, directory, lambda line, figures: note(line))

    def best():
        perplexity, epoch = run.best
        return (
            perplexity
            and f"best validation perplexity {perplexity:.2f}, after epoch {epoch}"
        )

    if options.train(run, note, best):
        note("done")
    options.draw(run, note)
