"""`senna-lm score` and `compare`: the probability of each word of a text, by one model or two."""

import click

from senna_py.cli.common import WORKERS, WholeRange, until_reader_leaves
from senna_py.cli.lm_text import say_summary, scored_text, scored_text_options
from senna_py.errors import UsageError

__all__ = ["compare", "score"]


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


@click.command()
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@scored_text_options
@click.option(
    "--frequencies", multiple=True, type=click.Path(), metavar="FILE",
    help="Text, such as that of training, by which words are frequent or rare; may be repeated. "
    "[default: TEXT]",
)  # fmt: skip
@click.option(
    "--samples", default=1000, show_default=True, type=WholeRange(100, 100_000),
    help="Texts that are drawn for the intervals.",
)  # fmt: skip
@click.option("--seed", default=1, show_default=True, type=WholeRange(0))
def compare(a, b, frequencies, samples, seed, **given):
    """Print the probabilities of the words of TEXT by the models A and B, and which is better.

    A, B, TEXT: as for `score`. Columns are the word, log10 of its probability by A and by B, B's
    minus A's, and 1 if a model does not know the word, which is then left out of all sums; after
    each line a row without a word has sums and the number of words left out. A summary goes to
    standard error: perplexities on the words that both know, also by how frequent they are, and
    95% intervals by a paired bootstrap over sentences.
    """
    if "-" in (a, b) and (a == b or "-" in given["text"] or not given["text"]):
        raise UsageError("only one of the models and the text can be standard input")
    with until_reader_leaves():
        text = scored_text(**given)
        from senna_py.io.overwriting import check_paths
        from senna_py.lm.comparison import compare_text, counts_of, report_lines
        from senna_py.lm.model_files import files_of, open_model

        models = [open_model(a), open_model(b)]
        check_paths([*frequencies, *files_of(*models)], [text.output])
        counts = counts_of(frequencies) if frequencies else None
        compared = compare_text(models, text)
        found = compared.groups(counts, samples, seed)
        say_summary(text, "\n".join(report_lines(compared, (a, b), found)))
