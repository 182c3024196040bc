"""Text on the command line of `senna-py vectors`: files with weights, the corpus made
of them.
"""

import contextlib
import os
import signal

from senna_py.cli.options import file_option, number, option
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.signals import on_interrupt
from senna_py.errors import SennaError, UsageError
from senna_py.io.numbers import float_of
from senna_py.io.progress import say
from senna_py.io.system import STOP_SIGNALS

cover_option = file_option(
    "--cover",
    "Put the words of this labeled column file into the dictionary; may be repeated.",
    multiple=True,
)
min_count_option = number(
    "--min-count",
    "Minimum count of words in the dictionary; rarer ones are UNKNOWN.",
    default=3,
)
jobs_option = option(
    "--jobs", "Processes that tokenize; default: one per core.", type=WORKERS
)


def size_option(text):
    """--size of a dictionary; text: what it is the size of."""
    return number("--size", text, default=130_000, least=4)


def weigh(paths):
    """The text files of arguments such as FILE or DIRECTORY=2, and their weights: two
    lists.
    """
    from senna_py.lm.text.raw import text_files

    given = [_weighted(path) for path in paths]
    files = [(file, weight) for path, weight in given for file in text_files([path])]
    if len({file.resolve() for file, _ in files}) < len(files):
        raise SennaError("a file is given twice; weigh it instead, as in FILE=2")
    return [[*column] for column in zip(*files, strict=True)]


def _weighted(path):
    name, equals, weight = path.rpartition("=")
    if not equals or os.path.exists(path):
        return path, 1.0
    with contextlib.suppress(ValueError):
        if 0 < (value := float_of(weight)) < 1e6:
            return name, value
    raise UsageError(f"{path}: {weight!r} is not a weight")


def corpus_at(place, paths, how, resume, jobs):
    """The Corpus of text files at a place, made unless it is there.

    how: Preparation; resume: whether a run goes on, which needs the corpus that it
    began with.
    """
    from senna_py.lm.text.corpus import is_corpus, open_corpus

    if is_corpus(place):
        corpus = open_corpus(place, how.unit)
        if corpus.is_of(paths, how):
            return corpus
        if resume:
            raise SennaError(
                f"{place}: made from other text, or with other options, than the run that is to "
                "go on"
            )
    return new_corpus(place, paths, how, jobs)


def new_corpus(place, paths, how, jobs):
    """A Corpus made at a place by a Preparation."""
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.text.corpus import FILES, prepare
    from senna_py.lm.text.raw import text_files

    check_paths(
        [*text_files(paths), *how.cover], [os.path.join(place, name) for name in FILES]
    )

    # Other commands end at once; this one has scratch files and processes to clear
    # away.
    with on_interrupt(_raise_interrupt):
        return prepare(paths, place, how, jobs, say)


def _raise_interrupt(number, frame):
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # a second one would stop the clearing away
    raise KeyboardInterrupt
