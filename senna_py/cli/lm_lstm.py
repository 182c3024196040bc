"""`senna-lm train char`, `word` and `morph`: LSTM language models (Kim et al. 2016)."""

import click

from senna_py.cli.common import all_of, choice, flag
from senna_py.cli.help import Command
from senna_py.cli.lm_run import read, say, text_options, threads_for_blas, train
from senna_py.cli.run_options import run_options
from senna_py.cli.setting_options import options_of
from senna_py.errors import UsageError
from senna_py.lm.lstm.settings import LstmSettings


def _command(example, omit, last="plot"):
    """Decorator that makes a command with an example and a kind's options, less those to `omit`."""
    brief = "preset valid vocabulary min-count size epochs rate dropout threads resume time-limit"
    return all_of(
        click.command(
            cls=Command, brief=f"{brief} {last}", examples=(f"senna-lm train {example}",)
        ),
        click.argument("directory", type=click.Path()),
        text_options,
        choice("--preset", ("small", "large"), "Network size, as in the paper.", default="small"),
        options_of(LstmSettings, omit),
        run_options(),
    )  # fmt: skip


@_command("char --valid dev.txt --preset large run/ train.txt", ("dim", "segmentation"))
@flag(
    "--spell-unknown",
    "Also read out-of-vocabulary words by their characters; they are predicted as <unk>.",
)  # fmt: skip
def char(directory, spell_unknown, **values):
    """Train an LSTM language model that reads words as characters (Kim et al. 2016).

    PATHS: tokenized text, one sentence per line. DIRECTORY gets the best model (model.lm), a
    checkpoint and a log.
    """
    if values["plain"]:
        if values["highway"]:
            raise UsageError("--plain replaces highway layers: --highway does not go with it")
        values["highway"] = 0
    _train("char", directory, values, spell_unknown)


@_command("word --valid dev.txt run/ train.txt", ("highway", "plain", "segmentation"))
def word(directory, **values):
    """Train an LSTM language model with word vectors.

    PATHS: tokenized text, one sentence per line. DIRECTORY gets the best model (model.lm), a
    checkpoint and a log.
    """
    _train("word", directory, values)


@_command(
    "morph --segmentation morphemes.txt --valid dev.txt run/ train.txt", ("highway", "plain"),
    "segmentation",
)  # fmt: skip
def morph(directory, **values):
    """Train an LSTM language model with vectors of words and morphemes.

    PATHS: tokenized text, one sentence per line. DIRECTORY gets the best model (model.lm), a
    checkpoint and a log.
    """
    _train("morph", directory, values)


def _train(kind, directory, values, opened=False):
    """Run the training; values: of the options; opened: see `read_streams`."""
    threads_for_blas(values["threads"])
    from senna_py.lm.language_model import FILE_NAME
    from senna_py.lm.lstm.lexicon import read_morphemes
    from senna_py.lm.lstm.training import LstmTraining

    text = ("paths", "valid", "one_stream", "vocabulary", "min_count", "size")
    text, options = [values.pop(name) for name in text], values.pop("options")
    settings = LstmSettings.of_preset(kind, **values)
    paths, valid, _, vocabulary, *_ = text
    inputs = [*paths, *valid, vocabulary, settings.segmentation]
    options.check(directory, FILE_NAME, inputs)
    streams = read(*text, opened)
    given = settings.segmentation
    morphemes = given and read_morphemes(given, streams.word_list.words)
    train(options, LstmTraining(streams, settings, say, morphemes), directory)
