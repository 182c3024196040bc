"""Parts of the commands of `senna-lm` that train in a directory."""

import os

from senna_py.cli.common import say


def threads_for_blas(n=None):
    """Set the threads of matrix products, by default one; call it before NumPy is imported."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = os.environ.get(variable, "1") if n is None else str(n)


def start_from(training, init, note=say):
    """Give a model in training the vectors of the file `init`."""
    from senna_py.lm.word_vectors import read_vectors

    embeddings = read_vectors(init)
    found = training.start_from(embeddings.words, embeddings.vectors)
    note(f"{init}: vectors for {found:,} words")


def train(options, training, directory, note=say):
    """Train in a directory as RunOptions want, and draw the run; see `RunOptions.train`."""
    from senna_py.training.run import TrainingRun

    run = TrainingRun(training, directory, lambda line, figures: note(line))

    def best():
        perplexity, epoch = run.best
        return perplexity and f"best validation perplexity {perplexity:.2f}, after epoch {epoch}"

    if options.train(run, note, best):
        note("done")
    options.draw(run, note)
