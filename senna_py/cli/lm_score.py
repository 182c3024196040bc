"""`senna-lm score`: the probability of each word of a text."""

import click

from senna_py.cli.common import WORKERS, until_reader_leaves
from senna_py.cli.lm_text import say_summary, scored_text, scored_text_options
from senna_py.errors import UsageError

__all__ = ["score"]


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
def score(model, jobs, unknown_vectors, **given):
    """Print the probability of each word of the TEXT files, or of standard input (also: -).

    MODEL: a language model of any kind, or the directory of its training run. TEXT: as for `train
    ngram`; all of it is one stream if the model was trained on one, unless --independent-lines.
    Columns are the word, log10 of its probability, and 1 if it is unknown; after each line a row
    without a word has the sum, the number of unknown words, and the perplexity without and with
    these. A summary of all text goes to standard error.
    """
    if model == "-" and ("-" in given["text"] or not given["text"]):
        raise UsageError("the model and the text cannot both be standard input")
    with until_reader_leaves():
        text = scored_text(**given)
        from senna_py.io.overwriting import check_paths
        from senna_py.lm.model_files import files_of, open_model
        from senna_py.lm.scoring import score_text

        opened = open_model(model)
        check_paths(files_of(opened), [text.output])
        if unknown_vectors:
            from senna_py.lm.nplm.unknown_words import OpenModel

            opened = OpenModel(opened)
        say_summary(text, str(score_text(opened, text, jobs)))
