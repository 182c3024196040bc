"""`senna-lm compare`: two language models on the same text."""

import click

from senna_py.cli.common import WholeRange, check_live, until_reader_leaves
from senna_py.cli.lm_text import raw_tokenizer, say, scored_text_options
from senna_py.errors import UsageError

__all__ = ["compare"]


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
def compare(
    a, b, text, form, output, live, progress, independent_lines, raw, frequencies, samples, seed
):  # fmt: skip
    """Print the probabilities of the words of TEXT by the models A and B, and which is better.

    A, B, TEXT: as for `score`. Columns are the word, log10 of its probability by A and by B, B's
    minus A's, and 1 if a model does not know the word, which is then left out of all sums; after
    each line a row without a word has sums and the number of words left out. A summary goes to
    standard error: perplexities on the words that both know, also by how frequent they are, and
    95% intervals by a paired bootstrap over sentences.
    """
    from senna_py.lm.comparison import compare_files, counts_of, report_lines
    from senna_py.lm.model_files import open_model

    if "-" in (a, b) and (a == b or "-" in text or not text):
        raise UsageError("only one of the models and the text can be standard input")
    check_live(live, output)
    with until_reader_leaves():
        models = [open_model(a), open_model(b)]
        counts = counts_of(frequencies) if frequencies else None
        compared = compare_files(
            models, text or ("-",), form, output, progress, independent_lines,
            raw_tokenizer() if raw else None, live,
        )  # fmt: skip
        found = compared.groups(counts, samples, seed)
        lines = "\n".join(report_lines(compared, (a, b), found))
        say(lines) if form != "summary" else click.echo(lines)
