"""`senna-lm train ngram`, `senna-lm score` and `senna-lm info`."""

import click

from senna_py.cli.common import WORKERS, WholeRange, check_live, until_reader_leaves
from senna_py.cli.lm_text import raw_tokenizer, read, say, scored_text_options, text_options
from senna_py.errors import UsageError

__all__ = ["info", "ngram", "score"]


@click.command()
@click.argument("model", type=click.Path())
@text_options
@click.option(
    "--order", default=3, show_default=True, type=WholeRange(2, 5),
    help="Words of the longest n-grams.",
)  # fmt: skip
@click.option(
    "--smoothing", type=click.Choice(("kneser-ney", "interpolated")), default="kneser-ney",
    show_default=True,
    help="Modified Kneser-Ney; or frequencies mixed by weights that --valid decides.",
)  # fmt: skip
@click.option(
    "--classes", type=click.Path(), metavar="FILE",
    help="Count n-grams of these word classes (see `cluster`), with Kneser-Ney smoothing.",
)  # fmt: skip
def ngram(model, order, smoothing, classes, **text):
    """Count the n-grams of the text files PATHS and write a smoothed MODEL.

    PATHS: tokenised text, a sentence a line; .gz, .xz and .bz2 files are decompressed, `-` is
    standard input; or one corpus that `senna-lm prepare` made. MODEL is in the ARPA format if its
    name ends in .arpa, or .arpa.gz.
    """
    if smoothing == "interpolated":
        if classes:
            raise UsageError("--classes does not go with --smoothing interpolated")
        if not text["valid"]:
            raise UsageError("--smoothing interpolated learns its weights on held-out text: "
                             "give --valid FILE")  # fmt: skip
    from senna_py.io.overwriting import reads
    from senna_py.lm.model_files import check_target, is_arpa, write_model
    from senna_py.lm.ngram.classes import read_classes, train_class_model
    from senna_py.lm.ngram.interpolated import train_interpolated
    from senna_py.lm.ngram.kneser_ney import train_kneser_ney

    if is_arpa(model) and (classes or smoothing == "interpolated"):
        raise UsageError(f"{model}: the ARPA format is for --smoothing kneser-ney without classes")
    for path in (*text["paths"], *text["valid"], text["vocabulary"], classes):
        if path is not None:
            reads(path)
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


@click.command()
@click.argument("model", type=click.Path())
@scored_text_options
@click.option(
    "--jobs", metavar="N", type=WORKERS, default=1, show_default=True,
    help="Cores to work on.",
)  # fmt: skip
@click.option(
    "--unknown-vectors", is_flag=True,
    help="Give each unknown word a vector of its own when it is met (neural models).",
)  # fmt: skip
def score(
    model, text, form, output, live, jobs, progress, unknown_vectors, independent_lines, raw
):  # fmt: skip
    """Print the probability of each word of the TEXT files, or of standard input (also: -).

    MODEL: a language model of any kind, or the directory of its training run. TEXT: as for `train
    ngram`; all of it is one stream if the model was trained on one, unless --independent-lines.
    Columns are the word, log10 of its probability, and 1 if it is unknown; after each line a row
    without a word has the sum, the number of unknown words, and the perplexity without and with
    these. A summary of all text goes to standard error.
    """
    from senna_py.lm.model_files import open_model
    from senna_py.lm.scoring import score_files

    if model == "-" and ("-" in text or not text):
        raise UsageError("the model and the text cannot both be standard input")
    check_live(live, output)
    with until_reader_leaves():
        opened = open_model(model)
        if unknown_vectors:
            from senna_py.lm.nplm.unknown_words import OpenModel

            opened = OpenModel(opened)
        totals = score_files(
            opened, text or ("-",), form, output, jobs, progress, independent_lines,
            raw_tokenizer() if raw else None, live,
        )  # fmt: skip
        say(str(totals)) if form != "summary" else click.echo(str(totals))


@click.command()
@click.argument("model", type=click.Path(allow_dash=True))
def info(model):
    """Describe a language model: its kind, its sizes, and how it was trained."""
    from senna_py.lm.model_files import open_model

    for name, value in open_model(model).describe():
        click.echo(f"{name}: {value}")
