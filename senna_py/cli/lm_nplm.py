"""`senna-lm train nplm`: the neural probabilistic language model."""

import contextlib
import traceback

import click

from senna_py.cli.common import WORKERS, FiniteRange, WholeRange
from senna_py.cli.lm_run import start_from, threads_for_blas, train
from senna_py.cli.lm_text import read, say, text_options
from senna_py.cli.run_options import run_options
from senna_py.errors import SennaError, UsageError, one_line
from senna_py.io.numbers import int_of

__all__ = ["failing_together", "nplm"]

_OUTPUTS = ("softmax", "classes", "energy")


@click.command()
@click.argument("directory", type=click.Path())
@text_options
@click.option(
    "--order", default=5, show_default=True, type=WholeRange(2, 64),
    help="Words that a prediction depends on, itself included.",
)  # fmt: skip
@click.option(
    "--dim", default=30, show_default=True, type=WholeRange(1), help="Size of word vectors."
)
@click.option("--hidden", default=50, show_default=True, type=WholeRange(0), help="Hidden units.")
@click.option("--direct", is_flag=True, help="Connect the vectors to the output units, too.")
@click.option(
    "--output", type=click.Choice(_OUTPUTS), default="softmax", show_default=True,
    help="Softmax over all words; over classes, then words (fast); or by energies.",
)  # fmt: skip
@click.option(
    "--classes", metavar="N|FILE",
    help="Number of classes, by frequency, or their file (see `cluster`).",
)  # fmt: skip
@click.option("--own-weights", is_flag=True, help="Each word has its own v (--output energy).")
@click.option(
    "--batch", default=1, show_default=True, type=WholeRange(1, 1 << 16),
    help="Examples of a minibatch; 1 trains them one by one, as published.",
)  # fmt: skip
@click.option(
    "--optimizer", type=click.Choice(("sgd", "adagrad", "adam")), default="sgd", show_default=True
)
@click.option(
    "--rate", default=1e-3, show_default=True, type=FiniteRange(0),
    help="First learning rate, of an example.",
)  # fmt: skip
@click.option(
    "--decrease", default=1e-8, show_default=True, type=FiniteRange(0),
    help="r of the rate after t examples, rate / (1 + r t).",
)  # fmt: skip
@click.option(
    "--decay", default=1e-4, show_default=True, type=FiniteRange(0),
    help="Weight decay: part of a weight, times the rate, taken off for each example.",
)  # fmt: skip
@click.option(
    "--dropout", default=0.0, show_default=True, type=FiniteRange(0, 0.95),
    help="Share of inputs and hidden units left out while training (energy: of inputs).",
)  # fmt: skip
@click.option(
    "--samples", default=0, show_default=True, type=WholeRange(0, 1 << 20),
    help="Words drawn for a minibatch instead of all (--output energy); 0: all.",
)  # fmt: skip
@click.option("--epochs", default=20, show_default=True, type=WholeRange(1))
@click.option(
    "--patience", default=3, show_default=True, type=WholeRange(1),
    help="Stop after so many epochs without a better validation perplexity.",
)  # fmt: skip
@click.option("--init", type=click.Path(), help="Start from these vectors (see `import`).")
@click.option("--threads", default=1, show_default=True, type=WORKERS)
@click.option("--mpi", is_flag=True, help="Share the output units among `mpirun`'s processes.")
@run_options()
def nplm(
    directory, paths, valid, one_stream, vocabulary, min_count, size, classes, init, mpi, course,
    **settings,
):  # fmt: skip
    """Train the neural probabilistic language model (Bengio et al. 2003).

    PATHS: text, a sentence a line, words between spaces. DIRECTORY gets the best model so far
    (model.lm), the checkpoint and the log.
    """
    threads_for_blas()
    from senna_py.layers.process_group import ALONE, MpiGroup
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.nplm.training import NplmTraining, Settings

    if classes is not None and settings["output"] != "classes":
        raise UsageError("--classes needs --output classes")
    if classes:
        with contextlib.suppress(ValueError):  # the name of a file
            classes = int_of(classes)
    settings = Settings(classes=classes, init=init, **settings)
    group = MpiGroup.world() if mpi else ALONE
    note = (lambda line: None) if group.rank else say
    with failing_together(group):
        course.check(directory, FILE_NAME, note=note, first=not group.rank)
        streams = read(paths, valid, one_stream, vocabulary, min_count, size)
        word_class = _classes_of_file(classes, streams.word_list)
        training = NplmTraining(streams, settings, word_class, group)
        if init and not course.resume:  # the checkpoint has what became of them
            start_from(training, init, note)
        train(course, training, directory, note)


@contextlib.contextmanager
def failing_together(group):
    """End all processes of a group when this one fails: they would wait for it forever."""
    try:
        yield
    except Exception as error:
        if group.size > 1:
            known = isinstance(error, (SennaError, OSError, MemoryError))
            say(f"senna-lm: {one_line(error) if known else traceback.format_exc()}")
            group.abort(getattr(error, "exit_code", 1))
        raise


def _classes_of_file(classes, word_list):
    if not isinstance(classes, str):
        return None
    from senna_py.lm.nplm.classes import classes_of_file

    return classes_of_file(classes, word_list)
