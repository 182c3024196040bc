"""The training text of word vectors: weighted files, and the tokenized corpus."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING, Any, NoReturn

from senna_py.cli.options import file_option, number, option
from senna_py.cli.parameter_types import WORKERS
from senna_py.cli.signals import on_interrupt
from senna_py.errors import SennaError, UsageError
from senna_py.io.numbers import float_of
from senna_py.io.progress import say
from senna_py.io.system import STOP_SIGNALS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from senna_py.io.files import AnyPath
    from senna_py.lm.text.corpus import Corpus, Preparation

cover_option = file_option(
    "--cover",
    "Add the words of this labeled column file to the dictionary; may be repeated.",
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


def size_option(text: str) -> Callable[..., Any]:
    """Return the option --size for a dictionary, with the help text `text`."""
    return number("--size", text, default=130_000, least=4)


def weigh(paths: Sequence[str]) -> tuple[list[Path], list[float]]:
    """Return text files and their weights, from arguments such as FILE or DIRECTORY=2.

    A file without a weight has the weight 1; all files of a directory have its weight.

    Raises:
        UsageError: If a weight is not a positive number below 1e6.
        SennaError: If a file does not exist or occurs twice, or if a directory has no
            text file.
    """
    from senna_py.lm.text.raw import text_files

    files: list[Path] = []
    weights: list[float] = []
    for path in paths:
        name, weight = _weighted(path)
        of_path = text_files([name])
        files += of_path
        weights += [weight] * len(of_path)
    if len({file.resolve() for file in files}) < len(files):
        raise SennaError("a file occurs twice; give it a weight instead, as in FILE=2")
    return files, weights


def _weighted(path: str) -> tuple[str, float]:
    name, equals, weight = path.rpartition("=")
    if not equals or os.path.exists(path):
        return path, 1.0
    with contextlib.suppress(ValueError):
        if 0 < (value := float_of(weight)) < 1e6:
            return name, value
    raise UsageError(f"{path}: {weight!r} is not a weight")


def corpus_at(
    place: str,
    paths: Sequence[AnyPath],
    how: Preparation,
    resume: bool,
    jobs: int | None,
) -> Corpus:
    """Return the corpus of some text files, which is made if it does not exist.

    An existing corpus is used if it was made from the same text and settings; otherwise
    it is made again.

    Args:
        place: The directory of the corpus.
        paths: The text files.
        how: The settings of the corpus.
        resume: Whether a run is resumed, whose corpus must not change.
        jobs: The number of processes, or None for one per core.

    Raises:
        SennaError: If a run is resumed, but the corpus was made from other text or
            settings; if an existing corpus has another unit; or if a file cannot be
            read.
    """
    from senna_py.lm.text.corpus import is_corpus, open_corpus

    if is_corpus(place):
        corpus = open_corpus(place, how.unit)
        if corpus.is_of(paths, how):
            return corpus
        if resume:
            raise SennaError(
                f"{place}: made from other text, or with other options, than the run "
                "that is to continue"
            )
    return new_corpus(place, paths, how, jobs)


def new_corpus(
    place: str, paths: Sequence[AnyPath], how: Preparation, jobs: int | None
) -> Corpus:
    """Make a corpus of tokenized text in a directory.

    Args:
        place: The directory of the corpus.
        paths: The text files.
        how: The settings of the corpus.
        jobs: The number of processes, or None for one per core.

    Raises:
        UsageError: If a file of the corpus is also an input.
        SennaError: If a file cannot be read or written, or if the corpus would be
            empty.
    """
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.text.corpus import FILES, prepare
    from senna_py.lm.text.raw import text_files

    inputs = [*text_files(paths), *how.cover]
    check_paths(inputs, [os.path.join(place, name) for name in FILES])

    # Other commands end at once on a signal, but this one has to clean up.
    with on_interrupt(_raise_interrupt):
        return prepare(paths, place, how, jobs, say)


def _raise_interrupt(number: int, frame: object) -> NoReturn:
    for signal_number in STOP_SIGNALS:
        # Nothing may interrupt the cleanup.
        signal.signal(signal_number, signal.SIG_IGN)
    raise KeyboardInterrupt
