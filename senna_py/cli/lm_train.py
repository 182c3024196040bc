"""The commands of `senna-lm train`, for n-grams, feed-forward networks and LSTMs."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from senna_py.cli.help import Command
from senna_py.cli.lm_run import (
    read,
    say,
    start_from,
    text_options,
    threads_for_blas,
    train,
)
from senna_py.cli.options import all_of, choice, file_option, flag, number
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.errors import SennaError, UsageError, one_line
from senna_py.lm.lstm.settings import LstmSettings
from senna_py.lm.nplm.settings import NplmSettings

if TYPE_CHECKING:
    from senna_py.cli.run_options import RunOptions
    from senna_py.lm.language_model import LanguageModel


@click.command(
    cls=Command, examples=("senna-lm train ngram --order 5 news.arpa news.txt",)
)
@click.argument("model", type=click.Path())
@text_options
@number("--order", "Length of the longest n-grams.", default=3, least=2, most=5)
@choice(
    "--smoothing",
    ("kneser-ney", "interpolated"),
    "Modified Kneser-Ney, or interpolation with weights learned on --valid.",
    default="kneser-ney",
)
@file_option(
    "--classes",
    "Train a class-based model on these word classes (of `senna-py vectors cluster`).",
)
def ngram(
    model: str, order: int, smoothing: str, classes: str | None, **text: Any
) -> None:
    """Train a smoothed n-gram model.

    PATHS are files of tokenized text, with one sentence per line, or one corpus that
    `senna-py vectors prepare` made. Files ending in .gz, .xz and .bz2 are decompressed,
    and `-` is standard input. MODEL is in the ARPA format if its name ends in .arpa,
    also with .gz, .xz or .bz2.
    """
    if smoothing == "interpolated":
        if classes:
            raise UsageError("--classes cannot be used with --smoothing interpolated")
        if not text["valid"]:
            raise UsageError(
                "--smoothing interpolated learns its weights on validation text: "
                "give --valid FILE"
            )
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.model_files import check_target, is_arpa, write_model
    from senna_py.lm.ngram.classes import read_classes, train_class_model
    from senna_py.lm.ngram.interpolated import train_interpolated
    from senna_py.lm.ngram.kneser_ney import train_kneser_ney

    if is_arpa(model) and (classes or smoothing == "interpolated"):
        raise UsageError(
            f"{model}: the ARPA format is for --smoothing kneser-ney without classes"
        )
    check_paths((*text["paths"], *text["valid"], text["vocabulary"], classes), [model])
    check_target(model, is_arpa(model))
    class_of_word = read_classes(classes) if classes else None
    streams = read(**text)
    train, valid, word_list = streams.train, streams.valid, streams.word_list
    trained: LanguageModel
    if smoothing == "interpolated":
        trained = train_interpolated(train, valid, order, word_list, say)
    elif class_of_word is not None:
        trained = train_class_model(train, valid, order, word_list, class_of_word, say)
    else:
        trained = train_kneser_ney(train, order, word_list, say)
    write_model(model, trained, is_arpa(model))
    if len(valid):
        from senna_py.lm.scoring import score_stream

        say(f"validation: {score_stream(trained, valid)}")


@click.command(
    cls=Command,
    brief=(
        "valid vocabulary min-count size order dim hidden direct epochs threads resume "
        "plot"
    ),
    examples=(
        "senna-lm train nplm --order 5 --hidden 100 --valid dev.txt run/ train.txt",
    ),
)
@click.argument("directory", type=click.Path())
@text_options
@options_of(NplmSettings)
@flag("--mpi", "Split the output layer across the processes of mpirun.")
@run_options()
def nplm(
    directory: str,
    paths: tuple[str, ...],
    valid: tuple[str, ...],
    one_stream: bool,
    vocabulary: str | None,
    min_count: int,
    size: int | None,
    mpi: bool,
    options: RunOptions,
    **values: Any,
) -> None:
    """Train a feed-forward neural language model (Bengio et al. 2003).

    PATHS are files of tokenized text, with one sentence per line. The best model
    (model.lm), a checkpoint and a log are written to DIRECTORY.
    """
    threads_for_blas()
    from senna_py.layers.process_group import ALONE, MpiGroup
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.nplm.training import NplmTraining, classes_of_file

    settings = NplmSettings(**values)
    group: Any = MpiGroup.world() if mpi else ALONE
    note = _say_nothing if group.rank else say
    with failing_together(group):
        classes = settings.classes if isinstance(settings.classes, str) else None
        init = None if options.resume else settings.init
        inputs = [*paths, *valid, vocabulary, classes, init]
        options.check(directory, FILE_NAME, inputs, note=note, first=not group.rank)
        streams = read(paths, valid, one_stream, vocabulary, min_count, size)
        word_class = None
        if classes is not None:
            word_class = classes_of_file(classes, streams.word_list)
        training = NplmTraining(streams, settings, word_class, group)
        if init:  # A resumed run uses the vectors in its checkpoint instead.
            start_from(training, init, note)
        train(options, training, directory, note)


def _say_nothing(line: str) -> None:
    """Ignore a line for the user, which only the first process of a group prints."""


@contextlib.contextmanager
def failing_together(group: Any) -> Iterator[None]:
    """Abort all processes of a group if this one fails, so that none waits forever."""
    try:
        yield
    except Exception as error:
        if group.size > 1:
            known = isinstance(error, (SennaError, OSError, MemoryError))
            say(f"senna-lm: {one_line(error) if known else traceback.format_exc()}")
            group.abort(getattr(error, "exit_code", 1))
        raise


def _lstm_command(
    example: str, omit: tuple[str, ...], last: str = "plot"
) -> Callable[..., Any]:
    """Return a decorator for a command that trains an LSTM language model.

    Args:
        example: The arguments of `senna-lm train` in the example of the help.
        omit: The settings without an option.
        last: The last option in the short help.
    """
    brief = (
        "preset valid vocabulary min-count size epochs rate dropout threads resume "
        "time-limit"
    )
    return all_of(
        click.command(
            cls=Command,
            brief=f"{brief} {last}",
            examples=(f"senna-lm train {example}",),
        ),
        click.argument("directory", type=click.Path()),
        text_options,
        choice(
            "--preset",
            ("small", "large"),
            "Network size, as in the paper.",
            default="small",
        ),
        options_of(LstmSettings, omit),
        run_options(),
    )


@_lstm_command(
    "char --valid dev.txt --preset large run/ train.txt", ("dim", "segmentation")
)
@flag(
    "--spell-unknown",
    "Also read out-of-vocabulary words by their characters; they are predicted as "
    "<unk>.",
)
def char(directory: str, spell_unknown: bool, **values: Any) -> None:
    """Train an LSTM language model that reads words as characters (Kim et al. 2016).

    PATHS are files of tokenized text, with one sentence per line. The best model
    (model.lm), a checkpoint and a log are written to DIRECTORY.
    """
    if values["plain"]:
        if values["highway"]:
            raise UsageError(
                "--plain replaces highway layers, so --highway cannot be used with it"
            )
        values["highway"] = 0
    _train_lstm("char", directory, values, spell_unknown)


@_lstm_command(
    "word --valid dev.txt run/ train.txt", ("highway", "plain", "segmentation")
)
def word(directory: str, **values: Any) -> None:
    """Train an LSTM language model with word vectors.

    PATHS are files of tokenized text, with one sentence per line. The best model
    (model.lm), a checkpoint and a log are written to DIRECTORY.
    """
    _train_lstm("word", directory, values)


@_lstm_command(
    "morph --segmentation morphemes.txt --valid dev.txt run/ train.txt",
    ("highway", "plain"),
    "segmentation",
)
def morph(directory: str, **values: Any) -> None:
    """Train an LSTM language model with vectors of words and morphemes.

    PATHS are files of tokenized text, with one sentence per line. The best model
    (model.lm), a checkpoint and a log are written to DIRECTORY.
    """
    _train_lstm("morph", directory, values)


def _train_lstm(
    inputs: str, directory: str, values: dict[str, Any], opened: bool = False
) -> None:
    """Train an LSTM language model with the options of a command.

    Args:
        inputs: The representation of words: `char`, `word` or `morph`.
        directory: The directory of the run.
        values: The options of the command.
        opened: See `read_streams`.
    """
    threads_for_blas(values["threads"])
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.lstm.lexicon import read_morphemes
    from senna_py.lm.lstm.training import LstmTraining

    names = ("paths", "valid", "one_stream", "vocabulary", "min_count", "size")
    text = {name: values.pop(name) for name in names}
    options = values.pop("options")
    settings = LstmSettings.of_preset(inputs, **values)
    files = [*text["paths"], *text["valid"], text["vocabulary"], settings.segmentation]
    options.check(directory, FILE_NAME, files)
    streams = read(**text, opened=opened)
    morphemes = None
    if settings.segmentation:
        morphemes = read_morphemes(settings.segmentation, streams.word_list.words)
    train(options, LstmTraining(streams, settings, say, morphemes), directory)
