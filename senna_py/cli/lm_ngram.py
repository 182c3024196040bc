"""`senna-lm train ngram`: smoothed n-grams."""

import click

from senna_py.cli.common import choice, file_option, number
from senna_py.cli.help import Command
from senna_py.cli.lm_run import read, say, text_options
from senna_py.errors import UsageError


@click.command(cls=Command, examples=("senna-lm train ngram --order 5 news.arpa news.txt",))
@click.argument("model", type=click.Path())
@text_options
@number("--order", "Length of the longest n-grams.", default=3, least=2, most=5)
@choice(
    "--smoothing", ("kneser-ney", "interpolated"),
    "Modified Kneser-Ney, or interpolation with weights learned on --valid.", default="kneser-ney",
)  # fmt: skip
@file_option(
    "--classes", "Train a class-based model on these word classes (of `senna-py vectors cluster`)."
)
def ngram(model, order, smoothing, classes, **text):
    """Train a smoothed n-gram model.

    PATHS: tokenized text, one sentence per line; .gz, .xz and .bz2 files are decompressed, `-` is
    standard input; or one corpus that `senna-py vectors prepare` made. MODEL is in the ARPA format
    if its name ends in .arpa, also with .gz, .xz or .bz2.
    """
    if smoothing == "interpolated":
        if classes:
            raise UsageError("--classes does not go with --smoothing interpolated")
        if not text["valid"]:
            raise UsageError("--smoothing interpolated learns its weights on validation text: "
                             "give --valid FILE")  # fmt: skip
    from senna_py.io.overwriting import check_paths
    from senna_py.lm.model_files import check_target, is_arpa, write_model
    from senna_py.lm.ngram.classes import read_classes, train_class_model
    from senna_py.lm.ngram.interpolated import train_interpolated
    from senna_py.lm.ngram.kneser_ney import train_kneser_ney

    if is_arpa(model) and (classes or smoothing == "interpolated"):
        raise UsageError(f"{model}: the ARPA format is for --smoothing kneser-ney without classes")
    check_paths((*text["paths"], *text["valid"], text["vocabulary"], classes), [model])
    check_target(model, is_arpa(model))
    found = read_classes(classes) if classes else None
    streams = read(**text)
    train, valid, word_list = streams.train, streams.valid, streams.word_list
    if smoothing == "interpolated":
        trained = train_interpolated(train, valid, order, word_list, say)
    elif found is not None:
        trained = train_class_model(train, valid, order, word_list, found, say)
    else:
        trained = train_kneser_ney(train, order, word_list, say)
    write_model(model, trained, is_arpa(model))
    if len(valid):
        from senna_py.lm.scoring import score_stream

        say(f"validation: {score_stream(trained, valid)}")
