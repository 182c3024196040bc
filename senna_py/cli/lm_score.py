"""`senna-lm score`: the probability of each word of a text."""

import click

from senna_py.cli import common
from senna_py.cli.help import Command
from senna_py.errors import UsageError


@click.command(
    cls=Command,
    examples=(
        "senna-lm score --format summary news.arpa test.txt",
        "senna-lm score run/ --raw-text",
    ),
)
@click.argument("model", type=click.Path())
@click.argument("text", nargs=-1, type=click.Path(allow_dash=True))
@common.choice(
    "--format", "form", ("columns", "jsonl", "summary"),
    "Print columns, JSON lines (default for -o *.json and *.jsonl), or only the summary.",
)  # fmt: skip
@common.option("-o", "--output", "Write to FILE instead of standard output.", metavar="FILE")
@common.live_option
@common.progress_option("lines")
@common.flag("--independent-lines", "Reset the context at each line.")
@common.flag(
    "--raw-text", "raw", "Split TEXT into sentences and tokens first, as `senna-py tokenize` does."
)
@common.option(
    "--jobs",
    "Cores to use; the output is the same. LSTM models use one.",
    type=common.WORKERS,
    default=1,
)
@common.flag("--unknown-vectors", "Give each unknown word a vector when it first occurs (nplm).")
def score(
    model, text, form, output, live, progress, independent_lines, raw, jobs, unknown_vectors
):  # fmt: skip
    """Print the probability of each word of the TEXT files or standard input (also: -).

    MODEL: a language model, or the directory of its training run. TEXT: tokenized, one sentence per
    line; it is one stream if the model was trained with --one-stream. Columns are the word, the
    log10 of its probability, and 1 if it is unknown; after each line, a row without a word has the
    sum, the number of unknown words, and the perplexity without and with them. A summary goes to
    standard error.
    """
    if model == "-" and ("-" in text or not text):
        raise UsageError("the model and the text cannot both be standard input")
    common.check_output(output, live)
    form = form or ("jsonl" if str(output).lower().endswith((".json", ".jsonl")) else "columns")
    with common.until_reader_leaves():
        from senna_py.io.overwriting import check_paths
        from senna_py.lm.model_files import files_of, open_model
        from senna_py.lm.scoring import score_text

        tokenize = _raw_tokenizer() if raw else None
        opened = open_model(model)
        check_paths(files_of(opened), [output])
        if unknown_vectors:
            from senna_py.lm.nplm.unknown_words import OpenModel

            opened = OpenModel(opened)
        totals = str(score_text(
            opened, text or ("-",), form, output, jobs, live=live, progress=progress,
            independent=independent_lines, tokenize=tokenize,
        ))  # fmt: skip
        click.echo(totals) if form == "summary" else common.say(totals)


def _raw_tokenizer():
    """Function from lines of raw text to lines of tokens, as senna-tag's model would have them."""
    from senna_py.model import Model
    from senna_py.printers.token_lines import token_lines
    from senna_py.text.tokens import Tokenizer

    storage = Model().storage
    tokenizer = Tokenizer(storage.words, storage.tokenizer)
    return lambda data: token_lines(tokenizer.split_sentences(tokenizer.lines(data)))
