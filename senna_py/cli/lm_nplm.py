"""`senna-lm train nplm`: the neural probabilistic language model."""

import contextlib
import traceback

import click

from senna_py.cli.common import flag
from senna_py.cli.help import Command
from senna_py.cli.lm_run import read, say, start_from, text_options, threads_for_blas, train
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.errors import SennaError, one_line
from senna_py.lm.nplm.settings import NplmSettings


@click.command(
    cls=Command,
    brief="valid vocabulary min-count size order dim hidden direct epochs threads resume plot",
    examples=("senna-lm train nplm --order 5 --hidden 100 --valid dev.txt run/ train.txt",),
)
@click.argument("directory", type=click.Path())
@text_options
@options_of(NplmSettings)
@flag("--mpi", "Split the output layer across the processes of mpirun.")
@run_options()
def nplm(
    directory, paths, valid, one_stream, vocabulary, min_count, size, mpi, options, **settings
):  # fmt: skip
    """Train a feed-forward neural language model (Bengio et al. 2003).

    PATHS: tokenized text, one sentence per line. DIRECTORY gets the best model (model.lm), a
    checkpoint and a log.
    """
    threads_for_blas()
    from senna_py.layers.process_group import ALONE, MpiGroup
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.nplm.training import NplmTraining, classes_of_file

    settings = NplmSettings(**settings)
    group = MpiGroup.world() if mpi else ALONE
    note = (lambda line: None) if group.rank else say
    with failing_together(group):
        classes = settings.classes if isinstance(settings.classes, str) else None
        init = None if options.resume else settings.init
        inputs = [*paths, *valid, vocabulary, classes, init]
        options.check(directory, FILE_NAME, inputs, note=note, first=not group.rank)
        streams = read(paths, valid, one_stream, vocabulary, min_count, size)
        word_class = None if classes is None else classes_of_file(classes, streams.word_list)
        training = NplmTraining(streams, settings, word_class, group)
        if settings.init and not options.resume:  # the checkpoint has what became of them
            start_from(training, settings.init, note)
        train(options, training, directory, note)


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
